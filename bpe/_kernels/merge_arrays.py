"""Allocating the arrays of the merge loop, and making more room when a kernel asks for it.

Arrays that may grow long are asked for at the length they can have at most: memory that nothing
was written to yet costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe._kernels.merge_state import MERGE, PAIR, STATE, TOKEN, Training
from bpe._kernels.pair_queue import order_again
from bpe._kernels.pair_scan import (
    CELL,
    compact_lists,
    list_cells,
    list_pairs,
    queue_all,
    sort_by_left,
    weigh_cells,
    write_by_cell,
)
from bpe._kernels.pair_table import insert_all
from bpe._kernels.word_layout import BLOCK_BITS, Words, lay_out

Array = npt.NDArray[Any]

_LONGEST_POOL = 2**31 - 1  # lists know where they start by 32-bit numbers
PART = 4_000_000  # places gone over between two calls of `pause`: some 20 ms
_FEW_TOKENS = 400  # so many have a cell for every two of them


def laid_out(
    data: Array,
    offsets: Array,
    counts: Array,
    symbols: Array,
    marker: Array,
    *,
    with_text: bool,
    in_order: bool,
) -> Words:
    """Lay out the words, by falling count unless they must stay `in_order`; see `lay_out`."""
    n_words = len(counts)
    n_places = 1 + int(offsets[-1]) + n_words * (1 + len(marker))
    words = Words(
        ids=np.empty(n_places, np.int32),
        text=np.empty(n_places if with_text else 0, np.uint8),
        run_ends=np.empty(max(1, n_words), np.int32),
        run_weights=np.empty(max(1, n_words), np.int64),
        block_runs=np.empty((n_places - 1 >> BLOCK_BITS) + 1, np.int32),
    )
    words.run_ends[0] = n_places  # without words there is one gap, and a run must hold it
    order = np.arange(n_words) if in_order else _by_falling_count(counts)
    sources = (_read_only(array) for array in (data, offsets, counts, order, symbols, marker))
    n_runs = max(1, lay_out(words, *sources))
    return words._replace(
        run_ends=words.run_ends[:n_runs].copy(), run_weights=words.run_weights[:n_runs].copy()
    )


def _read_only(array: Array) -> Array:
    """Give a view that cannot be written: a kernel compiles again for another kind of array."""
    view = array.view()
    view.setflags(write=False)
    return view


def _by_falling_count(counts: Array) -> Array:
    """Sort words by count, stably; numpy sorts 16-bit numbers in linear time."""
    low = np.minimum(counts, 0xFFFF).astype(np.uint16)
    order = np.argsort(0xFFFF - low, kind="stable")
    n_high = int(np.count_nonzero(low == 0xFFFF))
    order[:n_high] = order[:n_high][np.argsort(-counts[order[:n_high]], kind="stable")]
    return order


def new_training(words: Words, n_base_tokens: int, n_merges: int, rule: int) -> Training:
    """Allocate a training of up to `n_merges` merges; its tokens are still to be described."""
    n_tokens = 1 + n_base_tokens + n_merges
    state = np.zeros(1, STATE)
    state["n_tokens"], state["rule"] = 1 + n_base_tokens, rule
    tokens = np.zeros(n_tokens, TOKEN)
    tokens["length"][: 1 + n_base_tokens] = 1
    return Training(
        words=words,
        tokens=tokens,
        keys=np.zeros(n_tokens, np.uint64),
        marked=np.zeros(n_tokens, np.uint8),
        neighbours=np.empty((2, n_tokens + 1), np.int32),
        pairs=np.empty(0, PAIR),
        slots=np.empty(0, np.uint64),
        pool=np.empty(0, np.int32),
        bucket_heads=np.empty(64, np.int32),
        heap=np.empty(0, np.int32),
        merges=np.empty(n_merges, MERGE),
        state=state,
    )


def with_pairs_listed(
    training: Training, threshold: int, most_pairs: int, pause: Callable[[], object]
) -> Training:
    """List all pairs that reach the threshold, which are `most_pairs` at most.

    Calls `pause` between parts of the work.
    """
    state, n_places = training.state[0], len(training.words.ids)
    state["threshold"] = threshold
    if not len(training.pool):
        training = training._replace(pool=np.empty(2 * n_places, np.int32))
    most_pairs = min(n_places, most_pairs)
    if most_pairs > len(training.pairs):
        training = training._replace(
            pairs=np.empty(most_pairs, PAIR), heap=np.empty(most_pairs, np.int32)
        )
    if state["n_tokens"] <= _FEW_TOKENS:
        _list_by_cells(training, pause)
    else:
        list_pairs(training, np.empty(sort_by_left(training), np.int32))
    queue_all(training)
    return _with_table(training, int(state["n_pairs"]))


def _list_by_cells(training: Training, pause: Callable[[], object]) -> None:
    n_tokens, n_places = int(training.state[0]["n_tokens"]), len(training.words.ids)
    all_short = bool((training.tokens["length"][:n_tokens] == 1).all())
    cells, place = np.zeros(n_tokens**2, CELL), 1
    while place < n_places:
        stop = min(place + PART, n_places)
        place = weigh_cells(training, cells, place, stop, all_short)
        pause()
    list_cells(training, cells)
    place = 1
    while place < n_places:
        stop = min(place + PART, n_places)
        place = write_by_cell(training, cells, place, stop, all_short)
        pause()


def _with_table(training: Training, n_pairs: int) -> Training:
    """Build the table anew, at most a quarter full with so many pairs."""
    n_slots = 1 << (4 * n_pairs + 1024).bit_length()
    training = training._replace(slots=np.zeros(n_slots, np.uint64))
    insert_all(training)
    return training


def with_room(training: Training, pause: Callable[[], object]) -> Training:
    """Make the room that `merge_pairs` found missing; calls `pause` between parts of the work."""
    state = training.state[0]
    if state["places_wanted"] > len(training.pool):
        training = _with_places(training, pause)
    wanted = int(state["pairs_wanted"])
    if wanted > len(training.pairs):
        training = training._replace(
            pairs=_longer(training.pairs, 2 * wanted), heap=_longer(training.heap, 2 * wanted)
        )
    if 2 * wanted > len(training.slots):
        training = _with_table(training, wanted)
    return training


def _with_places(training: Training, pause: Callable[[], object]) -> Training:
    """Compact the pool, and make it longer if that does not free enough of it."""
    state = training.state[0]
    more, pair, end = int(state["places_wanted"] - state["pool_end"]), 0, 0
    while pair < state["n_pairs"]:
        pair, end = compact_lists(training, pair, end, PART)
        pause()
    state["pool_end"] = end
    order_again(training)
    if end + more > len(training.pool) - len(training.pool) // 8:
        length = min((end + more) * 3 // 2, _LONGEST_POOL)
        training = training._replace(pool=_longer(training.pool, length))
    return training


def _longer(array: Array, length: int) -> Array:
    longer = np.empty(length, array.dtype)
    longer[: len(array)] = array
    return longer
