"""What encoding a text gives: ids, and where in the user's own text each token stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bpe.normalizers import AlignedText
from bpe.vocabulary import Content

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """The place of one token in the text as the user gave it.

    Ranges are half open; bytes are those of the text in UTF-8, lone surrogates counted as U+FFFD.
    The characters are all those that the bytes touch, so several tokens may share one.

    >>> TokenSpan(token_id=169, byte_start=2, byte_end=3, char_start=1, char_end=2).char_end
    2
    """

    token_id: int
    byte_start: int
    byte_end: int
    char_start: int
    char_end: int


@dataclass(frozen=True, slots=True)
class EncodedPiece:
    """One pre-token or special token with its ids.

    `char_start` is its place in the segment's text; `n_units` holds how many
    bytes (byte base) or characters (char base) of it each token stands for.
    """

    ids: Sequence[int]
    n_units: Sequence[int]
    char_start: int


@dataclass(frozen=True, slots=True)
class EncodedSegment:
    """A stretch of the text that was split as one: between special tokens, or one of those.

    `aligned` holds the text that was split and where its characters come from, counted from
    `char_offset` in the text as given.
    """

    aligned: AlignedText
    char_offset: int
    pieces: Iterable[EncodedPiece]


class Encoding:
    """The ids and tokens of a text, and on demand the place of each token in it.

    `ids` are numbers, `tokens` the contents, `spans` the places; all three have one entry a token.

    >>> import bpe
    >>> encoding = bpe.train("low low lower", num_merges=2).tokenizer.encode("low é")
    >>> encoding.ids, encoding.tokens
    ([257, 32, 195, 169], [b'low', b' ', b'\\xc3', b'\\xa9'])
    >>> encoding.spans[3]
    TokenSpan(token_id=169, byte_start=5, byte_end=6, char_start=4, char_end=5)
    """

    def __init__(
        self,
        ids: list[int] | npt.NDArray[np.int32],
        original: str,
        units_are_bytes: bool,
        token: Callable[[int], Content],
        segments: Callable[[list[int]], Iterable[EncodedSegment]],
    ) -> None:
        """`segments` tells where the ids stand in the text; it is asked when `spans` are."""
        self._given_ids = ids
        self._original = original
        self._units_are_bytes = units_are_bytes
        self._token = token
        self._segments = segments

    @cached_property
    def ids(self) -> list[int]:
        """The id of each token."""
        ids = self._given_ids
        return ids if isinstance(ids, list) else ids.tolist()

    @cached_property
    def tokens(self) -> list[Content]:
        """The content of each token."""
        contents = {token_id: self._token(token_id) for token_id in set(self.ids)}
        return [contents[token_id] for token_id in self.ids]

    @cached_property
    def spans(self) -> list[TokenSpan]:
        """The place of each token in the text as given."""
        return list(self._spans())

    def __len__(self) -> int:
        return len(self._given_ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Encoding):
            return NotImplemented
        return self.ids == other.ids and self._original == other._original

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Encoding(ids={self.ids!r})"

    def _spans(self) -> Iterator[TokenSpan]:
        byte_at = None if self._original.isascii() else _byte_offsets(self._original)
        in_units = _byte_spans if self._units_are_bytes else _char_spans
        for segment in self._segments(self.ids):
            places = _Places(segment, byte_at)
            for piece in segment.pieces:
                yield from in_units(piece, places)


class _Places:
    """Where each character of a segment stands in the text as given."""

    def __init__(self, segment: EncodedSegment, byte_at: list[int] | None) -> None:
        self.text = segment.aligned.text
        self._aligned = segment.aligned
        self._char_offset = segment.char_offset
        self._byte_at = byte_at

    def byte_of(self, original_char: int) -> int:
        """First UTF-8 byte of a character of the text as given."""
        return original_char if self._byte_at is None else self._byte_at[original_char]

    def span(
        self, token_id: int, first: int, last: int, skipped: int = 0, missing: int = 0
    ) -> TokenSpan:
        """Span of the split text's characters `first` to `last`, both included.

        `skipped` bytes of the first and `missing` bytes of the last are not the token's own; they
        count only where that character is still what the user wrote.
        """
        aligned = self._aligned
        char_start = self._char_offset + aligned.char_starts[first]
        char_end = self._char_offset + aligned.char_ends[last]
        return TokenSpan(
            token_id,
            self.byte_of(char_start) + (skipped if aligned.unchanged[first] else 0),
            self.byte_of(char_end) - (missing if aligned.unchanged[last] else 0),
            char_start,
            char_end,
        )

    def empty(self, token_id: int, char_end: int) -> TokenSpan:
        """An empty span at the end of a piece of the split text."""
        at = self._char_offset + (self._aligned.char_ends[char_end - 1] if char_end else 0)
        return TokenSpan(token_id, self.byte_of(at), self.byte_of(at), at, at)


def _char_spans(piece: EncodedPiece, places: _Places) -> Iterator[TokenSpan]:
    char = piece.char_start
    for token_id, n_chars in zip(piece.ids, piece.n_units, strict=True):
        if n_chars == 0:
            yield places.empty(token_id, char)
        else:
            yield places.span(token_id, char, char + n_chars - 1)
        char += n_chars


def _byte_spans(piece: EncodedPiece, places: _Places) -> Iterator[TokenSpan]:
    char, offset = piece.char_start, 0  # offset: bytes of `char` that tokens before have taken
    for token_id, n_bytes in zip(piece.ids, piece.n_units, strict=True):
        if n_bytes == 0:
            yield places.empty(token_id, char)
            continue
        first, skipped = char, offset
        offset += n_bytes
        width = _utf8_width(places.text[char])
        while offset > width:
            offset -= width
            char += 1
            width = _utf8_width(places.text[char])
        yield places.span(token_id, first, char, skipped, width - offset)
        if offset == width:
            char, offset = char + 1, 0


def _utf8_width(char: str) -> int:
    code = ord(char)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _byte_offsets(text: str) -> list[int]:
    """UTF-8 byte offset of each character and of the end.

    Halves of a surrogate pair that meet are one character of four bytes, counted at the first.
    """
    offsets, position = [], 0
    for index, char in enumerate(text):
        offsets.append(position)
        is_second_half = "\udc00" <= char <= "\udfff" and index > 0
        if is_second_half and "\ud800" <= text[index - 1] <= "\udbff":
            position += 1  # three of its four bytes were counted with the first half
        else:
            position += _utf8_width(char)
    offsets.append(position)
    return offsets
