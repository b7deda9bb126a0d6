"""Uploading files in a real browser: several at once, of every kind, and what was read of them."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage_reading import drawn_texts, expect_merge


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Write a text, a gzip file, an archive with a picture in it, and JSON Lines."""
    paths = [tmp_path / name for name in ("a.txt", "b.txt.gz", "c.zip", "d.jsonl")]
    paths[0].write_text("low low low", encoding="utf-8")
    paths[1].write_bytes(gzip.compress(b"lower lower"))
    with zipfile.ZipFile(paths[2], "w") as archive:
        archive.writestr("texts/e.txt", "newest")
        archive.writestr("<b>cover</b>.png", b"\x89PNG\r\n")
    rows = [{"title": f"<i>{number}</i>", "text": "widest " * number} for number in (1, 2)]
    paths[3].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return paths


def test_files_of_every_kind_are_one_corpus_and_a_column_can_be_chosen(
    open_page: Callable[..., Page], files: list[Path]
) -> None:
    page = open_page("train", corpus="upload", num_merges=2)
    page.locator("input[type=file]").set_input_files(files)
    expect_merge(page, 0, 2)
    said = "4 files, 5 documents, utf-8, 49 bytes, 49 characters, 5 lines"
    expect(page.get_by_text(said)).to_be_visible()
    left_out = "Left out: c.zip/<b>cover</b>.png: it is a PNG picture, not text."
    expect(page.get_by_text(left_out)).to_be_visible()
    assert [*"widest"] in drawn_texts(page)
    page.get_by_text("The 4 files").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    page.get_by_role("combobox", name="Column").click()
    page.get_by_role("option", name="title: <i>1</i>").click()
    expect(page.get_by_text("4 files, 5 documents, utf-8, 44 bytes")).to_be_visible()
    expect_merge(page, 0, 2)
    expect(page.get_by_role("combobox", name="Column")).to_have_value("title: <i>1</i>")
    words = drawn_texts(page)
    assert [*"<i>1</i>"] in words
    assert [*"widest"] not in words
