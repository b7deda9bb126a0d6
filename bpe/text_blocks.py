"""From documents in pieces to blocks of text that can be counted each for itself.

Pieces of documents flow through generators: `(UTF-8 bytes, whether the document ends here)`. A
block ends where a pre-token surely does, so counting the blocks counts the documents; at any time
only about a block is held, unless a document has no such place for longer than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np

from bpe._kernels.class_table import PATTERN_CODES, Bytes, Ends, class_table
from bpe._kernels.utf8 import next_cut
from bpe.counting_threads import Meter
from bpe.documents import Documents
from bpe.normalizers import normalize
from bpe.special_tokens import SpecialTokenFinder
from bpe.word_counter import Block

BLOCK_BYTES = 1 << 20

Pieces: TypeAlias = Iterable[tuple[bytes, bool]]


def blocks_of_text(
    data: Bytes, pattern: str, meter: Meter, n_bytes: int = BLOCK_BYTES
) -> Iterator[Block]:
    """Yield a text in memory, without copying it, as blocks of about `n_bytes`.

    >>> text = np.frombuffer(b"to be or not", np.uint8)
    >>> blocks = blocks_of_text(text, "gpt2", Meter(len(text), None), 4)
    >>> [(block.start, block.stops.tolist()) for block in blocks]
    [(0, [5]), (5, [12])]
    """
    code, classes, at = PATTERN_CODES[pattern], class_table(pattern), 0
    while at < len(data):
        stop = next_cut(data, min(at + n_bytes, len(data)), len(data), code, classes)
        meter.add(stop - at)
        yield Block(data, at, np.array([stop]), 0)
        at = stop


def blocks_of_documents(
    documents: Documents, pattern: str, meter: Meter, n_bytes: int = BLOCK_BYTES
) -> Iterator[Block]:
    """Yield documents in memory, without copying them, as blocks of about `n_bytes`.

    >>> from array import array
    >>> from bpe.documents import TextPart
    >>> documents = Documents([TextPart(b"to be or notto", array("q", [12, 14]))], n_chars=14)
    >>> blocks = blocks_of_documents(documents, "gpt2", Meter(14, None), 7)
    >>> [(block.start, block.stops.tolist()) for block in blocks]
    [(0, [8]), (8, [12, 14])]
    """
    code, classes, position = PATTERN_CODES[pattern], class_table(pattern), 0
    for part in documents.parts:
        data, ends = np.frombuffer(part.data, np.uint8), np.frombuffer(part.ends, np.int64)
        at = 0
        while at < len(data):
            wanted = min(at + n_bytes, len(data))
            first, last = np.searchsorted(ends, [at, wanted], side="left")
            stop = next_cut(data, wanted, int(ends[last]), code, classes)
            meter.add(stop - at)
            yield Block(data, at, np.append(ends[first:last], stop), position)
            at = stop
        position += len(data)


def blocks_of_pieces(pieces: Pieces, pattern: str, n_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield documents that come in pieces as blocks of about `n_bytes`.

    >>> pieces = [(b"to be or n", False), (b"ot", True), (b"to", True)]
    >>> for block in blocks_of_pieces(pieces, "gpt2", 8):
    ...     print(block.data[: block.stops[-1]].tobytes(), block.stops, block.position)
    b'to' [2] 0
    b' be or notto' [10 12] 2
    """
    parts: list[bytes] = []
    stops: list[int] = []
    n_held = position = 0
    limit = n_bytes
    for piece, ends_document in pieces:
        parts.append(piece)
        n_held += len(piece)
        if ends_document:
            stops.append(n_held)
        if n_held < limit:
            continue
        held = b"".join(parts)
        cut = _last_cut(held, stops[-1] if stops else 0, pattern)
        if cut > 0:
            yield Block(np.frombuffer(held, np.uint8), 0, _stops(stops, cut), position)
            position += cut
            held, stops = held[cut:], []
        parts, n_held = [held], len(held)
        limit = max(n_bytes, 2 * n_held)
    if n_held:
        yield Block(np.frombuffer(b"".join(parts), np.uint8), 0, _stops(stops, n_held), position)


def without_special_tokens(pieces: Pieces, special_tokens: tuple[str, ...]) -> Pieces:
    """Cut special tokens out: what stands before and after one are two documents.

    >>> list(without_special_tokens([(b"a<|e", False), (b"nd|>b", True)], ("<|end|>",)))
    [(b'', False), (b'a', True), (b'b', True)]
    """
    finder = SpecialTokenFinder(special_tokens)
    longest = max(map(len, special_tokens))
    held = ""
    for piece, ends_document in pieces:
        held += piece.decode()
        # A special token that starts from here on may be longer than what is there to see.
        sure = len(held) if ends_document else max(0, len(held) - longest + 1)
        done = 0
        for start, end, is_special in finder.split(held):
            if start >= sure:
                break
            if is_special:
                yield held[done:start].encode(), True
                done = end
        sure = max(done, sure)
        yield held[done:sure].encode(), ends_document
        held = held[sure:]


def normalized(pieces: Pieces, normalizer: tuple[str, ...], n_bytes: int = BLOCK_BYTES) -> Pieces:
    """Normalize documents that come in pieces.

    They are normalized part by part, cut before white space of ASCII: there no normalizer looks
    across, neither for accents to compose nor for the end of a word.

    >>> list(normalized([("ΟΔΟ".encode(), False), ("Σ Α".encode(), True)], ("lowercase",)))
    [(b'\\xce\\xbf\\xce\\xb4\\xce\\xbf\\xcf\\x82 \\xce\\xb1', True)]
    """
    parts: list[bytes] = []
    n_held, limit = 0, n_bytes
    for piece, ends_document in pieces:
        parts.append(piece)
        n_held += len(piece)
        if not ends_document and n_held < limit:
            continue
        held = b"".join(parts)
        cut = len(held) if ends_document else max(held.rfind(b" "), held.rfind(b"\n"), 0)
        if cut > 0 or ends_document:
            yield normalize(held[:cut].decode(), normalizer).encode(), ends_document
        held = held[cut:]
        parts, n_held = [held], len(held)
        limit = max(n_bytes, 2 * n_held)


def _stops(stops: list[int], last: int) -> Ends:
    return np.array([*stops, last] if not stops or stops[-1] < last else stops, np.int64)


def _last_cut(held: bytes, start: int, pattern: str) -> int:
    """Return a late place after `start` where the text can be cut, `start` if there is none."""
    data, reach = np.frombuffer(held, np.uint8), 4096
    code, classes = PATTERN_CODES[pattern], class_table(pattern)
    while True:
        at = max(start + 1, len(data) - reach)
        cut = next_cut(data, min(at, len(data)), len(data), code, classes)
        if cut < len(data):
            return cut
        if at == start + 1:
            return start
        reach *= 16
