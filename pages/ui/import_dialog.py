"""The dialog that reads a tokenizer from its files, and the message that says what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from bpe import BPEError, PatternNeeded
from bpe.file_kinds import LoadedTokenizer, load_files
from bpe.zip_files import is_zip
from pages.ui import state, tokenizer_store
from pages.ui.agreement_badge import check_entry, draw_badge
from pages.ui.choices import PATTERNS
from pages.ui.plain_text import as_sentence, plain
from pages.ui.tokenizer_files import KIND_TITLES, MAX_UPLOAD_MB, distinct_names, name_of

CUSTOM: Final = "custom"
MAX_EXPRESSION: Final = 1_000
_PATTERNS: Final = {**PATTERNS, CUSTOM: "Regular expression"}
_HINT: Final = (
    "Give a **tokenizer.json**, a **vocab.json** with its **merges.txt**, a **tiktoken** rank "
    "file, a **SentencePiece** model of type BPE, or a zip archive of one. What it is, is seen "
    f"from its content. Up to {MAX_UPLOAD_MB} MB a file; nothing leaves this machine."
)


@dataclass(frozen=True, slots=True)
class _PatternQuestion:
    """Why a pattern must be chosen, and the likely one; the error itself holds on to the files."""

    message: str
    suggestion: str | None


def import_button() -> None:
    """Draw the button that opens the dialog."""
    st.button(
        "Import a tokenizer",
        on_click=state.open_dialog,
        args=(state.IMPORT_DIALOG,),
        icon=":material/upload_file:",
    )


@st.dialog("Import a tokenizer", on_dismiss=state.close_dialog)
def import_dialog() -> None:
    """Draw the dialog; when files were read, their tokenizer is current and the dialog closes."""
    uploads = st.file_uploader(
        "Tokenizer files",
        accept_multiple_files=True,
        key=state.IMPORT_FILES,
        max_upload_size=MAX_UPLOAD_MB,
    )
    if not uploads:
        st.caption(_HINT)
        return
    names = distinct_names(upload.name for upload in uploads)
    files = dict(zip(names, (upload.getvalue() for upload in uploads), strict=True))
    key = " ".join(upload.file_id for upload in uploads)
    question: _PatternQuestion | None = state.local(state.IMPORT_FILES, key, None)
    read = question or _read(files)
    if isinstance(read, _PatternQuestion):
        state.remember(state.IMPORT_FILES, key, read)
        pattern = _choose_pattern(read, key)
        read = None if pattern is None else _read(files, pattern)
    if isinstance(read, LoadedTokenizer):
        _take(read, files)


def _read(
    files: Mapping[str, bytes], pattern: str | None = None
) -> LoadedTokenizer | _PatternQuestion | None:
    """Read the files; None, with a message in place, where they hold no tokenizer."""
    size = sum(map(len, files.values()))
    try:
        with st.spinner(f"Reading {size / 1e6:,.1f} MB … (close the dialog to cancel)"):
            return load_files(files, pattern=pattern)
    except PatternNeeded as needed:
        return _PatternQuestion(str(needed), needed.suggestion)
    except BPEError as error:
        st.error(as_sentence(str(error)))
        st.caption("Nothing was imported; your tokenizers are as they were. Try other files.")
        return None


def _choose_pattern(question: _PatternQuestion, key: str) -> str | None:
    """Ask for what the files do not say; None until it was chosen and the button pressed."""
    st.warning(as_sentence(question.message))
    st.caption(
        "A pattern cuts a text before any tokens are joined. With another than the one the "
        "tokenizer was made with, its ids would be others."
    )
    name = f"{state.IMPORT_PATTERN}_{key}"
    if not state.known(name):
        state.put(name, question.suggestion)
    chosen = st.selectbox(
        "Pattern of the tokenizer",
        list(_PATTERNS),
        format_func=_PATTERNS.__getitem__,
        key=name,
        placeholder="Choose a pattern",
    )
    if chosen == CUSTOM:
        chosen = st.text_input(
            "Expression",
            key=state.IMPORT_EXPRESSION,
            max_chars=MAX_EXPRESSION,
            placeholder=r"\w+|\s+|[^\w\s]+",
            help="Python's `regex` syntax; each match is a pre-token.",
        )
    is_asked = st.button("Import with this pattern", type="primary", disabled=not chosen)
    return chosen if is_asked else None


def _take(loaded: LoadedTokenizer, files: Mapping[str, bytes]) -> None:
    """Put the tokenizer into the list, and close the dialog: the page shows it now.

    It is held to its library here, where the file it came from is still at hand.
    """
    names = list(files)
    tokenizer_store.add(
        name_of(names),
        loaded.tokenizer,
        origin="imported",
        corpus_label=f"{', '.join(names)} ({KIND_TITLES[loaded.kind]})",
        notes=loaded.unsaid,
        file_kind=loaded.kind,
    )
    entry = tokenizer_store.current()
    assert entry is not None  # it was added just now
    with st.spinner("Comparing ids with the reference library …"):
        check_entry(entry, _original(loaded, files))
    state.remember(state.IMPORT_NOTE, "", entry.entry_id)
    state.close_dialog()
    st.rerun()


def _original(loaded: LoadedTokenizer, files: Mapping[str, bytes]) -> bytes | None:
    """The one file that the library can read too; None where an export must stand in for it."""
    data = next(iter(files.values()))
    is_one = len(files) == 1 and not is_zip(data)
    return data if is_one and loaded.kind in ("tokenizer_json", "sentencepiece") else None


def draw_import_note() -> None:
    """Say what was imported and what its files leave unsaid, until that was read.

    Its place is kept where it says nothing: the page below would move, and be drawn twice then.
    """
    place = st.empty()
    entry = tokenizer_store.current()
    if entry is None or entry.entry_id != state.local(state.IMPORT_NOTE, "", None):
        return
    with place.container(border=True):
        st.success(
            f"Imported **{plain(entry.name)}** from {plain(entry.corpus_label)}: "
            f"{entry.tokenizer.n_tokens:,} tokens. It is the current tokenizer now.",
            icon=":material/check_circle:",
        )
        draw_badge(check_entry(entry))
        draw_unsaid(entry.notes)
        st.button("Close this message", on_click=state.remember, args=(state.IMPORT_NOTE, "", None))


def draw_unsaid(notes: tuple[str, ...]) -> None:
    """List what the files of a tokenizer leave unsaid."""
    if notes:
        told = "\n".join(f"- {as_sentence(note)}" for note in notes)
        st.markdown(f"What its files leave unsaid:\n{told}")
