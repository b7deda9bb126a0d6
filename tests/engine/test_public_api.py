"""The names programs outside call: they stay, with their parameters, and each shows an example."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import pytest

import bpe
from tests.engine.trained import trained_on_lowest

NAMES = [
    "AddedToken",
    "BPEError",
    "BPETokenizer",
    "ConfigError",
    "DecodedText",
    "EncodeStep",
    "Encoding",
    "FormatError",
    "MergeRule",
    "MergeStep",
    "MergeTree",
    "PatternNeeded",
    "PreToken",
    "TokenSpan",
    "Tokenizer",
    "TrainerConfig",
    "TrainingCancelled",
    "TrainingRun",
    "UnknownIdError",
    "UnknownSymbolError",
    "Vocabulary",
    "decode_text",
    "iter_merges",
    "load_gpt2",
    "load_pretrained",
    "load_sentencepiece",
    "load_tiktoken",
    "load_tokenizer_json",
    "normalize",
    "pre_tokenize",
    "reference",
    "to_gpt2",
    "to_tiktoken",
    "to_tokenizer_json",
    "train",
    "train_from_files",
    "train_with",
]
ERRORS = [
    *("ConfigError", "FormatError", "PatternNeeded", "TrainingCancelled"),
    *("UnknownIdError", "UnknownSymbolError"),
]

SAY_IT_THEMSELVES = ["ConfigError", "FormatError", "TrainingCancelled"]  # their messages differ


def test_what_is_shown_of_a_value_is_short() -> None:
    """A message or a console that shows one is not to hold every token of it."""
    run = bpe.train("low lower " * 9, num_merges=5)
    for value in (run, run.tokenizer, bpe.load_pretrained("gpt2")):
        assert len(repr(value)) < 1000
    assert "Vocabulary(50,257 tokens)" in repr(bpe.load_pretrained("gpt2"))


def test_the_names_are_these() -> None:
    """Whoever adds a name says so here."""
    assert bpe.__all__ == NAMES


@pytest.mark.parametrize("name", sorted({*NAMES} - {"reference", "BPEError", *SAY_IT_THEMSELVES}))
def test_every_name_shows_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(bpe, name)) or "")


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_is_a_bpe_error(name: str) -> None:
    assert issubclass(getattr(bpe, name), bpe.BPEError)
    assert issubclass(bpe.BPEError, ValueError)


def parameters(function: Any) -> list[str]:
    """The parameters of a function as a caller sees them: keyword-only ones after a star."""
    found: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        found.append(parameter.name)
    return found


SETTINGS = [
    "base",
    "vocab_size",
    "num_merges",
    "pattern",
    "normalizer",
    "end_of_word",
    "unknown_token",
    "tie_break",
    "min_frequency",
    "special_tokens",
    "progress",
]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (bpe.train, ["corpus", "*", *SETTINGS]),
        (bpe.train_from_files, ["paths", "*", "errors", "settings"]),
        (bpe.load_pretrained, ["name"]),
        (bpe.load_tokenizer_json, ["source"]),
        (bpe.to_tokenizer_json, ["tokenizer"]),
        (bpe.load_gpt2, ["vocab_json", "merges_txt", "*", "pattern"]),
        (bpe.load_sentencepiece, ["source"]),
        (bpe.load_tiktoken, ["source", "*", "pattern", "special_tokens"]),
        (bpe.to_gpt2, ["tokenizer"]),
        (bpe.to_tiktoken, ["tokenizer"]),
        (bpe.pre_tokenize, ["text", "pattern"]),
        (bpe.normalize, ["text", "normalizer"]),
        (bpe.decode_text, ["data", "*", "encoding"]),
        (bpe.reference.merge_pair, ["symbols", "pair"]),
        (
            bpe.reference.train_bpe,
            ["word_counts", "num_merges", "*", "base", "tie_break", "weighted"],
        ),
        (bpe.reference.encode, ["word", "merges"]),
        (bpe.reference.build_vocab, ["base", "merges"]),
        (bpe.reference.decode, ["ids", "vocab"]),
        (bpe.Tokenizer.encode, ["self", "text", "*", "allowed_special"]),
        (bpe.Tokenizer.encode_to_numpy, ["self", "text", "*", "allowed_special"]),
        (bpe.Tokenizer.encode_batch, ["self", "texts", "*", "allowed_special"]),
        (bpe.Tokenizer.decode, ["self", "ids", "*", "errors"]),
        (bpe.Tokenizer.decode_bytes, ["self", "ids"]),
        (bpe.Tokenizer.with_vocab_size, ["self", "n_tokens"]),
        (bpe.Tokenizer.save, ["self", "path"]),
        (bpe.Tokenizer.load, ["path"]),
        (bpe.TrainingRun.pair_counts, ["self", "step", "top"]),
        (bpe.TrainingRun.words_at, ["self", "step"]),
        (bpe.BPETokenizer.train, ["self", "corpus", "num_merges"]),
        (bpe.BPETokenizer.encode, ["self", "text"]),
        (bpe.BPETokenizer.decode, ["self", "tokens"]),
    ],
)
def test_parameters_keep_their_names(function: Any, expected: list[str]) -> None:
    assert parameters(function) == expected


def test_the_defaults_of_training() -> None:
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(bpe.train).parameters.items()
    }
    assert defaults["base"] == "byte"
    assert defaults["pattern"] == "gpt2"
    assert defaults["normalizer"] == "none"
    assert defaults["tie_break"] == "lexicographic"
    assert defaults["min_frequency"] == 1
    assert defaults["special_tokens"] == ()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bpe.MergeStep, "rank left right merged count token_id pair tied"),
        (bpe.MergeRule, "rank pair token_id"),
        (bpe.TokenSpan, "token_id byte_start byte_end char_start char_end"),
        (bpe.PreToken, "text char_start char_end byte_start byte_end"),
        (bpe.DecodedText, "text encoding warnings"),
    ],
)
def test_results_are_frozen_and_keep_the_names_of_their_fields(kind: Any, expected: str) -> None:
    assert [field.name for field in dataclasses.fields(kind)] == expected.split()
    assert kind.__dataclass_params__.frozen
    assert hasattr(kind, "__slots__")


RUN_MEMBERS = [
    "steps",
    "tokenizer",
    "stop_reason",
    "warnings",
    "pair_counts",
    "words_at",
    "word_counts",
    "fingerprint",
]
TOKENIZER_MEMBERS = [
    "encode",
    "encode_to_numpy",
    "encode_batch",
    "decode",
    "decode_bytes",
    "token",
    "token_id",
    "vocab_size",
    "n_tokens",
    "base_size",
    "special_tokens",
    "merges",
    "with_vocab_size",
    "pre_tokenize",
    "encode_steps",
    "merge_tree",
    "is_lossless",
    "warnings",
    "fingerprint",
    "save",
    "load",
]


def test_what_a_run_and_a_tokenizer_offer() -> None:
    run = trained_on_lowest()
    assert set(RUN_MEMBERS) <= set(dir(run))
    assert set(TOKENIZER_MEMBERS) <= set(dir(run.tokenizer))
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.tokenizer.base = "byte"  # type: ignore[misc]


def test_public_methods_say_what_they_do() -> None:
    for kind in (bpe.Tokenizer, bpe.TrainingRun, bpe.Vocabulary, bpe.Encoding, bpe.BPETokenizer):
        for name, member in vars(kind).items():
            if not name.startswith("_") and callable(member):
                assert (inspect.getdoc(member) or "").strip(), f"{kind.__name__}.{name}"


def test_values_that_are_equal_hash_alike() -> None:
    tokenizer = trained_on_lowest().tokenizer
    again = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert again == tokenizer
    assert hash(again) == hash(tokenizer)
    assert again != tokenizer.with_vocab_size(12)
    assert again.encode("low") == tokenizer.encode("low") != tokenizer.encode("lower")
    assert repr(tokenizer.encode("low")) == "Encoding(ids=[13])"
