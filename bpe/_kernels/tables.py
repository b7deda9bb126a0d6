"""Tables of counted words as wholes: into a larger one, two into one, and out as a list."""

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
    N_WORDS,
    TAG,
    ZERO,
    Numbers,
    Table,
    add_long_word,
    add_word,
    fill_slot,
    first_slot,
    has_room,
    hash_of,
    most_words,
    next_slot,
)


@kernel
def move_entries(source: Numbers, entries: Numbers) -> None:
    """Put the entries of a table into empty slots of a larger one."""
    for old in range(len(source)):
        low, high, tag = source[old, LOW], source[old, HIGH], source[old, TAG]
        if tag != ZERO:
            digest = low if tag & LENGTH_MASK == LONG else hash_of(low, high)
            slot = first_slot(entries, digest)
            while entries[slot, TAG] != ZERO:
                slot = next_slot(entries, slot)
            fill_slot(entries, slot, low, high, tag, source[old, COUNT])


@kernel
def add_table(table: Table, slot: int, source: Table) -> int:
    """Add the words of another table from a slot on; returns the slot that found no room."""
    n_most = most_words(table)
    while slot < len(source.entries) and table.sizes[N_WORDS] < n_most:
        low, high = source.entries[slot, LOW], source.entries[slot, HIGH]
        tag, count = source.entries[slot, TAG], source.entries[slot, COUNT]
        if tag & LENGTH_MASK == LONG:
            start, end = source.long_ends[np.int64(high)], source.long_ends[np.int64(high) + 1]
            if not has_room(table, end - start):
                return slot
            add_long_word(table, source.long_bytes, start, end, low, tag, count)
        elif tag != ZERO:
            add_word(table, low, high, hash_of(low, high), tag, count)
        slot += 1
    return slot


@kernel
def list_words(table: Table, slots: Ends, firsts: Ends, lengths: Ends) -> None:
    """Write of each word its slot, where it first occurred, and its length in bytes."""
    number = 0
    for slot in range(len(table.entries)):
        tag = table.entries[slot, TAG]
        if tag != ZERO:
            length = np.int64(tag & LENGTH_MASK)
            if length == LONG:
                place = np.int64(table.entries[slot, HIGH])
                length = table.long_ends[place + 1] - table.long_ends[place]
            slots[number] = slot
            firsts[number] = np.int64(tag >> LENGTH_BITS)
            lengths[number] = length
            number += 1


@kernel
def write_words(table: Table, slots: Ends, offsets: Ends, data: Bytes, counts: Ends) -> None:
    """Write the words of some slots to `data`, each at its offset, and their counts."""
    for number in range(len(slots)):
        slot = slots[number]
        low, high = table.entries[slot, LOW], table.entries[slot, HIGH]
        at, end = offsets[number], offsets[number + 1]
        counts[number] = np.int64(table.entries[slot, COUNT])
        if table.entries[slot, TAG] & LENGTH_MASK == LONG:
            kept = table.long_ends[np.int64(high)]
            data[at:end] = table.long_bytes[kept : kept + end - at]
        else:
            for place in range(at, end):
                data[place] = np.uint8(low & np.uint64(0xFF))
                low = low >> BYTE | high << np.uint64(56)
                high >>= BYTE
