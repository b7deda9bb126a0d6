"""Getting a training run for a corpus and settings: from the cache, at once, or by a job."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st

from bpe import BPEError, TrainerConfig, TrainingCancelled, TrainingRun, train_with
from pages.ui import cache, state
from pages.ui.corpus import CorpusChoice
from pages.ui.plain_text import plain
from pages.ui.trace import trace_json
from pages.ui.training_job import Progress
from pages.ui.training_job_view import watch

SLOT: Final = "train"
# A small training ends well within this; the page waits for it rather than flash a progress bar.
_PATIENCE_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training with the trace of its first window."""

    run: TrainingRun
    corpus_name: str
    first_trace: bytes


def obtain(corpus: CorpusChoice, config: TrainerConfig, *, asked: bool) -> Trained | None:
    """Give the training of a corpus, and draw its progress while there is none.

    A small corpus is trained at once, a large one when it was `asked` for. Training for other
    inputs that still runs is stopped.
    """
    key = training_key(corpus, config)
    done = cast("Trained | None", cache.find("run", key))
    if done is not None:
        state.drop_job(SLOT)
        return done
    job = state.job(SLOT)
    if job is not None and job.key != key:
        state.drop_job(SLOT)
        job = None
    if job is None and (corpus.is_small or asked):
        job = state.start_job(SLOT, key, lambda progress: _work(corpus, config, progress))
    if job is None:
        st.info("Press **Train** (Ctrl+Enter) to train on this corpus with these settings.")
        return None
    if corpus.is_small:
        job.wait(_PATIENCE_SECONDS)
    if watch(SLOT, "Training"):
        return None
    return _collect(key)


def _work(corpus: CorpusChoice, config: TrainerConfig, progress: Progress) -> Trained:
    run = train_with(corpus.content, config, progress)
    return Trained(run, corpus.name, trace_json(run))


def _collect(key: str) -> Trained | None:
    """Take the result of the job that has ended, or say why there is none."""
    job = state.job(SLOT)
    assert job is not None  # it was there a moment ago, and nobody else drops it
    state.drop_job(SLOT)
    try:
        trained = cast("Trained", job.result())
    except TrainingCancelled:
        st.warning("Training was cancelled; the last result stays. Press **Train** to start again.")
        return None
    except BPEError as error:
        st.error(plain(f"{str(error)[:1].upper()}{str(error)[1:]}"))
        return None
    cache.keep("run", key, trained)
    return trained


def training_key(corpus: CorpusChoice, config: TrainerConfig) -> str:
    """Name a training by its inputs (sha256, hexadecimal)."""
    return hashlib.sha256(f"{corpus.key}|{corpus.name}|{config!r}".encode()).hexdigest()[:32]
