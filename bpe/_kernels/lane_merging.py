"""Merging the symbols of short pre-tokens: the pair of lowest rank first, the leftmost of several.

The lowest rank is looked for among all pairs of the pre-token anew each time. Every merge then
needs two looks into the table of rules, which is larger than the memory next to the processor. So
several pre-tokens take turns, one a lane: each merges once and has the slots it needs fetched, and
they are there when its turn comes again.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.compiling import lean_part
from bpe._kernels.intrinsics import bits_needed, lowest_bit, lowest_of_16, prefetch_to_read
from bpe._kernels.pair_ranks import NO_RULE, Rules, find_rule, first_slot, pair_key, result_of

N_LANES: Final = 8
ROOM: Final = 64  # symbols a lane has room for: their places are bits of a mask
IDLE: Final = -1

# Places, lanes and masks are unsigned: a signed index would be checked for being negative.
FEW = np.uint64(ROOM)
NOWHERE = np.uint64(ROOM)  # no place
PLACE_BITS = np.uint32(6)
PLACE_MASK = np.uint32(ROOM - 1)
NO_KEY = np.uint32(NO_RULE) << PLACE_BITS  # keys from here on have no rule
AT_ONCE = np.uint64(16)  # keys that are compared together
ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Lanes(NamedTuple):
    """Room for one pre-token a lane; a lane's places follow one another in `symbols` and `keys`."""

    symbols: Any  # int32: the tokens at the places that remain
    keys: Any  # uint32: rank and place of the pair that starts here; where no pair does, or none
    # with a rule, NO_KEY or more, as everywhere when the lane is done
    remaining: Any  # uint64 by lane: the mask of the places where tokens are
    sizes: Any  # uint64 by lane: how many places it uses
    merged: (
        Any  # uint64 by lane: where the last merge was, NOWHERE if its pairs have been looked up
    )
    before: Any  # uint64 by lane: the place before it, NOWHERE if there is none
    after: Any  # uint64 by lane: the place after it
    words: Any  # int64 by lane: which pre-token this is, IDLE for none


@lean_part
def start_lane(lanes: Lanes, lane: Any, n_symbols: Any) -> None:
    """Make a lane ready whose symbols, and keys but for the last place, have been written."""
    lanes.sizes[lane] = n_symbols
    lanes.remaining[lane] = ALL >> (FEW - n_symbols)
    lanes.keys[lane * FEW + n_symbols - ONE] = NO_KEY
    lanes.merged[lane] = NOWHERE


@lean_part
def merge_once(rules: Rules, lanes: Lanes, lane: Any) -> bool:
    """Merge the pair of lowest rank of a lane; returns False if no pair has a rule.

    The pairs around the last merge must have been looked up.
    """
    first = lane * FEW
    lowest = lowest_key(lanes.keys, first, first + lanes.sizes[lane])
    if lowest >= NO_KEY:
        return False
    place = np.uint64(lowest & PLACE_MASK)
    lanes.symbols[first + place] = result_of(rules, lowest >> PLACE_BITS)
    remaining = lanes.remaining[lane]
    later = remaining & (ALL << place << ONE)
    gone = np.uint64(lowest_bit(later))
    later &= later - ONE
    earlier = remaining & ((ONE << place) - ONE)
    lanes.remaining[lane] = remaining ^ ONE << gone
    lanes.keys[first + gone] = NO_KEY
    lanes.keys[first + place] = NO_KEY
    lanes.merged[lane] = place
    lanes.after[lane] = np.uint64(lowest_bit(later))
    lanes.before[lane] = np.uint64(bits_needed(earlier)) - ONE if earlier != ZERO else NOWHERE
    fetch_pending(rules, lanes, lane)
    return True


@lean_part
def lowest_key(keys: Any, at: Any, stop: Any) -> Any:
    """Return the lowest of the keys of a lane."""
    lowest = lowest_of_16(keys, at)
    while at + AT_ONCE < stop:
        at += AT_ONCE
        lowest = min(lowest, lowest_of_16(keys, at))
    return lowest


@lean_part
def fetch_pending(rules: Rules, lanes: Lanes, lane: Any) -> None:
    """Have the slots fetched that tell the rules of the pairs around the last merge."""
    symbols, first = lanes.symbols, lane * FEW
    token = symbols[first + lanes.merged[lane]]
    if lanes.after[lane] != NOWHERE:
        key = pair_key(token, symbols[first + lanes.after[lane]])
        prefetch_to_read(rules.slots, first_slot(rules, key))
    if lanes.before[lane] != NOWHERE:
        key = pair_key(symbols[first + lanes.before[lane]], token)
        prefetch_to_read(rules.slots, first_slot(rules, key))


@lean_part
def look_up_pending(rules: Rules, lanes: Lanes, lane: Any) -> None:
    """Note the rules of the pairs around the last merge, if that was not done."""
    place, before, after = lanes.merged[lane], lanes.before[lane], lanes.after[lane]
    if place != NOWHERE:
        lanes.merged[lane] = NOWHERE
        if after != NOWHERE:
            look_up(rules, lanes, lane, place, after)
        if before != NOWHERE:
            look_up(rules, lanes, lane, before, place)


@lean_part
def look_up(rules: Rules, lanes: Lanes, lane: Any, place: Any, next_place: Any) -> None:
    """Note the rule of the pair at two places that follow each other."""
    symbols, first = lanes.symbols, lane * FEW
    rank = find_rule(rules, symbols[first + place], symbols[first + next_place])
    lanes.keys[first + place] = key_of(rank, place)


@lean_part
def key_of(rank: Any, place: Any) -> Any:
    """Return rank and place as one number, which orders pairs."""
    return np.uint32(rank) << PLACE_BITS | np.uint32(place)


@lean_part
def merge_lane(rules: Rules, lanes: Lanes, n_symbols: Any) -> Any:
    """Merge the symbols of the first lane to the end; returns the mask of the places left."""
    for place in range(n_symbols - ONE):
        look_up(rules, lanes, ZERO, place, place + ONE)
    start_lane(lanes, ZERO, n_symbols)
    while merge_once(rules, lanes, ZERO):
        look_up_pending(rules, lanes, ZERO)
    return lanes.remaining[0]
