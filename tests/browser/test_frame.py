"""The frame around the pages, in a real browser: menu, links, chip, themes, and nobody else asked.

What no test here names is watched by `new_page`: the console stays clean, no exception is shown,
and no request goes to another machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

PAGES = ["home", "train", "encode", "compare"]
# Everything that Markdown, HTML or Streamlit would read as something else.
NASTY = ["**b** <i>x</i> $a$ [l](http://b) a -> b", ":red[q] :material/home: www.b.org `c` ~~s~~ #"]


def chip(page: Page) -> Page:
    """Open the tokenizer chip."""
    page.get_by_role("button", name=re.compile(r"(byte|character) base|No tokenizer")).click()
    return page


def test_the_menu_leads_to_every_page(open_page: Callable[..., Page]) -> None:
    page = open_page("home")
    expect(page).to_have_title("BPE Explorer")
    for name in ("Train", "Encode", "Compare"):
        page.get_by_role("link", name=name, exact=True).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page).to_have_title(f"{name} · BPE Explorer")
        expect(page).to_have_url(re.compile(f"/{name.lower()}([?].*)?$"))


def test_a_deep_link_works_on_a_server_nobody_has_used(
    open_page: Callable[..., Page], serve: Callable[..., str]
) -> None:
    """Streamlit alone would run the page without app.py: no menu, and the wrong title."""
    page = open_page("train", at=serve(), min_frequency=3)
    expect(page.get_by_role("heading", level=1)).to_have_text("Train")
    expect(page.get_by_role("link", name="Compare", exact=True).first).to_be_visible()
    expect(page).to_have_url(re.compile("/train[?].*min_frequency=3"))
    expect(page.get_by_label("Minimum count", exact=True)).to_have_value("3")


def test_there_is_no_deploy_button(open_page: Callable[..., Page]) -> None:
    page = open_page("home")
    expect(page.get_by_role("button", name="Deploy")).to_have_count(0)


@pytest.mark.parametrize("name", NASTY)
def test_a_name_is_shown_as_it_was_typed(open_page: Callable[..., Page], name: str) -> None:
    page = chip(open_page("train"))
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Keep", exact=True).click()
    label = page.get_by_role("button", name=re.compile(r"(byte|character) base"))
    expect(label).to_be_visible()
    expect(page.get_by_role("button", name="Rename", exact=True)).to_be_visible()
    shown = label.inner_text().replace("\u2060", "")
    assert name in shown
    assert label.locator("strong").count() == 1
    assert label.locator("a, i, em, img, code, del, .katex").count() == 0
    page.get_by_role("button", name="Delete", exact=True).click()
    undo = page.get_by_role("button", name=re.compile("^.*Undo"))
    expect(undo).to_be_visible()
    assert name in undo.inner_text().replace("\u2060", "")


def test_the_downloads_hold_what_was_trained(open_page: Callable[..., Page]) -> None:
    page = chip(open_page("train"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Merges (CSV)").click()
    csv = download.value.path().read_text(encoding="utf-8-sig")
    assert csv.splitlines()[1].startswith("0,e,s,es,")
    with page.expect_download() as download:
        page.get_by_role("button", name="tokenizer.json").click()
    assert '"merges"' in download.value.path().read_text(encoding="utf-8")


def test_the_tokenizer_follows_to_other_pages(open_page: Callable[..., Page]) -> None:
    page = open_page("train")
    label = page.get_by_role("button", name=re.compile("Latest training"))
    expect(label).to_be_visible()
    page.get_by_role("link", name="Encode", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Encode")
    expect(label).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_every_page_passes_the_accessibility_checks(
    open_page: Callable[..., Page], new_page: Callable[..., Page], name: str, scheme: str
) -> None:
    page = open_page(name, tab=new_page(scheme=scheme, height=2400))
    page.wait_for_timeout(1500)  # charts and components draw after the script has ended
    found = Axe().run(page).response["violations"]
    assert [f"{rule['id']}: {node['html'][:200]}" for rule, node in unexpected(found)] == []


def unexpected(violations: list[dict]) -> list[tuple[dict, dict]]:
    """Leave out the one fault of Streamlit's own: the uploader's drop zone, which is minor."""
    known = {"presentation-role-conflict": "stFileUploaderDropzone"}
    return [
        (rule, node)
        for rule in violations
        for node in rule["nodes"]
        if known.get(rule["id"], "\0") not in node["html"]
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_shows_every_page_without_sideways_scrolling(
    open_page: Callable[..., Page], new_page: Callable[..., Page], name: str
) -> None:
    page = open_page(name, tab=new_page(width=390, height=1600))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
