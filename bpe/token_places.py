"""Where the tokens of a text stand in it, worked out from the ids when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bpe.encoding import EncodedPiece, EncodedSegment
from bpe.normalizers import AlignedText, normalize_aligned, well_formed_aligned
from bpe.pre_tokenizers import compile_pattern
from bpe.text_alignment import align_unchanged

if TYPE_CHECKING:
    from bpe.special_tokens import SpecialTokenFinder
    from bpe.tokenizer import Tokenizer
    from bpe.vocabulary import Vocabulary


def located_segments(
    tokenizer: Tokenizer, finder: SpecialTokenFinder | None, text: str, ids: Sequence[int]
) -> Iterator[EncodedSegment]:
    """Yield the stretches of a text that became `ids`: special tokens, and what is between them.

    A pattern that keeps everything leaves no gap between tokens, so such a stretch is one piece.

    >>> import bpe
    >>> tokenizer = bpe.train("low low", num_merges=2).tokenizer
    >>> (segment,) = located_segments(tokenizer, None, "low lo", [257, 32, 108, 111])
    >>> [piece.n_units for piece in segment.pieces]
    [[3, 1, 1, 1]]
    """
    well = well_formed_aligned(text)
    splitter = compile_pattern(tokenizer.pattern)
    taken = _TakenInOrder(tokenizer.vocabulary, ids)
    in_bytes = tokenizer.base == "byte"
    stretches = finder.split(well.text) if finder else _all_of(well.text)
    for start, end, is_special in stretches:
        content = well.text[start:end]
        if is_special:
            piece = EncodedPiece(taken.one(), [_n_units(content, in_bytes)], 0)
            yield _segment(well, start, align_unchanged(content), [piece])
            continue
        aligned = normalize_aligned(content, tokenizer.normalizer)
        whole = [(0, len(aligned.text))]
        ranges = whole if splitter.keeps_everything else splitter.split(aligned.text)
        yield _segment(well, start, aligned, _pieces(aligned.text, ranges, taken, in_bytes))


def _all_of(text: str) -> list[tuple[int, int, bool]]:
    return [(0, len(text), False)] if text else []


def _pieces(
    text: str, ranges: Iterable[tuple[int, int]], taken: _TakenInOrder, in_bytes: bool
) -> Iterator[EncodedPiece]:
    for start, end in ranges:
        yield EncodedPiece(*taken.units(_n_units(text[start:end], in_bytes)), start)


def _n_units(text: str, in_bytes: bool) -> int:
    return len(text.encode("utf-8")) if in_bytes else len(text)


class _TakenInOrder:
    """Ids taken one stretch of text after the other, by how much of it each stands for."""

    def __init__(self, vocabulary: Vocabulary, ids: Sequence[int]) -> None:
        self._ids = ids
        self._units = {token_id: units_of(vocabulary, token_id) for token_id in set(ids)}
        self._at = 0

    def one(self) -> Sequence[int]:
        """Take one id, whatever it stands for."""
        self._at += 1
        return self._ids[self._at - 1 : self._at]

    def units(self, n_units: int) -> tuple[Sequence[int], Sequence[int]]:
        """Take the ids that stand for so many units, with the units of each.

        A marker stands for none and belongs to what is before it.
        """
        ids, units, first = self._ids, self._units, self._at
        at, n_left = first, n_units
        while at < len(ids) and (n_left > 0 or units[ids[at]] == 0):
            n_left -= units[ids[at]]
            at += 1
        self._at = at
        return ids[first:at], [units[token_id] for token_id in ids[first:at]]


def units_of(vocabulary: Vocabulary, token_id: int) -> int:
    """How many symbols of the text a token stands for; an unknown token stands for one."""
    if token_id not in vocabulary.special_by_id:
        return len(vocabulary.text_of(token_id))
    rule = vocabulary.rules_by_token.get(token_id)  # a file may list a merged token as special
    return 1 if rule is None else sum(units_of(vocabulary, part) for part in rule.pair)


def _segment(
    well: AlignedText, start: int, aligned: AlignedText, pieces: Iterable[EncodedPiece]
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
