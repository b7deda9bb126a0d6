"""A browser component without a face: it keeps text boxes from holding what cannot be sent."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui.components.assets import join_modules

_mount = st.components.v2.component(
    "bpe_input_guard", js=join_modules([Path(__file__).with_name("input_guard.js")])
)


def input_guard() -> None:
    """Let every text box of the app turn half a surrogate pair into U+FFFD as it is typed."""
    with st.container(key="input_guard"):  # the style of the frame hides it
        _mount(key="input_guard_mount")
