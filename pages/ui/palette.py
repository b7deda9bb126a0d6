"""Which of the token colours a content has.

Owns the mapping from a token's content to a colour number. The colours themselves, one set for
light and one for dark, stand in `components/tokens/tokens.css`.
"""

from __future__ import annotations

from zlib import crc32

N_COLORS = 12
"""How many token colours each scheme has."""

# Found by search: with it the letters of the lesson corpora, the vowels and a to d have colours of
# their own, and so have tokens that stand side by side in those lessons.
_SPREAD = 3716690903
_ENDS_WORD = b"\xff"  # in no UTF-8 text, so a marked token differs from every unmarked text


def color_index(content: bytes | str, ends_word: bool = False) -> int:
    """Return the colour number, 0 to `N_COLORS` - 1, of a token's content.

    It depends on the content alone, so a token keeps its colour through an animation, across
    pages, tokenizers and base alphabets, and from one run of the app to the next.

    >>> color_index("est"), color_index(b"est"), color_index("est", ends_word=True)
    (8, 8, 9)
    """
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    checksum = crc32(data + _ENDS_WORD if ends_word else data)
    return (checksum * _SPREAD & 0xFFFFFFFF) * N_COLORS >> 32
