"""The chip at the top of every page: the current tokenizer, and all that can be done with it."""

from __future__ import annotations

import streamlit as st

from bpe import Tokenizer
from bpe.formats import to_tokenizer_json
from pages.ui import state, tables, tokenizer_store
from pages.ui.agreement_badge import draw_agreement
from pages.ui.export_dialog import export_button, export_dialog, json_notes
from pages.ui.import_dialog import draw_unsaid, import_button, import_dialog
from pages.ui.plain_text import as_sentence, plain
from pages.ui.tokenizer_files import file_stem
from pages.ui.tokenizer_list import MAX_NAME_CHARS, TokenizerEntry

_PATTERN_CHARS = 24


def draw() -> None:
    """Draw the chip, a button that opens the list of tokenizers."""
    entry = tokenizer_store.current()
    label = "No tokenizer yet" if entry is None else f"**{plain(entry.name)}** {facts(entry)}"
    key = f"{state.CHIP}_{state.n_dialogs()}"
    with st.popover(label, icon=":material/token:", key=key, wrap=True):
        _choice(entry)
        if entry is not None:
            if not entry.is_bundled:
                _naming(entry)
            _downloads(entry)
        import_button()
        _undo()
    if state.dialog() == state.IMPORT_DIALOG:
        import_dialog()
    elif state.dialog() == state.EXPORT_DIALOG and entry is not None:
        export_dialog(entry)


def facts(entry: TokenizerEntry) -> str:
    """Describe a tokenizer by base, pattern and vocabulary size, in Markdown."""
    tokenizer = entry.tokenizer
    pattern = tables.shortened(tokenizer.pattern, _PATTERN_CHARS)
    base = "byte" if tokenizer.base == "byte" else "character"
    return f"{base} base · {plain(pattern)} · {tokenizer.n_tokens:,} tokens"


def _choice(entry: TokenizerEntry | None) -> None:
    entries = {other.entry_id: other for other in tokenizer_store.choices()}
    key = f"{state.CHIP_CURRENT}_{tokenizer_store.revision()}"
    st.selectbox(
        "Current tokenizer",
        list(entries),
        index=None if entry is None else list(entries).index(entry.entry_id),
        key=key,
        format_func=lambda entry_id: entries[entry_id].name,
        placeholder="Choose one",
        on_change=_choose,
        args=(key,),
    )
    if entry is None:
        st.write("Choose one, or train one: it follows you from page to page.")
    else:
        st.caption(f"{facts(entry)} · from {plain(entry.corpus_label)}")
        draw_agreement(entry)
        draw_unsaid(entry.notes)


def _choose(key: str) -> None:
    tokenizer_store.choose(state.value(key))


def _naming(entry: TokenizerEntry) -> None:
    key = f"{state.CHIP_NAME}_{entry.entry_id}"
    st.text_input(
        "Name",
        value=entry.name if entry.is_kept else "",
        key=key,
        max_chars=MAX_NAME_CHARS,
        placeholder="A name keeps it when you train again",
    )
    error = state.local(state.CHIP_NAME, entry.entry_id, "")
    if error:
        st.error(plain(error))
    with st.container(horizontal=True):
        verb = "Rename" if entry.is_kept else "Keep"
        st.button(verb, on_click=_rename, args=(entry.entry_id, key), icon=":material/check:")
        st.button(
            "Delete",
            on_click=tokenizer_store.delete,
            args=(entry.entry_id,),
            icon=":material/delete:",
        )


def _rename(entry_id: str, key: str) -> None:
    error = tokenizer_store.rename(entry_id, state.value(key))
    state.remember(state.CHIP_NAME, entry_id, error)


def _downloads(entry: TokenizerEntry) -> None:
    stem = file_stem(entry.name)
    with st.container(horizontal=True):
        st.download_button(
            "tokenizer.json",
            lambda: _json(entry.tokenizer),
            file_name=f"{stem}.tokenizer.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Merges (CSV)",
            lambda: tables.to_csv(tables.merges_frame(entry.tokenizer, entry.run)),
            file_name=f"{stem}.merges.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        export_button()
    for note in json_notes(entry):
        st.caption(f"tokenizer.json: {as_sentence(note)}")


def _json(tokenizer: Tokenizer) -> bytes:
    return to_tokenizer_json(tokenizer).encode("utf-8")


def _undo() -> None:
    deleted = tokenizer_store.last_deleted()
    if deleted is not None:
        st.button(
            f"Undo: delete {plain(deleted.name)}",
            on_click=tokenizer_store.undo_delete,
            icon=":material/undo:",
        )
