"""Counting words in one open-addressing table.

Words are counted a batch at a time: first the ends of a few thousand pre-tokens, then what to look
up for each, then the looking up, with the slots fetched ahead. A mistaken guess of the processor
in one step then does not hold up the others.

No kernel makes room: one that runs out of it returns early, and goes on when called again.
Within a table, words are counted in the order of the text; a count of 0 marks a word that was
handed over to another table.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe._kernels.characters import class_at
from bpe._kernels.class_table import SPACE, WHITESPACE, Bytes, Ends
from bpe._kernels.compiling import kernel, lean_kernel, lean_part
from bpe._kernels.intrinsics import bits_needed, eight_bytes, prefetch
from bpe._kernels.splitting import fill_ends_of_documents

Numbers: TypeAlias = npt.NDArray[np.uint64]
Number: TypeAlias = np.uint64


class Table(NamedTuple):
    """Words with their counts.

    `entries` has a row (low, high, tag, count) a slot, a power of two of them. A word of at most
    16 bytes is held in low and high themselves, so that comparing touches no text; of a longer one
    low is its hash and high its number. The tag is where the word first occurred, times 32, plus
    its length (LONG for a longer word); 0 in a free slot.
    `long_ends` says where the long words end in `long_bytes`, after a first 0.
    `sizes` is how many words there are, and how many of them are long.
    """

    entries: Numbers
    long_bytes: Bytes
    long_ends: Ends
    sizes: Ends


LOW, HIGH, TAG, COUNT = range(4)
N_WORDS, N_LONG = range(2)
SHORT = 16  # the most bytes of a word that an entry holds
LONG = 17
LENGTH_BITS = np.uint64(5)
LENGTH_MASK = np.uint64(31)

BATCH = 4096
AHEAD = 24  # so many look-ups before its own a slot is fetched

ZERO = np.uint64(0)
ONE = np.uint64(1)
BYTE = np.uint64(8)
HALF = np.uint64(32)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
# Odd numbers without a pattern: from the fractions of the square roots of 2, 3 and 5.
FACTOR_LOW = np.uint64(0x6A09_E667_F3BC_C909)
FACTOR_HIGH = np.uint64(0xBB67_AE85_84CA_A73B)
FACTOR_LAST = np.uint64(0x3C6E_F372_FE94_F82B)


@kernel
def count_documents(
    data: Bytes, start: int, until: int, stops: Ends, position: int, pattern: int,
    classes: Bytes, table: Table,
) -> int:  # fmt: skip
    """Count words from `start` to `until` or a bit further, in documents that end at `stops`.

    Returns how far it came: not as far as `until` when the table has no room left. `position` is
    added to a place in `data` to tell where a word first occurred.
    """
    ends = np.empty(BATCH, np.int64)
    keys = np.empty((BATCH, 3), np.uint64)
    dropped = SPACE if pattern == WHITESPACE else 0
    while start < until:
        n_ends = fill_ends_of_documents(data, start, stops, pattern, classes, ends)
        fill_keys(data, start, ends, n_ends, keys)
        reached = count_keys(data, start, ends, n_ends, keys, position, dropped, classes, table)
        if reached < ends[n_ends - 1]:
            return reached
        start = reached
    return start


@lean_part
def fill_keys(data: Bytes, start: int, ends: Ends, n_ends: int, keys: Numbers) -> None:
    """Write for each pre-token what its entry holds as low and high, and its hash."""
    for number in range(n_ends):
        end = ends[number]
        if end - start <= SHORT:
            low, high = short_word(data, start, end)
            keys[number, LOW] = low
            keys[number, HIGH] = high
            keys[number, 2] = hash_of(low, high)
        else:
            digest = hash_of_long(data, start, end)
            keys[number, LOW] = digest
            keys[number, 2] = digest
        start = end


@lean_part
def count_keys(
    data: Bytes, start: int, ends: Ends, n_ends: int, keys: Numbers, position: int, dropped: int,
    classes: Bytes, table: Table,
) -> int:  # fmt: skip
    """Count pre-tokens; those that start with a character of a class of `dropped` do not count.

    Returns where the first one starts that found no room, or the end of the last.
    """
    entries, long_bytes, long_ends, sizes = table
    if sizes[N_WORDS] + n_ends > most_words(entries):
        return start
    for number in range(n_ends):
        end = ends[number]
        prefetch(entries, 4 * first_slot(entries, keys[min(number + AHEAD, n_ends - 1), 2]))
        if dropped == 0 or not class_at(data, start, classes) & dropped:
            digest = keys[number, 2]
            tag = tag_of(position + start, end - start)
            if end - start <= SHORT:
                low, high = keys[number, LOW], keys[number, HIGH]
                slot = slot_of(entries, low, high, digest, tag)
            elif has_room(long_bytes, long_ends, sizes, end - start):
                low, high = digest, np.uint64(sizes[N_LONG])
                slot = slot_of_long(entries, long_bytes, long_ends, data, start, end, digest)
            else:
                return start
            if entries[slot, TAG] == ZERO:
                fill_slot(entries, slot, low, high, tag)
                sizes[N_WORDS] += 1
                if end - start > SHORT:
                    keep_long_word(long_bytes, long_ends, sizes, data, start, end)
            entries[slot, COUNT] += ONE
        start = end
    return start


@lean_part
def tag_of(first: int, length: int) -> Number:
    """Return the tag of a word that first occurs there."""
    return np.uint64(first) << LENGTH_BITS | np.uint64(min(length, LONG))


@lean_part
def slot_of(entries: Numbers, low: Number, high: Number, digest: Number, tag: Number) -> int:
    """Return the slot of a word of at most 16 bytes, or the free one where it belongs."""
    slot = first_slot(entries, digest)
    while entries[slot, TAG] != ZERO and not holds(entries, slot, low, high, tag):
        slot = next_slot(entries, slot)
    return slot


@lean_part
def holds(entries: Numbers, slot: int, low: Number, high: Number, tag: Number) -> bool:
    """Return whether a slot that is not free holds this word."""
    difference = (entries[slot, LOW] ^ low) | (entries[slot, HIGH] ^ high)
    return bool(difference | (entries[slot, TAG] ^ tag) & LENGTH_MASK == ZERO)


@lean_part
def slot_of_long(
    entries: Numbers, long_bytes: Bytes, long_ends: Ends, data: Bytes, start: int, end: int,
    digest: Number,
) -> int:  # fmt: skip
    """Return the slot of a word of more than 16 bytes, or the free one where it belongs."""
    slot = first_slot(entries, digest)
    while entries[slot, TAG] != ZERO and not holds_long(
        entries, slot, long_bytes, long_ends, data, start, end, digest
    ):
        slot = next_slot(entries, slot)
    return slot


@lean_part
def holds_long(
    entries: Numbers, slot: int, long_bytes: Bytes, long_ends: Ends, data: Bytes, start: int,
    end: int, digest: Number,
) -> bool:  # fmt: skip
    """Return whether a slot that is not free holds this word."""
    if (entries[slot, LOW] != digest) | (entries[slot, TAG] & LENGTH_MASK != LONG):
        return False
    number = np.int64(entries[slot, HIGH])
    kept = long_ends[number]
    if long_ends[number + 1] - kept != end - start:
        return False
    return same(data, start, end, long_bytes, kept)


@lean_part
def fill_slot(entries: Numbers, slot: int, low: Number, high: Number, tag: Number) -> None:
    """Write a word to a free slot, not counted yet."""
    entries[slot, LOW] = low
    entries[slot, HIGH] = high
    entries[slot, TAG] = tag


@lean_part
def keep_long_word(
    long_bytes: Bytes, long_ends: Ends, sizes: Ends, data: Bytes, start: int, end: int
) -> None:
    """Copy a long word to the kept ones."""
    number = sizes[N_LONG]
    offset = long_ends[number] - start
    for at in range(start, end):
        long_bytes[at + offset] = data[at]
    long_ends[number + 1] = end + offset
    sizes[N_LONG] += 1


@lean_part
def short_word(data: Bytes, start: int, end: int) -> tuple[Number, Number]:
    """Return the bytes of a word of at most 16 bytes as two numbers, zeros after its end."""
    if start + SHORT > len(data):
        return short_word_at_the_end(data, start, end)
    length = end - start
    n_low = min(length, 8)
    low = eight_bytes(data, start) & (ALL >> np.uint64(64 - 8 * n_low))
    half = np.uint64(32 - 4 * (length - n_low))  # shifting by 64 at once is not defined
    high = eight_bytes(data, start + 8) & (ALL >> half >> half)
    return low, high


@lean_part
def short_word_at_the_end(data: Bytes, start: int, end: int) -> tuple[Number, Number]:
    """Return the same without looking further than the word."""
    low = high = ZERO
    for at in range(end - 1, start - 1, -1):
        high = high << BYTE | low >> np.uint64(56)
        low = low << BYTE | np.uint64(data[at])
    return low, high


@lean_part
def same(data: Bytes, start: int, end: int, others: Bytes, at: int) -> bool:
    """Return whether a word of more than 8 bytes stands in `others` too."""
    offset = at - start
    while start + 8 < end:
        if eight_bytes(data, start) != eight_bytes(others, start + offset):
            return False
        start += 8
    return bool(eight_bytes(data, end - 8) == eight_bytes(others, end - 8 + offset))


@lean_part
def hash_of_long(data: Bytes, start: int, end: int) -> Number:
    """Return the hash of a word of more than 8 bytes."""
    digest = np.uint64(end - start)
    while start + 8 < end:
        digest = hash_of(digest, eight_bytes(data, start))
        start += 8
    return hash_of(digest, eight_bytes(data, end - 8))


@lean_part
def hash_of(low: Number, high: Number) -> Number:
    """Return a number whose upper bits depend on every bit of two others."""
    mixed = low * FACTOR_LOW ^ high * FACTOR_HIGH
    return (mixed ^ mixed >> HALF) * FACTOR_LAST


@lean_part
def first_slot(entries: Numbers, digest: Number) -> int:
    """Return the slot where the search for a word with this hash begins."""
    shift = np.uint64(65 - bits_needed(np.uint64(len(entries))))
    return np.int64(digest >> shift)  # type: ignore[return-value]


@lean_part
def next_slot(entries: Numbers, slot: int) -> int:
    """Return the slot after this one, the first after the last."""
    return (slot + 1) & (len(entries) - 1)


@lean_kernel
def most_words(entries: Numbers) -> int:
    """Return how many words the slots are for: three of four, so that searches stay short."""
    return len(entries) - len(entries) // 4


@lean_part
def has_room(long_bytes: Bytes, long_ends: Ends, sizes: Ends, n_bytes: int) -> bool:
    """Return whether one more long word of this length can be kept."""
    number = sizes[N_LONG]
    n_free = len(long_bytes) - long_ends[number]
    return bool((number + 1 < len(long_ends)) & (n_bytes <= n_free))
