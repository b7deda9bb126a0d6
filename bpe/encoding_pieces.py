"""Texts cut into pieces that threads encode, each up to a place where a pre-token surely ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe._kernels.class_table import Bytes, Ends
from bpe._kernels.encoding import SPARE, Encoder
from bpe._kernels.utf8 import next_cut

PIECE_BYTES = 1 << 19  # a thread takes so much text at a time
SPARE_BYTES = bytes(SPARE)
NONE_GIVEN: Ends = np.empty(0, np.int64)

_LAST_BYTES = 4096  # of a text, about, are copied to have spare ones after them


class Piece(NamedTuple):
    """Documents that one thread encodes, from `start` on; given are ends no kernel can find."""

    data: Bytes
    start: int
    stops: Ends
    given: Ends


def one_stop(stop: int) -> Ends:
    """Give the stops of a piece that is one document.

    >>> one_stop(7)
    array([7])
    """
    return np.array([stop], np.int64)


def piece_of_words(runs: Sequence[Sequence[str]]) -> Piece:
    """Make one piece of runs of pre-tokens; each run is a document of it.

    >>> piece = piece_of_words([["a", "é"], [], ["b"]])
    >>> piece.stops.tolist(), piece.given.tolist()
    ([3, 3, 4], [1, 3, 4])
    """
    words = [word.encode("utf-8") for run in runs for word in run]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int64)
    n_words = np.cumsum([len(run) for run in runs], dtype=np.int64)
    data = np.frombuffer(b"".join([*words, SPARE_BYTES]), np.uint8)
    return Piece(data, 0, ends[n_words], ends[1:])


def pieces_of_text(document: bytes, encoder: Encoder, threads: int) -> list[Piece]:
    """Cut a text into pieces for so many threads; only the last piece is copied."""
    data = np.frombuffer(document, np.uint8)
    n_bytes = PIECE_BYTES if threads > 1 else max(PIECE_BYTES, len(data) - _LAST_BYTES)
    pieces: list[Piece] = []
    start = 0
    while len(data) - start > 2 * _LAST_BYTES:
        at = min(start + n_bytes, len(data) - _LAST_BYTES)
        stop = next_cut(data, at, len(data), encoder.pattern, encoder.classes)
        if stop == len(data):
            break
        pieces.append(Piece(data, start, one_stop(stop), NONE_GIVEN))
        start = stop
    last = np.frombuffer(document[start:] + SPARE_BYTES, np.uint8)
    return [*pieces, Piece(last, 0, one_stop(len(data) - start), NONE_GIVEN)]


def pieces_of_documents(
    documents: Sequence[bytes], encoder: Encoder, threads: int
) -> tuple[list[Piece], npt.NDArray[np.bool_]]:
    """Share documents out among threads, the long ones cut; tells which stops end a document.

    With several threads a piece has half a million bytes or more, but for the last.
    """
    data = np.frombuffer(b"".join([*documents, SPARE_BYTES]), np.uint8)
    stops, ends_document = _stops(data, documents, encoder, threads)
    n_bytes = PIECE_BYTES if threads > 1 else len(data)
    pieces: list[Piece] = []
    start = first = 0
    while first < len(stops):
        last = min(int(np.searchsorted(stops, start + n_bytes)), len(stops) - 1)
        pieces.append(Piece(data, start, stops[first : last + 1], NONE_GIVEN))
        start, first = int(stops[last]), last + 1
    return pieces, ends_document


def _stops(
    data: Bytes, documents: Sequence[bytes], encoder: Encoder, threads: int
) -> tuple[Ends, npt.NDArray[np.bool_]]:
    """Give where documents end and long ones are cut, and which of these are ends."""
    stops: list[int] = []
    ends_document: list[bool] = []
    start = 0
    for document in documents:
        stop = start + len(document)
        while threads > 1 and stop - start > 2 * PIECE_BYTES:
            start = next_cut(data, start + PIECE_BYTES, stop, encoder.pattern, encoder.classes)
            if start < stop:
                stops.append(start)
                ends_document.append(False)
        stops.append(stop)
        ends_document.append(True)
        start = stop
    return np.array(stops, np.int64), np.array(ends_document, np.bool_)
