"""Laying out all words of a corpus in one array of places, for the merge loop.

Every byte of a word is one place; one gap stands before the first word and after every word. A
token is its id at its first and its last place, so both its neighbours are found in one step.
Neighbouring words with the same count form a run, and the run of a place is found through a
directory that names the run at every 64th place: no place holds a weight of its own.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.compiling import lean_kernel, lean_part

GAP: Final = 0  # the id between words; ids of tokens are one higher here than outside
DEAD: Final = -1  # a place inside a token that is neither its first nor its last
BLOCK_BITS: Final = 6  # the directory of runs has an entry for every 64 places


class Words(NamedTuple):
    """The words of a corpus: arrays by place, by run and by block of places."""

    ids: Any  # int32 by place
    text: Any  # uint8 by place: the bytes of the words; empty where ties do not look at them
    run_ends: Any  # int32: the place after a run
    run_weights: Any  # int64: the count of each word of a run
    block_runs: Any  # int32: the run of the first place of a block


@lean_kernel
def lay_out(
    words: Words, data: Any, offsets: Any, counts: Any, order: Any, symbols: Any, marker: Any
) -> int:
    """Write the words in the given order; return how many runs they form.

    `symbols` gives the id of a byte or, if it is longer than 256, of a code point. A `marker` that
    is not empty follows each word: one token, whose id is the last of `symbols`.
    """
    place, run = 1, -1
    words.ids[0] = GAP
    for word in order:
        if run < 0 or counts[word] != words.run_weights[run]:
            run += 1
            words.run_weights[run] = counts[word]
        spelling = data[offsets[word] : offsets[word + 1]]
        if len(symbols) > 257:
            _write_characters(words.ids, place, spelling, symbols)
        else:
            _write_bytes(words.ids, place, spelling, symbols)
        _write_text(words.text, place, spelling)
        place += len(spelling)
        if len(marker):
            _write_token(words.ids, place, len(marker), symbols[len(symbols) - 1])
            _write_text(words.text, place, marker)
            place += len(marker)
        words.ids[place] = GAP
        place += 1
        words.run_ends[run] = place
    _fill_directory(words.run_ends, words.block_runs)
    return run + 1


@lean_part
def _write_bytes(ids: Any, place: int, word: Any, symbols: Any) -> None:
    """Write one token for each byte."""
    for position in range(len(word)):
        ids[place + position] = symbols[word[position]]


@lean_part
def _write_characters(ids: Any, place: int, word: Any, symbols: Any) -> None:
    """Write one token for each character of valid UTF-8."""
    position = 0
    while position < len(word):
        lead = np.int64(word[position])
        length = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        code = lead if length == 1 else lead & (0x7F >> length)
        for inner in range(position + 1, position + length):
            code = code << 6 | (np.int64(word[inner]) & 0x3F)
        _write_token(ids, place + position, length, symbols[code])
        position += length


@lean_part
def _write_token(ids: Any, place: int, length: int, token: int) -> None:
    """Write a token of several places: its id at both ends."""
    for inner in range(place + 1, place + length - 1):
        ids[inner] = DEAD
    ids[place] = token
    ids[place + length - 1] = token


@lean_part
def _write_text(text: Any, place: int, word: Any) -> None:
    """Write the bytes of a word, where the text is kept at all."""
    if len(text):
        for position in range(len(word)):
            text[place + position] = word[position]


@lean_part
def _fill_directory(run_ends: Any, block_runs: Any) -> None:
    """Name the run of the first place of every block."""
    run = 0
    for block in range(len(block_runs)):
        while run_ends[run] <= block << BLOCK_BITS:
            run += 1
        block_runs[block] = run


@lean_part
def run_at(words: Words, place: int, run: int) -> int:
    """Return the run of a place; `run` is that of an earlier place, or 0."""
    if place >= words.run_ends[run]:
        run = words.block_runs[place >> BLOCK_BITS]
        while place >= words.run_ends[run]:
            run += 1
    return run


@lean_kernel
def any_pair_left(words: Words, tokens: Any) -> bool:
    """Tell whether any word still has more than one token."""
    for place in range(1, len(words.ids)):
        first = words.ids[place]
        starts_word = words.ids[place - 1] == GAP and first != GAP
        if starts_word and words.ids[place + tokens[first].length] != GAP:
            return True
    return False
