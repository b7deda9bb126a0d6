"""Documents kept as UTF-8: a corpus for training that takes no more memory than its bytes.

As `str` a text with one emoji in it takes four bytes a character, and a million short documents
as much again for the objects.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bpe.errors import ConfigError

PIECE_BYTES = 1 << 19
_HASHED_BYTES = 1 << 22


class TextPart(NamedTuple):
    """Documents that lie one after another in `data`, as valid UTF-8; each ends at one of `ends`.

    `ends` is an array of 64-bit numbers ("q"), ascending, the last one the length of `data`.
    """

    data: bytes | memoryview
    ends: array[int]


class Documents:
    """Documents to train on: an iterable of `str` that `bpe.train` takes, no merge crosses two.

    `n_bytes` and `n_chars` are sizes in all; the latter is the caller's word, as is that the parts
    are valid UTF-8. Raises ConfigError for ends that do not fit their part.

    >>> documents = Documents([TextPart("hö hö".encode(), array("q", [4, 7]))], n_chars=5)
    >>> list(documents), len(documents), documents.n_bytes
    (['hö ', 'hö'], 2, 7)
    """

    __slots__ = ("n_bytes", "n_chars", "parts")

    def __init__(self, parts: Iterable[TextPart], n_chars: int) -> None:
        self.parts = tuple(part for part in parts if len(part.data))
        for number, (data, ends) in enumerate(self.parts):
            if not ends or ends[-1] != len(data) or ends[0] < 0:
                raise ConfigError(
                    f"part {number} of the documents has {len(data):,} bytes, and its last "
                    f"document must end there, not at {ends[-1] if ends else None}"
                )
        self.n_bytes = sum(len(part.data) for part in self.parts)
        self.n_chars = n_chars

    def __len__(self) -> int:
        return sum(len(part.ends) for part in self.parts)

    def __iter__(self) -> Iterator[str]:
        for data, ends in self.parts:
            start = 0
            for end in ends:
                yield str(data[start:end], "utf-8")
                start = end

    def pieces(
        self, on_taken: Callable[[int], object] = lambda n_bytes: None, n_bytes: int = PIECE_BYTES
    ) -> Iterator[tuple[bytes, bool]]:
        """Yield the documents in pieces of whole characters, and whether the document ends there.

        `on_taken` is told the length of each piece, in bytes, before it is yielded.

        >>> documents = Documents([TextPart("hö".encode(), array("q", [3]))], n_chars=2)
        >>> list(documents.pieces(n_bytes=2))
        [(b'h', False), (b'\\xc3\\xb6', True)]
        """
        for data, ends in self.parts:
            start = 0
            for end in ends:
                while start < end:
                    stop = min(start + n_bytes, end)
                    while stop < end and data[stop] & 0xC0 == 0x80:
                        stop -= 1
                    on_taken(stop - start)
                    yield bytes(data[start:stop]), stop == end
                    start = stop

    def digest(self, tick: Callable[[int], object] = lambda n_bytes: None) -> str:
        """Name the documents by their texts and where each ends (sha256, 32 hexadecimal digits).

        One document has the name of its text. `tick` is told how many bytes are done, now and
        then; what it raises ends the work.

        >>> one, two = array("q", [2]), array("q", [1, 2])
        >>> len({Documents([TextPart(b"ab", ends)], 2).digest() for ends in (one, two, one)})
        2
        """
        text, done = hashlib.sha256(), 0
        for data, _ in self.parts:
            for start in range(0, len(data), _HASHED_BYTES):
                part = data[start : start + _HASHED_BYTES]
                text.update(part)
                done += len(part)
                tick(done)
        if len(self) > 1:
            for data, ends in self.parts:
                text.update(len(data).to_bytes(8, "little"))
                text.update(ends.tobytes())
        return text.hexdigest()[:32]
