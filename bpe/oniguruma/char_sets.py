r"""Characters and sets of an expression: as Oniguruma writes them, and as `regex` does."""

from __future__ import annotations

from collections.abc import Iterable

from bpe.oniguruma.properties import property_name

# Classes by the inside of a set of `regex`. Oniguruma's \w on its own takes six characters more
# than it does in a set: superscripts and fractions of Latin-1 (seen in tokenizers 0.23.3).
WORD_IN_SET = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
WORD = WORD_IN_SET + "\u00b2\u00b3\u00b9\u00bc-\u00be"
SPACE = r"\p{White_Space}"
DIGIT = r"\p{Nd}"
HEX_DIGIT = "0-9A-Fa-f"
NEWLINE = r"\n"

POSIX = {
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "alpha": r"\p{Alphabetic}",
    "ascii": r"\x00-\x7f",
    "blank": r"\p{Zs}\t",
    "cntrl": r"\p{Cc}",
    "digit": DIGIT,
    "lower": r"\p{Lowercase}",
    "punct": r"\p{P}\p{S}",
    "space": SPACE,
    "upper": r"\p{Uppercase}",
    "word": WORD_IN_SET,
    "xdigit": HEX_DIGIT,
}

# Letters without regard to case: the long s and the Kelvin sign are cases of s and k.
_MORE_CASES = {"s": "\u017f", "k": "\u212a"}

# Two letters that are also one character in another case, such as "ss" and "ß".
JOINED_CASES = frozenset({"ss", "st", "ff", "fi", "fl"})

# Properties that hold every case of what they hold; what a set must name besides is written after.
CLOSED_UNDER_CASE = {
    "L": "\u0345",
    **dict.fromkeys(("N", "Nd", "P", "S", "Z", "Zs", "White_Space", "Han", "Hiragana"), ""),
    **dict.fromkeys(("Katakana", "Hangul", "Thai", "Cc", "Alphabetic"), ""),
}


def literal(char: str) -> str:
    r"""Write a character so that it means itself, in a set of `regex` and outside.

    >>> literal("a"), literal("-"), literal("é")
    ('a', '\\x2d', 'é')
    """
    if char.isascii() and not (char.isalnum() or char == "_"):
        return f"\\x{ord(char):02x}"
    return char


def is_cased(char: str) -> bool:
    """Tell whether a character has another case.

    >>> is_cased("a"), is_cased("日")
    (True, False)
    """
    return not char == char.lower() == char.upper() == char.casefold()


def cases(letter: str) -> str:
    """Give an ASCII letter in all its cases.

    >>> cases("s")
    'sSſ'
    """
    lower = letter.lower()
    return lower + lower.upper() + _MORE_CASES.get(lower, "")


def one_of(inside: str, negated: bool = False) -> str:
    r"""Write a set of one or more parts, so that it is one atom of an expression.

    >>> one_of(r"\p{L}"), one_of(r"\p{L}", negated=True), one_of("ab")
    ('[\\p{L}]', '[^\\p{L}]', '[ab]')
    """
    return f"[^{inside}]" if negated else f"[{inside}]"


def property_set(spelling: str) -> str | None:
    r"""Give the inside of a set for what `\p{spelling}` means; None where that is nothing known.

    >>> property_set("Lu"), property_set("word") == WORD
    ('\\p{Lu}', True)
    """
    if spelling.lower() == "word":
        return WORD
    if spelling.lower() in ("any", "assigned", "c", "cn", "graph", "print", "other"):
        return None
    if spelling.lower() in ("alnum", "ascii", "blank", "xdigit"):
        return POSIX[spelling.lower()]
    name = property_name(spelling)
    return None if name is None else rf"\p{{{name}}}"


def all_cases(chars: Iterable[str]) -> str:
    """Write the ASCII letters among some characters in all cases, the others as they are.

    >>> all_cases("a1")
    'aA1'
    """
    return "".join(
        cases(char) if char.isascii() and char.isalpha() else literal(char) for char in chars
    )
