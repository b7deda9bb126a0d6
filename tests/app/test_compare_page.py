"""The Compare page as Python makes it: both bases of one corpus at sizes one picks."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import bpe
from bpe.samples import SAMPLES, SENTENCES
from pages.ui.compare_controls import PRESETS
from tests.app.opened import (
    HOSTILE,
    component,
    go,
    messages,
    one,
    open_page,
    press,
    put,
    training_threads,
    wait_until_stopped,
)
from tests.held_trainings import HeldTrainings

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def open_compare(**query: str) -> AppTest:
    """Open the page on the five words hug … hugs, whose vocabularies are small."""
    return open_page("compare", **{"compare_corpus": "hug", "sizes": "9 11 258", **query})


def sentences(app: AppTest, text: str) -> AppTest:
    return put(app, "text_area", "Sentences", text)


def by_sentence(app: AppTest) -> pd.DataFrame:
    frame: pd.DataFrame = app.dataframe[1].value
    return frame


def in_all(app: AppTest) -> pd.DataFrame:
    frame: pd.DataFrame = app.dataframe[0].value
    return frame


def blocks(app: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(component(app, "token_view"))["blocks"]
    return found


def test_bun_bug_and_pugs_are_cut_as_in_the_lesson() -> None:
    """At 14 (with an unknown token): bun = b, un; bug = b, ug; pugs = pug, s; zip has two unknowns.

    In bytes nothing is merged at 256, so each letter is a token; nothing is unknown.
    """
    app = sentences(open_compare(sizes="14 256"), "bun\nbug\npugs\nzip")
    rows = by_sentence(app)
    cut = rows[(rows["base"] == "Character base") & (rows["size asked for"] == 14)]
    assert list(cut["tokens"]) == [2, 2, 2, 3]
    assert list(cut["unknowns"]) == [0, 0, 0, 2]
    assert list(cut["vocabulary size"]) == [14] * 4
    raw = rows[rows["base"] == "Byte base"]
    assert list(raw["tokens"]) == [3, 3, 4, 3]
    assert list(raw["unknowns"]) == [0, 0, 0, 0]


def test_the_table_holds_what_the_engine_gives() -> None:
    app = sentences(open_compare(), "hugs pun\nhéllo")
    expected = []
    for sentence in ("hugs pun", "héllo"):
        for base, unknown in (("char", "[UNK]"), ("byte", None)):
            run = bpe.train(HUGS, base=base, vocab_size=258, unknown_token=unknown)
            floor = run.tokenizer.n_tokens - len(run.steps)
            for size in (9, 11, 258):
                if size >= floor:
                    tokenizer = run.tokenizer.with_vocab_size(size)
                    ids = tokenizer.encode(sentence).ids
                    n_bytes = len(sentence.encode())
                    expected.append(
                        (sentence, size, tokenizer.n_tokens, len(ids), n_bytes / len(ids))
                    )
    rows = by_sentence(app)
    columns = ["sentence", "size asked for", "vocabulary size", "tokens", "bytes per token"]
    assert list(rows[columns].itertuples(index=False, name=None)) == expected
    assert len(blocks(app)) == 2


def test_all_sentences_together_add_up() -> None:
    app = sentences(open_compare(), "hugs pun\nhéllo\nbun")
    together, rows = in_all(app), by_sentence(app)
    for _, row in together.iterrows():
        same = rows[(rows["base"] == row["base"]) & (rows["size asked for"] == row.iloc[1])]
        assert row["tokens"] == same["tokens"].sum()
        assert row["bytes per token"] == pytest.approx(17 / row["tokens"])  # 8 + 6 + 3 bytes
        assert row["characters per token"] == pytest.approx(16 / row["tokens"])


def test_the_rows_hold_the_ids_of_the_sentence_at_each_size() -> None:
    app = sentences(open_compare(), "hugs")
    [block] = blocks(app)
    for column, base, unknown in zip(
        block["columns"], ("char", "byte"), ("[UNK]", None), strict=True
    ):
        run = bpe.train(HUGS, base=base, vocab_size=258, unknown_token=unknown)
        sizes = [size for size in (9, 11, 258) if size >= run.tokenizer.n_tokens - len(run.steps)]
        assert [row["tokens"][::5] for row in column["rows"]] == [
            run.tokenizer.with_vocab_size(size).encode("hugs").ids for size in sizes
        ]


def test_what_each_base_starts_from_is_told() -> None:
    """b, g, h, n, p, s, u are seven characters."""
    told = [text.value for text in open_compare().markdown]
    assert "**Character base**: starts from 7 characters and the unknown token." in told
    assert "**Byte base**: starts from 256 bytes." in told


def test_a_size_below_a_base_is_left_out_there_and_said_so() -> None:
    app = open_compare(sizes="4 9 300")
    assert "Left out here: 4. A vocabulary cannot be smaller than the 8 tokens" in messages(app)
    assert "Left out here: 4, 9. A vocabulary cannot be smaller than the 256 tokens" in (
        messages(app)
    )
    assert set(by_sentence(app)["size asked for"]) == {9, 300}


def test_only_sizes_below_every_base_leave_a_message() -> None:
    app = open_compare(sizes="2")
    assert "No size that was asked for is large enough" in messages(app)
    assert not app.dataframe


def test_a_size_never_reached_says_where_it_ends() -> None:
    """Seven letters, the unknown token, and at most seven merges."""
    app = open_compare(sizes="300")
    assert "The corpus gives no more than 15 tokens" in messages(app)
    assert set(by_sentence(app)["vocabulary size"]) == {15, 263}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("abc", "“abc” is no vocabulary size"),
        ("300 -1", "“-1” is no vocabulary size"),
        ("300 1e9", "“1e9” is no vocabulary size"),
        ("0", "“0” is no vocabulary size"),
        ("50001", "“50001” is no vocabulary size"),
        ("<b> $x$", "“<b>” is no vocabulary size"),
        ("1 2 3 4 5 6 7", "At most 6 sizes can stand side by side, not 7"),
        ("", "Write a vocabulary size"),
    ],
)
def test_sizes_that_are_none_are_named_in_place(typed: str, told: str) -> None:
    app = put(open_compare(), "text_input", "Vocabulary sizes", typed)
    assert told in messages(app)
    assert one(app, "button", "Train").disabled
    assert not app.dataframe


def test_sizes_are_read_in_any_order_and_each_once() -> None:
    app = put(open_compare(), "text_input", "Vocabulary sizes", "258, 9 11,9")
    assert list(dict.fromkeys(in_all(app)["size asked for"])) == [9, 11, 258]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_fills_the_sentences(preset: str) -> None:
    app = put(open_compare(), "pills", "Preset", preset)
    text = "\n".join(SENTENCES[preset])
    assert one(app, "text_area", "Sentences").value == text
    lines = [line for line in text.split("\n") if line]
    assert list(dict.fromkeys(by_sentence(app)["sentence"])) == lines


def test_the_first_preset_has_several_scripts_code_numbers_and_emoji() -> None:
    """What makes one bit of everything: letters of four scripts, braces, digits, an emoji."""
    text = one(open_compare(), "text_area", "Sentences").value
    for sample in ("т", "生", "स", "و", "{", "4", "\U0001f468"):
        assert sample in text


def test_sentences_of_ones_own_stay_when_one_comes_back() -> None:
    app = sentences(open_compare(), "my own\nsentences")
    go(go(app, "home"), "compare")
    assert one(app, "text_area", "Sentences").value == "my own\nsentences"


def test_no_sentence_says_what_to_do() -> None:
    app = sentences(open_compare(), "\n\n")
    assert "Type a sentence to compare, one a line, or choose a preset." in messages(app)
    assert not app.dataframe


def test_what_was_trained_on_can_be_compared() -> None:
    app = open_page("train")
    put(app, "segmented_control", "Corpus", "paste")
    put(app, "text_area", "Training text", "hum hum humble bumble")
    go(app, "compare")
    put(app, "selectbox", "Corpus", "own")
    put(app, "selectbox", "Pattern", "whitespace")
    put(app, "text_input", "Vocabulary sizes", "10")
    sentences(app, "humble")
    [row] = by_sentence(app).to_dict("records")
    tokenizer = bpe.train(
        "hum hum humble bumble",
        base="char",
        pattern="whitespace",
        vocab_size=10,
        unknown_token="[UNK]",
    ).tokenizer
    assert row["tokens"] == len(tokenizer.encode("humble").ids)


def test_without_a_training_a_link_to_ones_own_corpus_gives_the_default() -> None:
    app = open_page("compare", compare_corpus="own", sizes="1200")
    assert one(app, "selectbox", "Corpus").value == "languages"
    press(put(app, "selectbox", "Corpus", "hug"), "Train")
    wait_until_stopped()


@pytest.mark.parametrize("name", ["compare_corpus", "compare_pattern", "preset"])
def test_a_choice_in_a_link_that_is_none_gives_the_default(name: str) -> None:
    query = {"compare_corpus": "hug", "sizes": "1200", name: "<img src=x>"}
    app = open_page("compare", **query)
    defaults = {"compare_corpus": "languages", "compare_pattern": "gpt2", "preset": "mixed"}
    key = {"compare_corpus": "Corpus", "compare_pattern": "Pattern"}.get(name)
    widget = one(app, "selectbox", key) if key else one(app, "pills", "Preset")
    assert widget.value == defaults[name]
    assert name not in app.query_params
    put(app, "selectbox", "Corpus", "hug")
    wait_until_stopped()


def test_reset_settings_gives_the_defaults_and_keeps_the_sentences() -> None:
    app = sentences(open_compare(compare_pattern="none"), "my own")
    assert one(app, "pills", "Preset").value == "own"
    press(app, "Reset settings")
    assert one(app, "pills", "Preset").value == "own"
    assert one(app, "selectbox", "Corpus").value == "languages"
    assert one(app, "selectbox", "Pattern").value == "gpt2"
    assert one(app, "text_input", "Vocabulary sizes").value == "1500 2500 4000"
    assert one(app, "text_area", "Sentences").value == "my own"
    put(app, "selectbox", "Corpus", "hug")
    wait_until_stopped()


def test_another_corpus_stops_the_training_of_the_old_one(trainings: HeldTrainings) -> None:
    app = open_compare()
    trainings.hold()
    put(app, "selectbox", "Corpus", "shakespeare")
    assert len(training_threads()) == 1
    press(app, "Cancel")
    wait_until_stopped()
    app.run()
    assert "Training was cancelled" in messages(app)
    assert training_threads() == []
    press(app, "Train")
    assert len(training_threads()) == 1
    trainings.let_go()
    put(app, "selectbox", "Corpus", "hug")
    wait_until_stopped()
    assert not app.dataframe[0].value.empty


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_means_something_elsewhere_is_only_text(text: str) -> None:
    app = sentences(open_compare(), text)
    assert list(dict.fromkeys(by_sentence(app)["sentence"])) == [text]
    [block] = blocks(app)
    for column in block["columns"]:
        for row in column["rows"]:
            drawn = "".join(s if isinstance(s, str) else s[0] for s in row["segments"])
            assert drawn == text


def test_every_sample_can_be_compared() -> None:
    options = one(open_compare(), "selectbox", "Corpus").options
    assert options == [sample.title for sample in SAMPLES.values()]
