"""Golden: the reference itself, checked by hand where it is what all else is held to."""

from __future__ import annotations

import ast
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import reference
from bpe.errors import ConfigError, UnknownIdError
from tests.engine.trained import HUG, LOWEST


@pytest.mark.parametrize(
    ("symbols", "merged"),
    [
        ("", ()),
        ("a", ("a",)),
        ("aa", ("aa",)),
        ("aaa", ("aa", "a")),
        ("aaaa", ("aa", "aa")),
        ("baab", ("b", "aa", "b")),
    ],
)
def test_pairs_are_replaced_left_to_right_without_overlap(
    symbols: str, merged: tuple[str, ...]
) -> None:
    assert reference.merge_pair(tuple(symbols), ("a", "a")) == merged
    assert reference.merge_pair(list(symbols), ("a", "a")) == list(merged)


def test_the_input_is_left_as_it_was() -> None:
    symbols = ["a", "b"]
    words = {"ab": 2}
    reference.merge_pair(symbols, ("a", "b"))
    reference.train_bpe(words, 5)
    assert (symbols, words) == (["a", "b"], {"ab": 2})


def test_overlapping_pairs_all_count() -> None:
    """aaa holds a+a twice; with weight 3 that is 6."""
    assert reference.count_pairs([(("a", "a", "a"), 3)]) == {("a", "a"): 6}


def test_the_merges_of_both_corpora_of_the_lesson() -> None:
    assert reference.train_bpe(LOWEST, 7) == [
        ("e", "s"),
        ("es", "t"),
        ("l", "o"),
        ("lo", "w"),
        ("e", "w"),
        ("ew", "est"),
        ("n", "ewest"),
    ]
    assert reference.train_bpe(HUG, 6) == [
        ("u", "g"),
        ("u", "n"),
        ("h", "ug"),
        ("p", "un"),
        ("hug", "s"),
        ("p", "ug"),
    ]


def test_training_stops_when_no_pair_is_left() -> None:
    assert reference.train_bpe({"ab": 1}, 99) == [("a", "b")]
    assert reference.train_bpe({}, 99) == []
    assert reference.train_bpe({"a": 5}, 99) == []


@pytest.mark.parametrize(
    ("tie_break", "first"),
    [
        ("lexicographic", (b" ", b"x")),
        ("lexicographic_max", (b"\xc3", b"\xa9")),
        ("first_seen", (b"x", b"y")),
        ("lowest_ids", (b" ", b"x")),
        ("gpt2_byte_ids", (b"x", b"y")),
    ],
)
def test_each_tie_rule_chooses_by_its_own_order(tie_break: str, first: tuple[bytes, bytes]) -> None:
    """xy, " x" and é (C3 A9) occur once each. GPT-2 prints x, C3 and A9 and moves the space."""
    words = {"xy": 1, " x": 1, "é": 1}
    assert reference.train_bpe(words, 1, base="byte", tie_break=tie_break) == [first]


def test_an_unknown_tie_rule_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown tie rule 'coin'"):
        reference.train_bpe({"ab": 1}, 1, tie_break="coin")


def test_words_may_be_given_as_symbols() -> None:
    words = {("l", "o", "w", "</w>"): 5, ("l", "o", "</w>"): 2}
    assert reference.train_bpe(words, 2) == [("l", "o"), ("lo", "w")]
    assert reference.encode(("l", "o", "w", "</w>"), [("l", "o"), ("w", "</w>")]) == [
        "lo",
        "w</w>",
    ]


def test_encoding_replays_in_training_order() -> None:
    """bc 2, ab 1: abc is a, bc by replay, not the longest match from the left, ab, c."""
    merges = reference.train_bpe({"bc": 2, "ab": 1}, 2)
    assert merges == [("b", "c"), ("a", "b")]
    assert reference.encode("abc", merges) == ["a", "bc"]


def test_encoding_bytes() -> None:
    assert reference.encode("é", [(b"\xc3", b"\xa9")]) == ["é".encode()]
    assert reference.encode("ab", []) == ["a", "b"]


def test_vocabularies_number_base_symbols_and_then_merges() -> None:
    merges = [("b", "c"), ("a", "bc")]
    assert reference.build_vocab("char", merges) == {0: "a", 1: "b", 2: "c", 3: "bc", 4: "abc"}
    assert reference.build_vocab(["x", "a", "b", "c"], merges)[3] == "x"
    of_bytes = reference.build_vocab("byte", [(b"a", b"b")])
    assert (of_bytes[97], of_bytes[256], len(of_bytes)) == (b"a", b"ab", 257)


def test_decoding_joins_bytes_before_it_reads_them() -> None:
    vocab = {0: b"\xc3", 1: b"\xa9", 2: "<s>"}
    assert reference.decode([0, 1, 2], vocab) == "é<s>"
    assert reference.decode([0], vocab) == "\ufffd"
    assert reference.decode([0, 1], {0: "a", 1: "b"}) == "ab"
    with pytest.raises(UnknownIdError, match="no token has the id 7"):
        reference.decode([7], vocab)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 4), min_size=1))
def test_decoding_an_encoding_gives_the_word_back(words: dict[str, int]) -> None:
    merges = reference.train_bpe(words, 10)
    vocab = reference.build_vocab(sorted(set("".join(words))), merges)
    ids = {token: token_id for token_id, token in vocab.items()}
    for word in words:
        encoded = [ids[token] for token in reference.encode(word, merges)]
        assert reference.decode(encoded, vocab) == word


def test_a_student_can_read_it() -> None:
    """No function is longer than 25 lines without its docstring, and nothing clever is imported."""
    tree = ast.parse(inspect.getsource(reference))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            assert (function.end_lineno or 0) - function.body[0].lineno < 40
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {
        "__future__",
        "bpe.errors",
        "collections.abc",
        "itertools",
        "typing",
    }
