"""The compiled replay is the plain one: every state, count, leading pair and touched word."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

import bpe
from bpe import fast_replay, fast_states, fast_training, training_run
from bpe._kernels import merge_arrays
from bpe.fast_replay import FastReplay
from bpe.fast_states import WordStates
from bpe.replay import Replay, replay_from
from bpe.samples import SAMPLES
from bpe.training_run import TrainingRun
from tests.engine import strategies

RULES = ["lexicographic", "lexicographic_max", "first_seen", "lowest_ids", "gpt2_byte_ids"]
LIMITS = (None, 1, 3, 6)


def random_run(draw: random.Random, rule: str) -> TrainingRun:
    """A run over few symbols, so that pairs repeat, overlap and tie."""
    base = "byte" if rule == "gpt2_byte_ids" else draw.choice(["byte", "char"])
    alphabet = draw.choice(["a", "ab", "abc", "abcdefgh", "a b\0", "aé日😀"])
    words = {
        "".join(draw.choices(alphabet, k=draw.choice([1, 3, 8, 20]))): draw.choice([1, 2, 7, 2**36])
        for _ in range(draw.choice([1, 2, 5, 30]))
    }
    return bpe.train(
        words,
        base=base,  # type: ignore[arg-type]
        tie_break=rule,  # type: ignore[arg-type]
        num_merges=draw.choice([0, 3, 30]),
        end_of_word=draw.choice([None, None, "</w>", "a", "é"]),
        special_tokens=draw.choice([(), ("<|end|>", "y")]),
    )


def assert_equal_replays(run: TrainingRun, start: int) -> None:
    plain, fast = Replay(run, start), FastReplay(run, start)
    numbers = range(len(run.word_counts))
    while True:
        assert fast.leading(4) == plain.leading(4)
        assert fast.n_tokens == plain.n_tokens
        for word in numbers:
            assert fast.word_size(word) == plain.word_size(word)
            for limit in LIMITS:
                assert fast.word_ids(word, limit) == plain.word_ids(word, limit)
        if plain.step == len(run.steps):
            return
        slow, quick = plain.advance(), fast.advance()
        assert quick.n_replaced == slow.n_replaced == run.n_replaced[plain.step - 1]
        assert quick.replaced_by_word == slow.replaced_by_word
        assert quick.n_words == slow.n_words
        for n_words in (1, 3, 99):
            assert quick.heaviest(n_words) == slow.heaviest(n_words)
            assert quick.most_replaced(n_words) == slow.most_replaced(n_words)
        for word in numbers:
            assert quick.replaced_in(word) == slow.replaced_in(word)
            for limit in LIMITS:
                assert quick.in_word(word, limit) == slow.in_word(word, limit)


@pytest.mark.parametrize("rule", RULES)
def test_a_replay_from_any_step_is_the_plain_one(rule: str) -> None:
    for seed in range(25):
        draw = random.Random(seed)
        run = random_run(draw, rule)
        assert_equal_replays(run, draw.randint(0, len(run.steps)))


@settings(max_examples=60)
@given(strategies.awkward_word_counts, strategies.settings(), st.data())
def test_states_with_any_settings_are_the_plain_ones(
    words: dict[str, int], chosen: dict[str, Any], data: st.DataObject
) -> None:
    run = bpe.train(words, **chosen)
    step = data.draw(st.integers(0, len(run.steps)))
    assert WordStates(run, step).ids() == run.word_ids_at(step)
    every = 10**6
    assert FastReplay(run, step).leading(every) == Replay(run, step).leading(every)


@pytest.mark.parametrize("rule", RULES)
def test_long_words_and_runs_of_one_symbol_are_replayed_alike(rule: str) -> None:
    """Above the length up to which a word is scanned; aaaa holds a+a three times, replaces two."""
    words = {"ab" * 60 + "c": 2, "a" * 131: 3, "abc" * 50 + "a" * 60: 1, "abaab" * 12: 5}
    run = bpe.train(words, num_merges=60, tie_break=rule)  # type: ignore[arg-type]
    for start in (0, 1, 9, len(run.steps)):
        assert_equal_replays(run, start)


@pytest.mark.parametrize("rule", ["lexicographic", "first_seen"])
def test_room_that_runs_out_is_made(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """Little room for places and pairs: lists are compacted and made longer on the way."""
    draw = random.Random(3)
    words = {"".join(draw.choices("abcd", k=12)): draw.randint(1, 3) for _ in range(40)}
    run = bpe.train(words, num_merges=80, tie_break=rule)  # type: ignore[arg-type]
    listed = merge_arrays.with_pairs_listed
    made: list[int] = []

    def with_little_room(*given: Any) -> Any:
        training = listed(*given)
        end, n_pairs = (int(training.state[0][name]) for name in ("pool_end", "n_pairs"))
        return training._replace(
            pool=training.pool[: end + 2].copy(),
            pairs=training.pairs[: n_pairs + 1].copy(),
            heap=training.heap[: n_pairs + 1].copy(),
        )

    def with_room(*given: Any) -> Any:
        made.append(1)
        return merge_arrays.with_room(*given)

    monkeypatch.setattr(fast_replay, "with_pairs_listed", with_little_room)
    monkeypatch.setattr(fast_replay, "with_room", with_room)
    assert_equal_replays(run, 5)
    assert made


def test_a_step_that_the_rule_would_not_take_is_replayed_as_it_was_made() -> None:
    """Merges learned under another rule: of two pairs that tie, the wrong one was taken."""
    for seed in range(20):
        run = random_run(random.Random(seed), "lexicographic_max")
        other = dataclasses.replace(run.config, tie_break="first_seen")
        assert_equal_replays(dataclasses.replace(run, config=other), 0)


def test_a_threshold_too_high_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: a+b 1000 times, then c+d and ab+c and so on once or twice."""
    monkeypatch.setattr(fast_replay, "_AHEAD", 1)
    run = bpe.train({"ab": 1000, "abc": 2, "cd": 1, "cde": 1}, num_merges=9)
    assert FastReplay(run).leading(1) == [((97, 98), 1002)]
    assert_equal_replays(run, 0)


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send runs of any size through the kernels."""
    monkeypatch.setattr(training_run, "compiled_pays", lambda n_bytes: True)


def test_large_runs_go_through_the_kernels_and_are_the_same(kernels: None) -> None:
    """A megabyte: states, pairs and words against counting them afresh."""
    text = SAMPLES["shakespeare_100kb"].load()
    assert isinstance(text, str)
    run = bpe.train(text, num_merges=2000)
    assert isinstance(replay_from(run), FastReplay)
    words = run.words_at(1500)
    ranks, symbols = run.tokenizer.vocabulary.ranks, run.tokenizer.symbol_table
    for word in list(words)[::50]:
        ids = bpe.encoder.merge_ids(symbols.known_ids(word), ranks, 1500)
        assert words[word] == tuple(run.tokenizer.token(token_id) for token_id in ids)
        assert run.ids_of_word(word, 1500) == ids
    recount: Counter[tuple[Any, Any]] = Counter()
    for word, tokens in words.items():
        for pair in pairwise(tokens):
            recount[pair] += run.word_counts[word]
    assert run.pair_counts(1500) == recount
    top = run.pair_counts(1500, top=20)
    assert list(top.values()) == [count for _, count in recount.most_common(20)]
    assert next(iter(top)) == (run.steps[1500].left, run.steps[1500].right)


def test_steps_that_are_not_there_are_refused(kernels: None) -> None:
    run = bpe.train({"ab": 1}, base="char", num_merges=1)
    replay = FastReplay(run, 1)
    with pytest.raises(bpe.ConfigError, match="ends after 1 merges"):
        replay.advance()
    for ask in (run.pair_counts, run.words_at, run.word_ids_at, lambda step: FastReplay(run, step)):
        with pytest.raises(bpe.ConfigError, match="no step 2"):
            ask(2)


@pytest.mark.parametrize("words", [{}, {"a": 3}, {"a": 1, "b": 2}])
def test_words_without_a_pair_have_states(words: dict[str, int], kernels: None) -> None:
    run = bpe.train(words, num_merges=4)
    assert run.pair_counts(0) == {}
    assert run.words_at(0) == {word: (word.encode(),) for word in words}
    assert FastReplay(run).n_tokens == sum(words.values())


def test_what_tick_raises_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_states, "PART", 1)
    run = bpe.train({f"{n:b}": 1 for n in range(99)}, num_merges=5)
    calls: list[int] = []

    def stop_later(n_symbols: int) -> None:
        calls.append(n_symbols)
        if len(calls) == 50:
            raise bpe.TrainingCancelled("enough")

    with pytest.raises(bpe.TrainingCancelled, match="enough"):
        FastReplay(run, 3, stop_later)
    assert len(calls) == 50


def test_runs_beyond_what_the_kernels_hold_go_the_plain_way(kernels: None) -> None:
    run = bpe.train({"ab": 2**60}, num_merges=1)
    assert isinstance(replay_from(run), Replay)
    assert run.words_at(1) == {"ab": (b"ab",)}


def test_warming_up_leaves_nothing_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    fast_training.warm_up()
    fast_replay.warm_up()
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("compiles again"))
    for rule in RULES:
        for seed in range(10):
            assert_equal_replays(random_run(random.Random(seed), rule), 0)
