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
# Controls that turn the direction of all that follows are replaced, like half characters.
_TURNS = "\u202a-\u202e\u2066-\u2069"
_CONTROLS = re.compile(rf"[\x00-\x1f\x7f-\x9f\u2028\u2029{_TURNS}\ud800-\udfff]")


def _replaced(control: re.Match[str]) -> str:
    is_space = control[0] < "\u00a0" or control[0] in "\u2028\u2029"
    return " " if is_space else "\ufffd"


def plain(text: str) -> str:
    r"""Escape text so that Markdown shows it as it is, on one line.

    >>> print(plain("**<b>** costs $5"))
    \*\*\<b\>\*\* costs \$5
    """
    one_line = _CONTROLS.sub(_replaced, text)
    apart = _TYPOGRAPHIC.sub(lambda match: _WORD_JOINER.join(match[0]), one_line)
    return _PUNCTUATION.sub(r"\\\1", apart)


def as_sentence(message: str) -> str:
    r"""Write a message of the engine as a sentence that Markdown shows as it is.

    A first word with a dot in it names a file or a key, and stays as it is.

    >>> print(as_sentence("the file is empty"))
    The file is empty\.
    >>> print(as_sentence("vocab.json is empty"))
    vocab\.json is empty\.
    """
    ended = message if message.endswith((".", "!", "?", "…")) else f"{message}."
    is_name = "." in ended.split(" ", 1)[0][:-1]
    return plain(ended if is_name else f"{ended[:1].upper()}{ended[1:]}")
