"""The pairs that lead, one after another: a heap of all listed pairs by count and tie rule.

The queue of the merge loop gives up the pairs it passed. This heap gives the first few and keeps
them. A count that has fallen since a pair was put here is noticed when the pair comes up, as in
`bpe._pair_index`, the plain twin.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.merge_state import FIRST_SEEN, Training
from bpe._kernels.pair_queue import drop_dead_places
from bpe._kernels.ties import goes_first


class Leaders(NamedTuple):
    """A heap of pairs."""

    heap: Any  # int32: numbers of pairs, the first goes before all others
    noted: Any  # int64 by pair: its count when it was put here
    size: Any  # int64, one: how many pairs the heap holds


@lean_kernel
def add_leaders(training: Training, leaders: Leaders, pair: int) -> None:
    """Put the listed pairs from a number on that reach the threshold into the heap."""
    while pair < training.state[0].n_pairs:
        if training.pairs[pair].count >= training.state[0].threshold:
            _note(training, leaders, pair)
            _rise(training, leaders, pair)
        pair += 1


@lean_kernel
def find_leaders(training: Training, leaders: Leaders, out: Any) -> int:
    """Write the numbers of the first pairs to `out`, as many as it holds; returns how many."""
    n_found = 0
    while n_found < len(out) and leaders.size[0] > 0:
        pair = leaders.heap[0]
        count = training.pairs[pair].count
        if count == leaders.noted[pair]:
            out[n_found] = pair
            n_found += 1
            _drop_first(training, leaders)
        elif count >= training.state[0].threshold:
            _note(training, leaders, pair)
            _sink(training, leaders, pair)
        else:
            _drop_first(training, leaders)
    for pair in out[:n_found]:
        _rise(training, leaders, pair)
    return n_found


@lean_part
def _note(training: Training, leaders: Leaders, pair: int) -> None:
    """Note what the pair's place in the heap goes by."""
    leaders.noted[pair] = training.pairs[pair].count
    if training.state[0].rule == FIRST_SEEN:
        drop_dead_places(training, pair)


@lean_part
def _leads(training: Training, leaders: Leaders, pair: int, other: int) -> bool:
    """Tell whether one pair goes before another."""
    if leaders.noted[pair] != leaders.noted[other]:
        return bool(leaders.noted[pair] > leaders.noted[other])
    return goes_first(training, pair, other)


@lean_part
def _rise(training: Training, leaders: Leaders, pair: int) -> None:
    """Add a pair at the end of the heap, and let it rise to where it belongs."""
    heap, child = leaders.heap, leaders.size[0]
    leaders.size[0] += 1
    while child > 0:
        parent = (child - 1) >> 1
        if not _leads(training, leaders, pair, heap[parent]):
            break
        heap[child] = heap[parent]
        child = parent
    heap[child] = pair


@lean_part
def _drop_first(training: Training, leaders: Leaders) -> None:
    """Take the first pair out of the heap."""
    leaders.size[0] -= 1
    if leaders.size[0] > 0:
        _sink(training, leaders, leaders.heap[leaders.size[0]])


@lean_part
def _sink(training: Training, leaders: Leaders, pair: int) -> None:
    """Put a pair in place of the first, and let it sink to where it belongs."""
    heap, size, parent = leaders.heap, leaders.size[0], 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and _leads(training, leaders, heap[child + 1], heap[child]):
            child += 1
        if not _leads(training, leaders, heap[child], pair):
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = pair
