"""The pair to merge next: a radix heap by count, and a heap in the order of the tie rule on top.

Counts only fall, and so does the highest of them. So pairs are sorted only as far as needed: a
pair is in the bucket of the highest bit in which its count differs from `top`, the highest count
when it was put there (a radix heap: Ahuja, Mehlhorn, Orlin and Tarjan 1990). Pairs whose count is
`top` are in the heap, and only they are compared by the tie rule. A count that has fallen since
is noticed when the pair comes up.
"""

from __future__ import annotations

from typing import Any

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.merge_state import FIRST_SEEN, Training
from bpe._kernels.ties import goes_first


@lean_part
def put(training: Training, pair: int) -> None:
    """Put a pair into the queue by its count, which is `top` at most."""
    state, pairs = training.state[0], training.pairs
    if pairs[pair].count == state.top:
        state.n_tied += 1
        _heap_add(training, pair)
    else:
        bucket = bit_length(pairs[pair].count ^ state.top)
        pairs[pair].next = training.bucket_heads[bucket]
        training.bucket_heads[bucket] = pair


@lean_part
def take(training: Training) -> int:
    """Take the pair to merge next out of the queue; -1 if none reaches the threshold."""
    state, pairs = training.state[0], training.pairs
    while True:
        while state.n_in_heap > 0:
            pair = _heap_take(training)
            if pairs[pair].count == state.top:
                return pair
            if pairs[pair].count >= state.threshold:
                put(training, pair)
        if not _fill_heap(training):
            return -1


@lean_part
def put_back(training: Training, pair: int) -> None:
    """Put back a pair that was just taken."""
    _heap_add(training, pair)


@lean_kernel
def order_again(training: Training) -> None:
    """Set up the heap again after places were dropped, which may be what FIRST_SEEN goes by."""
    state, size = training.state[0], training.state[0].n_in_heap
    state.n_in_heap, state.n_tied = 0, 0
    for i in range(size):
        pair = training.heap[i]
        if training.pairs[pair].count >= state.threshold:
            put(training, pair)


@lean_part
def _fill_heap(training: Training) -> bool:
    """Move the pairs with the highest count to the empty heap; False if the queue is empty."""
    state, pairs, heads = training.state[0], training.pairs, training.bucket_heads
    for bucket in range(len(heads)):
        pair = _refresh(training, bucket)
        if pair < 0:
            continue
        heads[bucket] = -1
        top, walker = 0, pair
        while walker >= 0:
            top = max(top, pairs[walker].count)
            walker = pairs[walker].next
        state.top, state.n_tied = top, 0
        while pair >= 0:
            following = pairs[pair].next
            put(training, pair)
            pair = following
        return True
    return False


@lean_part
def _refresh(training: Training, bucket: int) -> int:
    """Leave in a bucket only pairs whose count belongs there now; return the first, or -1."""
    state, pairs, heads = training.state[0], training.pairs, training.bucket_heads
    pair, kept = heads[bucket], -1
    while pair >= 0:
        following, count = pairs[pair].next, pairs[pair].count
        if count >= state.threshold:
            home = bit_length(count ^ state.top)
            if home == bucket:
                pairs[pair].next, kept = kept, pair
            else:
                pairs[pair].next, heads[home] = heads[home], pair
        pair = following
    heads[bucket] = kept
    return kept


@lean_part
def bit_length(number: int) -> int:
    """Return how many bits a number of at most 63 bits needs; 0 needs none."""
    length = 0
    for step in (32, 16, 8, 4, 2, 1):
        if number >> step > 0:
            number >>= step
            length += step
    return length + number


@lean_part
def _heap_add(training: Training, pair: int) -> None:
    """Add a pair to the heap, and under FIRST_SEEN find the first place where it stands."""
    if training.state[0].rule == FIRST_SEEN:
        drop_dead_places(training, pair)
    heap, child = training.heap, training.state[0].n_in_heap
    training.state[0].n_in_heap += 1
    while child > 0:
        parent = (child - 1) >> 1
        if not goes_first(training, pair, heap[parent]):
            break
        heap[child] = heap[parent]
        child = parent
    heap[child] = pair


@lean_part
def _heap_take(training: Training) -> int:
    """Take the first pair out of a heap that is not empty."""
    heap = training.heap
    training.state[0].n_in_heap -= 1
    size = training.state[0].n_in_heap
    first: int = heap[0]
    moved, parent = heap[size], 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and goes_first(training, heap[child + 1], heap[child]):
            child += 1
        if not goes_first(training, heap[child], moved):
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = moved
    return first


@lean_part
def drop_dead_places(training: Training, pair: int) -> None:
    """Let the list of a pair start at the first place where the pair still stands."""
    entry = training.pairs[pair]
    while not stands_at(training.words.ids, training.tokens, entry, training.pool[entry.start]):
        entry.start += 1
        entry.size -= 1


@lean_part
def stands_at(ids: Any, tokens: Any, entry: Any, place: int) -> bool:
    """Tell whether a pair still stands at a place at which it once stood."""
    return bool(ids[place] == entry.left and ids[place + tokens[entry.left].length] == entry.right)
