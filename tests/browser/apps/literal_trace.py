"""Build the trace of a stage by the definition of BPE, slowly, for tests of the component.

Nothing here uses the engine: words are tuples of symbols, every round counts all pairs anew,
and the smaller pair wins a tie. So the traces are small but independent of what they test.
"""

from __future__ import annotations

import zlib
from collections import Counter
from itertools import pairwise
from typing import Any

Pair = tuple[str, str]
TIE_RULE = "smaller pair first, alphabetically"


def find_pair(symbols: tuple[str, ...], pair: Pair) -> list[int]:
    """Return where `pair` is replaced, left to right without overlap: aaa, (a, a) -> [0]."""
    places, index = [], 0
    while index < len(symbols) - 1:
        if symbols[index : index + 2] == pair:
            places.append(index)
            index += 1
        index += 1
    return places


def replace_pair(symbols: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    """Return the symbols after one merge: (a, a, a), (a, a) -> (aa, a)."""
    joined, index = [], 0
    while index < len(symbols):
        step = 2 if symbols[index : index + 2] == pair else 1
        joined.append("".join(symbols[index : index + step]))
        index += step
    return tuple(joined)


def count_pairs(
    words: dict[str, tuple[str, ...]], counts: dict[str, int]
) -> list[tuple[Pair, int]]:
    """Return every adjacent pair with its weighted count, the next to merge first."""
    totals: Counter[Pair] = Counter()
    for word, symbols in words.items():
        for pair in pairwise(symbols):
            totals[pair] += counts[word]
    return sorted(totals.items(), key=lambda item: (-item[1], item[0]))


class LiteralRun:
    """The whole training of a small corpus: the words before every merge, and every merge."""

    def __init__(self, counts: dict[str, int], num_merges: int) -> None:
        self.counts = dict(sorted(counts.items(), key=lambda item: -item[1]))
        self.words = [{word: tuple(word) for word in self.counts}]
        self.pairs = [count_pairs(self.words[0], self.counts)]
        self.merges: list[Pair] = []
        while len(self.merges) < num_merges and self.pairs[-1]:
            pair = self.pairs[-1][0][0]
            self.merges.append(pair)
            self.words.append({w: replace_pair(s, pair) for w, s in self.words[-1].items()})
            self.pairs.append(count_pairs(self.words[-1], self.counts))
        self.base = sorted({symbol for word in self.counts for symbol in word})
        self.ids = {symbol: token_id for token_id, symbol in enumerate(self.base)}
        for rank, (left, right) in enumerate(self.merges):
            self.ids.setdefault(left + right, len(self.base) + rank)

    def id_of_merge(self, rank: int) -> int:
        """Return the id of the token made by a merge."""
        return len(self.base) + rank

    def tokens_in_corpus(self, step: int) -> int:
        """Return how many tokens the corpus has before merge `step`, words weighted."""
        return sum(self.counts[word] * len(symbols) for word, symbols in self.words[step].items())


def build_trace(
    counts: dict[str, int],
    num_merges: int,
    *,
    start: int = 0,
    stop: int | None = None,
    shown: int = 60,
    sentence: list[str] | None = None,
) -> dict[str, Any]:
    """Return the trace of training on `counts`; `sentence` is a list of its pre-tokens."""
    run = LiteralRun(counts, num_merges)
    n_steps = len(run.merges)
    stop = n_steps if stop is None else min(stop, n_steps)
    labels = list(run.counts)
    return {
        "sig": f"{zlib.crc32(repr((counts, num_merges, start, stop, sentence)).encode())}",
        "faces": _faces(run),
        "n_steps": n_steps,
        "start": start,
        "stop": stop,
        "base_size": len(run.base),
        "n_bytes": sum(count * len(word.encode()) for word, count in counts.items()),
        "n_characters": sum(count * len(word) for word, count in counts.items()),
        "tokens_at_start": run.tokens_in_corpus(start),
        "n_words": len(counts),
        "tie_rule": TIE_RULE,
        "words": [_word(run, label, start) for label in labels[:shown]],
        "steps": [_step(run, rank, labels, shown) for rank in range(start, stop)],
        "bars": [
            [[run.ids[left], run.ids[right], count] for (left, right), count in pairs[:10]]
            for pairs in run.pairs[start : stop + 1]
        ],
        "sentence": None if sentence is None else _sentence(run, sentence),
    }


def _word(run: LiteralRun, label: str, step: int) -> list[Any]:
    return [label, run.counts[label], [run.ids[symbol] for symbol in run.words[step][label]]]


def _step(run: LiteralRun, rank: int, labels: list[str], shown: int) -> dict[str, Any]:
    pair, count = run.pairs[rank][0]
    before = run.words[rank]
    places = {word: find_pair(before[word], pair) for word in labels}
    holding = [word for word in labels if places[word]]
    ties = [other for other, total in run.pairs[rank] if total == count and other != pair]
    return {
        "pair": [run.ids[pair[0]], run.ids[pair[1]]],
        "token": run.id_of_merge(rank),
        "count": count,
        "replaced": run.tokens_in_corpus(rank) - run.tokens_in_corpus(rank + 1),
        "tied": len(ties) + 1,
        "ties": [[run.ids[left], run.ids[right]] for left, right in ties[:8]],
        "at": [[labels.index(word), *places[word]] for word in holding if word in labels[:shown]],
        "also": [
            [*_word(run, word, rank), places[word]] for word in holding if word in labels[shown:]
        ][:24],
        "n_words": len(holding),
        "why": _why(run, pair, before, holding),
    }


def _why(
    run: LiteralRun, pair: Pair, before: dict[str, tuple[str, ...]], holding: list[str]
) -> list[Any]:
    terms = [
        [
            word,
            sum(both == pair for both in pairwise(before[word])),
            run.counts[word],
        ]
        for word in holding
    ]
    return sorted(terms, key=lambda term: -term[1] * term[2])[:5]


def _sentence(run: LiteralRun, pre_tokens: list[str]) -> dict[str, Any]:
    known = [tuple(symbol for symbol in word if symbol in run.ids) for word in pre_tokens]
    events, current = [], list(known)
    for rank, pair in enumerate(run.merges):
        for index, symbols in enumerate(current):
            for done, place in enumerate(find_pair(symbols, pair)):
                events.append([rank, index, place - done])
            current[index] = replace_pair(symbols, pair)
    return {
        "text": " ".join(pre_tokens),
        "pre_tokens": [[run.ids[symbol] for symbol in symbols] for symbols in known],
        "gaps": ["", *[" "] * (len(pre_tokens) - 1), ""],
        "events": events,
    }


def _faces(run: LiteralRun) -> list[dict[str, Any]]:
    faces = [_face(run.ids[symbol], symbol) for symbol in run.base]
    for rank, (left, right) in enumerate(run.merges):
        face = _face(run.id_of_merge(rank), left + right)
        face |= {"rank": rank, "count": run.pairs[rank][0][1]}
        faces.append(face | {"left": run.ids[left], "right": run.ids[right]})
    return faces


def _face(token_id: int, text: str) -> dict[str, Any]:
    content = text.encode()
    return {
        "id": token_id,
        "text": text,
        "hex": content.hex(),
        "color": zlib.crc32(content) % 12,
        "kind": "text",
        "marker": None,
        "rank": None,
        "count": None,
        "left": None,
        "right": None,
    }
