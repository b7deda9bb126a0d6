"""Merging the symbols of a long pre-token, in time that grows with its length alone.

A heap of the pairs over a linked list of the tokens does it in n log n steps that jump about in
memory. So a long pre-token is merged a window at a time. The next window starts at a token a bit
before the end of the last; where both windows have the same token at the same place, the tokens of
one go on as those of the other. This is exact, because neighbours that two tokens do not merge
across in a window they do not merge across in the whole: nothing outside them takes part in it.
(The same law is behind the linear encoder of github/rust-gems, `bpe`.)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.class_table import Bytes
from bpe._kernels.compiling import kernel_part, lean_part
from bpe._kernels.pair_ranks import NO_RULE, Rules, find_rule, result_of

GONE: Final = -1
NOT_MERGED: Final = -1
LEAST: Final = 4096  # symbols in a window
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)


class Spelling(NamedTuple):
    """How a pre-token is written in base symbols."""

    byte_ids: Any  # int32, 256: the base symbol of each byte
    marker: int  # the end-of-word marker, which follows the last byte; -1 for none


class Window(NamedTuple):
    """Room to merge a window of symbols in."""

    symbols: Any  # int32 by place; GONE where another token has taken it in
    following: Any  # int32 by place: the next token's place
    preceding: Any  # int32 by place
    heap: Any  # uint64: rank and place, the lowest first
    places: Any  # int64: where the tokens that remain start
    kept_places: Any  # int64: the same of the window before, counted from the first symbol


@lean_part
def merge_window(rules: Rules, room: Window, n_symbols: Any) -> Any:
    """Merge the first symbols of the room; their tokens come to its start, their places too.

    Returns how many tokens remain.
    """
    size = first_heap(rules, room, n_symbols)
    symbols, following, heap = room.symbols, room.following, room.heap
    while size > 0:
        rank, place = heap[0] >> HALF, np.int64(heap[0] & LOW_HALF)
        size -= 1
        sift_down(heap, size, 0, heap[size])
        after = following[place]
        if symbols[place] == GONE or after == n_symbols:
            continue
        if find_rule(rules, symbols[place], symbols[after]) != rank:
            continue
        symbols[place] = result_of(rules, rank)
        symbols[after] = GONE
        last = following[after]
        following[place] = last
        if last < n_symbols:
            room.preceding[last] = place
            size = offer(rules, room, size, place, last)
        if room.preceding[place] >= 0:
            size = offer(rules, room, size, room.preceding[place], place)
    return gather(room, n_symbols)


@lean_part
def first_heap(rules: Rules, room: Window, n_symbols: Any) -> Any:
    """Link the places, and make the heap of the pairs; returns how many there are."""
    size = 0
    for place in range(n_symbols):
        room.preceding[place] = place - 1
        room.following[place] = place + 1
        if place + 1 < n_symbols:
            rank = find_rule(rules, room.symbols[place], room.symbols[place + 1])
            if rank != NO_RULE:
                room.heap[size] = rank << HALF | np.uint64(place)
                size += 1
    for parent in range(size // 2 - 1, -1, -1):
        sift_down(room.heap, size, parent, room.heap[parent])
    return size


@lean_part
def offer(rules: Rules, room: Window, size: Any, place: Any, after: Any) -> Any:
    """Put the pair at two places on the heap, if it has a rule; returns the heap's new size."""
    rank = find_rule(rules, room.symbols[place], room.symbols[after])
    if rank == NO_RULE:
        return size
    entry = rank << HALF | np.uint64(place)
    hole = size
    while hole > 0 and room.heap[(hole - 1) >> 1] > entry:
        room.heap[hole] = room.heap[(hole - 1) >> 1]
        hole = (hole - 1) >> 1
    room.heap[hole] = entry
    return size + 1


@lean_part
def sift_down(heap: Any, size: Any, hole: Any, entry: Any) -> None:
    """Put an entry where it belongs at or below an empty place of the heap."""
    child = 2 * hole + 1
    while child < size:
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[hole] = heap[child]
        hole = child
        child = 2 * hole + 1
    if hole < size:
        heap[hole] = entry


@lean_part
def gather(room: Window, n_symbols: Any) -> Any:
    """Move the tokens that remain to the start of the room, and note their places."""
    n_tokens = 0
    place = 0
    while place < n_symbols:
        room.symbols[n_tokens] = room.symbols[place]
        room.places[n_tokens] = place
        n_tokens += 1
        place = room.following[place]
    return n_tokens


@kernel_part
def merge_long(
    rules: Rules, spelling: Spelling, data: Bytes, start: Any, end: Any, longest: Any, out: Any
) -> Any:
    """Merge the symbols of a pre-token of any length, and write its tokens to `out`.

    `longest` is how many symbols the longest token has. Returns how many tokens there are.
    """
    n_symbols = end - start + (spelling.marker >= 0)
    width, overlap = max(LEAST, 8 * longest), 2 * longest
    n_out = NOT_MERGED
    while n_out == NOT_MERGED:
        room = new_window(min(width, n_symbols))
        n_out = merge_windows(rules, spelling, room, data, start, n_symbols, overlap, out)
        width = n_symbols  # the second time, all at once
    return n_out


@kernel_part
def new_window(n_symbols: Any) -> Window:
    """Make room for so many symbols."""
    return Window(
        np.empty(n_symbols, np.int32),
        np.empty(n_symbols, np.int32),
        np.empty(n_symbols, np.int32),
        np.empty(3 * n_symbols, np.uint64),
        np.empty(n_symbols, np.int64),
        np.empty(n_symbols, np.int64),
    )


@lean_part
def merge_windows(
    rules: Rules,
    spelling: Spelling,
    room: Window,
    data: Bytes,
    start: Any,
    n_symbols: Any,
    overlap: Any,
    out: Any,
) -> Any:
    """Merge as many symbols at a time as there is room for; returns how many tokens were written.

    The next window starts at least `overlap` symbols before the end of the last. Returns
    NOT_MERGED if two windows have no token in common.
    """
    places = room.kept_places
    at: Any = np.int64(0)
    first = n_out = at  # `places` are of the tokens from number `first` on
    while True:
        stop: Any = min(at + len(room.symbols), n_symbols)
        spell(spelling, data, start + at, room.symbols[: stop - at], stop == n_symbols)
        n_new = merge_window(rules, room, stop - at)
        kept, new = common_token(out[first:n_out], places, room, n_new, at)
        if new == n_new:
            return NOT_MERGED
        first += kept
        n_out = first + n_new - new
        for number in range(new, n_new):
            out[first + number - new] = room.symbols[number]
            places[number - new] = at + room.places[number]
        if stop == n_symbols:
            return n_out
        again = n_out - first - 1
        while again >= 0 and places[again] > stop - overlap:
            again -= 1
        if again < 0 or places[again] <= at:
            return NOT_MERGED
        at = places[again]
        first += again
        for number in range(n_out - first):
            places[number] = places[again + number]


@lean_part
def spell(spelling: Spelling, data: Bytes, at: Any, symbols: Any, is_end: bool) -> None:
    """Write the base symbols from a byte on, and at the end of a word the marker."""
    n_bytes = len(symbols)
    if is_end and spelling.marker >= 0:
        n_bytes -= 1
        symbols[n_bytes] = spelling.marker
    for place in range(n_bytes):
        symbols[place] = spelling.byte_ids[data[at + place]]


@lean_part
def common_token(
    kept_ids: Any, kept_places: Any, room: Window, n_new: Any, at: Any
) -> tuple[Any, Any]:
    """Return the numbers of the first token that the ones kept share with the new ones from `at`.

    The second is `n_new` if there is none; both are 0 if none was kept.
    """
    kept: Any = 0
    new: Any = 0
    while kept < len(kept_ids) and new < n_new:
        if kept_places[kept] == at + room.places[new]:
            if kept_ids[kept] == room.symbols[new]:
                return kept, new
            kept += 1
            new += 1
        elif kept_places[kept] < at + room.places[new]:
            kept += 1
        else:
            new += 1
    return (0, 0) if len(kept_ids) == 0 else (kept, n_new)
