"""The interview exercise: three methods on words of letters with an end-of-word marker."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe

CORPUS = ["low"] * 5 + ["lower"] * 2 + ["newest"] * 2 + ["widest"]


def trained(num_merges: int, corpus: list[str] = CORPUS) -> bpe.BPETokenizer:
    tokenizer = bpe.BPETokenizer()
    tokenizer.train(corpus, num_merges)
    return tokenizer


def test_the_first_three_merges() -> None:
    """l+o and o+w both 7: l < o. Then lo+w 7. Then low+</w> 5; w+e (4) is e's best."""
    assert trained(3).merges == [("l", "o"), ("lo", "w"), ("low", "</w>")]


def test_encoding_and_decoding() -> None:
    tokenizer = trained(3)
    tokens = tokenizer.encode("lower newest")
    assert tokens == ["low", "e", "r", "</w>", "n", "e", "w", "e", "s", "t", "</w>"]
    assert tokenizer.decode(tokens) == "lower newest"
    assert tokenizer.encode("a") == ["a", "</w>"]
    assert tokenizer.encode("low") == ["low</w>"]


def test_no_merges_give_letters_and_markers() -> None:
    assert trained(0).encode("low a") == ["l", "o", "w", "</w>", "a", "</w>"]


def test_more_merges_than_there_are_stop_at_15() -> None:
    """low: 3 for low</w>; lower, newest, widest: 12 more until each is one token."""
    tokenizer = trained(999)
    assert len(tokenizer.merges) == 15
    assert tokenizer.encode("low lower newest widest") == [
        "low</w>",
        "lower</w>",
        "newest</w>",
        "widest</w>",
    ]


def test_unseen_characters_stay_as_they_are() -> None:
    tokenizer = trained(3)
    assert tokenizer.encode("löw 日") == ["l", "ö", "w", "</w>", "日", "</w>"]
    assert tokenizer.decode(tokenizer.encode("löw 日")) == "löw 日"


def test_texts_of_the_corpus_are_cut_at_white_space() -> None:
    assert trained(9, [" ".join(CORPUS)]).merges == trained(9).merges


def test_the_merges_are_those_of_the_reference() -> None:
    words = {(*word, "</w>"): CORPUS.count(word) for word in dict.fromkeys(CORPUS)}
    assert trained(12).merges == bpe.reference.train_bpe(words, 12)


def test_training_again_starts_afresh() -> None:
    tokenizer = trained(3)
    tokenizer.train(["ab", "ab"], 1)
    assert tokenizer.merges == [("a", "b")]
    assert tokenizer.encode("low") == ["l", "o", "w", "</w>"]


def test_before_training_every_letter_is_a_token() -> None:
    assert bpe.BPETokenizer().encode("ab") == ["a", "b", "</w>"]


@pytest.mark.parametrize("corpus", [[], [""], ["  "]])
def test_a_corpus_without_words_gives_no_merges(corpus: list[str]) -> None:
    assert trained(5, corpus).merges == []


def test_nothing_encodes_to_nothing_and_back() -> None:
    tokenizer = trained(3)
    assert tokenizer.encode("") == tokenizer.encode(" \n") == []
    assert tokenizer.decode([]) == ""


def test_each_marker_is_one_space_and_none_is_left_at_the_end() -> None:
    decode = bpe.BPETokenizer().decode
    assert decode(["low</w>", "</w>", "er"]) == "low  er"
    assert decode(["a", "</w>"]) == "a"
    assert decode(["</w>a", "b"]) == "</w>ab"


@pytest.mark.parametrize(
    ("corpus", "num_merges", "message"),
    [
        ("low", 3, "must be a list of strings, not one string"),
        (["low", 5], 3, "item 1 of the corpus must be a string, not 5"),
        (["low a</w>b"], 3, "the word 'a</w>b' contains the end-of-word marker </w>"),
        (["low"], -1, "num_merges must be a whole number from 0 up, not -1"),
        (["low"], 1.5, "num_merges must be a whole number"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(corpus: Any, num_merges: Any, message: str) -> None:
    with pytest.raises(bpe.ConfigError, match=message):
        bpe.BPETokenizer().train(corpus, num_merges)


def test_a_token_that_is_no_string_is_refused() -> None:
    with pytest.raises(bpe.BPEError, match="a token must be a string, not 5"):
        bpe.BPETokenizer().decode(["a", 5])  # type: ignore[list-item]


@given(
    st.lists(st.text("abc", min_size=1, max_size=6), max_size=8),
    st.lists(st.text("abcdé<w", min_size=1, max_size=6), max_size=6),
    st.integers(0, 20),
)
def test_words_come_back_with_one_space_between_them(
    corpus: list[str], words: list[str], num_merges: int
) -> None:
    tokenizer = trained(num_merges, corpus)
    text = " ".join(words)
    assert tokenizer.decode(tokenizer.encode(f"  {text}\n")) == text


def test_text_that_spells_the_marker_is_encoded_as_letters() -> None:
    assert trained(3).encode("</w>") == ["<", "/", "w", ">", "</w>"]
