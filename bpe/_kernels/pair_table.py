"""Finding a pair by its two ids: a hash table with open addressing and linear probing.

A slot holds 32 bits of the hash and the number of the pair plus one; 0 is an empty slot. So a
pair that is not listed is told from the slot alone, nearly always.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.merge_state import Training


@lean_part
def hash_of(left: int, right: int) -> Any:
    """Mix two ids to 64 bits: two odd factors, as in Fibonacci hashing (Knuth, TAOCP 3, 6.4)."""
    return np.uint64(left) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(right) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )


@lean_part
def first_slot(slots: Any, mixed: Any) -> Any:
    """Return where to look first: the highest bits of the hash; `slots` is a power of two long."""
    return np.int64((mixed >> np.uint64(32)) * np.uint64(len(slots)) >> np.uint64(32))


@lean_part
def find(slots: Any, pairs: Any, left: int, right: int) -> int:
    """Return the number of a pair, -1 if it is not listed."""
    mixed = hash_of(left, right)
    slot = first_slot(slots, mixed)
    while slots[slot] != 0:
        found = slots[slot]
        if (found ^ mixed) << np.uint64(32) == 0:
            pair = np.int64(found >> np.uint64(32)) - 1
            if pairs[pair].left == left and pairs[pair].right == right:
                return int(pair)
        slot = (slot + 1) & (len(slots) - 1)
    return -1


@lean_part
def insert(slots: Any, left: int, right: int, pair: int) -> None:
    """Note the number of a pair that is not in the table."""
    mixed = hash_of(left, right)
    slot = first_slot(slots, mixed)
    while slots[slot] != 0:
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = np.uint64(pair + 1) << np.uint64(32) | (mixed & np.uint64(0xFFFFFFFF))


@lean_kernel
def insert_all(training: Training) -> None:
    """Fill a fresh table with all pairs."""
    for pair in range(training.state[0].n_pairs):
        insert(training.slots, training.pairs[pair].left, training.pairs[pair].right, pair)
