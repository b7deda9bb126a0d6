"""The chip, the list of tokenizers, settings and jobs, as a page uses them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.training_job import THREAD_PREFIX

SMALL_APP = Path(__file__).parent / "apps" / "small_app.py"


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(SMALL_APP, default_timeout=20).run()


def click(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click()
    app.run()
    assert not app.exception
    return app


def names(app: AppTest) -> list[str]:
    return [entry.name for entry in app.session_state["_tokenizers"].entries]


def chip(app: AppTest) -> str:
    label: str = app.get("popover")[0].proto.popover.label
    return label


def type_name(app: AppTest, name: str) -> AppTest:
    next(field for field in app.text_input if field.label == "Name").set_value(name)
    return app


def test_without_a_tokenizer_the_chip_says_what_to_do(app: AppTest) -> None:
    assert chip(app) == "No tokenizer yet"
    assert app.selectbox[0].value is None
    assert "train one" in app.markdown[0].value
    assert not app.exception


def test_the_chip_shows_what_was_just_trained(app: AppTest) -> None:
    """Ten base letters and ten merges are 20 tokens."""
    click(app, "Train")
    assert chip(app) == "**Latest training** character base · gpt2 · 20 tokens"
    assert app.selectbox[0].label == "Current tokenizer"
    assert r"from Words \*of\* the lesson" in app.caption[0].value


def test_a_bundled_tokenizer_is_chosen_from_the_list_and_stays_as_it_is(app: AppTest) -> None:
    app.selectbox[0].select("r50k_base").run()
    assert chip(app) == r"**GPT\-2 \(r50k\_base\)** byte base · gpt2 · 50,257 tokens"
    assert not [field for field in app.text_input if field.label == "Name"]
    assert not [button for button in app.button if button.label in ("Rename", "Keep", "Delete")]
    assert names(app) == []


def test_training_again_after_a_bundled_one_was_chosen_keeps_the_choice(app: AppTest) -> None:
    click(app, "Train")
    app.selectbox[0].select("r50k_base").run()
    click(app, "Train")
    assert "50,257 tokens" in chip(app)
    assert names(app) == ["Latest training"]


def test_a_kept_tokenizer_stays_when_another_is_trained(app: AppTest) -> None:
    click(app, "Train")
    click(type_name(app, "ten *merges*"), "Keep")
    assert chip(app).startswith(r"**ten \*merges\*** ")
    app.number_input[0].set_value(3)
    click(app, "Train")
    assert names(app) == ["Latest training", "ten *merges*"]
    assert "13 tokens" in chip(app)


def test_training_the_same_again_keeps_the_choice(app: AppTest) -> None:
    click(app, "Train")
    click(type_name(app, "kept"), "Keep")
    app.number_input[0].set_value(3)
    click(app, "Train")
    app.selectbox[0].select("tokenizer-1").run()
    click(app, "Train")
    assert chip(app).startswith("**kept**")
    assert app.selectbox[0].value == "tokenizer-1"


def test_a_name_that_is_taken_is_refused_in_place(app: AppTest) -> None:
    click(app, "Train")
    click(type_name(app, "kept"), "Keep")
    click(app, "Import")
    click(type_name(app, "kept"), "Rename")
    assert app.error[0].value == "The name “kept” is taken\\; choose another\\."
    assert names(app) == ["kept", "<b>Bytes</b>"]
    click(type_name(app, "other"), "Rename")
    assert not app.error
    assert names(app) == ["kept", "other"]


def test_the_current_tokenizer_can_be_deleted_and_brought_back(app: AppTest) -> None:
    click(app, "Train")
    click(app, "Import")
    click(app, "Delete")
    assert names(app) == ["Latest training"]
    assert chip(app).startswith("**Latest training**")
    click(app, r"Undo: delete \<b\>Bytes\<\/b\>")
    assert chip(app).startswith(r"**\<b\>Bytes\<\/b\>** byte base · ")


def test_deleting_the_last_tokenizer_leaves_the_empty_chip(app: AppTest) -> None:
    click(app, "Train")
    click(app, "Delete")
    assert chip(app) == "No tokenizer yet"


def test_reset_settings_gives_the_defaults_and_keeps_what_was_typed(app: AppTest) -> None:
    app.number_input[0].set_value(3)
    app.text_area[0].set_value("my text").run()
    click(app, "Reset settings")
    assert app.number_input[0].value == 10
    assert app.text_area[0].value == "my text"


@pytest.fixture
def no_thread_is_left() -> Iterator[None]:
    yield
    left = [t for t in threading.enumerate() if t.name.startswith(THREAD_PREFIX)]
    for thread in left:
        thread.join(10)
    assert [thread for thread in left if thread.is_alive()] == []


@pytest.mark.usefixtures("no_thread_is_left")
def test_a_job_shows_its_progress_and_can_be_cancelled(app: AppTest) -> None:
    click(app, "Start")
    app.session_state["_jobs"]["demo"].wait(0.1)
    app.run()
    progress = app.get("progress")[0].proto
    assert progress.text == "Training: merging pairs, 1,200 of 5,000 merges"
    assert progress.value == 24
    click(app, "Cancel")
    assert app.text[0].value == "cancelled: True"


@pytest.mark.usefixtures("no_thread_is_left")
def test_a_new_job_in_a_slot_stops_the_one_that_runs(app: AppTest) -> None:
    click(app, "Start")
    first = app.session_state["_jobs"]["demo"]
    click(app, "Start")
    assert app.session_state["_jobs"]["demo"] is first, "the same inputs: the work goes on"
    click(app, "Start another")
    assert first.wait(10)
    assert first.cancelled
    click(app, "Cancel")
