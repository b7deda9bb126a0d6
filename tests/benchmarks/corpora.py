"""The texts that are measured: those of ../shared/corpora, else what the machine itself has."""

from __future__ import annotations

import lzma
import os
import shutil
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).parents[2]
SHAKESPEARE = ROOT / "bpe" / "data" / "samples" / "shakespeare.txt"
FOLDER_VARIABLE = "BPE_CORPORA"
_CACHE = Path(tempfile.gettempdir()) / "bpe-explorer-corpora"
_MOST_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text file, and what to call it in a table."""

    path: Path
    title: str

    @property
    def n_bytes(self) -> int:
        return self.path.stat().st_size


class Corpora:
    """Finds corpora by name: `en_100mb`, `multi_10mb`, `tinyshakespeare` and so on.

    They lie in the folder given, else in that of the variable BPE_CORPORA, else in
    ../shared/corpora, as NAME.txt or NAME.txt.xz. English ones that are missing are made from the
    sources of Python's standard library. `quick` gives the first tenth of each.
    """

    def __init__(self, folder: Path | None = None, *, quick: bool = False) -> None:
        given = folder or os.environ.get(FOLDER_VARIABLE) or ROOT.parent / "shared" / "corpora"
        self.folder = Path(given)
        self.quick = quick

    def find(self, name: str) -> Corpus | None:
        """Give a corpus, unpacked or made if it was not yet; None where there is none."""
        if name == "tinyshakespeare":
            return Corpus(SHAKESPEARE, name)
        if name == "shakespeare_100kb":
            return Corpus(_first_bytes(SHAKESPEARE, 100_000), "tinyshakespeare, 100 kB")
        found = self._file(name)
        if found is not None:
            return self._shortened(Corpus(found, name))
        if not name.startswith("en_"):
            return None
        library = _made(_CACHE / "python_library.txt", _write_library)
        n_bytes = min(int(name[3:-2]) * 1_000_000, library.stat().st_size)
        path = _first_bytes(library, n_bytes)
        return self._shortened(Corpus(path, "Python's standard library"))

    def _file(self, name: str) -> Path | None:
        plain, packed = self.folder / f"{name}.txt", self.folder / f"{name}.txt.xz"
        if plain.exists():
            return plain
        if not packed.exists():
            return None

        def unpack(file: BinaryIO) -> None:
            with lzma.open(packed) as source:
                shutil.copyfileobj(source, file)

        return _made(_CACHE / f"{name}.txt", unpack)

    def _shortened(self, corpus: Corpus) -> Corpus:
        n_bytes = corpus.n_bytes // 10 if self.quick else corpus.n_bytes
        path = _first_bytes(corpus.path, n_bytes)
        return Corpus(
            path, f"{corpus.title}, {n_bytes / 1e6:.0f} MB" if self.quick else corpus.title
        )


def _first_bytes(path: Path, n_bytes: int) -> Path:
    """Give a file of the whole lines within the first bytes; the file itself if it has no more."""
    if path.stat().st_size <= n_bytes:
        return path

    def copy(file: BinaryIO) -> None:
        with path.open("rb") as source:
            data = source.read(n_bytes)
        file.write(data[: data.rindex(b"\n") + 1])

    return _made(_CACHE / f"{path.stem}_first_{n_bytes}.txt", copy)


def _write_library(file: BinaryIO) -> None:
    folder = Path(sysconfig.get_paths()["stdlib"])
    n_bytes = 0
    for path in sorted(folder.rglob("*.py")):
        if "site-packages" in path.parts or n_bytes > _MOST_BYTES:
            continue
        try:
            data = path.read_bytes()
            data.decode("utf-8")
        except (OSError, UnicodeDecodeError):  # a few test files are broken on purpose
            continue
        n_bytes += file.write(data)


def _made(path: Path, write: Callable[[BinaryIO], None]) -> Path:
    """Make a file unless it is there; it appears only when it is complete."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        with part.open("wb") as file:
            write(file)
        part.replace(path)
    return path
