"""Several tokenizers on the same sentences: the numbers are those of encoding each with each."""

from __future__ import annotations

import dataclasses

import pytest

import bpe
from pages.ui.tokenizer_comparison import (
    CURVE_POINTS,
    Lane,
    encode_all,
    lane_blocks,
    lane_curve,
    lane_table,
    lane_totals,
    problems,
)

TEXT = "the newest and the widest are lower than the lowest; é\n" * 4
BYTES = Lane("Bytes", bpe.train(TEXT, base="byte", vocab_size=280).tokenizer)
STRICT = Lane("Strict", bpe.train(TEXT, base="char", vocab_size=40).tokenizer)
GPT2 = Lane("GPT-2", bpe.load_pretrained("r50k_base"))
SENTENCES = ["the lowest", "low é low"]


def test_the_table_has_a_row_for_each_sentence_and_tokenizer() -> None:
    frame = lane_table(encode_all([BYTES, GPT2], SENTENCES))
    assert list(frame["tokenizer"]) == ["Bytes", "GPT-2"] * 2
    last = frame.iloc[-1]
    n_tokens = len(GPT2.tokenizer.encode("low é low").ids)
    assert last["tokens"] == n_tokens
    assert last["bytes per token"] == 10 / n_tokens
    assert last["characters per token"] == 9 / n_tokens
    assert last["tokens per word"] == n_tokens / 3
    assert last["round trip"]


def test_totals_are_of_all_sentences_together() -> None:
    encoded = encode_all([BYTES, GPT2], SENTENCES)
    frame, totals = lane_table(encoded), lane_totals(encoded)
    for place, name in enumerate(("Bytes", "GPT-2")):
        n_tokens = frame[frame["tokenizer"] == name]["tokens"].sum()
        assert totals["tokens"][place] == n_tokens
        assert totals["bytes per token"][place] == 20 / n_tokens
        assert totals["tokens per word"][place] == n_tokens / 5
        assert totals["round trips"][place] == 2


def test_blank_sentences_have_no_tokens_per_word_but_a_row() -> None:
    frame = lane_table(encode_all([GPT2], ["  "]))
    assert list(frame["tokens"]) == [2]
    assert frame["tokens per word"].isna().all()


def test_a_tokenizer_that_cannot_encode_a_sentence_is_named_and_not_summed() -> None:
    """The strict tokenizer never saw z: it has a row for one sentence, and no total."""
    encoded = encode_all([STRICT, BYTES], ["the lowest", "zip"])
    assert list(lane_table(encoded)["tokenizer"]) == ["Strict", "Bytes", "Bytes"]
    assert list(lane_totals(encoded)["tokenizer"]) == ["Bytes"]
    [(name, n_failed, reason)] = problems(encoded)
    assert (name, n_failed) == ("Strict", 1)
    assert "'z'" in reason
    assert encoded[1][0].bytes_per_token is None
    [first, _] = lane_blocks(encoded)[1].columns
    assert first.rows[0].note == reason
    assert lane_totals(encode_all([STRICT], ["zip"])).empty
    assert lane_table(encode_all([STRICT], ["zip"])).empty


def test_a_sentence_with_unknown_characters_is_marked() -> None:
    unknown = Lane(
        "Unknown", bpe.train(TEXT, base="char", vocab_size=40, unknown_token="?").tokenizer
    )
    encoded = encode_all([unknown, STRICT], ["low", "zip"])
    assert [[one.loses_characters for one in row] for row in encoded] == [
        [False] * 2,
        [True, False],
    ]


def test_lanes_stand_one_under_the_other_in_the_order_chosen() -> None:
    [block, _] = lane_blocks(encode_all([GPT2, BYTES], SENTENCES))
    assert block.title == "the lowest"
    assert block.is_stacked
    assert [column.rows[0].name for column in block.columns] == ["GPT-2", "Bytes"]
    assert block.columns[0].rows[0].note == "2 tokens"


def test_cuts_that_not_all_make_are_marked() -> None:
    """GPT-2 has the, lowest; cut to its bytes, each letter. Common: behind the, and the end."""
    in_bytes = Lane("In bytes", GPT2.tokenizer.with_vocab_size(257))
    [block] = lane_blocks(encode_all([GPT2, in_bytes], ["the lowest"]))
    gpt2, letters = (column.rows[0] for column in block.columns)
    assert (list(gpt2.apart), gpt2.note) == ([], "2 tokens")
    assert list(letters.apart) == [0, 1, 3, 4, 5, 6, 7, 8]
    assert letters.note == "10 tokens, 8 cuts that not all make"
    [alone] = lane_blocks(encode_all([in_bytes], ["the"]))
    assert not alone.columns[0].rows[0].apart


def test_a_curve_ends_at_the_tokens_of_the_whole_vocabulary() -> None:
    points = lane_curve([row[0] for row in encode_all([GPT2], SENTENCES)])
    assert points is not None
    sizes, tokens = points
    assert (sizes[0], sizes[-1]) == (257, 50_257)
    assert len(sizes) <= CURVE_POINTS + 1
    assert tokens[0] == 20  # every byte a token
    assert tokens[-1] == sum(len(GPT2.tokenizer.encode(s).ids) for s in SENTENCES)


@pytest.mark.parametrize("sentence", ["abc", "zip"])
def test_where_merges_do_not_explain_the_tokens_there_is_no_curve(sentence: str) -> None:
    """By whole words first, abc is a token though no merge makes it; zip cannot be encoded."""
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "abc": 3}, "merges": []}
    tokenizer = bpe.load_tokenizer_json({"model": model})
    whole_words = Lane("Whole words", dataclasses.replace(tokenizer, ignore_merges=True))
    assert lane_curve([row[0] for row in encode_all([whole_words], [sentence])]) is None


def test_a_sentence_of_no_tokens_takes_no_tokenizer_out_of_the_totals() -> None:
    """Words between white space alone: a line of blanks has no tokens, its bytes still count."""
    words = Lane("Words", bpe.train(TEXT, pattern="whitespace", vocab_size=280).tokenizer)
    encoded = encode_all([words, BYTES], ["the lowest", "   "])
    empty = encoded[1][0].encoding
    assert empty is not None
    assert not empty.ids
    totals = lane_totals(encoded)
    assert list(totals["tokenizer"]) == ["Words", "Bytes"]
    n_tokens = len(words.tokenizer.encode("the lowest"))
    assert totals["tokens"][0] == n_tokens
    assert totals["bytes per token"][0] == 13 / n_tokens
    assert lane_totals(encode_all([words], ["  "]))["bytes per token"].isna().all()


def test_where_a_tokenizer_makes_no_cut_those_of_the_others_are_marked() -> None:
    words = Lane("Words", bpe.train(TEXT, pattern="whitespace", vocab_size=280).tokenizer)
    [block] = lane_blocks(encode_all([words, BYTES], ["  "]))
    none, cut = (column.rows[0] for column in block.columns)
    assert (none.note, cut.note) == ("0 tokens", "2 tokens, 2 cuts that not all make")
