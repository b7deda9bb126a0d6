"""The trainings that pages ask for: one run for Train, one in each base for Compare."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from bpe import TrainerConfig, TrainingCancelled, TrainingRun, train_with
from bpe.word_measures import bytes_held
from pages.ui import background
from pages.ui.corpus import CorpusChoice
from pages.ui.trace import trace_json
from pages.ui.training_job import Progress

TRAIN: Final = "train"
COMPARE: Final = "compare"
UNKNOWN: Final = "[UNK]"
_BYTES_OF_A_MERGE: Final = 300  # measured: its step, its rule and its token


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training with the trace of its first window, None where that was cancelled."""

    run: TrainingRun
    corpus_name: str
    corpus_key: str
    first_trace: bytes | None

    @property
    def n_bytes_held(self) -> int:
        """Estimate the memory it takes, in bytes."""
        return _run_bytes(self.run) + len(self.first_trace or b"")


@dataclass(frozen=True, slots=True)
class TrainedPair:
    """The same corpus trained in a character base and in a byte base."""

    by_characters: TrainingRun
    by_bytes: TrainingRun

    @property
    def n_bytes_held(self) -> int:
        """Estimate the memory it takes, in bytes."""
        return _run_bytes(self.by_characters) + _run_bytes(self.by_bytes)


def _run_bytes(run: TrainingRun) -> int:
    return bytes_held(run.word_counts) + _BYTES_OF_A_MERGE * len(run.steps)


def obtain_run(corpus: CorpusChoice, config: TrainerConfig, *, asked: bool) -> Trained | None:
    """Give the training of a corpus, and draw its progress while there is none.

    A small corpus is trained at once, a large one when it was `asked` for.
    """

    def work(progress: Progress) -> Trained:
        run = train_with(corpus.content, config, _told(corpus, progress))
        try:
            trace = trace_json(run, progress=progress)
        except TrainingCancelled:
            trace = None  # what was trained is not lost for that
        return Trained(run, corpus.name, corpus.key, trace)

    key = training_key(corpus, config)
    at_once = corpus.is_small and not background.has_failed(TRAIN, key)
    trained = background.obtain(TRAIN, key, work, start=asked or at_once, is_small=corpus.is_small)
    if trained is None and not background.is_busy(TRAIN) and not background.has_failed(TRAIN, key):
        st.info("Press **Train** (Ctrl+Enter) to train on this corpus with these settings.")
    return trained


def obtain_pair(
    corpus: CorpusChoice, pattern: str, vocab_size: int, *, asked: bool
) -> TrainedPair | None:
    """Train a corpus in both bases up to a vocabulary size, drawing the progress meanwhile."""
    by_bytes = TrainerConfig(base="byte", pattern=pattern, vocab_size=vocab_size)
    by_characters = replace(by_bytes, base="char", unknown_token=UNKNOWN)

    def work(progress: Progress) -> TrainedPair:
        told = _told(corpus, progress)
        return TrainedPair(
            train_with(corpus.content, by_characters, told),
            train_with(corpus.content, by_bytes, told),
        )

    key = training_key(corpus, by_bytes) + "-pair"
    start = asked or not background.has_failed(COMPARE, key)
    return background.obtain(COMPARE, key, work, start=start, is_small=corpus.is_small)


def _told(corpus: CorpusChoice, progress: Progress) -> Progress:
    """Tell how much of an upload is counted as a share: it may be in bytes or in characters."""
    if corpus.upload is None:
        return progress
    return lambda phase, done, total: progress(
        "count_upload" if phase == "count" else phase, done, total
    )


def training_key(corpus: CorpusChoice, config: TrainerConfig) -> str:
    """Name a training by its inputs (sha256, hexadecimal)."""
    return hashlib.sha256(f"{corpus.key}|{corpus.name}|{config!r}".encode()).hexdigest()[:32]
