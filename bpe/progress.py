"""Telling a caller how far a long piece of work is, a few times a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from bpe.errors import ConfigError, TrainingCancelled

Progress: TypeAlias = Callable[[str, int, int], object]

SECONDS_BETWEEN_REPORTS = 0.1


class Ticker:
    """Passes progress on to a callback, never more often than ten times a second.

    The callback gets (phase, done, total) and cancels by returning False: then the next report
    raises TrainingCancelled. Without a callback nothing is reported.

    >>> seen = []
    >>> ticker = Ticker(lambda *report: seen.append(report))
    >>> ticker.report("merge", 0, 9)
    >>> seen
    [('merge', 0, 9)]
    """

    def __init__(self, progress: Progress | None) -> None:
        if progress is not None and not callable(progress):
            raise ConfigError(f"progress must be a function (phase, done, total), not {progress!r}")
        self._progress = progress
        self._next_report = 0.0

    def tick(self, phase: str, done: int, total: int) -> None:
        """Report unless the last report is too recent."""
        if self._progress is not None and time.monotonic() >= self._next_report:
            self.report(phase, done, total)

    def report(self, phase: str, done: int, total: int) -> None:
        """Report now; raises TrainingCancelled if the callback says so."""
        if self._progress is None:
            return
        if self._progress(phase, done, total) is False:
            raise TrainingCancelled(
                f"training was cancelled in the phase {phase!r} at {done:,} of {total:,}"
            )
        self._next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
