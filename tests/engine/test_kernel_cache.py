"""Compiled kernels are kept on disk, and made anew when what they hold changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bpe import acceleration

ROOT = Path(__file__).parents[2]
CODE = """
import numpy as np
from bpe._kernels.utf8 import valid_char_end
print(valid_char_end(np.frombuffer("é".encode(), np.uint8), 0, 2), end=" ")
print(sum(valid_char_end.stats.cache_hits.values()))
"""


CODE_WITH_A_CLASS = """
import numpy as np
from bpe._kernels import token_table
from bpe.encoding_tables import token_bytes
tokens = token_bytes((b"a", b"ab"), (0, 1))
print(np.count_nonzero(tokens.slots), end=" ")
print(sum(token_table.add_tokens.stats.cache_hits.values()))
"""


# numba looks here for a place when it may not write beside the source.
HOMES = ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")


def run(folder: Path, code: str = CODE, environment: dict[str, str] | None = None) -> str:
    if environment is None:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    return ran.stdout.decode().strip()


def copy_engine(folder: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "samples", "*.xz")
    shutil.copytree(ROOT / "bpe", folder / "bpe", ignore=ignored)


def test_a_kernel_compiles_again_when_a_class_it_is_given_is_gone(tmp_path: Path) -> None:
    """What numba has kept names the class `TokenBytes`, which has another name afterwards."""
    copy_engine(tmp_path)
    assert run(tmp_path, CODE_WITH_A_CLASS) == "2 0"
    assert run(tmp_path, CODE_WITH_A_CLASS) == "2 1"
    for path in (tmp_path / "bpe").rglob("*.py"):
        path.write_text(path.read_text().replace("TokenBytes", "TokenTable"))
    assert run(tmp_path, CODE_WITH_A_CLASS) == "2 0"


def test_a_kernel_compiles_again_when_a_file_it_calls_into_changed(tmp_path: Path) -> None:
    """`utf8.valid_char_end` calls `characters.char_end`, which is changed here."""
    copy_engine(tmp_path)
    assert run(tmp_path) == "2 0"
    assert run(tmp_path) == "2 1"
    called = tmp_path / "bpe" / "_kernels" / "characters.py"
    called.write_text(called.read_text().replace("at + 2 if lead", "at + 1 if lead"))
    assert run(tmp_path) == "1 0"


def nowhere_to_write(folder: Path) -> dict[str, str]:
    """An environment whose folders for caches are files, so that root cannot write there either."""
    blocked = folder / "blocked"
    blocked.write_text("")
    environment = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    return environment | dict.fromkeys(HOMES, str(blocked / "none"))


CODE_OF_A_READER = """
import bpe
run = bpe.train("low lower lowest", num_merges=2)
print(run.tokenizer.encode("lower").ids, bpe.load_pretrained("gpt2").encode("Hello").ids, end=" ")
"""


def test_nothing_fails_where_nothing_can_be_written(tmp_path: Path) -> None:
    """`__pycache__` is a file here: kernels compile in each process, and Python too."""
    copy_engine(tmp_path)
    for folder in (tmp_path / "bpe", tmp_path / "bpe" / "_kernels"):
        (folder / "__pycache__").write_text("")
    shutil.copy(ROOT / "bpe" / "data" / "r50k_base.ranks.xz", tmp_path / "bpe" / "data")
    found = run(tmp_path, CODE_OF_A_READER + CODE, nowhere_to_write(tmp_path))
    assert found == "[257, 101, 114] [15496] 2 0"


def test_kernels_compiled_before_are_used_where_nothing_can_be_written(tmp_path: Path) -> None:
    copy_engine(tmp_path)
    environment = nowhere_to_write(tmp_path)
    assert run(tmp_path, CODE, environment) == "2 0"
    unwritable = """
import tempfile
def refuse(*_, **__):
    raise OSError(30, "Read-only file system")
tempfile.TemporaryFile = refuse
"""
    assert run(tmp_path, unwritable + CODE, environment) == "2 1"


def test_a_kept_kernel_that_is_cut_off_compiles_again(tmp_path: Path) -> None:
    copy_engine(tmp_path)
    assert run(tmp_path) == "2 0"
    for kept in (tmp_path / "cache").rglob("*.nb[ic]"):
        kept.write_bytes(kept.read_bytes()[:-20])
    assert run(tmp_path) == "2 0"


def test_it_is_known_where_numba_keeps_kernels() -> None:
    from bpe._kernels.utf8 import next_cut

    folder = Path(next_cut._cache.cache_path)  # type: ignore[attr-defined]
    assert folder in acceleration._cache_folders()
