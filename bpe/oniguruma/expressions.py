"""An Oniguruma expression that can be run over texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from bpe.errors import ConfigError
from bpe.expression_size import size_fault
from bpe.oniguruma.char_sets import literal
from bpe.oniguruma.properties import misjudged
from bpe.oniguruma.source import UnsupportedConstruct, property_names
from bpe.oniguruma.translation import translate
from bpe.regex_splitter import TimeBudget, compile_expression, match_spans
from bpe.unicode_classes import joined_ranges

if TYPE_CHECKING:
    import regex

_PROPERTY = re.compile(r"\\p\{(\w+)\}")


class Expression:
    r"""A regular expression in Oniguruma's syntax, with the characters of Unicode 16.

    `can_be_empty`: it may match nothing. `is_common`: `regex` reads the expression as Oniguruma
    does, but for the version of Unicode. Raises ConfigError, which names the construct, for an
    expression that Oniguruma would not take or that is not translated.

    >>> list(Expression("\\p{N}{1,3}").spans("a 1234"))
    [(2, 5), (5, 6)]
    """

    def __init__(self, source: str) -> None:
        fault = size_fault(source)
        if fault is not None:
            raise ConfigError(f"the regular expression {source!r:.80} is too large: {fault}")
        try:
            translation = translate(source)
        except UnsupportedConstruct as error:
            raise ConfigError(
                f"the regular expression {source!r:.80} has what is not supported: {error}"
            ) from error
        self._source = source
        self._written = translation.written
        self.can_be_empty = translation.can_be_empty
        self.is_common = translation.is_common
        self._properties = tuple(dict.fromkeys(property_names(self._written)))
        self._checked: frozenset[str] = frozenset()
        self._wrong: dict[str, tuple[str, str]] = dict.fromkeys(self._properties, ("", ""))
        self._compiled = self._compile()

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the character ranges of the matches, empty ones too, in order.

        After an empty match the search goes on one character later, and no empty match comes
        straight after a match. The text must hold no surrogates. Raises ConfigError when the
        expression takes too long.
        """
        compiled, position, last_end = self.ready_for(text), 0, -1
        budget = TimeBudget(len(text))
        while position <= len(text):
            budget.check(f"splitting at {self._source!r:.80}")
            for start, end in match_spans(compiled, text, position, self._source):
                if start == end:
                    if end != last_end:
                        yield start, end
                    last_end = end
                    position = end + 1
                    break
                yield start, end
                last_end = end
            else:
                return

    def ready_for(self, text: str) -> regex.Pattern[str]:
        """Give the expression for `regex`, one that takes each character of a text for what it is.

        >>> Expression("a").ready_for("b").pattern
        '(?V1)a'
        """
        if not self._properties or text.isascii() or self._checked.issuperset(text):
            return self._compiled
        new = "".join(sorted(set(text) - self._checked))
        found = {name: misjudged(new, name) for name in self._properties}
        if any(any(pair) for pair in found.values()):
            self._wrong = {
                name: (self._wrong[name][0] + extra, self._wrong[name][1] + missing)
                for name, (extra, missing) in found.items()
            }
            self._compiled = self._compile()
        self._checked = self._checked.union(new)
        return self._compiled

    def _compile(self) -> regex.Pattern[str]:
        written = _PROPERTY.sub(lambda match: self._corrected(match[1]), self._written)
        return compile_expression("(?V1)" + written)

    def _corrected(self, name: str) -> str:
        extra, missing = self._wrong[name]
        written = rf"\p{{{name}}}"
        if extra:
            written = f"[{written}--[{_as_set(extra)}]]"
        return written + _as_set(missing)


def _as_set(chars: str) -> str:
    """Write characters as the inside of a set, neighbours as a range.

    >>> _as_set("bcda")
    'a-d'
    """
    runs = joined_ranges([(ord(char), ord(char)) for char in sorted(set(chars))])
    return "".join(
        literal(chr(first)) + (f"-{literal(chr(last))}" if last > first else "")
        for first, last in runs
    )


@lru_cache(maxsize=128)
def expression(source: str) -> Expression:
    """Give an expression, made ready once; raises ConfigError as `Expression` does.

    >>> expression("a") is expression("a")
    True
    """
    return Expression(source)
