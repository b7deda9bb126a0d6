"""Reading JSON Lines: each line an object, the text of one of its keys a document."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from bpe.documents import TextPart
from bpe.memory import in_words
from bpe.normalizers import well_formed
from pages.ui.upload_archives import UploadRefused
from pages.ui.upload_text import FileFacts, TextReader

_ENDINGS: Final = (".jsonl", ".ndjson")
_ROWS_LOOKED_AT: Final = 200
_CHARS_LOOKED_AT: Final = 4_000_000
_SAMPLE_CHARS: Final = 40
# Text is usually under one of these; else the column with the longest texts is taken.
_LIKELY: Final = ("text", "content")
# A line is read in one go, during which nobody else is served.
MAX_LINE_CHARS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Column:
    """A key under which the rows of a file have text, with the beginning of one."""

    name: str
    sample: str


@dataclass(slots=True)
class _Rows:
    """The rows of a file so far, and those that were left out."""

    n_rows: int = 0
    n_left_out: int = 0
    first_left_out: tuple[int, str] | None = None

    def leave_out(self, line: int, reason: str) -> None:
        self.n_left_out += 1
        self.first_left_out = self.first_left_out or (line, reason)

    def warnings(self) -> tuple[str, ...]:
        if self.first_left_out is None:
            return ()
        line, reason = self.first_left_out
        lines = f"{self.n_left_out:,} of {self.n_rows:,} lines"
        was = "was" if self.n_left_out == 1 else "were"
        return (f"{lines} {was} left out; the first is line {line:,}: {reason}",)


def is_json_lines(name: str) -> bool:
    """Tell whether a file is JSON Lines, by its name: its content could be meant as text.

    >>> is_json_lines("a.jsonl"), is_json_lines("b.zip/A.JSONL.gz"), is_json_lines("a.json")
    (True, True, False)
    """
    return name.lower().removesuffix(".gz").endswith(_ENDINGS)


def read_rows(
    name: str, parts: Iterator[bytes], wanted: str | None
) -> tuple[TextPart, FileFacts, tuple[Column, ...], str]:
    """Read the documents in a column of a JSON Lines file.

    Gives besides which columns there are and which was read: the `wanted` one, or the one that
    looks like it. Raises UploadRefused for a file in which no line has text.

    >>> rows = b'{"id": "7", "text": "low"}\\n{"text": "lower"}\\n'
    >>> part, facts, columns, column = read_rows("a.jsonl", iter([rows]), None)
    >>> bytes(part.data), facts.n_documents, [column.name for column in columns], column
    (b'lowlower', 2, ['id', 'text'], 'text')
    """
    reader, state = TextReader(), _Rows()
    rows = _objects(name, reader.texts(parts), state)
    first: list[tuple[int, dict[str, Any]]] = []
    while len(first) < _ROWS_LOOKED_AT and reader.n_chars < _CHARS_LOOKED_AT:
        if (row := next(rows, None)) is None:
            break
        first.append(row)
    columns = _columns(row for _, row in first)
    if wanted is None and not columns:
        raise UploadRefused(_no_text(name, state))
    column = _likely(columns, first) if wanted is None else wanted
    kept, ends, n_chars = bytearray(), array("q"), 0
    for line, found in chain(first, rows):
        text = found.get(column)
        if isinstance(text, str) and text:
            text = well_formed(text)
            kept += text.encode()
            ends.append(len(kept))
            n_chars += len(text)
        else:
            state.leave_out(line, f"it has no text under “{column[:_SAMPLE_CHARS]}”")
    # Of all in the file the documents are what is trained on.
    reader.n_bytes, reader.n_chars = len(kept), n_chars
    facts = reader.facts(name, len(ends), state.warnings())
    return TextPart(memoryview(kept).toreadonly(), ends), facts, columns, column


def _objects(name: str, texts: Iterable[str], state: _Rows) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows with the numbers of their lines; blank lines do not count as rows."""
    for number, line in enumerate(_lines(name, texts), start=1):
        if not line or line.isspace():
            continue
        state.n_rows += 1
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "too large or deep"
            state.leave_out(number, f"it is no JSON ({reason})")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            state.leave_out(number, 'it is no JSON object such as {"text": "..."}')


def _lines(name: str, texts: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    n_held = n_lines = 0
    for text in texts:
        first, *rest = text.split("\n")
        held.append(first)
        n_held += len(first)
        if n_held > MAX_LINE_CHARS:
            raise UploadRefused(
                f"Line {n_lines + 1:,} of {name} is longer than {in_words(MAX_LINE_CHARS)}: write "
                "one JSON object a line, or give the file another ending to read it as text."
            )
        if rest:
            yield "".join(held)
            yield from rest[:-1]
            n_lines += len(rest)
            held, n_held = [rest[-1]], len(rest[-1])
    yield "".join(held)


def _columns(rows: Iterable[dict[str, Any]]) -> tuple[Column, ...]:
    found: dict[str, str] = {}
    for row in rows:
        for key, value in row.items():
            if isinstance(value, str) and value.strip():
                found.setdefault(key, value)
    return tuple(
        Column(well_formed(key), " ".join(well_formed(value[: 4 * _SAMPLE_CHARS]).split()))
        for key, value in found.items()
    )


def _likely(columns: tuple[Column, ...], rows: list[tuple[int, dict[str, Any]]]) -> str:
    names = [column.name for column in columns]

    def n_chars(name: str) -> int:
        texts = (row.get(name) for _, row in rows)
        return sum(len(text) for text in texts if isinstance(text, str))

    return next((name for name in _LIKELY if name in names), None) or max(names, key=n_chars)


def _no_text(name: str, state: _Rows) -> str:
    told = [
        f"No line of {name} is a JSON object with text in it: write one a line, such as "
        '{"text": "..."}, or give the file another ending to read it as text.'
    ]
    if state.first_left_out is not None:
        line, reason = state.first_left_out
        told.append(f"Line {line:,}: {reason}.")
    return " ".join(told)
