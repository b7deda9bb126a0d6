"""Train: learn a vocabulary from a text, and watch every merge."""

import streamlit as st

from pages.ui import shell, state, tokenizer_store
from pages.ui.choices import reset_button, train_button
from pages.ui.corpus_controls import choose_corpus
from pages.ui.run_panels import draw_outcome, draw_panels
from pages.ui.stage_panel import draw_sentence_box, draw_stage, draw_which_run
from pages.ui.training import TRAIN, obtain_run
from pages.ui.training_controls import choose_settings

shell.open_page(__file__)

choices, stage = st.columns([1.35, 3], gap="medium")

with choices:
    corpus = choose_corpus()
    config = choose_settings()
    sizes = st.empty()
    asked = train_button(
        enabled=corpus is not None and config is not None,
        help_text="A small corpus trains by itself whenever a setting changes.",
        stretch=True,
    )
    reset_button("train", stretch=True)
    draw_sentence_box()

with stage:
    if corpus is None or config is None:
        state.drop_job(TRAIN)
        trained = None
    else:
        trained = obtain_run(corpus, config, asked=asked)
    if trained is not None:
        with sizes.container():
            draw_outcome(trained.run)
        state.remember(state.LAST_TRAINED, "", trained)
        state.set_last_corpus(corpus)
        if tokenizer_store.set_latest(trained.run, trained.corpus_name):
            st.rerun()  # the chip above was drawn before this training was there
    shown = trained or state.local(state.LAST_TRAINED, "", None)
    if shown is not None:
        if trained is None:
            sizes.caption("Not trained with these settings yet.")
            st.caption("Below: the last training, which stays until there is a new one.")
        else:
            draw_which_run(shown)
        draw_stage(shown)
        draw_panels(shown)
    elif corpus is None or config is None:
        st.info("The stage opens here: give a corpus and settings first.")
