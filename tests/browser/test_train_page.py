"""The Train page in a real browser: from a text of one's own to every merge of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import bpe
from bpe.samples import SAMPLES
from tests.browser.stage_reading import (
    drawn_ids,
    drawn_sentence,
    drawn_texts,
    expect_merge,
    ids_at,
    press,
    stage,
    type_merge,
)

Open = Callable[..., Page]

OWN_TEXT = (
    "Die Möwe kreist, die Möwen kreisen. How much wood would a woodchuck chuck, if a woodchuck "
    "could chuck wood? 海の海月、海の星。 naïve café, naïve cafés; 12 + 12 = 24 "
    "👩\u200d🚀👩\u200d🚀 aaaa aaaaaa\n"
) * 3
HOSTILE = (
    "<script>window.ran = 1</script> <img src=x onerror=window.ran=1> <b>b</b> <b>b</b> "
    "$x$ [a](http://b) [a](http://b) constructor __proto__ constructor __proto__"
)


@pytest.fixture
def train(open_page: Open) -> Open:
    """Open the page on pasted text, with settings in its address."""

    def go(text: str = "", **query: object) -> Page:
        page = open_page("train", **({"corpus": "paste"} if text else {}), **query)
        if text:
            paste(page, text)
        return page

    return go


def paste(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="Training text")
    box.fill(text)
    box.press("Control+Enter")


def choose(page: Page, group: str, option: str) -> None:
    page.get_by_role("radiogroup", name=group).get_by_text(option, exact=True).click()


def test_every_merge_of_a_pasted_text_is_drawn_as_the_engine_makes_it(train: Open) -> None:
    run = bpe.train(OWN_TEXT, base="byte", pattern="gpt2", num_merges=90)
    page = train(OWN_TEXT, base="byte", pattern="gpt2", num_merges=90)
    expect_merge(page, 0, 90)
    dice = random.Random(90)
    for step in [0, *dice.sample(range(1, 90), 6), 90]:
        type_merge(page, step)
        assert drawn_ids(page) == ids_at(run, step)


def test_what_is_kept_never_takes_the_place_of_the_latest_training(train: Open) -> None:
    """What a browser still holds of an older list of tokenizers is no choice of the user."""
    page = train(OWN_TEXT, num_merges=20)
    chip = page.get_by_role("button", name=re.compile("Latest training|My words"))
    chip.click()
    page.get_by_label("Name", exact=True).fill("My words")
    page.get_by_role("button", name="Keep").click()
    expect(chip).to_contain_text("My words")
    page.keyboard.press("Escape")
    merges = page.get_by_role("spinbutton", name="Merges")
    for size in ("30", "40", "50"):
        merges.fill(size)
        merges.press("Enter")
        expect_merge(page, 0, int(size))
        expect(chip).to_contain_text("Latest training")


def test_back_keeps_the_settings_and_the_training(train: Open) -> None:
    page = train(OWN_TEXT, base="byte", num_merges=17, min_frequency=2, end_of_word="</w>")
    expect_merge(page, 0, 17)
    page.get_by_role("link", name="Encode").click()
    expect(page.get_by_role("region", name="Tokens")).to_be_visible()
    page.go_back()
    expect_merge(page, 0, 17)
    expect(page.get_by_role("spinbutton", name="Merges")).to_have_value("17")
    expect(page).to_have_url(re.compile(r"num_merges=17"))
    expect(page).to_have_url(re.compile(r"end_of_word="))


def test_another_corpus_starts_at_its_first_merge(train: Open) -> None:
    page = train(OWN_TEXT, num_merges=20)
    type_merge(page, 9)
    paste(page, "another text, and another, and another text")
    expect_merge(page, 0)


def test_ones_own_sentence_is_encoded_as_each_step_would(train: Open) -> None:
    sentence = "Eine naïve Möwe would chuck the 海星 👩\u200d🚀"
    run = bpe.train(OWN_TEXT, base="byte", pattern="gpt2", num_merges=90)
    page = train(OWN_TEXT, base="byte", pattern="gpt2", num_merges=90)
    box = page.get_by_role("textbox", name="Your sentence")
    box.fill(sentence)
    box.press("Enter")
    expect(page.locator("[data-lane=sentence] .row").first).to_have_text("Eine")
    for step in (0, 17, 55, 90):
        type_merge(page, step)
        ids = run.tokenizer.with_vocab_size(256 + step).encode(sentence).ids
        assert drawn_sentence(page) == ids
        expect(page.get_by_text(f"{len(ids)} tokens after merge {step}")).to_be_visible()


def test_an_uploaded_file_is_trained_on(train: Open, tmp_path: Path) -> None:
    file = tmp_path / "<b>möwen.txt"
    file.write_text("möwe möwen möwe\n" * 3, encoding="utf-8-sig")
    page = train(corpus="upload", num_merges=3)
    page.locator("input[type=file]").set_input_files(file)
    expect_merge(page, 0, 3)
    expect(page.get_by_text("utf-8, 60 bytes, 48 characters, 3 lines")).to_be_visible()
    type_merge(page, 3)
    assert drawn_texts(page) == [["möwe"], ["möwe", "n"]]
    page.get_by_role("link", name="Home", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("BPE Explorer")
    page.get_by_role("link", name="Train", exact=True).first.click()
    expect(page.get_by_text("In use: <b>möwen.txt")).to_be_visible()
    expect(page.locator(".heading")).to_have_text(re.compile("^Merge [03] of 3$"))


def test_play_pause_step_and_scrub(train: Open) -> None:
    """The lesson: after three merges low is lo, w."""
    page = train()
    expect_merge(page, 0, 10)
    press(page, "Play")
    expect(stage(page)).to_have_attribute("data-step", re.compile("[1-9]"))
    press(page, "Pause")
    expect(stage(page)).to_have_attribute("data-playing", "false")
    press(page, "First")
    expect_merge(page, 0)
    press(page, "Next merge")
    expect_merge(page, 1)
    assert ["n", "e", "w", "es", "t"] in drawn_texts(page)
    press(page, "Last")
    expect_merge(page, 10)
    press(page, "Previous merge")
    expect_merge(page, 9)
    slider = page.get_by_role("slider", name="Merge")
    slider.focus()
    slider.fill("3")
    expect_merge(page, 3)
    assert ["lo", "w"] in drawn_texts(page)
    expect(page.locator(".explanation")).to_contain_text("2 pairs tie at 7")


@pytest.mark.parametrize("width", [390, 800, 1280, 1600])
def test_the_tokens_of_the_rule_are_whole(
    open_page: Open, new_page: Callable[..., Page], width: int
) -> None:
    """The seventh merge, n + ewest to newest, is the longest of the lesson's first."""
    page = open_page("train", tab=new_page(width=width))
    type_merge(page, 7)
    tokens = page.locator(".rule [data-token-id]")
    expect(tokens).to_have_text(["n", "ewest", "newest"])
    assert tokens.evaluate_all("all => all.every((t) => t.scrollWidth <= t.clientWidth)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_a_text_the_train_button_is_off_but_can_be_read(
    open_page: Open, new_page: Callable[..., Page], scheme: str
) -> None:
    """Its label has another colour than the page it stands on."""
    page = open_page("train", tab=new_page(scheme=scheme), corpus="paste")
    expect(page.get_by_text("Paste a text to learn from.")).to_be_visible()
    button = page.get_by_role("button", name="Train", exact=True)
    expect(button).to_be_disabled()
    label = button.get_by_text("Train").evaluate("label => getComputedStyle(label).color")
    behind = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor")
    assert lightness_apart(label, behind) > 40


def lightness_apart(one: str, other: str) -> float:
    """Give how far two colours stand apart, as the mean over red, green and blue, 0 to 255.

    A transparent colour counts by its part, as it stands on the other one.
    """
    first, second = ([float(n) for n in re.findall(r"[\d.]+", color)] for color in (one, other))
    opacity = first[3] if len(first) > 3 else 1
    return sum(abs(a - b) for a, b in zip(first[:3], second[:3], strict=True)) / 3 * opacity


def test_a_row_of_the_merge_list_takes_the_stage_there(train: Open) -> None:
    """The grid is a canvas: its rows are 35 pixels high, the first column holds check boxes."""
    page = train()
    expect_merge(page, 0, 10)
    grid = page.get_by_test_id("stDataFrame").locator(".dvn-scroller")
    grid.scroll_into_view_if_needed()
    for row in (4, 1):
        grid.click(position={"x": 16, "y": 35 + 35 * row + 17})
        expect_merge(page, row + 1)
    press(page, "Next merge")
    expect_merge(page, 3)


def test_keys_alone_play_step_and_jump(train: Open) -> None:
    page = train()
    expect_merge(page, 0, 10)
    stage(page).focus()
    for key, step in (("End", 10), ("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect_merge(page, step)
    page.keyboard.press("ArrowLeft")
    expect_merge(page, 1)
    page.keyboard.press("Space")
    expect(stage(page)).to_have_attribute("data-playing", "true")
    expect(stage(page)).to_have_attribute("data-step", re.compile("[2-9]"))
    page.keyboard.press("Space")
    expect(stage(page)).to_have_attribute("data-playing", "false")


def test_the_whole_way_can_be_gone_by_keyboard(open_page: Open) -> None:
    """Choose Paste, type, train, go to the stage and play: no pointer."""
    page = open_page("train")
    expect_merge(page, 0, 10)
    tab_to(page, "role=radio[checked]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_role("textbox", name="Training text")).to_be_visible()
    tab_to(page, "textarea")
    page.keyboard.type("sing song sang sing")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-lane=words] [data-word-index]")).to_have_count(3)
    tab_to(page, "section.stage")
    page.keyboard.press("Space")
    expect(stage(page)).to_have_attribute("data-step", re.compile("[1-9]"))
    page.keyboard.press("End")
    assert ["sing"] in drawn_texts(page)


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the focus is on the first element of a selector; fails if it never is."""
    target = page.locator(wanted).first.element_handle()
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("element => element.matches(':focus')"):
            return
    pytest.fail(f"the Tab key never comes to {wanted}")


def test_settings_enter_the_address_and_text_never_does(train: Open) -> None:
    page = train("my secret words and my secret text", num_merges=7)
    choose(page, "Base", "Byte")
    expect(page).to_have_url(re.compile("[?&]base=byte(&|$)"))
    page.get_by_role("textbox", name="Your sentence").fill("my secret sentence")
    page.get_by_role("textbox", name="Your sentence").press("Enter")
    expect(page.locator("[data-lane=sentence] .row").last).to_have_text("sentence")
    assert "num_merges=7" in page.url
    assert "secret" not in page.url
    choose(page, "Corpus", "Word counts")
    page.get_by_role("textbox", name="Words and counts").fill("secret 3")
    page.get_by_role("textbox", name="Words and counts").press("Control+Enter")
    expect(page.get_by_text("1 word, 3 occurrences in all")).to_be_visible()
    expect(page).to_have_url(re.compile("[?&]corpus=word_counts(&|$)"))
    assert "secret" not in page.url


def test_hostile_text_is_drawn_as_it_was_typed(train: Open) -> None:
    page = train(HOSTILE, num_merges=9)
    expect(page.locator("[data-lane=words] [data-word-index]").first).to_be_visible()
    for step in (0, 9):
        type_merge(page, step)
        words = ["".join(tokens) for tokens in drawn_texts(page)]
        assert sorted(words) == sorted(set(HOSTILE.split()))
    page.get_by_role("textbox", name="Your sentence").fill(HOSTILE)
    page.get_by_role("textbox", name="Your sentence").press("Enter")
    strip = page.locator("[data-lane=sentence]")
    expect(strip).to_have_text(HOSTILE)
    for tab in ("Words", "Growth", "Report", "Merge list"):
        page.get_by_role("tab", name=tab).click()
    assert stage(page).locator("script, img, b, a, iframe").count() == 0
    assert page.evaluate("window.ran") is None


def test_half_a_surrogate_pair_becomes_a_replacement_character_in_sight(train: Open) -> None:
    """What a broken program may put on the clipboard; whole pairs stay as they are."""
    page = train("low low", num_merges=9)
    for name in ("Training text", "Your sentence"):
        box = page.get_by_role("textbox", name=name)
        box.focus()
        box.evaluate("box => box.select()")
        page.evaluate("document.execCommand('insertText', false, 'a\\ud800b \\ude80 🚀')")
        expect(box).to_have_value("a\ufffdb \ufffd 🚀")
        box.press("Control+Enter" if name == "Training text" else "Enter")
    expect(page.locator("[data-lane=words] [data-word-index]")).to_have_count(3)
    assert drawn_texts(page) == [["a", "\ufffd", "b"], ["\ufffd"], ["🚀"]]
    expect(page.locator("[data-lane=sentence]")).to_have_text("a\ufffdb \ufffd 🚀")


def test_a_message_stands_in_place_and_the_last_training_stays(train: Open) -> None:
    page = train("to be or not to be", pattern="custom", regex=r"\w+")
    slots = page.locator("[data-lane=words] [data-word-index]")
    expect(slots).to_have_count(5)  # the space between words is one too
    expression = page.get_by_role("textbox", name="Regular expression")
    expression.fill("(<b>")
    expression.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The regular expression '(<b>' does not")
    expect(slots).to_have_count(5)
    expect(page.get_by_text("Below: the last training")).to_be_visible()
    expect(page.get_by_role("textbox", name="Training text")).to_have_value("to be or not to be")
    press(page, "Reset settings")
    choose(page, "Corpus", "Paste")
    expect(page.get_by_role("textbox", name="Training text")).to_have_value("to be or not to be")
    expect(page.get_by_text("The regular expression '(<b>'")).to_have_count(0)


def test_a_large_training_shows_progress_and_can_be_cancelled(
    train: Open, serve: Callable[..., str], tmp_path: Path
) -> None:
    """On a server where a training that asks for 50,000 merges is held at its first."""
    file = tmp_path / "large.txt"
    file.write_text("low lower newest widest " * 5_000, encoding="utf-8")
    page = train(at=serve(module="tests.browser.apps.held_server"))
    expect_merge(page, 0, 10)
    page.get_by_role("spinbutton", name="Merges").fill("50000")
    page.get_by_role("spinbutton", name="Merges").press("Enter")
    choose(page, "Corpus", "Upload")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("Press Train (Ctrl+Enter)").wait_for(timeout=60_000)
    press(page, "Train")
    bar = page.get_by_test_id("stProgress")
    for _ in range(3):
        expect(bar).to_contain_text(re.compile(r"merging pairs, [\d,]+ of [\d,]+ merges"))
        expect(bar).not_to_have_text(bar.inner_text())
    press(page, "Next merge")
    press(page, "Cancel")
    expect(page.get_by_text("Training was cancelled. Press Train to start again.")).to_be_visible()
    expect(bar).to_have_count(0)
    expect(page.get_by_text("Below: the last training, which stays")).to_be_visible()
    expect(page.locator("[data-lane=words] [data-word-index]")).to_have_count(4)


def test_a_long_run_is_right_in_its_last_window(train: Open) -> None:
    """2,500 merges are three windows; the last one comes from Python when it is asked for."""
    corpus = SAMPLES["shakespeare_100kb"].load()
    run = bpe.train(corpus, base="byte", pattern="gpt2", num_merges=2500)
    page = train(sample="shakespeare_100kb", base="byte", pattern="gpt2", num_merges=2500)
    expect_merge(page, 0, 2500)
    slider = page.get_by_role("slider", name="Merge")
    for step in (2500, 1000, 1001, 0):
        slider.focus()
        slider.fill(str(step))
        expect_merge(page, step, 2500)
        assert drawn_ids(page) == ids_at(run, step)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_a_tie_of_ones_own_text_can_be_read_in_both_themes_and_on_a_phone(
    open_page: Open, new_page: Callable[..., Page], scheme: str, width: int
) -> None:
    tab = new_page(scheme=scheme, width=width, height=3200)
    page = open_page("train", tab=tab, corpus="paste", num_merges=20)
    paste(page, HOSTILE)
    expect(page.locator("[data-lane=words] [data-word-index]").first).to_be_visible()
    type_merge(page, 2)
    expect(page.locator(".explanation")).to_contain_text("tie at")
    expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    found = Axe().run(page).response["violations"]
    faults = [(rule["id"], node["html"][:200]) for rule in found for node in rule["nodes"]]
    assert faults == []
