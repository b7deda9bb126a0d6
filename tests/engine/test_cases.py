"""Golden: the cases of tests/data/cases_engine.jsonl, most of them from public bug reports.

A case says what to do (`config`), with what (`input`), and what must come of it (`expect`). Each
kind of operation makes an `Outcome`; every key of `expect` has a check of its own name, and a key
without one fails, so that nothing a case says is passed over.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.case_checks import CHECKS
from tests.engine.case_operations import OPERATIONS

LINES = (Path(__file__).parents[1] / "data" / "cases_engine.jsonl").read_text(encoding="utf-8")
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES.split("\n") if line]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_comes_out_as_it_must(case: dict[str, Any]) -> None:
    config = case["config"]
    outcome = OPERATIONS[config["op"]](config, case["input"], case["expect"])
    for key, expected in case["expect"].items():
        CHECKS[key](outcome, expected)


def test_no_check_is_left_without_a_case() -> None:
    """A check that no case calls would look like cover where there is none."""
    assert {key for case in CASES for key in case["expect"]} == CHECKS.keys()


def test_case_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) == 76
