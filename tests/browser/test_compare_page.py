"""The Compare page in a real browser: rows of both bases, the table, and the curve."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import bpe

Open = Callable[..., Page]
HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
HOSTILE = (
    "<script>window.ran = 1</script> <img src=x onerror=window.ran=1> $x$ [a](http://b) "
    "constructor __proto__"
)


@pytest.fixture
def compare(open_page: Open) -> Open:
    """Open the page on the words hug … hugs, with sentences of one's own."""

    def go(*sentences: str, **query: object) -> Page:
        page = open_page("compare", **{"compare_corpus": "hug", "sizes": "11 258", **query})
        if sentences:
            write(page, *sentences)
        return page

    return go


def write(page: Page, *sentences: str) -> None:
    box = page.get_by_role("textbox", name="Sentences")
    box.fill("\n".join(sentences))
    box.press("Control+Enter")
    expect(blocks(page)).to_have_count(len(sentences))
    expect(
        page.get_by_role("heading", name=sentences[0], exact=True)
        .or_(page.get_by_role("group", name=sentences[0], exact=True))
        .first
    ).to_be_visible()


def blocks(page: Page) -> Locator:
    return page.get_by_role("region", name="Tokens", exact=True).locator(".block")


def row(page: Page, base: str, size: str) -> Locator:
    """Find the row of a base at a size, in the first block."""
    column = blocks(page).first.get_by_role("group", name=base, exact=True)
    return column.get_by_role("group", name=re.compile(f"^{re.escape(size)}, "))


def ids(found: Locator) -> list[int]:
    texts = found.locator("[data-token-id]").evaluate_all(
        "tokens => tokens.map((token) => Number(token.dataset.tokenId))"
    )
    return [int(text) for text in texts]


def test_both_bases_are_drawn_at_every_size(compare: Open) -> None:
    page = compare("hugs pun", "héllo")
    by_characters = bpe.train(HUGS, base="char", vocab_size=258, unknown_token="[UNK]").tokenizer
    by_bytes = bpe.train(HUGS, base="byte", vocab_size=258).tokenizer
    for base, size, tokenizer in (
        ("Character base", "11", by_characters.with_vocab_size(11)),
        ("Character base", "258 (ends at 15)", by_characters),
        ("Byte base", "258", by_bytes),
    ):
        expected = tokenizer.encode("hugs pun").ids
        assert ids(row(page, base, size)) == expected
        expect(row(page, base, size)).to_contain_text(f"{len(expected)} tokens")


def test_tables_and_the_curve_are_there(compare: Open) -> None:
    page = compare("hugs pun")
    expect(page.get_by_test_id("stDataFrame")).to_have_count(2)
    chart = page.get_by_test_id("stPlotlyChart")
    expect(chart).to_contain_text("Vocabulary size (tokens)")
    expect(chart).to_contain_text("Character base")
    expect(chart).to_contain_text("Byte base")


def test_other_sizes_train_again_and_enter_the_address(compare: Open) -> None:
    page = compare("hugs")
    box = page.get_by_role("textbox", name="Vocabulary sizes")
    box.fill("9 260")
    box.press("Enter")
    expect(row(page, "Byte base", "260")).to_be_visible()
    expect(page).to_have_url(re.compile("[?&]sizes=9"))
    assert "hugs" not in page.url


def test_sizes_typed_wrongly_are_named_and_the_sentences_stay(compare: Open) -> None:
    page = compare("my own")
    box = page.get_by_role("textbox", name="Vocabulary sizes")
    box.fill("300 <b>")
    box.press("Enter")
    expect(page.get_by_text("“<b>” is no vocabulary size")).to_be_visible()
    expect(page.get_by_role("textbox", name="Sentences")).to_have_value("my own")
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_disabled()


def test_a_preset_fills_the_list(compare: Open) -> None:
    page = compare("my own")
    page.get_by_role("radiogroup", name="Preset").get_by_text("Emoji", exact=True).click()
    expect(page.get_by_role("textbox", name="Sentences")).to_have_value(re.compile("😀"))
    expect(page).to_have_url(re.compile("[?&]preset=emoji(&|$)"))


def test_what_was_trained_can_be_compared(open_page: Open, idle: Callable[[Page], None]) -> None:
    page = open_page("train", corpus="paste")
    text = page.get_by_role("textbox", name="Training text")
    text.fill("hum hum humble bumble")
    text.press("Control+Enter")
    expect(page.get_by_role("button", name=re.compile("Latest training"))).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    page.get_by_role("combobox", name="Corpus").click()
    page.get_by_role("option", name="Your corpus: Pasted text").click()
    idle(page)
    expect(page.get_by_text("starts from 7 characters and the unknown token")).to_be_visible()


def test_hostile_text_is_drawn_as_it_was_typed(compare: Open) -> None:
    page = compare(HOSTILE)
    for base, size in (("Character base", "11"), ("Byte base", "258")):
        expect(row(page, base, size)).to_contain_text(HOSTILE)
    region = page.get_by_role("region", name="Tokens", exact=True)
    assert region.locator("script, img, a, iframe").count() == 0
    assert page.evaluate("window.ran") is None


def test_the_sizes_and_the_corpus_can_be_chosen_by_keyboard(open_page: Open) -> None:
    page = open_page("compare", compare_corpus="hug", sizes="258")
    box = page.get_by_role("textbox", name="Vocabulary sizes")
    for _ in range(30):
        page.keyboard.press("Tab")
        if box.evaluate("element => element.matches(':focus')"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("10 11")
    page.keyboard.press("Enter")
    expect(row(page, "Character base", "10")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_rows_without_sideways_scrolling(
    open_page: Open, new_page: Callable[..., Page], scheme: str
) -> None:
    tab = new_page(scheme=scheme, width=390, height=1600)
    page = open_page("compare", tab=tab, compare_corpus="hug", sizes="11 258 300")
    write(page, HOSTILE, "W" * 200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
