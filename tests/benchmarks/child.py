"""A process of its own for what is timed: `run_apart` starts it, `main` is what it does.

So its peak memory is its own, and a peer that crashes takes nothing else with it.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_MODULES = ("tests.benchmarks.training_works", "tests.benchmarks.encoding_works")


class CannotMeasure(Exception):
    """What was to be timed did not run; the message says why."""


@dataclass(slots=True)
class Runs:
    """The runs of one piece of work: seconds each, what came out, and the most memory taken.

    `getting_ready` is how long it took before each run to load and to make ready.
    """

    seconds: list[float] = field(default_factory=list)
    getting_ready: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)

    def add(self, more: Runs) -> None:
        """Take over the runs of another process."""
        for name in ("seconds", "getting_ready", "peak_bytes", "digests"):
            getattr(self, name).extend(getattr(more, name))


def run_apart(
    tasks: Sequence[tuple[str, dict[str, Any]]], n_runs: int = 1, *, one_thread: bool = False
) -> list[Runs]:
    """Run pieces of work by turns in a new process; raises CannotMeasure if one fails."""
    request = json.dumps({"tasks": tasks, "n_runs": n_runs, "one_thread": one_thread})
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.child", request],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise CannotMeasure(lines[-1] if lines else f"it ended with {done.returncode}")
    return [Runs(**runs) for runs in json.loads(done.stdout.splitlines()[-1])]


def main(request: str) -> None:
    """Do what `run_apart` asks for, and print what it gives as JSON."""
    asked = json.loads(request)
    if asked["one_thread"]:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    all_runs = [Runs() for _ in asked["tasks"]]
    for _ in range(asked["n_runs"]):
        for (work, settings), runs in zip(asked["tasks"], all_runs, strict=True):
            _run_once(work, settings, runs)
    print(json.dumps([{name: getattr(runs, name) for name in Runs.__slots__} for runs in all_runs]))


def _run_once(work: str, settings: dict[str, Any], runs: Runs) -> None:
    started = time.perf_counter()
    ready = _work(work)(**settings)
    gc.collect()
    runs.getting_ready.append(time.perf_counter() - started)
    started = time.perf_counter()
    result = ready.run()
    runs.seconds.append(time.perf_counter() - started)
    runs.peak_bytes.append(_peak_bytes())
    runs.digests.append(ready.digest(result))


def _work(name: str) -> Any:
    for module in map(import_module, _MODULES):
        if hasattr(module, name):
            return getattr(module, name)
    raise ValueError(f"no work is named {name!r}")


def _peak_bytes() -> int:
    """The most memory this process has held.

    Linux counts in `ru_maxrss` that of the process which started this one too, so the number for
    the process alone is taken where it can be read.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        if "VmHWM" in lines:
            return int(lines["VmHWM"].split()[0]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main(sys.argv[1])
