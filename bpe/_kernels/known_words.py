"""The words met before, with their ids: bounded tables that forget what was not met for long.

A word of up to 8 bytes is a number, one of up to 16 bytes two, filled up with a byte that UTF-8
never has. Each has its place in two entries that lie side by side; a new word takes the first, and
the word there the second. Up to 3 ids stand in the entry, more in a ring that is written over.

Ids are packed into one number: how many in the lowest 2 bits and up to 3 ids above them. Of more,
these bits are 0, and above them stand how many and, in the high half, where in the ring.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.class_table import Bytes
from bpe._kernels.compiling import lean_part
from bpe._kernels.intrinsics import eight_bytes
from bpe._kernels.pair_ranks import FACTOR, HALF, ID_BITS, MAX_ID

SMALL: Final = 8  # bytes
LARGE: Final = 16
SMALL_SIZE: Final = 4  # numbers in two entries of a word and its ids
LARGE_SIZE: Final = 8  # of two numbers for the word, its ids, and one not used
FEW_IDS: Final = 3
MOST_WRITTEN: Final = 1 << 16  # ids that are written to the ring before those found are used
END_OF_RING: Final = 1 << 31  # the ring starts anew before so many ids were written

NO_IDS = np.uint64(0)
NOT_KNOWN = np.uint64(0xFFFFFFFFFFFFFFFF)  # never ids, and never a word
COUNT_BITS = np.uint64(2)
COUNT_MASK = np.uint64(3)
ID_MASK = np.uint64(MAX_ID)
SECOND_ID = np.uint64(2 + ID_BITS)
THIRD_ID = np.uint64(2 + 2 * ID_BITS)
LENGTH_MASK = np.uint64((1 << 30) - 1)
OTHER_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)


class KnownWords(NamedTuple):
    """The tables; all numbers are uint64 unless said."""

    small: Any  # words of up to 8 bytes
    large: Any  # words of up to 16 bytes
    fillers: Any  # by length up to 8: what fills a word up to 8 bytes
    ring: Any  # int32: ids of words with more than 3, a power of two long
    written: Any  # int64, one: how many ids have been written to the ring


@lean_part
def find_word(words: KnownWords, data: Bytes, start: Any, length: int) -> Any:
    """Return the packed ids of a word of up to 16 bytes, NOT_KNOWN if they are not there."""
    if length <= SMALL:
        word = eight_bytes(data, start) | words.fillers[length]
        ids = find_small(words.small, word)
    else:
        word = eight_bytes(data, start)
        rest = eight_bytes(data, start + SMALL) | words.fillers[length - SMALL]
        ids = find_large(words.large, word, rest)
    if ids & COUNT_MASK == NO_IDS and ids != NO_IDS:
        age = words.written[0] - np.int64(ids >> HALF)
        return ids if age <= len(words.ring) - MOST_WRITTEN else NOT_KNOWN
    return ids


@lean_part
def add_word(words: KnownWords, data: Bytes, start: Any, length: int, ids: Any) -> None:
    """Note a word of up to 16 bytes and its packed ids."""
    if length <= SMALL:
        add_small(words.small, eight_bytes(data, start) | words.fillers[length], ids)
    else:
        rest = eight_bytes(data, start + SMALL) | words.fillers[length - SMALL]
        add_large(words.large, eight_bytes(data, start), rest, ids)


@lean_part
def find_small(small: Any, word: Any) -> Any:
    """Return the packed ids of a word that is one number."""
    place = small_place(small, word)
    place += TWO if small[place] != word else NO_IDS
    return small[place + ONE] if small[place] == word else NOT_KNOWN


@lean_part
def add_small(small: Any, word: Any, ids: Any) -> None:
    """Note a word that is one number."""
    place = small_place(small, word)
    small[place + TWO] = small[place]
    small[place + THREE] = small[place + ONE]
    small[place] = word
    small[place + ONE] = ids


@lean_part
def small_place(small: Any, word: Any) -> Any:
    """Return where the two entries for a word are."""
    n_places = np.uint64(len(small) // SMALL_SIZE)
    return (word * FACTOR >> HALF) * n_places >> HALF << TWO


@lean_part
def find_large(large: Any, word: Any, rest: Any) -> Any:
    """Return the packed ids of a word that is two numbers."""
    place = large_place(large, word, rest)
    is_second = large[place] != word or large[place + ONE] != rest
    place += np.uint64(LARGE_SIZE // 2) if is_second else NO_IDS
    is_known = large[place] == word and large[place + ONE] == rest
    return large[place + TWO] if is_known else NOT_KNOWN


@lean_part
def add_large(large: Any, word: Any, rest: Any, ids: Any) -> None:
    """Note a word that is two numbers."""
    place = large_place(large, word, rest)
    second = place + np.uint64(LARGE_SIZE // 2)
    large[second] = large[place]
    large[second + ONE] = large[place + ONE]
    large[second + TWO] = large[place + TWO]
    large[place] = word
    large[place + ONE] = rest
    large[place + TWO] = ids


@lean_part
def large_place(large: Any, word: Any, rest: Any) -> Any:
    """Return where the two entries for a word of two numbers are."""
    n_places = np.uint64(len(large) // LARGE_SIZE)
    return ((word ^ rest * OTHER_FACTOR) * FACTOR >> HALF) * n_places >> HALF << THREE


@lean_part
def add_to_ring(words: KnownWords, token: Any) -> None:
    """Write one more id to the ring."""
    written = words.written[0]
    words.ring[written & (len(words.ring) - 1)] = token
    words.written[0] = written + 1


@lean_part
def packed_from_ring(words: KnownWords, n_ids: Any) -> Any:
    """Return the last ids of the ring packed."""
    return np.uint64(words.written[0] - n_ids) << HALF | np.uint64(n_ids) << COUNT_BITS


@lean_part
def write_ids(words: KnownWords, ids: Any, out: Any, n_out: Any) -> Any:
    """Write packed ids to `out`; returns where they end.

    Three ids are written always: `out` must have room for them.
    """
    n_few = np.int64(ids & COUNT_MASK)
    if n_few > 0:
        out[n_out] = np.int32(ids >> COUNT_BITS & ID_MASK)
        out[n_out + 1] = np.int32(ids >> SECOND_ID & ID_MASK)
        out[n_out + 2] = np.int32(ids >> THIRD_ID)
        return n_out + n_few
    at = ids >> HALF
    end = at + (ids >> COUNT_BITS & LENGTH_MASK)
    last = np.uint64(len(words.ring) - 1)
    while at < end:  # over a range, it would be compiled for many ids, and slow for a few
        out[n_out] = words.ring[at & last]
        n_out += 1
        at += ONE
    return n_out


@lean_part
def forget_all(words: KnownWords) -> None:
    """Empty the tables."""
    words.small[:] = NOT_KNOWN
    words.large[:] = NOT_KNOWN
    words.written[0] = 0
