"""Compare: the same sentences by characters and by bytes, at several vocabulary sizes."""

import streamlit as st

from pages.ui import shell, state
from pages.ui.compare_controls import choose_comparison
from pages.ui.compare_panels import draw_curve, draw_facts, draw_rows, draw_tables
from pages.ui.training import obtain_pair

shell.open_page(__file__)

comparison = choose_comparison()
with st.container(horizontal=True):
    asked = st.button(
        "Train",
        key=state.TRAIN_BUTTON,
        type="primary",
        icon=":material/play_arrow:",
        shortcut="Ctrl+Enter",
        disabled=comparison is None,
        help="Ctrl+Enter. Trains by itself when a choice changes; press to start again after "
        "cancelling.",
    )
    st.button(
        "Reset settings",
        on_click=state.reset_settings,
        args=("compare",),
        icon=":material/restart_alt:",
    )

if comparison is not None:
    pair = obtain_pair(comparison.corpus, comparison.pattern, max(comparison.sizes), asked=asked)
    if pair is not None:
        runs = (pair.by_characters, pair.by_bytes)
        draw_facts(runs, comparison)
        draw_rows(runs, comparison)
        draw_tables(runs, comparison)
        draw_curve(runs, comparison)
