"""The merge loop: take the best pair, replace it everywhere, bring counts and lists up to date.

The compiled twin of `bpe._pair_index`. A merge is applied to all its places first. Then the
weights of the tokens that now stand beside the new one are added up in arrays by token, so that
the table of pairs is asked once for each different neighbour, however often it occurs.
"""

from __future__ import annotations

from typing import Any, Final

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.intrinsics import prefetch
from bpe._kernels.merge_state import (
    FETCHED_AHEAD,
    LEXICOGRAPHIC,
    LEXICOGRAPHIC_MAX,
    NOT_LISTED,
    Training,
)
from bpe._kernels.pair_queue import put, put_back, take
from bpe._kernels.pair_scan import add_pair
from bpe._kernels.pair_table import find, insert
from bpe._kernels.ties import spelling_key
from bpe._kernels.word_layout import DEAD, GAP, run_at

PAUSED, COMPLETE, NONE_LEFT, NO_ROOM = range(4)  # why `merge_pairs` returned

MOST_FETCHED: Final = 512  # places of the pair that comes next
MERGE_COST: Final = 50  # what a merge takes beside its places, as a number of places


@lean_kernel
def merge_pairs(training: Training, budget: int) -> int:
    """Merge until the work of visiting about `budget` places is done, or there is a reason to stop.

    COMPLETE: all merges asked for are made. NONE_LEFT: no pair reaches the threshold. NO_ROOM: the
    pool or the list of pairs cannot take what the next merge may add.
    """
    state, n_visited = training.state[0], 0
    while state.n_merges < len(training.merges):
        if n_visited >= budget:
            return PAUSED
        pair = take(training)
        if pair < 0:
            return NONE_LEFT
        if not _has_room(training, pair):
            put_back(training, pair)
            return NO_ROOM
        n_visited += MERGE_COST + training.pairs[pair].size
        _fetch_places_of_next(training)
        _merge(training, pair)
    return COMPLETE


@lean_part
def _fetch_places_of_next(training: Training) -> None:
    """Have the processor fetch the words of the pair that probably comes next."""
    if training.state[0].n_in_heap > 0:
        entry = training.pairs[training.heap[0]]
        for i in range(entry.start, entry.start + min(entry.size, MOST_FETCHED)):
            prefetch(training.words.ids, training.pool[i])


@lean_part
def _has_room(training: Training, pair: int) -> bool:
    """Tell whether a pair can be merged, and note how much room that may take.

    Each place may add two places. A new pair weighs the threshold at least, and those before the
    new token weigh no more together than the merged pair; nor do those after it.
    """
    state, entry = training.state[0], training.pairs[pair]
    state.places_wanted = state.pool_end + 2 * entry.size
    state.pairs_wanted = state.n_pairs + 2 * min(entry.size, entry.count // state.threshold)
    return bool(
        state.places_wanted <= len(training.pool)
        and state.pairs_wanted <= len(training.pairs)
        and 2 * state.pairs_wanted <= len(training.slots)
    )


@lean_part
def _merge(training: Training, pair: int) -> None:
    """Merge one pair everywhere."""
    state, entry = training.state[0], training.pairs[pair]
    merge = training.merges[state.n_merges]
    merge.left, merge.right = entry.left, entry.right
    merge.count, merge.tied, merge.replaced = entry.count, state.n_tied, 0
    state.n_merges += 1
    state.n_tied -= 1
    entry.count = 0
    _replace(training, entry)
    places = training.pool[entry.start : entry.start + entry.size]
    _make_token(training, entry, places[0])
    n_before, n_after = _weigh_neighbours(training, places)
    first_new = state.n_pairs
    _update_before(training, entry.left, n_before)
    _update_after(training, entry.right, entry.left, n_after)
    if state.n_pairs > first_new:
        _write_places(training, places)
    _forget_neighbours(training, n_before, n_after)
    for new_pair in range(first_new, state.n_pairs):
        put(training, new_pair)


@lean_part
def _replace(training: Training, entry: Any) -> None:
    """Replace a pair from left to right; its list becomes that of the places of the new token."""
    ids, tokens, merged = training.words.ids, training.tokens, training.state[0].n_tokens
    middle = tokens[entry.left].length
    length = middle + tokens[entry.right].length
    places, kept = training.pool[entry.start : entry.start + entry.size], 0
    for i in range(len(places)):
        if i + FETCHED_AHEAD < len(places):
            prefetch(ids, places[i + FETCHED_AHEAD])
        place = places[i]
        if ids[place] == entry.left and ids[place + middle] == entry.right:
            ids[place + middle - 1] = DEAD
            ids[place + middle] = DEAD
            ids[place] = merged
            ids[place + length - 1] = merged
            places[kept] = place
            kept += 1
    entry.size = kept


@lean_part
def _make_token(training: Training, entry: Any, place: int) -> None:
    """Enter the new token, and its key where ties are decided by spelling or number."""
    state, tokens = training.state[0], training.tokens
    merged = state.n_tokens
    tokens[merged].length = tokens[entry.left].length + tokens[entry.right].length
    tokens[merged].place = place
    training.marked[merged] = training.marked[entry.right]
    if state.rule == LEXICOGRAPHIC or state.rule == LEXICOGRAPHIC_MAX:
        key = spelling_key(training.words.text, place, tokens[merged].length)
        training.keys[merged] = key
    else:
        training.keys[merged] = merged
    state.n_tokens += 1


@lean_part
def _weigh_neighbours(training: Training, places: Any) -> tuple[int, int]:
    """Add up the weight of every token beside the new one; return how many different ones.

    Where two new tokens meet, the left one counts as having a neighbour after it, and the right
    one as standing after a gap. The gap is counted as if it were a token.
    """
    words, tokens, merged = training.words, training.tokens, training.state[0].n_tokens - 1
    length, run, n_before, n_after = tokens[merged].length, 0, 0, 0
    for i in range(len(places)):
        if i + FETCHED_AHEAD < len(places):
            prefetch(words.ids, places[i + FETCHED_AHEAD])
        place = places[i]
        run = run_at(words, place, run)
        weight = words.run_weights[run]
        before, after = words.ids[place - 1], words.ids[place + length]
        if before == merged:
            before = GAP
        training.neighbours[0, n_before] = before
        n_before += tokens[before].before == 0
        tokens[before].before += 1
        tokens[before].weight_before += weight
        training.neighbours[1, n_after] = after
        n_after += tokens[after].after == 0
        tokens[after].after += 1
        tokens[after].weight_after += weight
    return n_before, n_after


@lean_part
def _update_before(training: Training, left: int, n_before: int) -> None:
    """Turn pairs (x, left) into pairs (x, new), and note how many places were replaced."""
    tokens, merged = training.tokens, training.state[0].n_tokens - 1
    merge = training.merges[training.state[0].n_merges - 1]
    tokens[merged].before = NOT_LISTED
    for i in range(n_before):
        before = training.neighbours[0, i]
        weight, size = tokens[before].weight_before, tokens[before].before
        merge.replaced += weight
        tokens[before].before = NOT_LISTED
        if before != GAP:
            _lose(training, before, left, weight)
            tokens[before].before = _gain(training, before, merged, weight, size)


@lean_part
def _update_after(training: Training, right: int, left: int, n_after: int) -> None:
    """Turn pairs (right, y) into pairs (new, y); where y is new, (right, left) stood before."""
    tokens, merged = training.tokens, training.state[0].n_tokens - 1
    for i in range(n_after):
        after = training.neighbours[1, i]
        weight, size = tokens[after].weight_after, tokens[after].after
        tokens[after].after = NOT_LISTED
        if after != GAP:
            _lose(training, right, left if after == merged else after, weight)
            tokens[after].after = _gain(training, merged, after, weight, size)


@lean_part
def _lose(training: Training, left: int, right: int, weight: int) -> None:
    """Lower the count of a pair if it is listed."""
    pair = find(training.slots, training.pairs, left, right)
    if pair >= 0:
        entry, state = training.pairs[pair], training.state[0]
        state.n_tied -= entry.count == state.top
        entry.count -= weight


@lean_part
def _gain(training: Training, left: int, right: int, weight: int, size: int) -> int:
    """List a new pair that reaches the threshold; return where its places go, or NOT_LISTED."""
    state = training.state[0]
    if weight < state.threshold:
        return NOT_LISTED
    insert(training.slots, left, right, state.n_pairs)
    start: int = state.pool_end
    add_pair(training, left, right, weight, size)
    return start


@lean_part
def _write_places(training: Training, places: Any) -> None:
    """Write the places of all new pairs that are listed, ascending."""
    ids, tokens, pool = training.words.ids, training.tokens, training.pool
    length = tokens[training.state[0].n_tokens - 1].length
    for i in range(len(places)):
        if i + FETCHED_AHEAD < len(places):
            prefetch(ids, places[i + FETCHED_AHEAD])
        place = places[i]
        before, after = tokens[ids[place - 1]], tokens[ids[place + length]]
        if before.before != NOT_LISTED:
            pool[before.before] = place - before.length
            before.before += 1
        if after.after != NOT_LISTED:
            pool[after.after] = place
            after.after += 1


@lean_part
def _forget_neighbours(training: Training, n_before: int, n_after: int) -> None:
    """Clear what the merge noted in the tokens beside the new one."""
    tokens = training.tokens
    tokens[training.state[0].n_tokens - 1].before = 0
    for token in training.neighbours[0, :n_before]:
        tokens[token].before, tokens[token].weight_before = 0, 0
    for token in training.neighbours[1, :n_after]:
        tokens[token].after, tokens[token].weight_after = 0, 0
