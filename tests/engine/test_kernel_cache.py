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


def run(folder: Path) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    ran = subprocess.run(
        [sys.executable, "-c", CODE], cwd=folder, env=environment, capture_output=True, check=True
    )
    return ran.stdout.decode().strip()


def test_a_kernel_compiles_again_when_a_file_it_calls_into_changed(tmp_path: Path) -> None:
    """`utf8.valid_char_end` calls `characters.char_end`, which is changed here."""
    ignored = shutil.ignore_patterns("__pycache__", "samples")
    shutil.copytree(ROOT / "bpe", tmp_path / "bpe", ignore=ignored)
    assert run(tmp_path) == "2 0"
    assert run(tmp_path) == "2 1"
    called = tmp_path / "bpe" / "_kernels" / "characters.py"
    called.write_text(called.read_text().replace("at + 2 if lead", "at + 1 if lead"))
    assert run(tmp_path) == "1 0"
