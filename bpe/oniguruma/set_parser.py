"""Reading `[...]` of an Oniguruma expression."""

from __future__ import annotations

from bpe.oniguruma.char_sets import (
    CLOSED_UNDER_CASE,
    POSIX,
    WORD,
    WORD_IN_SET,
    all_cases,
    is_cased,
    literal,
)
from bpe.oniguruma.source import Source, property_names, read_class, read_escape

_MAX_DEPTH = 20


def read_set(source: Source, ignore_case: bool, depth: int = 0) -> str:
    r"""Read a set from after its opening bracket to its closing one, as a set of `regex`.

    Raises UnsupportedConstruct.

    >>> read_set(Source(r"^\s\p{L}]"), False)
    '[^\\p{White_Space}\\p{L}]'
    """
    if depth > _MAX_DEPTH:
        raise source.unsupported("sets within sets, deeper than twenty")
    source.is_common &= not ignore_case
    opening = "[^" if source.take("^") else "["
    operands = [_read_operand(source, ignore_case, depth)]
    while source.take("&&"):
        source.is_common = False
        operands.append(_read_operand(source, ignore_case, depth))
    if not source.take("]"):
        raise source.unsupported("a set without its closing bracket")
    if "" in operands:
        raise source.unsupported("an empty set")
    if len(operands) == 1:
        return f"{opening}{operands[0]}]"
    return opening + "&&".join(f"[{operand}]" for operand in operands) + "]"


def _read_operand(source: Source, ignore_case: bool, depth: int) -> str:
    parts: list[str] = []
    while not source.at_end and not source.sees("]") and not source.sees("&&"):
        source.is_common &= not source.sees("[") and not source.sees("--")
        source.is_common &= not source.sees("||") and not source.sees("~~")
        if source.sees("[:"):
            parts.append(_in_all_cases(source, _read_posix(source), ignore_case))
        elif source.take("["):
            parts.append(read_set(source, ignore_case, depth + 1))
        else:
            parts.append(_read_member(source, ignore_case))
    if not parts and source.sees("]") and depth == 0:
        raise source.unsupported("a set that starts with its closing bracket")
    return "".join(parts)


def _read_posix(source: Source) -> str:
    source.take("[:")
    negated = source.take("^")
    name = source.until(":]")
    if name not in POSIX:
        raise source.unsupported(f"[:{name}:]")
    return f"[^{POSIX[name]}]" if negated else POSIX[name]


def _read_member(source: Source, ignore_case: bool) -> str:
    """A class, a character, or a range of characters."""
    inside = read_class(source)
    if inside is not None:
        if inside == WORD:
            inside = WORD_IN_SET
        elif inside == f"[^{WORD}]":
            inside = f"[^{WORD_IN_SET}]"
        if source.sees("-") and not source.sees("-]"):
            raise source.unsupported("a class as the start of a range")
        return _in_all_cases(source, inside, ignore_case)
    first = _read_char(source)
    if not source.sees("-") or source.sees("-]") or source.sees("-&&"):
        return _char(source, first, ignore_case)
    if source.sees("-["):
        raise source.unsupported("a set as the end of a range")
    source.take("-")
    if read_class(source) is not None:
        raise source.unsupported("a class as the end of a range")
    return _range(source, first, _read_char(source), ignore_case)


def _read_char(source: Source) -> str:
    if source.take("\\b"):
        source.is_common = False
        return "\b"
    return read_escape(source) or source.next()


def _char(source: Source, char: str, ignore_case: bool) -> str:
    if not ignore_case:
        return literal(char)
    if not char.isascii() and is_cased(char):
        raise source.unsupported(f"(?i) with the letter {char!r}")
    return all_cases(char)


def _range(source: Source, first: str, last: str, ignore_case: bool) -> str:
    if first > last:
        raise source.unsupported(f"a range from {first!r} down to {last!r}")
    written = f"{literal(first)}-{literal(last)}"
    if not ignore_case:
        return written
    chars = [chr(code) for code in range(ord(first), ord(last) + 1)]
    foreign = next((char for char in chars if not char.isascii() and is_cased(char)), None)
    if foreign is not None:
        raise source.unsupported(f"(?i) with the letter {foreign!r}")
    return written + all_cases(char for char in chars if char.isascii() and char.isalpha())


def _in_all_cases(source: Source, inside: str, ignore_case: bool) -> str:
    if not ignore_case or inside in (WORD_IN_SET, f"[^{WORD_IN_SET}]"):
        return inside
    more = ""
    for name in property_names(inside):
        if name not in CLOSED_UNDER_CASE or (inside.startswith("[^") and name == "L"):
            raise source.unsupported(rf"(?i) with \p{{{name}}} in a set")
        more += CLOSED_UNDER_CASE[name]
    return inside + more
