"""Tokenizers chosen, imported, exported and compared in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

import bpe
from bpe.file_kinds import load_files

RUN = bpe.train("low lower lowest" * 9, vocab_size=264, special_tokens=("<|end|>",))
SENTENCE = "Tokenization turns text into integers."
IDS = ["4421", "2860", "18304", "2201", "1511", "54912", "13"]


@pytest.fixture
def encode(open_page: Callable[..., Page]) -> Page:
    return open_page("encode")


def chip(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile(r"(byte|character) base|No tokenizer"))


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=re.compile(label)).click()
    page.get_by_role("option", name=option, exact=True).click()


def ids_of(region: Locator) -> list[str]:
    ids: list[str] = region.locator("[data-token-id]").evaluate_all(
        "tokens => tokens.map((token) => token.dataset.tokenId)"
    )
    return ids


def give(page: Page, *files: dict[str, object]) -> Locator:
    """Open the dialog from the chip and give it files."""
    chip(page).click()
    page.get_by_role("button", name="Import a tokenizer").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Tokenizer files", exact=True)).to_be_visible()
    dialog.locator("input[type=file]").set_input_files(files)  # type: ignore[arg-type]
    return dialog


def file(name: str, text: str) -> dict[str, object]:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()}


def test_a_bundled_encoding_is_chosen_from_the_chip(encode: Page) -> None:
    """Golden: the ids that tiktoken gives in o200k_base."""
    chip(encode).click()
    choose(encode, "Current tokenizer", "GPT-4o (o200k_base)")
    expect(chip(encode)).to_contain_text("200,000 tokens", timeout=30_000)
    expect(encode).to_have_url(re.compile("tokenizer=o200k_base"))
    encode.keyboard.press("Escape")
    box = encode.get_by_role("textbox", name="Text", exact=True)
    box.fill(SENTENCE)
    box.press("Control+Enter")
    tokens = encode.get_by_role("region", name="Tokens", exact=True)
    expect(tokens.locator("[data-token-id='54912']")).to_be_visible(timeout=30_000)
    assert ids_of(tokens) == IDS
    tokens.locator("[data-token-id='54912']").hover()
    expect(encode.get_by_role("tooltip")).to_contain_text("Parents")


def test_the_chip_is_worked_with_the_keyboard_alone(encode: Page) -> None:
    """Streamlit leaves the focus on the button and draws the list at the end of the document."""
    chip(encode).focus()
    encode.keyboard.press("Enter")
    current = encode.get_by_role("combobox", name=re.compile("Current tokenizer"))
    expect(current).to_be_visible()
    encode.keyboard.press("Shift+Tab")
    chip(encode).focus()
    encode.keyboard.press("Tab")
    expect(current).to_be_focused()
    encode.keyboard.press("Tab")
    expect(encode.get_by_role("button", name="Import a tokenizer")).to_be_focused()
    encode.keyboard.press("Tab")
    expect(chip(encode)).to_be_focused()
    encode.keyboard.press("Tab")
    encode.keyboard.press("Escape")
    expect(current).to_have_count(0)
    expect(chip(encode)).to_be_focused()


def test_a_tokenizer_json_is_imported_and_goes_out_again(
    encode: Page, idle: Callable[[Page], None]
) -> None:
    give(encode, file("mine.json", bpe.to_tokenizer_json(RUN.tokenizer)))
    expect(encode.get_by_role("dialog")).to_have_count(0)
    expect(chip(encode)).to_contain_text("mine")
    expect(encode.get_by_text("Imported mine from mine.json")).to_be_visible()
    idle(encode)
    chip(encode).click()
    expect(encode.get_by_text("Agrees with Hugging Face tokenizers").last).to_be_visible()
    found = Axe().run(encode).response["violations"]
    assert [(rule["id"], node["html"][:99]) for rule in found for node in rule["nodes"]] == []
    encode.get_by_role("button", name="More formats").click()
    dialog = encode.get_by_role("dialog")
    with encode.expect_download() as download:
        dialog.get_by_role("button", name="vocab.json + merges.txt").click()
    assert download.value.suggested_filename == "mine.zip"
    loaded = load_files({"mine.zip": Path(download.value.path()).read_bytes()})
    assert loaded.tokenizer.encode("lowest").ids == RUN.tokenizer.encode("lowest").ids


def test_a_rank_file_is_asked_for_its_pattern_and_a_broken_one_refused(encode: Page) -> None:
    dialog = give(encode, file("page.tiktoken", "<!DOCTYPE html><html>Not <b>Found</b></html>"))
    expect(dialog.get_by_role("alert")).to_contain_text("page.tiktoken")
    expect(dialog.get_by_text("Nothing was imported")).to_be_visible()
    found = Axe().run(encode, context="[role=dialog]").response["violations"]
    assert [rule["id"] for rule in found if rule["id"] != "presentation-role-conflict"] == []
    encode.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    ranks = bpe.to_tiktoken(bpe.train("low lower lowest" * 9, vocab_size=262).tokenizer)
    dialog = give(encode, file("ranks.tiktoken", ranks))
    expect(dialog.get_by_role("alert")).to_contain_text("no pattern")
    choose(encode, "Pattern of the tokenizer", "GPT-4 (cl100k)")
    dialog.get_by_role("button", name="Import with this pattern").click()
    expect(chip(encode)).to_contain_text("ranks byte base · cl100k · 262 tokens")


def test_a_character_stands_in_the_same_place_in_every_lane(open_page: Callable[..., Page]) -> None:
    """r50k_base cuts these numbers into other tokens than cl100k_base, and more of them."""
    page = open_page("compare", compare_by="tokenizers", tokenizers="r50k_base,cl100k_base")
    block = page.get_by_role("group", name=re.compile("^In 2024, 1,234,567"))
    expect(block.locator(".apart").first).to_be_visible(timeout=30_000)
    lanes = [block.get_by_role("group").nth(place).locator(".token") for place in range(2)]
    assert lanes[0].count() != lanes[1].count()
    ends = [lane.last.bounding_box() for lane in lanes]
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0]["x"] == pytest.approx(ends[1]["x"], abs=0.5)


def test_lanes_of_several_tokenizers_stand_under_each_other(open_page: Callable[..., Page]) -> None:
    page = open_page("compare", compare_by="tokenizers", tokenizers="r50k_base,cl100k_base")
    lanes = page.get_by_role("region", name="Tokens", exact=True).locator(".lanes").first
    expect(lanes).to_be_visible(timeout=30_000)
    groups = lanes.get_by_role("group")
    expect(groups).to_have_count(2)
    upper, lower = (groups.nth(place).bounding_box() for place in range(2))
    assert upper is not None
    assert lower is not None
    assert upper["x"] == lower["x"]
    assert upper["y"] + upper["height"] <= lower["y"] + 1
    expect(groups.first).to_have_accessible_name(re.compile(r"GPT-2 \(r50k_base\), \d+ tokens"))
