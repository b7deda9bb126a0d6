"""Getting a result that may take long: from the cache, or by a job whose progress is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import streamlit as st

from bpe import BPEError, TrainingCancelled
from pages.ui import cache, state
from pages.ui.plain_text import as_sentence
from pages.ui.training_job import Progress
from pages.ui.training_job_view import watch

T = TypeVar("T")

# Small work ends well within this; the page waits for it rather than flash a progress bar.
_PATIENCE_SECONDS: Final = 3.0
# Other work may have ended within this: then nothing is flashed either.
_SHORT_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work: where its results are kept, and what is said of it."""

    kept: cache.Kind
    title: str
    cancelled: str


TRAINING: Final = Kind(
    "run",
    "Training",
    "Training was cancelled. Press **Train** to start again.",
)
READING: Final = Kind(
    "upload",
    "Reading",
    "Reading was cancelled. Press **Read again**, or take the files away.",
)


def obtain(
    slot: str,
    key: str,
    work: Callable[[Progress], T],
    *,
    start: bool,
    is_small: bool,
    kind: Kind = TRAINING,
) -> T | None:
    """Give the result of `work` for the inputs named by `key`, drawing its progress meanwhile.

    The work begins if `start` says so. Work for other inputs that still runs in the slot is
    stopped. None while there is no result; what is in the way has been drawn: the progress, that
    it was cancelled, or the error.
    """
    done = cast("T | None", cache.find(kind.kept, key))
    if done is not None:
        state.drop_job(slot)
        return done
    job = state.job(slot)
    if job is not None and job.key != key:
        state.drop_job(slot)
        job = None
    if job is None:
        if not start:
            _tell_failure(slot, key)
            return None
        job = state.start_job(slot, key, work)
        job.wait(_PATIENCE_SECONDS if is_small else _SHORT_SECONDS)
    if watch(slot, kind.title):
        return None
    return cast("T | None", _collect(slot, key, kind))


def _collect(slot: str, key: str, kind: Kind) -> object | None:
    """Take the result of the job that has ended, or say why there is none."""
    job = state.job(slot)
    assert job is not None  # it was there a moment ago, and nobody else drops it
    state.drop_job(slot)
    state.remember(slot, key, None if job.error is None else _in_words(job.error, kind))
    if isinstance(job.error, BPEError):
        _tell_failure(slot, key)
        return None
    result: object = job.result()  # raises what is no message for the user
    cache.keep(kind.kept, key, result)
    return result


def _in_words(error: BaseException, kind: Kind) -> tuple[bool, str]:
    """Say whether the user stopped the work, and in words why there is no result.

    The error itself is not kept: it holds on to the corpus.
    """
    if isinstance(error, TrainingCancelled):
        return True, kind.cancelled
    return False, as_sentence(str(error))


def _tell_failure(slot: str, key: str) -> None:
    """Draw why the slot's last work for these inputs has no result, on every run of the page."""
    failure: tuple[bool, str] | None = state.local(slot, key, None)
    if failure is not None:
        was_cancelled, why = failure
        (st.warning if was_cancelled else st.error)(why)


def has_failed(slot: str, key: str) -> bool:
    """Tell whether the slot's last work was for these inputs and ended without a result."""
    return state.local(slot, key, None) is not None


def was_cancelled(slot: str, key: str) -> bool:
    """Tell whether the user stopped the slot's last work, and it was for these inputs."""
    failure: tuple[bool, str] | None = state.local(slot, key, None)
    return failure is not None and failure[0]


def try_again(slot: str) -> None:
    """Forget that the slot's last work failed, so that it starts anew; for a button."""
    state.remember(slot, "", None)


def is_busy(slot: str) -> bool:
    """Tell whether work goes on in a slot."""
    job = state.job(slot)
    return job is not None and not job.done
