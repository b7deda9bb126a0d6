"""The stage: a browser component that plays the merges of a training run.

It is sent a trace once and plays it in the browser. Python hears of it only when the reader
goes to a merge that the trace does not hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.components.assets import join_modules, join_styles

_HERE = Path(__file__).parent
_TOKENS = _HERE.parent / "tokens"
MODULES = (
    _TOKENS / "tokens.js",
    _TOKENS / "details.js",
    _HERE.parent / "token_view" / "tooltip.js",
    *(
        _HERE / f"{name}.js"
        for name in (
            "trace_model",
            "stage_dom",
            "stage_words",
            "token_row",
            "words_view",
            "bars_view",
            "stage_motion",
            "transport",
            "stage_panels",
            "stage_tips",
            "player",
            "stage_assembly",
            "stage_main",
        )
    ),
)
STYLES = (_TOKENS / "tokens.css", _HERE / "stage.css")

_mount = st.components.v2.component("bpe_stage", js=join_modules(MODULES), css=join_styles(STYLES))


def stage(
    trace: bytes | Mapping[str, Any],
    *,
    key: str,
    goto: tuple[int | None, int] | None = None,
    sentence: Mapping[str, Any] | None = None,
    compact: bool = False,
    autoplay: bool = False,
    on_window: Callable[[], None] | None = None,
) -> Any:
    """Show the stage of a trace and return the component's result.

    `trace` is a trace object or its JSON as bytes, which saves writing it anew on every rerun.
    `goto` is (step, nonce): the stage jumps to the step whenever the nonce is another one; a step
    of None stops it where it is, so that it waits for no other merges.
    `sentence` is a sentence object with its own `faces`, used instead of the trace's. `compact`
    leaves out the sentence, the further words and the algorithm; `autoplay` plays in a loop
    until the reader touches a control.

    `result.window` is the merge that the reader asked for outside the trace, or None; inside
    `on_window`, and before this call, `requested_window(key)` tells it.
    """
    data = stage_data(trace, goto=goto, sentence=sentence, compact=compact, autoplay=autoplay)
    return _mount(key=key, data=data, on_window_change=on_window or _ignore)


def requested_window(key: str) -> int | None:
    """Return the merge that the stage `key` asked for in this rerun, or None.

    >>> requested_window("no such stage") is None
    True
    """
    state = st.session_state.get(key)
    step = state.get("window") if isinstance(state, Mapping) else None
    return int(step) if isinstance(step, int | float) else None


def stage_data(
    trace: bytes | Mapping[str, Any],
    *,
    goto: tuple[int | None, int] | None = None,
    sentence: Mapping[str, Any] | None = None,
    compact: bool = False,
    autoplay: bool = False,
) -> bytes:
    """Return what is sent to the browser: a line of JSON, then the JSON of the trace.

    The line's `sig` tells one trace and sentence from another, so that the browser reads the
    trace only when it is new.

    >>> stage_data(b'{"n_steps":0}', goto=(3, 1)).splitlines()[1]
    b'{"n_steps":0}'
    """
    body = trace if isinstance(trace, bytes) else _to_json(trace)
    spoken = _to_json(sentence)
    header = {
        "sig": hashlib.sha256(body + b"\n" + spoken).hexdigest()[:32],
        "goto": goto,
        "sentence": sentence,
        "compact": compact,
        "autoplay": autoplay,
    }
    return _to_json(header) + b"\n" + body


def _to_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _ignore() -> None:
    """Let Streamlit know that `window` may come back, without anything to do about it."""
