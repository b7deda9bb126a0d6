"""The choices of the Compare page: corpus, pattern, vocabulary sizes and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from bpe.samples import SAMPLES, SENTENCES
from pages.ui import cache, state
from pages.ui.choices import PATTERNS, PRESETS, choose_one, choose_side_by_side
from pages.ui.comparison import MAX_SENTENCES, SizesRefused, parse_sentences, parse_sizes
from pages.ui.corpus import CorpusChoice, sample_corpus
from pages.ui.plain_text import plain
from pages.ui.url_values import one_of, short_text

OWN: Final = "own"
MODES: Final = {"bases": "Bases", "tokenizers": "Tokenizers"}
HIGHEST_SIZE: Final = 50_000
MAX_CHARACTERS: Final = 6_000
MAX_SIZES_TYPED: Final = 60


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is to be compared."""

    corpus: CorpusChoice
    pattern: str
    sizes: list[int]
    sentences: list[str]


def choose_mode() -> str:
    """Draw the switch between comparing bases of one corpus and tokenizers of the list."""
    return choose_side_by_side(
        "Compare",
        state.COMPARE_BY,
        MODES,
        "Bases: one corpus, trained by characters and by bytes, at several sizes. Tokenizers: any "
        "of your list, trained, imported or bundled.",
    )


def choose_comparison() -> Comparison | None:
    """Draw the choices; None, with a message in place, while something is missing."""
    left, middle, right = st.columns([2, 1, 2])
    with left:
        corpus = _choose_corpus()
    with middle:
        pattern = _choose_pattern()
    with right:
        sizes = _choose_sizes()
    sentences = choose_sentences()
    if not sizes or not sentences:
        return None
    return Comparison(corpus, pattern, sizes, sentences)


def _choose_corpus() -> CorpusChoice:
    own = state.last_corpus()
    titles = {} if own is None else {OWN: f"Your corpus: {own.name}"}
    titles |= {sample.id: sample.title for sample in SAMPLES.values()}
    chosen = choose_one(
        "Corpus",
        state.COMPARE_CORPUS,
        titles,
        "Both bases are trained on it once, up to the largest size.",
    )
    if chosen == OWN and own is not None:
        return own
    return cache.shared("corpus", chosen, lambda: sample_corpus(chosen))


def _choose_pattern() -> str:
    return choose_one(
        "Pattern",
        state.COMPARE_PATTERN,
        PATTERNS,
        "How the corpus and the sentences are cut into pre-tokens.",
    )


def _choose_sizes() -> list[int]:
    state.linked(state.COMPARE_SIZES, short_text(MAX_SIZES_TYPED))
    typed = st.text_input(
        "Vocabulary sizes",
        key=state.COMPARE_SIZES,
        persist_state="session",
        max_chars=MAX_SIZES_TYPED,
        help="Up to six sizes, special tokens and base symbols included: 300 600 1200.",
    )
    try:
        sizes = parse_sizes(typed or "", HIGHEST_SIZE)
    except SizesRefused as refused:
        st.error(plain(str(refused)))
        return []
    if not sizes:
        st.info("Write a vocabulary size, such as 300 600 1200.")
    return sizes


def choose_sentences() -> list[str]:
    """Draw presets and the list of sentences; empty, with a message in place, if there is none."""
    _link_preset()
    if not state.known(state.COMPARE_SENTENCES):
        fill_sentences()
    preset = preset_of(parse_sentences(state.value(state.COMPARE_SENTENCES) or ""))
    titles = PRESETS if preset in PRESETS else {OWN: "Your own", **PRESETS}
    state.put(state.COMPARE_PRESET, preset)
    _link_preset()  # the address names no preset any more, once the sentences are others
    st.pills(
        "Preset",
        list(titles),
        format_func=titles.__getitem__,
        key=state.COMPARE_PRESET,
        required=True,
        on_change=fill_sentences,
        persist_state="session",
        help="Fills the list of sentences; then change it as you like.",
    )
    text = st.text_area(
        "Sentences",
        key=state.COMPARE_SENTENCES,
        persist_state="session",
        height=130,
        max_chars=MAX_CHARACTERS,
        help=f"One a line, at most {MAX_SENTENCES}.",
    )
    sentences = parse_sentences(text or "")
    if not sentences:
        st.info("Type a sentence to compare, one a line, or choose a preset.")
    return sentences


def _link_preset() -> None:
    state.linked(
        state.COMPARE_PRESET, one_of(PRESETS), lambda chosen: chosen if chosen in PRESETS else None
    )


def preset_of(sentences: Sequence[str]) -> str:
    """Name the preset that some sentences are; OWN for others.

    >>> preset_of(SENTENCES["mixed"]), preset_of(["low"])
    ('mixed', 'own')
    """
    names = (name for name, preset in SENTENCES.items() if [*preset] == [*sentences])
    return next(names, OWN)


def fill_sentences() -> None:
    """Put the sentences of the chosen preset into the list."""
    sentences = SENTENCES.get(state.value(state.COMPARE_PRESET))
    if sentences:
        state.put(state.COMPARE_SENTENCES, "\n".join(sentences))
