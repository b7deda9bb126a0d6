"""Splitting UTF-8 text into pre-tokens, one after another: the compiled twin of `pre_tokenizers`.

Text is valid UTF-8 in an array of bytes, `table` the `class_table` of the pattern. A pre-token
starts at `start` and the text ends at `stop`; what stands before `start` never matters. In the
comments L, N and M are Unicode's classes, U stands for Lu and Lt, and C for Lm and Lo.

Under the pattern "whitespace" a run of white space counts as a pre-token here: callers drop it.
"""

from __future__ import annotations

import numpy as np

from bpe._kernels.characters import char_end, class_at, suffix_end
from bpe._kernels.class_table import (
    CASELESS,
    CL100K,
    GPT2,
    LETTER,
    LOWER,
    MARK,
    NEWLINE,
    NONE,
    NUMBER,
    O200K,
    SPACE,
    UPPER,
    Bytes,
    Ends,
)
from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.intrinsics import WINDOW, lowest_bit, n_bits
from bpe._kernels.windows import ONE, ZERO, Mask, window_ends

BLANK = 0x20
SLASH = 0x2F
WORD = LETTER | MARK  # what words of o200k are made of
LOWER_PART = LOWER | CASELESS | MARK
UPPER_PART = UPPER | CASELESS | MARK


@lean_kernel
def next_end(data: Bytes, start: int, stop: int, pattern: int, table: Bytes) -> int:
    """Return where the pre-token that starts at `start` ends; `start` must be below `stop`."""
    if pattern == GPT2:
        return gpt2_end(data, start, stop, table)
    if pattern == CL100K:
        return cl100k_end(data, start, stop, table)
    if pattern == O200K:
        return o200k_end(data, start, stop, table)
    if pattern == NONE:
        return stop
    return kind_end(data, start, stop, SPACE, table)


@lean_kernel
def fill_ends(data: Bytes, start: int, stop: int, pattern: int, table: Bytes, ends: Ends) -> int:
    """Write the ends of the pre-tokens from `start` on until `ends` is full or the text ends.

    Returns how many were written. With room for fewer than 64 it is slow.
    """
    n_ends = 0
    while start < stop and n_ends < len(ends):
        found = ZERO
        if start + WINDOW <= stop and n_ends + WINDOW <= len(ends) and pattern != NONE:
            found = window_ends(data, start, pattern, table)
        if found == ZERO:
            start = next_end(data, start, stop, pattern, table)
            ends[n_ends] = start
            n_ends += 1
        else:
            n_found = n_bits(found)
            write_bits(found, n_found, start, ends[n_ends:])
            n_ends += n_found
            start = ends[n_ends - 1]
    return n_ends


@lean_part
def write_bits(mask: Mask, n_set: int, start: int, ends: Ends) -> None:
    """Write the places of the bits that are set, counted from `start`; there is room for 64.

    Eight at a time, and then perhaps some too many: that is quicker than to ask after each.
    """
    for first in range(0, n_set, 8):
        for number in range(first, first + 8):
            ends[number] = start + lowest_bit(mask)
            mask &= mask - ONE


@lean_part
def fill_ends_of_documents(
    data: Bytes, start: int, stops: Ends, pattern: int, table: Bytes, ends: Ends
) -> int:
    """Write ends as `fill_ends` does, in documents that follow one another and end at `stops`."""
    document = np.searchsorted(stops, start, side="right")
    n_ends = 0
    while document < len(stops) and n_ends < len(ends):
        n_ends += fill_ends(data, start, stops[document], pattern, table, ends[n_ends:])
        start = max(start, ends[n_ends - 1]) if n_ends > 0 else start
        if start == stops[document]:
            document += 1
    return n_ends


@lean_part
def gpt2_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of a pre-token of gpt2."""
    suffix = suffix_end(data, start, stop, False)
    if suffix > 0:
        return suffix
    at = start
    if data[start] == BLANK and start + 1 < stop and not class_at(data, start + 1, table) & SPACE:
        at = start + 1
    if class_at(data, at, table) & SPACE:
        end, last, _ = white_space_end(data, start, stop, table)
        return last if start < last and end < stop else end if end == stop else char_end(data, at)
    return kind_end(data, at, stop, LETTER | NUMBER | SPACE, table)


@lean_part
def cl100k_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of a pre-token of cl100k."""
    suffix = suffix_end(data, start, stop, True)
    if suffix > 0:
        return suffix
    at = after_prefix(data, start, stop, table)
    if at < stop and class_at(data, at, table) & LETTER:
        return run_end(data, at, stop, LETTER, table)
    if class_at(data, start, table) & NUMBER:
        return number_end(data, start, stop, table)
    signs = signs_end(data, start, stop, table)
    if signs > 0:
        while signs < stop and class_at(data, signs, table) & NEWLINE:
            signs += 1
        return signs
    end, last, after_newline = white_space_end(data, start, stop, table)
    if end == stop:
        return end
    if after_newline > 0:
        return after_newline
    return last if start < last else end


@lean_part
def o200k_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of a pre-token of o200k."""
    word = cased_word_end(data, start, stop, table)
    if word > 0:
        return max(word, suffix_end(data, word, stop, True))
    if class_at(data, start, table) & NUMBER:
        return number_end(data, start, stop, table)
    signs = signs_end(data, start, stop, table)
    if signs > 0:
        while signs < stop and (data[signs] == SLASH or class_at(data, signs, table) & NEWLINE):
            signs += 1
        return signs
    end, last, after_newline = white_space_end(data, start, stop, table)
    if after_newline > 0:
        return after_newline
    return last if start < last and end < stop else end


@lean_part
def cased_word_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of a word of o200k with its prefix, 0 if none starts here.

    A mark may be the prefix, or the word itself when no word follows it.
    """
    at = after_prefix(data, start, stop, table)
    end = word_with_lower_part_end(data, at, stop, table)
    if end == 0 and at > start:
        end = word_with_lower_part_end(data, start, stop, table)
    if end > 0:
        return end
    end = run_end(data, at, stop, UPPER_PART, table)
    return end if end > at else 0


@lean_part
def word_with_lower_part_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of [UCM]*[Ll C M]+ from `start`, 0 if it does not match.

    The first part takes all it can. Without a lower case letter after it, it gives back its last
    character that is no capital, and the match ends there.
    """
    at = start
    last_uncapital = 0
    while at < stop:
        bits = class_at(data, at, table)
        if not bits & UPPER_PART:
            if bits & LOWER:
                return run_end(data, at, stop, LOWER_PART, table)
            break
        at = char_end(data, at)
        if not bits & UPPER:
            last_uncapital = at
    return last_uncapital


@lean_part
def after_prefix(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of [^\\r\\n L N]? from `start`."""
    if class_at(data, start, table) & (LETTER | NUMBER | NEWLINE):
        return start
    return char_end(data, start)


@lean_part
def number_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of N{1,3} from `start`, where the first character is an N."""
    at = start
    for _ in range(3):
        if at < stop and class_at(data, at, table) & NUMBER:
            at = char_end(data, at)
    return at


@lean_part
def signs_end(data: Bytes, start: int, stop: int, table: Bytes) -> int:
    """Return the end of [ ]?[^ white space, L, N]+ from `start`, 0 if it does not match."""
    at = start + 1 if data[start] == BLANK else start
    if at == stop or class_at(data, at, table) & (LETTER | NUMBER | SPACE):
        return 0
    return kind_end(data, at, stop, LETTER | NUMBER | SPACE, table)


@lean_part
def white_space_end(data: Bytes, start: int, stop: int, table: Bytes) -> tuple[int, int, int]:
    """Return of the white space from `start` the end, the last character, the last newline's end.

    The last of the three is 0 without a newline.
    """
    at = last = start
    after_newline = 0
    while at < stop:
        bits = class_at(data, at, table)
        if not bits & SPACE:
            break
        last = at
        at = char_end(data, at)
        if bits & NEWLINE:
            after_newline = at
    return at, last, after_newline


@lean_part
def kind_end(data: Bytes, start: int, stop: int, mask: int, table: Bytes) -> int:
    """Return where characters end that have the same bits of `mask` as the first one."""
    kind = class_at(data, start, table) & mask
    at = char_end(data, start)
    while at < stop and class_at(data, at, table) & mask == kind:
        at = char_end(data, at)
    return at


@lean_part
def run_end(data: Bytes, start: int, stop: int, mask: int, table: Bytes) -> int:
    """Return where characters end that have any bit of `mask`."""
    at = start
    while at < stop and class_at(data, at, table) & mask:
        at = char_end(data, at)
    return at
