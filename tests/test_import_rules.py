"""The rules that a machine can hold: who imports whom, sizes, and where state lives."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UI = ROOT / "pages" / "ui"
HEAVY = {"numba", "numpy", "pandas", "streamlit", "plotly"}
MAX_BODY_LINES = 40
MAX_PAGE_LINES = 120
MAX_APP_LINES = 40
MAX_JS_LINES = 250

# Modules of pages/ui that shape data for the screen: pure, they neither draw nor know the session.
PURE = {
    "bundled",
    "charts",
    "comparison",
    "corpus",
    "encoded_text",
    "home_trace",
    "palette",
    "plain_text",
    "run_tables",
    "size_sentence",
    "tables",
    "tokenizer_comparison",
    "tokenizer_files",
    "tokenizer_list",
    "trace",
    "training_job",
    "url_values",
    "view_models",
}

# Names of streamlit's state that only these modules may touch; the rest calls their functions.
STATE_OWNERS = {"state.py", "tokenizer_store.py", "shell.py"}


def sources(*folders: str) -> list[Path]:
    """List the Python files below the folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported_modules(path: Path) -> Iterator[str]:
    """Give the full name of every module a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (f"{base}.{alias.name}" for alias in node.names)
            yield base


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function without its signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", sources("bpe"), ids=relative)
def test_the_engine_imports_neither_the_app_nor_what_draws(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported_modules(path)}
    forbidden = {"streamlit", "plotly", "pandas", "pages", "app", "tests"}
    assert not tops & forbidden


@pytest.mark.parametrize("path", sources("bpe"), ids=relative)
def test_only_the_kernels_import_numba(path: Path) -> None:
    imports_numba = "numba" in {name.split(".")[0] for name in imported_modules(path)}
    assert not imports_numba or "_kernels" in path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [*sources("pages"), ROOT / "app.py"], ids=relative)
def test_no_file_imports_a_page(path: Path) -> None:
    names = set(imported_modules(path))
    pages = {f"pages.{page.stem}" for page in (ROOT / "pages").glob("*.py")} - {"pages.__init__"}
    assert not names & pages
    assert "app" not in names


@pytest.mark.parametrize("path", sources("bpe", "pages", "tests"), ids=relative)
def test_imports_name_the_whole_path(path: Path) -> None:
    """`from pages.ui import state`, never `from . import state`: a page runs as a script.

    The engine's own modules may be relative, they are always imported as a package.
    """
    if "bpe" not in path.relative_to(ROOT).parts:
        assert not [name for name in imported_modules(path) if name.startswith(".")]


@pytest.mark.parametrize("name", sorted(PURE))
def test_what_shapes_data_knows_nothing_of_the_session(name: str) -> None:
    names = set(imported_modules(UI / f"{name}.py"))
    drawing = re.compile(
        r"streamlit|pages\.ui\.(state|shell|cache|background|\w+_(controls|panels?))\b"
    )
    assert not {module for module in names if drawing.match(module)}


@pytest.mark.parametrize("owner", ["state", "tokenizer_store"])
def test_the_state_imports_nothing_that_draws(owner: str) -> None:
    names = [name.split(".") for name in imported_modules(UI / f"{owner}.py")]
    ours = {parts[2] for parts in names if parts[:2] == ["pages", "ui"] and len(parts) > 2}
    assert ours <= PURE


@pytest.mark.parametrize("path", [*sources("pages"), ROOT / "app.py"], ids=relative)
def test_caches_are_made_in_one_file(path: Path) -> None:
    makes_cache = re.search(r"\bcache_(data|resource)\b", path.read_text(encoding="utf-8"))
    assert not makes_cache or path == UI / "cache.py"


@pytest.mark.parametrize("path", [*sources("pages"), ROOT / "app.py"], ids=relative)
def test_session_and_url_are_touched_by_their_owners_only(path: Path) -> None:
    """The Python face of a browser component may read what its own key holds, nothing else."""
    text = path.read_text(encoding="utf-8")
    if UI / "components" in path.parents:
        text = text.replace("st.session_state.get(key)", "")
    touches = re.search(r"\.(session_state|query_params)\b", text)
    assert not touches or path.name in STATE_OWNERS


@pytest.mark.parametrize("path", [*sources("bpe", "pages"), ROOT / "app.py"], ids=relative)
def test_no_function_is_longer_than_forty_lines(path: Path) -> None:
    long = {f.name: body_lines(f) for f in functions(path) if body_lines(f) > MAX_BODY_LINES}
    assert long == {}


def test_scripts_are_short() -> None:
    limits = dict.fromkeys((ROOT / "pages").glob("*.py"), MAX_PAGE_LINES)
    limits[ROOT / "app.py"] = MAX_APP_LINES
    n_lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in limits}
    assert {relative(p): n for p, n in n_lines.items() if n > limits[p]} == {}


def test_javascript_modules_are_short_and_write_text_not_markup() -> None:
    """Text of users reaches the screen through textContent alone: markup in it stays text."""
    markup = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser"
    )
    bad = {}
    for path in UI.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        faults = markup.findall(text) + ["too long"] * (text.count("\n") > MAX_JS_LINES)
        if faults:
            bad[relative(path)] = faults
    assert bad == {}


def test_nothing_turns_off_the_escaping_of_markup() -> None:
    """No HTML with scripts, and no Markdown that lets HTML through."""
    unsafe = re.compile(r"unsafe_allow_(html|javascript)\s*=\s*True")
    bad = [relative(p) for p in sources("pages") if unsafe.search(p.read_text(encoding="utf-8"))]
    assert bad == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "common", "helpers", "misc", "core"}
    assert [relative(path) for path in sources("bpe", "pages", "tests") if path.stem in vague] == []


def test_importing_the_engine_loads_nothing_heavy() -> None:
    """A script that only wants to tokenize does not wait for tables, charts and compilers."""
    code = "import bpe, sys; print(*sorted(m for m in sys.modules if '.' not in m))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert not HEAVY & set(ran.stdout.decode().split())
