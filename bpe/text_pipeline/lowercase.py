"""Lower case as Hugging Face tokenizers has it: character by character, in Unicode 17."""

from __future__ import annotations

from functools import lru_cache

# Capitals that the Unicode data of Python 3.11 (14.0) or later ones may not know yet: first and
# last of a run, and how far their small letters are from them.
_NEWER_CAPITALS = (
    (0x1C89, 0x1C89, 1),
    (0xA7CB, 0xA7CB, 0x0264 - 0xA7CB),
    (0xA7CC, 0xA7CC, 1),
    (0xA7CE, 0xA7CE, 1),
    (0xA7D2, 0xA7D2, 1),
    (0xA7D4, 0xA7D4, 1),
    (0xA7DA, 0xA7DA, 1),
    (0xA7DC, 0xA7DC, 0x019B - 0xA7DC),
    (0x10D50, 0x10D65, 0x20),
    (0x16EA0, 0x16EB8, 0x1B),
)


@lru_cache(maxsize=4096)
def lowercase_of(char: str) -> str:
    """Give a character in lower case, which may be two characters.

    >>> lowercase_of("Σ"), len(lowercase_of("İ")), lowercase_of("\\ua7dc")
    ('σ', 2, 'ƛ')
    """
    code = ord(char)
    for first, last, distance in _NEWER_CAPITALS:
        if first <= code <= last:
            return chr(code + distance)
    return char.lower()
