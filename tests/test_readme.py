"""The example of the README does what its comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def python_example() -> str:
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def promised_output(code: str) -> list[str]:
    """Give what the comments promise: whole-line ones, and those behind a print."""
    promises = []
    for line in code.splitlines():
        if line.startswith("# "):
            promises.append(line[2:])
        elif line.startswith("print(") and "  # " in line:
            promises.append(line.split("  # ")[1].strip())
    return promises


def test_the_example_prints_what_it_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = python_example()
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == promised_output(code)


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = README.read_text(encoding="utf-8")[:200]
    assert "make run" in opening
    assert "make test" in opening


def test_every_file_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []
