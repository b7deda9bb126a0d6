"""Reading and steering the stage of the Train page, and what a training says must stand there."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

import bpe

N_SHOWN = 60
_IDS = """lane => [...lane.querySelectorAll('[data-word-index]')].map((slot) =>
    [...slot.querySelectorAll('[data-token-id]')].map((token) => Number(token.dataset.tokenId)))"""
_TEXTS = """lane => [...lane.querySelectorAll('[data-word-index]')].map(
    (slot) => [...slot.querySelectorAll('[data-token-id]')].map((token) => token.textContent))"""
_SENTENCE = """lane => [...lane.querySelectorAll('[data-token-id]')].map(
    (token) => Number(token.dataset.tokenId))"""


def stage(page: Page) -> Locator:
    return page.get_by_role("region", name="Merges, step by step")


def expect_merge(page: Page, step: int, n_merges: int | None = None) -> None:
    """Wait until the stage stands after `step` merges, of `n_merges` in all."""
    expect(stage(page)).to_have_attribute("data-step", str(step), timeout=60_000)
    total = r"[\d,]+" if n_merges is None else f"{n_merges:,}"
    heading = page.locator(".heading")
    expect(heading).to_have_text(re.compile(f"^Merge {step:,} of {total}$"), timeout=60_000)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def type_merge(page: Page, step: int) -> None:
    """Type a merge number and wait until the stage is there."""
    box = stage(page).get_by_role("spinbutton", name="Merge")
    box.fill(str(step))
    box.press("Enter")
    expect_merge(page, step)


def drawn_ids(page: Page) -> list[list[int]]:
    """Read the ids of the tokens of every word shown."""
    ids: list[list[int]] = page.locator("[data-lane=words]").evaluate(_IDS)
    return ids


def drawn_texts(page: Page) -> list[list[str]]:
    """Read the texts of the tokens of every word shown."""
    texts: list[list[str]] = page.locator("[data-lane=words]").evaluate(_TEXTS)
    return texts


def drawn_sentence(page: Page) -> list[int]:
    """Read the ids of the tokens of the reader's own sentence."""
    ids: list[int] = page.locator("[data-lane=sentence]").evaluate(_SENTENCE)
    return ids


def ids_at(run: bpe.TrainingRun, step: int) -> list[list[int]]:
    """Give the ids of the words that the stage shows after `step` merges, the engine's own."""
    words = run.words_at(step)
    token_id = run.tokenizer.token_id
    by_count = sorted(run.word_counts, key=run.word_counts.__getitem__, reverse=True)[:N_SHOWN]
    return [[token_id(content) for content in words[word]] for word in by_count]
