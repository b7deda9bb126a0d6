"""What Compare shows of several tokenizers: lanes of tokens, tables, the heat map and curves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.ui import cache, charts
from pages.ui.compare_panels import COLUMNS
from pages.ui.components.token_view.token_view import blocks_data, token_view
from pages.ui.plain_text import as_sentence, plain
from pages.ui.tables import shortened, to_csv, visible
from pages.ui.tokenizer_comparison import (
    Curve,
    Lane,
    LaneEncoding,
    encode_all,
    lane_blocks,
    lane_curve,
    lane_table,
    lane_totals,
    problems,
)
from pages.ui.tokenizer_list import TokenizerEntry

_LABEL_CHARS: Final = 28


def draw_lanes(entries: Sequence[TokenizerEntry], sentences: Sequence[str]) -> None:
    """Draw all that is compared of some tokenizers on some sentences."""
    key = _key(entries, sentences)
    with st.spinner("Encoding with each tokenizer …"):
        lanes = [Lane(entry.name, entry.tokenizer, entry.run) for entry in entries]
        encoded = cache.cached("view", f"{key}-lanes", lambda: encode_all(lanes, sentences))
        rows = cache.cached("view", f"{key}-rows", lambda: blocks_data(lane_blocks(encoded)))
    for name, n_failed, reason in problems(encoded):
        st.warning(
            f"**{plain(name)}** cannot encode {n_failed:,} of {len(sentences):,} sentences. "
            f"{as_sentence(reason)}"
        )
    st.header("Tokens", anchor=False)
    if len(lanes) > 1:
        st.caption("A thick edge behind a token: not all of the tokenizers cut there.")
    token_view(rows, key="compare_lanes")
    _draw_tables(key, encoded)
    _draw_heat_map(key, encoded)
    _draw_curves(key, encoded)


def _key(entries: Sequence[TokenizerEntry], sentences: Sequence[str]) -> str:
    text = json.dumps([[(entry.key, entry.name) for entry in entries], list(sentences)])
    return hashlib.sha256(text.encode()).hexdigest()


def _draw_tables(key: str, encoded: list[list[LaneEncoding]]) -> None:
    together = _table(f"{key}-totals", lambda: lane_totals(encoded))
    if not together.empty:
        st.header("All sentences together", anchor=False)
        _draw_table(together, "compared_tokenizers.csv", "Measures of each tokenizer on them all")
    each = _table(f"{key}-table", lambda: lane_table(encoded))
    if not each.empty:
        st.header("Sentence by sentence", anchor=False)
        _draw_table(each, "compared_sentences.csv", "The same measures for every sentence")


def _table(key: str, make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    return cache.cached("table", key, make)


def _draw_table(frame: pd.DataFrame, file_name: str, alt: str) -> None:
    st.dataframe(frame, hide_index=True, column_config=COLUMNS, placeholder="–", alt=alt)
    st.download_button(
        "Table (CSV)",
        lambda: to_csv(frame),
        file_name=file_name,
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=file_name,
    )


def _draw_heat_map(key: str, encoded: list[list[LaneEncoding]]) -> None:
    st.header("Bytes per token", anchor=False)
    caption = "The higher the number, the fewer tokens the sentence takes for its length."
    if any(one.loses_characters for row in encoded for one in row):
        caption += (
            " \\* Grey: characters that the tokenizer does not know became unknown tokens. Their "
            "text is lost, so the number cannot be compared."
        )
    st.caption(caption)
    figure = cache.cached("figure", f"{key}-heat", lambda: _heat_map(encoded))
    st.plotly_chart(
        figure, key="compare_heat", alt="Bytes per token for each sentence and tokenizer"
    )


def _heat_map(encoded: list[list[LaneEncoding]]) -> go.Figure:
    return charts.heat_map(
        [[one.bytes_per_token for one in row] for row in encoded],
        columns=[shortened(one.lane.name, _LABEL_CHARS) for one in encoded[0]],
        rows=[shortened(_on_one_line(row[0].sentence), _LABEL_CHARS) for row in encoded],
        unit="bytes per token",
        grey=[[one.loses_characters for one in row] for row in encoded],
    )


def _on_one_line(sentence: str) -> str:
    """Write a sentence with stand-ins for what cannot be seen, but spaces as they are."""
    return " ".join(map(visible, sentence.split(" ")))


def _draw_curves(key: str, encoded: list[list[LaneEncoding]]) -> None:
    st.header("Tokens by vocabulary size", anchor=False)
    st.caption(
        "All sentences together, if each vocabulary were cut to its first merges. Sizes are "
        "spaced by ratio: from 1,000 to 2,000 is as far as from 10,000 to 20,000."
    )
    with st.spinner("Counting tokens at every size …"):
        curves = cache.cached("view", f"{key}-curves", lambda: _curves(encoded))
    left_out = [plain(name) for name, points in curves.items() if points is None]
    if left_out:
        st.caption(
            f"Left out: {', '.join(left_out)}. Its merges alone do not give its tokens of these "
            "sentences, so a smaller vocabulary would not be the same tokenizer cut."
        )
    drawn = {name: points for name, points in curves.items() if points is not None}
    if drawn:
        figure = charts.lines(
            drawn,
            x_title="Vocabulary size (tokens)",
            y_title="Tokens in all sentences",
            by_ratio=True,
        )
        st.plotly_chart(
            figure, key="compare_lane_curves", alt="Tokens in all sentences by vocabulary size"
        )


def _curves(encoded: list[list[LaneEncoding]]) -> dict[str, Curve | None]:
    return {ones[0].lane.name: lane_curve(ones) for ones in zip(*encoded, strict=True)}
