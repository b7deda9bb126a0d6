"""A small app that mounts the token view; `?case=` chooses the text, `?view=` the first view."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from token_view_cases import TEXTS, run_for  # noqa: E402

from pages.ui.components.token_view import token_view as face  # noqa: E402

st.set_page_config(page_title="Token view", layout="wide")
st.title("Token view")
case = st.query_params.get("case", "scripts")
run = run_for("words" if case == "compare" else case)
smaller = st.toggle("Smaller vocabulary")
if st.button("Rerun"):
    st.session_state["reruns"] = st.session_state.get("reruns", 0) + 1


def compare_data() -> bytes:
    """Make two sentences, each under two bases at two sizes."""
    byte_run = run_for("scripts")
    blocks = []
    for sentence in (TEXTS["words"], "<b>low</b> lowest 😀"):
        columns = []
        for name, trained in (("Character base", run), ("Byte base", byte_run)):
            top = trained.tokenizer
            rows = []
            for size in (top.n_tokens - 4, top.n_tokens):
                encoding = top.with_vocab_size(size).encode(sentence)
                note = f"{len(encoding.ids)} tokens"
                rows.append(face.TokenRow(sentence, encoding, f"{size:,}", note))
            columns.append(face.TokenColumn(top, rows, name, trained))
        blocks.append(face.TokenBlock(columns, sentence))
    return face.blocks_data(blocks)


def single_data() -> bytes:
    """Make the view of the case's text, under the whole vocabulary or the smallest one."""
    tokenizer = run.tokenizer
    if smaller:
        tokenizer = tokenizer.with_vocab_size(tokenizer.n_tokens - len(tokenizer.merges))
    encoding = tokenizer.encode(TEXTS[case], allowed_special="all")
    view = st.query_params.get("view", "text")
    return face.text_data(tokenizer, TEXTS[case], encoding, run=run, view=view)


if st.toggle("Mounted", value=True):
    face.token_view(compare_data() if case == "compare" else single_data(), key="tokens")
st.text(f"reruns: {st.session_state.get('reruns', 0)}")
