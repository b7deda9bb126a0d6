"""How large a tokenizer file may be: far above every real one, far below what would fill memory."""

from __future__ import annotations

from bpe.errors import FormatError

HIGHEST_ID = 10_000_000  # an id is a place in a table
MAX_FILE_BYTES = 64_000_000  # the largest tokenizer.json of a known model has 35 MB
_MAX_CONTAINERS = 3_000_000  # lists and objects of a JSON file; an empty one takes 64 bytes


def check_file_size(data: bytes, name: str) -> None:
    """Refuse a file that is larger than any tokenizer; raises FormatError.

    >>> check_file_size(b"{}", "the file")
    """
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(
            f"{name} has {len(data):,} bytes; a tokenizer file may have {MAX_FILE_BYTES:,}"
        )


def check_json_size(data: bytes, name: str) -> None:
    """Refuse JSON that would fill the memory before anything in it is read; raises FormatError.

    >>> check_json_size(b"[" * 4_000_000, "the file")
    Traceback (most recent call last):
        ...
    bpe.errors.FormatError: the file holds more than 3,000,000 lists and objects: no tokenizer does
    """
    check_file_size(data, name)
    if len(data) > _MAX_CONTAINERS and data.count(b"[") + data.count(b"{") > _MAX_CONTAINERS:
        raise FormatError(
            f"{name} holds more than {_MAX_CONTAINERS:,} lists and objects: no tokenizer does"
        )
