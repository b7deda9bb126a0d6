"""Encoding UTF-8 text, some hundred pre-tokens at a time: split them off, look up those met
before, merge the others, write the ids of all.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.characters import class_at
from bpe._kernels.class_table import SPACE, WHITESPACE, Bytes, Ends
from bpe._kernels.compiling import kernel, kernel_part, lean_part
from bpe._kernels.intrinsics import lowest_bit, n_bits
from bpe._kernels.known_words import (
    COUNT_BITS,
    END_OF_RING,
    FEW_IDS,
    LARGE,
    NO_IDS,
    NOT_KNOWN,
    KnownWords,
    add_to_ring,
    add_word,
    find_word,
    forget_all,
    packed_from_ring,
    write_ids,
)
from bpe._kernels.lane_merging import (
    FEW,
    IDLE,
    N_LANES,
    NOWHERE,
    ONE,
    ROOM,
    ZERO,
    Lanes,
    key_of,
    look_up,
    look_up_pending,
    merge_once,
    start_lane,
)
from bpe._kernels.pair_ranks import ID_BITS, Rules
from bpe._kernels.splitting import fill_ends
from bpe._kernels.token_table import TokenBytes, find_token
from bpe._kernels.window_merging import Spelling, merge_long

GIVEN: Final = -1  # the code of a pattern no kernel splits by
CHUNK: Final = 1024  # pre-tokens; their ids fit into MOST_WRITTEN
SPARE: Final = 16  # bytes that must be there after the last pre-token
TOO_LONG = np.uint64(0xFFFFFFFFFFFFFFFC)  # for a lane: never packed ids


class Encoder(NamedTuple):
    """What encoding needs to know of a tokenizer."""

    pattern: int  # its code
    classes: Any  # uint8: the `class_table` of the pattern
    spelling: Spelling
    rules: Rules
    byte_rules: Any  # uint32, 65,536: the ranks of the rules of two bytes side by side
    tokens: TokenBytes  # the tokens that a word equal to them becomes, whatever the rules say
    longest: Any  # symbols of the longest token


class Chunk(NamedTuple):
    """Pre-tokens that are encoded together, by number."""

    bounds: Any  # int64, one more: where each starts and the last ends
    ids: Any  # uint64: packed ids
    unknown: Any  # int64: the numbers of those that are not known


@kernel
def encode_documents(
    encoder: Encoder,
    words: KnownWords,
    lanes: Lanes,
    chunk: Chunk,
    data: Bytes,
    start: Any,
    stops: Ends,
    given: Ends,
    out: Any,
    out_ends: Ends,
) -> Any:
    """Encode documents that follow one another from `start` on and end at `stops`.

    Writes their ids to `out` and where each document's end to `out_ends`; returns how many there
    are in all. `data` has SPARE bytes after the last document, `out` room for an id a byte, one
    more a pre-token if there is a marker, and FEW_IDS. `given` holds the ends of all pre-tokens
    if the pattern is GIVEN.
    """
    n_out: Any = np.int64(0)  # a bare 0 would be of a type of its own, and compiled for twice
    n_given = 0
    for document in range(len(stops)):
        stop = stops[document]
        while start < stop:
            chunk.bounds[0] = start
            if encoder.pattern == GIVEN:
                n_words = take_given(chunk.bounds, given[n_given:], stop)
                n_given += n_words
            else:
                ends = chunk.bounds[1:]
                n_words = fill_ends(data, start, stop, encoder.pattern, encoder.classes, ends)
            start = chunk.bounds[n_words]
            n_out = encode_chunk(encoder, words, lanes, chunk, data, n_words, out, n_out)
        out_ends[document] = n_out
    return n_out


@lean_part
def take_given(bounds: Ends, given: Ends, stop: int) -> Any:
    """Take ends that are given, up to `stop`, as many as there is room for; returns how many."""
    n_words = 0
    while n_words < CHUNK and n_words < len(given) and given[n_words] <= stop:
        bounds[n_words + 1] = given[n_words]
        n_words += 1
    return n_words


@kernel_part
def encode_chunk(
    encoder: Encoder,
    words: KnownWords,
    lanes: Lanes,
    chunk: Chunk,
    data: Bytes,
    n_words: int,
    out: Any,
    n_out: Any,
) -> Any:
    """Encode the pre-tokens of the chunk; returns where their ids end in `out`."""
    if words.written[0] > END_OF_RING:
        forget_all(words)
    n_unknown = find_words(words, chunk, data, n_words)
    if n_unknown > 0:
        merge_unknown(encoder, words, lanes, chunk, data, n_unknown)
    first: Any = np.int64(0)
    word, n_out = write_words(words, chunk, first, n_words, out, n_out)
    while word < n_words:
        start, end = chunk.bounds[word], chunk.bounds[word + 1]
        n_out += merge_long(
            encoder.rules, encoder.spelling, data, start, end, encoder.longest, out[n_out:]
        )
        word, n_out = write_words(words, chunk, word + 1, n_words, out, n_out)
    return n_out


@lean_part
def write_words(
    words: KnownWords, chunk: Chunk, word: int, n_words: int, out: Any, n_out: Any
) -> tuple[Any, Any]:
    """Write the ids of the pre-tokens from a number on, up to one that no lane had room for.

    Returns the number of that one and where the ids end in `out`.
    """
    while word < n_words and chunk.ids[word] != TOO_LONG:
        n_out = write_ids(words, chunk.ids[word], out, n_out)
        word += 1
    return word, n_out


@lean_part
def find_words(words: KnownWords, chunk: Chunk, data: Bytes, n_words: int) -> Any:
    """Look the pre-tokens of the chunk up, and list those not known; returns how many."""
    n_unknown = 0
    start = chunk.bounds[0]
    for word in range(n_words):
        end = chunk.bounds[word + 1]
        ids = NOT_KNOWN
        if end - start <= LARGE:
            ids = find_word(words, data, start, end - start)
        chunk.ids[word] = ids
        chunk.unknown[n_unknown] = word
        n_unknown += ids == NOT_KNOWN
        start = end
    return n_unknown


@lean_part
def merge_unknown(
    encoder: Encoder, words: KnownWords, lanes: Lanes, chunk: Chunk, data: Bytes, n_unknown: int
) -> None:
    """Find the ids of the pre-tokens listed as unknown, as many at a time as there are lanes."""
    n_started = n_active = 0
    for lane in range(np.uint64(N_LANES)):
        lanes.words[lane] = IDLE
        lanes.merged[lane] = NOWHERE
    while n_started < n_unknown or n_active > 0:
        for lane in range(np.uint64(N_LANES)):
            look_up_pending(encoder.rules, lanes, lane)
        for lane in range(np.uint64(N_LANES)):
            if lanes.words[lane] == IDLE:
                if n_started < n_unknown:
                    word = chunk.unknown[n_started]
                    n_active += start_word(encoder, words, lanes, lane, chunk, data, word)
                    n_started += 1
            elif not merge_once(encoder.rules, lanes, lane):
                finish_word(words, lanes, lane, chunk, data)
                n_active -= 1


@lean_part
def start_word(
    encoder: Encoder,
    words: KnownWords,
    lanes: Lanes,
    lane: Any,
    chunk: Chunk,
    data: Bytes,
    word: int,
) -> Any:
    """Put a pre-token into a lane and return 1, or note its ids and return 0."""
    start, end = chunk.bounds[word], chunk.bounds[word + 1]
    ids = ids_without_merging(encoder, words, data, start, end)
    chunk.ids[word] = ids
    if ids != NOT_KNOWN:
        return 0
    spell_in_lane(encoder, lanes, lane, data, np.uint64(start), np.uint64(end))
    lanes.words[lane] = word
    return 1


@lean_part
def spell_in_lane(
    encoder: Encoder, lanes: Lanes, lane: Any, data: Bytes, start: Any, end: Any
) -> None:
    """Write the base symbols of a pre-token into a lane, with the keys of their pairs."""
    symbols, keys, first = lanes.symbols, lanes.keys, lane * FEW
    n_symbols = end - start
    byte = data[start]
    for place in range(n_symbols):
        symbols[first + place] = encoder.spelling.byte_ids[byte]
        next_byte = data[start + place + ONE] if place + ONE < n_symbols else byte
        rank = encoder.byte_rules[np.uint64(byte) << np.uint64(8) | np.uint64(next_byte)]
        keys[first + place] = key_of(rank, place)
        byte = next_byte
    if encoder.spelling.marker >= 0:
        symbols[first + n_symbols] = encoder.spelling.marker
        look_up(encoder.rules, lanes, lane, n_symbols - ONE, n_symbols)
        n_symbols += ONE
    start_lane(lanes, lane, n_symbols)


@lean_part
def finish_word(words: KnownWords, lanes: Lanes, lane: Any, chunk: Chunk, data: Bytes) -> None:
    """Take the ids of a pre-token from its lane."""
    word = lanes.words[lane]
    start, end = chunk.bounds[word], chunk.bounds[word + 1]
    ids = pack_lane(words, lanes, lane)
    chunk.ids[word] = ids
    if end - start <= LARGE:
        add_word(words, data, start, end - start, ids)
    lanes.words[lane] = IDLE


@lean_part
def ids_without_merging(
    encoder: Encoder, words: KnownWords, data: Bytes, start: Any, end: Any
) -> Any:
    """Return packed ids of what was met in this chunk, is a token, or is dropped; else NOT_KNOWN.

    TOO_LONG is what a lane has no room for.
    """
    if encoder.pattern == WHITESPACE and class_at(data, start, encoder.classes) & SPACE:
        return NO_IDS
    if end - start <= LARGE:
        ids = find_word(words, data, start, end - start)
        if ids != NOT_KNOWN:
            return ids
    if end - start <= encoder.tokens.longest:
        token = find_token(encoder.tokens, data, start, end)
        if token >= 0:
            return ONE | np.uint64(token) << COUNT_BITS
    return NOT_KNOWN if end - start + (encoder.spelling.marker >= 0) <= ROOM else TOO_LONG


@lean_part
def pack_lane(words: KnownWords, lanes: Lanes, lane: Any) -> Any:
    """Return the tokens of a lane as packed ids."""
    remaining = lanes.remaining[lane]
    n_ids = n_bits(remaining)
    ids = np.uint64(n_ids)
    shift = COUNT_BITS
    while remaining != ZERO:
        token = lanes.symbols[lane * FEW + np.uint64(lowest_bit(remaining))]
        remaining &= remaining - ONE
        if n_ids > FEW_IDS:
            add_to_ring(words, token)
        else:
            ids |= np.uint64(token) << shift
            shift += np.uint64(ID_BITS)
    return packed_from_ring(words, n_ids) if n_ids > FEW_IDS else ids
