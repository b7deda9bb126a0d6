"""What one chooses on the Encode page: the tokenizer in use, the text, the size, special tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

import bpe
from bpe.samples import SAMPLES, SENTENCES
from pages.ui import cache, state, tokenizer_store
from pages.ui.choices import PRESETS

if TYPE_CHECKING:
    from bpe import Tokenizer, TrainingRun

MAX_CHARACTERS: Final = 100_000
SAMPLE: Final = "shakespeare_100kb"
SAMPLE_SIZE: Final = 1024
VIEWS: Final = ("text", "pieces", "ids", "bytes")


@dataclass(frozen=True, slots=True)
class TokenizerInUse:
    """The tokenizer at its full size; the run, if it was trained here, tells the counts.

    `key` is a short name of all that the tokenizer is.
    """

    tokenizer: Tokenizer
    key: str
    run: TrainingRun | None
    is_sample: bool


def tokenizer_in_use() -> TokenizerInUse:
    """Give the current tokenizer, or while there is none a sample that all sessions share."""
    entry = tokenizer_store.current()
    if entry is not None:
        return TokenizerInUse(entry.tokenizer, entry.key, entry.run, is_sample=False)
    with st.spinner("Training a sample tokenizer on Shakespeare …"):
        run = cache.shared("run", f"{SAMPLE}:byte:gpt2:{SAMPLE_SIZE}", _train_sample)
    return TokenizerInUse(run.tokenizer, run.tokenizer.fingerprint, run, is_sample=True)


def _train_sample() -> TrainingRun:
    corpus = SAMPLES[SAMPLE].load()
    return bpe.train(corpus, base="byte", pattern="gpt2", vocab_size=SAMPLE_SIZE)


def draw_sample_note(in_use: TokenizerInUse) -> None:
    """Say that the page uses a sample, and where one trains a tokenizer of one's own.

    Its place is kept where it says nothing: what follows would move, and be drawn twice meanwhile.
    """
    place = st.empty()
    if in_use.is_sample:
        with place.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                "You have no tokenizer yet. Until then this page uses a sample: the first 100 KB "
                f"of Shakespeare, byte base, pattern gpt2, {in_use.tokenizer.n_tokens:,} tokens.",
                width="content",
            )
            st.page_link("pages/train.py", label="Train one", icon=":material/model_training:")


def text_box() -> str:
    """Draw the editor and give its text."""
    state.seed(state.ENCODE_TEXT)
    text = st.text_area(
        "Text",
        key=state.ENCODE_TEXT,
        persist_state="session",
        max_chars=MAX_CHARACTERS,
        height="stretch",
        placeholder="Type or paste a text to see its tokens",
        help=f"Up to {MAX_CHARACTERS:,} characters. Press Ctrl+Enter, or click elsewhere, to "
        "encode it. It stays in this session and never enters the address of the page.",
    )
    return str(text or "")


def reset() -> None:
    """Give the page's settings their defaults; the text stays."""
    state.reset_settings("encode")
    state.remember(state.ENCODE_RESETS, "", n_resets() + 1)


def n_resets() -> int:
    """Tell how often the settings were reset: each time the token view starts anew."""
    return state.local(state.ENCODE_RESETS, "", 0)


def offer_samples() -> None:
    """Say what to do while there is no text, and offer some."""
    st.info("Type or paste a text above, or take one of these:", icon=":material/edit:")
    with st.container(horizontal=True):
        for preset, title in PRESETS.items():
            text = "\n".join(SENTENCES[preset])
            st.button(title, on_click=state.put, args=(state.ENCODE_TEXT, text))
