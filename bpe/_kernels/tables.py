"""Tables of counted words as wholes: into a larger one, one against another, and out as a list.

Slots ascend with the hash in every table, so going through one table and looking up its words in
another goes through both from start to end.
"""

from __future__ import annotations

import numpy as np

from bpe._kernels.class_table import Bytes, Ends
from bpe._kernels.compiling import lean_kernel
from bpe._kernels.counting import (
    AHEAD,
    COUNT,
    HIGH,
    LENGTH_MASK,
    LONG,
    LOW,
    SHORT,
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
from bpe._kernels.intrinsics import prefetch, put_eight_bytes


@lean_kernel
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


@lean_kernel
def hand_over(source: Table, table: Table) -> None:
    """Move the counts of those words of `source` that are in `table` too."""
    others, other_bytes, other_ends, _ = source
    entries, long_bytes, long_ends, _ = table
    for old in range(len(others)):
        if others[old, COUNT] != ZERO:
            low, high, tag = others[old, LOW], others[old, HIGH], others[old, TAG]
            if tag & LENGTH_MASK == LONG:
                start, end = other_ends[np.int64(high)], other_ends[np.int64(high) + 1]
                slot = slot_of_long(entries, long_bytes, long_ends, other_bytes, start, end, low)
            else:
                slot = slot_of(entries, low, high, hash_of(low, high), tag)
            if entries[slot, COUNT] != ZERO:
                entries[slot, COUNT] += others[old, COUNT]
                entries[slot, TAG] = min(entries[slot, TAG], tag)
                others[old, COUNT] = ZERO


@lean_kernel
def list_entries(table: Table, n_long: int, rows: Numbers) -> int:
    """Write the entries of a table one after another to `rows`; returns how many there are.

    The numbers of their long words start from `n_long`.
    """
    entries = table.entries
    n_words = 0
    for slot in range(len(entries)):
        if entries[slot, COUNT] != ZERO:
            tag = entries[slot, TAG]
            rows[n_words, LOW] = entries[slot, LOW]
            rows[n_words, HIGH] = entries[slot, HIGH]
            if tag & LENGTH_MASK == LONG:
                rows[n_words, HIGH] += np.uint64(n_long)
            rows[n_words, TAG] = tag
            rows[n_words, COUNT] = entries[slot, COUNT]
            n_words += 1
    return n_words


@lean_kernel
def write_words(
    rows: Numbers, order: Ends, long_bytes: Bytes, long_ends: Ends,
    data: Bytes, offsets: Ends, counts: Ends,
) -> None:  # fmt: skip
    """Write the words of entries in an order, one after another; the first offset is 0.

    In `data` there must be room for 16 bytes a word beside the long ones.
    """
    for number in range(len(order)):
        prefetch(rows, 4 * order[min(number + AHEAD, len(order) - 1)])
        row, at = order[number], offsets[number]
        length = np.int64(rows[row, TAG] & LENGTH_MASK)
        if length <= SHORT:
            # Too many bytes perhaps: the next word is written over them.
            put_eight_bytes(data, at, rows[row, LOW])
            put_eight_bytes(data, at + 8, rows[row, HIGH])
        else:
            kept = long_ends[np.int64(rows[row, HIGH])]
            length = long_ends[np.int64(rows[row, HIGH]) + 1] - kept
            for place in range(length):
                data[at + place] = long_bytes[kept + place]
        offsets[number + 1] = at + length
        counts[number] = np.int64(rows[row, COUNT])
