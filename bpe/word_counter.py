"""Counting the words of parts of a text one after another, in a table that grows.

The table and the work on it are kernels' (`_kernels.counting`, `_kernels.tables`); here is what
makes room for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bpe._kernels.class_table import PATTERN_CODES, Bytes, Ends, class_table
from bpe._kernels.counting import (
    BATCH,
    N_LONG,
    N_WORDS,
    Numbers,
    Table,
    count_documents,
    most_words,
)
from bpe._kernels.tables import hand_over, list_words, move_entries, write_words
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
        self._table = Table(
            _free_slots(_SLOTS_AT_FIRST),
            np.empty(_LONG_BYTES_AT_FIRST, np.uint8),
            np.zeros(_LONG_WORDS_AT_FIRST, np.int64),
            np.zeros(2, np.int64),
        )

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

    def _double_slots(self) -> None:
        entries = self._table.entries
        larger = _free_slots(2 * len(entries))
        move_entries(entries, larger)
        self._table = self._table._replace(entries=larger)

    def _make_room(self, n_bytes: int) -> None:
        """Double what is full; the next long word is at most `n_bytes` long."""
        _, long_bytes, long_ends, sizes = self._table
        n_long = int(sizes[N_LONG])
        if sizes[N_WORDS] + BATCH > most_words(self._table):
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

    In the order in which they first occur. The counters cannot be used any more.

    >>> words_of([]).total
    0
    """
    tables = [counter._table for counter in counters]
    for number, table in enumerate(tables):
        for earlier in tables[:number]:
            hand_over(table, earlier)
    n_most = sum(int(table.sizes[N_WORDS]) for table in tables)
    firsts, lengths = np.empty((2, n_most), np.int64)
    starts = [0]
    for table in tables:
        starts.append(starts[-1] + list_words(table, firsts[starts[-1] :], lengths[starts[-1] :]))
    return _in_order(tables, starts, firsts[: starts[-1]], lengths[: starts[-1]])


def _in_order(tables: list[Table], starts: list[int], firsts: Ends, lengths: Ends) -> WordTable:
    """Put the words of the tables, listed from `starts` on, in the order of their first places."""
    order = np.argsort(firsts)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(lengths[order], out=offsets[1:])
    data, counts = np.empty(offsets[-1], np.uint8), np.empty(len(order), np.int64)
    for table, (start, stop) in zip(tables, pairwise(starts), strict=True):
        write_words(table, places[start:stop], offsets, data, counts)
    return WordTable(data, offsets, counts)


def _free_slots(n_slots: int) -> Numbers:
    """Return entries that are zero and cross no cache line: two of them fill one."""
    room = np.zeros(4 * n_slots + 8, np.uint64)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + 4 * n_slots].reshape(n_slots, 4)
