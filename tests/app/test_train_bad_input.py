"""Bad input on the Train page: a message in place, and nothing typed or trained is lost."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import state
from tests.app.opened import (
    captions,
    current_run,
    messages,
    n_stages,
    one,
    open_page,
    press,
    put,
    run_until_trained,
    stage,
    training_threads,
    wait_until_stopped,
)
from tests.app.test_train_page import LESSON_MERGES, open_train, paste, rules, type_counts
from tests.held_trainings import HeldTrainings

LAST_STAYS = "Below: the last training, which stays until there is a new one."


def assert_lesson_stays(app: AppTest) -> None:
    """The training made before is still on the stage, and said to be the last one."""
    assert stage(app)["n_steps"] == 10
    assert rules(current_run(app))[:7] == LESSON_MERGES
    assert LAST_STAYS in captions(app)


def test_no_text_yet_says_what_to_do() -> None:
    app = put(open_train(), "segmented_control", "Corpus", "paste")
    assert "Paste a text to learn from." in messages(app)
    assert one(app, "button", "Train").disabled
    assert_lesson_stays(app)


@pytest.mark.parametrize("text", [" ", "\n\n \t", "\u3000\u2003"])
def test_blank_text_has_nothing_to_learn_from(text: str) -> None:
    app = paste(open_train(), text)
    assert "there is nothing to learn from" in messages(app)
    assert stage(app)["n_steps"] == 0


def test_a_text_of_one_symbol_has_no_pair() -> None:
    app = paste(open_train(), "a")
    assert "training stopped after 0 merges at 2 tokens" in messages(app)
    assert "no pair is left" in messages(app)
    assert "2 = 1 special token + 1 character + 0 merges" in captions(app)


def test_one_merge_and_one_tie_are_told_in_the_singular() -> None:
    app = paste(open_train(), "aa")
    assert "training stopped after 1 merge at 3 tokens" in messages(app)
    put(app, "number_input", "Merges", 1)
    paste(app, "a")
    assert "1 merge was asked for, but training stopped after 0 merges at 2" in messages(app)
    app = paste(open_train(), "ab bc")
    app.session_state[state.RUN_PANELS] = "Report"
    app.run()
    assert "**1 tie** was decided by the rule" in " ".join(text.value for text in app.markdown)


def test_cancelling_the_first_training_speaks_of_no_result(trainings: HeldTrainings) -> None:
    app = open_page("train", corpus="paste")
    trainings.hold()
    put(app, "text_area", "Training text", LARGE_TEXT)
    press(app, "Train")
    press(app, "Cancel")
    wait_until_stopped()
    app.run()
    assert messages(app) == "Training was cancelled. Press **Train** to start again."
    assert LAST_STAYS not in captions(app)
    assert n_stages(app) == 0


def test_a_size_below_the_base_names_the_number_of_base_symbols() -> None:
    app = open_train(size_by="vocab", vocab_size="3")
    assert "smaller than the 10 base symbols" in messages(app)
    assert stage(app)["steps"] == []


def test_a_size_never_reached_says_where_and_why_it_stopped() -> None:
    """The lesson has 12 merges in all: newest 5, low 2, widest 4 and lower 3, less the shared."""
    app = open_train(num_merges="300")
    assert "300 merges were asked for" in messages(app)
    assert "stopped after 12 merges at 23 tokens: every word is one token" in messages(app)
    app = open_train(num_merges="300", min_frequency="7")
    assert "stopped after 4 merges at 15 tokens: no pair that is left occurs 7 times" in (
        messages(app)
    )


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("low 5\nlower", "Line 2 “lower”: write a word, a space and its count."),
        ("low 5\n\nlow x", "Line 3 “low x”: the count “x” must be a whole number from 1 up"),
        ("low 0", "Line 1 “low 0”"),
        ("low -1", "Line 1 “low -1”"),
        ("low 1e9", "Line 1 “low 1e9”"),
        ("low 1.5", "Line 1 “low 1.5”"),
        ("<b>low</b> $x$", "Line 1 “<b>low</b> $x$”"),
        ("low 9999999999999999999", "with at most 18 digits"),
    ],
)
def test_a_line_of_word_counts_that_is_none_is_named(typed: str, told: str) -> None:
    app = type_counts(open_train(), typed)
    assert told in messages(app)
    assert one(app, "text_area", "Words and counts").value == typed
    assert_lesson_stays(app)


@pytest.mark.parametrize("typed", ["(", "[z-a]", "*", r"(?P<x", "\\"])
def test_a_broken_regular_expression_is_named_with_its_place(typed: str) -> None:
    app = put(open_train(), "selectbox", "Pattern", "custom")
    put(app, "text_input", "Regular expression", typed)
    assert "does not compile" in messages(app)
    assert "position" in messages(app)
    assert one(app, "text_input", "Regular expression").value == typed
    assert_lesson_stays(app)


def test_a_regular_expression_that_never_ends_is_stopped_and_said_to_be() -> None:
    app = open_train()
    put(app, "selectbox", "Pattern", "custom")
    put(app, "text_input", "Regular expression", "(a+)+$")
    paste(app, "a" * 50_000 + "b")
    run_until_trained(app)
    assert "'(a+)+$' took too long at character 0 and was stopped" in messages(app)
    assert_lesson_stays(app)
    put(app, "text_input", "Your sentence", "the message stays")
    assert "took too long" in messages(app)
    put(app, "selectbox", "Pattern", "whitespace")
    assert "took too long" not in messages(app)
    assert list(current_run(app).word_counts) == ["a" * 50_000 + "b"]


def test_a_special_token_listed_twice_is_named() -> None:
    app = put(open_train(), "text_area", "Special tokens", "<|a|>\n<|a|>")
    assert "'<|a|>' is listed twice" in messages(app)
    assert_lesson_stays(app)


def test_a_marker_that_is_a_special_token_too_is_named() -> None:
    app = put(open_train(), "text_area", "Special tokens", "</w>")
    put(app, "text_input", "End-of-word marker", "</w>")
    assert "cannot be both marker and special token" in messages(app)
    assert_lesson_stays(app)


def test_a_sentence_with_an_unseen_character_is_told_so_without_an_unknown_token() -> None:
    app = open_train(unknown_token="false")
    put(app, "text_input", "Your sentence", "zip")
    assert "Your sentence cannot be shown" in messages(app)
    assert stage(app)["sentence"] is None
    assert stage(app)["n_steps"] == 10


# Too large to be trained as settings change.
LARGE_TEXT = "low lower newest widest " * 5_000


def start_long(trainings: HeldTrainings) -> AppTest:
    """Train on a large text; it goes on until it is stopped or let go."""
    app = open_train()
    trainings.hold()
    paste(app, LARGE_TEXT)
    assert training_threads() == []
    assert "Press Train (Ctrl+Enter)" in messages(app).replace("*", "")
    press(app, "Train")
    assert len(training_threads()) == 1
    assert one(app, "button", "Cancel")
    return app


def test_a_training_that_is_cancelled_leaves_the_last_result(trainings: HeldTrainings) -> None:
    app = start_long(trainings)
    assert n_stages(app) == 1
    press(app, "Cancel")
    wait_until_stopped()
    app.run()
    assert "Training was cancelled. Press **Train**" in messages(app)
    put(app, "text_input", "Your sentence", "the message stays")
    assert "Training was cancelled" in messages(app)
    assert LAST_STAYS in captions(app)
    assert one(app, "text_area", "Training text").value == LARGE_TEXT
    press(app, "Train")
    assert len(training_threads()) == 1
    press(app, "Cancel")
    wait_until_stopped()


def test_a_setting_changed_while_training_stops_the_old_training(trainings: HeldTrainings) -> None:
    app = start_long(trainings)
    put(app, "number_input", "Minimum count", 2)
    wait_until_stopped()
    press(app, "Train")
    [second] = training_threads()
    put(app, "segmented_control", "Base", "byte")
    press(app, "Train")
    assert second not in training_threads()
    assert len(training_threads()) == 1
    trainings.let_go()
    put(app, "segmented_control", "Corpus", "sample")
    assert len(current_run(app).steps) == 10  # the lesson in bytes
    assert current_run(app).config.base == "byte"
    wait_until_stopped()


def test_bad_input_while_training_stops_the_training(trainings: HeldTrainings) -> None:
    app = start_long(trainings)
    put(app, "text_area", "Special tokens", "<|a|>\n<|a|>")
    wait_until_stopped()
    assert "is listed twice" in messages(app)


def test_a_page_with_bad_input_can_be_opened_by_its_link() -> None:
    app = open_page("train", pattern="custom", regex="(", special_tokens="a")
    assert "does not compile" in messages(app)
    assert n_stages(app) == 0
