"""Pair counts kept up to date: equal to a recount after every merge, no word visited in vain."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe._pair_index import PairIndex
from bpe.base_symbols import SymbolTable, base_vocabulary
from bpe.tie_rules import TieKey, TokenKey, tie_key
from tests.engine.strategies import tie_rules, word_counts
from tests.engine.trained import LOWEST


class Recount:
    """The corpus again, as plain lists; everything is counted afresh each time."""

    def __init__(self, words: list[list[int]], weights: list[int]) -> None:
        self.words = words
        self.weights = weights

    def counts(self) -> dict[tuple[int, int], int]:
        counts: dict[tuple[int, int], int] = {}
        for ids, weight in zip(self.words, self.weights, strict=True):
            for pair in pairwise(ids):
                counts[pair] = counts.get(pair, 0) + weight
        return counts

    def ordered(self, key: TieKey) -> list[tuple[tuple[int, int], int]]:
        """All pairs, highest count first, ties by the rule; a dict keeps the order of places."""
        order = {pair: number for number, pair in enumerate(self.counts())}
        return sorted(
            self.counts().items(), key=lambda item: (-item[1], key(item[0], order[item[0]]))
        )

    def words_with(self, pair: tuple[int, int]) -> set[int]:
        return {n for n, ids in enumerate(self.words) if pair in pairwise(ids)}

    def merge(self, pair: tuple[int, int], merged: int) -> int:
        """Merge everywhere; gives how many pairs were replaced, weighted."""
        before = self.n_tokens()
        for number, ids in enumerate(self.words):
            new: list[int] = []
            while ids:
                n_taken = 2 if tuple(ids[:2]) == pair else 1
                new.append(merged if n_taken == 2 else ids[0])
                ids = ids[n_taken:]
            self.words[number] = new
        return before - self.n_tokens()

    def n_tokens(self) -> int:
        return sum(len(ids) * n for ids, n in zip(self.words, self.weights, strict=True))


def index_and_recount(
    words: dict[str, int], tie_break: str
) -> tuple[PairIndex, Recount, list[TokenKey], TieKey]:
    base = "byte" if tie_break == "gpt2_byte_ids" else "char"
    vocabulary = base_vocabulary(bpe.TrainerConfig(base=base, num_merges=0), words)
    table = SymbolTable(vocabulary, base, None)
    ids = [table.known_ids(word) for word in words]
    keys: list[TokenKey] = [(content or "", False) for content in vocabulary.contents]
    key = tie_key(tie_break, keys)
    return PairIndex(ids, words.values(), key), Recount(ids, [*words.values()]), keys, key


def merge_in_both(index: PairIndex, recount: Recount, keys: list[TokenKey], pair: Any) -> None:
    """Merge a pair in both, and compare all that the merge says of itself."""
    merged, holders = len(keys), recount.words_with(pair)
    keys.append((keys[pair[0]][0] + keys[pair[1]][0], False))  # type: ignore[operator]
    effect = index.merge(pair, merged)
    assert effect.n_replaced == recount.merge(pair, merged)
    assert effect.n_visited_words == len(holders)
    assert {index.word_at(place) for place in effect.places} == holders
    assert list(effect.places) == sorted(effect.places)


@given(word_counts, tie_rules)
def test_incremental_counts_equal_a_recount_after_every_merge(
    words: dict[str, int], tie_break: str
) -> None:
    index, recount, keys, key = index_and_recount(words, tie_break)
    while True:
        expected = recount.ordered(key)
        assert index.pair_counts == dict(expected)
        assert index.best() == (expected[0] if expected else None)
        assert index.leading(4) == expected[:4]
        assert index.leading(len(expected) + 1) == expected
        assert index.n_tokens == recount.n_tokens()
        for _, count in expected:
            assert index.n_tied(count) == sum(other == count for _, other in expected)
        if not expected:
            break
        merge_in_both(index, recount, keys, expected[0][0])


@given(word_counts, tie_rules, st.data())
def test_counts_stay_right_whatever_pair_is_merged(
    words: dict[str, int], tie_break: str, data: st.DataObject
) -> None:
    """Not only the best pair may be merged: the order of merges is the caller's."""
    index, recount, keys, key = index_and_recount(words, tie_break)
    for _ in range(6):
        if not recount.counts():
            break
        merge_in_both(index, recount, keys, data.draw(st.sampled_from(sorted(recount.counts()))))
        assert index.leading(99) == recount.ordered(key)[:99]


@given(word_counts)
def test_the_tokens_of_each_word_are_those_of_the_plain_lists(words: dict[str, int]) -> None:
    index, recount, keys, _ = index_and_recount(words, "lexicographic")
    for _ in range(4):
        best = index.best()
        if best is None:
            break
        merge_in_both(index, recount, keys, best[0])
        for number, ids in enumerate(recount.words):
            assert [token_id for _, token_id in index.tokens_of(number)] == ids


class Watched:
    """An array that notes which places are read or written."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.touched: set[int] = set()

    def __getitem__(self, place: int) -> int:
        self.touched.add(place)
        return int(self.inner[place])

    def __setitem__(self, place: int, value: int) -> None:
        self.touched.add(place)
        self.inner[place] = value


@pytest.mark.parametrize("tie_break", ["lexicographic", "first_seen"])
def test_a_merge_touches_no_word_that_does_not_hold_the_pair(tie_break: str) -> None:
    """Of 400 words a handful holds each pair; only their places, and the gaps at their ends, are
    read. The first place of a changed pair may lie in a word that held it a merge ago, no further.
    """
    words = {f"{first}{second}z": 1 for first in "abcdefghijklmnopqrst" for second in "ABCDEFGHIJ"}
    words |= {word * 2: 2 for word in words}
    index, recount, keys, _ = index_and_recount(words, tie_break)
    watched: Any = Watched(index._tokens)
    index._tokens = watched
    pair = next(pair for pair in recount.counts() if keys[pair[0]][0] == "a")
    holders = recount.words_with(pair)
    assert 0 < len(holders) < 5
    keys.append((keys[pair[0]][0] + keys[pair[1]][0], False))  # type: ignore[operator]
    effect = index.merge(pair, len(keys) - 1)
    places = {
        place
        for word in holders
        for place in range(index.word_starts[word] - 1, index.word_starts[word] + 7)
    }
    assert watched.touched <= places
    assert effect.n_visited_words == len(holders)


def test_visits_add_up_to_the_words_that_hold_each_pair() -> None:
    """By hand on LOWEST: e+s, es+t, l+o, lo+w are in 2 words each, the last three in newest."""
    index, recount, keys, _ = index_and_recount(LOWEST, "lexicographic")
    visits = []
    for _ in range(7):
        best = index.best()
        assert best is not None
        visits.append(len(recount.words_with(best[0])))
        merge_in_both(index, recount, keys, best[0])
    assert visits == [2, 2, 2, 2, 1, 1, 1]


def test_overlapping_pairs_are_counted_but_not_all_replaced() -> None:
    """aaaa holds a+a three times; two are replaced, and aa+aa is left once."""
    index, _, _, _ = index_and_recount({"aaaa": 2}, "lowest_ids")
    assert index.pair_counts == {(0, 0): 6}
    effect = index.merge((0, 0), 1)
    assert (effect.n_replaced, list(effect.places)) == (4, [1, 3])
    assert index.pair_counts == {(1, 1): 2}
    assert (index.tokens_of(0), index.tokens_of(0, limit=2)) == ([(1, 1), (3, 1)], [(1, 1)])
