"""The Encode page in a real browser: a text, its tokens, the size of the vocabulary, details."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

HOSTILE = (
    "<script>alert(1)</script> <b>b</b> $x$ [a](http://b) constructor __proto__ مرحبا 👩‍👩‍👧‍👦\n"
)


@pytest.fixture
def encode(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the page and wait for its tokens: `encode(encode_vocab_size=300)`."""

    def go(**query: Any) -> Page:
        page = open_page("encode", **query)
        expect(tokens(page).first).to_be_visible(timeout=30_000)
        return page

    return go


def tokens(page: Page) -> Locator:
    return page.get_by_role("region", name="Tokens", exact=True).locator("[data-token-id]")


def write(page: Page, text: str) -> None:
    """Type a text as a user would, and say that it is done."""
    box = page.get_by_role("textbox", name="Text", exact=True)
    box.fill(text)
    box.press("Control+Enter")


def shown_text(page: Page) -> str:
    region = page.get_by_role("region", name="Tokens", exact=True)
    text: str = region.evaluate("element => element.textContent")
    return text


def figure(page: Page, label: str) -> Locator:
    metric = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return metric.get_by_test_id("stMetricValue")


def wait_for_text(page: Page, text: str) -> None:
    page.wait_for_function(
        """(text) => [...document.querySelectorAll("*")].some((host) =>
             host.shadowRoot?.querySelector(".region")?.textContent === text)""",
        arg=text,
    )


@pytest.mark.parametrize(
    "text", ["the king and the queen", HOSTILE, "a\u00a0b\t\u200d\ufeff c\n\n"]
)
def test_the_text_typed_is_the_text_of_its_tokens(
    text: str, encode: Callable[..., Page], idle: Callable[[Page], None]
) -> None:
    page = encode()
    write(page, text)
    wait_for_text(page, text)
    idle(page)
    expect(page.get_by_text("Round trip holds")).to_be_visible()
    expect(figure(page, "Tokens")).to_have_text(str(tokens(page).count()))


def test_the_slider_recolours_without_training_and_enters_the_address(
    encode: Callable[..., Page],
) -> None:
    """At 256 every byte is a token; the address keeps the size under its own name."""
    page = encode()
    write(page, "the the the")
    wait_for_text(page, "the the the")
    slider = page.get_by_role("slider", name="Vocabulary size")
    expect(slider).to_have_value("1024")
    slider.focus()
    slider.press("Home")
    expect(tokens(page)).to_have_count(11)
    expect(page).to_have_url(re.compile("[?&]encode_vocab_size=256(&|$)"))
    expect(page).not_to_have_url(re.compile("[?&]vocab_size="))
    assert shown_text(page) == "the the the"
    slider.press("ArrowRight")
    expect(slider).to_have_value("257")


def test_no_quick_press_at_the_slider_is_lost(
    encode: Callable[..., Page], idle: Callable[[Page], None]
) -> None:
    """Nine steps of 50; each press starts a run that the next one breaks off."""
    page = encode(tokenizer="r50k_base")
    idle(page)
    slider = page.get_by_role("slider", name="Vocabulary size")
    slider.focus()
    for _ in range(9):
        slider.press("ArrowLeft")
        page.wait_for_timeout(40)
    expect(page).to_have_url(re.compile("[?&]encode_vocab_size=49807(&|$)"))
    idle(page)
    expect(slider).to_have_value("49807")
    expect(page.get_by_role("spinbutton", name="Exact size")).to_have_value("49807")


def test_a_link_brings_its_size_and_view(encode: Callable[..., Page]) -> None:
    page = encode(encode_vocab_size=300, view="bytes")
    expect(page.get_by_role("slider", name="Vocabulary size")).to_have_value("300")
    expect(page.get_by_role("radio", name="Bytes")).to_be_checked()


@pytest.mark.parametrize("size", ["abc", "1e9", "-1", "255", "<b>"])
def test_a_bad_size_in_a_link_gives_the_whole_vocabulary(
    size: str, encode: Callable[..., Page]
) -> None:
    slider = encode(encode_vocab_size=size).get_by_role("slider", name="Vocabulary size")
    expect(slider).to_have_value("1024")


def test_the_text_never_enters_the_address(encode: Callable[..., Page]) -> None:
    page = encode()
    write(page, "my secret words")
    wait_for_text(page, "my secret words")
    assert "secret" not in page.url


def test_the_text_stays_when_one_goes_and_comes_back(
    encode: Callable[..., Page], idle: Callable[[Page], None]
) -> None:
    page = encode()
    write(page, "to be kept")
    wait_for_text(page, "to be kept")
    page.get_by_role("link", name="Train", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Train")
    idle(page)
    page.get_by_role("link", name="Encode", exact=True).first.click()
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_have_value("to be kept")
    wait_for_text(page, "to be kept")


def test_what_was_trained_is_what_encodes(
    encode: Callable[..., Page], idle: Callable[[Page], None]
) -> None:
    """Before, the sample at 1,024; then the first training of the Train page: low, est."""
    page = encode()
    page.get_by_role("link", name="Train", exact=True).first.click()
    expect(page.get_by_role("button", name=re.compile("Latest training"))).to_be_visible()
    page.get_by_role("link", name="Encode", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Encode")
    idle(page)
    write(page, "lowest")
    wait_for_text(page, "lowest")
    assert tokens(page).all_text_contents() == ["low", "est"]


def test_a_token_tells_its_birth_by_keyboard(encode: Callable[..., Page]) -> None:
    page = encode()
    write(page, "the king")
    wait_for_text(page, "the king")
    page.get_by_role("radio", name="Text").focus()
    page.keyboard.press("Tab")
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_contain_text("Byte range")
    expect(tooltip).to_contain_text("Parents")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Token details")).to_contain_text("when merged")


def test_the_views_change_without_a_rerun(encode: Callable[..., Page]) -> None:
    page = encode()
    write(page, "the")
    wait_for_text(page, "the")
    for view, content in (("Ids", r"\d+"), ("Bytes", "74 68 65"), ("Pieces", "the")):
        page.get_by_role("radiogroup", name="Show").get_by_text(view, exact=True).click()
        expect(tokens(page)).to_have_text([re.compile(f"^{content}$")])


def test_reset_gives_size_and_view_back_and_keeps_the_text(encode: Callable[..., Page]) -> None:
    page = encode(encode_vocab_size=300)
    write(page, "the king")
    wait_for_text(page, "the king")
    page.get_by_role("radiogroup", name="Show").get_by_text("Ids", exact=True).click()
    page.get_by_role("button", name="Reset settings").click()
    expect(page.get_by_role("slider", name="Vocabulary size")).to_have_value("1024")
    expect(page.get_by_role("radio", name="Text")).to_be_checked()
    wait_for_text(page, "the king")


def test_names_that_are_looked_for_stand_for_one_thing(encode: Callable[..., Page]) -> None:
    page = encode()
    for place in (
        page.get_by_role("region", name="Tokens", exact=True),
        page.get_by_label("Text", exact=True),
        page.get_by_role("slider", name="Vocabulary size"),
        page.get_by_role("radiogroup", name="Show"),
    ):
        expect(place).to_have_count(1)


def test_an_empty_text_says_what_to_do(encode: Callable[..., Page]) -> None:
    page = encode()
    write(page, "")
    expect(page.get_by_text("Type or paste a text above")).to_be_visible()
    page.get_by_role("button", name="Code", exact=True).click()
    expect(tokens(page).first).to_be_visible()


def test_the_ids_can_be_copied_and_downloaded(encode: Callable[..., Page]) -> None:
    page = encode(encode_vocab_size=256)
    write(page, "low")
    wait_for_text(page, "low")
    page.get_by_role("tab", name="Id list").click()
    expect(page.get_by_text("[108, 111, 119]")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Ids (JSON)").click()
    assert download.value.path().read_text() == "[108, 111, 119]"


def test_the_table_can_be_downloaded(encode: Callable[..., Page]) -> None:
    page = encode(encode_vocab_size=256)
    write(page, "é")
    wait_for_text(page, "é")
    with page.expect_download() as download:
        page.get_by_role("button", name="Tokens (CSV)").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("position,id,token,bytes,byte_start")
    assert lines[1:] == ["0,195,<c3>,c3,0,1,0,1,,", "1,169,<a9>,a9,1,2,0,1,,"]


def test_a_text_of_two_thousand_words_is_drawn_whole(encode: Callable[..., Page]) -> None:
    page = encode()
    text = "".join(f"Sentence {n} has just some ten words to be cut.\n" for n in range(200))
    write(page, text)
    wait_for_text(page, text)
    last = tokens(page).last
    last.scroll_into_view_if_needed()
    expect(last).to_be_visible()


def test_a_token_of_a_bundled_encoding_shows_its_merge_tree(encode: Callable[..., Page]) -> None:
    """Golden: "ization" has the id 2860 in o200k_base, of which the first 256 are its bytes."""
    page = encode(tokenizer="o200k_base")
    write(page, "Tokenization")
    page.get_by_role("tab", name="Merge tree").click()
    tree = page.get_by_test_id("stPlotlyChart")
    for label in ("ization", "rank 2,604"):
        expect(tree).to_contain_text(label)
