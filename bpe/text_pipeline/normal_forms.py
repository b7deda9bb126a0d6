"""The normal forms of Unicode as Hugging Face tokenizers has them: in Unicode 9.

Python's own tables are newer. A character that they decompose, reorder or compose and that
Unicode 9 did not know stays as it is, and nothing is reordered or composed across it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from bpe.normalizers import normalize_aligned
from bpe.text_alignment import AlignedText, compose
from bpe.text_pipeline.aligned_parts import part, tokenizers_class

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Blocks younger than Unicode 9 with letters that compose: Todhri, Tulu-Tigalari, Dives Akuru,
# Gurung Khema and Kirat Rai.
_COMPOSING_BLOCKS = (
    (0x105C0, 0x105FF),
    (0x11380, 0x113FF),
    (0x11900, 0x1195F),
    (0x16100, 0x1613F),
    (0x16D40, 0x16D7F),
)


def in_form(aligned: AlignedText, form: Form) -> AlignedText:
    """Bring a text into a normal form.

    >>> from bpe.text_alignment import align_unchanged
    >>> ascii(in_form(align_unchanged("\\u32fe\\u32ff"), "NFKC").text)  # the second is of 2019
    "'\\\\u30f2\\\\u32ff'"
    """
    text = aligned.text
    newer = "" if text.isascii() else "".join(char for char in set(text) if _is_newer(char))
    if not newer:
        return _plainly(aligned, form)
    pieces = []
    for found in re.finditer(f"[{newer}]+|[^{newer}]+", text):
        piece = part(aligned, *found.span())
        pieces.append(piece if found[0][0] in newer else _plainly(piece, form))
    return _joined(pieces)


def _plainly(aligned: AlignedText, form: Form) -> AlignedText:
    return compose(aligned, normalize_aligned(aligned.text, form.lower()))


@lru_cache(maxsize=2**14)
def _is_newer(char: str) -> bool:
    code = ord(char)
    if any(first <= code <= last for first, last in _COMPOSING_BLOCKS):
        return True
    moves = unicodedata.combining(char) or unicodedata.decomposition(char)
    return bool(moves) and char not in tokenizers_class("normalizing")


def _joined(pieces: Iterable[AlignedText]) -> AlignedText:
    pieces = list(pieces)
    return AlignedText(
        "".join(piece.text for piece in pieces),
        [start for piece in pieces for start in piece.char_starts],
        [end for piece in pieces for end in piece.char_ends],
        b"".join(piece.unchanged for piece in pieces),
    )
