"""Which window of a long run the stage shows; another one is made beside the page.

While it is made the stage keeps the window it has, and the reader can go on there or cancel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from bpe import TrainingRun
from pages.ui import background, cache, state
from pages.ui.trace import trace_json, window_start
from pages.ui.training import Trained
from pages.ui.training_job import Progress

# The step to go to, None for the one where the stage stands; and a number that is new each time.
Goto: TypeAlias = tuple[int | None, int]

_WINDOW: Final = background.Kind(
    "trace", "Stage", "The stage stays where it was: getting other merges was cancelled."
)
_FIRST: Final = background.Kind("trace", "Stage", "Making the animation was cancelled.")


@dataclass(frozen=True, slots=True)
class Window:
    """The trace that the stage shows, and where to go in it."""

    trace: bytes
    goto: Goto | None


def obtain_window(trained: Trained) -> Window | None:
    """Give the window that was asked for, or draw its progress and give the one shown before.

    None where there was none: the animation was cancelled, and is made when it is asked for.
    """
    run, start = trained.run, asked_window(trained.run)
    if trained.first_trace is None and not state.local(state.STAGE_WANTED, run.fingerprint, False):
        return None
    trace = trained.first_trace if start == 0 else None
    if trace is None:
        trace = _obtain_trace(run, start, _FIRST if trained.first_trace is None else _WINDOW)
    if trace is not None:
        goto: Goto | None = state.local(state.STAGE_GOTO, run.fingerprint, None)
        state.remember(state.STAGE_SHOWN, run.fingerprint, (start, goto))
        return Window(trace, goto)
    before: tuple[int, Goto | None] = state.local(state.STAGE_SHOWN, run.fingerprint, (0, None))
    shown, goto = before
    kept = cache.find("trace", _key(run, shown))
    trace = kept if isinstance(kept, bytes) else trained.first_trace
    if not background.is_busy(state.STAGE_TRACE):  # cancelled: nobody waits for it any more
        goto = (None, _new_nonce())
        state.remember(state.STAGE_GOTO, run.fingerprint, goto)
        state.remember(state.STAGE_WINDOW, run.fingerprint, shown)
        state.remember(state.STAGE_WANTED, run.fingerprint, trace is not None)
    return None if trace is None else Window(trace, goto)


def asked_window(run: TrainingRun) -> int:
    """Give the first merge of the window that was asked for."""
    asked: int = state.local(state.STAGE_WINDOW, run.fingerprint, 0)
    return asked


def jump(run: TrainingRun, step: int) -> None:
    """Let the stage go to the state after `step` merges, in whatever window that is."""
    place(run, step)
    state.remember(state.STAGE_WANTED, run.fingerprint, True)


def place(run: TrainingRun, step: int) -> None:
    """Do as `jump` does, but make no animation where that was cancelled."""
    state.remember(state.STAGE_GOTO, run.fingerprint, (step, _new_nonce()))
    state.remember(state.STAGE_WINDOW, run.fingerprint, window_start(step))


def _obtain_trace(run: TrainingRun, start: int, kind: background.Kind) -> bytes | None:
    def work(progress: Progress) -> bytes:
        return trace_json(run, start, progress=progress)

    return background.obtain(
        state.STAGE_TRACE,
        _key(run, start),
        work,
        start=True,
        is_small=not run.suits_kernels,
        kind=kind,
    )


def _key(run: TrainingRun, start: int) -> str:
    return f"{run.fingerprint}:{start}"


def _new_nonce() -> int:
    nonce: int = state.local(state.STAGE_NONCE, "", 0) + 1  # never the same twice in a session
    state.remember(state.STAGE_NONCE, "", nonce)
    return nonce
