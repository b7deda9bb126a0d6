"""What one chooses on the Encode page: the tokenizer in use, the text, the size, special tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

import bpe
from bpe.samples import SAMPLES, SENTENCES
from pages.ui import cache, state
from pages.ui.choices import PRESETS
from pages.ui.plain_text import plain

if TYPE_CHECKING:
    from bpe import Tokenizer, TrainingRun

MAX_CHARACTERS: Final = 100_000
SAMPLE: Final = "shakespeare_100kb"
SAMPLE_SIZE: Final = 1024
VIEWS: Final = ("text", "pieces", "ids", "bytes")


@dataclass(frozen=True, slots=True)
class TokenizerInUse:
    """The tokenizer at its full size; the run, if it was trained here, tells the counts."""

    tokenizer: Tokenizer
    run: TrainingRun | None
    is_sample: bool


def tokenizer_in_use() -> TokenizerInUse:
    """Give the current tokenizer, or while there is none a sample that all sessions share."""
    entry = state.current()
    if entry is not None:
        return TokenizerInUse(entry.tokenizer, entry.run, is_sample=False)
    with st.spinner("Training a sample tokenizer on Shakespeare …"):
        run = cache.shared("run", f"{SAMPLE}:byte:gpt2:{SAMPLE_SIZE}", _train_sample)
    return TokenizerInUse(run.tokenizer, run, is_sample=True)


def _train_sample() -> TrainingRun:
    corpus = SAMPLES[SAMPLE].load()
    return bpe.train(corpus, base="byte", pattern="gpt2", vocab_size=SAMPLE_SIZE)


def draw_sample_note(in_use: TokenizerInUse) -> None:
    """Say that the page uses a sample, and where one trains a tokenizer of one's own."""
    if in_use.is_sample:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
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
        height=150,
        placeholder="Type or paste a text to see its tokens",
        help=f"Up to {MAX_CHARACTERS:,} characters. Press Ctrl+Enter, or click elsewhere, to "
        "encode it. It stays in this session and never enters the address of the page.",
    )
    return str(text or "")


def choose_size(tokenizer: Tokenizer) -> Tokenizer:
    """Draw the slider of sizes and give the tokenizer cut to the one chosen.

    It stands at the top until it is moved, and goes back there when the tokenizer changes.
    """
    highest = tokenizer.n_tokens
    lowest = highest - len(tokenizer.merges)
    if lowest == highest:
        st.caption(f"Vocabulary size: {highest:,} tokens, none of them from a merge.")
        return tokenizer
    _keep_size_in(lowest, highest, tokenizer.fingerprint)
    size = st.slider(
        "Vocabulary size",
        min_value=lowest,
        max_value=highest,
        value=highest,
        key=state.ENCODE_VOCAB_SIZE,
        bind="query-params",
        persist_state="session",
        help="The same training, stopped earlier: special tokens and base symbols stay, then come "
        "the first merges up to this size. Nothing is trained again, and every id stays.",
    )
    st.caption(f"{lowest:,} without merges + {size - lowest:,} of {highest - lowest:,} merges")
    return tokenizer.with_vocab_size(int(size))


def _keep_size_in(lowest: int, highest: int, fingerprint: str) -> None:
    """Put the size to the top where it means nothing: it is out of range, or of another tokenizer.

    Before the slider is first drawn a size in the address counts, so nothing is put then.
    """
    name = state.ENCODE_VOCAB_SIZE
    if state.known(name):
        size = state.value(name)
        is_ours = state.local(name, fingerprint, False)
        if size is None or not is_ours or not lowest <= size <= highest:
            state.put(name, highest)
    state.remember(name, fingerprint, True)


def choose_special(tokenizer: Tokenizer) -> bool:
    """Draw the switch for special tokens, where there are any; tells whether they are allowed."""
    names = list(tokenizer.special_tokens)
    if not names:
        return False
    return st.toggle(
        "Allow special tokens",
        key=state.ENCODE_SPECIAL,
        bind="query-params",
        persist_state="session",
        help="On: where the text spells a special token, it becomes that token. Off: such text is "
        f"text like any other. Known here: {plain(', '.join(names[:20]))}.",
    )


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
