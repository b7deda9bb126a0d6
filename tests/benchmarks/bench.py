"""How much faster the trainer is than the reference, on the same text and with the same merges.

Run `make bench`, or `python -m tests.benchmarks.bench --json` for numbers a program can read.
The ratio says more than seconds do: both sides run on the same machine at the same time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

import bpe
from bpe.samples import SAMPLES

T = TypeVar("T")

N_BYTES = 100_000
N_MERGES = 500
PATTERN = "gpt2"


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds of both trainers (medians), and how many times faster the first is."""

    name: str
    n_merges: int
    trainer_seconds: float
    reference_seconds: float
    ratio: float


def first_bytes(n_bytes: int) -> str:
    """Give the first bytes of tinyshakespeare, which is ASCII: any cut is between characters."""
    text = SAMPLES["shakespeare"].load()
    assert isinstance(text, str)
    return text[:n_bytes]


def train_fast(text: str, n_merges: int) -> list[tuple[bytes, bytes]]:
    """Train with the engine; gives the merges."""
    run = bpe.train(text, base="byte", pattern=PATTERN, num_merges=n_merges)
    return [(step.left, step.right) for step in run.steps]


def train_reference(text: str, n_merges: int) -> list[tuple[bytes, bytes]]:
    """Train with the reference, which takes words with their counts; gives the merges."""
    words = Counter(pre_token.text for pre_token in bpe.pre_tokenize(text, PATTERN))
    return bpe.reference.train_bpe(words, n_merges, base="byte")


def median_seconds(work: Callable[[], T], n_repeats: int) -> tuple[float, T]:
    """Run some work several times; gives the median of its seconds, and its result."""
    seconds = []
    for _ in range(n_repeats):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def compare(
    n_bytes: int = N_BYTES,
    n_merges: int = N_MERGES,
    n_repeats: int = 5,
    n_reference_repeats: int = 3,
) -> Result:
    """Time both trainers on the same text; RuntimeError if their merges differ."""
    text = first_bytes(n_bytes)
    fast, merges = median_seconds(lambda: train_fast(text, n_merges), n_repeats)
    slow, expected = median_seconds(lambda: train_reference(text, n_merges), n_reference_repeats)
    if merges != expected:
        place = next(i for i, pair in enumerate(expected) if merges[i : i + 1] != [pair])
        raise RuntimeError(f"merge {place} differs: {merges[place]} here, {expected[place]} there")
    name = f"train {n_bytes:,} bytes, byte base, {PATTERN}, {n_merges} merges"
    return Result(name, len(merges), fast, slow, slow / fast)


def main(arguments: Sequence[str]) -> None:
    """Print the results, as a sentence each or with `--json` as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    result = compare()
    if options.json:
        print(json.dumps(asdict(result), indent=1))
    else:
        print(f"{result.name}: the same {result.n_merges} merges, medians")
        print(f"  trainer   {result.trainer_seconds:8.3f} s")
        print(f"  reference {result.reference_seconds:8.3f} s")
        print(f"  ratio     {result.ratio:8.1f} times faster")


if __name__ == "__main__":
    main(sys.argv[1:])
