"""The same result on every run, whatever the hash seed, and no state kept between calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import bpe
from tests.engine.trained import LOWEST

ROOT = Path(__file__).parents[2]

CODE = """
import bpe
from bpe.samples import SAMPLES
text = SAMPLES["seaside"].load() + " İSTANBUL é e\\u0301 日本 <|end|> 😀"
for base in ("char", "byte"):
    rules = ["lexicographic", "lexicographic_max", "first_seen", "lowest_ids"]
    for rule in rules + ["gpt2_byte_ids"] * (base == "byte"):
        run = bpe.train(text, base=base, tie_break=rule, num_merges=60, end_of_word="</w>",
                        special_tokens=["<|end|>", "<pad>"], normalizer=("nfkc", "lowercase"))
        print(run.fingerprint, run.tokenizer.fingerprint, run.pair_counts(30, top=5))
        print(bpe.to_tokenizer_json(run.tokenizer))
        print(run.tokenizer.encode(text, allowed_special="all").spans)
"""


def printed_under(seed: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    ).stdout


def test_every_result_is_the_same_under_every_hash_seed() -> None:
    """Words, pairs and special tokens are strings, whose hashes change with the seed."""
    first, *others = (printed_under(seed) for seed in ("0", "1", "4242"))
    assert len(first) > 10_000
    assert others == [first, first]


def test_the_order_of_words_decides_only_under_first_seen() -> None:
    words = {"cd": 2, "ab": 2, "abcd": 1}
    turned = dict(reversed(words.items()))
    for rule in ("lexicographic", "lexicographic_max", "lowest_ids", "first_seen"):
        steps, others = (
            bpe.train(each, base="char", tie_break=rule, num_merges=3).steps
            for each in (words, turned)
        )
        assert (steps == others) == (rule != "first_seen")


def test_asking_a_run_changes_nothing() -> None:
    run = bpe.train(LOWEST, base="char", num_merges=7)
    before = (run.fingerprint, run.pair_counts(3), run.words_at(3), run.pair_counts(7))
    run.tokenizer.encode("lowest")
    run.pair_counts(5, top=1)
    assert (run.fingerprint, run.pair_counts(3), run.words_at(3), run.pair_counts(7)) == before


def test_what_a_caller_changes_is_not_the_run() -> None:
    words = dict(LOWEST)
    run = bpe.train(words, base="char", num_merges=7)
    words["low"] = 99
    run.tokenizer.special_tokens["x"] = 5
    run.pair_counts(0).clear()
    assert run.word_counts == LOWEST
    assert run.tokenizer.special_tokens == {}
    assert run.fingerprint == bpe.train(LOWEST, base="char", num_merges=7).fingerprint


def test_every_setting_that_changes_ids_changes_the_fingerprint() -> None:
    changes = [
        {},
        {"base": "byte"},
        {"pattern": "o200k"},
        {"normalizer": "nfc"},
        {"end_of_word": "</w>"},
        {"unknown_token": "?"},
        {"special_tokens": ["?"]},
        {"num_merges": 6},
    ]
    runs = [bpe.train(LOWEST, **({"base": "char", "num_merges": 7} | each)) for each in changes]
    assert len({run.tokenizer.fingerprint for run in runs}) == len(changes)
    assert len({run.fingerprint for run in runs}) == len(changes)


def test_pair_counts_of_a_step_are_those_of_its_words() -> None:
    """`pair_counts` before each merge starts with the pair that is merged next, and its count."""
    run = bpe.train(LOWEST, base="char", num_merges=12, tie_break="lexicographic_max")
    for step in run.steps:
        counts = run.pair_counts(step.rank)
        assert next(iter(counts.items())) == ((step.left, step.right), step.count)
        assert sum(count == step.count for count in counts.values()) == step.tied
        weighted = [(tokens, LOWEST[word]) for word, tokens in run.words_at(step.rank).items()]
        assert counts == bpe.reference.count_pairs(weighted)
        assert list(run.pair_counts(step.rank, top=3).items()) == list(counts.items())[:3]
