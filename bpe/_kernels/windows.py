"""Splitting 64 bytes at once: sets of bytes are masks, and where pre-tokens end is worked out
with a few operations on them. Twice as long as the rules one by one, and several times as fast.

A window starts where a pre-token starts. The lowest bit of a mask is its first byte, so `mask << 1`
are the bytes after those of the mask. A character of several bytes has all its bits in the mask of
its class. What the window does not show for sure is left out: then it gives fewer ends, none at
worst, and the kernels of `splitting` find the next one.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from bpe._kernels.characters import char_end, class_at, suffix_end
from bpe._kernels.class_table import (
    CASELESS,
    CL100K,
    GPT2,
    LOWER,
    MARK,
    NUMBER,
    SPACE,
    UPPER,
    WHITESPACE,
    Bytes,
)
from bpe._kernels.compiling import lean_part
from bpe._kernels.intrinsics import WINDOW, bits_needed, bytes_between, lowest_bit

Mask: TypeAlias = np.uint64

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
REACH = 3  # whether a pre-token ends before a byte depends on so many bytes from there on


@lean_part
def window_ends(data: Bytes, start: int, pattern: int, table: Bytes) -> Mask:
    """Return the bits of the bytes before which a pre-token surely ends; `start` itself has none.

    The data must hold 64 bytes from `start`.
    """
    upper, lower, caseless, marks, numbers, spaces, n_known = classes(data, start, pattern, table)
    letters = upper | lower | caseless
    limit = n_known - REACH
    if pattern == WHITESPACE:
        ends = spaces ^ (spaces << ONE)
    elif pattern == GPT2:
        ends = gpt2_ends(data, start, letters, numbers, spaces)
    elif pattern == CL100K:
        ends = cl100k_ends(data, start, letters, numbers, spaces)
        limit = min(limit, cl100k_limit(data, start, numbers, spaces, n_known))
    else:
        letters |= marks_in_words(letters, marks)
        ends = o200k_ends(data, start, upper, lower, letters, numbers, spaces)
        limit = min(limit, cl100k_limit(data, start, numbers, spaces, n_known))
        uncased = caseless | (marks & letters)
        limit = min(limit, o200k_limit(data, start, upper, uncased, letters, numbers, marks))
    return ends & below(limit) & ~ONE


@lean_part
def classes(
    data: Bytes, start: int, pattern: int, table: Bytes
) -> tuple[Mask, Mask, Mask, Mask, Mask, Mask, int]:
    """Return the masks of Lu and Lt, Ll, Lm and Lo, M, N, white space, and how many bytes belong
    to characters that end in the window."""
    upper = bytes_between(data, start, 0x41, 0x5A)
    lower = bytes_between(data, start, 0x61, 0x7A)
    numbers = bytes_between(data, start, 0x30, 0x39)
    spaces = bytes_between(data, start, 0x09, 0x0D) | bytes_between(data, start, 0x20, 0x20)
    if pattern == WHITESPACE:
        spaces |= bytes_between(data, start, 0x1C, 0x1F)
    caseless = marks = ZERO
    n_known = WINDOW
    leads = bytes_between(data, start, 0xC0, 0xFF)
    while leads != ZERO:
        at = lowest_bit(leads)
        leads &= leads - ONE
        end = char_end(data, start + at) - start
        if end > WINDOW:
            n_known = at
            break
        bits = class_at(data, start + at, table)
        char = below(end) & ~below(at)
        upper |= char if bits & UPPER else ZERO
        lower |= char if bits & LOWER else ZERO
        caseless |= char if bits & CASELESS else ZERO
        marks |= char if bits & MARK else ZERO
        numbers |= char if bits & NUMBER else ZERO
        spaces |= char if bits & SPACE else ZERO
    return upper, lower, caseless, marks, numbers, spaces, n_known


@lean_part
def gpt2_ends(data: Bytes, start: int, letters: Mask, numbers: Mask, spaces: Mask) -> Mask:
    """Return where pre-tokens of gpt2 end: where the class changes, but a blank goes with what
    follows, and of several white characters only the last stands alone."""
    blanks = bytes_between(data, start, 0x20, 0x20)
    signs = ~(letters | numbers | spaces)
    ends = changes(letters) | changes(numbers) | changes(spaces)
    ends &= ~((blanks << ONE) & ~spaces)
    ends |= first_bytes_of_last(data, start, spaces) & (spaces << ONE)
    apostrophes = bytes_between(data, start, 0x27, 0x27) & ~((signs | blanks) << ONE)
    return with_suffixes(data, start, ends, apostrophes, False)


@lean_part
def cl100k_ends(data: Bytes, start: int, letters: Mask, numbers: Mask, spaces: Mask) -> Mask:
    """Return where pre-tokens of cl100k end, as long as no number has characters of two bytes."""
    blanks = bytes_between(data, start, 0x20, 0x20)
    signs = ~(letters | numbers | spaces)
    ends = ends_around_words(data, start, letters, numbers, spaces)
    apostrophes = bytes_between(data, start, 0x27, 0x27) & ~((signs | blanks) << ONE)
    return with_suffixes(data, start, ends, apostrophes, True)


@lean_part
def o200k_ends(
    data: Bytes, start: int, upper: Mask, lower: Mask, letters: Mask, numbers: Mask, spaces: Mask
) -> Mask:
    """Return where pre-tokens of o200k end: as in cl100k, but a word also ends between lower and
    upper case, and a suffix belongs to the word before it. Marks in words count as letters."""
    ends = ends_around_words(data, start, letters, numbers, spaces)
    ends |= upper & (lower << ONE)
    apostrophes = bytes_between(data, start, 0x27, 0x27) & (letters << ONE)
    suffix_before = 0
    while apostrophes != ZERO:
        at = lowest_bit(apostrophes)
        apostrophes &= apostrophes - ONE
        end = suffix_end(data, start + at, start + WINDOW, True) - start
        if end > 0 and at != suffix_before:
            ends = ends & ~(below(end) & ~below(at)) | bit(end)
            suffix_before = end
    return ends


@lean_part
def ends_around_words(data: Bytes, start: int, letters: Mask, numbers: Mask, spaces: Mask) -> Mask:
    """Return where pre-tokens of cl100k and o200k end, but for suffixes and changes of case."""
    blanks = bytes_between(data, start, 0x20, 0x20)
    newlines = bytes_between(data, start, 0x0A, 0x0A) | bytes_between(data, start, 0x0D, 0x0D)
    signs = ~(letters | numbers | spaces)
    # Line ends after signs belong to them; the white space after those starts anew.
    after_signs = runs_from(newlines & (signs << ONE), newlines)
    rest = spaces & ~after_signs
    ends = changes(letters) | changes(rest) | (after_signs << ONE) & ~after_signs
    ends |= first_bytes_of_last(data, start, spaces) & ~newlines & (rest << ONE)
    ends = with_ends_after_newlines(ends, rest, newlines)
    # A blank goes with signs, any white character or single sign with letters.
    first_signs = signs & ~((signs | blanks) << ONE)
    ends &= ~(signs & (blanks << ONE))
    ends &= ~(letters & ((spaces & ~newlines | first_chars(data, start, first_signs)) << ONE))
    return with_numbers(ends, numbers)


@lean_part
def cl100k_limit(data: Bytes, start: int, numbers: Mask, spaces: Mask, n_known: int) -> int:
    """Return below which byte the ends of cl100k and o200k are sure.

    White space that reaches the end of the window may go on, and digits of several bytes are not
    counted in groups.
    """
    limit = WINDOW
    if spaces & bit(n_known - 1):
        limit = run_start(spaces, n_known) + 1
    wide = numbers & bytes_between(data, start, 0x80, 0xFF)
    if wide != ZERO:
        limit = min(limit, run_start(numbers, lowest_bit(wide)) + 1)
    return limit


@lean_part
def o200k_limit(
    data: Bytes, start: int, upper: Mask, uncased: Mask, letters: Mask, numbers: Mask, marks: Mask
) -> int:
    """Return below which byte the ends of o200k are sure, beside the limit of cl100k.

    A capital after a letter without case ends a word or not, by what follows. Marks outside words
    are signs or prefixes, and a slash after a line end may belong to the signs before it.
    """
    limit = WINDOW
    turns = upper & (uncased << ONE)
    if turns != ZERO:
        limit = run_start(letters, lowest_bit(turns)) + 1
    newlines = bytes_between(data, start, 0x0A, 0x0A) | bytes_between(data, start, 0x0D, 0x0D)
    unsure = (marks & ~letters) | bytes_between(data, start, 0x2F, 0x2F) & (newlines << ONE)
    if unsure != ZERO:
        limit = min(limit, run_start(~(letters | numbers), lowest_bit(unsure)) + 1)
    return limit


@lean_part
def with_suffixes(data: Bytes, start: int, ends: Mask, apostrophes: Mask, any_case: bool) -> Mask:
    """Return the ends with those of 's, 'll and so on at apostrophes where pre-tokens start."""
    while apostrophes != ZERO:
        at = lowest_bit(apostrophes)
        apostrophes &= apostrophes - ONE
        end = suffix_end(data, start + at, start + WINDOW, any_case) - start
        if end > 0:
            ends = ends & ~(TWO << np.uint64(at)) | bit(end)
    return ends


@lean_part
def with_ends_after_newlines(ends: Mask, spaces: Mask, newlines: Mask) -> Mask:
    """Return the ends with those after the last line end of each run of white space."""
    others = spaces & ~newlines
    after = (spaces & newlines) << ONE & others
    while after != ZERO:
        first = after & (~after + ONE)
        after ^= first
        if (others + first) & ~others & newlines == ZERO:
            ends |= first
    return ends


@lean_part
def with_numbers(ends: Mask, numbers: Mask) -> Mask:
    """Return the ends with those between and inside numbers, three digits a pre-token."""
    ends |= changes(numbers)
    pairs = numbers & (numbers << ONE)
    fourth = pairs & (pairs << TWO)
    more = (numbers & ~(numbers << ONE)) << THREE & fourth
    while more != ZERO:
        ends |= more
        more = more << THREE & fourth
    return ends


@lean_part
def marks_in_words(letters: Mask, marks: Mask) -> Mask:
    """Return the marks that follow letters, with only marks between."""
    return runs_from(marks & (letters << ONE), marks)


@lean_part
def first_bytes_of_last(data: Bytes, start: int, mask: Mask) -> Mask:
    """Return the first byte of the last character of each run; one has at most three bytes."""
    later_bytes: Mask = bytes_between(data, start, 0x80, 0xBF)
    last = mask & ~(mask >> ONE)
    last = last & ~later_bytes | (last & later_bytes) >> ONE
    return last & ~later_bytes | (last & later_bytes) >> ONE


@lean_part
def first_chars(data: Bytes, start: int, first_bytes: Mask) -> Mask:
    """Return all bytes of the characters that start at some bytes."""
    later_bytes = bytes_between(data, start, 0x80, 0xBF)
    return first_bytes | runs_from(later_bytes & (first_bytes << ONE), later_bytes)


@lean_part
def runs_from(first: Mask, mask: Mask) -> Mask:
    """Return each bit of `first` with those of the mask that follow it without a gap.

    The sum carries from each first bit to the gap after its run.
    """
    return mask & ~(mask + first)


@lean_part
def run_start(mask: Mask, stop: int) -> int:
    """Return where the run of the mask starts that ends at `stop`; `stop` if none does."""
    start: int = bits_needed(~mask & below(stop))
    return start


@lean_part
def changes(mask: Mask) -> Mask:
    """Return the bytes that are in the mask when the one before is not, or the other way round."""
    return mask ^ (mask << ONE)


@lean_part
def bit(at: int) -> Mask:
    """Return the mask of one byte, of none for 64."""
    return ONE << np.uint64(at) if at < WINDOW else ZERO


@lean_part
def below(stop: int) -> Mask:
    """Return the mask of the bytes before `stop`."""
    return bit(stop) - ONE
