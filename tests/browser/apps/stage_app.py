"""A small app that mounts the stage with a trace; `?case=` chooses which."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import streamlit as st

from pages.ui.components.stage.stage import stage
from tests.browser.apps.stage_cases import CASES, trace_of

st.set_page_config(page_title="Stage", layout="wide")
st.title("Stage")
name = st.query_params.get("case", "lesson")
case = CASES[name]
if st.button("Rerun"):
    st.session_state["n_reruns"] = st.session_state.get("n_reruns", 0) + 1
if st.button("Go to merge 2"):
    st.session_state["nonce"] = st.session_state.get("nonce", 0) + 1
if st.toggle("Other corpus"):
    name = "hugs"
st.toggle("Refuse other windows", key="refuse")
step = None if st.session_state.get("stay") else 2
goto = (step, st.session_state["nonce"]) if "nonce" in st.session_state else None
if st.toggle("Mounted", value=True):
    asked = st.session_state.get("asked", 0)
    trace = trace_of(name, asked)
    result = stage(trace, key="stage", goto=goto, compact=case.compact, autoplay=case.compact)
    if result.window is not None and st.session_state.get("refuse"):
        st.session_state["nonce"], st.session_state["stay"] = 100, True
        st.rerun()
    if result.window is not None:
        st.session_state["asked"] = int(result.window)
        st.rerun()
st.text(f"reruns: {st.session_state.get('n_reruns', 0)}")
