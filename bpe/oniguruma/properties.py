r"""The character properties an expression may name, and where `regex` sees them otherwise.

`regex` looks a property up quickly, but in the tables of its own Unicode version. So expressions
keep `\p{...}`, and before a text is split each of its characters is compared once with the tables
of Unicode 16; those that differ are written into the expression.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from bpe.unicode_classes import Ranges, class_ranges, joined_ranges

_PROPERTIES = "unicode_16_properties.txt"

_UNIONS = {
    "L": ("Lu", "Ll", "Lt", "Lm", "Lo"),
    "LC": ("Lu", "Ll", "Lt"),
    "P": ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
    "S": ("Sm", "Sc", "Sk", "So"),
    "Z": ("Zs", "Zl", "Zp"),
}

# Oniguruma's names for classes, without regard to case, spaces, "_" and "-".
_LONG_NAMES = {
    "letter": "L",
    "casedletter": "LC",
    "uppercaseletter": "Lu",
    "lowercaseletter": "Ll",
    "titlecaseletter": "Lt",
    "modifierletter": "Lm",
    "otherletter": "Lo",
    "mark": "M",
    "combiningmark": "M",
    "nonspacingmark": "Mn",
    "spacingmark": "Mc",
    "enclosingmark": "Me",
    "number": "N",
    "decimalnumber": "Nd",
    "letternumber": "Nl",
    "othernumber": "No",
    "punctuation": "P",
    "punct": "P",
    "symbol": "S",
    "mathsymbol": "Sm",
    "currencysymbol": "Sc",
    "modifiersymbol": "Sk",
    "othersymbol": "So",
    "separator": "Z",
    "spaceseparator": "Zs",
    "control": "Cc",
    "cntrl": "Cc",
    "alpha": "Alphabetic",
    "upper": "Uppercase",
    "lower": "Lowercase",
    "digit": "Nd",
    "space": "White_Space",
}


def _plain(name: str) -> str:
    return name.replace(" ", "").replace("_", "").replace("-", "").lower()


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    known = [*class_ranges(), *class_ranges(_PROPERTIES), *_UNIONS]
    return {**{_plain(name): name for name in known}, **_LONG_NAMES}


def property_name(spelling: str) -> str | None:
    r"""Give the name of the property that `\p{spelling}` means; None where there is none.

    >>> property_name("letter"), property_name("old_italic"), property_name("nonsense")
    ('L', 'Old_Italic', None)
    """
    return _names().get(_plain(spelling))


@lru_cache(maxsize=256)
def property_ranges(name: str) -> Ranges:
    """Give the characters of a property in Unicode 16, as ascending ranges, ends included.

    >>> property_ranges("Zl")
    [(8232, 8232)]
    """
    if name in _UNIONS:
        parts = [pair for part in _UNIONS[name] for pair in property_ranges(part)]
        return joined_ranges(sorted(parts))
    return class_ranges().get(name) or class_ranges(_PROPERTIES)[name]


def has_property(char: str, name: str) -> bool:
    """Tell whether a character has a property in Unicode 16.

    >>> has_property("日", "Han"), has_property("a", "Han")
    (True, False)
    """
    ranges = property_ranges(name)
    at = bisect_right(ranges, (ord(char), 0x110000)) - 1
    return at >= 0 and ranges[at][0] <= ord(char) <= ranges[at][1]


def misjudged(chars: str, name: str) -> tuple[str, str]:
    """Give those of some characters to which `regex` gives a property without right, and those
    from which it keeps it.

    >>> misjudged("a1é", "L")
    ('', '')
    """
    import regex

    found = set(regex.findall(rf"\p{{{name}}}", chars))
    right = {char for char in chars if has_property(char, name)}
    return "".join(sorted(found - right)), "".join(sorted(right - found))
