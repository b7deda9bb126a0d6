"""The files in a zip archive, within limits that no tokenizer reaches: zip bombs stop there."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib

from bpe.errors import FormatError
from bpe.file_limits import MAX_FILE_BYTES

MAX_FILES = 200
MAX_EXPANDED_BYTES = 2 * MAX_FILE_BYTES
_CHUNK = 1 << 20
_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,  # a way of compressing that Python does not know
    RuntimeError,  # encrypted
    ValueError,
    OverflowError,
)


def is_zip(data: bytes) -> bool:
    """Tell a zip archive by its first bytes.

    >>> is_zip(b"PK\\x03\\x04..."), is_zip(b"{}")
    (True, False)
    """
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unzip(data: bytes, name: str) -> dict[str, bytes]:
    """Give the files of an archive by name, without folders and what macOS adds.

    Raises FormatError for an archive that is damaged, encrypted, or expands to too much; what the
    archive says of sizes is not trusted.

    >>> buffer = io.BytesIO()
    >>> with zipfile.ZipFile(buffer, "w") as archive:
    ...     archive.writestr("model/vocab.json", "{}")
    >>> unzip(buffer.getvalue(), "the file")
    {'model/vocab.json': b'{}'}
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _expanded(archive, name)
    except _DAMAGES as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(
            f"{name} is a zip archive that cannot be unpacked: {error!s:.200}"
        ) from error


def _expanded(archive: zipfile.ZipFile, name: str) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if _is_wanted(entry)]
    if len(entries) > MAX_FILES:
        raise FormatError(f"{name} holds {len(entries):,} files; {MAX_FILES} are allowed in a zip")
    found: dict[str, bytes] = {}
    left = MAX_EXPANDED_BYTES
    for entry in entries:
        if entry.filename in found:
            raise FormatError(f"{name} holds two files with the name {entry.filename!r:.80}")
        parts = []
        with archive.open(entry) as file:
            while chunk := file.read(_CHUNK):
                parts.append(chunk)
                left -= len(chunk)
                if left < 0:
                    raise FormatError(
                        f"{name} expands to more than {MAX_EXPANDED_BYTES:,} bytes, which is the "
                        "limit: zip the tokenizer's files alone"
                    )
        found[entry.filename] = b"".join(parts)
    return found


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    folders, _, file_name = entry.filename.rpartition("/")
    is_of_mac = folders.split("/")[0] == "__MACOSX" or file_name.startswith("._")
    return not (entry.is_dir() or is_of_mac or file_name == ".DS_Store")
