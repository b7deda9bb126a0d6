"""How large a tokenizer file may be: far above every real one, far below what would fill memory."""

from __future__ import annotations

from bpe.errors import FormatError

HIGHEST_ID = 10_000_000  # an id is a place in a table
MAX_FILE_BYTES = 64_000_000  # the largest tokenizer.json of a known model has 35 MB
# As text of JSON a list takes 2 bytes, in memory 64; so it is counted before it is read.
_MOST_IN_JSON = {
    "lists": (b"[", 2_000_000),
    "objects": (b"{", 1_000_000),
    "values": (b",", 2_500_000),
}
_MAX_LINES = 1_500_000


def check_file_size(data: bytes, name: str) -> None:
    """Refuse a file that is larger than any tokenizer; raises FormatError.

    >>> check_file_size(b"{}", "the file")
    """
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(
            f"{name} has {len(data):,} bytes; a tokenizer file may have {MAX_FILE_BYTES:,}"
        )


def check_json_size(data: bytes, name: str) -> None:
    """Refuse JSON that would fill the memory, before anything in it is read; raises FormatError.

    >>> check_json_size(b"[" * 4_000_000, "the file")
    Traceback (most recent call last):
        ...
    bpe.errors.FormatError: the file holds more than 2,000,000 lists: no tokenizer does
    """
    check_file_size(data, name)
    for what, (sign, most) in _MOST_IN_JSON.items():
        if len(data) > most and data.count(sign) > most:
            raise FormatError(f"{name} holds more than {most:,} {what}: no tokenizer does")


def check_line_count(data: bytes, name: str) -> None:
    """Refuse a file of more lines than any tokenizer has tokens; raises FormatError.

    >>> check_line_count(b"a b", "merges.txt")
    """
    check_file_size(data, name)
    if len(data) > _MAX_LINES and data.count(b"\n") > _MAX_LINES:
        raise FormatError(f"{name} has more than {_MAX_LINES:,} lines: no tokenizer does")
