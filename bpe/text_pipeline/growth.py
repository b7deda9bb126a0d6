"""How long a text may become by being rewritten.

A replacement may be as long as a file allows, and each step of a pipeline works on what the one
before made of a text: three that each make a thousand characters of one would take all memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpe.errors import ConfigError

# Honest rewrites make at most 18 characters of one (the form NFKC).
_CHARS_IN_ANY_CASE = 1_000_000
_TIMES_AS_LONG = 32


def check_growth(n_chars: int, n_chars_before: int) -> None:
    """Raise ConfigError where rewriting made a text far longer than any honest rewrite does.

    >>> check_growth(n_chars=18, n_chars_before=1)
    """
    if n_chars > _CHARS_IN_ANY_CASE + _TIMES_AS_LONG * n_chars_before:
        raise ConfigError(
            f"the steps of this tokenizer make {n_chars:,} characters and more of "
            f"{n_chars_before:,}: its replacements are too long"
        )


def growing(texts: Iterable[str], n_chars_before: int) -> Iterator[str]:
    """Pass texts on as long as all of them together are not too long; raises ConfigError.

    >>> list(growing(["ab", "c"], n_chars_before=2))
    ['ab', 'c']
    """
    n_chars = 0
    for text in texts:
        n_chars += len(text)
        check_growth(n_chars, n_chars_before)
        yield text
