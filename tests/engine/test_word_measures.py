"""What is said of words as a whole does not depend on whether a dict or arrays hold them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import word_measures
from bpe.word_table import WordTable, highest
from tests.engine.strategies import well_formed_texts

COUNTS = st.dictionaries(well_formed_texts.filter(bool), st.sampled_from([1, 2, 2**40]), max_size=9)


@given(COUNTS, st.integers(0, 12))
def test_arrays_and_a_dict_are_measured_alike(counts: dict[str, int], n_words: int) -> None:
    table = WordTable.from_mapping(counts)
    text = "".join(word * min(count, 3) for word, count in counts.items())
    few = {word: min(count, 3) for word, count in counts.items()}
    assert word_measures.corpus_size(few) == (len(text.encode()), len(text))
    assert word_measures.corpus_size(table) == word_measures.corpus_size(counts)
    assert word_measures.n_pre_tokens(table) == sum(counts.values())
    assert word_measures.spelled_bytes(table) == word_measures.spelled_bytes(counts)
    chosen = word_measures.most_frequent(table, n_words)
    assert chosen == word_measures.most_frequent(counts, n_words)
    words = sorted(counts, key=lambda word: -counts[word])[:n_words]
    for held in (table, counts):
        assert [word_measures.word_by_number(held)(number) for number in chosen] == words
        told = [word_measures.count_by_number(held)(number) for number in chosen]
        assert told == [counts[word] for word in words]
    assert b"".join(word_measures.parts_to_hash(table)) == b"".join(
        word_measures.parts_to_hash(counts)
    )


@given(st.lists(st.integers(-3, 3), max_size=20), st.integers(0, 25))
def test_the_highest_numbers_are_those_of_sorting(numbers: list[int], n_wanted: int) -> None:
    import numpy as np

    order = sorted(range(len(numbers)), key=lambda at: -numbers[at])
    assert highest(np.array(numbers, np.int64), n_wanted).tolist() == order[:n_wanted]


def test_runs_of_other_words_or_counts_have_other_names() -> None:
    """Words that run together alike, counts that do: only what is cut where tells them apart."""
    corpora: list[Any] = [{"ab": 1, "c": 1}, {"a": 1, "bc": 1}, {"ab": 1, "c": 2}, {"ab": 11}]
    corpora += [{"c": 1, "ab": 1}, {"a": 1, "b": 1, "c": 1}]
    assert len({bpe.train(corpus, num_merges=0).fingerprint for corpus in corpora}) == len(corpora)
