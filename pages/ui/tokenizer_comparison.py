"""Comparing tokenizers of the list on the same sentences.

Pure: from tokenizers with their names and a list of sentences to lanes of tokens, table and curves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pandas as pd

from bpe import BPEError, Encoding, Tokenizer
from bpe.metrics import tokens_by_vocab_size
from pages.ui.components.token_view.token_view import TokenBlock, TokenColumn, TokenRow
from pages.ui.view_models import counts, round_trip

if TYPE_CHECKING:
    from bpe import TrainingRun

Curve: TypeAlias = tuple[list[float], list[float]]

MAX_LANES: Final = 6
CURVE_POINTS: Final = 300
_ADDED: Final = ["tokens", "bytes", "characters", "words", "unknowns", "round trip"]
_RATIOS: Final = {
    "bytes per token": ("bytes", "tokens"),
    "characters per token": ("characters", "tokens"),
    "tokens per word": ("tokens", "words"),
}


@dataclass(frozen=True, slots=True)
class Lane:
    """A tokenizer under its name; the run, if it was trained here, tells the counts."""

    name: str
    tokenizer: Tokenizer
    run: TrainingRun | None = None


@dataclass(frozen=True, slots=True)
class LaneEncoding:
    """What a lane makes of a sentence: its tokens, or why there are none."""

    lane: Lane
    sentence: str
    encoding: Encoding | None
    problem: str = ""

    @property
    def bytes_per_token(self) -> float | None:
        """UTF-8 bytes of the sentence per token; None where there are no tokens."""
        if self.encoding is None:
            return None
        return counts(self.lane.tokenizer, self.sentence, self.encoding).bytes_per_token

    @property
    def loses_characters(self) -> bool:
        """Whether some characters became an unknown token, which takes few tokens but says less."""
        if self.encoding is None:
            return False
        return counts(self.lane.tokenizer, self.sentence, self.encoding).unknowns > 0


def encode_all(lanes: Sequence[Lane], sentences: Sequence[str]) -> list[list[LaneEncoding]]:
    """Encode each sentence with each tokenizer: a list a sentence, in the order of the lanes."""
    return [[_encode(lane, sentence) for lane in lanes] for sentence in sentences]


def _encode(lane: Lane, sentence: str) -> LaneEncoding:
    try:
        return LaneEncoding(lane, sentence, lane.tokenizer.encode(sentence))
    except BPEError as error:  # no symbol for a character, or a split that takes too long
        return LaneEncoding(lane, sentence, None, str(error))


def lane_blocks(encoded: Sequence[Sequence[LaneEncoding]]) -> list[TokenBlock]:
    """Make the coloured rows: a block a sentence, in it one lane under the other.

    A lane that cannot encode its sentence has no tokens, and a note that says why. Tokens that
    end where another lane has no cut are marked.
    """
    return [
        TokenBlock([_column(one, common) for one in row], row[0].sentence, is_stacked=True)
        for row in encoded
        for common in (common_ends(row),)
    ]


def common_ends(row: Sequence[LaneEncoding]) -> frozenset[int]:
    """Give the bytes of a sentence before which every lane that can encode it ends a token."""
    ends = [
        frozenset(span.byte_end for span in one.encoding.spans)
        for one in row
        if one.encoding is not None
    ]
    return frozenset.intersection(*ends) if ends else frozenset()


def _column(one: LaneEncoding, common: frozenset[int]) -> TokenColumn:
    lane = one.lane
    if one.encoding is None:
        nothing = lane.tokenizer.encode("")
        return TokenColumn(lane.tokenizer, [TokenRow("", nothing, lane.name, one.problem)])
    n_tokens = len(one.encoding.ids)
    spans = one.encoding.spans
    apart = [place for place, span in enumerate(spans) if span.byte_end not in common]
    note = f"{n_tokens:,} token{'' if n_tokens == 1 else 's'}"
    if apart:
        note += f", {len(apart):,} cut{'' if len(apart) == 1 else 's'} that not all make"
    row = TokenRow(one.sentence, one.encoding, lane.name, note, apart)
    return TokenColumn(lane.tokenizer, [row], run=lane.run)


def lane_table(encoded: Sequence[Sequence[LaneEncoding]]) -> pd.DataFrame:
    """Make the table: a row for each sentence and tokenizer, without what cannot be encoded."""
    rows = [
        _measures(one.lane, one.sentence, one.encoding)
        for row in encoded
        for one in row
        if one.encoding is not None
    ]
    return _with_ratios(pd.DataFrame(rows)) if rows else pd.DataFrame()


def _measures(lane: Lane, sentence: str, encoding: Encoding) -> dict[str, Any]:
    measured = counts(lane.tokenizer, sentence, encoding)
    return {
        "sentence": sentence,
        "tokenizer": lane.name,
        "vocabulary size": lane.tokenizer.n_tokens,
        "tokens": measured.tokens,
        "bytes": measured.bytes,
        "characters": measured.characters,
        "words": measured.words,
        "unknowns": measured.unknowns,
        "round trip": round_trip(lane.tokenizer, sentence, encoding).holds,
    }


def _with_ratios(frame: pd.DataFrame) -> pd.DataFrame:
    """Put the ratios behind the tokens, in the place of what they are made of."""
    place = list(frame.columns).index("tokens") + 1
    for offset, (name, (above, below)) in enumerate(_RATIOS.items()):
        frame.insert(place + offset, name, frame[above] / frame[below].where(frame[below] > 0))
    return frame.drop(columns=["bytes", "characters", "words"])


def lane_totals(encoded: Sequence[Sequence[LaneEncoding]]) -> pd.DataFrame:
    """Add up over all sentences: a row for each tokenizer that could encode all of them."""
    rows = []
    for ones in zip(*encoded, strict=True):
        measured = [
            _measures(one.lane, one.sentence, one.encoding)
            for one in ones
            if one.encoding is not None  # one of no tokens counts: it is false, but not None
        ]
        if len(measured) == len(ones):
            added = {name: sum(row[name] for row in measured) for name in _ADDED}
            named = {name: measured[0][name] for name in ("tokenizer", "vocabulary size")}
            rows.append(named | added)
    if not rows:
        return pd.DataFrame()
    return _with_ratios(pd.DataFrame(rows)).rename(columns={"round trip": "round trips"})


def problems(encoded: Sequence[Sequence[LaneEncoding]]) -> list[tuple[str, int, str]]:
    """Name the tokenizers that cannot encode all sentences: how many not, and the first reason."""
    told = []
    for ones in zip(*encoded, strict=True):
        failed = [one for one in ones if one.encoding is None]
        if failed:
            told.append((failed[0].lane.name, len(failed), failed[0].problem))
    return told


def lane_curve(ones: Sequence[LaneEncoding]) -> Curve | None:
    """Give a tokenizer's tokens in all sentences by vocabulary size, thinned out evenly by ratio.

    None where the sentences cannot be encoded, or where merges alone do not explain the tokens (a
    file may say that whole words are looked up first): then a smaller vocabulary is no such curve.
    """
    lane, n_tokens = ones[0].lane, 0
    for one in ones:
        if one.encoding is None:
            return None
        n_tokens += len(one.encoding.ids)
    by_size = tokens_by_vocab_size(lane.tokenizer, [one.sentence for one in ones])
    sizes = list(by_size)
    if by_size[sizes[-1]] != n_tokens:
        return None
    kept = sorted({sizes[place] for place in _even_by_ratio(sizes)})
    return [float(size) for size in kept], [float(by_size[size]) for size in kept]


def _even_by_ratio(sizes: Sequence[int]) -> list[int]:
    """Choose places in consecutive sizes so that neighbours differ by about the same ratio.

    >>> _even_by_ratio([4, 5, 6])
    [0, 1, 2]
    """
    if len(sizes) <= CURVE_POINTS:
        return list(range(len(sizes)))
    first, last = max(1, sizes[0]), sizes[-1]
    ratio = math.log(last / first) / CURVE_POINTS
    asked = [round(first * math.exp(ratio * point)) for point in range(CURVE_POINTS + 1)]
    return sorted({min(len(sizes) - 1, max(0, size - sizes[0])) for size in asked})
