"""The trace holds what the run did: playing it gives the words of the engine at every step."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from pages.ui.home_trace import home_run, home_trace
from pages.ui.trace import build_trace, sentence_trace, trace_json, window_start

LOW = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
TEXT = "the cat sat on the mat and the hat, aaaa aaa aaaaa; naïve 😀😀 thin thing\n" * 3


def join(ids: list[int], positions: list[int], token: int) -> list[int]:
    """Apply positions of non-overlapping pairs, as the browser does."""
    for position in reversed(positions):
        ids = [*ids[:position], token, *ids[position + 2 :]]
    return ids


def play(trace: dict[str, Any]) -> list[list[list[int]]]:
    """Give the shown words' ids at every state of a trace."""
    words = [entry[2] for entry in trace["words"]]
    states = [words]
    for step in trace["steps"]:
        words = list(words)
        for word, *positions in step["at"]:
            words[word] = join(words[word], positions, step["token"])
        states.append(words)
    return states


@pytest.mark.parametrize("start", [0, 7, 60])
@pytest.mark.parametrize("base", ["char", "byte"])
def test_playing_a_trace_gives_the_words_of_the_run(base: str, start: int) -> None:
    run = bpe.train(TEXT, base=base, num_merges=60)  # type: ignore[arg-type]
    start = min(start, len(run.steps))
    trace = build_trace(run, start)
    words = list(run.word_counts)
    for offset, state in enumerate(play(trace)):
        expected = run.words_at(start + offset)
        for (label, count, *_), ids in zip(trace["words"], state, strict=True):
            word = next(w for w in words if w == label)
            assert count == run.word_counts[word]
            assert tuple(run.tokenizer.token(i) for i in ids) == expected[word]


def test_bars_are_the_leading_pairs_of_the_run() -> None:
    run = bpe.train(TEXT, num_merges=20)
    trace = build_trace(run)
    assert len(trace["bars"]) == len(run.steps) + 1
    for step, bars in enumerate(trace["bars"]):
        told = {(run.tokenizer.token(a), run.tokenizer.token(b)): n for a, b, n in bars}
        assert list(told.items()) == list(run.pair_counts(step, top=10).items())


def test_the_arithmetic_of_a_merge_adds_up() -> None:
    """u + g: hug 10 + pug 5 + hugs 5 = 20."""
    words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    step = build_trace(bpe.train(words, base="char", num_merges=1))["steps"][0]
    assert step["why"] == [["hug", 1, 10], ["pug", 1, 5], ["hugs", 1, 5]]
    assert step["count"] == step["replaced"] == 20
    assert step["tied"] == 1
    assert step["ties"] == []


def test_a_tie_names_the_other_pairs() -> None:
    """e+s and s+t tie at 9 before the first merge."""
    run = bpe.train(LOW, base="char", num_merges=1)
    step = build_trace(run)["steps"][0]
    token = run.tokenizer.token
    assert step["tied"] == 2
    assert [[token(a), token(b)] for a, b in step["ties"]] == [["s", "t"]]


def test_overlaps_count_more_than_they_replace() -> None:
    """aaaaa holds a+a four times and gives up two of them."""
    step = build_trace(bpe.train({"aaaaa": 1}, base="char", num_merges=1))["steps"][0]
    assert (step["count"], step["replaced"], step["why"]) == (4, 2, [["aaaaa", 4, 1]])


def test_words_beyond_the_most_frequent_are_shown_where_they_are_merged() -> None:
    words = {f"w{chr(0x4E00 + i)}": 100 - i for i in range(90)} | {"xy": 1}
    trace = build_trace(bpe.train(words, base="char", num_merges=91))
    assert len(trace["words"]) == 60
    last = next(step for step in trace["steps"] if ["xy", 1, 1] in step["why"])
    assert last["at"] == []
    assert [entry[0] for entry in last["also"]] == ["xy"]
    assert last["n_words"] == 1


def test_long_words_are_cut_and_still_play_right() -> None:
    run = bpe.train("ab" * 3000 + "c", base="char", pattern="none", num_merges=8)
    trace = build_trace(run)
    (word,) = trace["words"]
    assert len(word[2]) == 1000
    assert word[3] == 5001
    whole = run.word_ids_at(len(run.steps))[0]
    shown = play(trace)[-1][0]
    assert shown == whole[: len(shown)]


def test_a_long_further_word_says_how_much_of_it_is_hidden() -> None:
    words = {f"w{chr(0x4E00 + i)}": 100 for i in range(60)} | {"xy" + "z" * 98: 1}
    run = bpe.train(words, base="char", num_merges=200)
    step = next(s for s in build_trace(run)["steps"] if s["also"])
    ((_, _, ids, positions, n_hidden),) = step["also"]
    assert len(ids) + n_hidden == len(run.words_at(60)["xy" + "z" * 98])
    assert positions[-1] < len(ids)


def test_a_trace_tells_how_far_it_is_and_can_be_cancelled() -> None:
    run = bpe.train(TEXT, num_merges=20)
    seen: list[tuple[str, int, int]] = []
    build_trace(run, progress=lambda *report: seen.append(report))
    assert seen[0] == ("trace", 0, 20)
    with pytest.raises(bpe.TrainingCancelled):
        build_trace(run, progress=lambda *report: False)


def test_very_long_tokens_are_cut_in_the_faces_of_a_trace() -> None:
    run = bpe.train("ab" * 2048, base="char", pattern="none", num_merges=12)
    longest = max(build_trace(run)["faces"], key=lambda face: face["id"])
    assert longest["text"] == "ab" * 150 + "…"
    assert len(longest["hex"]) == 600


def test_ties_are_told_for_the_whole_run() -> None:
    run = bpe.train(LOW, base="char", num_merges=7)
    assert build_trace(run, 5)["tied_merges"] == [1, 3, 5, 6]


def test_windows_lie_side_by_side() -> None:
    run = bpe.train(TEXT, num_merges=40)
    first, second = build_trace(run, 0, 15), build_trace(run, 15, 15)
    assert (first["stop"], second["start"], second["stop"]) == (15, 15, 30)
    assert first["bars"][-1] == second["bars"][0]
    assert play(first)[-1] == [entry[2] for entry in second["words"]]
    assert (
        first["tokens_at_start"] - sum(s["replaced"] for s in first["steps"])
        == (second["tokens_at_start"])
    )
    assert [window_start(step) for step in (0, 1, 1000, 1001, 2500)] == [0, 0, 0, 1000, 2000]


def test_every_token_mentioned_has_a_face() -> None:
    trace = build_trace(bpe.train(TEXT, num_merges=60))
    known = {face["id"] for face in trace["faces"]}
    mentioned = {i for _, _, ids, *_ in trace["words"] for i in ids}
    mentioned |= {i for bars in trace["bars"] for left, right, _ in bars for i in (left, right)}
    mentioned |= {i for step in trace["steps"] for i in (*step["pair"], step["token"])}
    mentioned |= {i for step in trace["steps"] for entry in step["also"] for i in entry[2]}
    assert mentioned <= known


@given(st.text(alphabet="the caton ma,😀é", max_size=40), st.integers(0, 60))
def test_a_sentence_at_a_step_is_its_encoding_by_that_many_merges(text: str, step: int) -> None:
    run = bpe.train(TEXT, num_merges=60)
    sentence = sentence_trace(run, text)
    step = min(step, len(run.steps))
    ids = [list(symbols) for symbols in sentence["pre_tokens"]]
    for rank, number, position in sentence["events"]:
        if rank < step:
            ids[number] = join(ids[number], [position], run.steps[rank].token_id)
    encoding = run.tokenizer.with_vocab_size(256 + step).encode(text)
    assert [i for word in ids for i in word] == encoding.ids


def test_a_sentence_keeps_what_stands_between_its_words() -> None:
    run = bpe.train(LOW, base="char", pattern="whitespace", num_merges=2)
    assert sentence_trace(run, " low  we\n")["gaps"] == [" ", "  ", "\n"]


def test_a_sentence_tells_the_letters_behind_its_unknown_tokens() -> None:
    run = bpe.train(LOW, base="char", pattern="whitespace", num_merges=2, unknown_token="[UNK]")
    sentence = sentence_trace(run, "zip low ab")
    assert sentence["unseen"] == [["z", "p"], [], ["a", "b"]]
    assert sentence["pre_tokens"][0] == [0, 3, 0]


def test_a_sentence_with_an_unseen_character_is_refused_by_name() -> None:
    run = bpe.train(LOW, base="char", pattern="whitespace", num_merges=2)
    with pytest.raises(bpe.UnknownSymbolError, match="'z' at position 4"):
        sentence_trace(run, "low z")


def test_home_shows_the_training_as_it_is_now() -> None:
    assert json.loads(home_trace()) == json.loads(trace_json(home_run())), (
        "run `python -m pages.ui.home_trace` to write the trace of Home again"
    )
