"""What stands below the stage: the merge list, the words, growth and the report of a run."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd
import streamlit as st

from bpe import TrainingRun
from bpe.word_measures import n_pre_tokens
from pages.ui import cache, charts, state
from pages.ui.plain_text import as_sentence
from pages.ui.run_tables import MOST_WORDS, compression, merge_list, thinned, word_list
from pages.ui.size_sentence import counted, size_sentence
from pages.ui.stage_windows import jump
from pages.ui.training import Trained

PANELS: Final = ("Merge list", "Words", "Growth", "Report")
_STOPS: Final = {
    "vocab_size": "the vocabulary has the size that was asked for",
    "num_merges": "all merges that were asked for are made",
    "min_frequency": "no pair that is left occurs as often as the minimum count asks",
    "no_pairs_left": "every word is one token, so no pair is left",
}


def draw_outcome(run: TrainingRun) -> None:
    """Say beside the settings what size they led to, and what was noticed on the way."""
    st.caption(size_sentence(run))
    _draw_warnings(run)


def draw_panels(trained: Trained) -> None:
    """Draw the panels as tabs; only the open one is computed."""
    run = trained.run
    tabs = st.tabs(list(PANELS), key=state.RUN_PANELS, on_change="rerun")
    panels = (_draw_merges, _draw_words, _draw_growth, _draw_report)
    for tab, draw in zip(tabs, panels, strict=True):
        if tab.open:
            with tab:
                draw(run)


def _table(kind: str, run: TrainingRun, make: Any) -> pd.DataFrame:
    frame: pd.DataFrame = cache.cached("table", f"{kind}:{run.fingerprint}", make)
    return frame


def _draw_merges(run: TrainingRun) -> None:
    if not run.steps:
        st.info("This run has no merges.")
        return
    st.caption("Choose a row, and the stage goes to that merge. Search and download: top right.")
    selection = st.dataframe(
        _table("merges", run, lambda: merge_list(run)),
        key=f"{state.MERGE_LIST}_{run.fingerprint}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        alt="The merges of this run in the order in which they were made",
        column_config={
            "merge": _whole("Its number, from 1"),
            "count": _whole("How often the pair stood in the corpus"),
            "pairs at this count": _whole(
                "How many pairs shared the highest count; from 2 up a tie was decided"
            ),
            "saved": _whole("Tokens that the merge saved"),
        },
    )
    rows = list(selection["selection"]["rows"])
    chosen = rows[0] + 1 if rows else None
    if chosen != state.local(state.MERGE_LIST, run.fingerprint, None):
        state.remember(state.MERGE_LIST, run.fingerprint, chosen)
        if chosen is not None:
            jump(run, chosen)
            st.rerun()


def _whole(meaning: str) -> Any:
    """Write a column's numbers in groups of three digits."""
    return st.column_config.NumberColumn(format="localized", help=meaning)


def _draw_words(run: TrainingRun) -> None:
    n_words = len(run.word_counts)
    total = n_pre_tokens(run.word_counts)
    shown = f"; the {MOST_WORDS:,} most frequent are listed" if n_words > MOST_WORDS else ""
    st.caption(f"{counted(total, 'pre-token')}, {n_words:,} of them different{shown}.")
    st.dataframe(
        _table("words", run, lambda: word_list(run)),
        hide_index=True,
        alt="The words of the corpus with their counts and their final tokens",
    )


def _draw_growth(run: TrainingRun) -> None:
    frame = _table("growth", run, lambda: thinned(compression(run)))
    left, right = st.columns(2)
    size = "Vocabulary size (tokens)"
    for place, column, title in (
        (left, "tokens", "Tokens in the corpus"),
        (right, "bytes per token", "Bytes per token"),
    ):
        with place:
            figure = charts.lines(
                {title: (list(frame["vocabulary size"]), list(frame[column]))},
                x_title=size,
                y_title=title,
            )
            st.plotly_chart(figure, key=f"growth_{column}", alt=f"{title} by vocabulary size")


def _draw_report(run: TrainingRun) -> None:
    tokenizer = run.tokenizer
    n_ties = sum(step.tied > 1 for step in run.steps)
    st.markdown(
        f"- **{counted(len(run.steps), 'merge')}**, then training stopped: "
        f"{_STOPS[run.stop_reason]}.\n"
        f"- **{counted(tokenizer.n_tokens, 'token')}** in the vocabulary: "
        f"{len(tokenizer.special_tokens):,} special, "
        f"{counted(tokenizer.base_size, 'base symbol')}, "
        f"{len(run.steps):,} merged.\n"
        f"- **{counted(n_ties, 'tie')}** {'was' if n_ties == 1 else 'were'} decided by the rule."
    )
    _draw_warnings(run)
    if not run.warnings:
        st.caption("No warnings.")


def _draw_warnings(run: TrainingRun) -> None:
    for warning in run.warnings:
        st.warning(as_sentence(warning))
