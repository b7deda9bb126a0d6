"""Compare: the same sentences by characters and by bytes, at several vocabulary sizes."""

import streamlit as st

from pages.ui import shell
from pages.ui.choices import reset_button, train_button
from pages.ui.compare_controls import choose_comparison
from pages.ui.compare_panels import draw_curve, draw_facts, draw_rows, draw_tables
from pages.ui.training import obtain_pair

shell.open_page(__file__)

comparison = choose_comparison()
with st.container(horizontal=True):
    asked = train_button(
        enabled=comparison is not None,
        help_text="Trains by itself when a choice changes; press to start again after cancelling.",
    )
    reset_button("compare")

if comparison is not None:
    pair = obtain_pair(comparison.corpus, comparison.pattern, max(comparison.sizes), asked=asked)
    if pair is not None:
        runs = (pair.by_characters, pair.by_bytes)
        draw_facts(runs, comparison)
        draw_rows(runs, comparison)
        draw_tables(runs, comparison)
        draw_curve(runs, comparison)
