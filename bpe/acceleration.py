"""When the compiled kernels do the work, and how they are made ready.

Loading them takes about a second and compiling them, once for an installation, much longer. So
small inputs take the plain way, which gives the same result; large ones wait for the kernels.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import get_args

_READY = threading.Event()  # the kernels of training are loaded in this process
_ENCODING_READY = threading.Event()  # and those of encoding
_WARMING = threading.Lock()

# From how many bytes of text on the kernels pay: when they are loaded; when they are compiled and
# lie on the disk; and when they have yet to be compiled.
READY_BYTES = 100_000
_WARM_UP_TEXT = " ".join(f"{n:b} {n} aaaa\n" for n in range(40_000))
ON_DISK_BYTES = 3_000_000
UNCOMPILED_BYTES = 50_000_000

# The same in characters of text to encode. Plainly that takes 1 to 5 microseconds a character,
# loading the kernels 0.7 s, and the tables 1 microsecond a token.
ENCODE_READY_CHARS = 4_000
ENCODE_TOKENS_A_CHAR = 4
ENCODE_ON_DISK_CHARS = 1_000_000
ENCODE_UNCOMPILED_CHARS = 20_000_000


def compiled_pays(n_bytes: int) -> bool:
    """Tell whether the compiled kernels should do a piece of work of this size.

    >>> compiled_pays(10), compiled_pays(10**9)
    (False, True)
    """
    if _READY.is_set():
        return n_bytes >= READY_BYTES
    return n_bytes >= (ON_DISK_BYTES if _is_compiled("counting") else UNCOMPILED_BYTES)


def encoding_pays(n_chars: int, vocab_size: int, *, is_prepared: bool = False) -> bool:
    """Tell whether so much text is worth making the tables of a compiled encoder.

    `is_prepared` says that most of the work for them is done: then making them takes less time
    than the plain encoder takes to begin.

    >>> encoding_pays(10, 300), encoding_pays(10**9, 300)
    (False, True)
    """
    if _ENCODING_READY.is_set():
        return is_prepared or n_chars >= max(ENCODE_READY_CHARS, vocab_size // ENCODE_TOKENS_A_CHAR)
    on_disk = _is_compiled("encoding")
    return n_chars >= (ENCODE_ON_DISK_CHARS if on_disk else ENCODE_UNCOMPILED_CHARS)


def encoding_is_ready() -> None:
    """Note that the kernels of encoding are loaded in this process."""
    _ENCODING_READY.set()


def are_kernels_compiled() -> bool:
    """Tell whether `warm_up` finds compiled kernels on the disk, of training and of encoding.

    >>> are_kernels_compiled() in (True, False)
    True
    """
    return all(_is_compiled(module) for module in ("counting", "encoding"))


@lru_cache(maxsize=2)
def _is_compiled(module: str) -> bool:
    """Tell whether numba has left compiled kernels of a module on the disk."""
    return any(next(folder.glob(f"{module}*.nbi"), None) for folder in _cache_folders())


def _cache_folders() -> list[Path]:
    """Where numba may keep the kernels: first in the folder that the user names; beside the source
    if that can be written to; else in the user's folder for such things.
    """
    source = Path(os.path.abspath(__file__)).parent / "_kernels"
    name = f"{source.name}_{hashlib.sha1(str(source).encode(), usedforsecurity=False).hexdigest()}"
    folders = []
    if os.environ.get("NUMBA_CACHE_DIR"):
        folders.append(Path(os.environ["NUMBA_CACHE_DIR"]) / name)
    if os.access(source / "__pycache__", os.W_OK):
        folders.append(source / "__pycache__")
    home = Path(os.path.expanduser("~"))
    user_folders = {
        "darwin": home / "Library" / "Caches" / "numba",
        "win32": Path(os.environ.get("LOCALAPPDATA", home)) / "numba" / "Cache",
    }
    linux = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "numba"
    return [*folders, user_folders.get(sys.platform, linux) / name]


def warm_up() -> float:
    """Load the kernels, compiling those that are not on the disk; gives the seconds it took.

    Runs each way through them on some text, so that nothing is left to be compiled.
    """
    started = time.perf_counter()
    with _WARMING:
        if not _READY.is_set():
            from bpe import fast_encoding, fast_replay, fast_training
            from bpe.config import TieBreak, TrainerConfig
            from bpe.trainer import train_compiled

            for rule in get_args(TieBreak):
                train_compiled(_WARM_UP_TEXT, TrainerConfig(tie_break=rule, num_merges=300))
            fast_training.warm_up()  # kernels that only rare corpora need
            fast_replay.warm_up()
            _READY.set()
            fast_encoding.warm_up()
            encoding_is_ready()
    return time.perf_counter() - started


def warm_up_in_background() -> threading.Thread:
    """Make the kernels ready beside other work; gives the thread that does it."""
    thread = threading.Thread(target=warm_up, name="bpe-warm-up", daemon=True)
    thread.start()
    return thread
