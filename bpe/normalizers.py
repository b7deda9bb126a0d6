"""Named rewrites of a text, and for each where its characters came from.

A normalizer is a name, or a tuple of names applied in order. `normalize` gives the new text;
`normalize_aligned` gives besides, for every character of the new text, the range of characters
of the original it was made from, so that a token can be shown over the text the user wrote.

The Unicode forms are those of Unicode Standard Annex #15, in the version Python's `unicodedata`
knows.
"""

from __future__ import annotations

import itertools
import operator
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from bpe.errors import ConfigError
from bpe.text_alignment import AlignedText, Change, align_changes, align_unchanged, compose

__all__ = [
    "NORMALIZER_NAMES",
    "AlignedText",
    "check_normalizer",
    "compose",
    "normalize",
    "normalize_aligned",
    "well_formed",
    "well_formed_aligned",
]

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

_FORMS: dict[str, Form] = {"nfc": "NFC", "nfd": "NFD", "nfkc": "NFKC", "nfkd": "NFKD"}
NORMALIZER_NAMES: tuple[str, ...] = ("none", "lowercase", *_FORMS)

# Looking for the cuts of a segment is quadratic in its length; a longer one (hundreds of accents
# on one letter) stays in one piece.
_LONGEST_CUT_SEGMENT = 32
_LONG_RUN_OF_MARKS = 256


def check_normalizer(normalizer: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names a normalizer setting stands for, in order; () means no change.

    Raises ConfigError for a name that does not exist.

    >>> check_normalizer("none"), check_normalizer(("nfkc", "lowercase"))
    ((), ('nfkc', 'lowercase'))
    """
    if not isinstance(normalizer, (str, Iterable)):
        raise ConfigError(f"normalizer is {normalizer!r}: give a name or a tuple of names")
    names = (normalizer,) if isinstance(normalizer, str) else tuple(normalizer)
    for name in names:
        if name not in NORMALIZER_NAMES:
            allowed = ", ".join(NORMALIZER_NAMES)
            raise ConfigError(f"there is no normalizer {name!r}: use {allowed}, or a tuple of them")
    return tuple(name for name in names if name != "none")


def normalize(text: str, normalizer: str | Iterable[str]) -> str:
    """Rewrite a text by one normalizer, or by several in order.

    Raises ConfigError for a name that does not exist, or a text that is no string.

    >>> normalize("ÉCOLE", "lowercase"), len(normalize("é", "nfd"))
    ('école', 2)
    """
    if not isinstance(text, str):
        raise _no_text(text)
    for name in check_normalizer(normalizer):
        text = _apply(text, name)
    return text


def normalize_aligned(text: str, normalizer: str | Iterable[str]) -> AlignedText:
    """Rewrite a text as `normalize` does, and say where each character came from.

    Raises ConfigError for a name that does not exist.

    >>> aligned = normalize_aligned("e\\u0301a", "nfc")
    >>> aligned.text, list(aligned.char_starts), list(aligned.char_ends), list(aligned.unchanged)
    ('éa', [0, 2], [2, 3], [0, 1])
    """
    aligned = align_unchanged(text)
    for name in check_normalizer(normalizer):
        aligned = compose(aligned, _apply_aligned(aligned.text, name))
    return aligned


def well_formed(text: str) -> str:
    """Return the text as Unicode can store it: surrogate halves that meet are joined, others
    become U+FFFD.

    >>> well_formed("a\\ud83d\\ude00"), well_formed("a\\ud83d!")
    ('a😀', 'a�!')
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    except AttributeError:
        raise _no_text(text) from None
    return text


def _no_text(text: object) -> ConfigError:
    return ConfigError(f"the text must be a string, not {type(text).__name__}")


def well_formed_aligned(text: str) -> AlignedText:
    """Return the text as `well_formed` does, and say where each character came from.

    >>> aligned = well_formed_aligned("\\ud83d\\ude00!")
    >>> aligned.text, list(aligned.char_starts), list(aligned.char_ends)
    ('😀!', [0, 2], [2, 3])
    """
    result = well_formed(text)
    if result == text:
        return align_unchanged(text)
    surrogates = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
    changes = ((m.start(), [(m[0], well_formed(m[0]))]) for m in surrogates.finditer(text))
    return align_changes(text, result, changes)


def _apply(text: str, name: str) -> str:
    return text.lower() if name == "lowercase" else _normal_form(text, _FORMS[name])


def _apply_aligned(text: str, name: str) -> AlignedText:
    result = _apply(text, name)
    if result == text:
        return align_unchanged(text)
    if name == "lowercase":
        return _align_lowercase(text, result)
    return align_changes(text, result, _form_changes(text, _FORMS[name]))


def _normal_form(text: str, form: Form) -> str:
    if text.isascii():
        return text
    # `unicodedata` sorts combining marks by insertion, quadratic in the length of a run, so a long
    # run is sorted before. That is the canonical order, which leaves every form as it is.
    marks = "".join(char for char in set(text) if unicodedata.combining(char))
    if marks:
        text = re.sub(f"[{marks}]{{{_LONG_RUN_OF_MARKS},}}", _in_canonical_order, text)
    return unicodedata.normalize(form, text)


def _in_canonical_order(run: re.Match[str]) -> str:
    marks = "".join(unicodedata.normalize("NFD", mark) for mark in run[0])
    return "".join(sorted(marks, key=unicodedata.combining))


def _align_lowercase(text: str, result: str) -> AlignedText:
    # Lower-casing never joins characters; what follows may choose the sigma, not its length.
    if len(result) == len(text):
        same = bytes(map(operator.eq, text, result))
        return AlignedText(result, range(len(text)), range(1, len(text) + 1), same)
    lengths = {char: len(char.lower()) for char in set(text)}
    copies = map(itertools.repeat, range(len(text)), map(lengths.__getitem__, text))
    starts = list(itertools.chain.from_iterable(copies))
    same = bytes(map(operator.eq, result, map(text.__getitem__, starts)))
    return AlignedText(result, starts, [start + 1 for start in starts], same)


def _form_changes(text: str, form: Form) -> Iterator[tuple[int, Sequence[Change]]]:
    """Yield the segments of a text that a Unicode form may change, each cut into its pieces.

    A segment runs from a character that nothing before it can touch to the next such character,
    so segments normalize each on its own (UAX #15, section 9.1, concatenation).
    """
    characters = set(text)
    joining = {char for char in characters if _joins_left(char, form)}
    changing = {c for c in characters - joining if unicodedata.normalize(form, c) != c}
    finder = re.compile(_segment_pattern(joining, changing), re.DOTALL)
    known: dict[str, Sequence[Change]] = {}
    for match in finder.finditer(text):
        segment = match[0]
        pieces = known.get(segment)
        if pieces is None:
            pieces = known[segment] = _pieces(segment, form)
        yield match.start(), pieces


def _segment_pattern(joining: set[str], changing: set[str]) -> str:
    parts = []
    if joining:
        marks = "".join(map(re.escape, sorted(joining)))
        parts.append(f"[^{marks}]?[{marks}]+")
    if changing:
        parts.append("[" + "".join(map(re.escape, sorted(changing))) + "]")
    return "|".join(parts)


def _joins_left(char: str, form: Form) -> bool:
    """Whether a character may be reordered before, or composed with, the one before it."""
    first = unicodedata.normalize("NFKD" if form in ("NFKC", "NFKD") else "NFD", char)[0]
    if unicodedata.combining(first):
        return True
    return form in ("NFC", "NFKC") and first in _composing_seconds()


@lru_cache(maxsize=1)
def _composing_seconds() -> frozenset[str]:
    """Return the characters that can be the second half of a composed character."""
    seconds = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for code in range(0x110000):
        mapping = unicodedata.decomposition(chr(code))
        if " " in mapping and not mapping.startswith("<"):
            seconds.add(chr(int(mapping.split()[1], 16)))
    return frozenset(seconds)


def _pieces(segment: str, form: Form) -> Sequence[Change]:
    """Cut a segment into the smallest parts that normalize on their own.

    >>> ascii(_pieces("e\\u0301\\u0301", "NFC"))
    "[('e\\\\u0301', '\\\\xe9'), ('\\\\u0301', '\\\\u0301')]"
    """
    whole = _normal_form(segment, form)
    if whole == segment or len(segment) > _LONGEST_CUT_SEGMENT:
        return [(segment, whole)]
    pieces: list[Change] = []
    start = 0
    while start < len(segment):
        stop, part = _first_piece(segment, start, whole, form)
        pieces.append((segment[start:stop], part))
        start, whole = stop, whole[len(part) :]
    return pieces


def _first_piece(segment: str, start: int, whole: str, form: Form) -> tuple[int, str]:
    """Return where the first piece of the rest of a segment ends, and what it becomes."""
    for stop in range(start + 1, len(segment)):
        part = unicodedata.normalize(form, segment[start:stop])
        if part + unicodedata.normalize(form, segment[stop:]) == whole:
            return stop, part
    return len(segment), whole
