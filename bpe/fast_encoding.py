"""Encoding with the compiled kernels: the same ids as the plain encoder gives, many times as fast.

For byte bases. The kernels stand in `_kernels.encoding` and what it calls; here are the tables they
need, made from a tokenizer, and the threads that share a long text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe._kernels.class_table import PATTERN_CODES, Ends, class_table
from bpe._kernels.encoding import CHUNK, GIVEN, Chunk, Encoder, encode_documents
from bpe._kernels.known_words import FEW_IDS, LARGE_SIZE, NOT_KNOWN, SMALL, SMALL_SIZE, KnownWords
from bpe._kernels.lane_merging import Lanes
from bpe.encoding_pieces import (
    NONE_GIVEN,
    PIECE_BYTES,
    SPARE_BYTES,
    Piece,
    one_stop,
    piece_of_words,
    pieces_of_documents,
    pieces_of_text,
)
from bpe.encoding_tables import encoder_tables, new_lanes
from bpe.errors import ConfigError
from bpe.normalizers import normalize, well_formed
from bpe.pre_tokenizers import compile_pattern
from bpe.rank_vocabulary import RankVocabulary
from bpe.thread_count import number_of_threads

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

Ids: TypeAlias = npt.NDArray[np.int32]

_SMALL_ENTRIES = 1 << 16  # of known words, in a room
_LARGE_ENTRIES = 1 << 15
_RING_IDS = 1 << 18
_SPARE_IDS = FEW_IDS + 1  # are written after those of a piece, and do not count


class Room(NamedTuple):
    """What one thread encodes in: the words it knows, and arrays that are written over."""

    words: KnownWords
    lanes: Lanes
    chunk: Chunk


class FastEncoder:
    """Encodes texts with a tokenizer's vocabulary, pattern and normalizer, in threads.

    Special tokens in a text are ordinary text. Words that it has met it finds again, also in a
    later text. Several threads may use the same encoder.

    >>> import bpe
    >>> encoder = FastEncoder.from_tokenizer(bpe.load_pretrained("gpt2"))
    >>> encoder.encode("Hello, world").tolist()
    [15496, 11, 995]
    """

    def __init__(self, encoder: Encoder, pattern: str, normalizer: tuple[str, ...]) -> None:
        """Take the tables of the kernels; `from_tokenizer` makes them."""
        self._encoder = encoder
        self._pattern = pattern
        self._normalizer = normalizer
        self._ids_a_byte = 2 if encoder.spelling.marker >= 0 else 1
        self._rooms: list[Room] = []

    @classmethod
    def from_tokenizer(cls, tokenizer: Tokenizer) -> FastEncoder | None:
        """Make the encoder of a tokenizer; None where only the plain one can encode.

        That is a character base, a byte without a token, and more than a million ids or 16 million
        rules.

        >>> import bpe
        >>> FastEncoder.from_tokenizer(bpe.train("low", base="char", num_merges=1).tokenizer)
        """
        tables = encoder_tables(tokenizer)
        if tables is None:
            return None
        pattern = tokenizer.pattern
        is_named = pattern in PATTERN_CODES and not tokenizer.reading.is_needed
        encoder = Encoder(
            PATTERN_CODES[pattern] if is_named else GIVEN,
            class_table(pattern if is_named else "none"),
            *tables,
        )
        return cls(encoder, pattern, tuple(tokenizer.normalizer))

    def encode(
        self, text: str, *, n_threads: int | None = None, is_normalized: bool = False
    ) -> Ids:
        """Encode a text to an array of its ids, in so many threads (all processors if None).

        A text that is normalized is not normalized again. Raises ConfigError for what is no
        string or no number of threads, and for an expression of the user's own that takes too
        long.
        """
        threads = number_of_threads(n_threads)
        document = self._as_bytes(text, is_normalized)
        if self._encoder.pattern == GIVEN:
            return self._encode_by_expression(document)
        return self._encode_pieces(pieces_of_text(document, self._encoder, threads), threads)[0]

    def encode_batch(self, texts: Sequence[str], *, n_threads: int | None = None) -> list[Ids]:
        """Encode several texts at once, to an array each; raises as `encode` does.

        >>> import bpe
        >>> encoder = FastEncoder.from_tokenizer(bpe.load_pretrained("gpt2"))
        >>> [ids.tolist() for ids in encoder.encode_batch(["Hello", "", "world"])]
        [[15496], [], [6894]]
        """
        threads = number_of_threads(n_threads)
        documents = [self._as_bytes(text) for text in texts]
        if self._encoder.pattern == GIVEN:
            return [self._encode_by_expression(document) for document in documents]
        pieces, ends_document = pieces_of_documents(documents, self._encoder, threads)
        ids, ends = self._encode_pieces(pieces, threads)
        return np.split(ids, ends[ends_document][:-1]) if documents else []

    def encode_words(self, runs: Sequence[Sequence[str]]) -> list[Ids]:
        """Encode pre-tokens that an imported tokenizer cut: one array for each run of them.

        The tokenizer must be one that reads text by its own steps.
        """
        ids, ends = self._encode_pieces([piece_of_words(runs)], 1)
        return np.split(ids, ends[:-1])

    def _as_bytes(self, text: str, is_normalized: bool = False) -> bytes:
        if not isinstance(text, str):
            raise ConfigError(f"the text to encode must be a string, not {type(text).__name__}")
        if self._normalizer and not is_normalized:
            text = normalize(well_formed(text), self._normalizer)
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:  # halves of surrogate pairs
            return well_formed(text).encode("utf-8")

    def _encode_by_expression(self, document: bytes) -> Ids:
        """Encode a text that a regular expression of the user's own splits."""
        data = np.frombuffer(document + SPARE_BYTES, np.uint8)
        char_ends = [end for _, end in compile_pattern(self._pattern).split(document.decode())]
        char_starts = np.flatnonzero(data & 0xC0 != 0x80)  # the first spare byte is one too
        given = char_starts[char_ends].astype(np.int64)
        return self._encode_pieces([Piece(data, 0, one_stop(len(document)), given)], 1)[0]

    def _encode_pieces(self, pieces: Sequence[Piece], threads: int) -> tuple[Ids, Ends]:
        """Encode pieces that follow one another; gives all ids, and where each document's end."""
        room_for = [(p.stops[-1] - p.start) * self._ids_a_byte + _SPARE_IDS for p in pieces]
        firsts = np.cumsum([0, *room_for]).tolist()
        out = np.empty(firsts[-1], np.int32)

        def encode(number: int) -> Ends:
            piece = pieces[number]
            ends = np.empty(len(piece.stops), np.int64)
            with self._room() as room:
                given: tuple[Any, ...] = (*room, *piece, out[firsts[number] :], ends)
                encode_documents(self._encoder, *given)
            return ends

        ends = list(_mapped(encode, range(len(pieces)), min(threads, len(pieces))))
        n_ids = _move_together(out, firsts, ends)
        out.resize(n_ids, refcheck=False)  # gives back what was never written to
        return out, np.concatenate([*ends, NONE_GIVEN])

    @contextmanager
    def _room(self) -> Iterator[Room]:
        """A room that no other thread uses meanwhile."""
        try:
            room = self._rooms.pop()
        except IndexError:
            room = _new_room()
        try:
            yield room
        finally:
            self._rooms.append(room)


def warm_up() -> None:
    """Run each kernel of encoding once, so that none is left to be compiled.

    >>> warm_up()
    """
    from bpe.tokenizer import Tokenizer

    text = "ab " * PIECE_BYTES
    letters = tuple(bytes([value]) for value in range(256))
    for tokens in ((b"ab", b"abab"), (b"aba", b"ab")):  # of the second no pair makes the first
        vocabulary = RankVocabulary((*letters, *tokens), {})
        tokenizer = Tokenizer(vocabulary, "byte", "gpt2", ignore_merges=True)
        encoder = FastEncoder.from_tokenizer(tokenizer)
        assert encoder is not None
        encoder.encode(text)


def _move_together(out: Ids, firsts: Sequence[int], ends: Sequence[Ends]) -> int:
    """Move the ids of pieces to follow one another, and their ends with them; gives how many."""
    n_ids = 0
    for first, piece_ends in zip(firsts, ends, strict=False):
        size = int(piece_ends[-1])
        if first > n_ids:
            out[n_ids : n_ids + size] = out[first : first + size]
        piece_ends += n_ids
        n_ids += size
    return n_ids


def _mapped(
    function: Callable[[int], Ends], numbers: Sequence[int], threads: int
) -> Iterator[Ends]:
    if threads <= 1:
        yield from map(function, numbers)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="bpe-encode") as pool:
        yield from pool.map(function, numbers)


def _new_room() -> Room:
    fillers = [(1 << 64) - (1 << 8 * length) for length in range(SMALL + 1)]
    words = KnownWords(
        np.full(_SMALL_ENTRIES * SMALL_SIZE // 2, NOT_KNOWN, np.uint64),
        np.full(_LARGE_ENTRIES * LARGE_SIZE // 2, NOT_KNOWN, np.uint64),
        np.array(fillers, np.uint64),
        np.empty(_RING_IDS, np.int32),
        np.zeros(1, np.int64),
    )
    return Room(words, new_lanes(), _new_chunk())


def _new_chunk() -> Chunk:
    return Chunk(
        np.empty(CHUNK + 1, np.int64), np.empty(CHUNK, np.uint64), np.empty(CHUNK + 1, np.int64)
    )
