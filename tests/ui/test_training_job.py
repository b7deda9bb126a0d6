"""Work in the background: it reports, can be stopped, and never outlives its page."""

from __future__ import annotations

import threading

import pytest

import bpe
from pages.ui.training_job import THREAD_PREFIX, Progress, Snapshot, TrainingJob

WAIT = 20.0  # generous: only a hanging thread would need it


class Work:
    """Work that reports until told to stop or to finish, under the test's control."""

    def __init__(self) -> None:
        self.reported = threading.Event()
        self.finish = threading.Event()

    def __call__(self, progress: Progress) -> str:
        done = 0
        while not self.finish.wait(0.005):
            done += 1
            if not progress("merge", done, 10**6):
                raise bpe.TrainingCancelled("stopped")
            self.reported.set()
        return "finished"


def threads() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith(THREAD_PREFIX)]


def test_a_job_gives_the_result_of_its_work() -> None:
    job = TrainingJob.start(lambda progress: 42)
    assert job.wait(WAIT)
    assert job.result() == 42
    assert job.error is None
    assert not job.cancelled


def test_a_running_job_tells_how_far_it_is_and_has_no_result_yet() -> None:
    work = Work()
    job = TrainingJob.start(work)
    assert work.reported.wait(WAIT)
    snapshot = job.snapshot()
    assert (snapshot.phase, snapshot.total) == ("merge", 10**6)
    assert snapshot.done > 0
    with pytest.raises(RuntimeError, match="goes on"):
        job.result()
    work.finish.set()
    assert job.wait(WAIT)
    assert job.result() == "finished"


def test_a_cancelled_job_leaves_no_thread_behind() -> None:
    work = Work()
    job = TrainingJob.start(work)
    assert work.reported.wait(WAIT)
    assert threads()
    job.cancel()
    assert job.wait(WAIT)
    assert job.cancelled
    assert threads() == []
    with pytest.raises(bpe.TrainingCancelled):
        job.result()


def test_a_job_nobody_asks_about_stops_by_itself() -> None:
    """A closed tab asks no more; the clock of the test jumps past the job's patience."""
    now = [0.0]
    work = Work()
    job = TrainingJob.start(work, patience_seconds=60, clock=lambda: now[0])
    assert work.reported.wait(WAIT)
    now[0] = 59.0
    job.snapshot()
    now[0] = 118.0
    work.reported.clear()
    assert work.reported.wait(WAIT), "asked 59 seconds ago: goes on"
    now[0] = 120.0
    assert job.wait(WAIT)
    assert job.cancelled


def test_an_error_of_the_work_is_raised_where_the_result_is_asked() -> None:
    def fail(progress: Progress) -> None:
        raise bpe.ConfigError("no such pattern")

    job = TrainingJob.start(fail)
    assert job.wait(WAIT)
    assert not job.cancelled
    with pytest.raises(bpe.ConfigError, match="no such pattern"):
        job.result()


def test_the_engine_stops_when_the_job_is_cancelled() -> None:
    """A real training, large enough to report many times, ends early and raises its own error."""
    started = threading.Event()
    words = {f"{n:x}{n * 7919:x}{n * 104729:x}": n for n in range(1, 4000)}

    def train(progress: Progress) -> bpe.TrainingRun:
        def report(phase: str, done: int, total: int) -> bool:
            started.set()
            return progress(phase, done, total)

        return bpe.train(words, base="char", pattern="none", num_merges=10**6, progress=report)

    job = TrainingJob.start(train)
    assert started.wait(WAIT)
    job.cancel()
    assert job.wait(WAIT)
    assert job.cancelled


def test_a_snapshot_never_exceeds_the_whole() -> None:
    assert Snapshot("merge", 1, 4).fraction == 0.25
    assert Snapshot("merge", 9, 4).fraction == 1.0
    assert Snapshot("", 0, 0).fraction == 0.0
