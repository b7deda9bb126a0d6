"""A job on the screen: what it is doing, how far it is, and a button that stops it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from bpe.memory import in_words as size_in_words
from pages.ui import state
from pages.ui.training_job import Snapshot

_POLL_SECONDS: Final = 0.25
# Phase of the engine -> what it does, in words, and the unit of its numbers.
_PHASES: Final = {
    "read": ("", "bytes"),  # the title says what is done
    "name": ("checking, ", "bytes"),
    "count": ("Counting words", "characters"),
    "count_upload": ("Counting words", "%"),
    "merge": ("Merging pairs", "merges"),
    "trace": ("Making the animation", "merges"),
}


def watch(slot: str, title: str) -> bool:
    """Show the progress of a slot's job with a "Cancel" button; tells whether it still runs.

    The page is run again when the job has ended; then this draws nothing, and the page takes
    the job's result.
    """
    job = state.job(slot)
    if job is None or job.done:
        return False
    _watch(slot, title)
    return True


@st.fragment(run_every=_POLL_SECONDS)
def _watch(slot: str, title: str) -> None:
    job = state.job(slot)
    if job is None or job.done:
        st.rerun()
    snapshot = job.snapshot()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(snapshot.fraction, text=f"{title}: {in_words(snapshot)}")
        if st.button("Cancel", key=f"{state.CANCEL}_{slot}", icon=":material/stop:"):
            job.cancel()
            st.rerun()


def in_words(snapshot: Snapshot) -> str:
    """Say how far a job is, with units.

    >>> in_words(Snapshot("merge", 1200, 5000))
    'merging pairs, 1,200 of 5,000 merges'
    >>> in_words(Snapshot("read", 57_700_000, 100_000_000))
    '57.7 MB of 100.0 MB'
    """
    activity, unit = _PHASES.get(snapshot.phase, ("Starting", ""))
    if not unit or snapshot.total <= 0:
        return f"{activity} …".lower()
    if unit == "bytes":
        return f"{activity}{size_in_words(snapshot.done)} of {size_in_words(snapshot.total)}"
    if unit == "%":
        return f"{activity.lower()}, {snapshot.fraction:.0%}"
    return f"{activity.lower()}, {snapshot.done:,} of {snapshot.total:,} {unit}"
