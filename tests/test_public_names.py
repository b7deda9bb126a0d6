"""What `import bpe` offers: a sorted list of names, each explained with an example that is run."""

from __future__ import annotations

import inspect

import pytest

import bpe


def test_the_public_names_are_sorted_and_exist() -> None:
    assert list(bpe.__all__) == sorted(bpe.__all__)
    assert [name for name in bpe.__all__ if not hasattr(bpe, name)] == []


@pytest.mark.parametrize(
    "name", [name for name in bpe.__all__ if inspect.isfunction(getattr(bpe, name))]
)
def test_every_public_function_shows_an_example(name: str) -> None:
    """The examples themselves are run as doctests (pytest collects them from the package)."""
    assert ">>>" in (inspect.getdoc(getattr(bpe, name)) or "")


@pytest.mark.parametrize(
    "name", [name for name in bpe.__all__ if inspect.isclass(getattr(bpe, name))]
)
def test_every_public_class_says_what_it_is(name: str) -> None:
    assert (inspect.getdoc(getattr(bpe, name)) or "").strip()
