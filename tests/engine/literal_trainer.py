"""A trainer that is nothing but the definition, for the tie rules that go by content or by place.

It counts all pairs anew for each merge, over all words side by side in one array.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

_GAP = -1

Content = Any  # str or bytes


def train_literally(
    words: Mapping[str, int], base: str, rule: str, num_merges: int
) -> list[tuple[Content, Content, int, int]]:
    """Give left, right, count and number of ties of each merge; counts are exact below 2^53."""
    contents, symbols, weights = _laid_out(words, base)
    merges = []
    for _ in range(num_merges):
        size = len(contents)
        is_pair = (symbols[:-1] != _GAP) & (symbols[1:] != _GAP)
        pairs = np.where(is_pair, symbols[:-1] * size + symbols[1:], 0)
        counts = np.bincount(pairs, weights[:-1] * is_pair, minlength=size * size)
        highest = int(counts.max(initial=0))
        if highest < 1:
            break
        tied = np.flatnonzero(counts == highest)
        chosen = _chosen(tied, pairs, is_pair, contents, rule)
        left, right = divmod(chosen, size)
        merges.append((contents[left], contents[right], highest, len(tied)))
        contents.append(contents[left] + contents[right])
        places = _without_overlaps(np.flatnonzero(is_pair & (pairs == chosen)))
        symbols[places] = size
        symbols, weights = (np.delete(array, places + 1) for array in (symbols, weights))
    return merges


def _laid_out(
    words: Mapping[str, int], base: str
) -> tuple[list[Content], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Write the words as numbers of their sorted symbols, with a gap after each."""
    spelled = [
        [bytes([byte]) for byte in word.encode()] if base == "byte" else list(word)
        for word in words
    ]
    contents: list[Content] = sorted({symbol for word in spelled for symbol in word})
    number = {symbol: i for i, symbol in enumerate(contents)}
    symbols = [n for word in spelled for n in (*map(number.__getitem__, word), _GAP)]
    lengths = [len(word) + 1 for word in spelled]
    return (
        contents,
        np.array(symbols, np.int64),
        np.repeat([float(n) for n in words.values()], lengths),
    )


def _chosen(
    tied: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
    is_pair: npt.NDArray[np.bool_],
    contents: list[Content],
    rule: str,
) -> int:
    if rule == "first_seen":
        return int(pairs[np.flatnonzero(is_pair & np.isin(pairs, tied))[0]])

    def spelling(pair: int) -> tuple[Content, Content]:
        left, right = divmod(pair, len(contents))
        return contents[left], contents[right]

    choose = {"lexicographic": min, "lexicographic_max": max}[rule]
    return choose(map(int, tied), key=spelling)


def _without_overlaps(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of places that touch take the first, the third and so on: replacing goes left to right."""
    numbers = np.arange(len(places))
    starts_run = np.diff(places, prepend=-2) != 1
    first = np.maximum.accumulate(np.where(starts_run, numbers, 0))
    return places[(numbers - first) % 2 == 0]
