"""A replay tells what the training did: it agrees with the states of the run at every step."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.replay import Replay
from bpe.training_run import TrainingRun

WORDS = st.dictionaries(
    st.text(alphabet="aab c😀", min_size=1, max_size=12), st.integers(1, 4), min_size=1, max_size=8
)
RULES = st.sampled_from(["lexicographic", "lexicographic_max", "first_seen", "lowest_ids"])


def contents(run: TrainingRun, ids: list[int]) -> tuple[bytes | str, ...]:
    return tuple(run.tokenizer.token(token_id) for token_id in ids)


@given(WORDS, RULES, st.integers(0, 12), st.sampled_from([None, "</w>"]))
def test_words_counts_and_positions_are_those_of_the_run(
    words: dict[str, int], tie_break: str, start: int, end_of_word: str | None
) -> None:
    run = bpe.train(
        words,
        base="char",
        num_merges=12,
        pattern="none",
        tie_break=tie_break,  # type: ignore[arg-type]
        end_of_word=end_of_word,
    )
    replay = Replay(run, min(start, len(run.steps)))
    while replay.step < len(run.steps):
        before = run.words_at(replay.step)
        leading = {
            (run.tokenizer.token(left), run.tokenizer.token(right)): count
            for (left, right), count in replay.leading(5)
        }
        assert list(leading.items()) == list(run.pair_counts(replay.step, top=5).items())
        n_tokens = replay.n_tokens
        merge = replay.advance()
        assert replay.n_tokens == n_tokens - merge.n_replaced
        for number, (word, count) in enumerate(before.items()):
            seen = merge.in_word(number)
            assert contents(run, list(seen.ids_before)) == count
            pair = (merge.step.left, merge.step.right)
            adjacent = list(pairwise(count))
            assert seen.n_counted == adjacent.count(pair)
            assert all(adjacent[position] == pair for position in seen.positions)
            assert contents(run, replay.word_ids(number)) == run.words_at(replay.step)[word]
        assert merge.step.count == sum(
            merge.in_word(number).n_counted * weight for number, weight in enumerate(words.values())
        )
        assert merge.n_replaced == sum(
            n * list(words.values())[word] for word, n in merge.replaced_by_word.items()
        )


def test_a_limit_cuts_words_after_that_many_tokens_of_the_start() -> None:
    """aaaaaaab starts as 8 tokens; those in the first 3 places are a a a, then aa and the next."""
    run = bpe.train({"aaaaaaab": 1}, base="char", num_merges=2)
    replay = Replay(run)
    assert replay.word_ids(0, 3) == [0, 0, 0]
    merge = replay.advance()
    assert merge.in_word(0, 3).positions == (0, 2)
    assert merge.in_word(0, 3).n_counted == 6  # counted in the whole word, overlaps included
    assert replay.word_ids(0, 3) == [2, 2]


def test_a_replay_ends_where_the_run_ends() -> None:
    replay = Replay(bpe.train({"ab": 1}, base="char", num_merges=1), 1)
    with pytest.raises(bpe.ConfigError, match="ends after 1 merges"):
        replay.advance()
    with pytest.raises(bpe.ConfigError, match="no step 2"):
        Replay(bpe.train({"ab": 1}, base="char", num_merges=1), 2)
