"""A page of the app, opened from its entry, and what the tests read off it."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

import bpe
from pages.ui.training_job import THREAD_PREFIX

ROOT = Path(__file__).parents[2]
# Small corpora train within a run of the script; a stopped job is gone well within this.
PATIENCE_SECONDS = 20
# One of everything that HTML, Markdown, TeX, JavaScript objects or line splitters would read.
HOSTILE = [
    "<script>window.ran = 1</script> <b>b</b> <img src=x onerror=window.ran=1>",
    "$x$ $$y$$ [a](http://b) **b** `c` :red[d] :material/home: # e -> f",
    "constructor __proto__ constructor __proto__ toString hasOwnProperty",
    "a\0b a\0b",
    "a\u2028b\u2029c a\u2028b\u2029c",
    "שלום עולם \u202eabc\u202c مرحبا",
    "👨\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 👨\u200d👩\u200d👧\u200d👦",
]


def open_page(name: str, **query: str) -> AppTest:
    """Start the app in a new session and go to a page, with settings in its address."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    app.run()
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def go(app: AppTest, name: str) -> AppTest:
    """Go to another page in the same session."""
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def one(app: AppTest, kind: str, label: str) -> Any:
    """Find the one widget of a kind with a label."""
    [found] = [widget for widget in app.get(kind) if widget.label == label]
    return found


def put(app: AppTest, kind: str, label: str, value: object) -> AppTest:
    """Give a widget a value and run the page."""
    one(app, kind, label).set_value(value).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Press a button and run the page."""
    one(app, "button", label).click().run()
    assert not app.exception
    return app


def messages(app: AppTest) -> str:
    """Read all boxes with messages, without the escapes of Markdown."""
    boxes = (*app.error, *app.warning, *app.success, *app.info)
    return " ".join(box.value for box in boxes).replace("\\", "")


def captions(app: AppTest) -> list[str]:
    """Read all captions, without the escapes of Markdown."""
    return [caption.value.replace("\\", "") for caption in app.caption]


def component(app: AppTest, name: str) -> bytes:
    """Read what the one browser component of a name was sent."""
    [found] = [c for c in app.get("bidi_component") if c.proto.component_name == name]
    return bytes(found.proto.bytes)


def stage(app: AppTest) -> dict[str, Any]:
    """Read the trace that the stage was sent, with its header's `goto` and `sentence`."""
    header, trace = component(app, "bpe_stage").split(b"\n", 1)
    sent: dict[str, Any] = json.loads(trace)
    return sent | {name: json.loads(header)[name] for name in ("goto", "sentence", "autoplay")}


def n_stages(app: AppTest) -> int:
    """Count the stages on the page."""
    return sum(c.proto.component_name == "bpe_stage" for c in app.get("bidi_component"))


def current_run(app: AppTest) -> bpe.TrainingRun:
    """Give the training of the current tokenizer."""
    run: bpe.TrainingRun = app.session_state["_tokenizers"].current.run
    return run


def rules(run: bpe.TrainingRun) -> list[tuple[Any, Any, int]]:
    """List the merges of a run: left, right and count."""
    return [(step.left, step.right, step.count) for step in run.steps]


def training_threads() -> list[str]:
    """Name the threads in which something trains."""
    return [t.name for t in threading.enumerate() if t.name.startswith(THREAD_PREFIX)]


def wait_until_stopped() -> None:
    """Wait until nothing trains any more; fails if something goes on."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while training_threads() and time.monotonic() < give_up:
        time.sleep(0.02)
    assert training_threads() == []


def run_until_trained(app: AppTest) -> AppTest:
    """Run the page as its progress does, until nothing trains any more."""
    give_up = time.monotonic() + PATIENCE_SECONDS
    while training_threads() and time.monotonic() < give_up:
        time.sleep(0.1)
        app.run()
    app.run()
    assert training_threads() == []
    assert not app.exception
    return app
