"""The colour of a token depends on its content and on nothing else; every colour can be read."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.palette import N_COLORS, color_index

CSS = (Path(__file__).parents[2] / "pages/ui/components/tokens/tokens.css").read_text()
INK = {"light": "#1b1b1f", "dark": "#ffffff"}
QUIET = {"light": "#3a3a44", "dark": "#e3e3ea"}
PAGE = {"light": "#ffffff", "dark": "#12161d"}


def colors(scheme: str) -> list[tuple[str, str]]:
    """Read the fills and edges of a scheme from the style sheet, by colour number."""
    prefix = r'\[data-scheme="dark"\] ' if scheme == "dark" else "^"
    rule = prefix + r"\.c(\d+) \{ --fill: (#\w{6}); --edge: (#\w{6}); \}"
    found = {int(n): (fill, edge) for n, fill, edge in re.findall(rule, CSS, re.MULTILINE)}
    return [found[number] for number in range(len(found))]


def luminance(color: str) -> float:
    """Give the relative luminance of WCAG 2, from 0 for black to 1 for white."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Give the contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@given(st.text())
def test_text_and_its_bytes_have_one_color(text: str) -> None:
    assert color_index(text) == color_index(text.encode("utf-8", "surrogatepass"))


@given(st.binary(), st.booleans())
def test_every_content_has_one_of_the_colors(content: bytes, ends_word: bool) -> None:
    assert color_index(content, ends_word) in range(N_COLORS)


def test_contents_spread_over_all_colors() -> None:
    """4,096 contents of two bytes: an even share would be 341 a colour."""
    used = [color_index(bytes(pair)) for pair in ((a, b) for a in range(64) for b in range(64))]
    shares = [used.count(color) for color in range(N_COLORS)]
    assert 200 < min(shares) <= max(shares) < 500


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_style_sheet_has_every_color_once(scheme: str) -> None:
    fills = [fill for fill, _ in colors(scheme)]
    assert len(fills) == N_COLORS == len(set(fills))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stand_ins_and_edges_can_be_read(scheme: str) -> None:
    """WCAG AA: 4.5 for text, also for the quieter stand-ins; 3 for the edge against the page."""
    for fill, edge in colors(scheme):
        assert contrast(INK[scheme], fill) >= 4.5
        assert contrast(QUIET[scheme], fill) >= 4.5
        assert contrast(edge, PAGE[scheme]) >= 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_two_colors_are_nearly_the_same(scheme: str) -> None:
    """Seen with and without red and green: the mean distance of channels is at least 8 of 255."""
    for (one, _), (other, _) in combinations(colors(scheme), 2):
        pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
        assert sum(abs(a - b) for a, b in pairs) / 3 >= 8
