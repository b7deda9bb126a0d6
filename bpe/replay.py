"""Going through a finished training again, merge by merge, to see where each merge happened.

A replay starts at any step: the words are written as they stand there, their pairs are counted
once, and every merge from there on is applied to the places where it stands. No pair is chosen
anew; what is shown is what the training did.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from bpe._pair_index import MergeEffect, PairIndex
from bpe.errors import ConfigError
from bpe.training_run import MergeStep, TrainingRun
from bpe.vocabulary import Pair

if TYPE_CHECKING:
    from bpe.fast_replay import FastReplay

AnyReplay: TypeAlias = "Replay | FastReplay"


@dataclass(frozen=True, slots=True)
class WordMerge:
    """What a merge did to one word.

    `ids_before` are the word's token ids just before, `positions` the indexes in it of the left
    tokens that were merged with their right neighbours. Both end where the caller's limit cut the
    word. `n_counted` is how often the pair stood in the whole word, overlaps included.

    >>> WordMerge((0, 0, 0, 1), (0,), 2).n_counted
    2
    """

    ids_before: tuple[int, ...]
    positions: tuple[int, ...]
    n_counted: int


class ReplayedMerge:
    """One merge of a replay and the words it touched, which are known by their number.

    `step` is the training's own record; `n_replaced` how many pairs were replaced, weighted by
    the words' counts, which is less than `step.count` where occurrences overlapped.
    """

    step: MergeStep
    n_replaced: int

    def __init__(self, step: MergeStep, index: PairIndex, effect: MergeEffect) -> None:
        self.step = step
        self.n_replaced = effect.n_replaced
        self._index = index
        self._places = effect.places

    @property
    def n_words(self) -> int:
        """How many different words held the pair."""
        return len(self.replaced_by_word)

    @cached_property
    def replaced_by_word(self) -> dict[int, int]:
        """How many pairs were replaced in each word that held the pair."""
        found: dict[int, int] = {}
        for place in self._places:
            word = self._index.word_at(place)
            found[word] = found.get(word, 0) + 1
        return found

    def replaced_in(self, word: int) -> int:
        """How many pairs were replaced in one word."""
        return self.replaced_by_word.get(word, 0)

    def heaviest(self, n_words: int) -> list[int]:
        """The touched words with the highest counts, of equal ones the lower number first."""
        weights = self._index.word_weights
        return heapq.nsmallest(
            n_words, self.replaced_by_word, key=lambda word: (-weights[word], word)
        )

    def most_replaced(self, n_words: int) -> list[tuple[int, int]]:
        """The words that gave up most pairs, weighted by their counts, and how many each did."""
        weights = self._index.word_weights
        return heapq.nsmallest(
            n_words,
            self.replaced_by_word.items(),
            key=lambda item: (-item[1] * weights[item[0]], item[0]),
        )

    def in_word(self, word: int, limit: int | None = None) -> WordMerge:
        """Show what the merge did to a word; must be asked before the replay goes on.

        `limit` cuts long words after that many tokens of the word at the start of the replay.
        """
        before, positions = self._before(word, limit)
        if self._overlaps:
            n_counted = self._n_doubled(word)
        else:
            n_counted = len(positions) if limit is None else self.replaced_in(word)
        return WordMerge(tuple(before), tuple(positions), n_counted)

    @property
    def _overlaps(self) -> bool:
        return self.step.pair[0] == self.step.pair[1]

    def _n_doubled(self, word: int) -> int:
        """Count in a whole word how often a token stood beside itself, overlaps included."""
        return sum(pair == self.step.pair for pair in pairwise(self._before(word, None)[0]))

    def _before(self, word: int, limit: int | None) -> tuple[list[int], list[int]]:
        """Undo the merge in one word: its ids before and the positions that were merged."""
        before: list[int] = []
        positions: list[int] = []
        merged = self.step.token_id  # there was none of it before
        for _, token_id in self._tokens_of(word, limit):
            if token_id == merged:
                positions.append(len(before))
                before.extend(self.step.pair)
            else:
                before.append(token_id)
        return before, positions

    def _tokens_of(self, word: int, limit: int | None) -> list[tuple[int, int]]:
        return self._index.tokens_of(word, limit)


class Replay:
    """A training gone through again from the state before merge `start`.

    Words are known by their number in the order of `run.word_counts`. `tick` is called again and
    again while pairs are counted; what it raises ends it. Raises ConfigError for a step the run
    does not have.

    >>> import bpe
    >>> run = bpe.train({"aaab": 2, "ab": 1}, base="char", num_merges=2)
    >>> replay = Replay(run)
    >>> replay.leading(2)
    [((0, 0), 4), ((0, 1), 3)]
    >>> merge = replay.advance()
    >>> merge.step.merged, merge.step.count, merge.n_replaced, merge.in_word(0)
    ('aa', 4, 2, WordMerge(ids_before=(0, 0, 0, 1), positions=(0,), n_counted=2))
    """

    def __init__(
        self,
        run: TrainingRun,
        start: int = 0,
        tick: Callable[[int], None] = lambda n_symbols: None,
    ) -> None:
        self._run = run
        self._index = run.index_at(start, tick)
        self.step = start

    @property
    def n_tokens(self) -> int:
        """Tokens in the whole corpus as it stands, weighted by the words' counts."""
        return self._index.n_tokens

    def leading(self, n_pairs: int) -> list[tuple[Pair, int]]:
        """The pairs that lead before the next merge, in the order of the run's rule."""
        return self._index.leading(n_pairs)

    def word_ids(self, word: int, limit: int | None = None) -> list[int]:
        """Token ids of a word as it stands; `limit` as in `ReplayedMerge.in_word`."""
        return [token_id for _, token_id in self._index.tokens_of(word, limit)]

    def word_size(self, word: int) -> int:
        """How many tokens a word has as it stands."""
        return len(self._index.tokens_of(word))

    def advance(self) -> ReplayedMerge:
        """Apply the next merge; raises ConfigError after the last one."""
        if self.step >= len(self._run.steps):
            raise ConfigError(f"the run ends after {len(self._run.steps):,} merges")
        step = self._run.steps[self.step]
        self.step += 1
        return ReplayedMerge(step, self._index, self._index.merge(step.pair, step.token_id))


def replay_from(
    run: TrainingRun,
    start: int = 0,
    tick: Callable[[int], None] = lambda n_symbols: None,
) -> AnyReplay:
    """Replay a training in plain Python, or with the compiled kernels where that pays.

    >>> import bpe
    >>> replay_from(bpe.train({"low": 5}, base="char", num_merges=1)).n_tokens
    15
    """
    if not run.suits_kernels:
        return Replay(run, start, tick)
    from bpe.fast_replay import FastReplay

    return FastReplay(run, start, tick)
