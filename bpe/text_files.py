"""Reading text files a part at a time, as UTF-8.

A byte order mark is dropped and decides on the encoding as in `bpe.decode_text`; without one a
file is UTF-8. What is not valid is replaced by U+FFFD, or refused with its position.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np

from bpe._kernels.utf8 import valid_end
from bpe.errors import ConfigError
from bpe.text_decoding import Errors, decode_part, decode_text, no_text, replaced_warning

Replaced: TypeAlias = tuple[str, int, int]  # encoding, number of byte sequences, the first's place

PART_BYTES = 1 << 20

_MARK_LENGTHS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}


class TextFiles:
    """Text files to be read one after another.

    `n_bytes` is their size in all. Raises ConfigError for a file that cannot be read. Reading
    raises it too: also for a file that became shorter meanwhile and, with `errors` "strict", for
    bytes that are no text. What was replaced is told in `warnings`, by file.
    """

    def __init__(self, paths: Sequence[Path], errors: Errors = "replace") -> None:
        self._sizes = [(path, _size(path)) for path in paths]
        self._errors = errors
        self._replaced: dict[Path, Replaced] = {}
        self.n_bytes = sum(size for _, size in self._sizes)

    @property
    def warnings(self) -> list[str]:
        """Say of each file read so far, if so, what was not valid in it and was replaced."""
        return [f"{path}: {replaced_warning(*found)}" for path, found in self._replaced.items()]

    def pieces(self, on_read: Callable[[int], object]) -> Iterator[tuple[bytes, bool]]:
        """Yield the files in parts of whole characters, and whether the file ends with them.

        `on_read` is told how many bytes were read, each time.
        """
        for path, size in self._sizes:
            try:
                with path.open("rb", buffering=0) as file:
                    for part in self._utf8_parts(path, _parts(path, size, file, on_read)):
                        yield part, False
            except OSError as error:
                raise _unreadable(path, error) from error
            yield b"", True

    def _utf8_parts(self, path: Path, parts: Iterator[bytes]) -> Iterator[bytes]:
        part = next(parts)
        encoding, mark_length = _encoding_of(path, part)
        position, held = mark_length, part[mark_length:]
        while True:
            is_last = not part
            end = valid_end(np.frombuffer(held, np.uint8)) if encoding == "utf-8" else 0
            decoded = decode_part(held[end:], encoding, is_last=is_last)
            if decoded.first_bad is not None:
                place = position + end + decoded.first_bad
                self._note(path, encoding, decoded.n_replaced, place)
            yield held[:end] + decoded.text.encode()
            if is_last:
                return
            n_taken = end + decoded.n_taken
            position += n_taken
            part = next(parts)
            held = held[n_taken:] + part

    def _note(self, path: Path, encoding: str, n_replaced: int, position: int) -> None:
        """Take note of what is not valid from a position on; raise where that is not wanted."""
        if self._errors == "strict":
            raise no_text(str(path), encoding, position)
        _, n_before, first = self._replaced.get(path, ("", 0, position))
        self._replaced[path] = (encoding, n_before + n_replaced, first)


def _parts(
    path: Path, size: int, file: BinaryIO, on_read: Callable[[int], object]
) -> Iterator[bytes]:
    """Yield the bytes of a file, `size` or more, at last an empty part."""
    size, n_read = max(size, os.fstat(file.fileno()).st_size), 0
    while part := file.read(PART_BYTES):
        n_read += len(part)
        on_read(len(part))
        yield part
    if n_read < size:
        raise ConfigError(
            f"{path} became shorter while it was read: of {size:,} bytes only {n_read:,} were "
            "there; try again when nothing writes to it"
        )
    yield b""


def _size(path: Path) -> int:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(None, "it is a folder")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unreadable(path, error) from error
    return status.st_size


def _encoding_of(path: Path, start: bytes) -> tuple[str, int]:
    """Return the encoding of a file that starts so, and how long its byte order mark is."""
    encoding = decode_text(start[:4]).encoding
    if encoding.startswith("utf-32"):
        # UTF-16 that starts with NUL looks like it: all of the file has to be seen.
        encoding = decode_text(path.read_bytes()).encoding
    if start.startswith(codecs.BOM_UTF8):
        return encoding, len(codecs.BOM_UTF8)
    return encoding, _MARK_LENGTHS.get(encoding, 0)


def _unreadable(path: Path, error: OSError | ValueError) -> ConfigError:
    return ConfigError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}")
