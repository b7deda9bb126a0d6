"""Tables: every content can be seen, nothing is lost, and CSV is what was in the table."""

from __future__ import annotations

import io
import unicodedata

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import bpe
from pages.ui.tables import hexadecimal, merges_frame, to_csv, visible
from tests.engine.strategies import well_formed_texts

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def test_the_merges_of_the_lesson_corpus_are_listed_with_their_counts() -> None:
    """Golden: e+s 9, es+t 9, l+o 7 (counted by hand: newest 6 + widest 3; low 5 + lower 2)."""
    run = bpe.train(WORDS, base="char", pattern="whitespace", num_merges=3)
    frame = merges_frame(run.tokenizer, run)
    assert list(frame.columns) == (
        [
            "rank",
            "left",
            "right",
            "merged",
            "token_id",
            "count",
            "left_hex",
            "right_hex",
            "merged_hex",
        ]
    )
    rows = frame[frame.columns[:6]].values.tolist()
    assert rows == [
        [0, "e", "s", "es", 10, 9],
        [1, "es", "t", "est", 11, 9],
        [2, "l", "o", "lo", 12, 7],
    ]
    assert frame["merged_hex"].tolist() == ["6573", "657374", "6c6f"]


@given(well_formed_texts)
def test_a_text_is_made_visible_character_by_character(text: str) -> None:
    assert visible(text) == visible(text.encode()) == "".join(visible(char) for char in text)
    stand_ins = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
    for char in text:
        is_seen = unicodedata.category(char)[0] not in "CZ"
        assert visible(char) == (char if is_seen else stand_ins.get(char, f"<U+{ord(char):04X}>"))


def test_without_a_training_the_counts_are_empty() -> None:
    tokenizer = bpe.train(WORDS, base="char", num_merges=2).tokenizer
    assert merges_frame(tokenizer)["count"].isna().all()


def test_a_tokenizer_without_merges_gives_an_empty_table() -> None:
    tokenizer = bpe.train(WORDS, base="char", num_merges=0).tokenizer
    assert merges_frame(tokenizer).empty


def test_the_csv_reads_back_as_the_table() -> None:
    text = 'a "quoted, comma" a "quoted, comma"\nand = a \u2028 line\r\n' * 3
    run = bpe.train(text, base="byte", num_merges=40)
    frame = merges_frame(run.tokenizer, run)
    read = pd.read_csv(io.BytesIO(to_csv(frame)), keep_default_na=False, dtype=str)
    assert read.values.tolist() == frame.astype(str).values.tolist()


@given(st.binary() | st.text())
def test_what_is_written_can_be_seen_and_the_hexadecimal_loses_nothing(
    content: bytes | str,
) -> None:
    """Property: every character of the visible form is printable; the bytes come back."""
    assert all(c.isprintable() and not c.isspace() for c in visible(content))
    expected = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    assert bytes.fromhex(hexadecimal(content)) == expected


def test_stand_ins_are_told_apart() -> None:
    assert visible(" a\tb\r\n\u00a0\x00") == "·a→b␍↵<U+00A0><U+0000>"
    assert visible("é".encode()) == "é"
    assert visible("é".encode()[:1] + b"a") == "<c3>a"
