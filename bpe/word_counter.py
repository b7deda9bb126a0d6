"""Counting the words of parts of a text one after another, in a table that grows.

The table and the work on it are kernels' (`_kernels.counting`, `_kernels.tables`); here is what
makes room for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from bpe._kernels.class_table import PATTERN_CODES, Bytes, Ends, class_table
from bpe._kernels.counting import (
    BATCH,
    N_LONG,
    N_WORDS,
    SHORT,
    TAG,
    Numbers,
    Table,
    count_documents,
    most_words,
)
from bpe._kernels.tables import hand_over, list_entries, move_entries, write_words
from bpe.word_table import WordTable

_BYTES_AT_ONCE = 1 << 20
_SLOTS_AT_FIRST = 1 << 14
_LONG_WORDS_AT_FIRST = 1 << 10
_LONG_BYTES_AT_FIRST = 1 << 15


class Block(NamedTuple):
    """A part of a text to count: documents in `data` from `start` on, that end at `stops`.

    `data` is valid UTF-8, and no pre-token crosses the start, a stop, or the end of the part.
    `position` is what to add to a place in `data` to have it in the whole.
    """

    data: Bytes
    start: int
    stops: Ends
    position: int


class WordCounter:
    """The words counted so far.

    >>> counter = WordCounter("whitespace")
    >>> text = np.frombuffer(b"to be or not to be", np.uint8)
    >>> counter.add(Block(text, 0, np.array([len(text)]), 0))
    >>> dict(words_of([counter]))
    {'to': 2, 'be': 2, 'or': 1, 'not': 1}
    """

    def __init__(self, pattern: str) -> None:
        """Start with no words; the pattern is one of `PATTERN_NAMES`."""
        self._pattern = PATTERN_CODES[pattern]
        self._classes = class_table(pattern)
        self._table = _empty_table()

    def add(self, block: Block, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Count the words of a part; when cancelled, stop a few milliseconds later."""
        at, stop = block.start, int(block.stops[-1])
        while at < stop and not is_cancelled():
            until = min(at + _BYTES_AT_ONCE, stop)
            at = count_documents(
                block.data, at, until, block.stops, block.position, self._pattern, self._classes,
                self._table,
            )  # fmt: skip
            if at < until:
                self._make_room(stop - at)

    def take_table(self) -> Table:
        """Return the table of the words so far, and start anew."""
        table, self._table = self._table, _empty_table()
        return table

    def _double_slots(self) -> None:
        entries = self._table.entries
        larger = _free_slots(2 * len(entries))
        move_entries(entries, larger)
        self._table = self._table._replace(entries=larger)

    def _make_room(self, n_bytes: int) -> None:
        """Double what is full; the next long word is at most `n_bytes` long."""
        _, long_bytes, long_ends, sizes = self._table
        n_long = int(sizes[N_LONG])
        if sizes[N_WORDS] + BATCH > most_words(self._table.entries):
            self._double_slots()
        elif n_long + 1 == len(long_ends):
            longer = np.empty(2 * len(long_ends), np.int64)
            longer[: n_long + 1] = long_ends
            self._table = self._table._replace(long_ends=longer)
        else:
            n_used = int(long_ends[n_long])
            more_bytes = np.empty(max(2 * len(long_bytes), n_used + n_bytes), np.uint8)
            more_bytes[:n_used] = long_bytes[:n_used]
            self._table = self._table._replace(long_bytes=more_bytes)


def words_of(counters: Sequence[WordCounter]) -> WordTable:
    """Return the words of counters that shared the parts of one text between them.

    In the order in which they first occur. The counters are empty afterwards.

    >>> words_of([]).total
    0
    """
    tables = [counter.take_table() for counter in counters]
    for number in range(len(tables)):
        for earlier in range(number):
            hand_over(tables[number], tables[earlier])
    rows = np.empty((sum(int(table.sizes[N_WORDS]) for table in tables), 4), np.uint64)
    long_bytes, long_ends = [np.empty(0, np.uint8)], [np.zeros(1, np.int64)]
    n_rows = n_long = n_bytes = 0
    while tables:  # each is freed when it is listed
        table = tables.pop()
        n_rows += list_entries(table, n_long, rows[n_rows:])
        ends = table.long_ends[1 : int(table.sizes[N_LONG]) + 1]
        n_own_bytes = int(ends[-1]) if len(ends) else 0
        long_ends.append(ends + n_bytes)
        long_bytes.append(table.long_bytes[:n_own_bytes])
        n_long, n_bytes = n_long + len(ends), n_bytes + n_own_bytes
        del table
    return _in_order(rows[:n_rows], np.concatenate(long_bytes), np.concatenate(long_ends))


def _in_order(rows: Numbers, long_bytes: Bytes, long_ends: Ends) -> WordTable:
    """Put the words of entries in the order of their first places."""
    order = np.argsort(rows[:, TAG])
    data = np.empty(SHORT * len(rows) + len(long_bytes), np.uint8)
    offsets, counts = np.zeros(len(rows) + 1, np.int64), np.empty(len(rows), np.int64)
    write_words(rows, order, long_bytes, long_ends, data, offsets, counts)
    return WordTable(data[: offsets[-1]], offsets, counts)


def _empty_table() -> Table:
    return Table(
        _free_slots(_SLOTS_AT_FIRST),
        np.empty(_LONG_BYTES_AT_FIRST, np.uint8),
        np.zeros(_LONG_WORDS_AT_FIRST, np.int64),
        np.zeros(2, np.int64),
    )


def _free_slots(n_slots: int) -> Numbers:
    """Return entries that are zero and cross no cache line: two of them fill one."""
    room = np.zeros(4 * n_slots + 8, np.uint64)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + 4 * n_slots].reshape(n_slots, 4)
