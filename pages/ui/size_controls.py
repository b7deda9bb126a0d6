"""The slider that cuts the current tokenizer to a smaller vocabulary on the Encode page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.ui import state
from pages.ui.url_values import whole_number

if TYPE_CHECKING:
    from bpe import Tokenizer

# So many merges can be gone through one by one with the arrow keys.
FINE_MERGES: Final = 5_000
STEPS: Final = 1_000


def choose_size(tokenizer: Tokenizer, key: str) -> Tokenizer:
    """Draw the slider of sizes and give the tokenizer cut to the one chosen; `key` names it.

    It stands at the top until it is moved, and goes back there when the tokenizer changes.
    """
    highest = tokenizer.n_tokens
    lowest = tokenizer.base_size + len(tokenizer.special_tokens)
    if lowest == highest:
        st.caption(f"Vocabulary size: {highest:,} tokens, none of them from a merge.")
        return tokenizer
    _keep_size_in(lowest, highest, key)
    step = step_of(highest - lowest)
    size = st.slider(
        "Vocabulary size",
        min_value=lowest,
        max_value=highest,
        step=step,
        format="localized",
        key=state.ENCODE_VOCAB_SIZE,
        persist_state="session",
        help="The same training, stopped earlier: special tokens and base symbols stay, then come "
        "the first merges up to this size. Nothing is trained again, and every id stays.",
    )
    if step > 1:
        _draw_exact_size(lowest, highest, int(size))
    st.caption(f"{lowest:,} without merges + {size - lowest:,} of {highest - lowest:,} merges")
    return tokenizer.with_vocab_size(int(size))


def step_of(n_merges: int) -> int:
    """Choose the slider's step: one merge, in a large vocabulary a round number of them.

    >>> step_of(768), step_of(50_000), step_of(199_742)
    (1, 50, 200)
    """
    if n_merges <= FINE_MERGES:
        return 1
    magnitude = 1
    while n_merges / (magnitude * 10) > STEPS:
        magnitude *= 10
    return next(
        step
        for step in (magnitude, 2 * magnitude, 5 * magnitude, 10 * magnitude)
        if n_merges / step <= STEPS
    )


def _draw_exact_size(lowest: int, highest: int, size: int) -> None:
    """Draw a box for the sizes between the slider's steps; it always says what the slider says.

    Where the slider was moved, it is a new box. The browser sends all widgets with each key press,
    the old box with what it said before: taken for a change, that would move the slider back.
    """
    name = state.ENCODE_EXACT_SIZE
    shown, number = state.local(name, "", (size, 0))
    if shown != size:
        number += 1
    state.remember(name, "", (size, number))
    key = f"{name}_{number}"
    st.number_input(
        "Exact size",
        min_value=lowest,
        max_value=highest,
        value=size,
        step=1,
        key=key,
        on_change=_take_exact_size,
        args=(key, number),
    )


def _take_exact_size(key: str, number: int) -> None:
    """Move the slider to what was typed, not to what an older box, or this one, said anyway.

    Streamlit calls this for those too, when a run was broken off before it drew the box.
    """
    size = int(state.value(key))
    shown, newest = state.local(state.ENCODE_EXACT_SIZE, "", (size, number))
    if number == newest and size != shown:
        state.put(state.ENCODE_VOCAB_SIZE, size)
        state.remember(state.ENCODE_EXACT_SIZE, "", (size, number))


def _keep_size_in(lowest: int, highest: int, key: str) -> None:
    """Put the size to the top where it means nothing: it is out of range, or of another tokenizer.

    Before the slider is first drawn a size in the address counts; the top is never written there.
    """
    name = state.ENCODE_VOCAB_SIZE
    if state.known(name):
        size = state.value(name)
        is_ours = state.local(name, key, False)
        if size is None or not is_ours or not lowest <= size <= highest:
            state.put(name, highest)
    state.remember(name, key, True)
    state.linked(
        name, whole_number(lowest, highest), lambda size: None if size == highest else size
    )
    if state.value(name) is None:
        state.put(name, highest)
