"""The stage of a run on the Train page, with the user's sentence and the windows of long runs."""

from __future__ import annotations

import json
from typing import Any, Final

import streamlit as st

from bpe import BPEError, TrainingRun
from bpe.normalizers import well_formed
from pages.ui import cache, state
from pages.ui.components.stage.stage import stage
from pages.ui.plain_text import plain
from pages.ui.trace import sentence_trace, trace_json, window_start
from pages.ui.training import Trained

STAGE_KEY: Final = "stage"
MAX_SENTENCE: Final = 500


def draw_stage(trained: Trained) -> None:
    """Draw the stage; asked for a merge that the trace does not hold, it gets another window."""
    run = trained.run
    start = state.local(state.STAGE_WINDOW, run.fingerprint, 0)
    trace = trained.first_trace if start == 0 else _trace(run, start)
    result = stage(
        trace,
        key=STAGE_KEY,
        goto=state.local(state.STAGE_GOTO, run.fingerprint, None),
        sentence=_sentence(run),
        on_window=lambda: None,
    )
    if result.window is not None and window_start(int(result.window)) != start:
        jump(run, int(result.window))
        st.rerun()


def jump(run: TrainingRun, step: int) -> None:
    """Let the stage go to the state after `step` merges, in whatever window that is."""
    _, nonce = state.local(state.STAGE_GOTO, run.fingerprint, None) or (0, 0)
    state.remember(state.STAGE_GOTO, run.fingerprint, (step, nonce + 1))
    state.remember(state.STAGE_WINDOW, run.fingerprint, window_start(step))


def _trace(run: TrainingRun, start: int) -> bytes:
    return cache.cached("trace", f"{run.fingerprint}:{start}", lambda: trace_json(run, start))


def draw_sentence_box() -> None:
    """Draw the input for the sentence that the stage shows re-tokenized at every step."""
    state.seed(state.SENTENCE)
    st.text_input(
        "Your sentence",
        key=state.SENTENCE,
        persist_state="session",
        max_chars=MAX_SENTENCE,
        placeholder="A sentence of your own, cut into tokens at every step",
        help="The stage shows it as the vocabulary of each step would encode it.",
    )


def _sentence(run: TrainingRun) -> dict[str, Any] | None:
    text = well_formed(str(state.value(state.SENTENCE) or ""))
    if not text.strip():
        return None
    try:
        return cache.cached(
            "view",
            f"sentence:{run.fingerprint}:{json.dumps(text)}",
            lambda: sentence_trace(run, text),
        )
    except BPEError as error:
        st.warning(plain(f"Your sentence cannot be shown: {error}."))
        return None
