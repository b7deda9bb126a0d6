"""Which of two pairs with the same count goes first: the compiled twin of `bpe.tie_rules`."""

from __future__ import annotations

from typing import Any

from bpe._kernels.compiling import lean_part
from bpe._kernels.merge_state import (
    BY_ORDER,
    FIRST_SEEN,
    LEXICOGRAPHIC_MAX,
    Training,
)


@lean_part
def goes_first(training: Training, pair: int, other: int) -> bool:
    """Tell whether the tie rule takes `pair` before `other`, which is a different pair.

    Under FIRST_SEEN the first place of each list must be one at which the pair still stands.
    """
    pairs, rule = training.pairs, training.state[0].rule
    if rule == FIRST_SEEN:
        return bool(training.pool[pairs[pair].start] < training.pool[pairs[other].start])
    sign = compare_tokens(training, pairs[pair].left, pairs[other].left)
    if sign == 0:
        sign = compare_tokens(training, pairs[pair].right, pairs[other].right)
    return bool(sign > 0 if rule == LEXICOGRAPHIC_MAX else sign < 0)


@lean_part
def compare_tokens(training: Training, token: int, other: int) -> int:
    """Return a number below, equal to or above 0: how one token compares to another."""
    if token == other:
        return 0
    key, other_key = training.keys[token], training.keys[other]
    if key != other_key:
        return -1 if key < other_key else 1
    if training.state[0].rule == BY_ORDER:
        return 0
    sign = _compare_spellings(training.words.text, training.tokens, token, other)
    if sign == 0:  # spelled the same: one of them ends with the marker, and goes after the other
        return 1 if training.marked[token] else -1
    return sign


@lean_part
def _compare_spellings(text: Any, tokens: Any, token: int, other: int) -> int:
    """Compare two spellings byte by byte; a spelling goes before one that continues it.

    Two tokens at one place begin alike: long tokens that grew there are not compared in full.
    """
    place, other_place = tokens[token].place, tokens[other].place
    if place != other_place:
        for position in range(min(tokens[token].length, tokens[other].length)):
            byte, other_byte = text[place + position], text[other_place + position]
            if byte != other_byte:
                return -1 if byte < other_byte else 1
    return int(tokens[token].length - tokens[other].length)


@lean_part
def spelling_key(text: Any, place: int, length: int) -> int:
    """Return the first 8 bytes of a spelling as a number that orders as they do."""
    key = 0
    for position in range(8):
        key <<= 8
        if position < length:
            key |= text[place + position]
    return key
