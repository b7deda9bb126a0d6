"""Listing pairs: all that reach the threshold, with their counts and places, from the words.

Places are first sorted by the left token into the pool (a counting sort), then, one left token
after another, by the right one. Lists of pairs below the threshold are left out at once.
"""

from __future__ import annotations

from typing import Any, Final

from bpe._kernels.compiling import kernel, kernel_part
from bpe._kernels.merge_state import NOT_LISTED, Training
from bpe._kernels.pair_queue import put
from bpe._kernels.word_layout import GAP, Words, run_at

HIGHEST: Final = 2**62  # above every count


@kernel
def count_lefts(words: Words, tokens: Any) -> int:
    """Count in `tokens[].before` how often each token has a right neighbour; return the sum.

    Also notes a place of every token.
    """
    total, place = 0, 1
    while place < len(words.ids):
        left = words.ids[place]
        tokens[left].place = place
        place += tokens[left].length
        if left != GAP and words.ids[place] != GAP:
            tokens[left].before += 1
            total += 1
    return total


@kernel
def sort_by_left(words: Words, tokens: Any, n_tokens: int, pool: Any) -> int:
    """Write the places of all pairs into the pool, by left token; return the longest part.

    Takes the counts of `count_lefts`, and leaves in `tokens[].before` where each part ends.
    """
    end, longest = 0, 0
    for token in range(n_tokens):
        size, tokens[token].before = tokens[token].before, end
        end, longest = end + size, max(longest, size)
    place = 1
    while place < len(words.ids):
        left, following = words.ids[place], place + tokens[words.ids[place]].length
        if left != GAP and words.ids[following] != GAP:
            pool[tokens[left].before] = place
            tokens[left].before += 1
        place = following
    return longest


@kernel
def list_pairs(training: Training, part: Any) -> None:
    """List the pairs that reach the threshold, from a pool sorted by left token.

    `part` has room for the longest part.
    """
    state, tokens, start = training.state[0], training.tokens, 0
    state.pool_end, state.n_pairs, state.n_in_heap = 0, 0, 0
    state.top = HIGHEST
    for bucket in range(len(training.bucket_heads)):
        training.bucket_heads[bucket] = -1
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
    for pair in range(state.n_pairs):
        put(training, pair)


@kernel_part
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


@kernel_part
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


@kernel_part
def _write_by_right(training: Training, left: int, places: Any) -> None:
    """Write the places of the pairs of `left` that are listed."""
    tokens = training.tokens
    for place in places:
        right = training.words.ids[place + tokens[left].length]
        if tokens[right].after != NOT_LISTED:
            training.pool[tokens[right].after] = place
            tokens[right].after += 1


@kernel_part
def add_pair(training: Training, left: int, right: int, count: int, size: int) -> None:
    """List a pair, with room for its places at the end of the pool."""
    state = training.state[0]
    entry = training.pairs[state.n_pairs]
    entry.left, entry.right, entry.count = left, right, count
    entry.start, entry.size = state.pool_end, size
    state.pool_end += size
    state.n_pairs += 1
