"""The stage of a run on the Train page, with the user's sentence and the windows of long runs."""

from __future__ import annotations

import json
from typing import Any, Final

import streamlit as st

from bpe import BPEError, TrainingRun
from bpe.normalizers import well_formed
from pages.ui import background, cache, state, tokenizer_store
from pages.ui.components.stage.stage import stage
from pages.ui.plain_text import plain
from pages.ui.stage_windows import asked_window, jump, obtain_window, place
from pages.ui.trace import sentence_trace, window_start
from pages.ui.training import Trained

STAGE_KEY: Final = "stage"
MAX_SENTENCE: Final = 500


def draw_stage(trained: Trained) -> None:
    """Draw the stage; asked for a merge that the trace does not hold, it gets another window."""
    run = trained.run
    if state.local(state.STAGE_CORPUS, "", None) != trained.corpus_key:
        state.remember(state.STAGE_CORPUS, "", trained.corpus_key)
        place(run, 0)  # other settings go on at the same merge, another corpus from the start
    window = obtain_window(trained)
    if window is None:
        if not background.is_busy(state.STAGE_TRACE):
            st.info("The training is there; its animation is not made.")
            st.button("Make the animation", on_click=jump, args=(run, 0))
        return
    result = stage(
        window.trace,
        key=STAGE_KEY,
        goto=window.goto,
        sentence=_sentence(run),
        on_window=lambda: None,
    )
    if result.window is not None and window_start(int(result.window)) != asked_window(run):
        jump(run, int(result.window))
        st.rerun()


def draw_which_run(trained: Trained) -> None:
    """Say so where the training on the stage is not the current tokenizer."""
    entry = tokenizer_store.current()
    if entry is not None and entry.tokenizer.fingerprint == trained.run.tokenizer.fingerprint:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        current = f" That is {plain(entry.name)}." if entry else ""
        st.caption(f"The training below is not the current tokenizer.{current}", width="content")
        st.button(
            "Use this one",
            on_click=tokenizer_store.use_run,
            args=(trained.run, trained.corpus_name),
        )


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
