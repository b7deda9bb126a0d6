"""The only file that makes caches: what was computed once is not computed again.

Results from users' texts stay in their session; only results from our own samples are shared.
Keys are fingerprints (sha256), so looking up costs nothing however large the value is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, TypeVar, cast

import streamlit as st

from bpe import acceleration

T = TypeVar("T")

Kind: TypeAlias = Literal[
    "corpus", "upload", "run", "trace", "view", "figure", "table", "agreement"
]

# How many of each kind a session keeps. Runs and traces of large corpora take tens of megabytes.
LIMITS: Final[dict[Kind, int]] = {
    "corpus": 16,
    "upload": 1,  # up to a gigabyte of text
    "run": 8,
    "trace": 16,
    "view": 64,
    "figure": 64,
    "table": 32,
    "agreement": 32,
}


# And how many bytes of a kind at most, but for the value used last: eight runs of very many
# different words would take several gigabytes.
MOST_BYTES: Final = 1_000_000_000


class BoundedStore:
    """Keeps the values used last, up to a number; may be used by several threads.

    Values with an attribute `n_bytes_held` are kept up to `max_bytes` in all.

    >>> store = BoundedStore(2)
    >>> for key in "abc":
    ...     store.put(key, key.upper())
    >>> store.find("a"), store.find("c")
    (None, 'C')
    """

    def __init__(self, max_entries: int, max_bytes: int = MOST_BYTES) -> None:
        self._max_entries, self._max_bytes = max_entries, max_bytes
        self._sizes: dict[str, int] = {}
        self._values: OrderedDict[str, object] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: str) -> object | None:
        """Give the value, None if it is not (or no longer) there."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: str, value: object) -> None:
        """Keep a value, and let go of those not used for longest if there are too many."""
        size = int(getattr(value, "n_bytes_held", 0))
        with self._lock:
            self._values[key], self._sizes[key] = value, size
            self._values.move_to_end(key)
            while len(self._values) > self._max_entries or (
                len(self._values) > 1 and sum(self._sizes.values()) > self._max_bytes
            ):
                del self._sizes[self._values.popitem(last=False)[0]]

    def clear(self) -> None:
        """Let go of all values."""
        with self._lock:
            self._values.clear()
            self._sizes.clear()


@st.cache_resource(show_spinner=False)
def warm_engine() -> None:
    """Load the compiled kernels beside the first pages, once for the server."""
    acceleration.warm_up_in_background()


@st.cache_resource(scope="session", max_entries=len(LIMITS), show_spinner=False)
def _session_store(kind: Kind) -> BoundedStore:
    return BoundedStore(LIMITS[kind])


@st.cache_resource(max_entries=len(LIMITS), show_spinner=False)
def _shared_store(kind: Kind) -> BoundedStore:
    return BoundedStore(LIMITS[kind])


def find(kind: Kind, key: str, *, is_shared: bool = False) -> object | None:
    """Give what this session, or all, keep under a key, None if it has to be made."""
    return (_shared_store if is_shared else _session_store)(kind).find(key)


def keep(kind: Kind, key: str, value: object) -> None:
    """Keep a value for this session, such as what a job in the background made."""
    _session_store(kind).put(key, value)


def forget(kind: Kind) -> None:
    """Let go of all that this session keeps of a kind."""
    _session_store(kind).clear()


def cached(kind: Kind, key: str, make: Callable[[], T]) -> T:
    """Give what this session keeps under a key; `make` makes it the first time.

    The key must name all that the value depends on. Values must not be changed afterwards.
    """
    return _made_once(_session_store(kind), key, make)


def shared(kind: Kind, key: str, make: Callable[[], T]) -> T:
    """Give a value that all sessions share: from our own samples only, never from a user's text."""
    return _made_once(_shared_store(kind), key, make)


def _made_once(store: BoundedStore, key: str, make: Callable[[], T]) -> T:
    found = store.find(key)
    if found is not None:
        return cast(T, found)
    value = make()
    store.put(key, value)
    return value
