"""How much memory may still be taken, so that work that cannot end well is refused before it dies.

On Linux what the kernel says is available (proc(5), /proc/meminfo), or less where a control group
(docs.kernel.org, admin-guide/cgroup-v1/memory and cgroup-v2) or a limit of the process is set.
Elsewhere half of the memory of the machine; where nothing is known, nothing is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bpe.errors import ConfigError

_PROC = Path("/proc")
_GROUPS = Path("/sys/fs/cgroup")
# Estimates are not exact, and others want memory too.
_SHARE = 0.8
# All tokens of a vocabulary, written out. A million tokens of a natural text take 10 MB; what takes
# ten times that is one long word, and everything made of it, files, tables, pages, is as large.
MOST_TOKEN_BYTES = 100_000_000
_SHARE_FOR_TOKENS = 0.1


def available_memory() -> int | None:
    """Give how many bytes may still be taken; None where that cannot be told.

    >>> found = available_memory()
    >>> found is None or found >= 0
    True
    """
    found = [value for value in _limits() if value is not None]
    return max(0, min(found)) if found else None


def check_memory(n_bytes: int, work: str, advice: str) -> None:
    """Raise ConfigError if a piece of work needs more memory than there is.

    >>> check_memory(10**18, "training on this corpus", "give less text")
    Traceback (most recent call last):
        ...
    bpe.errors.ConfigError: training on this corpus takes about 1,000,000,000.0 GB of memory...
    """
    available = available_memory()
    if available is not None and n_bytes > _SHARE * available:
        raise ConfigError(
            f"{work} takes about {in_words(n_bytes)} of memory, and of {in_words(available)} that "
            f"are free {in_words(int(_SHARE * available))} may be taken: {advice}"
        )


@contextmanager
def shortage_told(work: str, advice: str) -> Iterator[None]:
    """Make an error of a shortage of memory that came in spite of all estimates.

    >>> with shortage_told("training on this corpus", "give less text"):
    ...     raise MemoryError
    Traceback (most recent call last):
        ...
    bpe.errors.ConfigError: training on this corpus takes more memory than there is: give less text
    """
    try:
        yield
    except MemoryError:
        raise ConfigError(f"{work} takes more memory than there is: {advice}") from None


class TokenBudget:
    """Watches over the length of all tokens a training makes, which may grow with its square.

    In one word of a million letters the late merges each make a token of thousands of letters.

    >>> budget = TokenBudget()
    >>> budget.add(0, 2)
    """

    def __init__(self) -> None:
        available = available_memory()
        self._most = MOST_TOKEN_BYTES
        if available is not None:
            self._most = min(self._most, int(_SHARE_FOR_TOKENS * available))
        self._left = self._most

    def add(self, rank: int, length: int) -> None:
        """Take note of one more token; raise ConfigError when all are too long together."""
        self._left -= length
        if self._left < 0:
            raise ConfigError(
                f"written out, the tokens of this training take over {in_words(self._most)} from "
                f"merge {rank + 1:,} on, and so much is not kept: ask for fewer merges than that, "
                "for a higher minimum count, or for a pattern that cuts the text into shorter words"
            )


def in_words(n_bytes: int) -> str:
    """Write a number of bytes for people.

    >>> in_words(999), in_words(2_500_000), in_words(1_600_000_000)
    ('999 bytes', '2.5 MB', '1.6 GB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "KB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:,.1f} {name}"
    return f"{n_bytes} bytes"


def _limits() -> Iterator[int | None]:
    yield _machine()
    yield from _control_groups()
    yield _process()


def _machine() -> int | None:
    try:
        for line in (_PROC / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None


def _control_groups() -> Iterator[int | None]:
    """Yield what each control group of this process that limits memory has left."""
    try:
        lines = (_PROC / "self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            names = ("memory.max", "memory.current", "inactive_file")
            yield _left_in_group(_GROUPS / path.lstrip("/"), *names)
            yield _left_in_group(_GROUPS, *names)  # in a container the path may be the host's
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield _left_in_group(_GROUPS / "memory" / path.lstrip("/"), *names)
            yield _left_in_group(_GROUPS / "memory", *names)


def _left_in_group(folder: Path, limit: str, usage: str, cached: str) -> int | None:
    """Give limit less usage; pages of files that the kernel may drop do not count as used."""
    try:
        left = int((folder / limit).read_text()) - int((folder / usage).read_text())
        rows = [line.split() for line in (folder / "memory.stat").read_text().splitlines()]
    except (OSError, ValueError):  # no such group, or its limit is "max"
        return None
    return left + sum(int(row[1]) for row in rows if len(row) == 2 and row[0] == cached)


def _process() -> int | None:
    """Give what the process may still take of its address space (`ulimit -v`)."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        pages = int((_PROC / "self/statm").read_text().split()[0])
        return limit - pages * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return None
