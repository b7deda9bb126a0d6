"""Settings: each that cannot be is refused by name, and what trains other than asked is told."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import bpe
from tests.engine.trained import LOWEST

ENOUGH = {"num_merges": 3}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "give exactly one of vocab_size and num_merges, not neither"),
        ({"vocab_size": 300, "num_merges": 3}, "give exactly one of .*, not both"),
        ({"num_merges": -1}, "num_merges must be a whole number from 0 up, not -1"),
        ({"num_merges": 2.0}, "num_merges must be a whole number from 0 up, not 2.0"),
        ({"num_merges": True}, "num_merges must be a whole number from 0 up, not True"),
        ({"num_merges": "9"}, "num_merges must be a whole number from 0 up, not '9'"),
        ({"vocab_size": -5}, "vocab_size must be a whole number from 0 up, not -5"),
        ({**ENOUGH, "min_frequency": -1}, "min_frequency must be a whole number from 0 up"),
        ({**ENOUGH, "min_frequency": 1.5}, "min_frequency must be a whole number .* not 1.5"),
        ({**ENOUGH, "base": "bytes"}, "base must be one of char, byte, not 'bytes'"),
        ({**ENOUGH, "base": None}, "base must be one of char, byte, not None"),
        ({**ENOUGH, "tie_break": "random"}, "tie_break must be one of lexicographic, .*'random'"),
        (
            {**ENOUGH, "base": "char", "tie_break": "gpt2_byte_ids"},
            'tie_break "gpt2_byte_ids" orders bytes: it goes with base="byte"',
        ),
        ({**ENOUGH, "pattern": "(a"}, r"'\(a' does not compile: missing \) at position 2"),
        ({**ENOUGH, "pattern": 5}, "pattern is 5: give none, whitespace, gpt2, cl100k, o200k, or"),
        ({**ENOUGH, "pattern": "a\ud800"}, "half of a surrogate pair at position 1"),
        ({**ENOUGH, "normalizer": "upper"}, "there is no normalizer 'upper': use none, lowercase"),
        ({**ENOUGH, "normalizer": ("nfc", "x")}, "there is no normalizer 'x'"),
        ({**ENOUGH, "normalizer": 5}, "normalizer is 5: give a name or a tuple of names"),
        ({**ENOUGH, "end_of_word": ""}, "end_of_word must hold non-empty strings, not ''"),
        ({**ENOUGH, "end_of_word": 5}, "end_of_word must hold non-empty strings, not 5"),
        ({**ENOUGH, "unknown_token": "?"}, "unknown_token goes with the char base only"),
        ({**ENOUGH, "base": "char", "unknown_token": ""}, "unknown_token must hold non-empty"),
        ({**ENOUGH, "special_tokens": "<s>"}, "special_tokens must be a sequence .* not '<s>'"),
        ({**ENOUGH, "base": ["byte"]}, "base must be one of char, byte, not"),
        ({**ENOUGH, "pattern": ["gpt2"]}, "pattern is .'gpt2'.: give none, whitespace"),
        ({**ENOUGH, "progress": 5}, "progress must be a function .* not 5"),
        ({**ENOUGH, "special_tokens": 5}, "special_tokens must be a sequence of strings, not 5"),
        ({**ENOUGH, "special_tokens": ["a", ""]}, "special_tokens must hold non-empty strings"),
        (
            {**ENOUGH, "special_tokens": [b"a"]},
            "special_tokens must hold non-empty strings, not b'a'",
        ),
        ({**ENOUGH, "special_tokens": ["a", "b", "a"]}, "the special token 'a' is listed twice"),
        (
            {**ENOUGH, "special_tokens": ["</w>"], "end_of_word": "</w>"},
            "'</w>' cannot be both marker and special token",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(bpe.ConfigError, match=message):
        bpe.train("low low", **settings)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (b"low", r"not bytes: decode it first \(bpe.decode_text\)"),
        (None, "the corpus must be text, several texts, or a mapping of word to count, not None"),
        (5, "the corpus must be text, .* not int"),
        (["low", 5], "document 1 of the corpus must be a string, not 5"),
        (["low", b"x"], "document 1 of the corpus must be a string, not b'x'"),
        ({5: 1}, "a word of the corpus must be a string, not 5"),
        ({"low": 1.5}, "the count of the word 'low' must be a whole number from 0 up, not 1.5"),
        ({"low": "2"}, "the count of the word 'low' must be .* not '2'"),
        ({"low": True}, "the count of the word 'low' must be .* not True"),
        ({"low": -1}, "the count of the word 'low' must be .* not -1"),
    ],
)
def test_a_corpus_that_is_none_is_refused(corpus: Any, message: str) -> None:
    with pytest.raises(bpe.ConfigError, match=message):
        bpe.train(corpus, num_merges=1)


def test_whole_numbers_of_numpy_are_numbers() -> None:
    plain = bpe.train({"low": 5, "lower": 2}, vocab_size=258, min_frequency=1)
    other = bpe.train(
        {"low": np.int64(5), "lower": np.uint8(2)},  # type: ignore[dict-item]
        vocab_size=np.int64(258),  # type: ignore[arg-type]
        min_frequency=np.int32(1),  # type: ignore[arg-type]
    )
    assert (other.fingerprint, list(other.steps)) == (plain.fingerprint, list(plain.steps))
    assert other.pair_counts(np.int64(1), top=np.int64(2)) == plain.pair_counts(1, top=2)  # type: ignore[arg-type]


def test_a_set_of_special_tokens_has_ids_by_spelling() -> None:
    """A set goes through its strings in another order in each process; ids must not."""
    tokens = {f"<{letter}>" for letter in "qwertyuiop"}
    tokenizer = bpe.train("low", num_merges=0, special_tokens=tokens).tokenizer
    assert list(tokenizer.special_tokens) == sorted(tokens)


def test_words_counted_zero_times_and_the_empty_word_are_left_out() -> None:
    """Of two words that become one when made well formed, the counts add up."""
    broken, sound = "x\ud800", "x\ufffd"
    run = bpe.train({"ab": 0, "": 3, "cd": 1, broken: 2, sound: 3}, num_merges=0)
    assert run.word_counts == {"cd": 1, sound: 5}


@pytest.mark.parametrize("corpus", ["", " \n\t ", [], ["", "  "], {}, {"  ": 1}])
def test_an_empty_or_blank_corpus_trains_nothing_and_says_so(corpus: Any) -> None:
    run = bpe.train(corpus, vocab_size=300, pattern="whitespace", base="byte")
    if not isinstance(corpus, dict):
        assert run.steps == ()
        assert run.stop_reason == "no_pairs_left"
    assert len(run.warnings) == 1
    assert "blank" in run.warnings[0]


def test_blank_text_under_a_pattern_that_keeps_it_warns_of_what_it_learned() -> None:
    run = bpe.train("    ", num_merges=2)
    assert [step.merged for step in run.steps] == [b"  ", b"    "]
    assert run.warnings == ("the text is blank: all that was learned are runs of white space",)


def test_a_vocabulary_below_the_base_merges_nothing_and_names_the_base() -> None:
    run = bpe.train("hello hello", vocab_size=100)
    assert run.steps == ()
    assert run.tokenizer.n_tokens == 256
    assert run.warnings == (
        "a vocabulary of 100 is smaller than the 256 base symbols it starts from, "
        "so nothing was merged: ask for more than 256",
    )


def test_special_tokens_count_towards_the_size_that_is_asked_for() -> None:
    special_tokens = ["<s>", "<pad>"]
    below = bpe.train(LOWEST, base="char", vocab_size=11, special_tokens=special_tokens)
    assert "smaller than the 10 base symbols and 2 special tokens" in below.warnings[0]
    exact = bpe.train(LOWEST, base="char", vocab_size=12, special_tokens=special_tokens)
    assert (exact.steps, exact.warnings, exact.stop_reason) == ((), (), "vocab_size")


def test_a_size_that_is_never_reached_says_where_it_stopped_and_why() -> None:
    """LOWEST is one token a word after 12 merges: 2 + 3 + ... letters less one each, shared."""
    run = bpe.train(LOWEST, base="char", vocab_size=50)
    assert run.stop_reason == "no_pairs_left"
    assert run.warnings == (
        f"a vocabulary of 50 was asked for, but training stopped after {len(run.steps)} merges "
        f"at {run.tokenizer.n_tokens} tokens: every word is one token, so no pair is left",
    )
    assert all(len(tokens) == 1 for tokens in run.words_at(len(run.steps)).values())


def test_merges_that_were_not_to_be_had_are_told() -> None:
    run = bpe.train({"ab": 1}, base="char", num_merges=5)
    assert run.warnings[0].startswith("5 merges were asked for, but training stopped after 1")


def test_a_least_frequency_that_ends_the_training_is_named() -> None:
    run = bpe.train(LOWEST, base="char", num_merges=50, min_frequency=9)
    assert run.stop_reason == "min_frequency"
    assert run.warnings[0].endswith("no pair that is left occurs 9 times or more")


def test_text_with_one_symbol_trains_and_stops() -> None:
    run = bpe.train("a", base="char", num_merges=5)
    assert (run.steps, run.stop_reason) == ((), "no_pairs_left")
    assert len(run.warnings) == 1
    assert run.tokenizer.encode("aa").ids == [0, 0]


def test_zero_merges_is_a_valid_wish() -> None:
    run = bpe.train("low", num_merges=0)
    assert (run.steps, run.stop_reason, run.warnings) == ((), "num_merges", ())


def test_a_least_frequency_of_zero_is_one_of_one() -> None:
    """A pair that does not occur is never merged."""
    zero, one = (bpe.train("abab", num_merges=9, min_frequency=n).steps for n in (0, 1))
    assert zero == one


def test_the_settings_are_kept_with_the_run_and_cannot_be_changed() -> None:
    run = bpe.train(
        "low",
        base="char",
        num_merges=1,
        normalizer=("nfc", "none"),
        unknown_token="?",
        special_tokens=["<s>"],
    )
    assert run.config.special_tokens == ("?", "<s>")
    assert run.config.normalizer == ("nfc",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.config.num_merges = 2  # type: ignore[misc]


@pytest.mark.parametrize("step", [-1, 8, True, 1.0, "1", None])
def test_a_step_the_run_does_not_have_is_refused(step: Any) -> None:
    run = bpe.train(LOWEST, base="char", num_merges=7)
    for ask in (run.pair_counts, run.words_at, run.word_ids_at):
        with pytest.raises(bpe.ConfigError, match=r"steps 0 \(the start\) to 7 \(the end\)"):
            ask(step)


@pytest.mark.parametrize("size", [-1, 9, 0])
def test_a_vocabulary_cut_below_its_base_is_refused(size: int) -> None:
    tokenizer = bpe.train(LOWEST, base="char", num_merges=7).tokenizer
    with pytest.raises(bpe.ConfigError, match="10 base symbols need at least 10"):
        tokenizer.with_vocab_size(size)


@pytest.mark.parametrize("size", ["12", 12.0, None, True])
def test_a_vocabulary_size_that_is_no_number_is_refused(size: Any) -> None:
    tokenizer = bpe.train(LOWEST, base="char", num_merges=7).tokenizer
    with pytest.raises(bpe.ConfigError, match="must be a whole number"):
        tokenizer.with_vocab_size(size)


def test_files_that_cannot_be_read_are_named() -> None:
    for path in ("/no/such/file.txt", "/", "a\x00b"):
        with pytest.raises(bpe.ConfigError, match="cannot read"):
            bpe.train_from_files([path], num_merges=1)
    with pytest.raises(bpe.ConfigError, match="a list of paths, not the single path 'x"):
        bpe.train_from_files("x.txt", num_merges=1)


def test_counts_given_to_iter_merges_are_checked_too() -> None:
    config = bpe.TrainerConfig(num_merges=1)
    with pytest.raises(bpe.ConfigError, match="the count of the word 'ab'"):
        bpe.iter_merges({"ab": -1}, config)
    assert [step.count for step in bpe.iter_merges({"ab": 2}, config)] == [2]
