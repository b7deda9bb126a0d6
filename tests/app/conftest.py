"""What the tests of several pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.held_trainings import HeldTrainings


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldTrainings]:
    """Let the test hold the trainings of all pages, and let them go again."""
    held = HeldTrainings(held=False)
    monkeypatch.setattr("pages.ui.training.train_with", held)
    yield held
    held.let_go()
