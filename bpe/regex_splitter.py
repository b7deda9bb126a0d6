"""Splitting by a regular expression of the user's own, which may be slow without end.

The `regex` package runs it, because it can be stopped. A text gets a budget of time that grows
with its length: an honest expression needs far less, one that backtracks without end is stopped
after a few seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from bpe.errors import ConfigError
from bpe.expression_size import size_fault

if TYPE_CHECKING:
    import regex

    from bpe.oniguruma.expressions import Expression

# Without a match for this long, or slower than this on the whole, splitting is given up. These are
# seconds of processor time, so an honest expression passes on a busy machine too.
SECONDS_TO_A_MATCH = 3.0
SECONDS_TO_A_MATCH_PER_CHAR = 1e-6
SECONDS_IN_ALL_PER_CHAR = 5e-6
SECONDS_OF_SHORT_SEARCHES_PER_CHAR = 5e-5

_MATCHES_AT_ONCE = 2048


class TimeBudget:
    """The processor time that many short searches in one text may take in all.

    Each search has a limit of its own, but thousands just below it would take hours.

    >>> TimeBudget(n_chars=100).check("splitting")
    """

    def __init__(self, n_chars: int) -> None:
        self._seconds = SECONDS_TO_A_MATCH + SECONDS_OF_SHORT_SEARCHES_PER_CHAR * n_chars
        self._wall_start, self._start = time.perf_counter(), time.thread_time()

    def check(self, work: str) -> None:
        """Raise ConfigError when the budget is used up; `work` says what took so long."""
        if time.perf_counter() - self._wall_start < self._seconds:  # the quicker clock first
            return
        if time.thread_time() - self._start > self._seconds:
            raise ConfigError(
                f"{work} took too long and was stopped: a regular expression in it backtracks, "
                "often because of a repeat inside a repeat such as (a+)+"
            )


def regex_spans(pattern: str) -> Callable[[str], Iterator[tuple[int, int]]]:
    """Return a function that yields the character ranges a regular expression splits a text into.

    Each match is a piece, and so is what stands between two; empty matches count for nothing.
    Classes such as \\p{L} hold the characters of Unicode 16, as in the named patterns, unless the
    expression uses what only `regex` knows.
    Raises ConfigError when the expression does not compile; the function raises it when the
    expression takes too long.

    >>> list(regex_spans("[a-z]+")("ab, c"))
    [(0, 2), (2, 4), (4, 5)]
    """
    fault = size_fault(pattern)
    if fault is not None:
        raise ConfigError(
            f"the regular expression {_shown(pattern)} is too large: {fault}; make it simpler"
        )
    compiled = compile_expression(pattern)
    exact = _common_expression(pattern)

    def split(text: str) -> Iterator[tuple[int, int]]:
        position = 0
        expression = exact.ready_for(text) if exact else compiled
        for start, end in match_spans(expression, text, written=pattern):
            if end <= position or end <= start:
                continue
            if start > position:
                yield position, start
            yield max(start, position), end
            position = end
        if position < len(text):
            yield position, len(text)

    return split


def _common_expression(pattern: str) -> Expression | None:
    """Give the expression as Oniguruma reads it, where `regex` reads the same."""
    from bpe.oniguruma.expressions import Expression

    try:
        expression = Expression(pattern)
    except ConfigError:
        return None
    return expression if expression.is_common else None


def compile_expression(pattern: str) -> regex.Pattern[str]:
    """Compile a regular expression with `regex`; raises ConfigError where that is not possible.

    >>> compile_expression("a+").match("aab").end()
    2
    """
    import regex

    half = next((at for at, char in enumerate(pattern) if "\ud800" <= char <= "\udfff"), None)
    if half is not None:
        raise ConfigError(
            f"the regular expression {_shown(pattern)} holds half of a surrogate pair at position "
            f"{half}: remove it, no text holds one"
        )
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise ConfigError(
            f"the regular expression {_shown(pattern)} does not compile: {error}; "
            "correct it there, or choose a named pattern"
        ) from error
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise ConfigError(
            f"the regular expression {_shown(pattern)} does not compile: {error}; "
            "make it simpler, or choose a named pattern"
        ) from error
    if compiled.flags & regex.REVERSE:
        raise ConfigError(
            f"the regular expression {_shown(pattern)} searches backwards (flag r at position "
            f"{max(pattern.find('(?'), 0)}): remove the flag, a text is split from its start"
        )
    return compiled


def match_spans(
    compiled: regex.Pattern[str], text: str, position: int = 0, written: str | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the matches from a position on, found a batch at a time.

    A batch has its own time limit, so that the time the caller takes between two counts for
    nothing, and the interpreter is free for other threads while the expression runs. Raises
    ConfigError when the expression takes too long; it shows the expression as it was `written`.

    >>> list(match_spans(compile_expression("a"), "aba", 1))
    [(2, 3)]
    """
    seconds_left = SECONDS_TO_A_MATCH + SECONDS_IN_ALL_PER_CHAR * len(text)
    while position <= len(text):
        limit = SECONDS_TO_A_MATCH + SECONDS_TO_A_MATCH_PER_CHAR * (len(text) - position)
        started = time.thread_time()
        batch, exhausted = _batch(compiled, text, position, min(limit, seconds_left))
        seconds_left -= time.thread_time() - started
        yield from batch
        if exhausted:
            return
        if not batch or batch[-1][1] <= position or seconds_left <= 0:
            raise _too_slow(written or compiled.pattern, position)
        position = batch[-1][1]


def _batch(
    compiled: regex.Pattern[str], text: str, position: int, limit: float
) -> tuple[list[tuple[int, int]], bool]:
    """Return some matches from `position` on, and whether the text holds no more."""
    found = compiled.finditer(text, position, timeout=limit, concurrent=True)
    batch: list[tuple[int, int]] = []
    try:
        for match in islice(found, _MATCHES_AT_ONCE):
            batch.append(match.span())  # one by one, to keep those found before time is up
    except TimeoutError:
        return batch, False
    except MemoryError as error:  # a recursive expression may ask for any amount
        raise ConfigError(
            f"the pattern {compiled.pattern!r:.80} needs more memory than there is, from character "
            f"{position:,} on: use an expression without recursion"
        ) from error
    return batch, len(batch) < _MATCHES_AT_ONCE


def _too_slow(pattern: str, position: int) -> ConfigError:
    return ConfigError(
        f"the regular expression {_shown(pattern)} took too long at character {position} and was "
        "stopped: it backtracks, often because of a repeat inside a repeat such as (a+)+; write "
        "the inner repeat once, make it possessive (a++), or choose a named pattern"
    )


def _shown(pattern: str, longest: int = 80) -> str:
    return repr(pattern if len(pattern) <= longest else pattern[:longest] + "…")
