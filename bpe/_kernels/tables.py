"""Tables of counted words as wholes: into a larger one, one against another, and out as a list.

Slots ascend with the hash in every table, so going through one table and looking up its words in
another goes through both from start to end.
"""

from __future__ import annotations

import numpy as np

from bpe._kernels.class_table import Bytes, Ends
from bpe._kernels.compiling import kernel
from bpe._kernels.counting import (
    BYTE,
    COUNT,
    HIGH,
    LENGTH_BITS,
    LENGTH_MASK,
    LONG,
    LOW,
    TAG,
    ZERO,
    Numbers,
    Table,
    fill_slot,
    first_slot,
    hash_of,
    next_slot,
    slot_of,
    slot_of_long,
)


@kernel
def move_entries(source: Numbers, entries: Numbers) -> None:
    """Put the entries of a table into the free slots of a larger one."""
    for old in range(len(source)):
        low, high, tag = source[old, LOW], source[old, HIGH], source[old, TAG]
        if tag != ZERO:
            digest = low if tag & LENGTH_MASK == LONG else hash_of(low, high)
            slot = first_slot(entries, digest)
            while entries[slot, TAG] != ZERO:
                slot = next_slot(entries, slot)
            fill_slot(entries, slot, low, high, tag)
            entries[slot, COUNT] = source[old, COUNT]


@kernel
def hand_over(source: Table, table: Table) -> None:
    """Move the counts of those words of `source` that are in `table` too."""
    entries, others = table.entries, source.entries
    for old in range(len(others)):
        low, high, tag, count = (
            others[old, LOW], others[old, HIGH], others[old, TAG], others[old, COUNT],
        )  # fmt: skip
        if count != ZERO:
            if tag & LENGTH_MASK == LONG:
                start, end = source.long_ends[np.int64(high)], source.long_ends[np.int64(high) + 1]
                slot = slot_of_long(table, source.long_bytes, start, end, low)
            else:
                slot = slot_of(entries, low, high, hash_of(low, high), tag)
            if entries[slot, COUNT] != ZERO:
                entries[slot, COUNT] += count
                entries[slot, TAG] = min(entries[slot, TAG], tag)
                others[old, COUNT] = ZERO


@kernel
def list_words(table: Table, firsts: Ends, lengths: Ends) -> int:
    """Write where each word first occurred and its length in bytes; returns how many there are."""
    n_words = 0
    for slot in range(len(table.entries)):
        if table.entries[slot, COUNT] != ZERO:
            tag = table.entries[slot, TAG]
            length = np.int64(tag & LENGTH_MASK)
            if length == LONG:
                number = np.int64(table.entries[slot, HIGH])
                length = table.long_ends[number + 1] - table.long_ends[number]
            firsts[n_words] = np.int64(tag >> LENGTH_BITS)
            lengths[n_words] = length
            n_words += 1
    return n_words


@kernel
def write_words(table: Table, places: Ends, offsets: Ends, data: Bytes, counts: Ends) -> None:
    """Write the words, in the order of `list_words`, each to its place among all."""
    number = 0
    for slot in range(len(table.entries)):
        if table.entries[slot, COUNT] != ZERO:
            place = places[number]
            number += 1
            counts[place] = np.int64(table.entries[slot, COUNT])
            write_word(table, slot, data, offsets[place], offsets[place + 1])


@kernel
def write_word(table: Table, slot: int, data: Bytes, start: int, end: int) -> None:
    """Write the bytes of a word."""
    low, high = table.entries[slot, LOW], table.entries[slot, HIGH]
    if table.entries[slot, TAG] & LENGTH_MASK == LONG:
        kept = table.long_ends[np.int64(high)]
        data[start:end] = table.long_bytes[kept : kept + end - start]
        return
    for at in range(start, end):
        data[at] = np.uint8(low & np.uint64(0xFF))
        low = low >> BYTE | high << np.uint64(56)
        high >>= BYTE
