"""Which special tokens of the current tokenizer the Encode page takes as such."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.ui import state
from pages.ui.plain_text import plain
from pages.ui.tables import visible

if TYPE_CHECKING:
    from bpe import Tokenizer

MOST_NAMED: Final = 20
# A list to choose from has to be sent to the browser; some vocabularies hold thousands.
MOST_CHOSEN_FROM: Final = 500


def choose_special(tokenizer: Tokenizer) -> tuple[str, ...]:
    """Draw the switch for special tokens, where there are any, and give those that are allowed."""
    names = tuple(tokenizer.special_tokens)
    if not names:
        return ()
    known = ", ".join(visible(name) for name in names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    is_on = st.toggle(
        "Allow special tokens",
        key=state.ENCODE_SPECIAL,
        bind="query-params",
        persist_state="session",
        help="On: where the text spells a special token, it becomes that token. Off: such text is "
        f"text like any other. Known here: {plain(known + more)}.",
    )
    if not is_on:
        return ()
    return _choose_some(names) if 1 < len(names) <= MOST_CHOSEN_FROM else names


def _choose_some(names: tuple[str, ...]) -> tuple[str, ...]:
    """Draw a list to narrow the special tokens down; nothing chosen means all."""
    if state.known(state.ENCODE_SPECIAL_ONLY):  # chosen for another tokenizer, perhaps
        kept = [name for name in state.value(state.ENCODE_SPECIAL_ONLY) if name in names]
        state.put(state.ENCODE_SPECIAL_ONLY, kept)
    only = st.multiselect(
        "Only these",
        names,
        format_func=visible,
        key=state.ENCODE_SPECIAL_ONLY,
        persist_state="session",
        placeholder="All of them",
    )
    return tuple(only) or names
