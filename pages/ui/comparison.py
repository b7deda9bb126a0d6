"""Comparing the character base with the byte base of one corpus, at several vocabulary sizes.

Pure: from two trainings and a list of sentences to the rows, the table and the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from bpe import Encoding, Tokenizer, TrainingRun
from bpe.metrics import tokens_by_vocab_size
from bpe.word_measures import corpus_size
from pages.ui.components.token_view.token_view import TokenBlock, TokenColumn, TokenRow
from pages.ui.view_models import counts, round_trip

MAX_SIZES: Final = 6
MAX_SENTENCES: Final = 40
MAX_CURVE_POINTS: Final = 400
BASE_NAMES: Final = {"char": "Character base", "byte": "Byte base"}


class SizesRefused(ValueError):
    """The sizes typed cannot be used; the message says which and why."""


def parse_sizes(text: str, highest: int) -> list[int]:
    """Read vocabulary sizes, separated by spaces or commas; ascending, each once.

    Raises SizesRefused, which names what is no size.

    >>> parse_sizes("600, 300 300", 50_000)
    [300, 600]
    """
    sizes: set[int] = set()
    for part in text.replace(",", " ").split():
        if not (part.isascii() and part.isdigit()) or not 1 <= int(part[:12]) <= highest:
            raise SizesRefused(
                f"“{part[:20]}” is no vocabulary size: write whole numbers from 1 to {highest}, "
                "separated by spaces, such as 300 600 1200."
            )
        sizes.add(int(part))
    if len(sizes) > MAX_SIZES:
        raise SizesRefused(f"At most {MAX_SIZES} sizes can stand side by side, not {len(sizes)}.")
    return sorted(sizes)


def parse_sentences(text: str) -> list[str]:
    """Read sentences, one a line; empty lines are left out, spaces stay.

    >>> parse_sentences("a b\\n\\n  c")
    ['a b', '  c']
    """
    return [line for line in text.split("\n") if line][:MAX_SENTENCES]


@dataclass(frozen=True, slots=True)
class Cut:
    """A training cut to one of the sizes asked for; `n_tokens` is what it really has."""

    base: str
    asked: int
    tokenizer: Tokenizer | None  # None where the size is below the base vocabulary

    @property
    def name(self) -> str:
        """Name the row: the size, and what it became where the corpus gave fewer merges."""
        if self.tokenizer is None or self.tokenizer.n_tokens == self.asked:
            return f"{self.asked:,}"
        return f"{self.asked:,} (ends at {self.tokenizer.n_tokens:,})"


def cuts(run: TrainingRun, sizes: Sequence[int]) -> list[Cut]:
    """Cut one training to each size: no training again.

    >>> import bpe
    >>> run = bpe.train("low low", num_merges=2)
    >>> [cut.name for cut in cuts(run, [100, 257, 999])]
    ['100', '257', '999 (ends at 258)']
    """
    base, floor = run.config.base, run.tokenizer.n_tokens - len(run.steps)
    return [
        Cut(base, size, run.tokenizer.with_vocab_size(size) if size >= floor else None)
        for size in sizes
    ]


def token_blocks(
    runs: Sequence[TrainingRun], sizes: Sequence[int], sentences: Sequence[str]
) -> list[TokenBlock]:
    """Make the coloured rows: a block a sentence, a column a base, a row a size."""
    return [
        TokenBlock([_column(run, cuts(run, sizes), sentence) for run in runs], sentence)
        for sentence in sentences
    ]


def _column(run: TrainingRun, columns: Sequence[Cut], sentence: str) -> TokenColumn:
    rows = [
        TokenRow(sentence, encoding, cut.name, _plural(len(encoding.ids), "token"))
        for cut in columns
        if cut.tokenizer is not None
        for encoding in (cut.tokenizer.encode(sentence),)
    ]
    return TokenColumn(run.tokenizer, rows, BASE_NAMES[run.config.base], run)


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def table(
    runs: Sequence[TrainingRun], sizes: Sequence[int], sentences: Sequence[str]
) -> pd.DataFrame:
    """Make the table: a row for each sentence, base and size that the base allows."""
    rows = [
        _measures(cut, cut.tokenizer, sentence, cut.tokenizer.encode(sentence))
        for sentence in sentences
        for run in runs
        for cut in cuts(run, sizes)
        if cut.tokenizer is not None
    ]
    return pd.DataFrame(rows)


def _measures(cut: Cut, tokenizer: Tokenizer, sentence: str, encoding: Encoding) -> dict[str, Any]:
    measured = counts(tokenizer, sentence, encoding)
    return {
        "sentence": sentence,
        "base": BASE_NAMES[cut.base],
        "size asked for": cut.asked,
        "vocabulary size": tokenizer.n_tokens,
        "tokens": measured.tokens,
        "bytes per token": measured.bytes_per_token,
        "characters per token": measured.characters_per_token,
        "unknowns": measured.unknowns,
        "round trip": round_trip(tokenizer, sentence, encoding).holds,
    }


def totals(frame: pd.DataFrame, sentences: Sequence[str]) -> pd.DataFrame:
    """Add the table up over all sentences: a row for each base and size."""
    n_bytes, n_characters = corpus_size({s: sentences.count(s) for s in sentences})
    sizes = ["base", "size asked for", "vocabulary size"]
    grouped = frame.groupby(sizes, sort=False, as_index=False)
    added = grouped.agg(
        {"tokens": "sum", "unknowns": "sum", "round trip": "sum"},
    )
    n_tokens = added["tokens"].where(added["tokens"] > 0)  # blanks alone may give none
    added.insert(4, "bytes per token", n_bytes / n_tokens)
    added.insert(5, "characters per token", n_characters / n_tokens)
    return added.rename(columns={"round trip": "round trips"})


def curve(run: TrainingRun, sentences: Sequence[str]) -> tuple[list[float], list[float]]:
    """Give tokens in all sentences together by vocabulary size, thinned out to be drawn."""
    by_size = tokens_by_vocab_size(run.tokenizer, sentences)
    sizes = list(by_size)
    every = max(1, len(sizes) // MAX_CURVE_POINTS)
    kept = sorted({*sizes[::every], sizes[-1]})
    return [float(size) for size in kept], [float(by_size[size]) for size in kept]
