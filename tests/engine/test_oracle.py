"""Oracle: the trainer and the encoder give what `bpe.reference` gives, under every tie rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from tests.engine.strategies import awkward_word_counts, word_counts
from tests.engine.trained import merges_of, shakespeare

CHAR_RULES = ("lexicographic", "lexicographic_max", "first_seen", "lowest_ids")
ALL_RULES = (*CHAR_RULES, "gpt2_byte_ids")
WITH_BASES = [("char", rule) for rule in CHAR_RULES] + [("byte", rule) for rule in ALL_RULES]


def with_marker(word: str, marker: str, base: str) -> tuple[str | bytes, ...]:
    """A word as the reference takes it: its symbols and the marker."""
    symbol = marker.encode("utf-8") if base == "byte" else marker
    return (*bpe.reference.split_symbols(word, base), symbol)


@pytest.mark.parametrize(("base", "tie_break"), WITH_BASES)
@given(words=st.one_of(word_counts, awkward_word_counts), num_merges=st.integers(0, 25))
def test_the_trainer_equals_the_reference(
    base: str, tie_break: str, words: dict[str, int], num_merges: int
) -> None:
    run = bpe.train(words, base=base, tie_break=tie_break, num_merges=num_merges)
    merges = bpe.reference.train_bpe(words, num_merges, base=base, tie_break=tie_break)
    assert merges_of(run) == merges


@pytest.mark.parametrize(("base", "tie_break"), WITH_BASES)
@given(words=st.one_of(word_counts, awkward_word_counts))
def test_the_trainer_equals_the_reference_with_a_marker(
    base: str, tie_break: str, words: dict[str, int]
) -> None:
    run = bpe.train(words, base=base, tie_break=tie_break, num_merges=25, end_of_word="</w>")
    marked = {with_marker(word, "</w>", base): count for word, count in words.items()}
    assert merges_of(run) == bpe.reference.train_bpe(marked, 25, base=base, tie_break=tie_break)


@total_ordering
@dataclass(frozen=True)
class Spelled:
    """A token for the reference that knows whether it ends a word, so that text may spell markers.

    It compares by spelling, then text before marker. Its length is that of a marker, more than
    one, if it ends a word: so the reference numbers it after all characters.
    """

    text: str
    ends_word: bool = False

    def __add__(self, other: Spelled) -> Spelled:
        return Spelled(self.text + other.text, other.ends_word)

    def __lt__(self, other: Spelled) -> bool:
        return (self.text, self.ends_word) < (other.text, other.ends_word)

    def __len__(self) -> int:
        return 2 if self.ends_word else len(self.text)


@pytest.mark.parametrize("tie_break", CHAR_RULES)
@pytest.mark.parametrize("marker", ["b", "ab"])
@given(words=word_counts)
def test_a_marker_that_text_spells_is_compared_after_that_text(
    marker: str, tie_break: str, words: dict[str, int]
) -> None:
    run = bpe.train(words, base="char", tie_break=tie_break, num_merges=25, end_of_word=marker)
    symbols: Any = {
        (*map(Spelled, word), Spelled(marker, ends_word=True)): n for word, n in words.items()
    }
    expected: Any = bpe.reference.train_bpe(symbols, 25, tie_break=tie_break)
    assert merges_of(run) == [(left.text, right.text) for left, right in expected]
    ends = run.tokenizer.ends_word
    assert [ends(step.token_id) for step in run.steps] == [right.ends_word for _, right in expected]


@pytest.mark.parametrize("base", ["char", "byte"])
@given(words=word_counts, pre_token=st.text("abc", max_size=30))
def test_encoding_equals_the_replay_of_the_merges(
    base: str, words: dict[str, int], pre_token: str
) -> None:
    words = {**words, "abc": 1}
    run = bpe.train(words, base=base, pattern="none", num_merges=40)
    tokens = run.tokenizer.encode(pre_token).tokens
    symbols = bpe.reference.split_symbols(pre_token, base)
    assert tokens == bpe.reference.encode(symbols, merges_of(run))


@given(words=word_counts, pre_token=st.text("abc", min_size=1, max_size=20))
def test_encoding_with_a_marker_equals_the_replay(words: dict[str, int], pre_token: str) -> None:
    words = {**words, "abc": 1}
    run = bpe.train(words, base="char", pattern="none", num_merges=40, end_of_word="</w>")
    tokens = run.tokenizer.encode(pre_token).tokens
    symbols = with_marker(pre_token, "</w>", "char")
    assert tokens == bpe.reference.encode(symbols, merges_of(run))


@pytest.mark.parametrize("tie_break", ALL_RULES)
def test_the_trainer_equals_the_reference_on_real_text(tie_break: str) -> None:
    """30 KB of Shakespeare: ties of low counts among thousands of words."""
    settings: dict[str, Any] = {"base": "byte", "tie_break": tie_break}
    run = bpe.train(shakespeare()[:30_000], num_merges=60, **settings)
    assert merges_of(run) == bpe.reference.train_bpe(run.word_counts, 60, **settings)


@given(word_counts, st.integers(1, 6))
def test_a_least_frequency_cuts_the_merges_where_counts_fall_below_it(
    words: dict[str, int], min_frequency: int
) -> None:
    every = bpe.train(words, base="char", num_merges=99).steps
    kept = bpe.train(words, base="char", num_merges=99, min_frequency=min_frequency)
    n_kept = next((i for i, s in enumerate(every) if s.count < min_frequency), len(every))
    assert kept.steps == every[:n_kept]
    assert kept.stop_reason == ("min_frequency" if n_kept < len(every) else "no_pairs_left")


@pytest.mark.parametrize("base", ["char", "byte"])
@given(words=awkward_word_counts)
def test_the_vocabulary_equals_that_of_the_reference(base: str, words: dict[str, int]) -> None:
    run = bpe.train(words, base=base, num_merges=20)
    symbols: Any = sorted(set("".join(words))) if base == "char" else "byte"
    vocab = bpe.reference.build_vocab(symbols, merges_of(run))
    assert dict(enumerate(run.tokenizer.vocabulary.contents)) == vocab
    ids = run.tokenizer.encode("".join(words)).ids
    assert run.tokenizer.decode(ids) == bpe.reference.decode(ids, vocab) == "".join(words)
