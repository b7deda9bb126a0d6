"""How a function becomes a kernel: compiled on its first call, and kept on disk from then on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache, wraps
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar, cast

import numba
from numba.core import caching

Function = TypeVar("Function", bound=Callable[..., object])

_IMPORTED = re.compile(r"^from bpe\._kernels\.(\w+) import", re.MULTILINE)


# An option of numba's own: nothing in the function may allocate, so no reference is counted.
_LEAN: dict[str, Any] = {"_nrt": False}


def kernel(function: Function) -> Function:
    """Make a function a kernel: compiled when first called, without Python's lock, and cached.

    Where no folder for the cache can be written to, what lies beside the source is used, and what
    is not there compiles anew in each process.

    >>> @kernel
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """
    return _cached(function, {})


def lean_kernel(function: Function) -> Function:
    """Make a function a kernel that allocates no arrays, nor does any that it calls.

    Other kernels count up and down the references to every array they are given, at every call,
    which takes longer than all else that a short one does, and makes threads wait for each other.
    """
    return _cached(function, _LEAN)


def _cached(function: Function, options: dict[str, Any]) -> Function:
    try:
        compiled = numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # numba found no folder that it may write to
        compiled = numba.njit(nogil=True, **options)(function)
        if not Path(function.__code__.co_filename).exists():
            return cast(Function, compiled)
        compiled._cache = _KeptCache(function)  # type: ignore[no-untyped-call]
    _renew_with_what_it_calls(compiled, Path(function.__code__.co_filename))
    return cast(Function, compiled)


# Older versions of numba write the name of this class with an underscore.
_NAMES = ("InTreeCacheLocator", "_InTreeCacheLocator")
_BesideSource: Any = next(vars(caching)[name] for name in _NAMES if name in vars(caching))


class _KeptBesideSource(_BesideSource):  # type: ignore[misc]
    """Where kernels were kept when that could be written to."""

    def ensure_cache_path(self) -> None:
        """Take the folder as it is."""


class _KeptImplementation(caching.CompileResultCacheImpl):
    _locator_classes = [_KeptBesideSource]  # noqa: RUF012


class _KeptCache(caching.FunctionCache):
    _impl_class = _KeptImplementation


def kernel_part(function: Function) -> Function:
    """Make a function a part of kernels: they can call it, Python cannot.

    It is compiled into each kernel that calls it and needs no way in from Python, which spares
    the larger part of its compilation where it takes many arrays.
    """
    no_way_in: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, numba.njit(nogil=True, **no_way_in)(function))


def lean_part(function: Function) -> Function:
    """Make a function a part of kernels as `kernel_part` does, and lean as `lean_kernel` does."""
    no_way_in: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, numba.njit(nogil=True, **no_way_in, **_LEAN)(function))


def _renew_with_what_it_calls(compiled: Any, path: Path) -> None:
    """Have a kernel compile again when a file changed whose kernels it may call.

    numba looks at the file of the kernel alone. But a compiled kernel holds the code of those it
    calls, which may stand in other files; without this an update could leave old code at work.
    """
    index = compiled._cache._cache_file
    index._source_stamp = (index._source_stamp, _digest(path.stem))
    index._load_index = _or_else(index._load_index, {})
    index.load = _or_else(index.load, None)
    index.save = _or_else(index.save, None)


def _or_else(function: Callable[..., Any], otherwise: Any) -> Callable[..., Any]:
    """Make a function of numba's cache give `otherwise` where it cannot read or write.

    A class that kept kernels name may be gone, a file cut off, the disk full or read-only. Then a
    kernel compiles anew.
    """

    @wraps(function)
    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (ImportError, AttributeError, EOFError, OSError, UnpicklingError):
            return copy(otherwise)

    return guarded


@lru_cache(maxsize=64)
def _digest(module: str) -> str:
    """Return a digest of the modules of this package a module imports, at any depth."""
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = Path(__file__).with_name(f"{name}.py")
        if name not in found and path.exists():
            found[name] = path.read_bytes()
            waiting.extend(_IMPORTED.findall(found[name].decode()))
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()
