"""What a Split or Replace looks for: a string, or a regular expression of Oniguruma."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bpe.oniguruma import expression
from bpe.pre_tokenizers import compile_pattern
from bpe.text_pipeline.published import named_expression


@dataclass(frozen=True, slots=True)
class TextPattern:
    """A string, or if `is_regex` a regular expression; raises ConfigError where it cannot be run.

    >>> TextPattern("a", is_regex=False).spans("banana")
    [(1, 2), (3, 4), (5, 6)]
    """

    text: str
    is_regex: bool

    def __post_init__(self) -> None:
        if self.is_regex and named_expression(self.text) is None:
            expression(self.text)

    def spans(self, text: str) -> Iterable[tuple[int, int]]:
        """Give the character ranges of the matches in a text, in order; empty ones among them."""
        if not self.is_regex:
            return [match.span() for match in _string(self.text).finditer(text)]
        name = named_expression(self.text)
        # A published expression leaves nothing between its matches.
        return (
            expression(self.text).spans(text) if name is None else compile_pattern(name).split(text)
        )

    def as_json(self) -> dict[str, Any]:
        """Give what a tokenizer.json says.

        >>> TextPattern("a", is_regex=False).as_json()
        {'String': 'a'}
        """
        return {"Regex" if self.is_regex else "String": self.text}


@lru_cache(maxsize=128)
def _string(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))
