"""The frame around every page: the menu, the cold-start guard, the title and the tokenizer chip."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import Page

from pages.ui import cache, tokenizer_chip, tokenizer_store
from pages.ui.components.input_guard.input_guard import input_guard
from pages.ui.components.popover_keys.popover_keys import popover_keys
from pages.ui.import_dialog import draw_import_note

_STYLE: Final = Path(__file__).with_name("frame.css")
_STARTED: Final = "_shell_started"
_PENDING: Final = "_shell_pending_page"

# Page file -> its title, and one sentence that says what it is for.
TITLES: Final = {
    "home": ("BPE Explorer", "See how byte-pair encoding turns text into tokens."),
    "train": ("Train", "Learn a vocabulary from a text, and watch every merge."),
    "encode": ("Encode", "Cut a text into the tokens of the current tokenizer."),
    "compare": ("Compare", "See the same sentences through several vocabularies."),
}


def start(pages: Sequence[Page]) -> Page:
    """Register the pages in a menu on top and give the one to run; `app.py` calls this once a run.

    If a page was opened by its own address before the app had started (see `open_page`), go there.
    """
    st.session_state[_STARTED] = True
    if runtime.exists():  # not where a test runs the script without a server
        cache.warm_engine()
    page = st.navigation(pages, position="top")
    st.html(_STYLE)
    input_guard()
    popover_keys()
    pending = st.session_state.pop(_PENDING, None)
    if pending is not None:
        path, params = pending
        st.switch_page(path, query_params=params)
    return page


def open_page(script: str) -> None:
    """Draw the top of a page; the first statement of every page: `shell.open_page(__file__)`.

    On a server that nobody has used yet, Streamlit runs a page that is opened by its address
    without `app.py`, so without the menu. Then the page's path and query are put aside and
    `app.py` runs first, which comes back here.
    """
    page = Path(script).stem
    if _STARTED not in st.session_state:
        params = {name: st.query_params.get_all(name) for name in st.query_params}
        st.session_state[_PENDING] = (f"pages/{page}.py", params)
        st.switch_page("app.py")
    title, purpose = TITLES[page]
    st.set_page_config(page_title=title if page == "home" else f"{title} · BPE Explorer")
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        with st.container(width="content", gap=None):
            st.title(title, anchor=False)
            st.caption(purpose)
        tokenizer_store.linked_current()
        tokenizer_chip.draw()
    draw_import_note()
