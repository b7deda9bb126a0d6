"""Uploading files to train on, and showing what was read from them."""

from __future__ import annotations

import copyreg
import hashlib
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

import pandas as pd
import streamlit as st
from streamlit.typing import UploadedFile as StreamlitFile

from pages.ui import background, cache, state
from pages.ui.corpus import CorpusChoice, uploaded_corpus
from pages.ui.plain_text import plain
from pages.ui.training_job import Progress
from pages.ui.upload_reading import MAX_TEXT_BYTES, UploadedFile, UploadedText, read_upload

SLOT: Final = "upload"
MAX_UPLOAD_MB: Final = 1000
# Up to this size files are read before anyone would look for a progress bar.
_SMALL_BYTES: Final = 5_000_000
_SAMPLE_CHARS: Final = 60


def _shared(file: StreamlitFile) -> tuple[type[StreamlitFile], tuple[Any, Any]]:
    """Say how to copy an uploaded file so that the copy shares its bytes."""
    fields = {name: getattr(file, name) for name in ("file_id", "name", "type")}
    record = SimpleNamespace(**fields, data=file.getvalue())
    return StreamlitFile, (record, getattr(file, "_file_urls", None))


# Streamlit copies the value of a widget in every run of the page: a gigabyte, by default.
copyreg.pickle(StreamlitFile, _shared)


def choose_upload() -> CorpusChoice | None:
    """Draw the uploader; None, with what is in the way, while there is no corpus.

    Raises CorpusRefused for what is no text in its encoding and is not to be replaced.
    """
    uploaded = st.file_uploader(
        "Text files",
        accept_multiple_files=True,
        key=state.UPLOAD,
        max_upload_size=MAX_UPLOAD_MB,
        on_change=_forget,
        help="Text, also in .gz and .zip, and .jsonl with a text in every line: in UTF-8 (or "
        "UTF-16 with a byte order mark). Each file is a document of its own: no merge crosses two. "
        f"At most {MAX_TEXT_BYTES // 10**9:,} GB in all, archives expanded.",
    )
    if uploaded:
        return _read_corpus(uploaded)
    state.drop_job(SLOT)
    corpus = state.kept_upload()
    if corpus is None:
        st.info("Choose text files, also as .gz, .zip or .jsonl. They stay on this machine.")
        offer_sample()
    else:  # Streamlit forgets files when their page is left; we do not
        st.caption(plain(f"In use: {corpus.name}"))
    return corpus


def _forget() -> None:
    """Let go of what was read: the user took a file away or chose others."""
    state.forget_upload()
    cache.forget("upload")


def offer_sample() -> None:
    """Draw a way out for who has no text at hand."""
    st.button("Use a sample instead", on_click=state.put, args=(state.CORPUS, "sample"))


def _read_corpus(uploaded: Sequence[StreamlitFile]) -> CorpusChoice | None:
    ids = "|".join(file.file_id for file in uploaded)
    read = _read(uploaded, ids)
    if read is None:
        return None
    _choose_column(ids, read)
    replace = True
    if any(file.replaced for file in read.files):
        state.seed(state.UPLOAD_REPLACE)
        replace = st.checkbox(
            "Replace what is not valid",
            key=state.UPLOAD_REPLACE,
            persist_state="session",
            help="Bytes that are no text in the file's encoding become the character U+FFFD (�). "
            "Without this such a file is refused.",
        )
    kept = state.kept_upload()
    if kept is not None and kept.upload is read and replace:
        return kept
    corpus = uploaded_corpus(read.names, read, replace=replace)
    state.keep_upload(corpus)
    return corpus


def _read(uploaded: Sequence[StreamlitFile], ids: str) -> UploadedText | None:
    """Give what was read from the files, and draw the progress of reading meanwhile."""
    column: str | None = state.local(state.UPLOAD_COLUMN, ids, None)

    def work(progress: Progress) -> UploadedText:
        files = [UploadedFile(file.name, file.getvalue()) for file in uploaded]
        return read_upload(files, column, progress)

    key = hashlib.sha256(f"{ids}|{column!r}".encode()).hexdigest()[:32]
    read = background.obtain(
        SLOT,
        key,
        work,
        start=not background.has_failed(SLOT, key),
        is_small=sum(file.size for file in uploaded) <= _SMALL_BYTES,
        kind=background.READING,
    )
    if background.was_cancelled(SLOT, key):
        st.button("Read again", on_click=background.try_again, args=(SLOT,))
    return read


def _choose_column(ids: str, read: UploadedText) -> None:
    """Draw the choice of the column of JSON Lines; another one is read in the next run."""
    if read.column is None:
        return
    samples = {column.name: column.sample for column in read.columns}
    samples.setdefault(read.column, "")
    key = f"{state.UPLOAD_COLUMN}_{hashlib.sha256(ids.encode()).hexdigest()[:12]}"
    st.selectbox(
        "Column",
        list(samples),
        index=list(samples).index(read.column),
        format_func=lambda name: f"{name}: {_shortened(samples[name])}",
        key=key,
        on_change=lambda: state.remember(state.UPLOAD_COLUMN, ids, state.value(key)),
        help="The key of the JSON Lines under which the text stands, with the beginning of one.",
    )


def _shortened(sample: str) -> str:
    return sample if len(sample) <= _SAMPLE_CHARS else f"{sample[:_SAMPLE_CHARS]}…"


def draw_files(corpus: CorpusChoice) -> None:
    """Draw what was read of each file, where there are several."""
    read = corpus.upload
    if read is None or len(read.files) < 2:
        return
    with st.expander(f"The {len(read.files):,} files"):
        st.dataframe(
            cache.cached("table", f"files:{corpus.name}:{read.key}", lambda: _table(read)),
            hide_index=True,
            alt="The files of the corpus with their encodings and sizes",
            column_config={
                name: st.column_config.NumberColumn(format="localized")
                for name in ("bytes", "characters", "lines", "documents")
            },
        )


def _table(read: UploadedText) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "file": [file.name for file in read.files],
            "bytes": [file.n_bytes for file in read.files],
            "characters": [file.n_chars for file in read.files],
            "lines": [file.n_lines for file in read.files],
            "documents": [file.n_documents for file in read.files],
            "encoding": [file.encoding for file in read.files],
            "warnings": ["; ".join(file.warnings) for file in read.files],
        }
    )
