"""Tables of the engine's results as pandas DataFrames, for the screen and for CSV."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

import pandas as pd

if TYPE_CHECKING:
    from bpe import Tokenizer, TrainingRun

_STAND_INS = {" ": "·", "\n": "↵", "\r": "␍", "\t": "→"}
_INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
MOST_SHOWN: Final = 100  # characters, or bytes, of a token in a table


def visible(content: bytes | str) -> str:
    """Write a token's content so that all of it can be seen.

    White space and other invisible characters get stand-ins, bytes that are not whole characters
    are written in hexadecimal.

    >>> visible(" the"), visible(b"\\xc3"), visible("a\\u200db")
    ('·the', '<c3>', 'a<U+200D>b')
    """
    text = content if isinstance(content, str) else content.decode(errors="surrogateescape")
    if text.isprintable():  # then only the space cannot be seen; nearly all tokens are like that
        return text.replace(" ", _STAND_INS[" "])
    if isinstance(content, str):
        return "".join(_visible_character(character) for character in text)
    return "".join(
        f"<{ord(c) - 0xDC00:02x}>" if "\udc80" <= c <= "\udcff" else _visible_character(c)
        for c in text
    )


def visible_start(content: bytes | str) -> str:
    """Write a token's content as `visible` does, cut where it is long.

    In one word of a million letters tokens have thousands of them, in thousands of rows.

    >>> visible_start(" the"), len(visible_start("é" * 200)), visible_start("é".encode() * 200)[-2:]
    ('·the', 101, 'é…')
    """
    if len(content) <= MOST_SHOWN:
        return visible(content)
    end = MOST_SHOWN
    while isinstance(content, bytes) and end and content[end] & 0xC0 == 0x80:
        end -= 1  # do not cut a character
    return f"{visible(content[:end])}…"


def _visible_character(character: str) -> str:
    if character in _STAND_INS:
        return _STAND_INS[character]
    is_invisible = unicodedata.category(character) in _INVISIBLE
    return f"<U+{ord(character):04X}>" if is_invisible else character


def shortened(text: str, max_chars: int) -> str:
    """Cut a text that is too long, and say so with an ellipsis.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def hexadecimal(content: bytes | str) -> str:
    """Write the bytes of a token's content (UTF-8 for text) in hexadecimal.

    >>> hexadecimal("é"), hexadecimal(b"\\xff")
    ('c3a9', 'ff')
    """
    return (content if isinstance(content, bytes) else _utf8(content)).hex()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def merges_frame(tokenizer: Tokenizer, run: TrainingRun | None = None) -> pd.DataFrame:
    """Give the merges in training order; `count` is empty where the training is not known.

    The columns that end in `_hex` lose nothing, whatever the tokens hold.
    """
    parts = [
        (*map(tokenizer.token, rule.pair), tokenizer.token(rule.token_id))
        for rule in tokenizer.merges
    ]
    columns: dict[str, object] = {"rank": [rule.rank for rule in tokenizer.merges]}
    for place, name in enumerate(("left", "right", "merged")):
        columns[name] = [visible(contents[place]) for contents in parts]
    columns["token_id"] = [rule.token_id for rule in tokenizer.merges]
    counts = [run.steps[rule.rank].count if run else None for rule in tokenizer.merges]
    columns["count"] = pd.array(counts, dtype="Int64")
    for place, name in enumerate(("left_hex", "right_hex", "merged_hex")):
        columns[name] = [hexadecimal(contents[place]) for contents in parts]
    return pd.DataFrame(columns)


def to_csv(frame: pd.DataFrame) -> bytes:
    """Write a table as CSV in UTF-8, with the byte order mark that spreadsheets look for."""
    return frame.to_csv(index=False).encode("utf-8-sig")
