"""What Compare shows of two trainings: coloured rows, tables and the curve."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from bpe import TrainingRun
from pages.ui import cache, charts
from pages.ui.compare_controls import Comparison
from pages.ui.comparison import BASE_NAMES, curve, cuts, table, token_blocks, totals
from pages.ui.components.token_view.token_view import blocks_data, token_view

_RATIO: Final = st.column_config.NumberColumn(format="%.2f")
_NUMBER: Final = st.column_config.NumberColumn(format="localized")
# Of both comparisons. The widths leave room for all columns on a screen of 1,280 pixels.
COLUMNS: Final = {
    "sentence": st.column_config.Column(width=250),
    "tokenizer": st.column_config.Column(width=150),
    **dict.fromkeys(("size asked for", "vocabulary size", "tokens", "unknowns"), _NUMBER),
    **dict.fromkeys(("bytes per token", "characters per token", "tokens per word"), _RATIO),
}


def draw_facts(runs: Sequence[TrainingRun], comparison: Comparison) -> None:
    """Say what the two bases start from, and which sizes a base cannot have."""
    for column, run in zip(st.columns(len(runs)), runs, strict=True):
        floor = run.tokenizer.n_tokens - len(run.steps)
        n_symbols = run.tokenizer.base_size
        unit = "bytes" if run.config.base == "byte" else "characters and the unknown token"
        with column:
            st.markdown(f"**{BASE_NAMES[run.config.base]}**: starts from {n_symbols:,} {unit}.")
            small = [f"{cut.asked:,}" for cut in cuts(run, comparison.sizes) if not cut.tokenizer]
            if small:
                st.warning(
                    f"Left out here: {', '.join(small)}. A vocabulary cannot be smaller than the "
                    f"{floor:,} tokens it starts from."
                )
            short = [cut for cut in cuts(run, comparison.sizes) if "ends" in cut.name]
            if short:
                st.warning(
                    f"The corpus gives no more than {run.tokenizer.n_tokens:,} tokens: then every "
                    "pre-token is one token."
                )


def draw_rows(runs: Sequence[TrainingRun], comparison: Comparison) -> None:
    """Draw each sentence in both bases at each size."""
    st.header("Tokens", anchor=False)
    data = cache.cached(
        "view",
        _key("rows", runs, comparison),
        lambda: blocks_data(token_blocks(runs, comparison.sizes, comparison.sentences)),
    )
    token_view(data, key="compare_rows")


def draw_tables(runs: Sequence[TrainingRun], comparison: Comparison) -> None:
    """Draw the measures: of all sentences together, and of each."""
    frame: pd.DataFrame = cache.cached(
        "table",
        _key("table", runs, comparison),
        lambda: table(runs, comparison.sizes, comparison.sentences),
    )
    if frame.empty:
        st.info("No size that was asked for is large enough for a base vocabulary.")
        return
    st.header("All sentences together", anchor=False)
    st.dataframe(
        totals(frame, comparison.sentences),
        hide_index=True,
        column_config=COLUMNS,
        alt="Tokens, bytes and characters per token, unknowns and round trips by base and size",
    )
    st.header("Sentence by sentence", anchor=False)
    st.dataframe(
        frame,
        hide_index=True,
        column_config=COLUMNS,
        alt="The same measures for every sentence",
    )


def draw_curve(runs: Sequence[TrainingRun], comparison: Comparison) -> None:
    """Draw tokens in all sentences against vocabulary size, one curve a base."""
    st.header("Tokens by vocabulary size", anchor=False)
    st.caption(
        "All sentences together, at every size up to the largest: one training for each base."
    )
    figure = cache.cached(
        "figure",
        _key("curve", runs, comparison),
        lambda: charts.lines(
            {BASE_NAMES[run.config.base]: curve(run, comparison.sentences) for run in runs},
            x_title="Vocabulary size (tokens)",
            y_title="Tokens in all sentences",
        ),
    )
    st.plotly_chart(figure, key="compare_curve", alt="Tokens in all sentences by vocabulary size")


def _key(kind: str, runs: Sequence[TrainingRun], comparison: Comparison) -> str:
    names = [run.fingerprint for run in runs]
    text = json.dumps([kind, names, comparison.sizes, comparison.sentences])
    return hashlib.sha256(text.encode()).hexdigest()
