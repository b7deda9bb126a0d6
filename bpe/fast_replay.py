"""Going through a finished training again by compiled kernels: the twin of `bpe.replay.Replay`.

Importing this loads numba. The merge loop of the training is used again: told which pair comes
next, it merges that one and stops.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from bpe._kernels.leading_pairs import Leaders, add_leaders, find_leaders
from bpe._kernels.merge_arrays import with_pairs_listed, with_room
from bpe._kernels.merging import NO_ROOM, merge_pairs
from bpe._kernels.word_states import count_doubled, end_of_tokens, words_of_places
from bpe.errors import ConfigError
from bpe.fast_states import Tick, WordStates
from bpe.replay import ReplayedMerge
from bpe.training_run import MergeStep, TrainingRun
from bpe.vocabulary import Pair
from bpe.word_table import highest

Numbers = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]

# Pairs are listed that have this share of the count of the merge so many merges ahead.
_AHEAD = 1000
_SHARE = 2
_STEP_DOWN = 8  # a threshold that was too high is divided by this


class FastReplay:
    """What `bpe.replay.Replay` is, in a time that suits a million words.

    Raises ConfigError for a step the run does not have and for words the kernels cannot hold.

    >>> import bpe
    >>> run = bpe.train({"aaab": 2, "ab": 1}, base="char", num_merges=2)
    >>> replay = FastReplay(run)
    >>> replay.leading(2)
    [((0, 0), 4), ((0, 1), 3)]
    >>> merge = replay.advance()
    >>> merge.step.merged, merge.step.count, merge.n_replaced, merge.in_word(0)
    ('aa', 4, 2, WordMerge(ids_before=(0, 0, 0, 1), positions=(0,), n_counted=2))
    """

    def __init__(
        self, run: TrainingRun, start: int = 0, tick: Tick = lambda n_symbols: None
    ) -> None:
        self._run = run
        self._tick = tick
        states = WordStates(run, start, tick)
        self._training, self._weight = states.training, states.weight
        self.words = ReplayedWords(states)
        self._leaders = Leaders(np.empty(0, np.int32), np.empty(0, np.int64), np.zeros(1, np.int64))
        self.n_tokens = states.n_tokens
        self.step = start
        self._list_pairs(self._threshold_ahead())

    def leading(self, n_pairs: int) -> list[tuple[Pair, int]]:
        """The pairs that lead before the next merge, in the order of the run's rule."""
        found = self._find_leaders(n_pairs)
        while len(found) < n_pairs and self._threshold > 1:
            self._list_pairs(self._threshold // _STEP_DOWN)
            found = self._find_leaders(n_pairs)
        listed = self._training.pairs[found]
        rows = zip(*(listed[name].tolist() for name in ("left", "right", "count")), strict=True)
        return [((left - 1, right - 1), count) for left, right, count in rows]

    def word_ids(self, word: int, limit: int | None = None) -> list[int]:
        """Token ids of a word as it stands; `limit` as in `ReplayedMerge.in_word`."""
        return [token_id for _, token_id in self.words.tokens_of(word, limit)]

    def word_size(self, word: int) -> int:
        """How many tokens a word has as it stands."""
        return int(self.words.sizes[word])

    def advance(self) -> FastReplayedMerge:
        """Apply the next merge; raises ConfigError after the last one."""
        if self.step >= len(self._run.steps):
            raise ConfigError(f"the run ends after {len(self._run.steps):,} merges")
        step = self._run.steps[self.step]
        if step.count < self._threshold:
            self._list_pairs(self._threshold_ahead())
        places = self._merge(step)
        self.step += 1
        self.words.note_merge(step)
        merge = FastReplayedMerge(step, self.words, places)
        self.n_tokens -= merge.n_replaced
        return merge

    @property
    def _threshold(self) -> int:
        return int(self._training.state[0]["threshold"])

    def _threshold_ahead(self) -> int:
        """Give a count that the merges of a window and the pairs shown beside them will reach."""
        ahead = self._run.steps[self.step : self.step + _AHEAD]
        return max(1, min((step.count for step in ahead), default=1) // _SHARE)

    def _list_pairs(self, threshold: int) -> None:
        threshold = max(1, threshold)
        self._training = with_pairs_listed(
            self._training, threshold, self._weight // threshold, self._pause
        )
        self._rank_again()

    def _rank_again(self) -> None:
        """Make the heap of leading pairs anew."""
        room = max(1, len(self._training.pairs))
        self._leaders = Leaders(
            np.empty(room, np.int32), np.empty(room, np.int64), np.zeros(1, np.int64)
        )
        add_leaders(self._training, self._leaders, 0)

    def _find_leaders(self, n_pairs: int) -> Numbers:
        found = np.empty(min(n_pairs, int(self._training.state[0]["n_pairs"])), np.int32)
        return found[: find_leaders(self._training, self._leaders, found)]

    def _merge(self, step: MergeStep) -> Numbers:
        """Merge the pair of a step; gives the places of the new token, ascending."""
        state = self._training.state[0]
        pair, leads = self._number_of(step.pair)
        first_new = int(state["n_pairs"])
        self._training.heap[0] = pair
        state["n_in_heap"], state["top"] = 1, self._training.pairs["count"][pair]
        while merge_pairs(self._training, 1) == NO_ROOM:
            self._training = with_room(self._training, self._pause)
            leads = False
        if leads:
            add_leaders(self._training, self._leaders, first_new)
        else:
            self._rank_again()
        entry = self._training.pairs[pair]
        places: Numbers = self._training.pool[entry["start"] : entry["start"] + entry["size"]]
        return places

    def _number_of(self, pair: Pair) -> tuple[int, bool]:
        """Find a listed pair; tells too whether it leads. It does, unless a rule was overruled."""
        left, right = pair[0] + 1, pair[1] + 1
        first = self._find_leaders(1)
        listed = self._training.pairs[: int(self._training.state[0]["n_pairs"])]
        if len(first) and (listed["left"][first[0]], listed["right"][first[0]]) == (left, right):
            return int(first[0]), True
        same = (listed["left"] == left) & (listed["right"] == right)
        return int(np.flatnonzero(same)[0]), False

    def _pause(self) -> None:
        self._tick(0)


class ReplayedWords:
    """The words of a replay: what `ReplayedMerge` asks of a `PairIndex`."""

    def __init__(self, states: WordStates) -> None:
        self._layout, self._tokens = states.training.words, states.training.tokens
        n_known = int(states.training.state[0]["n_tokens"])
        self._lengths: list[int] = self._tokens["length"][:n_known].tolist()
        self._ids_at_start = self._layout.ids.copy()
        self._limits: dict[tuple[int, int], int] = {}
        self.word_weights = states.table.counts
        self.sizes = states.sizes

    def note_merge(self, step: MergeStep) -> None:
        """Note how long the token is that a merge makes."""
        left, right = step.pair
        self._lengths.append(self._lengths[left + 1] + self._lengths[right + 1])

    def bounds(self, word: int, limit: int | None = None) -> tuple[int, int]:
        """Give the first place of a word and the place after its last, or after the limit."""
        start = int(self._layout.run_ends[word - 1]) if word else 1
        stop = int(self._layout.run_ends[word]) - 1
        if limit is None or stop - start <= limit:
            return start, stop
        if (word, limit) not in self._limits:
            end = end_of_tokens(self._ids_at_start, self._tokens, start, limit)
            self._limits[word, limit] = end
        return start, self._limits[word, limit]

    def tokens_of(self, word: int, limit: int | None = None) -> list[tuple[int, int]]:
        """The tokens of a word as (place, id); as `PairIndex.tokens_of`."""
        start, stop = self.bounds(word, limit)
        ids, place, found = self._layout.ids[start:stop].tolist(), 0, []
        while place < len(ids):
            found.append((start + place, ids[place] - 1))
            place += self._lengths[ids[place]]
        return found

    def n_doubled(self, word: int, step: MergeStep) -> int:
        """Count how often a token stood beside itself in a word before it was merged with itself.

        Without making Python objects of the word, which may be as long as a corpus.
        """
        ids, start = self._layout.ids, self.bounds(word)[0]
        return int(count_doubled(ids, self._tokens, start, step.pair[0] + 1, step.token_id + 1))

    def with_places(self, places: Numbers) -> tuple[Numbers, Integers]:
        """Give the numbers of the words that hold places, and how many each holds."""
        found, times = np.empty(len(places), np.int32), np.empty(len(places), np.int64)
        n_found = words_of_places(self._layout, places, found, times, self.sizes)
        return found[:n_found], times[:n_found]


class FastReplayedMerge(ReplayedMerge):
    """One merge of a fast replay and the words it touched."""

    def __init__(self, step: MergeStep, words: ReplayedWords, places: Numbers) -> None:
        self.step = step
        self._words = words
        self._touched, self._times = words.with_places(places)
        self._counts = words.word_weights[self._touched]
        self.n_replaced = int(np.dot(self._times, self._counts))
        self._asked: dict[int, int] = {}  # how often in the words that were named last

    @property
    def n_words(self) -> int:
        """How many different words held the pair."""
        return len(self._touched)

    @cached_property
    def replaced_by_word(self) -> dict[int, int]:
        """How many pairs were replaced in each word that held the pair; words by their number."""
        return dict(zip(self._touched.tolist(), self._times.tolist(), strict=True))

    def replaced_in(self, word: int) -> int:
        """How many pairs were replaced in one word."""
        if word in self._asked:
            return self._asked[word]
        at = int(np.searchsorted(self._touched, np.int32(word)))
        found = at < len(self._touched) and self._touched[at] == word
        return int(self._times[at]) if found else 0

    def heaviest(self, n_words: int) -> list[int]:
        """The touched words with the highest counts, of equal ones the lower number first."""
        first = highest(self._counts, n_words)
        words: list[int] = self._touched[first].tolist()
        self._asked = dict(zip(words, self._times[first].tolist(), strict=True))
        return words

    def most_replaced(self, n_words: int) -> list[tuple[int, int]]:
        """The words that gave up most pairs, weighted by their counts, and how many each did."""
        first = highest(self._times * self._counts, n_words)
        return list(zip(self._touched[first].tolist(), self._times[first].tolist(), strict=True))

    def _n_doubled(self, word: int) -> int:
        return self._words.n_doubled(word, self.step)

    def _tokens_of(self, word: int, limit: int | None) -> list[tuple[int, int]]:
        return self._words.tokens_of(word, limit)


def warm_up() -> None:
    """Run each kernel of a replay once, so that none is left to be compiled.

    >>> warm_up()
    """
    from bpe.trainer import train

    run = train({"aaab" * 5: 2, "ab": 1}, num_merges=3)
    replay = FastReplay(run)
    replay.leading(2)
    replay.advance().in_word(0, 5)  # a with itself
    WordStates(run, 1).ids()
