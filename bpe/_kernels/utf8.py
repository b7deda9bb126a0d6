"""Whether bytes are UTF-8, and where such a text can be cut so that no pre-token is."""

from __future__ import annotations

import numpy as np

from bpe._kernels.characters import APOSTROPHE, char_end, class_at
from bpe._kernels.class_table import (
    CL100K,
    GPT2,
    LETTER,
    MARK,
    NEWLINE,
    NONE,
    NUMBER,
    O200K,
    SPACE,
    WHITESPACE,
    Bytes,
)
from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.intrinsics import WINDOW, bytes_between, lowest_bit
from bpe._kernels.windows import ONE, THREE, TWO, ZERO, Mask

SLASH = 0x2F
# The bytes of a window from whose end on a character of two, three, four bytes is not complete.
BELOW_63 = np.uint64((1 << 63) - 1)
BELOW_62 = np.uint64((1 << 62) - 1)
BELOW_61 = np.uint64((1 << 61) - 1)


@lean_kernel
def valid_end(data: Bytes) -> int:
    """Return where the first character starts that is not valid UTF-8, or not complete."""
    at, stop = 0, len(data)
    while at < stop:
        if at + WINDOW <= stop:
            n_valid = valid_bytes(data, at)
            if n_valid > 0:
                at += n_valid
                continue
        end = at + 1 if data[at] < 0x80 else valid_char_end(data, at, stop)
        if end == at:
            break
        at = end
    return at


@lean_part
def valid_bytes(data: Bytes, at: int) -> int:
    """Return how many of the 64 bytes at `at` belong to characters that end there; 0 for a fault.

    All at once: after the first bytes of characters, and only there, stand as many later bytes as
    they ask for, and after some of them not all of these are allowed (see `valid_char_end`).
    """
    later = bytes_between(data, at, 0x80, 0xBF)
    two = bytes_between(data, at, 0xC2, 0xDF)
    three = bytes_between(data, at, 0xE0, 0xEF)
    four = bytes_between(data, at, 0xF0, 0xF4)
    ascii_bytes = bytes_between(data, at, 0x00, 0x7F)
    after = (two | three | four) << ONE | (three | four) << TWO | four << THREE
    faults = after ^ later | ~(ascii_bytes | later | two | three | four)
    faults |= after_byte(data, at, 0xE0) & bytes_between(data, at, 0x80, 0x9F)
    faults |= after_byte(data, at, 0xED) & bytes_between(data, at, 0xA0, 0xBF)
    faults |= after_byte(data, at, 0xF0) & bytes_between(data, at, 0x80, 0x8F)
    faults |= after_byte(data, at, 0xF4) & bytes_between(data, at, 0x90, 0xBF)
    if faults != ZERO:
        return 0
    unfinished = two & ~BELOW_63 | three & ~BELOW_62 | four & ~BELOW_61
    n_valid: int = lowest_bit(unfinished)
    return n_valid


@lean_part
def after_byte(data: Bytes, at: int, byte: int) -> Mask:
    """Return the mask of the bytes after those that are `byte`."""
    mask: Mask = bytes_between(data, at, byte, byte)
    return mask << ONE


@lean_kernel
def valid_char_end(data: Bytes, at: int, stop: int) -> int:
    """Return the end of the character of several bytes at `at`, `at` itself if it is none.

    The second byte decides what is too long a form, half of a surrogate pair, or beyond Unicode.
    """
    lead = data[at]
    if lead < 0xC2 or lead > 0xF4 or char_end(data, at) > stop:
        return at
    least = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
    most = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
    if data[at + 1] < least or data[at + 1] > most:
        return at
    end = char_end(data, at)
    for later in range(at + 2, end):
        if data[later] & 0xC0 != 0x80:
            return at
    return end


@lean_kernel
def next_cut(data: Bytes, at: int, stop: int, pattern: int, table: Bytes) -> int:
    """Return the first place from `at` on where the text can be cut, `stop` if there is none.

    Both sides of the cut, split each for itself, give the pre-tokens of the whole. The text is
    valid UTF-8, starts before `at` and may go on after `stop`, where a character ends.
    """
    if pattern == NONE or at >= stop:
        return stop
    at = char_start(data, at - 1)
    before = class_at(data, at, table)
    at = char_end(data, at)
    while at < stop:
        after = class_at(data, at, table)
        if can_cut(before, after, data[at], pattern):
            return at
        before = after
        at = char_end(data, at)
    return stop


@lean_part
def can_cut(before: int, after: int, byte: int, pattern: int) -> bool:
    """Return whether a pre-token surely ends between two characters, whatever is around them.

    Given their class bits, and the first byte of the second. The side before the cut must not end
    with white space that would split otherwise at the end of a text.
    """
    if pattern == WHITESPACE:
        return bool((before | after) & SPACE)
    if after & SPACE:
        # Line ends belong to signs before them in cl100k and o200k.
        return not before & SPACE and (pattern == GPT2 or not after & NEWLINE)
    if before & NEWLINE:
        return pattern == CL100K or (pattern == O200K and byte != SLASH)
    # A sign after a letter; marks and apostrophes may belong to the letter.
    is_sign = not after & (LETTER | NUMBER | MARK)
    return bool(before & LETTER) and is_sign and byte != APOSTROPHE


@lean_part
def char_start(data: Bytes, at: int) -> int:
    """Return the start of the character that holds the byte at `at`."""
    while data[at] & 0xC0 == 0x80:
        at -= 1
    return at
