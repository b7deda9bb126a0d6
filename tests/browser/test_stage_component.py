"""The stage in a real browser: what is drawn at each step, its controls, its manners."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.apps.literal_trace import LiteralRun
from tests.browser.apps.stage_cases import CASES, engine_run

APP = Path(__file__).parent / "apps" / "stage_app.py"
PARTS = "'.slots .slot, .pane, .transport, .tile'"
BOXES = (
    f"stage => [...stage.querySelectorAll({PARTS})]"
    + """.map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.className.split(' ')[0], Math.round(x), Math.round(y), Math.round(width),
        Math.round(height)];
})"""
)
TOKENS_OF_WORDS = """lane => [...lane.querySelectorAll('[data-word-index]')].map(
    (slot) => [...slot.querySelectorAll('[data-token-id]')].map((token) => %s))"""
SHOWN = TOKENS_OF_WORDS % "token.textContent"
SHOWN_IDS = TOKENS_OF_WORDS % "token.dataset.tokenId"

Show = Callable[..., Page]


@pytest.fixture(scope="session")
def stage_url(serve: Callable[..., str]) -> str:
    return serve(APP)


@pytest.fixture
def show(stage_url: str, page: Page) -> Show:
    """Open a case of the small app and wait until its stage is drawn."""

    def go(case: str, *, tab: Page | None = None) -> Page:
        target = tab or page
        target.goto(f"{stage_url}/?case={case}")
        expect(stage(target)).to_have_attribute("data-step", re.compile(r"\d"), timeout=30_000)
        return target

    return go


def stage(page: Page) -> Locator:
    return page.get_by_role("region", name="Merges, step by step")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def jump(page: Page, step: int) -> None:
    box = page.get_by_role("spinbutton", name="Merge")
    box.fill(str(step))
    box.press("Enter")
    expect(stage(page)).to_have_attribute("data-step", str(step))


def drawn(page: Page, script: str = SHOWN) -> list[list[str]]:
    words: list[list[str]] = page.locator("[data-lane=words]").evaluate(script)
    return words


def explanation(page: Page) -> Locator:
    return page.locator(".explanation")


def running(page: Page) -> int:
    n_animations: int = stage(page).evaluate(
        "stage => stage.getAnimations({ subtree: true }).length"
    )
    return n_animations


def test_the_start_shows_words_pairs_and_numbers(show: Show) -> None:
    page = show("lesson")
    assert drawn(page) == [list(word) for word in ("newest", "low", "widest", "lower")]
    assert page.locator(".slot-count").all_inner_texts() == ["6", "5", "3", "2"]
    assert page.locator(".bar-pair").all_text_contents()[:5] == ["es", "st", "we", "lo", "ow"]
    assert page.locator(".bar-count").all_text_contents()[:5] == ["9", "9", "8", "7", "7"]
    expect(page.locator(".bar").first.locator(".bar-tag")).to_have_text("next")
    assert [n.strip() for n in page.locator(".tile-value").all_inner_texts()] == [
        "10",
        "79",
        "1.00",
        "0",
    ]
    expect(page.locator(".heading")).to_have_text("Merge 0 of 12")


def test_next_merge_plays_two_beats_and_arrives(show: Show) -> None:
    page = show("lesson")
    press(page, "Next merge")
    lit = page.locator("[data-lane=words] .token.lit:not(.ghost)")
    expect(lit).to_have_text(["e", "s", "e", "s"])
    expect(page.locator(".line[aria-current=step]")).to_contain_text("Take the pair")
    expect(stage(page)).to_have_attribute("data-step", "1")
    assert drawn(page)[0] == ["n", "e", "w", "es", "t"]
    expect(page.locator(".heading")).to_have_text("Merge 1 of 12")
    expect(page.locator("[data-lane=words] .token.fresh")).to_have_text(["es", "es"])
    expect(page.locator(".bar").first).to_contain_text("9next · new")
    expect(page.locator(".ghost")).to_have_count(0)


def test_the_explanation_is_the_sum_in_words(show: Show) -> None:
    page = show("hugs")
    jump(page, 1)
    expect(explanation(page)).to_have_text("u + g: hug 10 + pug 5 + hugs 5 = 20, the highest")
    expect(page.locator(".bar", has_text="12").locator(".bar-tag")).to_have_text("−5")
    assert explanation(page).locator("[data-token-id]").all_inner_texts() == ["u", "g"]


def test_a_tie_and_an_overlap_are_explained(show: Show) -> None:
    page = show("lesson")
    jump(page, 5)
    expect(explanation(page)).to_contain_text("3 pairs tie at 6: e + w, n + e, w + est. The rule")
    page = show("overlap")
    jump(page, 1)
    expect(explanation(page)).to_contain_text("counted 5, replaced 3")


@pytest.mark.parametrize("case", ["lesson", "many", "odd", "overlap"])
def test_drawn_words_are_those_of_a_literal_training_at_random_steps(show: Show, case: str) -> None:
    page = show(case)
    literal = LiteralRun(CASES[case].counts, CASES[case].num_merges)
    words = list(literal.counts)[:60]
    dice = random.Random(case)
    for step in dice.sample(range(len(literal.merges) + 1), 4):
        jump(page, step)
        assert drawn(page) == [list(literal.words[step][word]) for word in words], step


def test_drawn_words_are_those_of_the_engine_at_random_steps(show: Show) -> None:
    page = show("engine")
    run = engine_run()
    dice = random.Random(7)
    by_count = sorted(run.word_counts, key=lambda word: -run.word_counts[word])[:60]
    for step in dice.sample(range(len(run.steps) + 1), 6):
        jump(page, step)
        words = run.words_at(step)
        expected = [[str(run.tokenizer.token_id(t)) for t in words[word]] for word in by_count]
        assert drawn(page, SHOWN_IDS) == expected, step


def test_stepping_leads_to_the_same_picture_as_seeking(show: Show) -> None:
    page = show("many")
    jump(page, 130)
    sought = drawn(page)
    jump(page, 127)
    for step in (128, 129, 130):
        press(page, "Next merge")
        expect(stage(page)).to_have_attribute("data-step", str(step))
    assert drawn(page) == sought
    press(page, "Previous merge")
    expect(stage(page)).to_have_attribute("data-step", "129")
    press(page, "Next merge")
    press(page, "Previous merge")
    expect(stage(page)).to_have_attribute("data-step", "129")


def test_no_slot_and_no_pane_moves_from_start_to_end(show: Show) -> None:
    page = show("many")
    places = []
    for step in (0, 1, 90, 299, 300):
        jump(page, step)
        places.append(stage(page).evaluate(BOXES))
    assert all(place == places[0] for place in places)


def test_play_pause_and_the_live_line(show: Show) -> None:
    page = show("many")
    live = stage(page).locator(".spoken")
    expect(live).to_have_attribute("aria-live", "polite")
    page.get_by_role("combobox", name="Speed").select_option("30")
    press(page, "Play")
    expect(live).to_have_attribute("aria-live", "off")
    expect(stage(page)).not_to_have_attribute("data-step", "0")
    press(page, "Pause")
    expect(live).to_have_attribute("aria-live", "polite")
    step = stage(page).get_attribute("data-step")
    page.wait_for_timeout(300)
    expect(stage(page)).to_have_attribute("data-step", str(step))
    expect(live).to_contain_text(f"Merge {step} of 300. ")


def test_playing_ends_at_the_last_merge(show: Show) -> None:
    page = show("hugs")
    page.get_by_role("combobox", name="Speed").select_option("15")
    press(page, "Play")
    expect(stage(page)).to_have_attribute("data-step", "7")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Next merge")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".line[aria-current=step]")).to_contain_text("Repeat")


def test_keys_work_wherever_the_focus_is_but_not_in_the_number_box(show: Show) -> None:
    page = show("lesson")
    stage(page).focus()
    for key, step in [("End", 12), ("ArrowLeft", 11), ("Home", 0), ("ArrowRight", 1)]:
        page.keyboard.press(key)
        expect(stage(page)).to_have_attribute("data-step", str(step))
    page.get_by_role("slider", name="Merge").focus()
    page.keyboard.press("ArrowLeft")
    expect(stage(page)).to_have_attribute("data-step", "0")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    before = stage(page).get_attribute("data-step")
    page.get_by_role("spinbutton", name="Merge").focus()
    for key in ("End", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(stage(page)).to_have_attribute("data-step", str(before))


def test_the_slider_scrubs(show: Show) -> None:
    page = show("many")
    page.get_by_role("slider", name="Merge").fill("210")
    expect(stage(page)).to_have_attribute("data-step", "210")
    expect(page.get_by_role("spinbutton", name="Merge")).to_have_value("210")
    assert "M40 0v8" not in (page.locator(".ties").get_attribute("d") or "")
    assert len(page.locator(".marks path").all()) == 1


def test_very_many_ties_are_shades_not_marks(show: Show) -> None:
    """150 merges without a tie, then 149 that decide one and a last that does not."""
    page = show("ties")
    expect(page.locator(".legend")).to_have_text("Darker: more ties decided, 149 in all")
    shades = page.locator(".marks .shade").evaluate_all(
        "shades => shades.map((shade) => Number(shade.getAttribute('fill-opacity')))"
    )
    assert shades == [0.0] * 30 + [1.0] * 29 + [0.8]
    assert page.locator(".ties").count() == 0


def test_a_unit_stands_beside_its_number_however_long_the_numbers_get(show: Show) -> None:
    page = show("ties")
    gaps = """tiles => tiles.map((tile) =>
        tile.querySelector('.tile-unit').getBoundingClientRect().x
        - tile.querySelector('.tile-value').getBoundingClientRect().right)"""
    boxes = []
    for step in (0, 1, 300):
        jump(page, step)
        assert all(0 < gap < 8 for gap in page.locator(".tile").evaluate_all(gaps))
        boxes.append([box for box in stage(page).evaluate(BOXES) if box[0] == "tile"])
    assert boxes[0] == boxes[1] == boxes[2]
    assert len(boxes[0]) == 4


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("99", "There is no merge 99: type a number from 0 to 12."),
        ("-3", "There is no merge -3: type a number from 0 to 12."),
        ("2.5", "2.5 is not a whole number: type a number from 0 to 12."),
        ("e", "That is not a merge number: type a number from 0 to 12."),
        ("", "That is not a merge number: type a number from 0 to 12."),
    ],
)
def test_a_wrong_merge_number_is_refused_in_place(show: Show, typed: str, message: str) -> None:
    page = show("lesson")
    jump(page, 4)
    box = page.get_by_role("spinbutton", name="Merge")
    box.press("Control+a")
    box.press("Delete")
    box.press_sequentially(typed)
    box.press("Enter")
    expect(page.locator(".transport-note")).to_have_text(message)
    expect(box).to_have_value("4")
    expect(stage(page)).to_have_attribute("data-step", "4")
    jump(page, 6)
    expect(page.locator(".transport-note")).to_have_text("")


def test_further_words_that_hold_the_pair_have_a_lane_of_their_own(show: Show) -> None:
    page = show("many")
    lane = page.locator("[data-lane=also]")
    expect(lane).to_contain_text("Words beyond those above appear here")
    expect(page.get_by_text("the 60 most frequent of 400 words")).to_be_visible()
    jump(page, 1)
    made = page.locator(".rule [data-token-id]").last.get_attribute("data-token-id")
    slots = lane.locator(".slot")
    expect(slots).to_have_count(24)
    expect(slots.first.locator(f"[data-token-id='{made}']")).not_to_have_count(0)
    expect(page.locator(".also .pane-note")).to_have_text(
        re.compile(r"^and \d+ more words hold this pair$")
    )


def test_the_sentence_is_cut_anew_at_every_step(show: Show) -> None:
    page = show("lesson")
    strip = page.locator("[data-lane=sentence]")
    assert strip.locator("[data-token-id]").count() == 17
    jump(page, 7)
    assert strip.locator("[data-token-id]").all_inner_texts()[:6] == [
        "low",
        "est",
        "n",
        "ew",
        "e",
        "r",
    ]
    expect(strip).to_have_text("lowest newer widest")
    expect(page.locator(".sentence .pane-note")).to_have_text("10 tokens after merge 7")


def test_user_text_is_never_markup(show: Show) -> None:
    page = show("odd")
    words = page.locator("[data-lane=words] .row").all_inner_texts()
    assert words[:4] == ["<b>", "<script>", "constructor", "__proto__"]
    assert page.locator("[data-lane=words] :is(b, script, a)").count() == 0


def test_a_rerun_changes_nothing_and_a_goto_jumps_once(show: Show) -> None:
    page = show("lesson")
    jump(page, 5)
    slot = page.locator("[data-lane=words] .slot").first.element_handle()
    press(page, "Rerun")
    expect(page.get_by_text("reruns: 1")).to_be_visible()
    assert slot.evaluate("slot => slot.isConnected")
    expect(stage(page)).to_have_attribute("data-step", "5")
    press(page, "Go to merge 2")
    expect(stage(page)).to_have_attribute("data-step", "2")
    jump(page, 6)
    press(page, "Rerun")
    expect(page.get_by_text("reruns: 2")).to_be_visible()
    expect(stage(page)).to_have_attribute("data-step", "6")


def test_another_corpus_keeps_the_position_as_far_as_it_can(show: Show) -> None:
    page = show("lesson")
    jump(page, 9)
    page.get_by_text("Other corpus").click()
    expect(page.locator(".heading")).to_have_text("Merge 7 of 7")
    assert len(drawn(page)) == 5


def test_merges_outside_the_window_are_loaded(show: Show) -> None:
    page = show("windows")
    jump(page, 200)
    expect(page.locator(".heading")).to_have_text("Merge 200 of 240")
    literal = LiteralRun(CASES["windows"].counts, 240)
    assert drawn(page) == [list(literal.words[200][word]) for word in list(literal.counts)[:60]]
    expect(page.locator(".transport-note")).to_have_text("")
    press(page, "First")
    expect(stage(page)).to_have_attribute("data-step", "0")


def test_a_stage_told_to_stay_waits_for_no_other_merges(show: Show) -> None:
    page = show("windows")
    jump(page, 70)
    page.get_by_text("Refuse other windows").click()
    page.get_by_role("combobox", name="Speed").select_option("15")
    press(page, "Play")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".heading")).to_have_text("Merge 80 of 240")
    expect(page.locator(".transport-note")).to_have_text("")
    press(page, "Previous merge")
    expect(page.locator(".heading")).to_have_text("Merge 79 of 240")


def test_playing_goes_on_across_windows(show: Show) -> None:
    page = show("windows")
    jump(page, 78)
    page.get_by_role("combobox", name="Speed").select_option("15")
    press(page, "Play")
    expect(page.locator(".heading")).to_have_text("Merge 240 of 240", timeout=40_000)


def test_a_very_long_word_is_drawn_in_part_and_says_so(show: Show) -> None:
    page = show("long")
    expect(page.locator("[data-lane=words] [data-token-id]")).to_have_count(400)
    expect(page.locator("[data-lane=words] .rest")).to_have_text("… 4,640 more tokens")
    press(page, "Next merge")
    expect(stage(page)).to_have_attribute("data-step", "1")
    press(page, "Last")
    expect(page.locator("[data-lane=words] [data-token-id]")).to_have_count(1)
    expect(page.locator("[data-lane=words] [data-token-id]")).to_have_text(re.compile("abc.{296}…"))


def test_a_run_without_merges_says_so_and_plays_nothing(show: Show) -> None:
    page = show("no_merges")
    expect(page.locator(".heading")).to_have_text("Merge 0 of 0")
    expect(page.get_by_text("No pair is left: every word is one token.")).to_be_visible()
    for name in ("First", "Previous merge", "Play", "Next merge", "Last"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()


def test_details_of_a_token_are_told_to_pointer_and_keyboard(show: Show) -> None:
    page = show("lesson")
    jump(page, 2)
    page.locator("[data-lane=words] [data-token-id]", has_text="est").first.hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("65 73 74")
    expect(tip).to_contain_text("1 (merge 2)")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    made = page.locator(".rule [data-token-id]").last
    made.focus()
    expect(tip).to_contain_text("9 when merged")
    expect(made).to_have_accessible_name("est, id 11, bytes 65 73 74, merge 2 of es + t, counted 9")


def test_home_plays_in_a_loop_until_a_control_is_touched(show: Show) -> None:
    page = show("home")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(stage(page)).to_have_attribute("data-step", "1")
    expect(explanation(page)).to_contain_text("stands together")
    press(page, "Previous merge")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    for missing in (".also", ".sentence", ".algorithm"):
        expect(page.locator(missing)).to_have_count(0)


def test_reduced_motion_runs_no_animation_and_no_loop(
    show: Show, new_page: Callable[..., Page]
) -> None:
    tab = new_page(reduced_motion="reduce")
    page = show("home", tab=tab)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    press(page, "Next merge")
    expect(stage(page)).to_have_attribute("data-step", "1")
    assert running(page) == 0
    press(page, "Play")
    expect(stage(page)).to_have_attribute("data-step", "3")
    assert running(page) == 0


def test_unmounting_stops_every_clock(show: Show) -> None:
    page = show("many")
    page.evaluate(
        "() => { const ask = requestAnimationFrame; window.frames_asked = 0;"
        "window.requestAnimationFrame = (f) => { window.frames_asked += 1; return ask(f); }; }"
    )
    press(page, "Play")
    page.wait_for_function("() => window.frames_asked > 5")
    page.get_by_text("Mounted").click()
    expect(stage(page)).to_have_count(0)
    page.wait_for_timeout(400)
    page.evaluate("() => { window.frames_asked = 0; }")
    page.wait_for_timeout(400)
    assert page.evaluate("() => window.frames_asked") == 0


def test_a_stage_that_comes_back_stands_where_it_was_left(show: Show) -> None:
    page = show("lesson")
    press(page, "Go to merge 2")
    expect(stage(page)).to_have_attribute("data-step", "2")
    jump(page, 6)
    for count in (0, 1):
        page.get_by_text("Mounted").click()
        expect(stage(page)).to_have_count(count)
    expect(stage(page)).to_have_attribute("data-step", "6")
    assert drawn(page)[0] == ["n", "ewest"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_violation_of_accessibility_and_no_sideways_scroll(
    show: Show, new_page: Callable[..., Page], scheme: str, width: int
) -> None:
    page = show("lesson", tab=new_page(scheme=scheme, width=width))
    jump(page, 5)
    for case, step in [("many", 40), ("odd", 20)]:
        assert not violations(page)
        page = show(case, tab=page)
        jump(page, step)
    assert not violations(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found for n in v["nodes"]]
