"""Settings as they stand in the address of a page: reading them, and writing them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | int | bool | list[str] | None"
# What a setting is in the address -> its value, None where it means nothing.
Reader: TypeAlias = Callable[[str], Value]


def one_of(options: Collection[str]) -> Reader:
    """Read one of several options.

    >>> one_of(["char", "byte"])("byte"), one_of(["char", "byte"])("<img>")
    ('byte', None)
    """
    return lambda raw: raw if raw in options else None


def several_of(options: Collection[str]) -> Reader:
    """Read options separated by commas; what is none of them is left out.

    >>> several_of(["nfc", "lowercase"])("lowercase,x,nfc")
    ['lowercase', 'nfc']
    """
    return lambda raw: [part for part in raw.split(",") if part in options]


def whole_number(lowest: int, highest: int) -> Reader:
    """Read a whole number of a range.

    >>> whole_number(0, 99)("7"), whole_number(0, 99)("100"), whole_number(0, 99)("1e1")
    (7, None, None)
    """

    def read(raw: str) -> int | None:
        is_number = raw.isascii() and raw.isdigit() and len(raw) < 18
        return int(raw) if is_number and lowest <= int(raw) <= highest else None

    return read


def short_text(max_characters: int) -> Reader:
    """Read a text, cut to what its box holds; line ends of any kind become line feeds.

    >>> short_text(5)("a\\r\\nbcdefg")
    'a\\nbcd'
    """
    return lambda raw: raw.replace("\r\n", "\n").replace("\r", "\n")[:max_characters]


def yes_or_no(raw: str) -> bool | None:
    """Read a switch.

    >>> yes_or_no("false"), yes_or_no("maybe")
    (False, None)
    """
    return {"true": True, "false": False}.get(raw)


def written(value: Value | Sequence[str]) -> str:
    """Write a value as it stands in the address.

    >>> written(True), written(["nfc", "lowercase"]), written(7)
    ('true', 'nfc,lowercase', '7')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(value)
    return str(value)
