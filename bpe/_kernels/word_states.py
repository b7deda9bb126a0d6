"""All words as they stand after some merges: each merged by itself, the lowest rank first.

For rules in training order that gives what replaying them one after another gives, so the state
before any merge is had without the merges before it. The plain twin is `bpe.encoder.merge_ids`.
"""

from __future__ import annotations

from typing import Any, Final

from bpe._kernels.compiling import lean_kernel, lean_part
from bpe._kernels.pair_ranks import NO_RULE, Rules, find_rule, result_of
from bpe._kernels.window_merging import Window, merge_window
from bpe._kernels.word_layout import DEAD, GAP, Words, run_at

# Symbols up to which the lowest rank is looked for anew after each merge; longer words keep a heap.
SCANNED: Final = 48


@lean_kernel
def merge_words(
    words: Words, tokens: Any, rules: Rules, room: Window, sizes: Any, word: int, stop: int
) -> None:
    """Merge the words from a number on to before `stop`, each a run of its own.

    `room` holds the longest of them. Notes in `sizes` how many tokens each has.
    """
    place = words.run_ends[word - 1] if word > 0 else 1
    while word < stop:
        n_symbols = 0
        at = place
        while words.ids[at] != GAP:
            room.symbols[n_symbols] = words.ids[at]
            n_symbols += 1
            at += tokens[words.ids[at]].length
        if n_symbols <= SCANNED:
            sizes[word] = _merge_by_scan(rules, room, n_symbols)
        else:
            sizes[word] = merge_window(rules, room, n_symbols)
        if sizes[word] < n_symbols:
            _write_tokens(words.ids, tokens, room.symbols[: sizes[word]], place)
        place = words.run_ends[word]
        word += 1


@lean_part
def _merge_by_scan(rules: Rules, room: Window, n_symbols: int) -> int:
    """Merge the first symbols of the room; returns how many tokens are left at its start."""
    symbols, ranks = room.symbols, room.heap
    for i in range(n_symbols - 1):
        ranks[i] = find_rule(rules, symbols[i], symbols[i + 1])
    while n_symbols > 1:
        best = 0
        for i in range(1, n_symbols - 1):
            if ranks[i] < ranks[best]:
                best = i
        if ranks[best] == NO_RULE:
            break
        symbols[best] = result_of(rules, ranks[best])
        n_symbols -= 1
        for i in range(best + 1, n_symbols):
            symbols[i] = symbols[i + 1]
            ranks[i - 1] = ranks[i]
        if best + 1 < n_symbols:
            ranks[best] = find_rule(rules, symbols[best], symbols[best + 1])
        if best > 0:
            ranks[best - 1] = find_rule(rules, symbols[best - 1], symbols[best])
    return n_symbols


@lean_part
def _write_tokens(ids: Any, tokens: Any, symbols: Any, place: int) -> None:
    """Write tokens one after another from a place on: the id of each at both its ends."""
    for token in symbols:
        last = place + tokens[token].length - 1
        for inner in range(place + 1, last):
            ids[inner] = DEAD
        ids[place] = token
        ids[last] = token
        place = last + 1


@lean_kernel
def collect_ids(words: Words, tokens: Any, out: Any) -> int:
    """Write the ids of all tokens of all words, one word after another; returns how many."""
    n_ids, place = 0, 1
    while place < len(words.ids):
        token = words.ids[place]
        if token != GAP:
            out[n_ids] = token - 1
            n_ids += 1
        place += tokens[token].length
    return n_ids


@lean_kernel
def end_of_tokens(ids: Any, tokens: Any, place: int, n_tokens: int) -> int:
    """Return the place after so many tokens from a place on, or that of the gap before it."""
    while n_tokens > 0 and ids[place] != GAP:
        place += tokens[ids[place]].length
        n_tokens -= 1
    return place


@lean_kernel
def count_doubled(ids: Any, tokens: Any, place: int, single: int, doubled: int) -> int:
    """Return how often a token stood beside itself in a word before it was merged with itself.

    The word starts at a place. What was a run of n tokens, and counts n - 1 times, is now n // 2
    doubled ones and the one left over.
    """
    n_counted, run = 0, 0
    while ids[place] != GAP:
        token = ids[place]
        if token in (single, doubled):
            run += 1 if token == single else 2
        else:
            n_counted += max(0, run - 1)
            run = 0
        place += tokens[token].length
    return n_counted + max(0, run - 1)


@lean_kernel
def words_of_places(words: Words, places: Any, found: Any, times: Any, sizes: Any) -> int:
    """List the words that hold ascending places and how many each holds; returns how many words.

    Each word is a run of its own. Its `sizes` falls by the number of its places.
    """
    n_found, place_after, word = 0, 0, 0
    for place in places:
        if place >= place_after:
            word = run_at(words, place, word)
            place_after = words.run_ends[word]
            found[n_found] = word
            times[n_found] = 0
            n_found += 1
        times[n_found - 1] += 1
        sizes[word] -= 1
    return n_found
