"""Pre-tokenizers of a tokenizer.json: ways to cut a text, some of which rewrite it too.

Each does what the class of its name in `tokenizers.pre_tokenizers` does (0.23.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from bpe.oniguruma import expression
from bpe.pre_tokenizers import compile_pattern
from bpe.text_alignment import AlignedText
from bpe.text_pipeline.aligned_parts import (
    CharClass,
    map_chars,
    parts,
    tokenizers_class,
    white_space,
    with_prefix,
)
from bpe.text_pipeline.delimiters import Behavior, split_at
from bpe.text_pipeline.json_step import JsonStep
from bpe.text_pipeline.normalizer_steps import spelled
from bpe.text_pipeline.patterns import TextPattern

PrependScheme = Literal["always", "first", "never"]


class PreTokenizerStep(JsonStep):
    """One way to cut a text; a frozen value."""

    __slots__ = ()

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        """Cut a piece into pieces; `is_first`: it stands at the start of the user's text."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ByteLevel(PreTokenizerStep):
    """GPT-2's cut, and then bytes in place of characters.

    `cut` leaves the characters as they are; `spell` writes the bytes as printable characters.
    `trim_offsets` is kept for writing back: it changes no token.
    """

    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        if self.add_prefix_space and not piece.text.startswith(" "):
            piece = with_prefix(piece, " ")
        return (
            parts(piece, compile_pattern("gpt2").split(piece.text)) if self.use_regex else [piece]
        )

    def spell(self, piece: AlignedText) -> AlignedText:
        """Write the bytes of a piece as printable characters."""
        return spelled(piece)


@dataclass(frozen=True, slots=True)
class WhitespaceSplit(PreTokenizerStep):
    """A cut at white space, which is dropped."""

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        return _cut_at(piece, white_space(), "Removed")


@dataclass(frozen=True, slots=True)
class Whitespace(PreTokenizerStep):
    """Runs of word characters and runs of others; white space is dropped."""

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        return parts(piece, expression(_WORDS).spans(piece.text))


@dataclass(frozen=True, slots=True)
class Split(PreTokenizerStep):
    """A cut at what a pattern matches, or if inverted at all else."""

    pattern: TextPattern
    behavior: Behavior
    invert: bool

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        text = piece.text
        spans = _known_cuts(self, text) if len(text) <= _SHORT_TEXT else self.cuts(text)
        return parts(piece, spans)

    def cuts(self, text: str) -> list[tuple[int, int]]:
        """Give the character ranges of the pieces of a text; empty ones may be among them."""
        return split_at(self.pattern.spans(text), len(text), self.behavior, self.invert)


# Where several splits follow one another, the later ones mostly meet words they have met before.
_SHORT_TEXT = 32


@lru_cache(maxsize=2**15)
def _known_cuts(split: Split, text: str) -> tuple[tuple[int, int], ...]:
    return tuple(split.cuts(text))


@dataclass(frozen=True, slots=True)
class Digits(PreTokenizerStep):
    """Numerals apart from all else, each by itself or in runs."""

    individual_digits: bool

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        behavior: Behavior = "Isolated" if self.individual_digits else "Contiguous"
        return _cut_at(piece, tokenizers_class("numeric"), behavior)


@dataclass(frozen=True, slots=True)
class Punctuation(PreTokenizerStep):
    """A cut at punctuation."""

    behavior: Behavior

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        return _cut_at(piece, tokenizers_class("punctuation"), self.behavior)


@dataclass(frozen=True, slots=True)
class Metaspace(PreTokenizerStep):
    """Spaces written as a visible character, one put before the text, and a cut before each."""

    replacement: str
    prepend_scheme: PrependScheme
    split: bool

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        piece = map_chars(piece, {" ": self.replacement})
        scheme, mark = self.prepend_scheme, self.replacement
        if scheme == "always" or (scheme == "first" and is_first):
            piece = piece if piece.text.startswith(mark) else with_prefix(piece, mark)
        if not self.split:
            return [piece]
        marks = TextPattern(mark, is_regex=False).spans(piece.text)
        return parts(piece, split_at(marks, len(piece.text), "MergedWithNext"))


@dataclass(frozen=True, slots=True)
class BertPreTokenizer(PreTokenizerStep):
    """A cut at white space, which is dropped, and around each punctuation mark."""

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        words = _cut_at(piece, white_space(), "Removed")
        punctuation = tokenizers_class("punctuation")
        return [part for word in words for part in _cut_at(word, punctuation, "Isolated")]


@dataclass(frozen=True, slots=True)
class CharDelimiterSplit(PreTokenizerStep):
    """A cut at one character, which is dropped."""

    delimiter: str

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        spans = TextPattern(self.delimiter, is_regex=False).spans(piece.text)
        return parts(piece, split_at(spans, len(piece.text), "Removed"))


@dataclass(frozen=True, slots=True)
class FixedLength(PreTokenizerStep):
    """Pieces of so many characters."""

    length: int

    def cut(self, piece: AlignedText, *, is_first: bool) -> list[AlignedText]:
        n_chars, length = len(piece.text), self.length
        return parts(piece, ((at, min(at + length, n_chars)) for at in range(0, n_chars, length)))


# The word characters of Rust's `regex`: Unicode's, and the two joiners.
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"
_WORDS = rf"[{_WORD}]+|[^{_WORD}\s]+"


def _cut_at(piece: AlignedText, delimiters: CharClass, behavior: Behavior) -> list[AlignedText]:
    runs = behavior in ("Removed", "Contiguous")  # where a run is dropped or kept as one
    spans = (match.span() for match in delimiters.finditer(piece.text, runs))
    return parts(piece, split_at(spans, len(piece.text), behavior))
