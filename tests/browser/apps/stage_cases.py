"""The corpora of the stage's test app, by name."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import Any

import bpe
from pages.ui.trace import trace_json
from tests.browser.apps.literal_trace import build_trace

LESSON = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def _invented_words(n_words: int, seed: int) -> dict[str, int]:
    """Return pronounceable words with falling counts, the same ones on every run."""
    dice = random.Random(seed)
    onsets = [
        "b",
        "br",
        "c",
        "d",
        "f",
        "g",
        "h",
        "k",
        "l",
        "m",
        "n",
        "p",
        "r",
        "s",
        "st",
        "t",
        "th",
        "v",
        "w",
    ]
    nuclei = ["a", "e", "i", "o", "u", "ea", "ou"]
    codas = ["", "n", "r", "s", "t", "ng", "st", "ed", "er"]
    words: dict[str, int] = {}
    while len(words) < n_words:
        parts = [
            dice.choice(onsets) + dice.choice(nuclei) + dice.choice(codas)
            for _ in range(dice.choice([1, 1, 2, 2, 3]))
        ]
        words.setdefault(" " + "".join(parts), 20_000 // (len(words) + 2) + 1)
    return words


@dataclass(frozen=True, slots=True)
class Case:
    """A corpus, how many merges, and how the stage shows it; window 0 means all merges."""

    counts: dict[str, int]
    num_merges: int = 1000
    sentence: tuple[str, ...] | None = None
    window: int = 0
    compact: bool = False


# 150 merges without a tie, then 150 that all tie but the last; the counts are long numbers.
TIES = {
    chr(0x4E00 + 2 * n) + chr(0x4E01 + 2 * n): 2_000_000 - n if n < 150 else 90_000
    for n in range(300)
}
ODD = {
    "<b>": 9, "<script>": 8, "constructor": 7, "__proto__": 6, "مرحبا": 5, "مرحبتين": 4,
    "👩‍👩‍👧": 4, " a": 3, "\n\n": 3, "\t\t": 2, "日本語": 2, "日本": 2,
    "שלום": 2, "$x$": 2, "[a](http://b)": 1,
}  # fmt: skip

CASES = {
    "lesson": Case(LESSON, sentence=("lowest", "newer", "widest")),
    "hugs": Case(HUGS, sentence=("hugs", "bun", "pugs")),
    "overlap": Case({"aaaa": 1, "aaa": 1, "ba": 1}),
    "one_word": Case({"banana": 1}),
    "no_merges": Case({"a": 3, "b": 1}),
    "odd": Case(ODD),
    "many": Case(_invented_words(400, 1), 300, sentence=(" the", " brother", " wondering")),
    "windows": Case(_invented_words(120, 2), 240, window=80),
    "long": Case({"abcabdabeacd" * 420: 1}, 40),
    "home": Case(HUGS, compact=True),
    "ties": Case(TIES),
    "engine": Case({}),
}


ENGINE_TEXT = (
    "She sells sea shells by the sea shore, and the shells she sells are sea shells for sure. "
    "Où est le garçon naïf? 👍🏽 مرحبا"
) * 3


@functools.cache
def engine_run() -> bpe.TrainingRun:
    """Train the engine on a text with several scripts, byte base."""
    return bpe.train(ENGINE_TEXT, base="byte", num_merges=90)


@functools.cache
def trace_of(name: str, asked: int = 0) -> dict[str, Any] | bytes:
    """Return the window of a case's trace that holds position `asked`."""
    if name == "engine":
        return trace_json(engine_run())
    case = CASES[name]
    start = asked // case.window * case.window if case.window else 0
    stop = start + case.window if case.window else None
    sentence = list(case.sentence) if case.sentence else None
    return build_trace(case.counts, case.num_merges, start=start, stop=stop, sentence=sentence)
