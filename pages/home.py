"""Home: the product explained by showing it, and three doors."""

import streamlit as st

from pages.ui import shell
from pages.ui.components.stage.stage import stage
from pages.ui.home_trace import home_trace

shell.open_page(__file__)

DOORS = (
    (
        "pages/train.py",
        "Train on your text",
        ":material/model_training:",
        "Paste or upload a text and watch every merge: which pair, how often, and why that one.",
    ),
    (
        "pages/encode.py",
        "Encode a sentence",
        ":material/data_object:",
        "See any text in tokens, with the ids, the bytes and the merges behind each of them.",
    ),
    (
        "pages/compare.py",
        "Compare",
        ":material/compare_arrows:",
        "The same sentences by characters and by bytes, in small and large vocabularies, or in "
        "GPT-2 to GPT-4o and your own tokenizers.",
    ),
)

stage(home_trace(), key="home_stage", compact=True, autoplay=True)

for column, (page, label, icon, purpose) in zip(st.columns(3), DOORS, strict=True):
    with column, st.container(border=True, height="stretch"):
        st.page_link(page, label=f"**{label}**", icon=icon)
        st.caption(purpose)
