"""Compare: the same sentences in two bases of one corpus, or in several tokenizers."""

import streamlit as st

from pages.ui import shell, state
from pages.ui.choices import reset_button, train_button
from pages.ui.compare_controls import choose_comparison, choose_mode, choose_sentences
from pages.ui.compare_panels import draw_curve, draw_facts, draw_rows, draw_tables
from pages.ui.lane_controls import choose_tokenizers
from pages.ui.lane_panels import draw_lanes
from pages.ui.training import COMPARE, obtain_pair

shell.open_page(__file__)


def compare_bases() -> None:
    """Train one corpus in both bases and show the sentences at each size."""
    comparison = choose_comparison()
    with st.container(horizontal=True):
        asked = train_button(
            enabled=comparison is not None,
            help_text="Trains by itself when a choice changes; press to start again after "
            "cancelling.",
        )
        reset_button("compare")
    if comparison is None:
        return
    pair = obtain_pair(comparison.corpus, comparison.pattern, max(comparison.sizes), asked=asked)
    if pair is not None:
        runs = (pair.by_characters, pair.by_bytes)
        draw_facts(runs, comparison)
        draw_rows(runs, comparison)
        draw_tables(runs, comparison)
        draw_curve(runs, comparison)


def compare_tokenizers() -> None:
    """Show the sentences in each of the tokenizers chosen from the list."""
    state.drop_job(COMPARE)
    entries = choose_tokenizers()
    sentences = choose_sentences()
    reset_button("compare")
    if entries and sentences:
        draw_lanes(entries, sentences)


if choose_mode() == "bases":
    compare_bases()
else:
    compare_tokenizers()
