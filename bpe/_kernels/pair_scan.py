"""Listing pairs: all that reach the threshold, with their counts and places, from the words.

While tokens are few there is a cell for every two of them. Later places are first sorted by the
left token into the pool (a counting sort), then, one left token after another, by the right one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.intrinsics import prefetch
from bpe._kernels.merge_state import FETCHED_AHEAD, NOT_LISTED, Training
from bpe._kernels.pair_queue import put, stands_at
from bpe._kernels.word_layout import GAP, Words, run_at

# Two tokens, when they are few: how much they weigh together and how often they stand side by
# side, then where their next place goes.
CELL: Final = np.dtype([("weight", np.int64), ("size", np.int64)])
HIGHEST: Final = 2**62  # above every count


@lean_kernel
def weigh_cells(training: Training, cells: Any, place: int, stop: int, all_short: bool) -> int:
    """Add up the cells of the pairs whose right token starts from `place` to before `stop`.

    Cells are in rows by left token; those of the gap are added up too, and nobody asks for them.
    Notes a place of each token. `all_short` says that all tokens have one place, so that the next
    one is known without a look. Returns where to go on.
    """
    words, tokens, n_tokens = training.words, training.tokens, training.state[0].n_tokens
    left, run = words.ids[place - 1], run_at(words, place, 0)
    while place < stop:
        weight, end = words.run_weights[run], min(stop, words.run_ends[run])
        while place < end:
            right = words.ids[place]
            cell = cells[left * n_tokens + right]
            cell.weight += weight
            cell.size += 1
            tokens[right].place = place
            left = right
            place += 1 if all_short else tokens[right].length
        run += 1
    return place


@lean_kernel
def list_cells(training: Training, cells: Any) -> None:
    """List the pairs of the cells that reach the threshold; `size` becomes where places go."""
    state = training.state[0]
    _empty_lists(training)
    for left in range(1, state.n_tokens):
        for right in range(1, state.n_tokens):
            cell = cells[left * state.n_tokens + right]
            size, cell.size = cell.size, state.pool_end
            if cell.weight >= state.threshold:
                add_pair(training, left, right, cell.weight, size)


@lean_kernel
def write_by_cell(training: Training, cells: Any, place: int, stop: int, all_short: bool) -> int:
    """Write the places of listed pairs; goes over the words in parts as `weigh_cells` does."""
    state, ids, tokens = training.state[0], training.words.ids, training.tokens
    threshold, n_tokens = state.threshold, state.n_tokens
    left = ids[place - 1]
    before = place - tokens[left].length
    while place < stop:
        right = ids[place]
        cell = cells[left * n_tokens + right]
        if left != GAP and right != GAP and cell.weight >= threshold:
            training.pool[cell.size] = before
            cell.size += 1
        left, before = right, place
        place += 1 if all_short else tokens[right].length
    return place


@lean_part
def _empty_lists(training: Training) -> None:
    """Start without pairs, in the lists as in the queue."""
    state = training.state[0]
    state.pool_end, state.n_pairs, state.n_in_heap, state.top = 0, 0, 0, HIGHEST
    for bucket in range(len(training.bucket_heads)):
        training.bucket_heads[bucket] = -1


@lean_kernel
def queue_all(training: Training) -> None:
    """Put all pairs into an empty queue."""
    for pair in range(training.state[0].n_pairs):
        put(training, pair)


@lean_kernel
def sort_by_left(training: Training) -> int:
    """Write the places of all pairs into the pool, by left token; return the longest part.

    Leaves in `tokens[].before` where the part of each token ends.
    """
    tokens, end, longest = training.tokens, 0, 0
    _count_lefts(training.words, tokens)
    for token in range(training.state[0].n_tokens):
        size, tokens[token].before = tokens[token].before, end
        end, longest = end + size, max(longest, size)
    _write_by_left(training.words, tokens, training.pool)
    return longest


@lean_part
def _count_lefts(words: Words, tokens: Any) -> None:
    """Count in `tokens[].before` how often each token has a right neighbour; note a place of it."""
    place = 1
    while place < len(words.ids):
        left = words.ids[place]
        tokens[left].place = place
        place += tokens[left].length
        if left != GAP and words.ids[place] != GAP:
            tokens[left].before += 1


@lean_part
def _write_by_left(words: Words, tokens: Any, pool: Any) -> None:
    """Write places into the part of their left token; `before` moves to where the part ends."""
    place = 1
    while place < len(words.ids):
        left, following = words.ids[place], place + tokens[words.ids[place]].length
        if left != GAP and words.ids[following] != GAP:
            pool[tokens[left].before] = place
            tokens[left].before += 1
        place = following


@lean_kernel
def list_pairs(training: Training, part: Any) -> None:
    """List the pairs that reach the threshold, from a pool sorted by left token.

    `part` has room for the longest part.
    """
    state, tokens, start = training.state[0], training.tokens, 0
    _empty_lists(training)
    for left in range(1, state.n_tokens):
        end, tokens[left].before = tokens[left].before, 0
        for place in range(start, end):
            part[place - start] = training.pool[place]
        n_rights = _weigh_rights(training, left, part[: end - start])
        _list_rights(training, left, n_rights)
        _write_by_right(training, left, part[: end - start])
        for i in range(n_rights):
            tokens[training.neighbours[1, i]].after = 0
        start = end


@lean_part
def _weigh_rights(training: Training, left: int, places: Any) -> int:
    """Count the tokens that follow `left`, and note the different ones; return their number."""
    words, tokens, run, n_rights = training.words, training.tokens, 0, 0
    for place in places:
        run = run_at(words, place, run)
        right = words.ids[place + tokens[left].length]
        training.neighbours[1, n_rights] = right
        n_rights += tokens[right].after == 0
        tokens[right].after += 1
        tokens[right].weight_after += words.run_weights[run]
    return n_rights


@lean_part
def _list_rights(training: Training, left: int, n_rights: int) -> None:
    """List the pairs of `left` that reach the threshold; `after` becomes where places go."""
    state, tokens = training.state[0], training.tokens
    for i in range(n_rights):
        right = training.neighbours[1, i]
        size, tokens[right].after = tokens[right].after, NOT_LISTED
        weight, tokens[right].weight_after = tokens[right].weight_after, 0
        if weight >= state.threshold:
            tokens[right].after = state.pool_end
            add_pair(training, left, right, weight, size)


@lean_part
def _write_by_right(training: Training, left: int, places: Any) -> None:
    """Write the places of the pairs of `left` that are listed."""
    tokens = training.tokens
    for place in places:
        right = training.words.ids[place + tokens[left].length]
        if tokens[right].after != NOT_LISTED:
            training.pool[tokens[right].after] = place
            tokens[right].after += 1


@lean_part
def add_pair(training: Training, left: int, right: int, count: int, size: int) -> None:
    """List a pair, with room for its places at the end of the pool."""
    state = training.state[0]
    entry = training.pairs[state.n_pairs]
    entry.left, entry.right, entry.count = left, right, count
    entry.start, entry.size = state.pool_end, size
    state.pool_end += size
    state.n_pairs += 1


@lean_kernel
def compact_lists(training: Training, pair: int, end: int, budget: int) -> tuple[int, int]:
    """Keep in the lists from `pair` on only places where the pair still stands.

    Moves lists to `end` of the pool, and goes on until it has looked at about `budget` places.
    Returns the next pair, and where its list goes.
    """
    state, pool, n_visited = training.state[0], training.pool, 0
    while pair < state.n_pairs and n_visited < budget:
        entry = training.pairs[pair]
        places = pool[entry.start : entry.start + entry.size]
        entry.start = end
        if entry.count >= state.threshold:
            n_visited += len(places)
            end = _keep_standing(training, entry, places, end)
        entry.size = end - entry.start
        pair += 1
    return pair, end


@lean_part
def _keep_standing(training: Training, entry: Any, places: Any, end: int) -> int:
    """Copy the places where a pair still stands to `end` of the pool; return the new end."""
    ids = training.words.ids
    for i in range(len(places)):
        if i + FETCHED_AHEAD < len(places):
            prefetch(ids, places[i + FETCHED_AHEAD])
        if stands_at(ids, training.tokens, entry, places[i]):
            training.pool[end] = places[i]
            end += 1
    return end
