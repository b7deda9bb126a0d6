"""Showing text of users where Streamlit reads Markdown: labels, alerts, captions."""

from __future__ import annotations

import re

# Every ASCII punctuation character may be escaped in Markdown; escaped, none begins anything: no
# emphasis, link, image, HTML, formula, `:directive[`, `:material/icon:` or list.
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Streamlit turns these, standing alone, into arrows and other signs after the escapes are gone.
_TYPOGRAPHIC = re.compile(r"(?<!\S)(<->|->|<-|--|>=|<=|~=)(?!\S)")
# A word joiner takes no room and is not drawn.
_WORD_JOINER = "\u2060"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def plain(text: str) -> str:
    r"""Escape text so that Markdown shows it as it is, on one line.

    >>> print(plain("**<b>** costs $5"))
    \*\*\<b\>\*\* costs \$5
    """
    one_line = _CONTROLS.sub(lambda match: "\ufffd" if match[0] >= "\ud800" else " ", text)
    apart = _TYPOGRAPHIC.sub(lambda match: _WORD_JOINER.join(match[0]), one_line)
    return _PUNCTUATION.sub(r"\\\1", apart)
