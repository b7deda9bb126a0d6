"""Hostile and broken text: it trains, encodes and comes back, or is refused with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bpe

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
HOSTILE = [
    "<script>alert(1)</script>",
    "<b>bold</b>",
    "$x$",
    "[a](http://b)",
    "constructor",
    "__proto__",
    "hasOwnProperty",
    "toString",
    "a\x00b",
    "line\u2028line",
    "next\x85line",
    "\ufeffmark",
    "שלום \u202eabc\u202c",
    FAMILY,
    "é" * 50 + "\u0301" * 50,
    "</w>",
    "[UNK]",
    "'; DROP TABLE words; --",
    "{}",
    "\\",
    "%s %d {0}",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("base", ["byte", "char"])
@pytest.mark.parametrize("marker", [None, "</w>"])
def test_hostile_text_trains_encodes_saves_and_comes_back(
    text: str, base: str, marker: str | None
) -> None:
    run = bpe.train(
        {text: 3, text + text: 1}, base=base, num_merges=400, end_of_word=marker, pattern="none"
    )
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(run.tokenizer))
    encoding = loaded.encode(text)
    assert loaded == run.tokenizer
    assert len(encoding) == 1
    assert loaded.decode(encoding.ids) == text
    assert run.words_at(len(run.steps))[text] == tuple(encoding.tokens)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_as_a_special_token(name: str) -> None:
    """Cut out of the text it is trained on, found when allowed, ordinary text when not."""
    run = bpe.train(f"low{name}low", num_merges=2, special_tokens=[name])
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(run.tokenizer))
    assert loaded.encode(f"low{name}", allowed_special={name}).tokens == [b"low", name]
    assert name not in loaded.encode(name).tokens
    assert loaded.decode(loaded.encode(name).ids) == name
    assert loaded.special_tokens == {name: 0}


def test_a_lone_surrogate_is_the_replacement_character_everywhere() -> None:
    """As in tiktoken: half a pair counts as U+FFFD, halves that meet are joined."""
    broken, sound = "a\ud83d b\ud83d\ude00", "a\ufffd b😀"
    runs = [bpe.train(text, num_merges=20) for text in (broken, sound)]
    assert runs[0].fingerprint == runs[1].fingerprint
    tokenizer = runs[0].tokenizer
    assert tokenizer.encode(broken).ids == tokenizer.encode(sound).ids
    assert tokenizer.decode(tokenizer.encode(broken).ids) == sound
    assert bpe.train(sound, num_merges=0, special_tokens=["\ud83d"]).tokenizer.special_tokens == {
        "\ufffd": 0
    }
    chars = bpe.train(broken, base="char", num_merges=0)
    assert chars.tokenizer.base_size == len(set(sound))


@pytest.mark.parametrize("text", [None, 5, b"abc", ["a"]])
def test_what_is_no_text_is_not_encoded(text: Any) -> None:
    tokenizer = bpe.train("abc", num_merges=1).tokenizer
    with pytest.raises(bpe.ConfigError, match="must be a string, not "):
        tokenizer.encode(text)


@pytest.mark.parametrize(
    ("token_id", "message"),
    [
        (-1, "no token has the id -1: ids of this vocabulary run from 0 to 256"),
        (257, "no token has the id 257: ids of this vocabulary run from 0 to 256"),
        (10**30, "no token has the id 1000000000000000000000000000000: ids"),
        (True, "no token has the id True: ids are whole numbers; those .* from 0 to 256"),
        (1.0, "no token has the id 1.0: ids are whole numbers"),
        ("1", "no token has the id '1': ids are whole numbers"),
        (None, "no token has the id None: ids are whole numbers"),
        ([1], r"no token has the id \[1\]: ids are whole numbers"),
        (np.bool_(True), "ids are whole numbers"),
        (np.float32(1), "ids are whole numbers"),
        (np.int64(-7), "no token has the id -7"),
    ],
)
def test_what_is_no_id_is_refused_by_name(token_id: Any, message: str) -> None:
    tokenizer = bpe.train("abab", num_merges=1).tokenizer
    calls = [
        lambda: tokenizer.decode([0, token_id]),
        lambda: tokenizer.decode_bytes([token_id]),
        lambda: tokenizer.token(token_id),
        lambda: tokenizer.text_of(token_id),
        lambda: tokenizer.merge_tree(token_id),
    ]
    for call in calls[:4] if isinstance(token_id, list) else calls:
        with pytest.raises(bpe.UnknownIdError, match=message) as raised:
            call()
        assert raised.value.token_id is token_id


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_ints_of_numpy_are_ids(kind: Any) -> None:
    tokenizer = bpe.train("abab", num_merges=1).tokenizer
    assert tokenizer.token(kind(97)) == b"a"
    assert tokenizer.decode(np.array([97, 98], dtype=kind)) == "ab"
    assert tokenizer.merge_tree(kind(97)).content == b"a"


def test_an_id_that_is_not_assigned_says_so() -> None:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 9}, "merges": []}
    tokenizer = bpe.load_tokenizer_json({"model": model})
    with pytest.raises(bpe.UnknownIdError, match="from 0 to 9, and this one is not assigned"):
        tokenizer.decode([5])
    assert (tokenizer.n_tokens, tokenizer.vocab_size) == (2, 10)


def test_an_empty_vocabulary_has_no_ids() -> None:
    tokenizer = bpe.train("", base="char", num_merges=0).tokenizer
    with pytest.raises(bpe.UnknownIdError, match="this vocabulary is empty"):
        tokenizer.decode([0])
    assert tokenizer.encode("").ids == []
    assert tokenizer.decode([]) == ""


@pytest.mark.parametrize("content", ["zz", b"a", 5])
def test_a_content_no_token_has_is_named(content: Any) -> None:
    tokenizer = bpe.train("ab", base="char", num_merges=1).tokenizer
    with pytest.raises(bpe.BPEError, match=f"no token .* has the content {content!r}"):
        tokenizer.token_id(content)


def test_allowed_special_tokens_must_be_special_tokens() -> None:
    tokenizer = bpe.train("a", num_merges=0, special_tokens=["<s>"]).tokenizer
    with pytest.raises(bpe.ConfigError, match="names '<x>', which is no special token"):
        tokenizer.encode("a", allowed_special={"<s>", "<x>"})
    with pytest.raises(bpe.ConfigError, match=r'"all"'):
        tokenizer.encode("a", allowed_special="<s>")


@pytest.mark.parametrize("allowed", [None, 5, [5], [["<s>"]], [None], b"<s>"])
def test_what_names_no_special_tokens_is_refused(allowed: Any) -> None:
    tokenizer = bpe.train("a", num_merges=0, special_tokens=["<s>"]).tokenizer
    with pytest.raises(bpe.ConfigError, match=r"allowed_special (is|names) "):
        tokenizer.encode("a", allowed_special=allowed)


def test_allowed_special_tokens_may_come_one_by_one() -> None:
    """They are gone through once only: what an iterator gave is not there a second time."""
    tokenizer = bpe.train("a", num_merges=0, special_tokens=["<s>"]).tokenizer
    assert tokenizer.encode("<s>", allowed_special=iter(["<s>"])).ids == [0]  # type: ignore[arg-type]
    with pytest.raises(bpe.ConfigError, match="names '<x>'"):
        tokenizer.encode("<s>", allowed_special=iter(["<x>"]))  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", [None, 5, 1.5, object])
def test_arguments_of_another_kind_are_refused_as_such(odd: Any) -> None:
    tokenizer = bpe.train("abab", num_merges=1).tokenizer
    ranks = bpe.to_tiktoken(tokenizer)
    calls: list[Callable[[], object]] = [
        lambda: tokenizer.encode_steps([odd]),  # type: ignore[arg-type]
        lambda: tokenizer.encode_batch(odd),
        lambda: tokenizer.decode(odd),
        lambda: tokenizer.decode_bytes(odd),
        lambda: tokenizer.decode([97], errors=odd),
        lambda: tokenizer.decode([97], errors="no such way"),
        lambda: tokenizer.token_id([odd]),  # type: ignore[arg-type]
        lambda: tokenizer.pre_tokenize(odd),
        lambda: tokenizer.encode_steps(odd),
        lambda: bpe.Tokenizer.load(odd),
        lambda: bpe.pre_tokenize(odd, "gpt2"),
        lambda: bpe.pre_tokenize("a", [odd]),  # type: ignore[arg-type]
        lambda: bpe.load_tiktoken(ranks, pattern=[odd]),  # type: ignore[arg-type]
        lambda: bpe.normalize(odd, "nfc"),
        lambda: bpe.normalize(odd, "none"),
        lambda: bpe.decode_text(odd),
        lambda: bpe.train_from_files(odd, num_merges=1),
        lambda: bpe.train_from_files([odd], num_merges=1),
        lambda: bpe.BPETokenizer().train(odd, 1),
        lambda: bpe.BPETokenizer().encode(odd),
        lambda: bpe.BPETokenizer().decode(odd),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(bpe.BPEError):
            pytest.fail(f"call {number} was not refused: {call()!r}")


def test_bytes_that_are_no_text_decode_as_asked() -> None:
    """195 opens a character of two bytes that never ends; 255 is in no character."""
    tokenizer = bpe.train("", num_merges=0).tokenizer
    ids = [255, 254, 65, 195]
    assert tokenizer.decode(ids) == "\ufffd\ufffdA\ufffd"
    assert tokenizer.decode(ids, errors="ignore") == "A"
    assert tokenizer.decode_bytes(ids) == b"\xff\xfeA\xc3"
    with pytest.raises(UnicodeDecodeError):
        tokenizer.decode(ids, errors="strict")


def test_a_regular_expression_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """(a+)+$ tries every way to cut the a's before it gives up; here the limit is cut short."""
    monkeypatch.setattr("bpe.regex_splitter.SECONDS_TO_A_MATCH", 0.2)
    monkeypatch.setattr("bpe.regex_splitter.SECONDS_TO_A_MATCH_PER_CHAR", 0.0)
    monkeypatch.setattr("bpe.regex_splitter.SECONDS_IN_ALL_PER_CHAR", 0.0)
    text, pattern = "a" * 50_000 + "b", r"(a+)+$"
    with pytest.raises(bpe.ConfigError, match="took too long at character 0"):
        bpe.train(text, pattern=pattern, num_merges=1)
    tokenizer = bpe.train("aab", pattern=pattern, num_merges=1).tokenizer
    with pytest.raises(bpe.ConfigError, match="took too long"):
        tokenizer.encode(text)


def test_a_deep_merge_tree_is_built_without_recursion() -> None:
    """Each of 3,000 tokens is the one before it and one more letter."""
    letters = [chr(0x4E00 + n) for n in range(3000)]
    vocab = {char: n for n, char in enumerate(letters)}
    merges = []
    for n in range(1, 3000):
        left = "".join(letters[:n])
        merges.append([left, letters[n]])
        vocab[left + letters[n]] = len(vocab)
    tokenizer = bpe.load_tokenizer_json({"model": {"vocab": vocab, "merges": merges}})
    tree = tokenizer.merge_tree(tokenizer.vocab_size - 1)
    depth = 0
    while tree.left is not None:
        tree, depth = tree.left, depth + 1
    assert (depth, tree.content) == (2999, letters[0])
