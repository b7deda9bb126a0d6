"""Encoding one pre-token: merge the pair of lowest rank, leftmost first, until none is left.

For rules in training order this gives what replaying all rules one after another gives. Short
pre-tokens scan for the lowest rank; long ones keep a heap, so that the work stays near-linear in
their length (the idea is that of the heap encoders in tiktoken and github/rust-gems).
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from bpe.vocabulary import Pair

Symbol = TypeVar("Symbol", bound=Hashable)
# pair -> (rank, what it becomes)
Ranks: TypeAlias = Mapping[tuple[Symbol, Symbol], tuple[int, Symbol]]

_LONG = 64  # symbols; from here on the heap is quicker than scanning


@dataclass(frozen=True, slots=True)
class EncodeStep:
    """One merge in the encoding of a pre-token.

    `position` is the index of the left token among the tokens just before the merge, `ids_after`
    all token ids just after it.

    >>> EncodeStep(0, (1, 7), 10, 3, (4, 1, 9, 10, 8)).position
    3
    """

    rank: int
    pair: Pair
    token_id: int
    position: int
    ids_after: tuple[int, ...]


def merge_ids(
    symbols: Sequence[Symbol], ranks: Ranks[Symbol], rank_limit: int | None = None
) -> list[Symbol]:
    """Merge symbols by the rules with a rank below `rank_limit` (all rules without one).

    >>> merge_ids("abc", {("b", "c"): (0, "bc"), ("a", "bc"): (1, "abc")})
    ['abc']
    """
    if len(symbols) < _LONG:
        return _merge_by_scan(list(symbols), ranks, rank_limit)
    return _merge_by_heap(list(symbols), ranks, rank_limit)


def _merge_by_scan(
    tokens: list[Symbol], ranks: Ranks[Symbol], rank_limit: int | None
) -> list[Symbol]:
    for position, merged in _lowest_ranks(tokens, ranks, rank_limit):
        tokens[position : position + 2] = [merged]
    return tokens


def _lowest_ranks(
    tokens: list[Symbol], ranks: Ranks[Symbol], rank_limit: int | None
) -> Iterator[tuple[int, Symbol]]:
    """Yield where to merge next and into what; the caller merges before asking again."""
    while True:
        lowest = rank_limit
        found: tuple[int, Symbol] | None = None
        left = None
        for position, right in enumerate(tokens):
            rule = ranks.get((left, right)) if position else None  # type: ignore[arg-type]
            if rule is not None and (lowest is None or rule[0] < lowest):
                lowest, found = rule[0], (position - 1, rule[1])
            left = right
        if found is None:
            return
        yield found


def _merge_by_heap(
    tokens: list[Symbol], ranks: Ranks[Symbol], rank_limit: int | None
) -> list[Symbol]:
    """Merge with a heap of (rank, place) over a doubly linked list of places.

    An entry is stale if its pair no longer stands at its place; it is then dropped when popped.
    """
    n = len(tokens)
    following = list(range(1, n + 1))
    preceding = list(range(-1, n - 1))
    alive = [True] * n
    heap: list[tuple[int, int]] = []

    def offer(place: int) -> None:
        rule = ranks.get((tokens[place], tokens[following[place]]))
        if rule is not None and (rank_limit is None or rule[0] < rank_limit):
            heap.append((rule[0], place)) if not ready else heapq.heappush(heap, (rule[0], place))

    ready = False
    for place in range(n - 1):
        offer(place)
    heapq.heapify(heap)
    ready = True
    while heap:
        rank, place = heapq.heappop(heap)
        after = following[place]
        if not alive[place] or after >= n:
            continue
        rule = ranks.get((tokens[place], tokens[after]))
        if rule is None or rule[0] != rank:
            continue
        tokens[place], alive[after] = rule[1], False
        following[place] = following[after]
        if following[place] < n:
            preceding[following[place]] = place
            offer(place)
        if preceding[place] >= 0:
            offer(preceding[place])
    return [token for token, lives in zip(tokens, alive, strict=True) if lives]


def encode_steps(symbols: Sequence[int], ranks: Ranks[int]) -> Iterator[EncodeStep]:
    """Yield the merges that encode a pre-token, in the order in which they apply.

    >>> [step.ids_after for step in encode_steps([0, 1, 0, 1], {(0, 1): (0, 2), (2, 2): (1, 3)})]
    [(2, 0, 1), (2, 2), (3,)]
    """
    tokens = list(symbols)
    for position, merged in _lowest_ranks(tokens, ranks, None):
        pair = (tokens[position], tokens[position + 1])
        tokens[position : position + 2] = [merged]
        yield EncodeStep(ranks[pair][0], pair, merged, position, tuple(tokens))
