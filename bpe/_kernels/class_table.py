"""What the splitting kernels ask of a character: one byte of class bits a code point."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe.unicode_classes import LETTERS, class_ranges

Bytes: TypeAlias = npt.NDArray[np.uint8]
Ends: TypeAlias = npt.NDArray[np.int64]

LETTER: Final = 1
NUMBER: Final = 2
SPACE: Final = 4
UPPER: Final = 8  # Lu and Lt
LOWER: Final = 16  # Ll
CASELESS: Final = 32  # Lm and Lo
MARK: Final = 64
NEWLINE: Final = 128  # line feed and carriage return, which are SPACE too

NONE: Final = 0
WHITESPACE: Final = 1
GPT2: Final = 2
CL100K: Final = 3
O200K: Final = 4
PATTERN_CODES: Final = {
    "none": NONE,
    "whitespace": WHITESPACE,
    "gpt2": GPT2,
    "cl100k": CL100K,
    "o200k": O200K,
}

_BITS: Final = {
    **dict.fromkeys(LETTERS, LETTER),
    "N": NUMBER,
    "M": MARK,
    "White_Space": SPACE,
}
_CASES: Final = {"Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lm": CASELESS, "Lo": CASELESS}
_TABLE_SIZE: Final = 1 << 21  # what four bytes can say: no text leads out of the table
# `str.split()` also splits at these four, which are not Unicode's White_Space.
_SEPARATORS: Final = range(0x1C, 0x20)


@lru_cache(maxsize=2)
def class_table(pattern: str) -> Bytes:
    """Return the class bits of every code point, as the pattern of this name sees them.

    A read-only array of uint8 indexed by code point; characters of no class have 0.

    >>> table = class_table("gpt2")
    >>> int(table[ord("A")]) == LETTER | UPPER, int(table[ord("\\r")]) == SPACE | NEWLINE
    (True, True)
    """
    return _whitespace_table() if pattern == "whitespace" else _unicode_table()


@lru_cache(maxsize=1)
def _unicode_table() -> Bytes:
    table = np.zeros(_TABLE_SIZE, np.uint8)
    for name, ranges in class_ranges().items():
        bits = _BITS[name] | _CASES.get(name, 0)
        for first, last in ranges:
            table[first : last + 1] |= bits
    table[[0x0A, 0x0D]] |= NEWLINE
    table.setflags(write=False)
    return table


@lru_cache(maxsize=1)
def _whitespace_table() -> Bytes:
    table = _unicode_table().copy()
    table[_SEPARATORS.start : _SEPARATORS.stop] |= SPACE
    table.setflags(write=False)
    return table
