"""A browser component without a face: it leads the keyboard into an open popover and out again."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui.components.assets import join_modules

_mount = st.components.v2.component(
    "bpe_popover_keys", js=join_modules([Path(__file__).with_name("popover_keys.js")])
)


def popover_keys() -> None:
    """Let Tab go from a popover's button into the popover, and Escape back to the button."""
    with st.container(key="popover_keys"):  # the style of the frame hides it
        _mount(key="popover_keys_mount")
