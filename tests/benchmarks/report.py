"""The rows as a table for the terminal, as one for the README, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.comparing import Row


def as_line(row: Row) -> str:
    """One row for the terminal."""
    what = f"{row.work}, {row.corpus}" if row.corpus else row.work
    text = f"{what:58} {row.peer:12.40} "
    if row.status != "measured":
        return f"{text} {row.status.upper()}: {row.note}"
    text += f"{row.ratio:7.2f}  {f'({row.lowest:.2f}-{row.highest:.2f})':14} {_bar(row):26} "
    text += f"{_number(row.ours)} and {_number(row.theirs)} {row.unit}"
    return text + (f"  [{row.note}]" if row.note else "")


def as_markdown(rows: Sequence[Row], machine: dict[str, str]) -> str:
    """The table for the README, with the machine below it.

    >>> row = Row("x", "train", "a.txt", "peer", "measured", "s", 1.0, 2.0, 2.0, 1.9, 2.1, 1.5)
    >>> machine = {"processor": "P", "cores": "2", "python": "3", "measured": "now"}
    >>> print(as_markdown([row], machine))
    | work | text | against | times as fast (single turns) | bar | ours | theirs |
    |---|---|---|---|---|---|---|
    | train | a.txt | peer | **2.0** (1.9 to 2.1) | 1.5: met | 1.0 s | 2.0 s |
    <BLANKLINE>
    P, 2 cores, Python 3; measured now.
    """
    head = "| work | text | against | times as fast (single turns) | bar | ours | theirs |"
    lines = [head, "|---|---|---|---|---|---|---|", *(_markdown_row(row) for row in rows), ""]
    return "\n".join([*lines, _machine_sentence(machine)])


def write_json(path: Path, rows: Sequence[Row], machine: dict[str, str], options: object) -> None:
    """Write all that was measured; makes the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [{**asdict(row), "is_met": row.is_met} for row in rows]
    content = {"machine": machine, "options": options, "rows": found}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _markdown_row(row: Row) -> str:
    cells = [row.work, row.corpus, f"{row.peer} ({row.note})" if row.note else row.peer]
    if row.status == "measured":
        ratio = f"**{_ratio(row.ratio)}** ({_ratio(row.lowest)} to {_ratio(row.highest)})"
        numbers = [f"{_number(value)} {row.unit}" for value in (row.ours, row.theirs)]
        cells += [ratio, _bar(row), *numbers]
    else:
        cells = [row.work, row.corpus, row.peer, f"{row.status}: {row.note}", _bar(row), "", ""]
    return f"| {' | '.join(cells)} |"


def _machine_sentence(machine: dict[str, str]) -> str:
    known = {"processor", "cores", "python", "measured", "system", "load"}
    libraries = [f"{name} {value}" for name, value in machine.items() if name not in known]
    parts = [machine["processor"], f"{machine['cores']} cores", f"Python {machine['python']}"]
    return f"{', '.join([*parts, *libraries])}; measured {machine['measured']}."


def _bar(row: Row) -> str:
    parts = []
    if row.at_least is not None:
        parts.append(f"{row.at_least:g}" + {True: ": met", False: ": missed"}.get(row.is_met, ""))
    if row.aim is not None:
        reached = row.status == "measured" and row.ratio >= row.aim
        parts.append(f"aim {row.aim:g}" + (" reached" if reached else ""))
    return ", ".join(parts)


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.3f}"
