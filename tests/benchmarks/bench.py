"""How fast training and encoding are beside the fastest other libraries, in one run.

Run `make bench`, or `python -m tests.benchmarks.bench --quick`. Both sides of each row run by
turns on the same machine, so the ratio says more than seconds do; what they give must be equal,
else the row is an error and the exit code 1. Imports, compiling, loading kernels and tables are
not timed. Trainings of large texts run in a process each, whose peak memory is compared too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks import machine, report
from tests.benchmarks.bars import bars
from tests.benchmarks.child import ROOT, CannotMeasure, run_apart
from tests.benchmarks.comparing import Row, rows_of
from tests.benchmarks.corpora import FOLDER_VARIABLE, SHAKESPEARE, Corpora

RESULTS = ROOT / "bench-results" / "latest.json"


def main(arguments: Sequence[str]) -> int:
    """Measure, print a line as each row is done, write JSON; 1 if results differed."""
    options = _parser().parse_args(arguments)
    corpora = Corpora(options.corpora, quick=options.quick)
    known = list(bars(machine.n_cores(), quick=options.quick))
    wanted = [bar for bar in known if not options.only or any(x in bar.name for x in options.only)]
    if options.list or not wanted:
        print("\n".join(bar.name for bar in known))
        return 0 if options.list else 2
    about = machine.describe()
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    _compile_first()
    rows: list[Row] = []
    for bar in wanted:
        for row in rows_of(bar, corpora, options.runs):
            rows.append(row)
            print(report.as_line(row), flush=True)
    report.write_json(options.json, rows, about, _as_text(options))
    if options.markdown:
        print(report.as_markdown(rows, about))
    print(f"Written to {options.json}")
    return 1 if any(row.status == "error" for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of each corpus, fewer merges")
    parser.add_argument("--only", action="append", metavar="NAME", help="rows whose name holds it")
    parser.add_argument("--list", action="store_true", help="print the names, measure nothing")
    parser.add_argument("--runs", type=int, help="runs of each side (else 3 to 9)")
    parser.add_argument(
        "--corpora", type=Path, metavar="FOLDER",
        help=f"where they lie (else {FOLDER_VARIABLE}, else ../shared/corpora)",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, default=RESULTS, help="the file to write")
    parser.add_argument("--markdown", action="store_true", help="print the table for the README")
    return parser


def _compile_first() -> None:
    """Compile the kernels in a process before, so that no measured one holds the compiler."""
    settings = {"path": str(SHAKESPEARE), "vocab_size": 300, "tie_break": "lexicographic"}
    try:
        run_apart([("train_ours", settings)])
    except CannotMeasure as error:
        raise SystemExit(f"The trainer does not run: {error}") from error


def _as_text(options: argparse.Namespace) -> dict[str, object]:
    """Give the options with paths as text, as JSON takes them."""
    return {name: str(v) if isinstance(v, Path) else v for name, v in vars(options).items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
