"""The session's list of tokenizers: reading it, changing it, and the current one in the address.

With `state` the only code that touches the session and the address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.ui.bundled import BUNDLED
from pages.ui.tokenizer_list import NameRefused, Origin, TokenizerEntry, TokenizerList

if TYPE_CHECKING:
    from bpe import Tokenizer, TrainingRun
    from bpe.file_kinds import FileKind

# In the address, only while a bundled tokenizer is current: a link cannot carry any other.
TOKENIZER: Final = "tokenizer"

_TOKENIZERS: Final = "_tokenizers"
_REVISION: Final = "_tokenizers_revision"
_DELETED: Final = "_deleted"


def linked_current() -> None:
    """Take a bundled tokenizer from the address of a new session, and keep the address up to date.

    To be called once a run, before the current tokenizer is asked for.
    """
    asked = st.query_params.get(TOKENIZER)
    if _TOKENIZERS not in st.session_state and asked is not None and asked in BUNDLED:
        st.session_state[_TOKENIZERS] = TokenizerList(current_id=asked)
    entry = current()
    if entry is not None and entry.is_bundled:
        if asked != entry.entry_id:
            st.query_params[TOKENIZER] = entry.entry_id
    elif asked is not None:
        del st.query_params[TOKENIZER]


def tokenizers() -> TokenizerList:
    """Give the list of this session's tokenizers."""
    listed: TokenizerList = st.session_state.get(_TOKENIZERS, TokenizerList())
    return listed


def choices() -> tuple[TokenizerEntry, ...]:
    """Give all that can be chosen: the latest training, what is kept, and the bundled ones."""
    return tokenizers().choices


def current() -> TokenizerEntry | None:
    """Give the current tokenizer, None while there is none."""
    return tokenizers().current


def set_latest(run: TrainingRun, corpus_label: str) -> bool:
    """Make a run the latest training and current; tells whether that was news.

    The same run again changes nothing. On news the page should call `st.rerun()`: the chip above
    it has been drawn already.
    """
    before = tokenizers()
    after = before.with_latest(run, corpus_label)
    _store(after)
    return after is not before


def use_run(run: TrainingRun, corpus_label: str) -> None:
    """Make a run current again, also one that was deleted from the list."""
    _store(tokenizers().forgetting_latest().with_latest(run, corpus_label))


def add(
    name: str,
    tokenizer: Tokenizer,
    *,
    origin: Origin,
    corpus_label: str,
    run: TrainingRun | None = None,
    notes: tuple[str, ...] = (),
    file_kind: FileKind | None = None,
) -> None:
    """Add a tokenizer and make it current; a name already taken gets a number."""
    listed = tokenizers().with_entry(
        name,
        tokenizer,
        origin=origin,
        corpus_label=corpus_label,
        run=run,
        notes=notes,
        file_kind=file_kind,
    )
    _store(listed)


def choose(entry_id: str) -> None:
    """Make a tokenizer current."""
    _store(tokenizers().chosen(entry_id))


def rename(entry_id: str, name: str) -> str:
    """Name a tokenizer, so that it is kept; gives what is wrong with the name, or nothing."""
    try:
        _store(tokenizers().renamed(entry_id, name))
    except NameRefused as refused:
        return str(refused)
    return ""


def delete(entry_id: str) -> None:
    """Take a tokenizer from the list; `undo_delete` brings the last one back."""
    st.session_state[_DELETED] = tokenizers().find(entry_id)
    _store(tokenizers().without(entry_id))


def last_deleted() -> TokenizerEntry | None:
    """Give the tokenizer that `undo_delete` would bring back."""
    deleted: TokenizerEntry | None = st.session_state.get(_DELETED)
    return deleted


def undo_delete() -> None:
    """Bring back the tokenizer that was deleted last."""
    deleted = st.session_state.pop(_DELETED, None)
    if deleted is not None:
        _store(tokenizers().restored(deleted))


def revision() -> int:
    """Give a number that grows with every change of the list of tokenizers or of the current one.

    For the key of a widget that shows the list: what a browser still holds for an older widget
    must never be taken for a choice of the user.
    """
    number: int = st.session_state.get(_REVISION, 0)
    return number


def _store(changed: TokenizerList) -> None:
    if changed is not tokenizers():
        st.session_state[_TOKENIZERS] = changed
        st.session_state[_REVISION] = revision() + 1
