"""Long work beside the page: a thread whose progress can be asked for and which can be stopped.

Knows nothing of Streamlit, so that it can be tested and used without a page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from bpe.errors import TrainingCancelled

T = TypeVar("T")
Progress: TypeAlias = Callable[[str, int, int], bool]

THREAD_PREFIX = "bpe-training"
# How long the work goes on when nobody asks for its progress: then the tab was closed.
PATIENCE_SECONDS = 60.0
# How long to wait for a cancelled thread. The engine reports several times a second.
JOIN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far the work is: `done` of `total` in the phase's unit; total 0 is not known yet."""

    phase: str
    done: int
    total: int

    @property
    def fraction(self) -> float:
        """Give the part done, 0 to 1."""
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0


class TrainingJob(Generic[T]):
    """One piece of work in a thread of its own; made by `TrainingJob.start`.

    >>> job = TrainingJob.start(lambda progress: progress("merge", 1, 2) and 42)
    >>> job.wait(10)
    True
    >>> job.result()
    42
    """

    def __init__(
        self,
        work: Callable[[Progress], T],
        *,
        key: str = "",
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.key = key
        self._work = work
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._last_asked = clock()
        self._snapshot = Snapshot("", 0, 0)
        self._stop = threading.Event()
        self._result: T | None = None
        self._error: BaseException | None = None
        name = f"{THREAD_PREFIX}-{key[:12]}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @classmethod
    def start(
        cls,
        work: Callable[[Progress], T],
        *,
        key: str = "",
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> TrainingJob[T]:
        """Start `work(progress)` in a thread; `key` says which inputs it works on.

        The work must call `progress(phase, done, total)` a few times a second and stop when it
        gives False, as `bpe.train` does.
        """
        job = cls(work, key=key, patience_seconds=patience_seconds, clock=clock)
        job._thread.start()
        return job

    @property
    def done(self) -> bool:
        """Tell whether the work has ended, in whatever way."""
        return not self._thread.is_alive()

    @property
    def error(self) -> BaseException | None:
        """Give what ended the work, None if it goes on or ended well."""
        return self._error if self.done else None

    @property
    def cancelled(self) -> bool:
        """Tell whether the work ended because it was told to."""
        return isinstance(self.error, TrainingCancelled)

    def result(self) -> T:
        """Give what the work returned; raises what it raised, RuntimeError while it goes on."""
        if not self.done:
            raise RuntimeError("the work goes on: wait until `done`")
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]  # set whenever there is no error

    def snapshot(self) -> Snapshot:
        """Give how far the work is; asking keeps it alive."""
        self._last_asked = self._clock()
        return self._snapshot

    def cancel(self) -> None:
        """Tell the work to stop and wait briefly until it has."""
        self._stop.set()
        self._thread.join(JOIN_SECONDS)

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until the work has ended; tells whether it has."""
        self._thread.join(timeout_seconds)
        return self.done

    def _run(self) -> None:
        try:
            self._result = self._work(self._progress)
        except BaseException as error:  # kept for result(), which raises it where it can be shown
            self._error = error

    def _progress(self, phase: str, done: int, total: int) -> bool:
        self._snapshot = Snapshot(phase, done, total)
        is_forgotten = self._clock() - self._last_asked > self._patience_seconds
        return not (self._stop.is_set() or is_forgotten)
