"""The Train page as Python makes it: what is trained, from what, and with which settings."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from pages.ui import state
from tests.app.opened import (
    HOSTILE,
    captions,
    current_run,
    go,
    messages,
    one,
    open_page,
    press,
    put,
    rules,
    stage,
)

LESSON = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
# The lesson, counted by hand: e+s in newest 6 and widest 3 is 9, and so on.
LESSON_MERGES = [
    ("e", "s", 9),
    ("es", "t", 9),
    ("l", "o", 7),
    ("lo", "w", 7),
    ("e", "w", 6),
    ("ew", "est", 6),
    ("n", "ewest", 6),
]


def open_train(**query: str) -> AppTest:
    return open_page("train", **query)


def paste(app: AppTest, text: str) -> AppTest:
    put(app, "segmented_control", "Corpus", "paste")
    return put(app, "text_area", "Training text", text)


def type_counts(app: AppTest, text: str) -> AppTest:
    put(app, "segmented_control", "Corpus", "word_counts")
    return put(app, "text_area", "Words and counts", text)


def test_a_page_just_opened_has_trained_the_lesson() -> None:
    app = open_train()
    run = current_run(app)
    assert rules(run)[:7] == LESSON_MERGES
    assert [step.tied for step in run.steps[:7]] == [2, 1, 2, 1, 3, 2, 1]
    assert "21 = 1 special token + 10 characters + 10 merges" in captions(app)
    assert messages(app) == ""


def test_the_stage_is_sent_the_merges_of_the_run() -> None:
    app = open_train()
    sent = stage(app)
    assert (sent["n_steps"], sent["base_size"], sent["tokens_at_start"]) == (10, 11, 79)
    run = current_run(app)
    assert [(*s["pair"], s["token"], s["count"]) for s in sent["steps"]] == [
        (*step.pair, step.token_id, step.count) for step in run.steps
    ]
    assert [word[:2] for word in sent["words"]] == [
        ["newest", 6],
        ["low", 5],
        ["widest", 3],
        ["lower", 2],
    ]


def test_the_merge_list_holds_every_merge() -> None:
    frame = open_train().dataframe[0].value
    assert list(frame["merge"]) == list(range(1, 11))
    assert list(zip(frame["left"], frame["right"], frame["count"], strict=True))[:7] == (
        LESSON_MERGES
    )
    assert list(frame["pairs at this count"])[:7] == [2, 1, 2, 1, 3, 2, 1]
    assert list(frame["token"])[:3] == ["es", "est", "lo"]


def test_the_sentence_goes_to_the_stage_in_base_symbols_and_merges() -> None:
    """newer is n, ew, e, r at last: of all merges only e+w stands in it."""
    app = put(open_train(), "text_input", "Your sentence", "newer")
    sentence = stage(app)["sentence"]
    assert sentence["text"] == "newer"
    assert [len(ids) for ids in sentence["pre_tokens"]] == [5]
    assert sentence["events"] == [[4, 0, 1]]


def test_a_sentence_without_words_takes_nothing_away() -> None:
    app = put(open_train(), "text_input", "Your sentence", "   ")
    assert stage(app)["sentence"] is None
    assert stage(app)["n_steps"] == 10


def test_word_counts_are_trained_as_they_are_typed() -> None:
    """hug, pug, pun, bun, hugs: the pair u+g stands in hug 10, pug 5 and hugs 5."""
    app = type_counts(open_train(), "hug 10\npug 5\npun 12\nbun 4\nhugs 5")
    assert rules(current_run(app))[:6] == [
        ("u", "g", 20),
        ("u", "n", 16),
        ("h", "ug", 15),
        ("p", "un", 12),
        ("hug", "s", 5),
        ("p", "ug", 5),
    ]
    assert "5 words, 36 occurrences in all" in captions(app)


def test_pasted_text_is_trained_on() -> None:
    app = paste(open_train(), "to be or not to be")
    assert current_run(app).word_counts == {"to": 2, "be": 2, "or": 1, "not": 1}
    assert "18 bytes, 18 characters, 1 line" in captions(app)
    assert stage(app)["n_words"] == 4


def test_bytes_and_characters_of_pasted_text_are_both_counted() -> None:
    assert "6 bytes, 5 characters, 1 line" in captions(paste(open_train(), "héllo"))


def test_every_setting_reaches_the_training() -> None:
    app = open_train()
    put(app, "segmented_control", "Base", "byte")
    put(app, "selectbox", "Pattern", "cl100k")
    put(app, "multiselect", "Normalizer", ["nfc", "lowercase"])
    put(app, "text_input", "End-of-word marker", "</w>")
    put(app, "selectbox", "Ties", "gpt2_byte_ids")
    put(app, "number_input", "Minimum count", 2)
    put(app, "text_area", "Special tokens", "<|endoftext|>\n<|pad|>")
    put(app, "number_input", "Merges", 3)
    paste(app, "Low low LOW lower")
    config = current_run(app).config
    assert config == bpe.TrainerConfig(
        base="byte",
        pattern="cl100k",
        normalizer=("nfc", "lowercase"),
        end_of_word="</w>",
        tie_break="gpt2_byte_ids",
        min_frequency=2,
        special_tokens=("<|endoftext|>", "<|pad|>"),
        num_merges=3,
    )
    assert "262 = 2 special tokens + 256 bytes + 1 marker + 3 merges" in captions(app)


@pytest.mark.parametrize(
    ("rule", "fifth"),
    [
        ("lexicographic", ("e", "w")),
        ("lexicographic_max", ("w", "est")),
        ("first_seen", ("n", "e")),
        ("lowest_ids", ("e", "w")),
    ],
)
def test_the_rule_of_ties_decides_the_fifth_merge(rule: str, fifth: tuple[str, str]) -> None:
    """Before the fifth merge n+e, e+w and w+est stand at 6, all in newest."""
    app = put(open_train(), "selectbox", "Ties", rule)
    run = current_run(app)
    assert run.config.tie_break == rule
    assert run.pair_counts(4)[fifth] == 6
    assert (run.steps[4].left, run.steps[4].right) == fifth


def test_a_rule_for_bytes_gives_way_when_the_base_has_characters() -> None:
    app = open_train(base="byte", tie_break="gpt2_byte_ids")
    assert current_run(app).config.tie_break == "gpt2_byte_ids"
    put(app, "segmented_control", "Base", "char")
    assert current_run(app).config.tie_break == "lexicographic"


def test_a_regular_expression_of_ones_own_cuts_the_text() -> None:
    app = paste(open_train(), "a1b22")
    put(app, "selectbox", "Pattern", "custom")
    put(app, "text_input", "Regular expression", r"\d")
    run = current_run(app)
    assert run.config.pattern == r"\d"
    assert run.word_counts == {"a": 1, "1": 1, "b": 1, "2": 2}


def test_a_link_keeps_what_differs_from_our_defaults() -> None:
    """Zero merges and no unknown token are Streamlit's defaults, not ours."""
    app = open_train(unknown_token="false", num_merges="0")
    assert app.query_params["unknown_token"] == "false"
    assert app.query_params["num_merges"] == "0"
    assert "10 = 10 characters + 0 merges" in captions(app)


def test_the_last_training_stays_until_a_regular_expression_is_typed() -> None:
    app = put(open_train(), "selectbox", "Pattern", "custom")
    assert "Type a regular expression" in messages(app)
    assert one(app, "button", "Train").disabled
    assert current_run(app).config.pattern == "whitespace"


def test_a_sample_is_one_click_away_where_there_is_no_text_yet() -> None:
    app = open_train(corpus="paste")
    one(app, "button", "Use a sample instead").click().run()
    assert current_run(app).word_counts == {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def test_without_an_unknown_token_the_vocabulary_is_one_smaller() -> None:
    app = open_train()
    one(app, "checkbox", "Unknown token").uncheck().run()
    assert current_run(app).config.unknown_token is None
    assert "20 = 10 characters + 10 merges" in captions(app)


def test_the_size_can_be_that_of_the_vocabulary() -> None:
    app = put(open_train(), "segmented_control", "Size by", "vocab")
    put(app, "number_input", "Vocabulary size", 18)
    assert current_run(app).config.vocab_size == 18
    assert rules(current_run(app)) == LESSON_MERGES
    assert "18 = 1 special token + 10 characters + 7 merges" in captions(app)


def test_no_merges_are_a_training_too() -> None:
    app = put(open_train(), "number_input", "Merges", 0)
    assert stage(app)["steps"] == []
    assert "11 = 1 special token + 10 characters + 0 merges" in captions(app)


def test_a_link_brings_its_settings() -> None:
    app = open_train(base="byte", pattern="gpt2", num_merges="300", sample="hug")
    run = current_run(app)
    assert (run.config.base, run.config.pattern, run.config.num_merges) == ("byte", "gpt2", 300)
    assert run.word_counts == {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def test_a_link_brings_all_other_settings_too() -> None:
    app = open_train(
        size_by="vocab",
        vocab_size="20",
        min_frequency="2",
        tie_break="first_seen",
        end_of_word="</w>",
        special_tokens="<|end|>",
        pattern="custom",
        regex=r"\w+",
        normalizer="nfkc,lowercase,bogus",
    )
    assert app.query_params["normalizer"] == "nfkc,lowercase"
    assert current_run(app).config == bpe.TrainerConfig(
        base="char",
        vocab_size=20,
        min_frequency=2,
        tie_break="first_seen",
        end_of_word="</w>",
        unknown_token="[UNK]",
        special_tokens=("<|end|>",),
        pattern=r"\w+",
        normalizer=("nfkc", "lowercase"),
    )


@pytest.mark.parametrize("size", ["abc", "1e9", "-1", "50001", "<img>", ""])
def test_a_size_in_a_link_that_is_none_gives_the_default(size: str) -> None:
    app = open_train(num_merges=size)
    assert one(app, "number_input", "Merges").value == 10
    assert len(current_run(app).steps) == 10


@pytest.mark.parametrize("name", ["corpus", "sample", "base", "pattern", "size_by", "tie_break"])
@pytest.mark.parametrize("value", ["<img>", "__proto__"])
def test_a_choice_in_a_link_that_is_none_gives_the_default(name: str, value: str) -> None:
    app = open_train(**{name: value})
    assert rules(current_run(app))[:7] == LESSON_MERGES
    assert name not in app.query_params


def test_reset_settings_gives_the_defaults_and_keeps_what_was_typed() -> None:
    app = paste(open_train(base="byte", pattern="gpt2", num_merges="3"), "low lower")
    put(app, "text_input", "Your sentence", "my own")
    put(app, "multiselect", "Normalizer", ["nfc"])
    press(app, "Reset settings")
    assert rules(current_run(app))[:7] == LESSON_MERGES
    assert current_run(app).config.normalizer == ()
    assert one(app, "text_input", "Your sentence").value == "my own"
    put(app, "segmented_control", "Corpus", "paste")
    assert one(app, "text_area", "Training text").value == "low lower"


def test_settings_and_texts_are_there_when_one_comes_back() -> None:
    app = paste(open_train(), "low lower lowest")
    put(app, "segmented_control", "Base", "byte")
    put(app, "number_input", "Merges", 4)
    put(app, "text_input", "Your sentence", "lowly")
    before = current_run(app)
    go(go(app, "home"), "train")
    assert one(app, "text_area", "Training text").value == "low lower lowest"
    assert one(app, "segmented_control", "Base").value == "byte"
    assert one(app, "number_input", "Merges").value == 4
    assert one(app, "text_input", "Your sentence").value == "lowly"
    assert current_run(app) is before


def test_what_was_trained_is_current_on_encode() -> None:
    app = paste(open_train(), "hum hum humble")
    app.session_state[state.ENCODE_TEXT] = "hum"
    go(app, "encode")
    figures = {metric.label: metric.value for metric in app.metric}
    assert figures["Tokens"] == "1"


def test_a_named_tokenizer_stays_when_one_trains_again() -> None:
    app = put(open_train(), "text_input", "Name", "first")
    press(app, "Keep")
    paste(app, "other words")
    assert [entry.name for entry in app.session_state["_tokenizers"].entries] == [
        "Latest training",
        "first",
    ]
    one(app, "selectbox", "Current tokenizer").set_value(
        app.session_state["_tokenizers"].entries[1].entry_id
    ).run()
    assert rules(current_run(app))[:7] == LESSON_MERGES


def test_a_tokenizer_can_be_renamed_deleted_and_brought_back() -> None:
    app = press(put(open_train(), "text_input", "Name", "first"), "Keep")
    press(put(app, "text_input", "Name", "second"), "Rename")
    assert [entry.name for entry in app.session_state["_tokenizers"].entries] == ["second"]
    press(app, "Delete")
    assert "second" not in [e.name for e in app.session_state["_tokenizers"].entries]
    press(app, "Undo: delete second")
    assert "second" in [e.name for e in app.session_state["_tokenizers"].entries]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_means_something_elsewhere_is_only_text(text: str) -> None:
    app = paste(open_train(pattern="none"), text)
    run = current_run(app)
    assert list(run.word_counts) == [text]
    assert run.tokenizer.decode(run.tokenizer.encode(text).ids) == text
    put(app, "text_input", "Your sentence", text)
    assert stage(app)["sentence"]["text"] == text
    put(app, "segmented_control", "Base", "byte")
    assert not app.error


@pytest.mark.parametrize("text", HOSTILE)
def test_text_that_means_something_elsewhere_may_be_a_word_and_a_token(text: str) -> None:
    word = text.split()[0]
    app = type_counts(open_train(), f"{word} 3\nlow 5")
    assert current_run(app).word_counts == {word: 3, "low": 5}
    put(app, "text_area", "Special tokens", word)
    put(app, "text_input", "End-of-word marker", word[::-1][:20])
    assert any(entry.tokenizer.special_tokens.get(word) for entry in entries(app))


def entries(app: AppTest) -> Any:
    return app.session_state["_tokenizers"].entries
