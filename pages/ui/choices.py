"""Choices that several pages offer: one of some options whose id stands in the URL."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import streamlit as st

from bpe.pre_tokenizers import PATTERN_NAMES
from bpe.samples import SENTENCES
from pages.ui import state
from pages.ui.url_values import one_of

PATTERNS: Final = {
    "none": "None: the text in one piece",
    "whitespace": "White space",
    "gpt2": "GPT-2",
    "cl100k": "GPT-4 (cl100k)",
    "o200k": "GPT-4o (o200k)",
}
PRESETS: Final = {
    "mixed": "A bit of everything",
    "scripts": "Scripts",
    "code": "Code",
    "numbers": "Numbers",
    "emoji": "Emoji",
    "spaces_and_case": "Spaces and case",
}
assert {*PATTERNS} == {*PATTERN_NAMES}
assert {*PRESETS} == {*SENTENCES}


def choose_one(
    label: str, name: str, titles: Mapping[str, str], help_text: str | None = None
) -> str:
    """Draw a list to choose one option of, by its title, and give the option's id.

    An option that is no longer offered gives way to the default.
    """
    _link(name, titles)
    chosen: str = st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        key=name,
        persist_state="session",
        help=help_text,
    )
    return chosen


def choose_side_by_side(
    label: str, name: str, titles: Mapping[str, str], help_text: str | None = None
) -> str:
    """Draw a few options side by side, by their titles, and give the id of the one chosen."""
    _link(name, titles)
    chosen = st.segmented_control(
        label,
        list(titles),
        format_func=titles.__getitem__,
        key=name,
        required=True,
        wrap=True,
        persist_state="session",
        help=help_text,
    )
    return chosen or str(state.default(name))


def _link(name: str, options: Collection[str]) -> None:
    if state.known(name) and state.value(name) not in options:
        state.put(name, state.default(name))
    state.linked(name, one_of(options))


def train_button(*, enabled: bool, help_text: str, stretch: bool = False) -> bool:
    """Draw the "Train" button and tell whether it was pressed, by pointer or Ctrl+Enter."""
    return st.button(
        "Train",
        key=state.TRAIN_BUTTON,
        type="primary",
        icon=":material/play_arrow:",
        shortcut="Ctrl+Enter",
        width="stretch" if stretch else "content",
        disabled=not enabled,
        help=f"Ctrl+Enter. {help_text}",
    )


def reset_button(page: str, *, stretch: bool = False) -> None:
    """Draw the button that gives a page's settings their defaults back."""
    st.button(
        "Reset settings",
        on_click=state.reset_settings,
        args=(page,),
        icon=":material/restart_alt:",
        width="stretch" if stretch else "content",
    )
