"""Progress: both phases are reported, and a caller may stop a training in either."""

from __future__ import annotations

import pytest

import bpe
from tests.engine.trained import shakespeare


def test_both_phases_are_reported_from_start_to_end() -> None:
    reports: list[tuple[str, int, int]] = []
    text = shakespeare()[:20_000]
    bpe.train(text, num_merges=50, progress=lambda *report: reports.append(report))
    assert reports[0] == ("count", 0, 20_000)
    assert [phase for phase, _, _ in reports] == sorted(phase for phase, _, _ in reports)
    assert ("merge", 0, 50) in reports
    assert reports[-1] == ("merge", 50, 50)
    assert all(0 <= done <= total for _, done, total in reports)


@pytest.mark.parametrize("phase", ["count", "merge"])
def test_returning_false_cancels_in_either_phase(phase: str) -> None:
    with pytest.raises(bpe.TrainingCancelled, match=f"cancelled in the phase '{phase}'"):
        bpe.train("low low", num_merges=5, progress=lambda found, done, total: found != phase)


def test_only_false_cancels() -> None:
    """A callback that returns nothing, or 0, goes on."""
    for answer in (None, 0, True):
        run = bpe.train("low low", num_merges=2, progress=lambda *_, answer=answer: answer)
        assert len(run.steps) == 2


def test_a_training_is_cancelled_between_two_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no pause between reports, the third report of the merge phase stops it."""
    monkeypatch.setattr("bpe.progress.SECONDS_BETWEEN_REPORTS", 0.0)
    merges_seen: list[int] = []

    def stop_at_three(phase: str, done: int, total: int) -> bool:
        if phase == "merge" and done:
            merges_seen.append(done)
        return len(merges_seen) < 3

    with pytest.raises(bpe.TrainingCancelled, match="at 3 of 20"):
        bpe.train(shakespeare()[:5_000], num_merges=20, progress=stop_at_three)
    assert merges_seen == [1, 2, 3]


def test_counting_is_reported_within_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a text of many megabytes can be cancelled before its words are counted."""
    monkeypatch.setattr("bpe.progress.SECONDS_BETWEEN_REPORTS", 0.0)
    reports: list[tuple[str, int, int]] = []
    text = shakespeare()[:99_000]  # above this size the kernels may count, in one go
    bpe.train(text, num_merges=0, progress=lambda *report: reports.append(report))
    counted = [done for phase, done, _ in reports if phase == "count"]
    assert len(counted) > 5
    assert counted == sorted(counted)
    assert counted[-1] == len(text)


def test_an_error_in_the_callback_reaches_the_caller() -> None:
    def fail(phase: str, done: int, total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bpe.train("low", num_merges=1, progress=fail)
