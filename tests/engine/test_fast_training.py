"""The compiled merge loop gives what the plain one gives: every merge, count and number of ties."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

import bpe
from bpe import fast_training, reference
from bpe._kernels import merge_arrays
from bpe._pair_index import PairIndex
from bpe.base_symbols import SymbolTable, base_vocabulary
from bpe.config import TrainerConfig
from bpe.fast_training import FastMerges, train_words
from bpe.samples import SAMPLES
from bpe.tie_rules import TokenKey, tie_key
from bpe.word_counts import count_words
from bpe.word_table import WordTable
from tests.engine.strategies import awkward_word_counts, tie_rules, word_counts

RULES = ["lexicographic", "lexicographic_max", "first_seen", "lowest_ids", "gpt2_byte_ids"]
RULES_AND_BASES = [(rule, "byte") for rule in RULES] + [(rule, "char") for rule in RULES[:-1]]


Steps = list[tuple[int, int, int, int]]


def fast(counts: Mapping[str, int], config: TrainerConfig, **more: Any) -> tuple[Steps, str]:
    merges: FastMerges = train_words(
        WordTable.from_mapping(counts),
        base_vocabulary(config, counts),
        tie_break=config.tie_break,
        num_merges=config.num_merges or 0,
        min_frequency=config.min_frequency,
        **more,
    )
    columns = (merges.left, merges.right, merges.count, merges.tied)
    return list(zip(*(column.tolist() for column in columns), strict=True)), merges.stop


def plain(counts: Mapping[str, int], config: TrainerConfig) -> tuple[Steps, str]:
    """Merge with the plain index of pairs; as `bpe.trainer` does, without the rest of it."""
    vocabulary = base_vocabulary(config, counts)
    keys: list[TokenKey] = [
        (content or "", token_id in vocabulary.ends_word)
        for token_id, content in enumerate(vocabulary.contents)
    ]
    symbols = SymbolTable(vocabulary, config.base, None)
    index = PairIndex(
        (symbols.known_ids(word) for word in counts),
        counts.values(),
        tie_key(config.tie_break, keys),
    )
    steps: Steps = []
    while len(steps) < (config.num_merges or 0):
        best = index.best()
        if best is None or best[1] < max(1, config.min_frequency):
            return steps, "no_pairs_left" if best is None else "min_frequency"
        (left, right), count = best
        steps.append((left, right, count, index.n_tied(count)))
        keys.append((keys[left][0] + keys[right][0], keys[right][1]))  # type: ignore[operator]
        index.merge((left, right), len(keys) - 1)
    return steps, "target"


def assert_equal(counts: Mapping[str, int], **settings: Any) -> None:
    config = TrainerConfig(**settings)
    assert fast(counts, config) == plain(counts, config), (counts, config)


def random_counts(draw: random.Random) -> dict[str, int]:
    """Words of few symbols, so that pairs repeat, overlap and tie; counts small or very large."""
    alphabet = draw.choice(["a", "ab", "abc", "abcdefgh", "a b\0", "aé日😀", "\x7f\x80ÿĀ￿𐀀"])
    n_words = draw.choice([1, 2, 5, 30])
    largest = draw.choice([1, 3, 50, 2**36])
    return {
        "".join(draw.choices(alphabet, k=draw.choice([1, 3, 8, 20]))): draw.randint(1, largest)
        for _ in range(n_words)
    }


def random_settings(draw: random.Random) -> dict[str, Any]:
    return {
        "num_merges": draw.choice([0, 1, 4, 30, 10_000]),
        "min_frequency": draw.choice([0, 1, 2, 5, 2**33]),
        "end_of_word": draw.choice([None, None, "</w>", "a", "é", "\0"]),
        "special_tokens": draw.choice([(), ("<|end|>", "y")]),
    }


def assert_equal_on_random_corpora(rule: str, base: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        draw = random.Random(seed)
        assert_equal(random_counts(draw), base=base, tie_break=rule, **random_settings(draw))


@pytest.mark.parametrize(("rule", "base"), RULES_AND_BASES)
def test_random_corpora_merge_as_in_the_plain_index(rule: str, base: str) -> None:
    assert_equal_on_random_corpora(rule, base, range(300))


@pytest.mark.parametrize("n_places", [1, 2, 7, 64])
def test_pairs_are_listed_alike_in_parts_of_any_size(
    monkeypatch: pytest.MonkeyPatch, n_places: int
) -> None:
    monkeypatch.setattr(merge_arrays, "PART", n_places)
    for rule, base in RULES_AND_BASES:
        assert_equal_on_random_corpora(rule, base, range(30))


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "base"), RULES_AND_BASES)
def test_thousands_of_random_corpora_merge_as_in_the_plain_index(rule: str, base: str) -> None:
    assert_equal_on_random_corpora(rule, base, range(300, 3000))


@given(st.one_of(word_counts, awkward_word_counts), tie_rules)
@hypothesis_settings(max_examples=200)
def test_merges_are_those_of_the_reference(counts: dict[str, int], rule: str) -> None:
    base = "byte" if rule == "gpt2_byte_ids" else "char"
    config = TrainerConfig(base=base, num_merges=50, tie_break=rule)  # type: ignore[arg-type]
    contents = list(base_vocabulary(config, counts).contents)
    merges = []
    for left, right, _, _ in fast(counts, config)[0]:
        merges.append((contents[left], contents[right]))
        contents.append(contents[left] + contents[right])  # type: ignore[operator]
    assert merges == reference.train_bpe(counts, 50, base=base, tie_break=rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 1000, 4097])
def test_runs_of_one_symbol_merge_as_in_the_plain_index(rule: str, length: int) -> None:
    """aaaa holds a+a three times, two of them replaced; the new tokens stand side by side."""
    assert_equal({"a" * length: 3, "b" + "a" * length: 2}, num_merges=99, tie_break=rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("word", ["abab", "ababa", "aabaab", "abcabcab", "aabbaabb", "abaababaab"])
def test_repeats_that_touch_merge_as_in_the_plain_index(rule: str, word: str) -> None:
    """The new token is its own neighbour: abab becomes ab ab, and b+a is gone."""
    assert_equal({word * 40: 1, word: 7}, num_merges=99, tie_break=rule)


@pytest.mark.parametrize("rule", RULES)
def test_counts_above_32_bits_are_kept(rule: str) -> None:
    """By hand: l+o and o+w are in both words, so 2^40 + 2^33 and two pairs tie; e+r has 2^33."""
    counts = {"low": 2**40, "lower": 2**33}
    steps, stop = fast(counts, TrainerConfig(num_merges=9, tie_break=rule))  # type: ignore[arg-type]
    assert (steps, stop) == plain(counts, TrainerConfig(num_merges=9, tie_break=rule))  # type: ignore[arg-type]
    assert [step[2:] for step in steps[:3]] == [(2**40 + 2**33, 2), (2**40 + 2**33, 1), (2**33, 2)]


def test_counts_that_64_bits_cannot_hold_are_refused() -> None:
    """A single count may be large, and still the pairs of all words be too many."""
    with pytest.raises(bpe.ConfigError, match="64 bits"):
        fast({"low": 2**61, "lower": 2**61}, TrainerConfig(num_merges=1))


@pytest.mark.parametrize("n_symbols", [61, 62, 63, 125, 126, 127, 128])
@pytest.mark.parametrize("rule", ["lexicographic", "first_seen"])
def test_words_that_end_with_a_block_of_places_merge_as_in_the_plain_index(
    rule: str, n_symbols: int
) -> None:
    """A gap before and after each word: 62 symbols in one word take 64 places, a whole block."""
    word = ("abcde" * 30)[:n_symbols]
    assert_equal({word: 3}, num_merges=99, tie_break=rule)
    assert_equal({word[:20]: 3, word[21:]: 2}, num_merges=99, tie_break=rule)


def test_threshold_too_high_for_the_corpus_is_lowered() -> None:
    """By hand: 3,005 places times counts, 2 merges: listed at first is what occurs 15 times."""
    counts = {"ab": 1000, "cd": 1, "cde": 1}
    steps, _ = fast(counts, TrainerConfig(num_merges=2))
    assert [step[2:] for step in steps] == [(1000, 1), (2, 1)]


def test_warming_up_leaves_nothing_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    fast_training.warm_up()
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiles again"))
    for seed in range(100):
        draw = random.Random(seed)
        for rule, base in RULES_AND_BASES:
            counts = random_counts(draw)
            fast(counts, TrainerConfig(base=base, tie_break=rule, **random_settings(draw)))  # type: ignore[arg-type]


def test_memory_needed_grows_with_the_different_words() -> None:
    vocabulary = base_vocabulary(TrainerConfig(num_merges=0), ())
    short, long = ({"a" * n: 1, "b": 1000} for n in (1_000, 1_000_000))
    needed = [
        fast_training.bytes_needed(WordTable.from_mapping(counts), vocabulary)
        for counts in (short, long)
    ]
    assert 13 * 999_000 <= needed[1] - needed[0] <= 20 * 999_000


@pytest.mark.parametrize("base", ["byte", "char"])
@pytest.mark.parametrize("counts", [{}, {"a": 5}, {"a": 1, "b": 2}])
def test_words_without_a_pair_give_no_merge(counts: dict[str, int], base: str) -> None:
    config = TrainerConfig(base=base, num_merges=5)  # type: ignore[arg-type]
    assert fast(counts, config) == ([], "no_pairs_left")


def test_no_merges_asked_for_is_a_target_reached() -> None:
    assert fast({"low": 5}, TrainerConfig(num_merges=0)) == ([], "target")


def test_min_frequency_stops_only_where_pairs_are_left() -> None:
    """aab: a+a and a+b, twice each; at 3 they are too rare, at 2 both words become one token."""
    counts = {"aab": 2}
    assert fast(counts, TrainerConfig(num_merges=9, min_frequency=3)) == ([], "min_frequency")
    steps, stop = fast(counts, TrainerConfig(num_merges=9, min_frequency=2))
    assert (len(steps), stop) == (2, "no_pairs_left")


@pytest.mark.parametrize("rule", RULES)
def test_one_word_of_100_000_symbols_merges_as_in_the_plain_index(rule: str) -> None:
    draw = random.Random(5)
    assert_equal({"".join(draw.choices("abcdef", k=100_000)): 1}, num_merges=300, tie_break=rule)


@pytest.mark.parametrize("rule", ["lexicographic", "lexicographic_max"])
def test_one_word_of_random_letters_merges_to_one_token(rule: str) -> None:
    """At the end all counts are 1, and one token takes up its neighbours: the long tokens it was
    on the way begin alike. The contents of the plain index alone would take gigabytes here.
    """
    word = "".join(random.Random(7).choices("abcdefghijklmnopqrstuvwxyz", k=200_000))
    steps, stop = fast({word: 1}, TrainerConfig(num_merges=10**9, tie_break=rule))  # type: ignore[arg-type]
    lengths = [1] * 256
    for left, right, _, _ in steps:
        lengths.append(lengths[left] + lengths[right])
    assert (lengths[-1], steps[-1][2:], stop) == (200_000, (1, 1), "no_pairs_left")
    short = word[:3000]
    assert_equal({short: 1}, num_merges=10**9, tie_break=rule)


def test_one_word_of_100_000_equal_symbols_halves_with_every_merge() -> None:
    """100,000 a: 99,999 pairs at first; after 16 merges one token of 65,536 a and a rest."""
    steps, stop = fast({"a" * 100_000: 1}, TrainerConfig(num_merges=99))
    assert [step[2] for step in steps[:4]] == [99_999, 49_999, 24_999, 12_499]
    assert stop == "no_pairs_left"
    assert (steps, stop) == plain({"a" * 100_000: 1}, TrainerConfig(num_merges=99))


@pytest.mark.parametrize("rule", ["lexicographic", "first_seen"])
def test_a_text_merges_to_its_end_as_in_the_plain_index(rule: str) -> None:
    """To the last pair: the threshold is lowered step by step, and the lists are made anew."""
    config = TrainerConfig(num_merges=10**9, tie_break=rule)  # type: ignore[arg-type]
    text = SAMPLES["shakespeare_100kb"].load()
    assert isinstance(text, str)
    counts = count_words(text, config, bpe.progress.Ticker(None))
    assert_equal(counts, num_merges=10**9, tie_break=rule)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "base"), RULES_AND_BASES)
def test_shakespeare_merges_as_in_the_plain_index(rule: str, base: str) -> None:
    text = SAMPLES["shakespeare"].load()
    assert isinstance(text, str)
    counts = count_words(text, TrainerConfig(num_merges=0), bpe.progress.Ticker(None))
    assert_equal(counts, num_merges=4096 - 256, tie_break=rule, base=base)


def test_progress_rises_to_the_number_of_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_training, "BUDGET", 1)
    seen: list[tuple[int, int]] = []
    fast({"low": 5, "lower": 2}, TrainerConfig(num_merges=3), tick=lambda *at: seen.append(at))
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len(seen) > 3


def test_what_tick_raises_ends_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_training, "BUDGET", 1)
    seen: list[int] = []

    def stop_at_two(done: int, total: int) -> None:
        seen.append(done)
        if done == 2:
            raise bpe.TrainingCancelled("enough")

    with pytest.raises(bpe.TrainingCancelled, match="enough"):
        fast({"low": 5, "lower": 2}, TrainerConfig(num_merges=4), tick=stop_at_two)
    assert seen[-1] == 2
