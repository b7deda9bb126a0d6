"""Home as Python makes it: a small corpus already merging, and three doors."""

from __future__ import annotations

import json

from pages.ui.home_trace import home_run, home_trace
from pages.ui.trace import build_trace
from tests.app.opened import captions, messages, open_page, stage, training_threads


def test_the_trace_in_its_file_is_that_of_a_training_made_now() -> None:
    """If this fails after a change to traces, run `python -m pages.ui.home_trace`."""
    assert json.loads(home_trace()) == json.loads(json.dumps(build_trace(home_run())))


def test_the_first_screen_is_the_lesson_and_plays_by_itself() -> None:
    """low 5, lower 2, newest 6, widest 3: seven merges whose counts are known by hand."""
    sent = stage(open_page("home"))
    assert [step["count"] for step in sent["steps"]] == [9, 9, 7, 7, 6, 6, 6]
    assert [step["tied"] for step in sent["steps"]] == [2, 1, 2, 1, 3, 2, 1]
    assert sent["autoplay"] is True
    assert {label: count for label, count, _ in sent["words"]} == {
        "low": 5,
        "lower": 2,
        "newest": 6,
        "widest": 3,
    }


def test_home_trains_nothing() -> None:
    app = open_page("home")
    assert training_threads() == []
    assert "_tokenizers" not in app.session_state
    assert messages(app) == ""


def test_three_doors_lead_into_the_app() -> None:
    app = open_page("home")
    links = [link.proto for link in app.get("page_link")]
    assert [link.label for link in links] == [
        "**Train on your text**",
        "**Encode a sentence**",
        "**Compare**",
    ]
    assert [link.page for link in links] == ["train", "encode", "compare"]
    assert sum(bool(caption) for caption in captions(app)) == 4
