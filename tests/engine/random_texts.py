"""Random texts, the same on every run: words, numbers, white space and characters of all kinds."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.engine.strategies import AWKWARD, SURROGATES

WORDS = [
    *(
        "the",
        "quick",
        "foxes'",
        "don't",
        "WE'LL",
        "Isn'T",
        "naïve",
        "’tis",
        "McDonald",
        "HTTPServer",
    ),
    *("snake_case", "x86", "antidisestablishmentarianism", "12345678", "3.14159", "0x1F"),
    *("https://example.org/a?b=c&d#e", "größte", "Übermut", "être", "señor", "здравствуйте"),
    *("γλώσσα", "שלום", "مرحبا", "नमस्ते", "สวัสดี", "你好世界", "こんにちは", "안녕하세요"),
]
GAPS = ("", "", " ", " ", " ", "  ", "     ", "\n", "\n\n", "\r\n", "\t", " \n ", "\u3000", "\xa0")


def random_texts(n_texts: int, seed: int) -> Iterator[str]:
    """Yield texts of up to eight parts; most hold several scripts, some broken surrogates."""
    choose = random.Random(seed)
    for _ in range(n_texts):
        yield "".join(_part(choose) for _ in range(choose.randint(0, 8)))


def _part(choose: random.Random) -> str:
    kind = choose.random()
    if kind < 0.55:
        word = choose.choice(WORDS)
        cut = word[: choose.randint(1, len(word))] if choose.random() < 0.3 else word
        return cut + choose.choice(GAPS)
    if kind < 0.7:
        return "".join(choose.choices(AWKWARD, k=choose.randint(1, 6)))
    if kind < 0.8:
        return choose.choice("ae0_ =-\n'") * choose.randint(1, 40)
    if kind < 0.9:
        return "".join(choose.choices("abcdefghijklmnopqrstuvwxyzABC", k=choose.randint(1, 90)))
    if kind < 0.98:
        return chr(choose.choice([choose.randrange(0xD800), choose.randrange(0xE000, 0x110000)]))
    return "".join(choose.choices(SURROGATES, k=2))
