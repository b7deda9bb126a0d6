"""Word tables: mappings that are arrays inside."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.errors import ConfigError
from bpe.word_table import WordTable

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
mappings = st.dictionaries(words, st.integers(0, 2**63 - 1), max_size=30)


@given(counts=mappings)
def test_a_table_is_the_mapping_it_was_made_from(counts: dict[str, int]) -> None:
    table = WordTable.from_mapping(counts)
    assert list(table) == list(counts)
    assert list(table.items()) == list(counts.items())
    assert list(table.values()) == list(counts.values())
    assert list(table.keys()) == list(counts)
    assert [word.decode() for word in table.encoded()] == list(counts)
    assert table == counts
    assert counts == table
    assert len(table) == len(counts)
    assert all(table[word] == count for word, count in counts.items())


@given(counts=mappings, word=st.text(max_size=8))
def test_a_word_is_in_the_table_exactly_if_it_is_in_the_mapping(
    counts: dict[str, int], word: str
) -> None:
    table = WordTable.from_mapping(counts)
    assert (word in table) == (word in counts)
    assert table.get(word, -1) == counts.get(word, -1)
    assert (3 in table.values()) == (3 in counts.values())


def test_a_missing_word_is_a_key_error_and_no_other_kind_of_key_is_a_word() -> None:
    table = WordTable.from_mapping({"ab": 1})
    with pytest.raises(KeyError, match="'b'"):
        table["b"]
    assert b"ab" not in table
    assert "a\ud800" not in table


def test_words_with_the_same_checksum_are_told_apart() -> None:
    """CRC-32 of both words is 4ddb0c25."""
    table = WordTable.from_mapping({"plumless": 1, "buckeroo": 2})
    assert (table["plumless"], table["buckeroo"]) == (1, 2)
    assert "buckeroo" not in WordTable.from_mapping({"plumless": 1})


def test_equality_looks_at_words_and_counts_but_not_at_their_order() -> None:
    table = WordTable.from_mapping({"a": 1, "b": 2})
    assert table == WordTable.from_mapping({"b": 2, "a": 1})
    assert table != WordTable.from_mapping({"a": 1, "b": 3})
    assert table != WordTable.from_mapping({"ab": 1, "": 2})
    assert table != {"a": 1}
    assert table != "ab"


def test_the_fingerprint_tells_tables_apart_that_differ_in_anything() -> None:
    tables = [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 3}, {"ab": 1, "": 2}, {}]
    assert len({WordTable.from_mapping(table).fingerprint for table in tables}) == len(tables)


def test_the_total_is_the_sum_of_the_counts() -> None:
    assert WordTable.from_mapping({"a": 2**40, "b": 2}).total == 2**40 + 2
    assert WordTable.from_mapping({}).total == 0


def test_a_table_survives_pickling() -> None:
    table = WordTable.from_mapping({"é": 1, "a": 2})
    assert "a" in table  # its checksums are sorted now
    assert list(pickle.loads(pickle.dumps(table)).items()) == [("é", 1), ("a", 2)]


def test_the_arrays_cannot_be_written_to() -> None:
    table = WordTable.from_mapping({"a": 1})
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0] = 2


@pytest.mark.parametrize(
    ("n_bytes", "offsets", "counts"),
    [(2, [0, 1], [1]), (2, [0, 2], [1, 1]), (2, [1, 2], [1]), (3, [0, 2, 1, 3], [1, 1, 1])],
)
def test_arrays_that_do_not_fit_together_are_refused(
    n_bytes: int, offsets: list[int], counts: list[int]
) -> None:
    with pytest.raises(ConfigError, match="offsets do not mark"):
        WordTable(np.zeros(n_bytes, np.uint8), np.array(offsets), np.array(counts))


def test_what_a_table_cannot_keep_is_refused_with_the_reason() -> None:
    with pytest.raises(ConfigError, match="half of a surrogate pair"):
        WordTable.from_mapping({"a\ud800": 1})
    with pytest.raises(ConfigError, match="64 bits"):
        WordTable.from_mapping({"a": 2**63})
