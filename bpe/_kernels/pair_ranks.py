"""The merge rules as a table from two ids to the rank of their rule, with open addressing.

A slot holds both ids and the rank in one number, so a look at one place tells.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.compiling import lean_kernel, lean_part

ID_BITS: Final = 20
RANK_BITS: Final = 64 - 2 * ID_BITS
MAX_ID: Final = (1 << ID_BITS) - 1
MAX_RANK: Final = (1 << RANK_BITS) - 2

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
NO_RULE = np.uint64(MAX_RANK + 1)  # what is found of a pair without a rule
RANK_MASK = np.uint64(MAX_RANK + 1)
SHIFT = np.uint64(RANK_BITS)
LEFT_SHIFT = np.uint64(ID_BITS)
HALF = np.uint64(32)
ONE = np.uint64(1)
FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / the golden ratio: Knuth, TAOCP 3, 6.4


class Rules(NamedTuple):
    """The merge rules, by pair and by rank."""

    slots: Any  # uint64, a power of two: left id, right id, rank; EMPTY for none
    shift: Any  # uint64: how many bits of a hash do not count in finding a slot
    results: Any  # int32 by rank: the id the pair becomes
    offset: int  # by how much these ids are above the ranks, -1 if it is not the same for all


@lean_part
def pair_key(left: int, right: int) -> Any:
    """Return two ids as one number."""
    return np.uint64(left) << LEFT_SHIFT | np.uint64(right)


@lean_part
def first_slot(rules: Rules, key: Any) -> Any:
    """Return where in the table to look first for a pair."""
    return ((key ^ key >> LEFT_SHIFT) * FACTOR) >> rules.shift


@lean_part
def find_rule(rules: Rules, left: int, right: int) -> Any:
    """Return the rank of the rule of a pair, NO_RULE if it has none."""
    slots = rules.slots
    key = pair_key(left, right)
    slot = first_slot(rules, key)
    while True:
        found = slots[slot]
        if found >> SHIFT == key:
            return found & RANK_MASK
        if found == EMPTY:
            return NO_RULE
        slot = (slot + ONE) & (np.uint64(len(slots)) - ONE)


@lean_part
def add_rule(rules: Rules, left: int, right: int, rank: int, result: int) -> None:
    """Note the rule of a pair; of two rules for one pair the first stays."""
    slots = rules.slots
    key = pair_key(left, right)
    slot = first_slot(rules, key)
    while slots[slot] != EMPTY:
        if slots[slot] >> SHIFT == key:
            return
        slot = (slot + ONE) & (np.uint64(len(slots)) - ONE)
    slots[slot] = key << SHIFT | np.uint64(rank)
    rules.results[rank] = result


@lean_part
def result_of(rules: Rules, rank: Any) -> Any:
    """Return the id that the pair of a rule becomes; without a look at memory if it can be."""
    if rules.offset >= 0:
        return np.int32(rank) + np.int32(rules.offset)
    return rules.results[rank]


@lean_kernel
def add_rules(rules: Rules, left: Any, right: Any, ranks: Any, results: Any) -> None:
    """Note many rules, in the order given."""
    for rule in range(len(left)):
        add_rule(rules, left[rule], right[rule], ranks[rule], results[rule])


@lean_kernel
def fill_byte_rules(rules: Rules, byte_ids: Any, byte_rules: Any) -> None:
    """Write the rank of the rule of every two bytes, by their number as two digits of 256."""
    for left in range(256):
        for right in range(256):
            byte_rules[left << 8 | right] = find_rule(rules, byte_ids[left], byte_ids[right])
