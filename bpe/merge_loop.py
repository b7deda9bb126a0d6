"""The merge loop in plain Python, over words counted already.

The algorithm is that of Sennrich, Haddow and Birch 2016 (arXiv 1508.07909); counting is
incremental (see `bpe._pair_index`), and `bpe.reference` is what it must equal.
`bpe.compiled_training` does the same with compiled kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bpe._pair_index import PairIndex
from bpe.base_symbols import SymbolTable, base_vocabulary
from bpe.config import TrainerConfig
from bpe.memory import TokenBudget, check_memory
from bpe.progress import Ticker
from bpe.tie_rules import TokenKey, tie_key
from bpe.training_run import MergeStep, StopReason
from bpe.vocabulary import Content, MergeRule, Vocabulary
from bpe.word_counts import count_words as count

__all__ = ["Learned", "MergeLoop", "count", "learn", "number_of_merges", "with_merges"]

ADVICE: Final = (
    "give less text, or a pattern that cuts it into words; the same word again takes no more memory"
)
# Measured, in bytes a character of the different words: their places, and the lists of pairs.
_BYTES_A_SYMBOL: Final = 160


@dataclass(frozen=True, slots=True)
class Learned:
    """The merges of a training, the vocabulary they started from, and why they ended.

    `n_replaced` says of each merge how many pairs it replaced.
    """

    steps: tuple[MergeStep, ...]
    base: Vocabulary
    stop_reason: StopReason
    n_replaced: Sequence[int]


def learn(word_counts: Mapping[str, int], config: TrainerConfig, ticker: Ticker) -> Learned:
    """Learn merges from counted words; raises TrainingCancelled.

    >>> learned = learn({"aaa": 1}, TrainerConfig(base="char", num_merges=9), Ticker(None))
    >>> [step.merged for step in learned.steps], learned.stop_reason
    (['aa', 'aaa'], 'no_pairs_left')
    """
    loop = MergeLoop(word_counts, config, ticker)
    steps = tuple(loop.steps())
    return Learned(steps, loop.base, loop.stop_reason, loop.n_replaced)


def number_of_merges(config: TrainerConfig, base_size: int) -> int:
    """Say how many merges a configuration asks for, given special tokens + base symbols.

    >>> number_of_merges(TrainerConfig(vocab_size=300), 256)
    44
    """
    if config.num_merges is not None:
        return config.num_merges
    assert config.vocab_size is not None  # the config holds exactly one of the two
    return max(0, config.vocab_size - base_size)


def with_merges(base: Vocabulary, steps: Sequence[MergeStep]) -> Vocabulary:
    """Add to a base vocabulary one token a step.

    >>> base = Vocabulary(("a", "b"))
    >>> with_merges(base, [MergeStep(0, "a", "b", "ab", 3, 2, (0, 1), 1)]).contents
    ('a', 'b', 'ab')
    """
    ends_word = set(base.ends_word)
    for step in steps:
        if step.pair[1] in ends_word:
            ends_word.add(step.token_id)
    return Vocabulary(
        (*base.contents, *(step.merged for step in steps)),
        tuple(MergeRule(step.rank, step.pair, step.token_id) for step in steps),
        base.special_tokens,
        base.end_of_word,
        frozenset(ends_word),
    )


class MergeLoop:
    """The merge loop over one corpus.

    `stop_reason` holds once `steps` has ended; `n_replaced` grows with each merge.
    """

    stop_reason: StopReason = "no_pairs_left"
    n_replaced: list[int]

    def __init__(
        self, word_counts: Mapping[str, int], config: TrainerConfig, ticker: Ticker
    ) -> None:
        self.base = base_vocabulary(config, word_counts)
        self.n_replaced = []
        self._config = config
        self._ticker = ticker
        self._keys: list[TokenKey] = [
            (content or "", token_id in self.base.ends_word)
            for token_id, content in enumerate(self.base.contents)
        ]
        self._target = number_of_merges(config, self.base.size)
        self._budget = TokenBudget()
        if self._target:
            n_symbols = sum(map(len, word_counts))
            check_memory(_BYTES_A_SYMBOL * n_symbols, "training on this corpus", ADVICE)
        symbols = SymbolTable(self.base, config.base, None)
        self._index = PairIndex(
            (symbols.known_ids(word) for word in word_counts) if self._target else (),
            word_counts.values(),
            tie_key(config.tie_break, self._keys),
            lambda _: ticker.tick("merge", 0, self._target),
        )

    def steps(self) -> Iterator[MergeStep]:
        """Merge until the target is reached or no pair is left that may be merged."""
        self._ticker.report("merge", 0, self._target)
        least = max(1, self._config.min_frequency)
        for rank in range(self._target):
            best = self._index.best()
            if best is None or best[1] < least:
                self.stop_reason = "no_pairs_left" if best is None else "min_frequency"
                return
            yield self._merge(rank, *best)
            self._ticker.tick("merge", rank + 1, self._target)
        self.stop_reason = "num_merges" if self._config.vocab_size is None else "vocab_size"
        self._ticker.report("merge", self._target, self._target)

    def _merge(self, rank: int, pair: tuple[int, int], count: int) -> MergeStep:
        (left, _), (right, ends_word) = self._keys[pair[0]], self._keys[pair[1]]
        self._budget.add(rank, len(left) + len(right))
        merged: Content = left + right  # type: ignore[operator]
        token_id = len(self._keys)
        self._keys.append((merged, ends_word))
        tied = self._index.n_tied(count)
        self.n_replaced.append(self._index.merge(pair, token_id).n_replaced)
        return MergeStep(rank, left, right, merged, count, token_id, pair, tied)
