"""The text of an expression while it is read, and the escapes that stand for characters."""

from __future__ import annotations

import re
import string

from bpe.oniguruma.char_sets import DIGIT, HEX_DIGIT, SPACE, WORD, property_set

_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_CLASSES = {"s": SPACE, "d": DIGIT, "w": WORD, "h": HEX_DIGIT}
_COMMON_PROPERTIES = frozenset(
    (
        *("L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No"),
        *("P", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So"),
        *("Z", "Zs", "Zl", "Zp", "Han", "Hiragana", "Katakana", "Hangul", "Thai", "Latin"),
        *("Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari"),
    )
)
_HEXADECIMAL = re.compile(r"\\(?:x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4}))")
_PROPERTY = re.compile(r"\\([pP])\{(\^?)([^{}]*)\}")
_NAMED = re.compile(r"\\p\{(\w+)\}")


class UnsupportedConstruct(ValueError):
    """A construct of Oniguruma that is not translated; the message names it and its place."""


class Source:
    """An expression that is read from left to right.

    >>> source = Source("ab")
    >>> source.take("a"), source.sees("b"), source.next(), source.at_end
    (True, True, 'b', True)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.is_common = True  # whether `regex` reads the same in all that was read

    @property
    def at_end(self) -> bool:
        """Whether all was read."""
        return self.position >= len(self.text)

    def sees(self, what: str) -> bool:
        """Tell whether `what` comes next."""
        return self.text.startswith(what, self.position)

    def take(self, what: str) -> bool:
        """Pass over `what` if it comes next, and tell whether it did."""
        if not self.sees(what):
            return False
        self.position += len(what)
        return True

    def next(self) -> str:
        """Take one character; raises UnsupportedConstruct at the end."""
        if self.at_end:
            raise self.unsupported("an end in the middle")
        self.position += 1
        return self.text[self.position - 1]

    def until(self, what: str) -> str:
        """Take all up to `what`, and that too; raises UnsupportedConstruct where it is missing."""
        stop = self.text.find(what, self.position)
        if stop < 0:
            raise self.unsupported(f"no {what} to close what was opened")
        found = self.text[self.position : stop]
        self.position = stop + len(what)
        return found

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take what a pattern matches here."""
        found = pattern.match(self.text, self.position)
        if found is not None:
            self.position = found.end()
        return found

    def unsupported(self, construct: str) -> UnsupportedConstruct:
        """Make the error for a construct that ends about here."""
        return UnsupportedConstruct(f"{construct} (near character {self.position})")


def read_class(source: Source) -> str | None:
    r"""Read an escape that stands for a class, as the inside of a set of `regex`.

    None, and nothing read, where something else comes next. Raises UnsupportedConstruct.

    >>> read_class(Source(r"\p{L}+")), read_class(Source(r"\S")), read_class(Source("a"))
    ('\\p{L}', '[^\\p{White_Space}]', None)
    """
    if not source.sees("\\"):
        return None
    found = source.match(_PROPERTY)
    if found is not None:
        inside = property_set(found[3])
        source.is_common &= found[3] in _COMMON_PROPERTIES and not found[2]
        if inside is None:
            raise source.unsupported(f"the property {found[0]}")
        return f"[^{inside}]" if (found[1] == "P") != bool(found[2]) else inside
    name = source.text[source.position + 1 : source.position + 2]
    if name.lower() not in _CLASSES:
        return None
    source.position += 2
    source.is_common &= name in "sSdD"
    inside = _CLASSES[name.lower()]
    return f"[^{inside}]" if name.isupper() else inside


def read_escape(source: Source) -> str | None:
    r"""Read an escape that stands for one character, and give that.

    None, and nothing read, where no escape comes next. Raises UnsupportedConstruct for an escape
    that stands for anything else.

    >>> read_escape(Source(r"\n")), read_escape(Source(r"\x{4e00}")), read_escape(Source("a"))
    ('\n', '一', None)
    """
    if not source.sees("\\"):
        return None
    found = source.match(_HEXADECIMAL)
    if found is not None:
        code = int(found[1] or found[2] or found[3], 16)
        if code > 0x7F and found[2]:  # two digits give a byte, here half of a character
            raise source.unsupported(f"the byte {found[0]}")
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise source.unsupported(f"{found[0]}, which is no character")
        source.is_common = False
        return chr(code)
    source.next()
    char = source.next()
    if char in _CONTROLS:
        source.is_common &= char in "tnrf"
        return _CONTROLS[char]
    if char in string.ascii_letters + string.digits:
        raise source.unsupported(f"the escape \\{char}")
    return char


def property_names(written: str) -> list[str]:
    r"""List the properties that an expression for `regex` names.

    >>> property_names(r"[\p{L}\p{N}]+")
    ['L', 'N']
    """
    return _NAMED.findall(written)
