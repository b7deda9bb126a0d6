"""Encoding one pre-token: scan, heap and step by step give the same, in any order of the rules."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.encoder import _LONG, _merge_by_heap, _merge_by_scan, encode_steps, merge_ids
from tests.engine.strategies import word_counts
from tests.engine.trained import merges_of, shakespeare

Pair = tuple[str, str]


@st.composite
def rules(draw: st.DrawFn) -> list[Pair]:
    """Rules made of single letters and of what earlier rules make, each pair once."""
    tokens = list("abc")
    made: list[Pair] = []
    for _ in range(draw(st.integers(0, 12))):
        pair = (draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens)))
        if pair not in made:
            made.append(pair)
            tokens.append(pair[0] + pair[1])
    return made


def ranked(rules: list[Pair]) -> dict[Pair, tuple[int, str]]:
    return {pair: (rank, pair[0] + pair[1]) for rank, pair in enumerate(rules)}


def lowest_rank_first(symbols: list[str], rules: list[Pair]) -> list[str]:
    """The rule of the contract, said once more: lowest rank present, leftmost first."""
    while present := [pair for pair in rules if pair in pairwise(symbols)]:
        at = list(pairwise(symbols)).index(present[0])
        symbols = [*symbols[:at], "".join(present[0]), *symbols[at + 2 :]]
    return symbols


@given(rules(), st.text("abc", max_size=60), st.randoms(use_true_random=False))
def test_scan_and_heap_merge_the_lowest_rank_leftmost_first(
    rules: list[Pair], text: str, order: object
) -> None:
    """In any order of the rules, also one in which parts come after what is made of them."""
    order.shuffle(rules)  # type: ignore[attr-defined]
    expected = lowest_rank_first(list(text), rules)
    assert _merge_by_scan(list(text), ranked(rules), None) == expected
    assert _merge_by_heap(list(text), ranked(rules), None) == expected
    assert merge_ids(text, ranked(rules)) == expected


@given(rules(), st.text("abc", max_size=60), st.integers(0, 12))
def test_a_limit_of_rank_leaves_the_later_rules_out(
    rules: list[Pair], text: str, rank_limit: int
) -> None:
    expected = lowest_rank_first(list(text), rules[:rank_limit])
    assert _merge_by_scan(list(text), ranked(rules), rank_limit) == expected
    assert _merge_by_heap(list(text), ranked(rules), rank_limit) == expected


@given(word_counts, st.text("abc", max_size=200))
def test_in_training_order_lowest_rank_first_is_the_replay(
    words: dict[str, int], text: str
) -> None:
    merges = bpe.reference.train_bpe(words, 40)
    replayed = bpe.reference.encode(tuple(text), merges)
    assert _merge_by_scan(list(text), ranked(merges), None) == replayed
    assert _merge_by_heap(list(text), ranked(merges), None) == replayed


def test_a_reordered_list_is_not_the_replay() -> None:
    """es+t before e+s: the replay comes to es+t when there is no es yet, lowest rank waits."""
    rules = [("es", "t"), ("e", "s"), ("l", "o"), ("lo", "w")]
    assert bpe.reference.encode("lowest", rules) == ["low", "es", "t"]
    assert merge_ids("lowest", ranked(rules)) == ["low", "est"]


@given(rules(), st.text("abc", max_size=60))
def test_the_steps_lead_to_the_encoding_one_merge_at_a_time(rules: list[Pair], text: str) -> None:
    tokens = ["a", "b", "c"]
    ids: dict[str, int] = {}
    for token in [*tokens, *(left + right for left, right in rules)]:
        ids.setdefault(token, len(ids))
    ranks = {
        (ids[left], ids[right]): (rank, ids[left + right])
        for rank, (left, right) in enumerate(rules)
    }
    state = tuple(ids[char] for char in text)
    for step in encode_steps(state, ranks):
        assert state[step.position : step.position + 2] == step.pair
        state = (*state[: step.position], step.token_id, *state[step.position + 2 :])
        assert step.ids_after == state
        assert ranks[step.pair] == (step.rank, step.token_id)
    assert list(state) == [ids[token] for token in merge_ids(text, ranked(rules))]


def test_a_pre_token_of_100_000_letters_gives_the_ids_of_the_replay() -> None:
    """One pre-token, far above the length at which the heap takes over. The replay goes through
    the text once a rule, with the reference's own `merge_pair`.
    """
    run = bpe.train(shakespeare()[:100_000], pattern="whitespace", base="char", num_merges=120)
    text = "".join(shakespeare().split())
    known = {str(run.tokenizer.token(i)) for i in range(run.tokenizer.base_size)}
    pre_token = "".join(char for char in text if char in known)[:100_000]
    assert len(pre_token) == 100_000 > _LONG
    symbols: list[str | bytes] = list(pre_token)
    for pair in merges_of(run):
        symbols = list(bpe.reference.merge_pair(symbols, pair))
    assert run.tokenizer.encode(pre_token).tokens == symbols


def test_a_run_of_100_000_equal_letters_gives_the_ids_of_the_replay() -> None:
    """Overlaps everywhere: aa, aaaa, …, and 100,000 = 195 * 512 + 160 = 195 * 512 + 128 + 32."""
    words = {"a" * 512: 1}
    run = bpe.train(words, base="char", pattern="none", num_merges=9)
    assert [len(step.merged) for step in run.steps] == [2**n for n in range(1, 10)]
    tokens = run.tokenizer.encode("a" * 100_000).tokens
    assert [len(token) for token in tokens] == [512] * 195 + [128, 32]
