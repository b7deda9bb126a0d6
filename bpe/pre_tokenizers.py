r"""Splitting a text into pre-tokens, the pieces no merge crosses.

A pattern is one of `PATTERN_NAMES`, or a regular expression. "gpt2", "cl100k" and "o200k" split
as the encodings r50k_base, cl100k_base and o200k_base do; their expressions were published with
tiktoken (`tiktoken_ext/openai_public.py`, MIT). They are written here for Python's `re`, with the
meaning they have there: classes of Unicode 16, `\s` as Unicode's white space, `$` as the very end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from bpe.errors import ConfigError
from bpe.normalizers import well_formed_aligned
from bpe.regex_splitter import regex_spans
from bpe.unicode_classes import END_OF_UNICODE, escaped_class

PATTERN_NAMES = ("none", "whitespace", "gpt2", "cl100k", "o200k")

Spans = Iterator[tuple[int, int]]

# 's 't 're 've 'm 'll 'd in either case; the long s (U+017F) is an s when case does not count.
_ANY_CASE_SUFFIX = r"'(?:[sS\u017fdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])"

# \p{...} and \s are filled in by `_expression`; they stand only inside square brackets.
_PUBLISHED = {
    "gpt2": (
        r"'(?:[sdmt]|ll|ve|re)",
        r" ?[\p{L}]+",
        r" ?[\p{N}]+",
        r" ?[^\s\p{L}\p{N}]+",
        r"[\s]++\Z",
        r"[\s]+(?![^\s])",
        r"[\s]",
    ),
    "cl100k": (
        _ANY_CASE_SUFFIX,
        r"[^\r\n\p{L}\p{N}]?+[\p{L}]+",
        r"[\p{N}]{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"[\s]++\Z",
        r"[\s]*[\r\n]",
        r"[\s]+(?![^\s])",
        r"[\s]",
    ),
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        rf"(?:{_ANY_CASE_SUFFIX})?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        rf"(?:{_ANY_CASE_SUFFIX})?",
        r"[\p{N}]{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"[\s]*[\r\n]+",
        r"[\s]+(?![^\s])",
        r"[\s]+",
    ),
}


@dataclass(frozen=True, slots=True)
class PreToken:
    """A piece of a text as it occurs, with its place in characters and in UTF-8 bytes.

    Characters are counted in the text as given, bytes in its UTF-8 form; the two differ in more
    than unit only where surrogate halves were joined or replaced.

    >>> PreToken("how", char_start=7, char_end=10, byte_start=7, byte_end=10).text
    'how'
    """

    text: str
    char_start: int
    char_end: int
    byte_start: int
    byte_end: int


@dataclass(frozen=True, slots=True)
class Splitter:
    """A pattern made ready for use.

    `split(text)` yields the character range of each pre-token, in order and lazily; the text must
    hold no surrogates. `keeps_everything` says whether the ranges leave nothing out.
    """

    pattern: str
    keeps_everything: bool
    split: Callable[[str], Spans]


def pre_tokenize(text: str, pattern: str) -> list[PreToken]:
    """Split a text into pre-tokens.

    Raises ConfigError for a regular expression that does not compile or takes too long.

    >>> [piece.text for piece in pre_tokenize("Hello, how", "gpt2")]
    ['Hello', ',', ' how']
    >>> pre_tokenize("a é", "whitespace")[1]
    PreToken(text='é', char_start=2, char_end=3, byte_start=2, byte_end=4)
    """
    aligned = well_formed_aligned(text)
    text, starts, ends = aligned.text, aligned.char_starts, aligned.char_ends
    pieces: list[PreToken] = []
    position = byte_position = 0
    for start, end in compile_pattern(pattern).split(text):
        byte_start = byte_position + len(text[position:start].encode())
        piece = text[start:end]
        position, byte_position = end, byte_start + len(piece.encode())
        pieces.append(PreToken(piece, starts[start], ends[end - 1], byte_start, byte_position))
    return pieces


def compile_pattern(pattern: str) -> Splitter:
    """Make a pattern ready to split with.

    Raises ConfigError for a regular expression that does not compile; the splitting itself raises
    it for one that takes too long.

    >>> splitter = compile_pattern("whitespace")
    >>> list(splitter.split(" to be ")), splitter.keeps_everything
    ([(1, 3), (4, 6)], False)
    """
    if not isinstance(pattern, str):
        raise ConfigError(
            f"pattern is {pattern!r}: give {', '.join(PATTERN_NAMES)}, or a regular expression"
        )
    return _compiled(pattern)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Splitter:
    if pattern == "none":
        return Splitter(pattern, True, _whole_text)
    if pattern == "whitespace":
        return Splitter(pattern, False, _without_white_space)
    if pattern in _PUBLISHED:
        return Splitter(pattern, True, _published_spans(pattern))
    return Splitter(pattern, True, regex_spans(pattern))


def _whole_text(text: str) -> Spans:
    if text:
        yield 0, len(text)


def _without_white_space(text: str) -> Spans:
    # For `re`, white space is what `str.isspace` says, which is where `str.split()` splits.
    return (match.span() for match in re.finditer(r"\S+", text))


def _published_spans(name: str) -> Callable[[str], Spans]:
    def split(text: str) -> Spans:
        # `re` looks a character up in one step below U+10000 and range by range above.
        has_astral = not text.isascii() and _ASTRAL.search(text) is not None
        expression = _expression(name, END_OF_UNICODE if has_astral else 0x10000)
        return (match.span() for match in expression.finditer(text))

    return split


_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


@lru_cache(maxsize=2 * len(_PUBLISHED))
def _expression(name: str, below: int) -> re.Pattern[str]:
    """Compile a published pattern for texts whose code points are all under `below`."""

    def fill_in(placeholder: re.Match[str]) -> str:
        return escaped_class(placeholder[1] or "White_Space", below=below)

    return re.compile(re.sub(r"\\p\{(\w+)\}|\\s", fill_in, "|".join(_PUBLISHED[name])))
