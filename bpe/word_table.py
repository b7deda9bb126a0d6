"""Words with their counts as arrays: what a mapping from `str` to `int` takes a tenth of."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe.errors import ConfigError

Bytes: TypeAlias = npt.NDArray[np.uint8]
Integers: TypeAlias = npt.NDArray[np.int64]

_AT_ONCE = 4096  # words decoded together


class WordTable(Mapping[str, int]):
    """Distinct words in the order in which they first occur, with their counts.

    A mapping from word to count like a dict, and equal to one with the same items. The words are
    kept as UTF-8, one after another, in `data`; word i is `data[offsets[i]:offsets[i + 1]]` and
    occurs `counts[i]` times. The arrays are read-only.

    Raises ConfigError for arrays that do not fit together; that the words are UTF-8 and distinct
    is the caller's word.

    >>> table = WordTable.from_mapping({"low": 5, "é": 2})
    >>> table.data.tobytes(), table.offsets.tolist(), table.counts.tolist()
    (b'low\\xc3\\xa9', [0, 3, 5], [5, 2])
    >>> table["é"], "lo" in table, table.total, table == {"é": 2, "low": 5}
    (2, False, 7, True)
    """

    __slots__ = ("_checksums", "counts", "data", "offsets")

    def __init__(self, data: Bytes, offsets: Integers, counts: Integers) -> None:
        self.data = _read_only(data, np.uint8)
        self.offsets = _read_only(offsets, np.int64)
        self.counts = _read_only(counts, np.int64)
        self._checksums: tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]] | None = None
        if (
            len(offsets) != len(counts) + 1
            or offsets[0] != 0
            or offsets[-1] != len(data)
            or (np.diff(offsets) < 0).any()
        ):
            raise ConfigError(
                f"{len(offsets)} offsets do not mark {len(counts)} words in {len(data)} bytes: "
                "they must ascend from 0 to the number of bytes, one more than there are counts"
            )

    @classmethod
    def from_mapping(cls, counts: Mapping[str, int]) -> WordTable:
        """Take over words and counts. Raises ConfigError for what cannot be kept.

        >>> list(WordTable.from_mapping({"b": 1, "a": 2**40}).items())
        [('b', 1), ('a', 1099511627776)]
        """
        try:
            words = [word.encode() for word in counts]
            numbers = np.fromiter(counts.values(), np.int64, len(counts))
        except UnicodeEncodeError as error:
            raise ConfigError(
                f"the word {error.object!r} holds half of a surrogate pair: replace it by U+FFFD"
            ) from error
        except OverflowError as error:
            raise ConfigError("a count is 2**63 or more: counts have 64 bits") from error
        offsets = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(words), np.uint8), offsets, numbers)

    @property
    def total(self) -> int:
        """How many pre-tokens there are in all: the sum of the counts."""
        return int(self.counts.sum())

    @property
    def lengths(self) -> Integers:
        """How many bytes each word has."""
        return np.diff(self.offsets)

    @property
    def n_bytes(self) -> int:
        """Bytes of all words, each as often as it occurs."""
        return int(np.dot(self.lengths, self.counts))

    @property
    def n_characters(self) -> int:
        """Characters of all words, each as often as it occurs.

        >>> table = WordTable.from_mapping({"hé": 2, "": 3, "a": 1})
        >>> table.n_bytes, table.n_characters
        (7, 5)
        """
        kind = np.int32 if len(self.data) < 2**31 else np.int64
        first_bytes = np.zeros(len(self.data) + 1, kind)  # of characters, before each place
        np.cumsum(self.data & 0xC0 != 0x80, out=first_bytes[1:], dtype=kind)
        return int(np.dot(np.diff(first_bytes[self.offsets]).astype(np.int64), self.counts))

    def word(self, number: int) -> str:
        """Give a word by its number."""
        return self.data[self.offsets[number] : self.offsets[number + 1]].tobytes().decode()

    def count(self, number: int) -> int:
        """Give the count of a word by its number."""
        return int(self.counts[number])

    def most_frequent(self, n_words: int) -> list[int]:
        """Give the numbers of the words with the highest counts, of equal ones the first.

        >>> table = WordTable.from_mapping({"a": 1, "b": 2, "c": 1})
        >>> [table.word(number) for number in table.most_frequent(2)]
        ['b', 'a']
        """
        return list(highest(self.counts, n_words).tolist())

    @property
    def fingerprint(self) -> str:
        """Name the table by words, counts and their order (32 hexadecimal digits).

        >>> a, b = (WordTable.from_mapping({"a": count}) for count in (1, 2))
        >>> a.fingerprint == b.fingerprint
        False
        """
        digest = hashlib.sha256(len(self).to_bytes(8, "little"))
        for array in (self.offsets, self.counts, self.data):
            digest.update(array.data)
        return digest.hexdigest()[:32]

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[str]:
        return (word.decode() for word in self.encoded())

    def encoded(self) -> Iterator[bytes]:
        """Yield the UTF-8 bytes of each word, in order.

        >>> list(WordTable.from_mapping({"é": 1}).encoded())
        [b'\\xc3\\xa9']
        """
        for start in range(0, len(self), _AT_ONCE):
            offsets = self.offsets[start : start + _AT_ONCE + 1].tolist()
            first = offsets[0]
            part = self.data[first : offsets[-1]].tobytes()
            for begin, end in pairwise(offsets):
                yield part[begin - first : end - first]

    def __getitem__(self, word: str) -> int:
        number = self._number_of(word)
        if number is None:
            raise KeyError(word)
        return int(self.counts[number])

    def __contains__(self, word: object) -> bool:
        return self._number_of(word) is not None

    def items(self) -> ItemsView[str, int]:
        """Return the pairs of word and count, as those of a dict."""
        return _Items(self)

    def values(self) -> ValuesView[int]:
        """Return the counts, as those of a dict."""
        return _Values(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WordTable) and len(self) == len(other):
            mine = (self.counts, self.offsets, self.data)
            if all(map(np.array_equal, mine, (other.counts, other.offsets, other.data))):
                return True
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<WordTable of {len(self):,} words, {self.total:,} pre-tokens>"

    def _number_of(self, word: object) -> int | None:
        """Find a word by its checksum; they are sorted when the first word is asked for."""
        if not isinstance(word, str):
            return None
        try:
            encoded = word.encode()
        except UnicodeEncodeError:  # half of a surrogate pair: no word holds one
            return None
        digests, order = self._sorted_checksums()
        digest = np.uint32(zlib.crc32(encoded))
        start = int(np.searchsorted(digests, digest))
        for place in range(start, len(digests)):
            if digests[place] != digest:
                break
            number = int(order[place])
            if self.data[self.offsets[number] : self.offsets[number + 1]].tobytes() == encoded:
                return number
        return None

    def _sorted_checksums(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
        if self._checksums is None:
            checksums = np.fromiter(map(zlib.crc32, self.encoded()), np.uint32, len(self))
            order = np.argsort(checksums)
            self._checksums = checksums[order], order
        return self._checksums


class _Values(ValuesView[int]):
    """The counts, without looking up each word."""

    _mapping: WordTable

    def __iter__(self) -> Iterator[int]:
        for start in range(0, len(self._mapping), _AT_ONCE):
            yield from self._mapping.counts[start : start + _AT_ONCE].tolist()

    def __contains__(self, count: object) -> bool:
        return bool((self._mapping.counts == count).any())


class _Items(ItemsView[str, int]):
    """The pairs, without looking up each word."""

    _mapping: WordTable

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return zip(self._mapping, self._mapping.values(), strict=True)


def highest(numbers: Integers, n_wanted: int) -> Integers:
    """Give the indexes of the highest numbers, highest first, of equal ones the lower index.

    >>> highest(np.array([3, 5, 3, 4]), 3).tolist()
    [1, 3, 0]
    """
    chosen = np.arange(len(numbers))
    if 0 < n_wanted < len(numbers):
        least = np.partition(numbers, len(numbers) - n_wanted)[len(numbers) - n_wanted]
        above = np.flatnonzero(numbers > least)
        level = np.flatnonzero(numbers == least)[: n_wanted - len(above)]
        chosen = np.sort(np.concatenate([above, level]))
    return chosen[np.argsort(-numbers[chosen], kind="stable")][: max(0, n_wanted)]


def _read_only(array: npt.NDArray[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    view = np.ascontiguousarray(array, kind).view()
    view.setflags(write=False)
    return view
