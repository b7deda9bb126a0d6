"""A small app that mounts the stage with a literal trace; `?case=` chooses which."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from stage_cases import CASES, trace_of_case

from pages.ui.components.stage.stage import requested_window, stage

KEY = "stage"

st.set_page_config(page_title="Stage", layout="wide")
case = CASES[st.query_params.get("case", "lesson")]
asked = requested_window(KEY)
if asked is not None:
    st.session_state["window"] = asked
if st.button("Rerun"):
    st.session_state["reruns"] = st.session_state.get("reruns", 0) + 1
if st.button("Go to merge 2"):
    st.session_state["nonce"] = st.session_state.get("nonce", 0) + 1
goto = (2, st.session_state["nonce"]) if "nonce" in st.session_state else None
if st.toggle("Mounted", value=True):
    stage(
        trace_of_case(case, st.session_state.get("window", 0)),
        key=KEY,
        goto=goto,
        compact=case.compact,
        autoplay=case.compact,
    )
st.text(f"reruns: {st.session_state.get('reruns', 0)}")
