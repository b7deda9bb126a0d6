"""Counting the words of parts of a text one after another, in a table that grows.

The table and the work on it are kernels' (`_kernels.counting`, `_kernels.tables`); here is what
makes room for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bpe._kernels.class_table import PATTERN_CODES, Bytes, Ends, class_table
from bpe._kernels.counting import N_LONG, N_WORDS, Table, count_documents, most_words
from bpe._kernels.tables import add_table, list_words, move_entries, write_words
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
    >>> dict(counter.words())
    {'to': 2, 'be': 2, 'or': 1, 'not': 1}
    """

    def __init__(self, pattern: str) -> None:
        """Start with no words; the pattern is one of `PATTERN_NAMES`."""
        self._pattern = PATTERN_CODES[pattern]
        self._classes = class_table(pattern)
        self._table = Table(
            np.zeros((_SLOTS_AT_FIRST, 4), np.uint64),
            np.empty(_LONG_BYTES_AT_FIRST, np.uint8),
            np.zeros(_LONG_WORDS_AT_FIRST, np.int64),
            np.zeros(2, np.int64),
        )

    def __len__(self) -> int:
        return int(self._table.sizes[N_WORDS])

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

    def add_counter(self, other: WordCounter) -> None:
        """Add what another one counted in other parts of the same text."""
        slot, source = 0, other._table
        # Words come in the order of their slots, so a table that is too small would fill up from
        # one end, with ever longer searches.
        while most_words(self._table) < len(self) + len(other):
            self._double_slots()
        while (slot := add_table(self._table, slot, source)) < len(source.entries):
            self._make_room(int(source.long_ends[source.sizes[N_LONG]]))

    def words(self) -> WordTable:
        """Return the words in the order in which they first occur, with their counts."""
        slots, firsts, lengths = np.empty((3, len(self)), np.int64)
        list_words(self._table, slots, firsts, lengths)
        order = np.argsort(firsts)
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(lengths[order], out=offsets[1:])
        data, counts = np.empty(offsets[-1], np.uint8), np.empty(len(self), np.int64)
        write_words(self._table, slots[order], offsets, data, counts)
        return WordTable(data, offsets, counts)

    def _double_slots(self) -> None:
        entries = self._table.entries
        larger = np.zeros((2 * len(entries), 4), np.uint64)
        move_entries(entries, larger)
        self._table = self._table._replace(entries=larger)

    def _make_room(self, n_bytes: int) -> None:
        """Double what is full; the next long word is at most `n_bytes` long."""
        if len(self) >= most_words(self._table):
            self._double_slots()
            return
        _, long_bytes, long_ends, sizes = self._table
        n_long = int(sizes[N_LONG])
        if n_long + 1 == len(long_ends):
            longer = np.empty(2 * len(long_ends), np.int64)
            longer[: n_long + 1] = long_ends
            self._table = self._table._replace(long_ends=longer)
        else:
            n_used = int(long_ends[n_long])
            more_bytes = np.empty(max(2 * len(long_bytes), n_used + n_bytes), np.uint8)
            more_bytes[:n_used] = long_bytes[:n_used]
            self._table = self._table._replace(long_bytes=more_bytes)
