"""A training that goes no further until a test lets it go: no test counts on one being slow."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from bpe import TrainerConfig, TrainingRun, train_with
from bpe.progress import Progress

SECONDS_BETWEEN_REPORTS = 0.02


class HeldTrainings:
    """Stands in for `train_with`: while held, a training stops at its first report of merges.

    It goes on to report, one merge more each time, and ends when it is cancelled as always does.
    `from_merges` leaves trainings alone that ask for fewer merges.
    """

    def __init__(self, *, held: bool, from_merges: int = 0) -> None:
        self._may_go = threading.Event()
        self._from_merges = from_merges
        if not held:
            self._may_go.set()

    def hold(self) -> None:
        """Let no training get further from now on."""
        self._may_go.clear()

    def let_go(self) -> None:
        """Let all trainings go on to their end."""
        self._may_go.set()

    def __call__(self, corpus: Any, config: TrainerConfig, progress: Progress) -> TrainingRun:
        """Train as `bpe.train_with` does."""
        if (config.num_merges or 0) < self._from_merges:
            return train_with(corpus, config, progress)
        return train_with(corpus, config, partial(self._report, progress))

    def _report(self, progress: Progress, phase: str, done: int, total: int) -> object:
        answer = progress(phase, done, total)
        while phase == "merge" and answer is not False:
            if self._may_go.wait(SECONDS_BETWEEN_REPORTS):
                break
            done += 1
            answer = progress(phase, done, total)
        return answer
