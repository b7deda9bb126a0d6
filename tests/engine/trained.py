"""Trainings that several tests look at, each made once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import bpe
from bpe.samples import SAMPLES

DATA = Path(__file__).parents[1] / "data"

LOWEST = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


@cache
def shakespeare() -> str:
    """The whole of tinyshakespeare, 1,115,394 bytes of ASCII."""
    text = SAMPLES["shakespeare"].load()
    assert isinstance(text, str)
    return text


@cache
def corpus(name: str) -> str:
    """A corpus by the name the cases call it."""
    if name == "corpora/tinyshakespeare.txt":
        return shakespeare()
    files = {"corpora/udhr/jpn.txt": "udhr_japanese.txt"}
    return (DATA / files[name]).read_bytes().decode("utf-8")


@cache
def trained_on_corpus(name: str, base: str, pattern: str, num_merges: int) -> bpe.TrainingRun:
    """A training with the default tie rule on one of the corpora."""
    return bpe.train(corpus(name), base=base, pattern=pattern, num_merges=num_merges)


@cache
def trained_on_lowest() -> bpe.TrainingRun:
    """The corpus of the lesson: seven merges, from 10 tokens to 17."""
    return bpe.train(LOWEST, base="char", pattern="whitespace", num_merges=7)


@cache
def trained_on_hug() -> bpe.TrainingRun:
    """The second corpus of the lesson: six merges, from 7 tokens to 13."""
    return bpe.train(HUG, base="char", pattern="whitespace", vocab_size=13)


def as_bytes(content: str | bytes) -> bytes:
    """The UTF-8 bytes of a token."""
    return content if isinstance(content, bytes) else content.encode("utf-8")


def merges_of(run: bpe.TrainingRun) -> list[tuple[str | bytes, str | bytes]]:
    """The pairs a training merged, as contents."""
    return [(step.left, step.right) for step in run.steps]


def digest_of_merges(merges: Iterable[tuple[str | bytes, str | bytes]]) -> str:
    """sha256 over lines `hex(left) hex(right)`, joined by LF, no LF at the end."""
    lines = (f"{as_bytes(left).hex()} {as_bytes(right).hex()}" for left, right in merges)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
