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
from typing import BinaryIO, Literal, TypeAlias

import numpy as np

from bpe._kernels.utf8 import valid_end
from bpe.errors import ConfigError
from bpe.text_decoding import decode_text

Errors: TypeAlias = Literal["replace", "strict"]

PART_BYTES = 1 << 20

_MARK_LENGTHS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}


class TextFiles:
    """Text files to be read one after another.

    `n_bytes` is their size in all. Raises ConfigError for a file that cannot be read. Reading
    raises it too: also for a file that became shorter meanwhile and, with `errors` "strict", for
    bytes that are no text.
    """

    def __init__(self, paths: Sequence[Path], errors: Errors = "replace") -> None:
        self._paths = paths
        self._errors = errors
        self.n_bytes = sum(map(_size, paths))

    def pieces(self, on_read: Callable[[int], object]) -> Iterator[tuple[bytes, bool]]:
        """Yield the files in parts of whole characters, and whether the file ends with them.

        `on_read` is told how many bytes were read, each time.
        """
        for path in self._paths:
            try:
                with path.open("rb", buffering=0) as file:
                    for part in self._utf8_parts(path, _parts(path, file, on_read)):
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
            decoder = codecs.getincrementaldecoder(encoding)(self._errors)
            try:
                text = decoder.decode(held[end:], is_last)
            except UnicodeDecodeError as error:
                raise _no_text(path, encoding, position + end + error.start, error) from error
            yield held[:end] + text.encode()
            if is_last:
                return
            rest = decoder.getstate()[0]  # the start of a character
            position += len(held) - len(rest)
            part = next(parts)
            held = rest + part


def _parts(path: Path, file: BinaryIO, on_read: Callable[[int], object]) -> Iterator[bytes]:
    """Yield the bytes of a file, at last an empty part."""
    size, n_read = os.fstat(file.fileno()).st_size, 0
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


def _no_text(path: Path, encoding: str, position: int, error: UnicodeDecodeError) -> ConfigError:
    return ConfigError(
        f"{path} is not valid {encoding} at byte {position:,} ({error.reason}): convert it, or "
        'have what is not valid replaced by U+FFFD (errors="replace")'
    )
