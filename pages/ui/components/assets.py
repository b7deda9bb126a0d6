"""Join the JavaScript modules and style sheets of a browser component into one text each.

A component of `st.components.v2` takes one module and one style sheet, while ours are written
as several small files. This module owns the joining; it knows nothing of what the files do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_IMPORT = re.compile(
    r"^import\b(?P<what>[^;]*?)(?:\bfrom\s*)?[\"'][^\"']+[\"'];[^\n]*\n", re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async |function|class|const|let|var))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default\b", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export\s*(?:\{|\*)", re.MULTILINE)
_NAMED = re.compile(
    r"^(?:export (?:default )?)?(?:async )?(?:function\s*\*?|class|const|let|var)\s+"
    r"([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_UNPACKED = re.compile(r"^(?:export )?(?:const|let|var)\s*[\[{]", re.MULTILINE)


def join_modules(paths: Iterable[Path]) -> str:
    """Join JavaScript modules, in the order given, into the text of one module.

    `import` statements go, since all names then live in one scope, and so does the word
    `export`, except in `export default`. `a.js` with `export const ONE = 1;` and `b.js` with
    `import { ONE } from "./a.js";` and `export default () => ONE;` give `const ONE = 1;`
    followed by `export default () => ONE;`.

    Raises ValueError where joining would change the meaning: a top-level name declared twice,
    a renaming import, an export list, a top-level name taken out of an object, or two defaults.
    """
    owners: dict[str, Path] = {}
    default: Path | None = None
    parts = []
    for path in paths:
        source = path.read_text(encoding="utf-8")
        _refuse_unjoinable(source, path)
        _claim_names(source, path, owners)
        if _DEFAULT.search(source):
            if default is not None:
                raise ValueError(
                    f"{path.name}: a second `export default`; the first is in {default.name}"
                )
            default = path
        parts.append(_EXPORT.sub("", _IMPORT.sub("", source)).strip("\n"))
    return "\n\n".join(parts) + "\n"


def join_styles(paths: Iterable[Path]) -> str:
    """Join style sheets, in the order given; later ones may override earlier ones."""
    return "\n\n".join(path.read_text(encoding="utf-8").strip("\n") for path in paths) + "\n"


def _refuse_unjoinable(source: str, path: Path) -> None:
    """Raise ValueError for module syntax that cannot be joined by dropping words."""
    for found in _IMPORT.finditer(source):
        if re.search(r"\bas\b", found["what"]):
            raise ValueError(f"{path.name}: a renaming import cannot be joined: {found[0].strip()}")
    if _EXPORT_LIST.search(source):
        raise ValueError(f"{path.name}: write `export` before the declaration, not as a list")
    if _UNPACKED.search(source):
        raise ValueError(f"{path.name}: declare top-level names one by one, not by unpacking")


def _claim_names(source: str, path: Path, owners: dict[str, Path]) -> None:
    """Record the top-level names of `source`; raise ValueError for one that is taken."""
    for name in _NAMED.findall(source):
        if name in owners:
            raise ValueError(
                f"the top-level name {name} is declared in {owners[name].name} and in {path.name}: "
                "joined modules share one scope, so rename one of them"
            )
        owners[name] = path
