"""The lesson: byte-pair encoding in the few lines a student can read, and the oracle of the tests.

Nothing here is fast and nothing here is clever: every round counts every pair of every word
again. All other code of the engine must give what this module gives.

Sources: Sennrich, Haddow and Birch 2016 (arXiv 1508.07909) for the algorithm; the projects named
at each tie rule for how they break ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from bpe.errors import ConfigError, UnknownIdError

Symbol: TypeAlias = str | bytes
Word: TypeAlias = "str | bytes | tuple[Symbol, ...]"
Pair: TypeAlias = tuple[Symbol, Symbol]


def merge_pair(symbols: Sequence[Symbol], pair: Pair) -> Sequence[Symbol]:
    """Replace a pair by its joined symbol, from left to right and without overlap.

    Gives a list for a list, else a tuple.

    >>> merge_pair(("a", "a", "a", "b"), ("a", "a"))
    ('aa', 'a', 'b')
    """
    merged: list[Symbol] = []
    position = 0
    while position < len(symbols):
        if tuple(symbols[position : position + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])  # type: ignore[operator]
            position += 2
        else:
            merged.append(symbols[position])
            position += 1
    return merged if isinstance(symbols, list) else tuple(merged)


def split_symbols(word: Word, base: str = "char") -> tuple[Symbol, ...]:
    """Cut a word into base symbols; a tuple is taken as cut already.

    >>> split_symbols("hé", "byte")
    (b'h', b'\\xc3', b'\\xa9')
    """
    if isinstance(word, tuple):
        return word
    if base == "byte" or isinstance(word, bytes):
        data = word if isinstance(word, bytes) else word.encode("utf-8")
        return tuple(data[i : i + 1] for i in range(len(data)))
    return tuple(word)


def count_pairs(words: Iterable[tuple[Sequence[Symbol], int]]) -> dict[Pair, int]:
    """Count adjacent pairs, each weighted by its word's count; overlapping pairs all count.

    >>> count_pairs([(("a", "a", "a"), 2), (("a", "b"), 1)])
    {('a', 'a'): 4, ('a', 'b'): 1}
    """
    counts: dict[Pair, int] = {}
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def train_bpe(
    word_counts: Mapping[Word, int],
    num_merges: int,
    *,
    base: str = "char",
    tie_break: str = "lexicographic",
    weighted: bool = True,
) -> list[Pair]:
    """Learn merge rules: count all pairs, merge the most frequent one everywhere, repeat.

    Stops early when no pair is left. `weighted=False` counts each word once, which is a common
    mistake, kept here to show what it changes. Raises ConfigError for an unknown tie rule.

    >>> low = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    >>> train_bpe(low, 5)
    [('e', 's'), ('es', 't'), ('l', 'o'), ('lo', 'w'), ('e', 'w')]
    >>> train_bpe(low, 5, weighted=False)[4]
    ('d', 'est')
    """
    words = [
        (split_symbols(word, base), count if weighted else 1) for word, count in word_counts.items()
    ]
    order = symbol_order({symbol for symbols, _ in words for symbol in symbols}, tie_break)
    merges: list[Pair] = []
    while len(merges) < num_merges:
        counts = count_pairs(words)
        if not counts:
            break
        best = choose(counts, tie_break, order)
        order.setdefault(best[0] + best[1], len(order))  # type: ignore[operator]
        merges.append(best)
        words = [(tuple(merge_pair(symbols, best)), count) for symbols, count in words]
    return merges


def choose(counts: Mapping[Pair, int], tie_break: str, order: Mapping[Symbol, int]) -> Pair:
    """Take the most frequent pair; where several share the highest count, the tie rule decides.

    `counts` must list pairs in the order of their first occurrence (for `first_seen`), `order`
    holds the number of each symbol (for the rules by id).

    >>> choose({("b", "c"): 2, ("a", "b"): 2}, "lexicographic", {})
    ('a', 'b')
    >>> choose({("b", "c"): 2, ("a", "b"): 2}, "first_seen", {})
    ('b', 'c')
    """
    highest = max(counts.values())
    tied = [pair for pair, count in counts.items() if count == highest]
    by_id: Callable[[Pair], tuple[int, int]] = lambda pair: (order[pair[0]], order[pair[1]])  # noqa: E731
    if tie_break == "lexicographic":
        return min(tied)
    if tie_break == "lexicographic_max":  # subword-nmt
        return max(tied)
    if tie_break == "first_seen":  # minbpe, tiktoken's educational trainer
        return tied[0]
    if tie_break in ("lowest_ids", "gpt2_byte_ids"):  # Hugging Face tokenizers, rustbpe, bpeasy
        return min(tied, key=by_id)
    raise ConfigError(f"unknown tie rule {tie_break!r}")


def symbol_order(symbols: Iterable[Symbol], tie_break: str = "lowest_ids") -> dict[Symbol, int]:
    """Number base symbols: sorted, markers of several characters last.

    Under `gpt2_byte_ids` bytes come in the order of the printable characters that GPT-2 writes
    for them: `!` (33) is first and the space comes after all printable ones.

    >>> symbol_order({"b", "</w>", "a"})
    {'a': 0, 'b': 1, '</w>': 2}
    """

    def place(symbol: Symbol) -> tuple[bool, bool, Symbol]:
        shifted = tie_break == "gpt2_byte_ids" and not _gpt2_prints(ord(symbol[:1]))
        return (len(symbol) > 1, shifted, symbol)

    return {symbol: number for number, symbol in enumerate(sorted(symbols, key=place))}


def _gpt2_prints(byte: int) -> bool:
    """Tell whether GPT-2 writes this byte as the Latin-1 character of the same number."""
    return 33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255


def encode(word: Word, merges: Sequence[Pair]) -> list[Symbol]:
    """Encode one word by replaying every merge rule in training order.

    >>> encode("lowest", [("e", "s"), ("es", "t"), ("l", "o"), ("lo", "w")])
    ['low', 'est']
    """
    base = "byte" if merges and isinstance(merges[0][0], bytes) else "char"
    symbols: Sequence[Symbol] = list(split_symbols(word, base))
    for pair in merges:
        symbols = merge_pair(symbols, pair)
    return list(symbols)


def build_vocab(base: str | Iterable[Symbol], merges: Sequence[Pair]) -> dict[int, Symbol]:
    """Number the base symbols and then one token a merge rule.

    `base` is a collection of symbols, or "byte" for all 256 bytes, or "char" for the characters
    that the merge rules are made of.

    >>> build_vocab(["a", "b"], [("a", "b")])
    {0: 'a', 1: 'b', 2: 'ab'}
    """
    symbols: Iterable[Symbol]
    if base == "byte":
        symbols = [bytes([value]) for value in range(256)]
    elif base == "char":
        made = {left + right for left, right in merges}  # type: ignore[operator]
        symbols = {part for pair in merges for part in pair} - made
    else:
        symbols = base
    order = symbol_order(set(symbols))
    tokens = [*order, *(left + right for left, right in merges)]  # type: ignore[operator]
    return dict(enumerate(tokens))


def decode(ids: Iterable[int], vocab: Mapping[int, Symbol]) -> str:
    """Join the tokens of ids; bytes are joined first and then read as UTF-8.

    Raises UnknownIdError for an id the vocabulary does not hold.

    >>> decode([1, 0], {0: b"\\xa9", 1: b"\\xc3"})
    'é'
    """
    ids = list(ids)
    for token_id in ids:
        if token_id not in vocab:
            raise UnknownIdError(token_id, len(vocab))
    tokens = [vocab[token_id] for token_id in ids]
    if any(isinstance(token, bytes) for token in tokens):
        data = b"".join(t if isinstance(t, bytes) else t.encode("utf-8") for t in tokens)
        return data.decode("utf-8", errors="replace")
    return "".join(token for token in tokens if isinstance(token, str))
