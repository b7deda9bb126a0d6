"""Joining modules and style sheets into the one text that a component takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.ui.components.assets import join_modules, join_styles


def write(folder: Path, **sources: str) -> list[Path]:
    paths = []
    for stem, source in sources.items():
        path = folder / f"{stem}.js"
        path.write_text(source, encoding="utf-8")
        paths.append(path)
    return paths


def test_imports_go_and_only_the_default_export_stays(tmp_path: Path) -> None:
    """Golden: of two modules the names stay, the module syntax goes, and the order is kept."""
    paths = write(
        tmp_path,
        a="// first\nexport const ONE = 1;\nexport async function two() {}\n"
        "export class Three {}\n",
        b='import { ONE } from "./a.js";\nimport {\n  two,\n  Three,\n} from "./a.js";\n'
        "export default function main() { return ONE; }\n",
    )
    assert join_modules(paths) == (
        "// first\nconst ONE = 1;\nasync function two() {}\nclass Three {}\n\n"
        "export default function main() { return ONE; }\n"
    )


def test_words_inside_strings_and_lines_that_only_look_like_imports_stay(tmp_path: Path) -> None:
    source = 'const TEXT = "import this; export that";\n  important();\nimporter();\n'
    assert join_modules(write(tmp_path, a=source)) == source


@pytest.mark.parametrize(
    "declaration",
    [
        "const draw = 1;",
        "function draw() {}",
        "export class draw {}",
        "export async function draw() {}",
    ],
)
def test_a_name_declared_twice_is_refused_with_both_files(tmp_path: Path, declaration: str) -> None:
    paths = write(tmp_path, one="export function draw() {}\n", two=f"{declaration}\n")
    with pytest.raises(ValueError, match=r"name draw is declared in one\.js and in two\.js"):
        join_modules(paths)


def test_names_inside_functions_are_free(tmp_path: Path) -> None:
    paths = write(tmp_path, one="const a = 1;\n", two="function b() {\n  const a = 2;\n}\n")
    assert "const a = 2" in join_modules(paths)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ('import { a as b } from "./x.js";\n', "a renaming import"),
        ("const a = 1;\nexport { a };\n", "not as a list"),
        ('export * from "./x.js";\n', "not as a list"),
        ("const { a, b } = window;\n", "one by one"),
    ],
)
def test_syntax_that_cannot_be_joined_is_refused(
    tmp_path: Path, source: str, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        join_modules(write(tmp_path, odd=source))


def test_a_second_default_export_is_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, a="export default 1;\n", b="export default 2;\n")
    with pytest.raises(
        ValueError, match=r"b\.js: a second `export default`; the first is in a\.js"
    ):
        join_modules(paths)


def test_styles_are_joined_in_order(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(".a { top: 0; }\n", encoding="utf-8")
    (tmp_path / "b.css").write_text("\n.b { top: 1px; }\n\n", encoding="utf-8")
    joined = join_styles([tmp_path / "a.css", tmp_path / "b.css"])
    assert joined == ".a { top: 0; }\n\n.b { top: 1px; }\n"


def test_every_module_of_the_components_is_shorter_than_250_lines() -> None:
    folder = Path(__file__).parents[2] / "pages" / "ui" / "components"
    lengths = {
        path.name: len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.js")
    }
    assert len(lengths) > 10
    assert {name: length for name, length in lengths.items() if length >= 250} == {}
