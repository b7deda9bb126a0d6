"""Encoding the stretches of one text: between special tokens, pre-token by pre-token."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bpe.base_symbols import SymbolTable
from bpe.encoder import merge_ids
from bpe.encoding import EncodedPiece, EncodedSegment
from bpe.errors import UnknownSymbolError
from bpe.normalizers import AlignedText, normalize_aligned
from bpe.pre_tokenizers import compile_pattern

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer


def known_symbols(table: SymbolTable, word: str) -> list[int]:
    """Give the ids of the base symbols of a word; raises UnknownSymbolError for the first missing.

    The error's position is the character's place in the word.
    """
    symbols = table.ids(word)
    known = [token_id for token_id in symbols if token_id is not None]
    if len(known) < len(symbols):
        at = next(i for i, char in enumerate(word) if None in table.symbols(char))
        raise UnknownSymbolError(word[at], at)
    return known


class PieceEncoder:
    """Encodes the stretches of one text; a pre-token that comes again is not merged again."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._splitter = compile_pattern(tokenizer.pattern)
        self._known: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def special(self, well: AlignedText, start: int, end: int) -> EncodedSegment:
        """A stretch that is one special token."""
        content = well.text[start:end]
        token_id = self._tokenizer.vocabulary.special_tokens[content]
        units = len(content.encode("utf-8")) if self._tokenizer.base == "byte" else len(content)
        piece = EncodedPiece((token_id,), (units,), 0)
        return _segment(well, start, normalize_aligned(content, ()), (piece,))

    def segment(self, well: AlignedText, start: int, end: int) -> EncodedSegment:
        """A stretch of ordinary text."""
        aligned = normalize_aligned(well.text[start:end], self._tokenizer.normalizer)
        blank = _segment(well, start, aligned, ())
        pieces = []
        for char_start, char_end in self._splitter.split(aligned.text):
            word = aligned.text[char_start:char_end]
            found = self._known.get(word)
            if found is None:
                found = self._known[word] = self._encode_word(word, blank, char_start)
            pieces.append(EncodedPiece(*found, char_start))
        return replace(blank, pieces=tuple(pieces))

    def _encode_word(
        self, word: str, segment: EncodedSegment, char_start: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        tokenizer, vocabulary = self._tokenizer, self._tokenizer.vocabulary
        whole = self._whole_token(word)
        if whole is not None:
            return (whole,), (self._units(whole),)
        try:
            symbols = known_symbols(tokenizer.symbol_table, word)
        except UnknownSymbolError as error:
            at = segment.aligned.char_starts[char_start + error.char_position]
            raise UnknownSymbolError(error.symbol, at + segment.char_offset) from None
        ids = merge_ids(symbols, vocabulary.ranks)
        return tuple(ids), tuple(self._units(token_id) for token_id in ids)

    def _whole_token(self, word: str) -> int | None:
        if not self._tokenizer.ignore_merges:
            return None
        content = word.encode("utf-8") if self._tokenizer.base == "byte" else word
        return self._tokenizer.vocabulary.text_id(content)

    def _units(self, token_id: int) -> int:
        """How many symbols of the text a token stands for; an unknown token stands for one."""
        vocabulary = self._tokenizer.vocabulary
        if token_id not in vocabulary.special_by_id:
            return len(vocabulary.text_of(token_id))
        rule = vocabulary.rules_by_token.get(token_id)  # a file may list a merged token as special
        return 1 if rule is None else sum(self._units(part) for part in rule.pair)


def _segment(
    well: AlignedText, start: int, aligned: AlignedText, pieces: tuple[EncodedPiece, ...]
) -> EncodedSegment:
    """Put a stretch that starts at `start` of the well-formed text in its place in the original.

    Making a text well formed moves characters but no bytes: half a surrogate pair counts as the
    three bytes of U+FFFD, and halves that meet as the four bytes of what they join to.
    """
    if well.is_identity:
        return EncodedSegment(aligned, start, pieces)
    starts = [well.char_starts[start + place] for place in aligned.char_starts]
    ends = [well.char_ends[start + place - 1] for place in aligned.char_ends]
    return EncodedSegment(AlignedText(aligned.text, starts, ends, aligned.unchanged), 0, pieces)
