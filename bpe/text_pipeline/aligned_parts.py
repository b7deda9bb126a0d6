"""Cutting and rewriting aligned texts, with the way back to the original characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from bpe.text_alignment import AlignedText, compose
from bpe.text_pipeline.growth import check_growth
from bpe.unicode_classes import Ranges, class_ranges

_CLASSES = "tokenizers_classes.txt"
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def part(aligned: AlignedText, start: int, end: int) -> AlignedText:
    """Cut the characters from `start` to, not including, `end` out of an aligned text.

    >>> from bpe.text_alignment import align_unchanged
    >>> part(align_unchanged("abc"), 1, 3)
    AlignedText(text='bc', char_starts=range(1, 3), char_ends=range(2, 4), unchanged=b'\\x01\\x01')
    """
    if start == 0 and end == len(aligned.text):
        return aligned
    return AlignedText(
        aligned.text[start:end],
        aligned.char_starts[start:end],
        aligned.char_ends[start:end],
        aligned.unchanged[start:end],
    )


def parts(aligned: AlignedText, spans: Iterable[tuple[int, int]]) -> list[AlignedText]:
    """Cut several stretches out of an aligned text; empty ones are left out.

    >>> from bpe.text_alignment import align_unchanged
    >>> [piece.text for piece in parts(align_unchanged("abc"), [(0, 1), (1, 1), (1, 3)])]
    ['a', 'bc']
    """
    return [part(aligned, start, end) for start, end in spans if start < end]


def with_prefix(aligned: AlignedText, prefix: str) -> AlignedText:
    """Put a prefix before a text; it stands for the text's first character. Not before no text.

    >>> from bpe.text_alignment import align_unchanged
    >>> with_prefix(align_unchanged("ab"), "▁").char_ends
    [1, 1, 2]
    """
    if not aligned.text or not prefix:
        return aligned
    n_chars = len(prefix)
    return AlignedText(
        prefix + aligned.text,
        [aligned.char_starts[0]] * n_chars + list(aligned.char_starts),
        [aligned.char_ends[0]] * n_chars + list(aligned.char_ends),
        bytes(n_chars) + aligned.unchanged,
    )


def map_chars(aligned: AlignedText, becomes: Mapping[str, str]) -> AlignedText:
    """Rewrite each character to what a mapping says, characters it does not hold to themselves.

    >>> from bpe.text_alignment import align_unchanged
    >>> map_chars(align_unchanged("aéb"), {"é": "e\\u0301", "b": ""}).char_starts
    [0, 1, 1]
    """
    changing = {
        char: becomes[char] for char in set(aligned.text) if becomes.get(char, char) != char
    }
    if not changing:
        return aligned
    text = aligned.text
    if all(len(after) == 1 for after in changing.values()):
        result = text.translate({ord(char): after for char, after in changing.items()})
        unchanged = bytes(map(str.__eq__, text, result))
        whole = range(len(text)), range(1, len(text) + 1)
        return compose(aligned, AlignedText(result, *whole, unchanged))
    pattern = re.compile("[" + "".join(map(re.escape, sorted(changing))) + "]")
    return replace_spans(aligned, [(m.span(), changing[m[0]]) for m in pattern.finditer(text)])


def replace_spans(
    aligned: AlignedText, replacements: Iterable[tuple[tuple[int, int], str]]
) -> AlignedText:
    """Replace stretches of a text, given in order; what is new stands for the whole stretch.

    What replaces an empty stretch stands for the character before it, at the start the first one.
    Raises ConfigError where the text becomes far too long.

    >>> from bpe.text_alignment import align_unchanged
    >>> replaced = replace_spans(align_unchanged("a--b"), [((1, 3), "__")])
    >>> replaced.text, replaced.char_starts, replaced.char_ends
    ('a__b', [0, 1, 1, 3], [1, 3, 3, 4])
    """
    text, position, n_new = aligned.text, 0, 0
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    same = bytearray()

    def keep(stop: int) -> None:
        pieces.append(text[position:stop])
        starts.extend(range(position, stop))
        ends.extend(range(position + 1, stop + 1))
        same.extend(b"\x01" * (stop - position))

    for (start, end), after in replacements:
        n_new += len(after)
        check_growth(n_new, len(text))
        keep(start)
        position = end
        first = start if start < end else max(start - 1, 0)
        pieces.append(after)
        starts.extend([first] * len(after))
        ends.extend([max(end, first + 1)] * len(after))
        same.extend(bytes(len(after)))
    keep(len(text))
    return compose(aligned, AlignedText("".join(pieces), starts, ends, bytes(same)))


class CharClass:
    """A set of characters that is looked for in texts.

    >>> [match.span() for match in CharClass([(48, 57)]).finditer("a12")]
    [(1, 2), (2, 3)]
    """

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self._found: dict[tuple[bool, bool], re.Pattern[str]] = {}

    def finditer(self, text: str, runs: bool = False) -> Iterable[re.Match[str]]:
        """Find each of the characters in a text, or each run of them."""
        # `re` looks a character up in one step below U+10000 and range by range above.
        has_astral = not text.isascii() and _ASTRAL.search(text) is not None
        key = (has_astral, runs)
        if key not in self._found:
            self._found[key] = re.compile(self._written(has_astral) + "+" * runs)
        return self._found[key].finditer(text)

    def __contains__(self, char: str) -> bool:
        return any(first <= ord(char) <= last for first, last in self.ranges)

    def _written(self, has_astral: bool) -> str:
        below = 0x110000 if has_astral else 0x10000
        inside = "".join(
            f"\\U{first:08x}-\\U{min(last, below - 1):08x}"
            for first, last in self.ranges
            if first < below
        )
        return f"[{inside}]"


@lru_cache(maxsize=8)
def tokenizers_class(name: str) -> CharClass:
    """Give a class of characters as Hugging Face tokenizers has it.

    >>> "½" in tokenizers_class("numeric"), "_" in tokenizers_class("punctuation")
    (True, True)
    """
    return CharClass(class_ranges(_CLASSES)[name])


@lru_cache(maxsize=1)
def white_space() -> CharClass:
    """Give the property White_Space, which is where Hugging Face tokenizers sees white space.

    >>> "\\u3000" in white_space(), "\\x1c" in white_space()
    (True, False)
    """
    return CharClass(class_ranges()["White_Space"])
