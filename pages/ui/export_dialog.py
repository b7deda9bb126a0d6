"""The dialog that offers a tokenizer in the formats of other programs, or says why not."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from bpe import to_gpt2, to_tiktoken
from bpe.exports import export_notes, export_refusal
from pages.ui import cache, state
from pages.ui.plain_text import as_sentence
from pages.ui.tokenizer_files import KIND_TITLES, file_stem
from pages.ui.tokenizer_list import TokenizerEntry

if TYPE_CHECKING:
    from bpe import Tokenizer
    from bpe.file_kinds import FileKind


@dataclass(frozen=True, slots=True)
class _Format:
    """A format that other programs read: how it is written, and what reads it."""

    kind: FileKind
    ending: str
    mime: str
    write: Callable[[Tokenizer], bytes]
    read_by: str


def _zipped_gpt2(tokenizer: Tokenizer) -> bytes:
    """Write vocab.json and merges.txt into one archive: the same bytes for the same tokenizer."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in zip(("vocab.json", "merges.txt"), to_gpt2(tokenizer), strict=True):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return buffer.getvalue()


_FORMATS: Final = (
    _Format("gpt2", "zip", "application/zip", _zipped_gpt2, "GPT-2's own form, in a zip archive."),
    _Format(
        "tiktoken",
        "tiktoken",
        "text/plain",
        lambda tokenizer: to_tiktoken(tokenizer).encode("ascii"),
        "The form of OpenAI's tiktoken: one token a line, with its rank.",
    ),
)


def json_notes(entry: TokenizerEntry) -> tuple[str, ...]:
    """Say what others make of an entry's tokenizer.json; of those that are bundled they read it."""
    if entry.is_bundled:
        return ()
    return cache.cached(
        "view", f"json:{entry.key}", lambda: export_notes(entry.tokenizer, "tokenizer_json")
    )


def export_button() -> None:
    """Draw the button that opens the dialog."""
    st.button(
        "More formats",
        on_click=state.open_dialog,
        args=(state.EXPORT_DIALOG,),
        icon=":material/more_horiz:",
    )


@st.dialog("Download in other formats", on_dismiss=state.close_dialog)
def export_dialog(entry: TokenizerEntry) -> None:
    """Draw the dialog: each format with what it leaves unsaid, or why it cannot hold the tokenizer.

    To find that out takes a second for the largest vocabularies, so it is not done before.
    """
    with st.spinner("Finding out what each format can hold …"):
        told = cache.cached("view", f"exports:{entry.key}", lambda: _what_is_told(entry.tokenizer))
    for note in json_notes(entry):
        st.warning(f"tokenizer.json: {as_sentence(note)}")
    for form in _FORMATS:
        refusal, notes = told[form.kind]
        with st.container(border=True):
            st.download_button(
                KIND_TITLES[form.kind],
                partial(form.write, entry.tokenizer),
                file_name=f"{file_stem(entry.name)}.{form.ending}",
                mime=form.mime,
                disabled=refusal is not None,
                on_click="ignore",
                icon=":material/download:",
            )
            if refusal is None:
                st.caption(form.read_by)
                for note in notes:
                    st.caption(as_sentence(note))
            else:
                st.warning(as_sentence(refusal), icon=":material/block:")


def _what_is_told(tokenizer: Tokenizer) -> dict[FileKind, tuple[str | None, tuple[str, ...]]]:
    """For each format why it is refused, else what it leaves unsaid."""
    refusals = {form.kind: export_refusal(tokenizer, form.kind) for form in _FORMATS}
    return {
        kind: (refusal, export_notes(tokenizer, kind) if refusal is None else ())
        for kind, refusal in refusals.items()
    }
