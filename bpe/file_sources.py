"""Getting the text of a tokenizer file from wherever a user has it: a path, bytes, or text."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bpe.errors import FormatError
from bpe.file_limits import check_line_count
from bpe.file_signatures import foreign_kind

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file's content, its bytes or the parsed object, and the name that messages call it by.

    >>> NamedFile("vocab.json", b"{}").name
    'vocab.json'
    """

    name: str
    data: Any


def read_file(path: str | os.PathLike[str], name: str, hint: str = "") -> bytes:
    """Read a file; raises FormatError, which ends with the hint."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot read the file {name!r}: {reason}{hint}") from error


def decode_utf8(data: bytes, name: str) -> str:
    """Decode a file, without its byte order mark; raises FormatError.

    >>> decode_utf8(b"\\xef\\xbb\\xbfa", "the file")
    'a'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        advice = " (it looks like UTF-16: save it as UTF-8)" if data[:2] in _UTF_16 else ""
        raise FormatError(
            f"{name} is not UTF-8: the first bad byte is number {error.start}{advice}"
        ) from error


def read_text(
    source: Any, what: str, is_text: Callable[[str], bool], hint: str = ""
) -> tuple[str, str]:
    """Give the text of a source, and a name for it to use in messages.

    `source` is a path, the file's bytes, or its text; `is_text` tells a text from a path, `what`
    names the file where it has no path. Raises FormatError for what cannot be read, is not UTF-8,
    or is a file of another kind altogether.

    >>> read_text("a b\\n", "merges.txt", lambda text: "\\n" in text)
    ('a b\\n', 'merges.txt')
    """
    name = what
    if isinstance(source, NamedFile):
        name, source = source.name, source.data
    if isinstance(source, (bytes, bytearray)):
        data = bytes(source)
    elif isinstance(source, str) and is_text(source):
        data = source.encode("utf-8", "surrogatepass")
    elif isinstance(source, (str, os.PathLike)):
        name = f"{os.fspath(source):.200}"
        data = read_file(source, name, hint)
    else:
        raise FormatError(f"cannot read a {type(source).__name__}: give a path, bytes or text")
    check_line_count(data, name)
    kind = foreign_kind(data)
    if kind is not None:
        raise FormatError(f"{name} is {kind}, not a tokenizer file")
    return decode_utf8(data, name), name
