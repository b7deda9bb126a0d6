"""Encoding as imported tokenizers do: added tokens, rewritten text, pre-tokens, merges.

Text flows as in Hugging Face tokenizers: cut at added tokens, normalize each stretch between
them, cut that at normalized added tokens, split what is left into pre-tokens, encode these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from bpe.added_tokens import AddedTokenFinder
from bpe.base_symbols import known_symbols
from bpe.encoder import Ranks, merge_ids
from bpe.encoding import EncodedPiece, EncodedSegment
from bpe.errors import UnknownSymbolError
from bpe.imported_symbols import ImportedSymbols
from bpe.normalizers import well_formed, well_formed_aligned
from bpe.pre_tokenizers import PreToken
from bpe.text_alignment import AlignedText, align_unchanged
from bpe.text_pipeline.aligned_parts import part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bpe.fast_encoding import FastEncoder
    from bpe.tokenizer import Tokenizer

IdSequence: TypeAlias = "list[int] | npt.NDArray[np.int32]"

_LONGEST_KEPT = 256  # characters of a pre-token whose ids are kept for when it comes again

# A symbol and how many bytes of text it stands for.
_Sized = tuple[int, int]


def imported_ids(
    tokenizer: Tokenizer, texts: Sequence[str], finder: AddedTokenFinder
) -> Sequence[IdSequence]:
    """Encode texts to their ids, with the merging compiled where that pays.

    Raises UnknownSymbolError for a character that no token can stand for.
    """
    encoder = ImportedEncoder(tokenizer, finder)
    spells_bytes = tokenizer.pipeline is not None and tokenizer.pipeline.spells_bytes
    if spells_bytes:
        return [encoder.ids(text) for text in texts]
    compiled = tokenizer.compiled_encoding.encoder(tokenizer, sum(map(len, texts)))
    if compiled is None:
        return [encoder.ids(text) for text in texts]
    return [encoder.compiled_ids(text, compiled) for text in texts]


class ImportedEncoder:
    """Encodes texts; a pre-token that comes again is not merged again."""

    def __init__(self, tokenizer: Tokenizer, finder: AddedTokenFinder) -> None:
        self._tokenizer = tokenizer
        self._finder = finder
        self._steps = tokenizer.reading.steps
        self._symbols = cast(ImportedSymbols, tokenizer.symbol_table)
        self._ranks = tokenizer.vocabulary.ranks
        self._sized_ranks = SizedRanks(self._ranks)
        self._known: dict[str, Sequence[int]] = {}

    def ids(self, text: str) -> list[int]:
        """Give the ids of a text."""
        well = well_formed_aligned(text)
        ids: list[int] = []
        for start, piece, token_id in self.pieces(well.text):
            if token_id is not None:
                ids.append(token_id)
                continue
            try:
                ids.extend(self._word_ids(piece.text))
            except UnknownSymbolError as error:
                at = start + piece.char_starts[error.char_position]
                raise UnknownSymbolError(error.symbol, well.char_starts[at]) from None
        return ids

    def compiled_ids(self, text: str, compiled: FastEncoder) -> npt.NDArray[np.int32]:
        """Give the ids of a text of bytes, merged by the compiled encoder of the tokenizer."""
        import numpy as np

        runs: list[list[str]] = [[]]
        added: list[int] = []
        for _, piece, token_id in self.pieces(well_formed(text)):
            if token_id is None:
                runs[-1].append(piece.text)
            else:
                added.append(token_id)
                runs.append([])
        first, *others = compiled.encode_words(runs)
        between = [np.array([token_id], np.int32) for token_id in added]
        return np.concatenate([first, *chain.from_iterable(zip(between, others, strict=True))])

    def segments(self, text: str) -> Iterator[EncodedSegment]:
        """Yield the pre-tokens and added tokens of a text, each in its place."""
        well = well_formed_aligned(text)
        for start, piece, token_id in self.pieces(well.text):
            sized = (
                self._sized_ids(piece.text)
                if token_id is None
                else [(token_id, len(piece.text.encode("utf-8")))]
            )
            ids, n_units = zip(*sized, strict=True) if sized else ((), ())
            yield _placed(well, start, piece, EncodedPiece(ids, n_units, 0))

    def pieces(self, text: str) -> Iterator[tuple[int, AlignedText, int | None]]:
        """Yield pre-tokens and added tokens: start of their stretch, aligned text, id if added."""
        for start, end, token_id in self._finder.split(text):
            stretch = text[start:end]
            if token_id is not None:
                yield start, align_unchanged(stretch), token_id
                continue
            normalized = self._steps.normalize(stretch)
            for cut_start, cut_end, added_id in self._finder.split_normalized(normalized.text):
                cut = part(normalized, cut_start, cut_end)
                if added_id is not None:
                    yield start, cut, added_id
                    continue
                is_first = start + cut.char_starts[0] == 0
                for piece in self._steps.pre_tokens(cut, is_first=is_first):
                    yield start, piece, None

    def _word_ids(self, word: str) -> Sequence[int]:
        found = self._known.get(word)
        if found is None:
            whole = self._whole_token(word)
            found = (whole,) if whole is not None else self._merged(word)
            if len(word) <= _LONGEST_KEPT:
                self._known[word] = found
        return found

    def _merged(self, word: str) -> list[int]:
        return merge_ids(known_symbols(self._symbols, word), self._ranks)

    def _sized_ids(self, word: str) -> Sequence[_Sized]:
        whole = self._whole_token(word)
        if whole is not None:
            return ((whole, len(word.encode("utf-8"))),)
        sized = self._symbols.sized_ids(word)
        known = [(token_id, size) for token_id, size in sized if token_id is not None]
        return merge_ids(known, cast("Ranks[_Sized]", self._sized_ranks))

    def _whole_token(self, word: str) -> int | None:
        if not self._tokenizer.ignore_merges:
            return None
        try:
            content = self._symbols.content(word)
        except KeyError:  # a step after ByteLevel has put in what spells no byte
            return None
        found = self._tokenizer.vocabulary.text_id(content)
        return None if found in self._tokenizer.reading.beyond_model else found


def imported_pre_tokens(tokenizer: Tokenizer, text: str) -> list[PreToken]:
    """Give the pre-tokens of a text, and the tokens that are always found in it, as they come out.

    Places are those in all of them, one after another.
    """
    encoder = ImportedEncoder(tokenizer, tokenizer.reading.finder(()))
    found: list[PreToken] = []
    char = byte = 0
    for _, piece, _ in encoder.pieces(well_formed(text)):
        char_end = char + len(piece.text)
        byte_end = byte + len(piece.text.encode("utf-8"))
        found.append(PreToken(piece.text, char, char_end, byte, byte_end))
        char, byte = char_end, byte_end
    return found


class SizedRanks:
    """Merge rules over symbols that know how much text they stand for.

    >>> SizedRanks({(0, 1): (7, 2)}).get(((0, 3), (1, 1)))
    (7, (2, 4))
    """

    def __init__(self, ranks: Ranks[int]) -> None:
        self._ranks = ranks

    def get(self, pair: tuple[_Sized, _Sized]) -> tuple[int, _Sized] | None:
        """Give rank and result of a pair; None where no rule merges it."""
        (left, left_size), (right, right_size) = pair
        rule = self._ranks.get((left, right))
        return None if rule is None else (rule[0], (rule[1], left_size + right_size))


def _placed(
    well: AlignedText, start: int, piece: AlignedText, encoded: EncodedPiece
) -> EncodedSegment:
    """Put a piece of the stretch that starts at `start` of the well-formed text in its place."""
    if well.is_identity:
        return EncodedSegment(piece, start, (encoded,))
    starts = [well.char_starts[start + place] for place in piece.char_starts]
    ends = [well.char_ends[start + place - 1] for place in piece.char_ends]
    return EncodedSegment(AlignedText(piece.text, starts, ends, piece.unchanged), 0, (encoded,))
