"""The list of tokenizers as a value: naming, keeping, choosing, deleting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from pages.ui.bundled import BUNDLED
from pages.ui.tokenizer_list import (
    LATEST_ID,
    LATEST_NAME,
    MAX_NAME_CHARS,
    NameRefused,
    TokenizerList,
)

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def run_of(num_merges: int) -> bpe.TrainingRun:
    return bpe.train(WORDS, base="char", pattern="whitespace", num_merges=num_merges)


def names(listed: TokenizerList) -> list[str]:
    return [entry.name for entry in listed.entries]


def kept(*sizes: int) -> TokenizerList:
    """Train at each size and keep each under the name of its size."""
    listed = TokenizerList()
    for size in sizes:
        listed = listed.with_latest(run_of(size), "words").renamed(LATEST_ID, str(size))
    return listed


def test_an_empty_list_has_no_current_tokenizer() -> None:
    assert TokenizerList().current is None


def test_the_first_training_becomes_current() -> None:
    listed = TokenizerList().with_latest(run_of(3), "words")
    assert listed.current is not None
    assert (listed.current.name, listed.current.corpus_label) == (LATEST_NAME, "words")
    assert listed.current.tokenizer.n_tokens == 13


def test_the_next_training_takes_the_place_of_the_latest() -> None:
    listed = TokenizerList().with_latest(run_of(3), "a").with_latest(run_of(4), "b")
    assert names(listed) == [LATEST_NAME]
    assert listed.entries[0].corpus_label == "b"


def test_the_same_run_again_changes_nothing_not_even_the_choice() -> None:
    listed = kept(3).with_latest(run_of(4), "b")
    chosen = listed.chosen(listed.entries[1].entry_id)
    assert chosen.with_latest(run_of(4), "b") is chosen


def test_a_named_training_is_kept_when_another_follows() -> None:
    listed = kept(3).with_latest(run_of(4), "b")
    assert names(listed) == [LATEST_NAME, "3"]
    assert listed.current_id == LATEST_ID


def test_keeping_the_current_training_leaves_it_current() -> None:
    listed = kept(3)
    assert listed.current is not None
    assert listed.current.name == "3"
    assert listed.current.is_kept


def test_a_run_that_is_kept_is_chosen_and_not_listed_twice() -> None:
    listed = kept(3).with_latest(run_of(4), "b").with_latest(run_of(3), "a")
    assert names(listed) == ["3"]
    assert listed.current is not None
    assert listed.current.name == "3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Type a name"),
        (" \t\n", "Type a name"),
        ("x" * (MAX_NAME_CHARS + 1), "61 characters; at most 60"),
        ("4", "taken"),
        (" 4 ", "taken"),
        (LATEST_NAME.upper(), "taken"),
    ],
)
def test_a_bad_name_is_refused_in_words(name: str, message: str) -> None:
    listed = kept(3, 4)
    entry_id = next(entry.entry_id for entry in listed.entries if entry.name == "3")
    with pytest.raises(NameRefused, match=message):
        listed.renamed(entry_id, name)


def test_a_name_is_trimmed_and_may_stay_as_it_is() -> None:
    listed = kept(3)
    entry_id = listed.entries[0].entry_id
    assert names(listed.renamed(entry_id, "  my   words ")) == ["my words"]
    assert names(listed.renamed(entry_id, "3")) == ["3"]


def test_an_added_tokenizer_with_a_taken_name_gets_a_number() -> None:
    listed = kept(3)
    for _ in range(2):
        listed = listed.with_entry(
            "3", run_of(5).tokenizer, origin="imported", corpus_label="a file"
        )
    assert names(listed) == ["3", "3 (2)", "3 (3)"]
    assert listed.current == listed.entries[-1]


def test_deleting_the_current_falls_back_to_its_neighbour() -> None:
    listed = kept(3, 4, 5)
    assert names(listed) == ["5", "4", "3"]
    middle = listed.chosen(listed.entries[1].entry_id)
    without_middle = middle.without(middle.entries[1].entry_id)
    assert without_middle.current is not None
    assert without_middle.current.name == "3"
    last = without_middle.without(without_middle.entries[1].entry_id)
    assert last.current is not None
    assert last.current.name == "5"
    assert last.without(last.entries[0].entry_id).current is None


def test_a_deleted_tokenizer_can_be_restored() -> None:
    listed = kept(3, 4)
    gone = listed.entries[1]
    restored = listed.without(gone.entry_id).restored(gone)
    assert restored.current == gone
    assert names(restored) == ["4", "3"]


def test_a_restored_latest_training_does_not_push_out_its_follower() -> None:
    first = TokenizerList().with_latest(run_of(3), "a")
    gone = first.entries[0]
    listed = first.without(LATEST_ID).with_latest(run_of(4), "b").restored(gone)
    assert names(listed) == [LATEST_NAME, f"{LATEST_NAME} (2)"]
    assert listed.current is not None
    assert listed.current.run is gone.run


def test_an_unknown_id_is_an_error() -> None:
    with pytest.raises(KeyError):
        TokenizerList().find("tokenizer-1")


def test_bundled_tokenizers_stand_behind_ones_own_and_can_be_chosen() -> None:
    listed = kept(3)
    assert [entry.entry_id for entry in listed.choices] == ["tokenizer-1", *BUNDLED]
    chosen = listed.chosen("o200k_base")
    assert chosen.current is not None
    assert chosen.current.tokenizer is bpe.load_pretrained("o200k_base")
    assert chosen.entries == listed.entries


def test_a_bundled_tokenizer_stays_current_when_another_is_deleted() -> None:
    listed = kept(3).chosen("r50k_base").without("tokenizer-1")
    assert listed.current_id == "r50k_base"


def test_a_bundled_tokenizer_can_be_neither_renamed_nor_deleted() -> None:
    listed = TokenizerList().chosen("r50k_base")
    with pytest.raises(KeyError, match="bundled"):
        listed.renamed("r50k_base", "mine")
    with pytest.raises(KeyError, match="bundled"):
        listed.without("r50k_base")


def test_nobody_takes_the_name_of_a_bundled_tokenizer() -> None:
    name = BUNDLED["r50k_base"]
    with pytest.raises(NameRefused, match="taken"):
        kept(3).renamed("tokenizer-1", name.upper())
    listed = kept(3).with_entry(
        name, run_of(5).tokenizer, origin="imported", corpus_label="a file", notes=("no pattern",)
    )
    assert names(listed)[-1] == f"{name} (2)"
    assert listed.entries[-1].notes == ("no pattern",)


RUNS = {size: run_of(size) for size in range(4)}
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["train", "keep", "add", "delete", "choose"]), st.integers(0, 3)),
    max_size=12,
)


@given(ACTIONS)
def test_names_and_ids_stay_unique_and_one_is_current(actions: list[tuple[str, int]]) -> None:
    """Property: whatever is done, names and ids are unique, and some entry is current if any is."""
    listed = TokenizerList()
    for action, number in actions:
        entry = listed.entries[number % len(listed.entries)] if listed.entries else None
        if action == "train":
            listed = listed.with_latest(RUNS[number], "words")
        elif action == "add":
            tokenizer = RUNS[number].tokenizer
            listed = listed.with_entry(
                str(number), tokenizer, origin="sample", corpus_label="words"
            )
        elif entry is not None and action == "keep":
            listed = listed.renamed(entry.entry_id, f"name of {entry.entry_id}")
        elif entry is not None:
            listed = getattr(listed, {"delete": "without", "choose": "chosen"}[action])(
                entry.entry_id
            )
        ids = [e.entry_id for e in listed.entries]
        assert len(set(ids)) == len(ids)
        assert len({name.casefold() for name in names(listed)}) == len(ids)
        assert (listed.current is None) == (not ids)
