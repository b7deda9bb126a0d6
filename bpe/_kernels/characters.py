"""Single characters of UTF-8 text, for the kernels that split it. Text is valid UTF-8."""

from __future__ import annotations

from bpe._kernels.class_table import Bytes
from bpe._kernels.compiling import lean_part

APOSTROPHE = 0x27


@lean_part
def class_at(data: Bytes, at: int, table: Bytes) -> int:
    """Return the class bits of the character that starts at `at`."""
    lead = data[at]
    if lead < 0x80:
        return int(table[lead])
    if lead < 0xE0:
        return int(table[(lead & 0x1F) << 6 | data[at + 1] & 0x3F])
    code = (lead & 0x0F) << 12 | (data[at + 1] & 0x3F) << 6 | data[at + 2] & 0x3F
    if lead < 0xF0:
        return int(table[code])
    return int(table[(code & 0x7FFF) << 6 | data[at + 3] & 0x3F])


@lean_part
def char_end(data: Bytes, at: int) -> int:
    """Return the end of the character that starts at `at`."""
    lead = data[at]
    return at + 1 if lead < 0x80 else at + 2 if lead < 0xE0 else at + 3 if lead < 0xF0 else at + 4


@lean_part
def suffix_end(data: Bytes, start: int, stop: int, any_case: bool) -> int:
    """Return the end of 's 't 'm 'd 'll 've 're from `start`, 0 if none stands there.

    In any case the long s (U+017F, C5 BF) is an s too.
    """
    if start + 1 >= stop or data[start] != APOSTROPHE:
        return 0
    fold = 0x20 if any_case else 0
    first = data[start + 1] | fold
    if first == 0x73 or first == 0x74 or first == 0x6D or first == 0x64:  # s t m d
        return start + 2
    if start + 2 >= stop:
        return 0
    second = data[start + 2] | fold
    if first == 0x6C and second == 0x6C:  # ll
        return start + 3
    if (first == 0x76 or first == 0x72) and second == 0x65:  # ve re
        return start + 3
    if any_case and data[start + 1] == 0xC5 and data[start + 2] == 0xBF:
        return start + 3
    return 0
