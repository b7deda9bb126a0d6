"""Which tokenizers of the list the Compare page sets side by side."""

from __future__ import annotations

import streamlit as st

from pages.ui import state, tokenizer_store
from pages.ui.bundled import BUNDLED
from pages.ui.tokenizer_comparison import MAX_LANES
from pages.ui.tokenizer_list import TokenizerEntry


def choose_tokenizers() -> list[TokenizerEntry]:
    """Draw the choice of up to six tokenizers; empty, with a message in place, if there is none.

    The current tokenizer is among them when the page is first opened, unless a link says which.
    """
    entries = {entry.entry_id: entry for entry in tokenizer_store.choices()}
    _link(list(entries))
    chosen = st.multiselect(
        "Tokenizers",
        list(entries),
        format_func=lambda entry_id: entries[entry_id].name,
        key=state.COMPARE_TOKENIZERS,
        max_selections=MAX_LANES,
        persist_state="session",
        placeholder="Choose up to six",
        help=f"Up to {MAX_LANES} of your list: trained, imported, and those that come with the "
        "app. A link to this page carries only the last.",
    )
    if not chosen:
        st.info("Choose a tokenizer to compare.")
    return [entries[entry_id] for entry_id in chosen]


def _link(known_ids: list[str]) -> None:
    name = state.COMPARE_TOKENIZERS
    is_new = not state.known(name)
    if not is_new:  # some may have been deleted since
        state.put(name, [entry_id for entry_id in state.value(name) if entry_id in known_ids])
    state.linked(name, _read, lambda ids: [entry_id for entry_id in ids if entry_id in BUNDLED])
    current = tokenizer_store.current()
    if is_new and current is not None and state.value(name) == state.default(name):
        others = [entry_id for entry_id in state.value(name) if entry_id != current.entry_id]
        state.put(name, [current.entry_id, *others])


def _read(raw: str) -> list[str]:
    named = [name for name in raw.split(",") if name in BUNDLED]
    return list(dict.fromkeys(named))[:MAX_LANES]
