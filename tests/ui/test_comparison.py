"""The comparison's numbers are those of encoding each sentence with each cut."""

from __future__ import annotations

import pytest

import bpe
from pages.ui.comparison import (
    SizesRefused,
    curve,
    cuts,
    parse_sentences,
    parse_sizes,
    table,
    token_blocks,
    totals,
)

TEXT = "the newest and the widest are lower than the lowest; é\n" * 4
CHAR = bpe.train(TEXT, base="char", vocab_size=60, unknown_token="[UNK]")
BYTE = bpe.train(TEXT, base="byte", vocab_size=280)
SENTENCES = ["the lowest", "zé 😀"]


def test_sizes_are_read_sorted_and_once() -> None:
    assert parse_sizes(" 300, 200  300 ", 1000) == [200, 300]
    assert parse_sizes("", 1000) == []


@pytest.mark.parametrize("typed", ["abc", "0", "-5", "1e3", "1001", "3.5", "٣", "9" * 40])
def test_what_is_no_size_is_named(typed: str) -> None:
    with pytest.raises(SizesRefused, match="is no vocabulary size: write whole numbers from 1 to"):
        parse_sizes(typed, 1000)


def test_more_than_six_sizes_are_refused() -> None:
    with pytest.raises(SizesRefused, match="At most 6 sizes"):
        parse_sizes("1 2 3 4 5 6 7", 1000)


def test_sentences_keep_their_spaces() -> None:
    assert parse_sentences("  a \n\nb\t\n") == ["  a ", "b\t"]


def test_a_size_below_the_base_has_no_tokenizer_and_one_above_the_end_says_so() -> None:
    below, within, above = cuts(BYTE, [255, 260, 999])
    assert below.tokenizer is None
    assert within.tokenizer is not None
    assert within.tokenizer.n_tokens == 260
    assert above.name == "999 (ends at 280)"


def test_the_table_holds_the_measures_of_each_encoding() -> None:
    frame = table([CHAR, BYTE], [60, 270], SENTENCES)
    assert len(frame) == 2 * (2 + 1)  # the byte base has no vocabulary of 60
    row = frame[(frame["sentence"] == "zé 😀") & (frame["base"] == "Character base")].iloc[0]
    encoding = CHAR.tokenizer.with_vocab_size(60).encode("zé 😀")
    assert row["tokens"] == len(encoding.ids)
    assert row["unknowns"] == 2  # z and the emoji were never seen
    assert not row["round trip"]
    last = frame.iloc[-1]
    assert last["base"] == "Byte base"
    assert last["unknowns"] == 0
    assert last["round trip"]
    assert last["bytes per token"] == len("zé 😀".encode()) / last["tokens"]


def test_totals_add_up() -> None:
    frame = table([CHAR, BYTE], [60, 270], SENTENCES)
    added = totals(frame, SENTENCES)
    assert list(added["tokens"]) == [
        frame[(frame["base"] == base) & (frame["size asked for"] == size)]["tokens"].sum()
        for base, size in zip(added["base"], added["size asked for"], strict=True)
    ]
    assert list(added["round trips"]) == [1, 1, 2]

    # Both sizes are beyond what the corpus gives: still a row each, and nothing twice.
    assert list(totals(table([BYTE], [900, 990], [" the"]), [" the"])["tokens"]) == [1, 1]


def test_sentences_of_no_tokens_have_no_ratios() -> None:
    run = bpe.train(TEXT, base="byte", pattern="whitespace", vocab_size=270)
    added = totals(table([run], [270], ["  "]), ["  "])
    assert list(added["tokens"]) == [0]
    assert added[["bytes per token", "characters per token"]].isna().all(axis=None)


def test_the_curve_ends_at_the_tokens_of_the_whole_vocabulary() -> None:
    sizes, tokens = curve(BYTE, SENTENCES)
    assert (sizes[0], sizes[-1]) == (256, 280)
    assert tokens[0] == sum(len(sentence.encode()) for sentence in SENTENCES)
    assert tokens[-1] == sum(len(BYTE.tokenizer.encode(s).ids) for s in SENTENCES)


def test_rows_stand_by_sentence_base_and_size() -> None:
    blocks = token_blocks([CHAR, BYTE], [270], SENTENCES)
    assert [block.title for block in blocks] == SENTENCES
    assert [column.name for column in blocks[0].columns] == ["Character base", "Byte base"]
    assert [row.name for row in blocks[0].columns[1].rows] == ["270"]
