"""The pure modules of the stage, run in Chromium and held to states computed in Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import pytest
from playwright.sync_api import Browser

from pages.ui.components.assets import join_modules
from pages.ui.components.stage.stage import MODULES
from tests.browser.apps.literal_trace import LiteralRun, build_trace
from tests.browser.apps.stage_cases import CASES, HUGS, LESSON

NAMES = (
    "createModel, wordsAt, ledgerAt, sentenceAt, sentenceJoinsAt, freshAt, joinAt, tiedMerges, "
    "tokensWithin, holdsStep, explanationAt, shortSentenceAt, spokenText, headingAt, "
    "hiddenWordsNote, shownWordsNote, readMergeNumber, scaleFor, shorten, "
    "createPlayer, loadWindow, play, pause, passTime, stepForward, stepBack, seek, shownPosition"
)

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Run]:
    """Run a JavaScript expression with the stage's names and `trace`, `more` in scope."""
    source = join_modules(MODULES).replace("export default", "") + f"\nexport {{ {NAMES} }};"
    page = browser.new_page()
    page.evaluate(
        """async (source) => {
            const blob = new Blob([source], { type: "text/javascript" });
            window.stage = await import(URL.createObjectURL(blob));
        }""",
        source,
    )

    def evaluate(code: str, trace: dict[str, Any] | None = None, more: Any = None) -> Any:
        # JSON, as the component gets it, rather than Playwright's own way to pass values.
        return page.evaluate(
            f"""([trace, more]) => {{
                const {{ {NAMES} }} = window.stage;
                [trace, more] = [JSON.parse(trace), JSON.parse(more)];
                const model = trace && createModel(trace, null);
                const spell = (parts) => spokenText(model, parts);
                const spoken = (step) => explanationAt(model, step).map(spell);
                {code}
            }}""",
            [json.dumps(trace), json.dumps(more)],
        )

    yield evaluate
    page.close()


def texts(trace: dict[str, Any], words: list[list[int]]) -> list[tuple[str, ...]]:
    names = {face["id"]: face["text"] for face in trace["faces"]}
    return [tuple(names[token_id] for token_id in ids) for ids in words]


@pytest.mark.parametrize("case", ["lesson", "hugs", "overlap", "one_word", "odd", "many", "long"])
def test_words_at_every_step_are_those_of_a_literal_training(run: Run, case: str) -> None:
    """Oracle: forwards, backwards and across checkpoints (64 merges apart) the states agree."""
    counts, num_merges = CASES[case].counts, CASES[case].num_merges
    literal = LiteralRun(counts, num_merges)
    trace = build_trace(counts, num_merges)
    steps = list(range(len(literal.merges) + 1))
    order = steps + steps[::-7] + steps[::13]
    states = run("return more.map((step) => wordsAt(model, step));", trace, order)
    shown = list(literal.counts)[:60]
    for step, state in zip(order, states, strict=True):
        assert texts(trace, state) == [literal.words[step][word] for word in shown], step


@pytest.mark.parametrize("start", [0, 64, 80, 160])
def test_a_window_in_the_middle_gives_the_same_states(run: Run, start: int) -> None:
    case = CASES["windows"]
    literal = LiteralRun(case.counts, case.num_merges)
    trace = build_trace(case.counts, case.num_merges, start=start, stop=start + 80)
    steps = list(range(start, start + 81))
    states = run("return more.map((step) => wordsAt(model, step));", trace, steps)
    for step, state in zip(steps, states, strict=True):
        expected = [literal.words[step][word] for word in list(literal.counts)[:60]]
        assert texts(trace, state) == expected, step
    assert run(
        "return [holdsStep(model, model.start), holdsStep(model, model.stop + 1)];", trace
    ) == [True, False]


def test_a_merge_keeps_the_lists_of_words_it_does_not_touch(run: Run) -> None:
    trace = build_trace(HUGS, 6)
    same = """const [one, two] = [wordsAt(model, 1), wordsAt(model, 2)];
        return one.map((ids, index) => ids === two[index]);"""
    assert run(same, trace) == [False, True, True, True, False]  # u + n stands in pun and bun


def test_the_ledger_follows_from_the_counts(run: Run) -> None:
    """Oracle: tokens = sum of count x tokens of the word; bytes per token = bytes / tokens."""
    literal = LiteralRun(LESSON, 7)
    trace = build_trace(LESSON, 7)
    ledgers = run("return more.map((step) => ledgerAt(model, step));", trace, list(range(8)))
    tokens = [literal.tokens_in_corpus(step) for step in range(8)]
    n_bytes = sum(count * len(word) for word, count in LESSON.items())
    assert [ledger["tokens"] for ledger in ledgers] == tokens
    assert [ledger["vocabularySize"] for ledger in ledgers] == list(range(10, 18))
    assert [ledger["saved"] for ledger in ledgers] == [0, 9, 9, 7, 7, 6, 6, 6]
    assert (
        list(accumulate([-ledger["saved"] for ledger in ledgers], initial=tokens[0]))[1:] == tokens
    )
    assert ledgers[3]["bytesPerToken"] == pytest.approx(n_bytes / tokens[3])


def test_the_sentence_follows_the_merges_back_and_forth(run: Run) -> None:
    """Golden: with low, lower, newest, widest, "lowest newer" ends as low est, n ew e r."""
    literal = LiteralRun(LESSON, 7)
    trace = build_trace(LESSON, 7, sentence=["lowest", "newer", "widest"])
    order = [0, 1, 7, 3, 5, 4, 2, 6, 7]
    states = run("return more.map((step) => sentenceAt(model, step));", trace, order)
    assert texts(trace, states[0]) == [tuple("lowest"), tuple("newer"), tuple("widest")]
    assert texts(trace, states[-1])[:2] == [("low", "est"), ("n", "ew", "e", "r")]
    for step, state in zip(order, states, strict=True):
        assert texts(trace, state)[2] == literal.words[step]["widest"]


def test_joins_in_the_sentence_are_told_before_and_after(run: Run) -> None:
    """Golden: in aaaa the places of a + a are 0 and 2 before, 0 and 1 after."""
    trace = build_trace({"aaaa": 1}, 2, sentence=["aaaa"])
    assert run("return [...sentenceJoinsAt(model, 1)];", trace) == [
        [0, {"before": [0, 2], "after": [0, 1]}]
    ]
    assert run("return [...freshAt(model, 1)];", trace) == [[0, [0, 1]]]


def test_each_merge_is_explained_by_its_sum(run: Run) -> None:
    assert run("return spoken(1);", build_trace(HUGS, 6)) == [
        "u + g: hug 10 + pug 5 + hugs 5 = 20, the highest"
    ]


def test_a_tie_names_the_pairs_and_the_rule(run: Run) -> None:
    assert run("return spoken(5);", build_trace(LESSON, 7)) == [
        "e + w: newest 6, the highest",
        "3 pairs tie at 6: e + w, n + e, w + est. "
        "The rule decides (smaller pair first, alphabetically): e + w",
    ]


def test_overlaps_are_counted_and_replaced_apart(run: Run) -> None:
    """Golden: aaaa holds a + a three times and aaa twice; two and one of them can be joined."""
    spoken = run("return spoken(1);", build_trace({"aaaa": 1, "aaa": 1}, 1))
    assert spoken[0] == "a + a: aaaa 3 × 1 + aaa 2 × 1 = 5, the highest"
    assert spoken[1].startswith(
        "counted 5, replaced 3: where a repeats, neighbouring pairs share a token"
    )


def test_many_words_are_summed_up(run: Run) -> None:
    """Golden: nine words hold a + b: 9 + 8 + 7 + 6 + 5 are named, 4 + 3 + 2 + 1 are not."""
    counts = {f"ab{letter}": 9 - index for index, letter in enumerate("cdefghijk")}
    trace = build_trace(counts, 1, shown=2)
    assert run("return spoken(1);", trace) == [
        "a + b: abc 9 + abd 8 + abe 7 + abf 6 + abg 5 + 10 in 4 more words = 45, the highest"
    ]
    assert run("return shownWordsNote(model);", trace) == "the 2 most frequent of 9 words"
    trace["steps"][0]["also"] = trace["steps"][0]["also"][:6]
    assert run("return hiddenWordsNote(model, 1);", trace) == "and 1 more word holds this pair"


def test_the_start_and_the_short_sentences_say_what_is_there(run: Run) -> None:
    trace = build_trace(LESSON, 7)
    assert run("return spoken(0);", trace) == [
        "The vocabulary holds 10 tokens, and no merge is made yet: "
        "each word is a row of single symbols."
    ]
    short = "return [1, 2].map((step) => spell(shortSentenceAt(model, step)[0]));"
    assert run(short, trace) == [
        "e + s stands together 9 times, as often as 1 other pair; "
        "the rule picks it, and it becomes es.",
        "es + t stands together 9 times, more than any other pair, so it becomes est.",
    ]
    assert run("return headingAt({ nSteps: 31000 }, 1204);") == "Merge 1,204 of 31,000"


def test_ties_are_marked_by_their_merges(run: Run) -> None:
    """Golden: tied 2, 1, 2, 1, 3, 2, 1 on the lesson's words."""
    assert run("return tiedMerges(model);", build_trace(LESSON, 7)) == [1, 3, 5, 6]


def test_a_long_word_is_drawn_as_far_as_its_first_tokens_reach(run: Run) -> None:
    """Golden: aaaaaaaa becomes aaaa aaaa; of extent 6 only the first token fits."""
    trace = build_trace({"aaaaaaaa": 1}, 2)
    code = "return [0, 1, 2].map((step) => tokensWithin(model, wordsAt(model, step)[0], 6));"
    assert run(code, trace) == [6, 3, 1]


@pytest.mark.parametrize(
    ("typed", "number", "answer"),
    [
        ("7", True, {"number": 7}),
        (" 0 ", True, {"number": 0}),
        ("", False, {"error": "That is not a merge number: type a number from 0 to 1,204."}),
        ("2.5", True, {"error": "2.5 is not a whole number: type a number from 0 to 1,204."}),
        ("1205", True, {"error": "There is no merge 1,205: type a number from 0 to 1,204."}),
        ("-1", True, {"error": "There is no merge -1: type a number from 0 to 1,204."}),
    ],
)
def test_a_typed_merge_is_read_or_refused_in_words(
    run: Run, typed: str, number: bool, answer: dict[str, Any]
) -> None:
    assert run("return readMergeNumber(more[0], more[1], 1204);", more=[typed, number]) == answer


def test_the_scale_of_the_bars_is_round_and_reaches_the_highest(run: Run) -> None:
    ends = run("return more.map(scaleFor);", more=[1, 9, 16, 20, 21, 9843, 3_000_000_000])
    assert ends == [1, 10, 20, 20, 30, 10_000, 3_000_000_000]


def test_long_texts_are_cut_by_characters(run: Run) -> None:
    assert run("return [shorten('abc', 3), shorten('👍👍👍👍', 3)];") == ["abc", "👍👍…"]


PLAYER = """
const log = [];
const note = (name) => (step) => log.push(`${name} ${step}`);
const hooks = { changed: () => {} };
for (const name of ["light", "join", "settle", "show", "need"]) hooks[name] = note(name);
const player = createPlayer(hooks, () => more.still ?? false);
const length = more.length ?? 5;
loadWindow(player, { start: 0, stop: more.stop ?? length, nSteps: length }, 0);
log.length = 0;
const pass = (ms) => { for (let left = ms; left > 0; left -= 10) passTime(player, 10); };
const joins = () => log.filter((entry) => entry.startsWith("join")).length;
"""


@pytest.fixture
def played(run: Run) -> Run:
    """Run code with a fresh `player` over five merges, and the `log` of what it drew."""
    return lambda code, **more: run(PLAYER + code, more=more)


def test_a_merge_by_hand_has_three_beats(played: Run) -> None:
    code = "stepForward(player); const at = player.position; pass(2000);"
    beats = ["light 1", "join 1", "settle 1"]
    assert played(code + "return [at, log, player.position];") == [0, beats, 1]


def test_another_press_ends_the_merge_under_way(played: Run) -> None:
    code = "stepForward(player); pass(50); stepForward(player); pass(2000);"
    beats = ["light 1", "show 1", "light 2", "join 2", "settle 2"]
    assert played(code + "return [log, player.position];") == [beats, 2]


def test_going_back_and_seeking_apply_at_once(played: Run) -> None:
    code = "seek(player, 4); stepBack(player); seek(player, 99); return [log, player.position];"
    assert played(code) == [["show 4", "show 3", "show 5"], 5]


def test_readers_who_want_no_motion_get_no_beats(played: Run) -> None:
    code = "stepForward(player); play(player); pass(1500); return log;"
    assert played(code, still=True) == ["show 1", "show 2", "show 3"]


def test_playing_keeps_the_speed_and_stops_at_the_end(played: Run) -> None:
    """At 2 a second five merges take 2 to 3 seconds: the first starts at once."""
    code = """player.speed = 2; play(player); pass(1900); const before = player.position;
        pass(1500); return [before, player.position, player.playing, joins()];"""
    assert played(code) == [4, 5, False, 5]


def test_fast_playing_has_no_beats_and_at_most_eight_steps_a_frame(played: Run) -> None:
    code = """player.speed = 60; play(player);
        for (let frame = 0; frame < 10; frame += 1) passTime(player, 250);
        return [log.includes("light 1"), player.position];"""
    assert played(code, length=500) == [False, 80]


def test_play_at_the_end_starts_again(played: Run) -> None:
    code = "seek(player, 5); play(player); return [player.position, player.playing];"
    assert played(code) == [0, True]


def test_beyond_the_window_another_one_is_asked_for_once(played: Run) -> None:
    code = """seek(player, 5); play(player); pass(3000); const waiting = player.waitingFor;
        loadWindow(player, { start: 5, stop: 9, nSteps: 9 }, 6); pass(100);
        const asked = log.filter((entry) => entry.startsWith("need"));
        return [asked, waiting, player.playing, player.position];"""
    assert played(code, length=9, stop=5) == [["need 6"], 6, True, 6]


def test_a_loop_rests_at_the_end_and_starts_again(played: Run) -> None:
    code = """player.speed = 4; player.looping = true; play(player); pass(1500);
        const end = player.position; pass(1000); const resting = player.position; pass(3000);
        return [end, resting, log.includes("show 0"), player.playing];"""
    assert played(code) == [5, 5, True, True]
