"""Compiled kernels are kept on disk, and made anew when what they hold changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def run(folder: Path, code: str = CODE) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, check=True
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
