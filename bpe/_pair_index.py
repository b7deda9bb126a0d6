"""Pair counts and pair positions of a corpus, kept up to date from merge to merge.

All words lie one after another in one array, each followed by a gap. A token is its id at its
first place and a note of that place at its last, so both neighbours are found in one step. Each
pair's places are one ascending array, written when the pair is born: afterwards occurrences only
die, so a place is checked when it is used and never searched for. The counts make a heap whose
entries may be stale; since counts only fall after birth, a stale entry is put right when popped.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bpe.tie_rules import TieKey
from bpe.vocabulary import Pair

_GAP = -1  # between words
_DEAD = -2  # a place inside a token that is not its first
_TICK_PLACES = 1 << 16  # places of a long word between two reports


@dataclass(frozen=True, slots=True)
class MergeEffect:
    """What one merge did to the corpus.

    `places` are the places of the new token, ascending; `n_replaced` is how many pairs were
    replaced, weighted by the words' counts; `n_visited_words` how many words were looked at.
    """

    places: array[int]
    n_replaced: int
    n_visited_words: int


class PairIndex:
    """The current tokens of all words, with the count and the places of every adjacent pair."""

    def __init__(
        self,
        words: Iterable[Sequence[int]],
        counts: Iterable[int],
        key: TieKey,
        tick: Callable[[int], None] = lambda n_symbols: None,
    ) -> None:
        self._tokens = array("i", [_GAP])
        self._start = array("i", [0])  # at a token's last place: its first place
        self._word_of = array("i", [_GAP])
        self.word_starts: list[int] = []
        self.word_weights = list(counts)
        self._lengths: dict[int, int] = {}  # of merged tokens; every other token is one place long
        self._key = key
        self.pair_counts: dict[Pair, int] = {}
        self._places: dict[Pair, array[int]] = {}
        self.n_tokens = 0  # in the corpus, weighted
        for number, ids in enumerate(words):
            self._add_word(number, ids, tick)
            if number % 1024 == 0:
                tick(len(self._tokens))
        self._how_many_with: dict[int, int] = {}
        for count in self.pair_counts.values():
            self._how_many_with[count] = self._how_many_with.get(count, 0) + 1
        self._heap: list[tuple[int, Any, Pair]] = [
            self._entry(pair, count) for pair, count in self.pair_counts.items()
        ]
        heapq.heapify(self._heap)

    def _add_word(self, number: int, ids: Sequence[int], tick: Callable[[int], None]) -> None:
        first = len(self._tokens)
        weight = self.word_weights[number]
        self.word_starts.append(first)
        self._tokens.extend(ids)
        self._start.extend(range(first, first + len(ids)))
        self._word_of.extend([number]) if len(ids) == 1 else self._word_of.extend(
            array("i", [number]) * len(ids)
        )
        for array_, filler in ((self._tokens, _GAP), (self._start, 0), (self._word_of, _GAP)):
            array_.append(filler)
        self.n_tokens += weight * len(ids)
        counts, places = self.pair_counts, self._places
        for place, pair in enumerate(pairwise(ids), first):
            if pair in counts:
                counts[pair] += weight
                places[pair].append(place)
            else:
                counts[pair] = weight
                places[pair] = array("i", [place])
            if place % _TICK_PLACES == 0:
                tick(place)

    def _entry(self, pair: Pair, count: int) -> tuple[int, Any, Pair]:
        return (-count, self._key(pair, self._first_place(pair)), pair)

    def _first_place(self, pair: Pair) -> int:
        """First place at which the pair still stands; the dead ones before it are dropped."""
        places = self._places[pair]
        n_dead = 0
        while not self._stands_at(pair, places[n_dead]):
            n_dead += 1
        if n_dead:
            self._places[pair] = places[n_dead:]
        return places[n_dead]

    def _stands_at(self, pair: Pair, place: int) -> bool:
        left, right = pair
        return (
            self._tokens[place] == left
            and self._tokens[place + self._lengths.get(left, 1)] == right
        )

    def best(self) -> tuple[Pair, int] | None:
        """The pair to merge next and its count; None when no pair is left."""
        while self._heap:
            negative, _, pair = self._heap[0]
            count = self.pair_counts.get(pair, 0)
            if count == -negative:
                return pair, count
            if count:
                heapq.heapreplace(self._heap, self._entry(pair, count))
            else:
                heapq.heappop(self._heap)
        return None

    def leading(self, n_pairs: int) -> list[tuple[Pair, int]]:
        """The first pairs in the order in which they would be taken, with their counts."""
        taken: list[tuple[int, Any, Pair]] = []
        while len(taken) < n_pairs and self.best() is not None:
            taken.append(heapq.heappop(self._heap))
        for entry in taken:
            heapq.heappush(self._heap, entry)
        return [(pair, -negative) for negative, _, pair in taken]

    def n_tied(self, count: int) -> int:
        """How many pairs have exactly this count."""
        return self._how_many_with.get(count, 0)

    def merge(self, pair: Pair, merged: int) -> MergeEffect:
        """Replace the pair everywhere, left to right without overlap, by the token `merged`.

        Before and after on one word of weight 1: `x a b y` becomes `x ab y`, so the pairs (x, a)
        and (b, y) lose one and (x, ab) and (ab, y) gain one.
        """
        changes: dict[Pair, int] = {}
        births: dict[Pair, array[int]] = {}
        replaced, n_replaced, visited = array("i"), 0, set()
        self._lengths[merged] = self._lengths.get(pair[0], 1) + self._lengths.get(pair[1], 1)
        for place in self._places.pop(pair, array("i")):
            if self._stands_at(pair, place):
                word = self._word_of[place]
                visited.add(word)
                self._replace(pair, merged, place, self.word_weights[word], changes, births)
                replaced.append(place)
                n_replaced += self.word_weights[word]
        self.n_tokens -= n_replaced
        changes[pair] = -self.pair_counts.get(pair, 0)  # overlaps are gone too: aaa -> aa a
        self._apply(changes, births)
        return MergeEffect(replaced, n_replaced, len(visited))

    def _replace(
        self,
        pair: Pair,
        merged: int,
        place: int,
        weight: int,
        changes: dict[Pair, int],
        births: dict[Pair, array[int]],
    ) -> None:
        """Replace one occurrence and note which pairs lose and gain by it."""
        tokens, left, right = self._tokens, *pair
        middle = place + self._lengths.get(left, 1)
        end = place + self._lengths[merged]
        tokens[place], tokens[middle], self._start[end - 1] = merged, _DEAD, place
        if tokens[place - 1] != _GAP:
            before_at = self._start[place - 1]
            before = tokens[before_at]
            changes[before, left] = changes.get((before, left), 0) - weight
            changes[before, merged] = changes.get((before, merged), 0) + weight
            births.setdefault((before, merged), array("i")).append(before_at)
        after = tokens[end]
        if after != _GAP:
            changes[right, after] = changes.get((right, after), 0) - weight
            changes[merged, after] = changes.get((merged, after), 0) + weight
            births.setdefault((merged, after), array("i")).append(place)

    def _apply(self, changes: dict[Pair, int], births: dict[Pair, array[int]]) -> None:
        """Bring counts, places and heap up to date after a merge."""
        for pair, change in changes.items():
            if change == 0:
                continue
            before = self.pair_counts.get(pair, 0)
            self._recount(before, -1)
            self._recount(before + change, 1)
            if before + change:
                self.pair_counts[pair] = before + change
            else:
                self.pair_counts.pop(pair, None)
                self._places.pop(pair, None)
        for pair, places in births.items():
            if pair in self.pair_counts:
                self._places[pair] = places
                heapq.heappush(self._heap, self._entry(pair, self.pair_counts[pair]))

    def _recount(self, count: int, by: int) -> None:
        if count:
            self._how_many_with[count] = self._how_many_with.get(count, 0) + by

    def word_at(self, place: int) -> int:
        """Number of the word that holds this place."""
        return self._word_of[place]

    def tokens_of(self, word: int, limit: int | None = None) -> list[tuple[int, int]]:
        """The tokens of a word as (place, id); with a limit, those in its first `limit` places."""
        place = self.word_starts[word]
        last = None if limit is None else place + limit
        found = []
        while self._tokens[place] != _GAP and (last is None or place < last):
            found.append((place, self._tokens[place]))
            place += self._lengths.get(self._tokens[place], 1)
        return found
