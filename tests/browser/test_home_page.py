"""Home in a real browser: the lesson plays by itself, and three doors lead on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage_reading import drawn_texts, press, stage

Open = Callable[..., Page]


def test_the_lesson_merges_by_itself(open_page: Open) -> None:
    """Nothing is pressed; newest, the most frequent of the four words, comes to use e+s."""
    page = open_page("home")
    expect(stage(page)).to_have_attribute("data-playing", "true")
    expect(stage(page)).to_have_attribute("data-step", re.compile("[1-7]"))
    expect(page.locator(".heading")).to_have_text(re.compile("^Merge [1-7] of 7$"))
    press(page, "Pause")
    expect(stage(page)).to_have_attribute("data-playing", "false")
    press(page, "First")
    assert drawn_texts(page) == [list(word) for word in ("newest", "low", "widest", "lower")]


def test_each_merge_has_one_sentence(open_page: Open) -> None:
    page = open_page("home")
    press(page, "Pause")
    press(page, "First")
    press(page, "Next merge")
    sentence = page.locator(".explanation p")
    expect(sentence).to_have_count(1)
    expect(sentence).to_contain_text("stands together 9 times")


def test_who_wants_no_motion_gets_none(open_page: Open, new_page: Callable[..., Page]) -> None:
    tab = new_page(reduced_motion="reduce")
    page = open_page("home", tab=tab)
    expect(stage(page)).to_have_attribute("data-step", "0")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    press(page, "Next merge")
    expect(stage(page)).to_have_attribute("data-step", "1")
    assert stage(page).evaluate("e => e.getAnimations({ subtree: true }).length") == 0


@pytest.mark.parametrize(
    ("door", "title"),
    [
        ("Train on your text", "Train"),
        ("Encode a sentence", "Encode"),
        ("Compare", "Compare"),
    ],
)
def test_a_door_leads_to_its_page(open_page: Open, door: str, title: str) -> None:
    page = open_page("home")
    page.get_by_test_id("stMain").get_by_role("link", name=door).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page).to_have_url(re.compile(f"/{title.lower()}([?].*)?$"))


def test_the_doors_can_be_reached_by_keyboard(open_page: Open) -> None:
    page = open_page("home")
    door = page.get_by_test_id("stMain").get_by_role("link", name="Encode a sentence")
    for _ in range(40):
        page.keyboard.press("Tab")
        if door.evaluate("element => element.matches(':focus')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Encode")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_screen_shows_the_whole_stage(
    open_page: Open, new_page: Callable[..., Page], width: int
) -> None:
    """Words and transport stand within the window, without scrolling in either direction."""
    page = open_page("home", tab=new_page(width=width, height=900))
    expect(page.locator("[data-lane=words]")).to_be_in_viewport()
    expect(page.get_by_role("button", name=re.compile("^(Play|Pause)$"))).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
