"""A page with the chip, a training and a job, for the tests of the frame without the real pages."""

import threading

import streamlit as st

import bpe
from pages.ui import cache, state, tokenizer_chip, tokenizer_store, training_job_view
from pages.ui.training_job import Progress

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def until_cancelled(progress: Progress) -> None:
    pause = threading.Event()
    while progress("merge", 1200, 5000):
        pause.wait(0.01)
    raise bpe.TrainingCancelled("stopped")


tokenizer_chip.draw()
st.number_input("Merges", 0, 20, state.default(state.NUM_MERGES), key=state.NUM_MERGES)
st.text_area("Training text", key=state.TRAINING_TEXT, persist_state="session")
st.button("Reset settings", on_click=state.reset_settings, args=("train",))

if st.button("Train"):
    size = state.value(state.NUM_MERGES)
    run = cache.cached("run", str(size), lambda: bpe.train(WORDS, base="char", num_merges=size))
    if tokenizer_store.set_latest(run, "Words *of* the lesson"):
        st.rerun()
if st.button("Import"):
    tokenizer = bpe.train(WORDS, base="byte", pattern="(?s).+", num_merges=2).tokenizer
    tokenizer_store.add("<b>Bytes</b>", tokenizer, origin="imported", corpus_label="a file")
    st.rerun()

if st.button("Start"):
    state.start_job("demo", "key", until_cancelled)
if st.button("Start another"):
    state.start_job("demo", "another key", until_cancelled)
if not training_job_view.watch("demo", "Training"):
    job = state.job("demo")
    st.text("nothing runs" if job is None else f"cancelled: {job.cancelled}")
