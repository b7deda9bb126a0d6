"""What a training gives: its merge steps, its tokenizer, and the corpus at any step."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from bpe._pair_index import PairIndex
from bpe.acceleration import compiled_pays
from bpe.config import TrainerConfig
from bpe.encoder import merge_ids
from bpe.errors import ConfigError, as_whole_number
from bpe.tie_rules import tie_key
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content, Pair
from bpe.word_measures import corpus_size, parts_to_hash, spelled_bytes

StopReason: TypeAlias = Literal["vocab_size", "num_merges", "min_frequency", "no_pairs_left"]

_TEXT_A_WORD = 4  # so many bytes of text are as much work as one byte of the different words
# What the kernels surely hold: bytes of different words, bytes of the corpus, ids.
_MOST_BYTES, _MOST_WEIGHT, _MOST_IDS = 2**28, 2**56, 2**20 - 1


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge of a training.

    `left`, `right`, `merged` are contents and `pair`, `token_id` their ids. `count` is how often
    the pair stood in the corpus just before the merge, `tied` how many pairs shared that highest
    count (1: no tie).

    >>> MergeStep(0, "e", "s", "es", 9, 10, (1, 7), 2).tied
    2
    """

    rank: int
    left: Content
    right: Content
    merged: Content
    count: int
    token_id: int
    pair: Pair
    tied: int


@dataclass(frozen=True)
class TrainingRun:
    """A finished training. Steps count from 0; `step` means: before merge `step`.

    `n_replaced[rank]` is how many tokens a merge saved: its count, or less where occurrences
    overlapped.

    >>> import bpe
    >>> run = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, base="char", num_merges=7)
    >>> run.steps[0].merged, run.steps[0].count, run.stop_reason
    ('es', 9, 'num_merges')
    >>> run.words_at(4)["lower"]
    ('low', 'e', 'r')
    """

    steps: Sequence[MergeStep] = field(repr=False)
    tokenizer: Tokenizer
    stop_reason: StopReason
    warnings: tuple[str, ...]
    word_counts: Mapping[str, int] = field(repr=False)
    config: TrainerConfig
    n_replaced: Sequence[int] = field(repr=False)

    def pair_counts(self, step: int, top: int | None = None) -> dict[tuple[Content, Content], int]:
        """Count all pairs before merge `step`, highest first, ties in the order of the run's rule.

        Keys are (left, right) contents, values counts weighted by the words' counts; `top` keeps
        that many. Raises ConfigError for a step the run does not have. Where text spells the
        end-of-word marker, two pairs may have equal contents: the one that leads is given.

        >>> import bpe
        >>> run = bpe.train({"hug": 10, "pug": 5, "hugs": 5}, base="char", num_merges=1)
        >>> run.pair_counts(0, top=2)
        {('u', 'g'): 20, ('h', 'u'): 15}
        """
        wanted = sys.maxsize if top is None else as_whole_number(top)
        if wanted is None or wanted < 0:
            raise ConfigError(f"top must be a whole number from 0 up, not {top!r}")
        token = self.tokenizer.token
        counts: dict[tuple[Content, Content], int] = {}
        for (left, right), count in self._leading(step, min(2 * wanted, sys.maxsize)):
            if len(counts) < wanted:
                counts.setdefault((token(left), token(right)), count)
        return counts

    def _leading(self, step: int, n_pairs: int) -> list[tuple[Pair, int]]:
        """The first pairs before merge `step`, in the order of the run's rule."""
        if not self.suits_kernels:
            return self.index_at(step).leading(n_pairs)
        from bpe.fast_replay import FastReplay

        return FastReplay(self, step).leading(n_pairs)

    def words_at(self, step: int) -> dict[str, tuple[Content, ...]]:
        """Give every word as the contents of its tokens before merge `step`.

        Raises ConfigError for a step the run does not have.
        """
        content_of = self.tokenizer.vocabulary.contents.__getitem__
        words = zip(self.word_counts, self.word_ids_at(step), strict=True)
        return {word: tuple(map(content_of, ids)) for word, ids in words}  # type: ignore[arg-type]

    def word_ids_at(self, step: int) -> list[list[int]]:
        """Give the token ids of every word before merge `step`, in the order of `word_counts`."""
        if not self.suits_kernels:
            return list(self._iter_word_ids(step))
        from bpe.fast_states import WordStates

        return WordStates(self, step).ids()

    def ids_of_word(self, word: str, step: int) -> list[int]:
        """Give the token ids of one word of the corpus before merge `step`.

        >>> import bpe
        >>> bpe.train({"low": 5}, base="char", num_merges=2).ids_of_word("low", 1)
        [3, 2]
        """
        self.check_step(step)
        ranks = self.tokenizer.vocabulary.ranks
        return merge_ids(self.tokenizer.symbol_table.known_ids(word), ranks, step)

    def _iter_word_ids(self, step: int) -> Iterator[list[int]]:
        self.check_step(step)
        ranks = self.tokenizer.vocabulary.ranks
        symbols = self.tokenizer.symbol_table
        return (merge_ids(symbols.known_ids(word), ranks, step) for word in self.word_counts)

    def index_at(
        self, step: int, tick: Callable[[int], None] = lambda n_symbols: None
    ) -> PairIndex:
        """Count pairs afresh from the words as they stand before merge `step`.

        `tick` is called again and again meanwhile; what it raises ends the counting.
        """
        vocabulary = self.tokenizer.vocabulary
        keys = [
            (content if content is not None else "", token_id in vocabulary.ends_word)
            for token_id, content in enumerate(vocabulary.contents)
        ]
        words, counts = self._iter_word_ids(step), self.word_counts.values()
        return PairIndex(words, counts, tie_key(self.config.tie_break, keys), tick)

    @cached_property
    def corpus_size(self) -> tuple[int, int]:
        """Bytes (UTF-8) and characters of the corpus, as far as they are in words."""
        return corpus_size(self.word_counts)

    @cached_property
    def _n_word_bytes(self) -> int:
        return spelled_bytes(self.word_counts)

    @property
    def suits_kernels(self) -> bool:
        """Tell whether the compiled kernels go through this run, and quicker than plain Python."""
        return (
            compiled_pays(_TEXT_A_WORD * self._n_word_bytes)
            and self._n_word_bytes < _MOST_BYTES
            and self.corpus_size[0] < _MOST_WEIGHT
            and self.tokenizer.vocab_size < _MOST_IDS
        )

    def check_step(self, step: int) -> None:
        """Raise ConfigError unless the run has a state before merge `step`."""
        number = as_whole_number(step)
        if number is None or not 0 <= number <= len(self.steps):
            raise ConfigError(
                f"there is no step {step!r}: this run has the steps 0 (the start) to "
                f"{len(self.steps)} (the end)"
            )

    @cached_property
    def fingerprint(self) -> str:
        """A short name of everything that made this run: equal runs share it (hexadecimal)."""
        digest = hashlib.sha256(f"{self.tokenizer.fingerprint}{self.config}".encode())
        for part in parts_to_hash(self.word_counts):
            digest.update(part)
        return digest.hexdigest()[:32]
