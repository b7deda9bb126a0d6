"""What can be said of counted words as a whole, whether a dict or arrays hold them.

Arrays (`bpe.word_table.WordTable`) hold up to millions of words: they are not gone through one by
one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from bpe.word_table import WordTable

_BYTES_OF_AN_ENTRY = 150  # of a dict, with the objects of a short word and its count


def corpus_size(word_counts: Mapping[str, int]) -> tuple[int, int]:
    """Bytes (UTF-8) and characters of all words, each as often as it occurs.

    >>> corpus_size({"hé": 2, "a": 1})
    (7, 5)
    """
    table = _as_table(word_counts)
    if table is not None:
        return table.n_bytes, table.n_characters
    n_bytes = n_characters = 0
    for word, count in word_counts.items():
        n_bytes += count * len(word.encode("utf-8"))
        n_characters += count * len(word)
    return n_bytes, n_characters


def n_pre_tokens(word_counts: Mapping[str, int]) -> int:
    """How many pre-tokens the words stand for: the sum of their counts.

    >>> n_pre_tokens({"hé": 2, "a": 1})
    3
    """
    table = _as_table(word_counts)
    return sum(word_counts.values()) if table is None else table.total


def spelled_bytes(word_counts: Mapping[str, int]) -> int:
    """Bytes (UTF-8) of the different words, each once.

    >>> spelled_bytes({"hé": 2, "a": 1})
    4
    """
    table = _as_table(word_counts)
    if table is not None:
        return len(table.data)
    return sum(len(word.encode("utf-8")) for word in word_counts)


def most_frequent(word_counts: Mapping[str, int], n_words: int) -> list[int]:
    """Numbers of the words with the highest counts, of equal ones the one that came first.

    >>> most_frequent({"a": 1, "b": 2, "c": 1}, 2)
    [1, 0]
    """
    table = _as_table(word_counts)
    if table is not None:
        return table.most_frequent(n_words)
    counts = list(word_counts.values())
    return heapq.nsmallest(n_words, range(len(counts)), key=lambda word: (-counts[word], word))


def word_by_number(word_counts: Mapping[str, int]) -> Callable[[int], str]:
    """Give the function from a word's number to the word.

    >>> word_by_number({"a": 1, "b": 2})(1)
    'b'
    """
    table = _as_table(word_counts)
    return list(word_counts).__getitem__ if table is None else table.word


def count_by_number(word_counts: Mapping[str, int]) -> Callable[[int], int]:
    """Give the function from a word's number to its count.

    >>> count_by_number({"a": 1, "b": 2})(1)
    2
    """
    table = _as_table(word_counts)
    return list(word_counts.values()).__getitem__ if table is None else table.count


def parts_to_hash(word_counts: Mapping[str, int]) -> Iterator[bytes | memoryview]:
    """Give words and counts as bytes: the same for the same words, however they are held.

    >>> b" ".join(parts_to_hash({"hé": 2, "a": 1})).decode()
    '[3, 1] héa [2, 1]'
    """
    table = _as_table(word_counts)
    if table is not None:
        yield str(table.lengths.tolist()).encode()
        yield table.data.data
        yield str(table.counts.tolist()).encode()
        return
    words = [word.encode("utf-8") for word in word_counts]
    yield str([len(word) for word in words]).encode()
    yield b"".join(words)
    yield str(list(word_counts.values())).encode()


def bytes_held(word_counts: Mapping[str, int]) -> int:
    """Estimate the memory that counted words take, in bytes.

    >>> bytes_held({"low": 5, "lower": 2})
    308
    """
    table = _as_table(word_counts)
    if table is not None:
        return table.data.nbytes + table.offsets.nbytes + table.counts.nbytes
    return sum(map(len, word_counts)) + _BYTES_OF_AN_ENTRY * len(word_counts)


def _as_table(word_counts: Mapping[str, int]) -> WordTable | None:
    """Tell arrays from a dict, without loading numpy for a dict."""
    return None if isinstance(word_counts, dict) else cast("WordTable", word_counts)
