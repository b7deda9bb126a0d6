"""The store behind the caches keeps what was used last."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

import bpe
from bpe.word_table import WordTable
from pages.ui.cache import BoundedStore
from pages.ui.training import Trained, TrainedPair


def test_what_was_not_used_for_longest_goes_first() -> None:
    store = BoundedStore(2)
    store.put("a", 1)
    store.put("b", 2)
    assert store.find("a") == 1
    store.put("c", 3)
    assert [store.find(key) for key in "abc"] == [1, None, 3]


def test_a_value_put_again_is_replaced_and_takes_no_second_place() -> None:
    store = BoundedStore(2)
    for value in range(5):
        store.put("a", value)
    store.put("b", 9)
    assert [store.find(key) for key in "ab"] == [4, 9]


def test_large_values_make_room_for_the_newest_however_few_they_are() -> None:
    """Each value says its size; the last one stays though it alone is too large."""
    store = BoundedStore(9, max_bytes=100)
    store.put("small", SimpleNamespace(n_bytes_held=10))
    store.put("unknown", "value")
    store.put("large", SimpleNamespace(n_bytes_held=60))
    assert store.find("small")
    store.put("large2", SimpleNamespace(n_bytes_held=60))
    assert [bool(store.find(key)) for key in ("unknown", "large", "small", "large2")] == [
        False, False, True, True,
    ]  # fmt: skip
    store.put("huge", SimpleNamespace(n_bytes_held=500))
    assert not store.find("large2")
    assert store.find("huge")
    store.put("large2", SimpleNamespace(n_bytes_held=60))
    assert not store.find("huge")


def test_what_a_training_holds_is_its_words_its_merges_and_its_trace() -> None:
    """Two words of 3 and 5 letters; as arrays 8 bytes, 3 offsets and 2 counts of 8 bytes."""
    plain = bpe.train({"low": 5, "lower": 2}, base="char", num_merges=2)
    assert Trained(plain, "name", "key", b"x" * 7).n_bytes_held == 308 + 2 * 300 + 7
    table = WordTable(np.frombuffer(b"lowlower", np.uint8), np.array([0, 3, 8]), np.array([5, 2]))
    run = replace(plain, word_counts=table)
    assert Trained(run, "name", "key", None).n_bytes_held == 48 + 2 * 300
    assert TrainedPair(run, plain).n_bytes_held == 48 + 308 + 4 * 300
