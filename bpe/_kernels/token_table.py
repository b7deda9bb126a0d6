"""Finding a token by its bytes: a hash table with open addressing over the tokens' contents.

A slot holds 32 bits of the hash and the id plus one; 0 is an empty slot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bpe._kernels.class_table import Bytes
from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.intrinsics import eight_bytes

ONE = np.uint64(1)
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)
FACTOR = np.uint64(0x9E3779B97F4A7C15)


class TokenBytes(NamedTuple):
    """The bytes of all tokens by id, one after another, with a table to find them by."""

    data: Any  # uint8, with 8 bytes to spare
    ends: Any  # int64, by id + 1: where a token ends and the next one starts
    slots: Any  # uint64, a power of two
    longest: Any  # the longest token in the table, in bytes


@lean_part
def bytes_at(data: Bytes, at: Any, length: int) -> Any:
    """Return up to 8 bytes as one number, the first byte lowest; 8 bytes there can be read."""
    if length >= 8:
        return eight_bytes(data, at)
    return eight_bytes(data, at) & ((ONE << np.uint64(8 * length)) - ONE)


@lean_part
def hash_bytes(data: Bytes, start: Any, end: Any) -> Any:
    """Mix the bytes of a word to 64 bits, eight at a time."""
    mixed = np.uint64(end - start)
    for at in range(start, end, 8):
        mixed = (mixed ^ bytes_at(data, at, end - at)) * FACTOR
        mixed ^= mixed >> HALF
    return mixed * FACTOR


@lean_part
def find_token(tokens: TokenBytes, data: Bytes, start: Any, end: Any) -> Any:
    """Return the id of the token that is these bytes, -1 if none is."""
    slots = tokens.slots
    mixed = hash_bytes(data, start, end)
    slot = np.int64((mixed >> HALF) * np.uint64(len(slots)) >> HALF)
    while slots[slot] != 0:
        found = slots[slot]
        if (found ^ mixed) << HALF == 0:
            token = np.int64(found >> HALF) - 1
            if is_token(tokens, token, data, start, end):
                return token
        slot = (slot + 1) & (len(slots) - 1)
    return -1


@lean_part
def is_token(tokens: TokenBytes, token: Any, data: Bytes, start: Any, end: Any) -> bool:
    """Tell whether these bytes are those of the token."""
    first = tokens.ends[token]
    if tokens.ends[token + 1] - first != end - start:
        return False
    for at in range(start, end, 8):
        if bytes_at(data, at, end - at) != bytes_at(tokens.data, first + at - start, end - at):
            return False
    return True


@lean_part
def add_token(tokens: TokenBytes, token: Any) -> None:
    """Note a token; of two with the same bytes the first noted is found."""
    slots = tokens.slots
    mixed = hash_bytes(tokens.data, tokens.ends[token], tokens.ends[token + 1])
    slot = np.int64((mixed >> HALF) * np.uint64(len(slots)) >> HALF)
    while slots[slot] != 0:
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = np.uint64(token + 1) << HALF | (mixed & LOW_HALF)


@lean_kernel
def add_tokens(tokens: TokenBytes, wanted: Any) -> None:
    """Note the tokens of these ids."""
    for token in wanted:
        add_token(tokens, token)
