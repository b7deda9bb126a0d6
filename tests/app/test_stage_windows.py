"""Another window of a long run is made beside the page, which stays as it is until it is there."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import stage_windows, state, training
from pages.ui.trace import trace_json
from tests.app.opened import (
    PATIENCE_SECONDS,
    current_run,
    messages,
    n_stages,
    one,
    open_page,
    press,
    put,
    rules,
    run_until_trained,
    stage,
    training_threads,
)

Progress = Callable[[str, int, int], bool]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let no window get ready, as in a very large run, until something is in this list."""
    ready: list[str] = []

    def wait_and_trace(run: object, start: int = 0, *, progress: Progress) -> bytes:
        while not ready:
            progress("trace", 3, 5)
            time.sleep(0.01)
            if not progress("trace", 3, 5):
                raise stage_windows.background.TrainingCancelled("stopped")
        return trace_json(run, start)  # type: ignore[arg-type]

    monkeypatch.setattr(stage_windows, "trace_json", wait_and_trace)
    monkeypatch.setattr(training, "trace_json", wait_and_trace)
    monkeypatch.setattr(stage_windows, "window_start", lambda step: step // 5 * 5)
    monkeypatch.setattr(stage_windows.background, "_PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(stage_windows.background, "_SHORT_SECONDS", 0.05)
    return ready


def ask(app: AppTest, step: int) -> AppTest:
    """Go to a merge as the merge list does."""
    run = current_run(app)
    kept = app.session_state["_locals"]
    kept[state.STAGE_GOTO] = (run.fingerprint, (step, 99))
    kept[state.STAGE_WANTED] = (run.fingerprint, True)
    kept[state.STAGE_WINDOW] = (run.fingerprint, stage_windows.window_start(step))
    app.run()
    assert not app.exception
    return app


def test_the_stage_keeps_its_window_until_another_one_is_there(slow: list[str]) -> None:
    """Windows of five merges: the second is asked for, cancelled, and asked for again."""
    slow.append("now")
    app = open_page("train")
    slow.clear()
    before = stage(app)["goto"]
    ask(app, 8)
    assert (stage(app)["start"], stage(app)["goto"]) == (0, before)
    assert one(app, "button", "Cancel")
    assert len(app.tabs) == 4  # the panels below are there as before
    press(app, "Cancel")
    assert "getting other merges was cancelled" in messages(app)
    for _ in range(2):
        assert stage(app)["start"] == 0
        assert stage(app)["goto"][0] is None  # so that it does not wait any more
        app.run()
    assert messages(app) == ""
    assert training_threads() == []
    ask(app, 7)
    slow.append("now")
    run_until_trained(app)
    assert (stage(app)["start"], stage(app)["stop"]) == (5, 10)
    assert stage(app)["goto"] == [7, 99]
    assert messages(app) == ""


def run_until_animated(app: AppTest) -> None:
    """Run the page until the job on it makes the animation."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up:
        if any("making the animation" in bar.proto.text for bar in app.get("progress")):
            return
        app.run()
    pytest.fail("no animation is made")


def test_a_training_is_kept_when_its_animation_is_cancelled(slow: list[str]) -> None:
    """It is made when it is asked for, by the button or by a row of the merge list."""
    slow.append("now")
    app = open_page("train")
    slow.clear()
    put(app, "number_input", "Merges", 2)
    put(app, "segmented_control", "Corpus", "paste")
    put(app, "text_area", "Training text", "hug hugs " * 12_000)
    press(app, "Train")
    run_until_animated(app)
    press(app, "Cancel")
    assert rules(current_run(app))[0] == ("h", "u", 24_000)
    assert "its animation is not made" in messages(app)
    assert n_stages(app) == 0
    assert len(app.tabs) == 4
    press(app, "Make the animation")
    run_until_animated(app)
    press(app, "Cancel")
    assert "Making the animation was cancelled" in messages(app)
    app.run()
    assert messages(app) == "The training is there; its animation is not made."
    assert training_threads() == []
    ask(app, 2)
    slow.append("now")
    run_until_trained(app)
    assert stage(app)["n_steps"] == 2
    assert stage(app)["goto"] == [2, 99]
    assert "animation" not in messages(app)
