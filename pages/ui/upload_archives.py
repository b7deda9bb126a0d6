"""What an upload holds: files as they are, gzip files, and the members of ZIP archives.

Everything is read a part at a time, and what comes out is counted on the way, so that an archive
that expands to far more than it seems to hold is refused before it fills the memory. What is no
text inside an archive is left out by name: a picture, an archive within the archive.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from bpe import BPEError
from bpe.memory import in_words
from bpe.progress import Ticker
from bpe.text_decoding import kind_of_binary

PART_BYTES: Final = 1 << 20
MAX_MEMBERS: Final = 10_000
# The list of members at the end of a ZIP is read at once; so long it may be.
MAX_DIRECTORY_BYTES: Final = 1 << 23

_GZIP: Final = b"\x1f\x8b"
_ZIPS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_TAR: Final = slice(257, 262), b"ustar"
# What only files that are ZIPs by the way have in them, and what those are.
_ZIP_FORMATS: Final = {
    "[Content_Types].xml": "an office document",
    "mimetype": "a document",
    "META-INF/MANIFEST.MF": "a Java archive",
}

# What zipfile raises for members that are damaged, or packed in ways it does not know.
_BROKEN: Final = (
    zipfile.BadZipFile, OSError, EOFError, zlib.error, RuntimeError, ValueError,
)  # fmt: skip


class UploadRefused(BPEError):
    """An upload cannot be read; the message says what is wrong, where, and what to do."""


class UploadTooLarge(UploadRefused):
    """An upload holds more text than is read, whichever of its files is too much."""


class Opened(NamedTuple):
    """A file of an upload, or a member of an archive in it."""

    name: str
    parts: Iterator[bytes]
    data: bytes | None  # all of it, where it lies in memory as it is


class Expansion:
    """How far reading is, how much came out of it, and what was left out.

    `limit` is how many bytes may come out. Raises UploadTooLarge beyond it, and TrainingCancelled.

    >>> Expansion(Ticker(None), total=1_000, limit=99).came_out(100)
    Traceback (most recent call last):
        ...
    pages.ui.upload_archives.UploadTooLarge: The files hold more than 99 bytes of text...
    """

    def __init__(self, ticker: Ticker, total: int, limit: int) -> None:
        self.left_out: list[str] = []
        self._ticker = ticker
        self._total = total
        self._limit = limit
        self._n_out = 0

    def is_at(self, n_taken: int) -> None:
        """Say how many bytes of the upload are read."""
        self._ticker.tick("read", min(n_taken, self._total), self._total)

    def came_out(self, n_bytes: int) -> None:
        """Count what was read, expanded."""
        self._n_out += n_bytes
        if self._n_out > self._limit:
            raise UploadTooLarge(
                f"The files hold more than {in_words(self._limit)} of text, archives expanded, and "
                "that is the limit here: choose fewer files, or cut them."
            )


def opened(name: str, data: bytes, start: int, expansion: Expansion) -> Iterator[Opened]:
    """Yield the files in an upload that begins at `start` of all; each is to be read to its end.

    >>> [file.name for file in opened("a.txt", b"low", 0, Expansion(Ticker(None), 3, 9))]
    ['a.txt']
    """

    def is_at(n_taken: int) -> None:
        expansion.is_at(start + n_taken)

    if data.startswith(_GZIP):
        yield Opened(name, _gunzipped(name, data, is_at, expansion), None)
    elif data.startswith(_ZIPS):
        yield from _members(name, data, is_at, expansion)
    else:
        yield Opened(name, _parts(data, is_at, expansion), data)


def _parts(data: bytes, is_at: Callable[[int], None], expansion: Expansion) -> Iterator[bytes]:
    for at in range(0, len(data), PART_BYTES):
        part = data[at : at + PART_BYTES]
        expansion.came_out(len(part))
        is_at(at + len(part))
        yield part


def _gunzipped(
    name: str, data: bytes, is_at: Callable[[int], None], expansion: Expansion
) -> Iterator[bytes]:
    source = io.BytesIO(data)
    try:
        with gzip.GzipFile(fileobj=source) as file:
            is_first = True
            while part := file.read(PART_BYTES):
                expansion.came_out(len(part))
                is_at(source.tell())
                kind = _kind_of(part) if is_first else None
                if kind:
                    raise UploadRefused(
                        f"The file {name} holds {kind}, not text: unpack it, and choose the text "
                        "files in it, or a ZIP of them."
                    )
                is_first = False
                yield part
    except (OSError, EOFError, zlib.error) as error:
        raise UploadRefused(_damaged(name, error)) from error


def _members(
    name: str, data: bytes, is_at: Callable[[int], None], expansion: Expansion
) -> Iterator[Opened]:
    with _archive(name, data) as archive:
        n_taken = 0
        for info in archive.infolist():
            if not info.is_dir() and not _is_of_the_system(info.filename):
                label = f"{name}/{info.filename}"
                reason = "it is encrypted" if info.flag_bits & 1 else None
                first = b"" if reason else _first_part(archive, info, label)
                reason = reason or _reason_to_leave_out(first)
                if reason:
                    expansion.left_out.append(f"{label}: {reason}")
                else:
                    place = n_taken, info.compress_size
                    yield Opened(
                        label, _member(archive, info, label, place, is_at, expansion), None
                    )
            n_taken += info.compress_size
            is_at(n_taken)


def _archive(name: str, data: bytes) -> zipfile.ZipFile:
    """Open a ZIP, unless it is too long a list or no archive of files."""
    if _directory_bytes(data) > MAX_DIRECTORY_BYTES:
        raise UploadRefused(_too_many(name))
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UploadRefused(_damaged(name, error)) from error
    names = archive.namelist()
    if len(names) > MAX_MEMBERS:
        raise UploadRefused(_too_many(name))
    kind = next((kind for member, kind in _ZIP_FORMATS.items() if member in names), None)
    if kind:
        raise UploadRefused(
            f"The file {name} looks binary: it is {kind}. Save its text as a plain text file first."
        )
    return archive


def _directory_bytes(data: bytes) -> int:
    """Read from the end of a ZIP how long its list of members is (APPNOTE 6.3, 4.3.14 to 16)."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - (1 << 16) - 22))
    if end < 0:
        return 0
    if data[max(0, end - 20) : end].startswith(b"PK\x06\x07"):
        return int.from_bytes(data[max(0, end - 36) : max(0, end - 28)], "little")
    return int.from_bytes(data[end + 12 : end + 16], "little")


def _member(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    label: str,
    place: tuple[int, int],
    is_at: Callable[[int], None],
    expansion: Expansion,
) -> Iterator[bytes]:
    n_out, (start, n_compressed) = 0, place
    try:
        with archive.open(info) as file:
            while part := file.read(PART_BYTES):
                n_out += len(part)
                expansion.came_out(len(part))
                is_at(start + n_compressed * min(n_out, info.file_size) // max(1, info.file_size))
                yield part
    except _BROKEN as error:
        raise UploadRefused(_damaged(label, error)) from error


def _first_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> bytes:
    try:
        with archive.open(info) as file:
            return file.read(1 << 12)
    except _BROKEN as error:
        raise UploadRefused(_damaged(label, error)) from error


def _reason_to_leave_out(first: bytes) -> str | None:
    kind = _kind_of(first)
    if kind and "archive" in kind:
        return f"it is {kind}, and archives within archives are not read"
    return f"it is {kind}, not text" if kind else None


def _kind_of(first: bytes) -> str | None:
    """Tell what a file that starts so is, None if it may be text."""
    where, mark = _TAR
    if first[where] == mark:
        return "a tar archive"
    return kind_of_binary(first)


def _is_of_the_system(name: str) -> bool:
    """Tell whether a member is no file of the user's: what macOS adds, and hidden files."""
    parts = [part for part in name.split("/") if part not in (".", "..")]
    return any(part == "__MACOSX" or part.startswith(".") for part in parts)


def _damaged(name: str, error: BaseException) -> str:
    told = str(error) or "it ends too early"
    return f"The file {name} is damaged, or no archive of a known kind ({told}): make it anew."


def _too_many(name: str) -> str:
    return (
        f"The archive {name} holds too many files; at most {MAX_MEMBERS:,} are read: make several."
    )
