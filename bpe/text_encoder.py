"""Encoding texts to ids: around special tokens, pre-token by pre-token, plainly or compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bpe.added_tokens import AddedTokenFinder
from bpe.base_symbols import known_symbols
from bpe.compiled_encoding import encode_around_special_tokens
from bpe.encoder import merge_ids
from bpe.encoding import EncodedSegment, Encoding
from bpe.errors import ConfigError, UnknownSymbolError
from bpe.imported_encoder import IdSequence, ImportedEncoder, imported_ids
from bpe.normalizers import normalize, normalize_aligned, well_formed, well_formed_aligned
from bpe.pre_tokenizers import compile_pattern
from bpe.special_tokens import SpecialTokenFinder
from bpe.token_places import located_segments

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

Finder: TypeAlias = SpecialTokenFinder | AddedTokenFinder


def encodings_of(
    tokenizer: Tokenizer, texts: Sequence[str], finder: Finder | None
) -> list[Encoding]:
    """Encode texts; `finder` finds the special tokens that count as such, None for none.

    Raises as `ids_of` does.
    """

    def encoding(text: str, ids: IdSequence) -> Encoding:
        def segments(ids: list[int]) -> Iterator[EncodedSegment]:
            if isinstance(finder, AddedTokenFinder):
                return ImportedEncoder(tokenizer, finder).segments(text)
            return located_segments(tokenizer, finder, text, ids)

        in_bytes = tokenizer.base == "byte" or isinstance(finder, AddedTokenFinder)
        return Encoding(ids, text, in_bytes, tokenizer.token, segments)

    return list(map(encoding, texts, ids_of(tokenizer, texts, finder)))


def ids_of(
    tokenizer: Tokenizer, texts: Sequence[str], finder: Finder | None
) -> Sequence[IdSequence]:
    """Encode texts to their ids: arrays from the compiled encoder where it pays, else lists.

    Raises UnknownSymbolError for a character without a symbol where there is no unknown token,
    ConfigError for a text that is no string or a pattern that takes too long.
    """
    for text in texts:
        if not isinstance(text, str):
            raise ConfigError(f"the text to encode must be a string, not {type(text).__name__}")
    if isinstance(finder, AddedTokenFinder):
        return imported_ids(tokenizer, texts, finder)
    encoder = tokenizer.compiled_encoding.encoder(tokenizer, sum(map(len, texts)))
    if encoder is None:
        plain = PlainEncoder(tokenizer, finder)
        return [plain.ids(text) for text in texts]
    if finder is not None:
        return encode_around_special_tokens(encoder, texts, finder, tokenizer.found_ids)
    return [encoder.encode(texts[0])] if len(texts) == 1 else encoder.encode_batch(texts)


class PlainEncoder:
    """Encodes texts in plain Python; a pre-token that comes again is not merged again."""

    def __init__(self, tokenizer: Tokenizer, finder: SpecialTokenFinder | None) -> None:
        self._tokenizer = tokenizer
        self._finder = finder or SpecialTokenFinder(())
        self._splitter = compile_pattern(tokenizer.pattern)
        self._known: dict[str, Sequence[int]] = {}

    def ids(self, text: str) -> list[int]:
        """Give the ids of a text; raises as `ids_of` does."""
        well = well_formed(text)
        ids: list[int] = []
        for start, end, is_special in self._finder.split(well):
            if is_special:
                ids.append(self._tokenizer.found_ids[well[start:end]])
                continue
            try:
                self._add_ids(well[start:end], ids)
            except UnknownSymbolError as error:
                aligned = normalize_aligned(well[start:end], self._tokenizer.normalizer)
                at = start + aligned.char_starts[error.char_position]
                at = well_formed_aligned(text).char_starts[at]
                raise UnknownSymbolError(error.symbol, at) from None
        return ids

    def _add_ids(self, stretch: str, ids: list[int]) -> None:
        """Add the ids of a stretch of ordinary text; an error tells the place in it normalized."""
        known = self._known
        normalized = normalize(stretch, self._tokenizer.normalizer)
        for start, end in self._splitter.split(normalized):
            word = normalized[start:end]
            if word not in known:
                try:
                    known[word] = self._word_ids(word)
                except UnknownSymbolError as error:
                    raise UnknownSymbolError(error.symbol, start + error.char_position) from None
            ids.extend(known[word])

    def _word_ids(self, word: str) -> Sequence[int]:
        tokenizer = self._tokenizer
        if tokenizer.ignore_merges:
            content = word.encode("utf-8") if tokenizer.base == "byte" else word
            whole = tokenizer.vocabulary.text_id(content)
            if whole is not None:
                return (whole,)
        return merge_ids(known_symbols(tokenizer.symbol_table, word), tokenizer.vocabulary.ranks)
