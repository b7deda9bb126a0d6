"""Reading text files part by part into documents kept as UTF-8, and telling what was read."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bpe.documents import TextPart
from bpe.text_decoding import decode_part, decode_text, doubts, replaced_warning

_MARK_LENGTHS: Final = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What was read from one file: sizes are those of the file, expanded if it was compressed.

    Of JSON Lines, bytes and characters are those of the documents.
    """

    name: str
    encoding: str
    n_bytes: int
    n_chars: int
    n_lines: int
    n_documents: int
    warnings: tuple[str, ...]
    replaced: tuple[int, int] | None = None  # how many byte sequences, and where the first is


class TextReader:
    """Takes a file in parts and gives them as text; afterwards says what was read.

    A byte order mark is dropped and decides on the encoding, else it is UTF-8; what is not valid
    becomes U+FFFD.

    >>> reader = TextReader()
    >>> list(reader.texts(iter([b"gr\\xc3", b"\\xb6\\xc3\\x9fer\\n"])))
    ['gr', 'ößer\\n']
    >>> reader.facts("a.txt", n_documents=1).n_chars
    7
    """

    def __init__(self) -> None:
        self.encoding = "utf-8"
        self.mark_length = self.n_before = 0  # bytes: of the mark, and of the file before a text
        self.n_bytes = self.n_chars = self._n_lines = 0
        self.replaced: tuple[int, int] | None = None
        self._doubts: list[str] = []
        self._is_blank = self._ends_line = True

    def texts(self, parts: Iterator[bytes]) -> Iterator[str]:
        """Yield the text of each part; a character cut by its end comes with the next one."""
        held, part = b"", next(parts, b"")
        self.encoding = decode_text(part[:4]).encoding
        if part.startswith(b"\xef\xbb\xbf"):
            self.mark_length = 3
        else:
            self.mark_length = _MARK_LENGTHS.get(self.encoding, 0)
        position, first = self.mark_length, part
        held = part[self.mark_length :]
        self.n_bytes = len(part)
        while held or part:
            part = next(parts, b"")
            self.n_bytes += len(part)
            text, n_taken, n_replaced, first_bad = decode_part(
                held, self.encoding, is_last=not part
            )
            if first_bad is not None:
                n_before, place = self.replaced or (0, position + first_bad)
                self.replaced = n_before + n_replaced, place
            if position == self.mark_length and text:
                self._doubts = doubts(first, text, self.encoding, n_replaced)
            self._take(text)
            self.n_before = position
            yield text
            position += n_taken
            held = held[n_taken:] + part

    def _take(self, text: str) -> None:
        self.n_chars += len(text)
        self._n_lines += text.count("\n")
        if text:
            self._ends_line = text.endswith("\n")
            self._is_blank = self._is_blank and text.isspace()

    def facts(self, name: str, n_documents: int, warnings: tuple[str, ...] = ()) -> FileFacts:
        """Say what was read, in all."""
        told = [replaced_warning(self.encoding, *self.replaced)] if self.replaced else []
        if self.n_chars and self._is_blank:
            told.append("the file is blank: it holds only white space")
        told.extend(self._doubts)
        return FileFacts(
            name,
            self.encoding,
            self.n_bytes,
            self.n_chars,
            self._n_lines + (not self._ends_line),
            n_documents,
            (*told, *warnings),
            self.replaced,
        )


def read_document(
    name: str, parts: Iterator[bytes], data: bytes | None
) -> tuple[TextPart, FileFacts]:
    """Read a file as one document. Where it lies in memory as UTF-8 already, it is not copied.

    >>> part, facts = read_document("a.txt", iter([b"low"]), b"low")
    >>> bytes(part.data), facts.n_bytes, facts.n_lines
    (b'low', 3, 1)
    """
    reader, kept = TextReader(), bytearray()
    is_copy = data is None
    for text in reader.texts(parts):
        if data is not None and not is_copy and (reader.replaced or reader.encoding != "utf-8"):
            is_copy = True
            kept += memoryview(data)[reader.mark_length : reader.n_before]
        if is_copy:
            kept += text.encode()
    if data is not None and not is_copy:
        view = memoryview(data)[reader.mark_length :]
    else:
        view = memoryview(kept).toreadonly()
    n_documents = 1 if len(view) else 0
    return TextPart(view, array("q", [len(view)])), reader.facts(name, n_documents)
