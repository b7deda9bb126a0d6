"""Measures one bar: both sides by turns, the same result asked of both, and the ratio."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal

from tests.benchmarks.bars import Bar, Task
from tests.benchmarks.child import CannotMeasure, Runs, run_apart
from tests.benchmarks.corpora import Corpora, Corpus

OURSELVES = ("bpe.", "ourselves")  # rows that need no other library


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: medians and all runs, in seconds, MB/s or MB.

    `ratio` is how many times as fast, or as small, we are; `lowest` and `highest` are those of
    single turns. `status` is "measured", or "skipped" or "error" with the reason in `note`.
    """

    name: str
    work: str
    corpus: str
    peer: str
    status: Literal["measured", "skipped", "error"]
    unit: str = ""
    ours: float = 0.0
    theirs: float = 0.0
    ratio: float = 0.0
    lowest: float = 0.0
    highest: float = 0.0
    at_least: float | None = None
    aim: float | None = None
    note: str = ""
    our_runs: tuple[float, ...] = ()
    their_runs: tuple[float, ...] = ()

    @property
    def is_met(self) -> bool | None:
        """Whether the bar is reached; None where there is none or nothing was measured."""
        if self.at_least is None or self.status != "measured":
            return None
        return self.ratio >= self.at_least


def rows_of(bar: Bar, corpora: Corpora, n_runs: int | None = None) -> Iterator[Row]:
    """Measure a bar: yield a row of times, and one of memory where that is compared."""
    row = Row(
        bar.name, bar.work, bar.corpus, bar.peer, "skipped", at_least=bar.at_least, aim=bar.aim
    )
    if not bar.peer.startswith(OURSELVES) and find_spec(bar.peer) is None:
        yield replace(row, note=f"{bar.peer} is not installed")
        return
    corpus = corpora.find(bar.corpus) if bar.corpus else None
    if bar.corpus and corpus is None:
        yield replace(row, note=f"no {bar.corpus} in {corpora.folder}")
        return
    row = replace(row, corpus=corpus.title if corpus else "")
    try:
        yield from _measured(bar, corpus, row, n_runs or bar.n_runs)
    except CannotMeasure as error:
        is_missing = "ImportError" in str(error) or "ModuleNotFoundError" in str(error)
        yield replace(row, status="skipped" if is_missing else "error", note=str(error))


def _measured(bar: Bar, corpus: Corpus | None, row: Row, n_runs: int) -> Iterator[Row]:
    given = {"path": str(corpus.path)} if corpus else {}
    ours = bar.ours.on(**given)
    theirs, note = _fastest([task.on(**given) for task in bar.theirs], bar)
    mine, others = _by_turns(ours, theirs, bar, n_runs)
    difference = _difference(bar, mine, others, given)
    if difference:
        yield replace(row, status="error", note=difference)
        return
    yield _times(bar, replace(row, note=note), mine, others, corpus)
    if bar.compares_memory:
        yield _memory(bar, row, mine, others)


def _fastest(tasks: list[Task], bar: Bar) -> tuple[Task, str]:
    """Run each of several ways once; give the fastest, and its label."""
    if len(tasks) == 1:
        return tasks[0], ""
    seconds = [_run([task], 1, bar)[0].seconds[0] for task in tasks]
    best = tasks[seconds.index(min(seconds))]
    return best, best.label


def _by_turns(ours: Task, theirs: Task, bar: Bar, n_runs: int) -> tuple[Runs, Runs]:
    if not bar.apart:
        mine, others = _run([ours, theirs], n_runs, bar)
        return mine, others
    mine, others = Runs(), Runs()
    for _ in range(n_runs):
        mine.add(_run([ours], 1, bar)[0])
        others.add(_run([theirs], 1, bar)[0])
    return mine, others


def _run(tasks: list[Task], n_runs: int, bar: Bar) -> list[Runs]:
    requests = [(task.work, task.settings) for task in tasks]
    return run_apart(requests, n_runs, one_thread=bar.one_thread)


def _difference(bar: Bar, mine: Runs, others: Runs, given: dict[str, str]) -> str:
    """Say how the results differ; an empty text if they do not."""
    if bar.factor is not None:  # theirs is a part of our work
        return ""
    digests = set(mine.digests)
    if bar.equal_to is not None:
        digests = set(_run([bar.equal_to.on(**given)], 1, bar)[0].digests)
    if digests == set(others.digests) and len(digests) == 1:
        return ""
    return f"the results differ: {_short(digests)} here, {_short(set(others.digests))} there"


def _short(digests: set[str]) -> str:
    return " or ".join(sorted(digest[:30] for digest in digests))


def _times(bar: Bar, row: Row, mine: Runs, others: Runs, corpus: Corpus | None) -> Row:
    """A row of times, or of speeds where that is the unit."""
    factor = bar.factor or 1.0
    ratios = [factor * b / a for a, b in zip(mine.seconds, others.seconds, strict=True)]

    def shown(seconds: float) -> float:
        return corpus.n_bytes / 1e6 / seconds if bar.unit == "MB/s" and corpus else seconds

    ours = statistics.median(mine.seconds)
    theirs = factor * statistics.median(others.seconds)
    return replace(
        row, status="measured", unit=bar.unit, ours=shown(ours), theirs=shown(theirs),
        ratio=theirs / ours, lowest=min(ratios), highest=max(ratios),
        our_runs=tuple(map(shown, mine.seconds)),
        their_runs=tuple(shown(factor * seconds) for seconds in others.seconds),
    )  # fmt: skip


def _memory(bar: Bar, row: Row, mine: Runs, others: Runs) -> Row:
    our_runs, their_runs = (tuple(n / 1e6 for n in runs.peak_bytes) for runs in (mine, others))
    ours, theirs = statistics.median(our_runs), statistics.median(their_runs)
    ratios = [b / a for a, b in zip(our_runs, their_runs, strict=True)]
    return replace(
        row, name=f"{bar.name}-memory", work=f"{bar.work}, peak memory", status="measured",
        unit="MB", ours=ours, theirs=theirs, ratio=theirs / ours, lowest=min(ratios),
        highest=max(ratios), at_least=bar.least_memory, aim=bar.aimed_memory, our_runs=our_runs,
        their_runs=their_runs,
    )  # fmt: skip
