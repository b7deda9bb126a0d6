"""Choosing the corpus of the Train page: sample, paste, word counts or upload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from bpe.samples import SAMPLES
from pages.ui import cache, state
from pages.ui.choices import choose_one, choose_side_by_side
from pages.ui.corpus import (
    MAX_PASTE_CHARACTERS,
    CorpusChoice,
    CorpusRefused,
    parse_word_counts,
    pasted_corpus,
    sample_corpus,
    spaced_words,
)
from pages.ui.plain_text import as_sentence, plain
from pages.ui.upload_controls import choose_upload, draw_files, offer_sample

KINDS: Final = {
    "sample": "Sample",
    "paste": "Paste",
    "word_counts": "Word counts",
    "upload": "Upload",
}


def choose_corpus() -> CorpusChoice | None:
    """Draw the choice of a corpus; None, with a word on what to do, while there is none."""
    kind = choose_side_by_side(
        "Corpus",
        state.CORPUS,
        KINDS,
        "What to learn from: counts of pairs in this text decide which tokens there will be.",
    )
    choose: dict[str, Callable[[], CorpusChoice | None]] = {
        "sample": _choose_sample,
        "paste": _choose_paste,
        "word_counts": _choose_word_counts,
        "upload": choose_upload,
    }
    try:
        corpus = choose[kind]()
    except CorpusRefused as refused:
        st.error(plain(str(refused)))
        return None
    if corpus is not None:
        st.caption(plain(corpus.facts()))
        for warning in corpus.warnings:
            st.warning(as_sentence(warning))
        draw_files(corpus)
    return corpus


def _choose_sample() -> CorpusChoice:
    titles = {sample.id: sample.title for sample in SAMPLES.values()}
    sample_id = choose_one("Sample", state.SAMPLE, titles)
    st.caption(SAMPLES[sample_id].description)
    return cache.shared("corpus", sample_id, lambda: sample_corpus(sample_id))


def _choose_paste() -> CorpusChoice | None:
    text = st.text_area(
        "Training text",
        key=state.TRAINING_TEXT,
        height=180,
        max_chars=MAX_PASTE_CHARACTERS,
        persist_state="session",
        placeholder="Paste or type a text, then press Ctrl+Enter",
        help=f"At most {MAX_PASTE_CHARACTERS:,} characters; upload a file for more. "
        "The text stays in this session and never goes into the link.",
    )
    if not text:
        st.info("Paste a text to learn from.")
        offer_sample()
        return None
    return pasted_corpus(text)


def _choose_word_counts() -> CorpusChoice | None:
    text = st.text_area(
        "Words and counts",
        key=state.WORD_COUNTS,
        height=180,
        max_chars=MAX_PASTE_CHARACTERS,
        persist_state="session",
        placeholder="low 5\nlower 2\nnewest 6\nwidest 3",
        help="One word a line and how often it occurs: `low 5`. "
        "The words are taken as they are; the pattern does not cut them.",
    )
    counts = parse_word_counts(text or "")
    if not counts:
        st.info("Type one word a line with its count, such as `low 5`.")
        offer_sample()
        return None
    return CorpusChoice("Word counts", counts, spaced_words(counts))
