"""Counting blocks of text in threads, each in a table of its own."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from threading import Event, local
from typing import TypeAlias

from bpe.thread_count import number_of_threads
from bpe.word_counter import Block, WordCounter, words_of
from bpe.word_table import WordTable

Tick: TypeAlias = Callable[[int, int], object]

BLOCKS_A_THREAD = 2  # at most so many wait or are counted
SECONDS_BETWEEN_TICKS = 0.05


class Meter:
    """How much of a text was taken up so far, and who is told.

    >>> meter = Meter(9, lambda done, total: print(done, "of", total))
    >>> meter.add(4)
    >>> meter.report(meter.n_taken)
    4 of 9
    """

    def __init__(self, total: int, tick: Tick | None) -> None:
        """Measure a text of length `total`, 0 if that is not known."""
        self.n_taken = 0
        self._total = total
        self._tick = tick
        self._next_tick = 0.0

    def add(self, length: int) -> None:
        """Note that so much more was taken up."""
        self.n_taken += length

    def report(self, done: int, *, always: bool = False) -> None:
        """Say how much is done, unless that was said just before."""
        if self._tick is not None and (always or time.monotonic() >= self._next_tick):
            self._tick(done, max(self._total, done))
            self._next_tick = time.monotonic() + SECONDS_BETWEEN_TICKS


def count_blocks(
    blocks: Iterable[Block], pattern: str, meter: Meter, n_threads: int | None = None
) -> WordTable:
    """Count the blocks of a text, which come in its order, with the compiled kernels.

    The blocks are asked for in the caller's thread, a few ahead of those that are counted; taking
    them moves the meter on. What an iterator or the meter's tick raises ends the counting within
    a fraction of a second. Raises ConfigError for a number of threads that is none.
    """
    n_threads = number_of_threads(n_threads)
    crew = _Crew(pattern)
    running: deque[tuple[Future[None], int]] = deque()
    done = 0
    with ThreadPoolExecutor(n_threads, "count-words") as pool:
        try:
            for block in blocks:
                running.append((pool.submit(crew.count, block), meter.n_taken))
                while len(running) >= BLOCKS_A_THREAD * n_threads:
                    done = _after_first(running, done, meter)
            while running:
                done = _after_first(running, done, meter)
        except BaseException:
            crew.stop()
            raise
    meter.report(meter.n_taken, always=True)
    return words_of(crew.counters)


def _after_first(running: deque[tuple[Future[None], int]], done: int, meter: Meter) -> int:
    """Wait a moment for the first block; return how much is done then."""
    try:
        running[0][0].result(timeout=SECONDS_BETWEEN_TICKS)
        done = running.popleft()[1]
    except StillRunning:
        pass
    meter.report(done)
    return done


class _Crew:
    """Threads that count, each with a counter of its own."""

    def __init__(self, pattern: str) -> None:
        self.counters: list[WordCounter] = []
        self._pattern = pattern
        self._mine = local()
        self._stopped = Event()

    def count(self, block: Block) -> None:
        if not hasattr(self._mine, "counter"):
            self._mine.counter = WordCounter(self._pattern)
            self.counters.append(self._mine.counter)
        self._mine.counter.add(block, self._stopped.is_set)

    def stop(self) -> None:
        self._stopped.set()
