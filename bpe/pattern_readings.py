"""Whether other programs split by an expression of a user's own as this one does.

Here it is read by `regex`, in a tokenizer.json by Oniguruma. The two have most of their syntax in
common, but not all, and give some of it other meanings: `\\h` is white space for one and a
hexadecimal digit for the other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from bpe.errors import ConfigError, FormatError
from bpe.pre_tokenizers import compile_pattern
from bpe.text_alignment import align_unchanged
from bpe.text_pipeline import read_pre_tokenizer

# Words, numbers, marks and white space of many kinds: where readings differ, they mostly do here.
_PROBE = (
    "Hello wörld's don't WE'LL 12345 x1_y2 HTTPServer camelCase\n\nα Ωmega  日本語 こんにちは नमस्ते "
    "e\u0301 o\u0308\u0323\t\r\n   \u00a0\u2028\u3000 \x1c\x85 ½ ² Ⅷ ſ\u212aß İ ı ǅ _ - – “q” £€ "
    "👍🏽 a\u200db \ufeff (x) [y] {z} a+b=c <t> ~`|\\^ aaa AAA deadBEEF 3.14e-5 \x00\x1f\x7f"
    + "".join(map(chr, range(32, 127)))
    + "\n end of  \n\n"
)
_TEXTS = (_PROBE, _PROBE[::-1], " ", "\n", "a", "ab ab\nab")


# Word characters: Oniguruma counts six numbers of Latin-1 among them, `regex` the two joiners.
_WORD = r"[\w&&[^\u00b2\u00b3\u00b9\u00bc-\u00be]]\u200c\u200d"
_SPELLINGS = {r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]"}


def written_split(expression: str) -> dict[str, Any]:
    r"""Write a split at what an expression matches, in words of Oniguruma.

    >>> written_split("a+")["pattern"], written_split(r"\W")["pattern"]["Regex"][:8]
    ({'Regex': 'a+'}, '[^[\\w&&[')
    """

    def spelled(escape: re.Match[str]) -> str:
        return _SPELLINGS.get(escape[0], escape[0])

    pattern = {"Regex": re.sub(r"\\.", spelled, expression, flags=re.DOTALL)}
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


@lru_cache(maxsize=64)
def others_read_alike(expression: str) -> bool:
    r"""Whether Oniguruma, too, can read an expression, and splits some texts of all kinds the same.

    >>> others_read_alike(r"\w+|\d"), others_read_alike(r"(?P<a>b)"), others_read_alike(r"\h")
    (True, False, False)
    """
    try:
        (step,) = read_pre_tokenizer(written_split(expression), "the file")
        ours = compile_pattern(expression)
        return all(
            [text[start:end] for start, end in ours.split(text)]
            == [piece.text for piece in step.cut(align_unchanged(text), is_first=True)]
            for text in _TEXTS
        )
    except (ConfigError, FormatError):
        return False
