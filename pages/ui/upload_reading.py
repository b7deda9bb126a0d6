"""From uploaded files to a corpus: what the Train page reads in the background.

The files are given as bytes. Plain UTF-8 is not copied; what is compressed is expanded part by
part, up to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bpe.documents import Documents, TextPart
from bpe.memory import available_memory
from bpe.progress import Progress, Ticker
from pages.ui.upload_archives import Expansion, Opened, UploadRefused, UploadTooLarge, opened
from pages.ui.upload_rows import Column, is_json_lines, read_rows
from pages.ui.upload_text import FileFacts, read_document

MAX_TEXT_BYTES: Final = 1_000_000_000
# The text is held, and counting and training want memory too.
_SHARE_OF_MEMORY: Final = 4
MOST_REASONS: Final = 10


class UploadedFile(NamedTuple):
    """A file as it came: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class UploadedText:
    """The documents of an upload and what was noticed when they were read.

    `names` are those of the uploaded files that were read; `left_out` says what was not: files
    that cannot be read, and what is no text in archives. `columns` are those of the JSON Lines
    files, `column` the one that was read. `key` names the documents.
    """

    documents: Documents
    names: tuple[str, ...]
    files: tuple[FileFacts, ...]
    left_out: tuple[str, ...]
    columns: tuple[Column, ...]
    column: str | None
    key: str


class _Reading:
    """The files of an upload that were read so far."""

    def __init__(self, column: str | None) -> None:
        self.column = column
        self.columns: dict[str, Column] = {}
        self.parts: list[TextPart] = []
        self.files: list[FileFacts] = []
        self.names: list[str] = []
        self.refused: list[str] = []

    def take(self, upload: UploadedFile, start: int, expansion: Expansion) -> None:
        """Read an uploaded file, or, if it cannot be read, nothing of it and note why."""
        n_read, n_left_out = len(self.files), len(expansion.left_out)
        column, columns = self.column, dict(self.columns)
        try:
            for file in opened(upload.name, upload.data, start, expansion):
                self.read(file)
            self.names.append(upload.name)
        except UploadTooLarge:
            raise
        except UploadRefused as refused:
            self.refused.append(str(refused))
            self.column, self.columns = column, columns
            del self.parts[n_read:], self.files[n_read:], expansion.left_out[n_left_out:]

    def read(self, file: Opened) -> None:
        if is_json_lines(file.name):
            part, facts, columns, self.column = read_rows(file.name, file.parts, self.column)
            for column in columns:
                self.columns.setdefault(column.name, column)
        else:
            part, facts = read_document(file.name, file.parts, file.data)
        self.parts.append(part)
        self.files.append(facts)


def text_limit() -> int:
    """Give how many bytes of text an upload may hold: a gigabyte, or less where memory is short."""
    available = available_memory()
    if available is None:
        return MAX_TEXT_BYTES
    return min(MAX_TEXT_BYTES, available // _SHARE_OF_MEMORY)


def read_upload(
    files: Sequence[UploadedFile], column: str | None = None, progress: Progress | None = None
) -> UploadedText:
    """Read uploaded files into documents; JSON Lines by the texts under `column`.

    One file of several that cannot be read is left out. `progress` is called with "read" or
    "name" and bytes. Raises UploadRefused if nothing can be read or has text in it, or there is
    too much; TrainingCancelled.

    >>> read = read_upload([UploadedFile("a.txt", b"low"), UploadedFile("b.txt", b"lower")])
    >>> list(read.documents), [facts.n_chars for facts in read.files]
    (['low', 'lower'], [3, 5])
    """
    ticker = Ticker(progress)
    total = sum(len(file.data) for file in files)
    ticker.report("read", 0, total)
    expansion = Expansion(ticker, total, text_limit())
    reading, start = _Reading(column), 0
    for file in files:
        reading.take(file, start, expansion)
        start += len(file.data)
    _check_something_read(files, reading, expansion.left_out)
    documents = Documents(reading.parts, sum(facts.n_chars for facts in reading.files))
    return UploadedText(
        documents,
        tuple(reading.names),
        tuple(reading.files),
        (*map(_as_part, reading.refused), *expansion.left_out),
        tuple(reading.columns.values()),
        reading.column if reading.columns else None,
        documents.digest(lambda done: ticker.tick("name", done, documents.n_bytes)),
    )


def _check_something_read(
    files: Sequence[UploadedFile], reading: _Reading, left_out: Sequence[str]
) -> None:
    if any(part.data for part in reading.parts):
        return
    if len(files) == 1 and reading.refused:
        raise UploadRefused(reading.refused[0])
    if reading.refused:
        reasons = "; ".join(_as_part(reason) for reason in reading.refused[:MOST_REASONS])
        n_more = len(reading.refused) - MOST_REASONS
        more = f"; and {n_more:,} more" if n_more > 0 else ""
        rest = ", and the others are empty" if reading.names else ""
        raise UploadRefused(f"None of these files can be read{rest}: {reasons}{more}.")
    if len(files) > 1:
        raise UploadRefused("All of these files are empty: choose some with text in them.")
    [file] = files
    if is_json_lines(file.name) and reading.files:
        raise UploadRefused(
            f"No line of {file.name} has text under “{reading.column}”: choose another column."
        )
    if left_out:
        raise UploadRefused(f"There is no text in {file.name}: {'; '.join(left_out[:3])}.")
    raise UploadRefused(f"The file {file.name} is empty: choose one with text in it.")


def _as_part(sentence: str) -> str:
    """Write a sentence as a part of another one."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")
