"""How many threads share the work."""

from __future__ import annotations

import os

from bpe.errors import ConfigError, as_whole_number

MOST_THREADS = 16


def number_of_threads(n_threads: int | None) -> int:
    """Return the number asked for; for None, that of the processors the process may use.

    At most 16 for None. Raises ConfigError for what is no number of threads.

    >>> number_of_threads(3), number_of_threads(None) >= 1
    (3, True)
    """
    if n_threads is None:
        # Not every system tells which processors a process may use.
        affinity = getattr(os, "sched_getaffinity", None)
        return min(len(affinity(0)) if affinity else os.cpu_count() or 1, MOST_THREADS)
    number = as_whole_number(n_threads)
    if number is None or number < 1:
        raise ConfigError(f"n_threads must be a whole number from 1 up, not {n_threads!r}")
    return number
