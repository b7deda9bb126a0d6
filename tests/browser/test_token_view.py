"""The token view in a real browser: the text stays the user's, and every token tells what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from bpe.normalizers import well_formed
from pages.ui.components.assets import join_modules
from pages.ui.components.token_view.token_view import MODULES
from tests.browser.apps.token_view_cases import TEXTS, run_for

APP = Path(__file__).parent / "apps" / "token_view_app.py"
PURE = "{appendVisible, describeToken, drawToken, estimateLines, pieceOf, placeBeside, planChunks}"


@pytest.fixture(scope="session")
def token_app(serve: Callable[..., str]) -> str:
    return serve(APP)


@pytest.fixture
def show(token_app: str, page: Page) -> Callable[..., Page]:
    """Open a case of the small app and wait until its tokens are drawn."""

    def go(case: str, *, tab: Page | None = None, view: str = "text") -> Page:
        target = tab or page
        target.goto(f"{token_app}/?case={case}&view={view}")
        expect(target.locator(".row-tokens").first).to_be_attached(timeout=30_000)
        return target

    return go


def region(page: Page) -> Locator:
    return page.get_by_role("region", name="Tokens", exact=True)


def tokens(page: Page) -> Locator:
    return page.locator(".row-tokens .token")


def tooltip(page: Page) -> Locator:
    return page.get_by_role("tooltip")


def details(place: Locator) -> dict[str, str]:
    """Read the rows of a tooltip or panel: {"Id": "11", ...}."""
    rows: list[list[str]] = place.locator("dl > div").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )
    return dict(rows)


def show_view(page: Page, name: str) -> None:
    page.get_by_role("radiogroup", name="Show").get_by_text(name, exact=True).click()
    expect(page.get_by_role("radio", name=name)).to_be_checked()


def is_focused(token: Locator) -> bool:
    focused: bool = token.evaluate("element => element.getRootNode().activeElement === element")
    return focused


# --- the text


@pytest.mark.parametrize("case", sorted(TEXTS))
def test_the_text_of_the_region_is_the_input(case: str, show: Callable[..., Page]) -> None:
    assert region(show(case)).evaluate("element => element.textContent") == well_formed(TEXTS[case])


@pytest.mark.parametrize("case", ["scripts", "hostile", "invisible", "words", "upper", "special"])
def test_every_token_is_drawn_in_order_with_its_id(case: str, show: Callable[..., Page]) -> None:
    page = show(case)
    ids = run_for(case).tokenizer.encode(TEXTS[case], allowed_special="all").ids
    for view in ("Text", "Pieces", "Ids", "Bytes"):
        show_view(page, view)
        drawn = tokens(page).evaluate_all("all => all.map(token => Number(token.dataset.tokenId))")
        assert drawn == ids


@pytest.mark.parametrize("case", ["hostile", "invisible", "scripts"])
def test_only_our_own_elements_are_in_the_region(case: str, show: Callable[..., Page]) -> None:
    page = show(case)
    for view in ("Text", "Pieces", "Ids", "Bytes"):
        show_view(page, view)
        names = region(page).evaluate(
            "element => [...new Set([...element.querySelectorAll('*')].map(e => e.tagName))].sort()"
        )
        assert set(names) <= {"BR", "DIV", "SPAN", "WBR"}


def test_characters_in_several_tokens_are_drawn_once_with_their_tokens_beneath(
    show: Callable[..., Page],
) -> None:
    """The flag is eight bytes in at least two tokens; none of them repeats its text."""
    page = show("scripts")
    flag = page.locator(".shared", has_text="🇫🇷")
    assert flag.evaluate("element => element.textContent") == " 🇫🇷"
    assert flag.locator(".token").count() > 1
    beneath = flag.locator(".token").first
    box, above = beneath.bounding_box(), flag.locator(".shared-text").bounding_box()
    assert box
    assert above
    assert box["y"] >= above["y"] + above["height"] - 1
    beneath.hover()
    assert details(tooltip(page))["Character range"].endswith("2 characters")


def test_right_to_left_tokens_stand_apart_in_their_logical_order(
    show: Callable[..., Page],
) -> None:
    page = show("scripts")
    line = page.locator(".shared, .row-tokens .chunk > .token", has_text="שלום")
    at = line.bounding_box()
    next_at = page.locator(".chunk > .token", has_text="עולם").bounding_box()
    assert at
    assert next_at
    assert at["x"] + at["width"] <= next_at["x"]


@pytest.mark.parametrize("view", ["text", "pieces", "ids", "bytes"])
def test_copying_gives_the_text_in_every_view(view: str, show: Callable[..., Page]) -> None:
    page = show("scripts", view=view)
    copied = tokens(page).last.evaluate(
        """(token) => {
          const root = token.getRootNode();
          const rows = root.querySelector(".row-tokens");
          const range = document.createRange();
          range.selectNodeContents(rows);
          const selection = root.getSelection();
          selection.removeAllRanges();
          selection.addRange(range);
          const data = new DataTransfer();
          const options = { clipboardData: data, bubbles: true, composed: true, cancelable: true };
          rows.dispatchEvent(new ClipboardEvent("copy", options));
          return data.getData("text/plain");
        }"""
    )
    assert copied == TEXTS["scripts"]


def test_copying_a_part_gives_that_part(show: Callable[..., Page]) -> None:
    """From the middle of one token to the middle of another, as a mouse would select."""
    page = show("words")
    copied = tokens(page).first.evaluate(
        """(token) => {
          const root = token.getRootNode();
          const all = [...root.querySelectorAll(".row-tokens .token")];
          const [low, lower] = all.filter((one) => one.textContent === "low");
          root.getSelection().setBaseAndExtent(low.firstChild, 1, lower.firstChild, 2);
          const data = new DataTransfer();
          const options = { clipboardData: data, bubbles: true, composed: true, cancelable: true };
          low.dispatchEvent(new ClipboardEvent("copy", options));
          return data.getData("text/plain");
        }"""
    )
    assert copied == "ow lo"


# --- the views


def test_the_views_change_in_the_browser_alone(show: Callable[..., Page]) -> None:
    page = show("words")
    run = run_for("words")
    ids = run.tokenizer.encode(TEXTS["words"]).ids
    expect(page.get_by_role("radio", name="Text")).to_be_checked()
    show_view(page, "Ids")
    assert tokens(page).all_text_contents() == [str(token_id) for token_id in ids]
    show_view(page, "Bytes")
    assert tokens(page).first.text_content() == "6c 6f 77"
    show_view(page, "Pieces")
    assert "<unk>" in tokens(page).all_text_contents()
    expect(page.get_by_text("reruns: 0")).to_be_visible()


def test_the_radio_group_works_with_the_keyboard(show: Callable[..., Page]) -> None:
    page = show("words")
    page.get_by_role("radio", name="Text").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Pieces")).to_be_checked()
    assert tokens(page).first.get_attribute("data-view") == "pieces"


def test_the_first_view_is_the_one_that_python_names(show: Callable[..., Page]) -> None:
    expect(show("words", view="bytes").get_by_role("radio", name="Bytes")).to_be_checked()


def test_other_tokens_keep_the_view_the_user_chose(show: Callable[..., Page]) -> None:
    page = show("scripts")
    show_view(page, "Bytes")
    n_before = tokens(page).count()
    page.get_by_text("Smaller vocabulary").click()
    expect(tokens(page)).not_to_have_count(n_before)
    expect(page.get_by_role("radio", name="Bytes")).to_be_checked()
    assert tokens(page).count() == len(TEXTS["scripts"].encode())


def test_a_rerun_without_news_draws_nothing_anew(show: Callable[..., Page]) -> None:
    page = show("words")
    tokens(page).first.evaluate("element => { element.dataset.seen = 'yes'; }")
    page.get_by_role("button", name="Rerun").click()
    expect(page.get_by_text("reruns: 1")).to_be_visible()
    expect(tokens(page).first).to_have_attribute("data-seen", "yes")


def test_the_scheme_follows_the_theme(show: Callable[..., Page], new_page: Any) -> None:
    for scheme in ("light", "dark"):
        page = show("words", tab=new_page(scheme=scheme))
        expect(page.locator(".token-view")).to_have_attribute("data-scheme", scheme)


def test_the_view_can_leave_the_page_and_come_back(show: Callable[..., Page]) -> None:
    page = show("words")
    page.get_by_text("Mounted").click()
    expect(page.locator(".token-view")).to_have_count(0)
    page.get_by_text("Mounted").click()
    expect(page.locator(".token-view")).to_have_count(1)
    expect(tokens(page).first).to_have_text("low")


# --- details


def test_pointing_at_a_token_tells_all_of_it(show: Callable[..., Page]) -> None:
    """The first merged token of the text, against what the engine knows of it."""
    page = show("words")
    run = run_for("words")
    encoding = run.tokenizer.encode(TEXTS["words"])
    at = next(i for i, span in enumerate(encoding.spans) if run.tokenizer.rank_of(span.token_id))
    span = encoding.spans[at]
    rank = run.tokenizer.rank_of(span.token_id)
    assert rank is not None
    tokens(page).nth(at).hover()
    facts = details(tooltip(page))
    assert facts["Id"] == str(span.token_id)
    assert facts["Rank"] == f"{rank} (merge {rank + 1})"
    assert facts["Count"] == f"{run.steps[rank].count} when merged"
    size = span.byte_end - span.byte_start
    assert facts["Byte range"] == f"{span.byte_start} to {span.byte_end}, {size} bytes"
    assert facts["Character range"] == f"{span.char_start} to {span.char_end}, {size} characters"
    text = TEXTS["words"][span.char_start : span.char_end]
    assert facts["Bytes"] == text.encode().hex(" ")
    assert facts["Decimal"] == " ".join(map(str, text.encode()))
    assert tooltip(page).locator("dd .token").count() == 2


def test_the_tooltip_goes_with_the_pointer_and_with_escape(show: Callable[..., Page]) -> None:
    page = show("words")
    tokens(page).first.hover()
    expect(tooltip(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tooltip(page)).to_be_hidden()
    tokens(page).nth(1).hover()
    expect(tooltip(page)).to_be_visible()
    page.get_by_role("heading", level=1).hover()
    expect(tooltip(page)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_tooltip_covers_no_token_of_its_own_and_moves_nothing(
    width: int, show: Callable[..., Page], new_page: Any
) -> None:
    page = show("scripts", tab=new_page(width=width, height=700))
    size = "element => [element.offsetWidth, element.offsetHeight]"
    before = region(page).evaluate(size)
    count = tokens(page).count()
    for at in {0, 5, count // 3, count // 2, count - 2, count - 1}:
        token = tokens(page).nth(at)
        token.evaluate("element => element.focus()")
        boxes: list[dict[str, float]] = token.evaluate(
            """token => [token, token.getRootNode().querySelector(".tip")].map((element) => {
                 const { left, right, top, bottom } = element.getBoundingClientRect();
                 return { left, right, top, bottom };
               })"""
        )
        box, tip = boxes
        assert tip["top"] >= box["bottom"] or tip["bottom"] <= box["top"]
        assert 0 <= tip["left"] < tip["right"] <= width
        assert 0 <= tip["top"] < tip["bottom"] <= 700
    assert region(page).evaluate(size) == before


def test_the_keyboard_reaches_every_token_by_one_tab_stop(show: Callable[..., Page]) -> None:
    page = show("words")
    page.get_by_role("radio", name="Text").focus()
    page.keyboard.press("Tab")
    all_tokens, last = tokens(page), tokens(page).count() - 1
    assert is_focused(all_tokens.first)
    expect(tooltip(page)).to_be_visible()
    for key, at in (
        ("ArrowRight", 1),
        ("End", last),
        ("ArrowRight", last),
        ("ArrowLeft", last - 1),
    ):
        page.keyboard.press(key)
        assert is_focused(all_tokens.nth(at))
    page.keyboard.press("Home")
    assert is_focused(all_tokens.first)
    assert page.locator(".row-tokens .token[tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert page.locator(".row-tokens .token:focus").count() == 0


def test_up_and_down_go_to_the_neighbouring_line(show: Callable[..., Page]) -> None:
    page = show("scripts")
    tokens(page).nth(2).focus()
    boxes = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        boxes.append(page.locator(".row-tokens .token:focus").bounding_box())
        page.keyboard.press(key)
    boxes.append(page.locator(".row-tokens .token:focus").bounding_box())
    tops = [box["y"] for box in boxes if box]
    assert tops[0] < tops[1] < tops[2] > tops[3]


def test_the_current_token_is_described_to_readers(show: Callable[..., Page]) -> None:
    page = show("words")
    tokens(page).first.focus()
    name = tokens(page).first.get_attribute("aria-label") or ""
    assert name.startswith("low, id ")
    assert "bytes 6c 6f 77, merge " in name
    assert page.get_by_role("button", name=name).count() == 1
    assert page.locator(".row-tokens .token[aria-label]").count() == 1


@pytest.mark.parametrize("act", ["click", "Enter", " "])
def test_a_token_can_be_kept_in_the_panel(act: str, show: Callable[..., Page]) -> None:
    page = show("words")
    panel = page.get_by_role("region", name="Token details")
    height = panel.evaluate("element => element.offsetHeight")
    if act == "click":
        tokens(page).nth(1).click()
    else:
        tokens(page).nth(1).focus()
        page.keyboard.press(act)
    token_id = tokens(page).nth(1).get_attribute("data-token-id")
    assert details(panel)["Id"] == token_id
    assert panel.evaluate("element => element.offsetHeight") == height
    tokens(page).nth(3).hover()
    assert details(panel)["Id"] == token_id
    page.get_by_role("button", name="Close the token details").click()
    expect(panel).to_contain_text("Point at a token")
    assert is_focused(tokens(page).nth(1))


# --- long texts


def test_a_long_text_is_drawn_where_it_is_looked_at(show: Callable[..., Page]) -> None:
    """About 125,000 tokens: the whole text is there, its tokens only near the window."""
    page = show("long")
    n_tokens = len(run_for("long").tokenizer.encode(TEXTS["long"]).ids)
    expect(tokens(page).first).to_be_visible()
    assert n_tokens > 100_000 > 10_000 > tokens(page).count()
    tokens(page).first.focus()
    page.keyboard.press("End")
    last = page.locator(".row-tokens .token:focus")
    expect(last).to_be_in_viewport()
    assert details(tooltip(page))["Character range"].startswith(f"{len(TEXTS['long']) - 1:,} to")
    assert tokens(page).count() < 20_000
    assert region(page).evaluate("element => element.textContent") == TEXTS["long"]


def test_scrolling_draws_what_comes_near(show: Callable[..., Page]) -> None:
    page = show("long")
    expect(tokens(page).first).to_be_visible()
    middle = page.locator(".chunk").nth(100)
    middle.scroll_into_view_if_needed()
    expect(middle.locator(".token").first).to_be_attached()


# --- comparing


def test_blocks_show_columns_of_rows(show: Callable[..., Page]) -> None:
    page = show("compare")
    titles = page.locator(".block-title").all_text_contents()
    assert titles == [TEXTS["words"], "<b>low</b> lowest 😀"]
    assert page.locator(".column-name").all_text_contents() == ["Character base", "Byte base"] * 2
    texts = page.locator(".row-tokens").evaluate_all("rows => rows.map(row => row.textContent)")
    assert texts == [TEXTS["words"]] * 4 + ["<b>low</b> lowest 😀"] * 4
    left, right = (page.locator(".column").nth(at).bounding_box() for at in (0, 1))
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] < right["x"]


def test_the_arrow_keys_go_from_row_to_row(show: Callable[..., Page]) -> None:
    page = show("compare")
    tokens(page).first.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    focused = page.locator(".row-tokens .token:focus")
    assert focused.evaluate("element => element.closest('.row-tokens').dataset.row") == "1"


def test_columns_stack_on_a_narrow_screen(show: Callable[..., Page], new_page: Any) -> None:
    page = show("compare", tab=new_page(width=390))
    first, second = (page.locator(".column").nth(at).bounding_box() for at in (0, 1))
    assert first
    assert second
    assert second["y"] >= first["y"] + first["height"]
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


@pytest.mark.parametrize(
    ("scheme", "case"),
    [("light", "scripts"), ("dark", "words"), ("light", "compare"), ("dark", "compare")],
)
def test_nothing_stands_in_the_way_of_anyone(
    scheme: str, case: str, show: Callable[..., Page], new_page: Any
) -> None:
    page = show(case, tab=new_page(scheme=scheme, width=390))
    for view in ("Text", "Ids"):
        show_view(page, view)
        tokens(page).nth(2).focus()
        page.keyboard.press("Enter")
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        inside = [
            (one["id"], node["target"])
            for one in found
            for node in one["nodes"]
            if "token-view" in json.dumps(node["target"]) or "row-tokens" in node["html"]
        ]
        assert [one["id"] for one in found if one["id"] == "color-contrast"] == []
        assert inside == []


# --- pure functions


def evaluate_pure(page: Page, expression: str) -> Any:
    """Evaluate an expression in which the modules' functions are known."""
    source = f"{join_modules(MODULES)}\nexport {PURE};"
    return page.evaluate(
        """async ([source, names, expression]) => {
          const module = await import("data:text/javascript," + encodeURIComponent(source));
          const known = names.slice(1, -1).split(", ");
          return new Function(...known, expression)(...known.map((name) => module[name]));
        }""",
        [source, PURE, expression],
    )


def test_blocks_are_cut_after_newlines(page: Page) -> None:
    pieces = [{"text": text, "count": 1} for text in ["a", "b\n", "c", "d", "e\n", "f"]]
    cut = evaluate_pure(page, f"return planChunks({json.dumps(pieces)}, 2, 9);")
    assert cut == [[0, 2], [2, 5], [5, 6]]
    assert evaluate_pure(page, "return planChunks([], 2, 9);") == []


def test_a_block_without_newlines_ends_at_the_most_tokens_it_may_have(page: Page) -> None:
    one_line = [{"text": "x", "count": 1}] * 9
    cut = evaluate_pure(page, f"return planChunks({json.dumps(one_line)}, 2, 4);")
    assert cut == [[0, 4], [4, 8], [8, 9]]


def test_a_token_finds_its_piece_beside_gaps(page: Page) -> None:
    """Pieces of 1, 0, 3 and 1 tokens: the piece without tokens is never found."""
    firsts = [{"first": 0}, {"first": 1}, {"first": 1}, {"first": 4}]
    code = f"return [0, 1, 2, 3, 4].map((at) => pieceOf({json.dumps(firsts)}, at));"
    assert evaluate_pure(page, code) == [0, 2, 2, 2, 3]


@pytest.mark.parametrize(
    ("token", "place"),
    [
        ({"left": 100, "right": 140, "top": 50, "bottom": 70}, {"left": 20, "top": 76}),
        ({"left": 0, "right": 20, "top": 50, "bottom": 70}, {"left": 8, "top": 76}),
        ({"left": 380, "right": 400, "top": 50, "bottom": 70}, {"left": 192, "top": 76}),
        ({"left": 100, "right": 140, "top": 250, "bottom": 270}, {"left": 20, "top": 44}),
    ],
    ids=["below", "kept from the left edge", "kept from the right edge", "above"],
)
def test_a_box_of_200_stays_beside_its_token_in_a_window_of_400_by_300(
    page: Page, token: dict[str, int], place: dict[str, int]
) -> None:
    sizes = "{ width: 200, height: 200 }, { width: 400, height: 300 }"
    assert evaluate_pure(page, f"return placeBeside({json.dumps(token)}, {sizes});") == place


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("plain", []),
        (" a\n\t", ["·", "↵", "→"]),
        ("a\u00a0b\u200d\0", ["U+00A0", "U+200D", "U+0000"]),
        ("👩‍👩‍👧‍👦1️⃣🇫🇷👍🏽", []),
        ("👩\u200d", ["U+200D"]),
        ("\u0301a", ["◌"]),
        ("\u202eabc", ["U+202E"]),
        ("می\u200cخ", ["U+200C"]),
        ("\r\n", ["U+000D", "↵"]),
    ],
)
def test_what_cannot_be_seen_gets_a_stand_in(page: Page, text: str, marks: list[str]) -> None:
    drawn = evaluate_pure(
        page,
        f"""const element = document.createElement("p");
            appendVisible(element, {json.dumps(text)});
            const found = [...element.querySelectorAll(".stand-in")];
            return [element.textContent, found.map((mark) => mark.dataset.mark)];""",
    )
    assert drawn == [text, marks]


def test_a_token_is_described_in_one_line(page: Page) -> None:
    none = {"marker": None, "rank": None, "count": None, "left": None, "right": None}
    parts = [
        {"id": 10, "text": "es", "hex": "6573", "kind": "text", **none},
        {"id": 8, "text": "t", "hex": "74", "kind": "text", **none},
    ]
    est = {"id": 11, "text": "est", "hex": "657374", "kind": "text", "marker": None}
    est |= {"rank": 1, "count": 9, "left": 10, "right": 8}
    faces = json.dumps([*parts, est])
    line = evaluate_pure(
        page,
        f"""const faces = new Map({faces}.map((face) => [face.id, face]));
            return describeToken(faces.get(11), faces);""",
    )
    assert line == "est, id 11, bytes 65 73 74, merge 2 of es + t, counted 9"


def test_long_lines_count_as_several(page: Page) -> None:
    """12 characters in columns of 5 are three lines, the empty line is one, the last one."""
    assert evaluate_pure(page, 'return estimateLines("abcdefghijkl\\n\\nx", 5);') == 5


def test_a_token_stays_in_one_piece_where_a_line_ends(show: Callable[..., Page]) -> None:
    """The lines of the page of text are longer than the window; no token has two boxes."""
    n_boxes = tokens(show("page")).evaluate_all("all => all.map(t => t.getClientRects().length)")
    assert set(n_boxes) == {1}


def test_neighbours_are_told_apart_by_a_border(show: Callable[..., Page]) -> None:
    boxes = [box for token in tokens(show("scripts")).all()[:5] if (box := token.bounding_box())]
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
