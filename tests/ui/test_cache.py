"""The store behind the caches keeps what was used last."""

from __future__ import annotations

from pages.ui.cache import BoundedStore


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
