"""The training that Home shows already merging: its trace is kept in a file, ready to be sent.

Run `python -m pages.ui.home_trace` to write the file again after a change to the trace format;
a test compares it with a training made afresh.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bpe import TrainingRun, train
from bpe.samples import SAMPLES
from pages.ui.trace import trace_json

FILE: Final = Path(__file__).parent / "data" / "home_trace.json"
SAMPLE_ID: Final = "lowest"
N_MERGES: Final = 7


def home_run() -> TrainingRun:
    """Train the small corpus of Home.

    >>> [step.merged for step in home_run().steps]
    ['es', 'est', 'lo', 'low', 'ew', 'ewest', 'newest']
    """
    corpus = SAMPLES[SAMPLE_ID].load()
    return train(corpus, base="char", pattern="whitespace", num_merges=N_MERGES)


def home_trace() -> bytes:
    """Read the trace from its file."""
    return FILE.read_bytes()


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(trace_json(home_run()))
