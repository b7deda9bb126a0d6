"""Text in labels that read Markdown; what a browser makes of it is tested with the browser."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.plain_text import plain


def unescaped(markdown: str) -> str:
    """Read backslash escapes as Markdown does, and drop what is not drawn."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace("\u2060", "")


@given(st.text())
def test_every_character_comes_through(text: str) -> None:
    """Property: only control characters and lone surrogates are replaced, one for one."""
    shown = unescaped(plain(text))
    clean = text.replace("\u2060", "")
    assert len(shown) == len(clean)
    controls = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
    assert [s for s, c in zip(shown, clean, strict=True) if not re.match(controls, c)] == [
        c for c in clean if not re.match(controls, c)
    ]


@given(st.text())
def test_no_punctuation_is_left_that_could_begin_markup(text: str) -> None:
    bare = re.sub(r"\\.", "", plain(text), flags=re.DOTALL)
    assert not re.search(r"[!-/:-@\[-`{-~]", bare)


def test_signs_that_would_be_replaced_are_held_apart() -> None:
    """Streamlit turns a free-standing `->` into an arrow after the escapes are gone."""
    assert plain("a -> b") == "a \\-\u2060\\> b"
    assert plain("a->b") == "a\\-\\>b"


def test_line_breaks_become_spaces() -> None:
    assert plain("a\nb\u2028c\x00d") == "a b c d"
