"""From Oniguruma's syntax to that of `regex`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from bpe.oniguruma.char_sets import JOINED_CASES, NEWLINE, WORD, cases, is_cased, literal, one_of
from bpe.oniguruma.set_parser import read_set
from bpe.oniguruma.source import Source, read_class, read_escape

_MAX_DEPTH = 50
_MAX_REPEATS = 100_000
_INTERVAL = re.compile(r"\{(?:(\d+)(,?)(\d*)|,(\d+))\}")
_OPTIONS = re.compile(r"\(\?(?=:|[imx]|-[imx])([imx]*)(?:-([imx]*))?([:)])")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_OPENINGS = (*_LOOKS, "(?:", "(?>")
_NAMED_GROUP = re.compile(r"\(\?<\w+>")

_NOT_BEFORE, _BEFORE = f"(?![{WORD}])", f"(?=[{WORD}])"
_NOT_AFTER, _AFTER = f"(?<![{WORD}])", f"(?<=[{WORD}])"

# Anchors, by what `regex` calls them; \Z of `regex` is the very end.
_ANCHORS = {
    "^": rf"(?:\A|(?<={NEWLINE})(?!\Z))",
    "$": rf"(?:(?={NEWLINE})|\Z)",
    "\\A": r"\A",
    "\\z": r"\Z",
    "\\Z": rf"(?:\Z|(?={NEWLINE}\Z))",
    "\\b": f"(?:{_NOT_AFTER}{_BEFORE}|{_AFTER}{_NOT_BEFORE})",
    "\\B": f"(?:{_NOT_AFTER}{_NOT_BEFORE}|{_AFTER}{_BEFORE})",
}


@dataclass(frozen=True, slots=True)
class _Options:
    ignore_case: bool = False
    dot_takes_newline: bool = False


@dataclass(frozen=True, slots=True)
class Translation:
    """An expression for `regex` (its version 1).

    `can_be_empty`: it may match nothing. `is_common`: in version 0 too, which users write,
    `regex` reads the expression as Oniguruma does, but for the version of Unicode.
    """

    written: str
    can_be_empty: bool
    is_common: bool


def translate(expression: str) -> Translation:
    r"""Write an Oniguruma expression for `regex`.

    Raises UnsupportedConstruct, which names the construct, for what is not translated.

    >>> translate("(?i:'s)| ?[^\\s\\p{L}]++")
    Translation(written='(?:\\x27[sSſ])|\\x20?[^\\p{White_Space}\\p{L}]++',
        can_be_empty=False, is_common=True)
    """
    reader = _Reader(Source(expression))
    whole = reader.alternatives(_Options(), 0)
    if not reader.source.at_end:
        raise reader.source.unsupported("a closing parenthesis that closes nothing")
    return Translation(whole.text, whole.can_be_empty, reader.source.is_common)


class _Part(NamedTuple):
    text: str
    can_be_empty: bool


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self._last_letter = ""  # the literal just read without regard to case
        self._n_behinds = 0  # how many look-behinds are open

    def alternatives(self, options: _Options, depth: int) -> _Part:
        """Read up to the end of a group."""
        if depth > _MAX_DEPTH:
            raise self.source.unsupported("groups within groups, deeper than fifty")
        source, branches = self.source, [_Part("", True)]
        while not source.at_end and not source.sees(")"):
            if source.take("|"):
                branches.append(_Part("", True))
                self._last_letter = ""
                continue
            isolated = self._isolated_options(options)
            if isolated is None:
                branches[-1] = _joined(branches[-1], self._repeated(options, depth))
                continue
            # (?i) holds to the end of the group, further branches too.
            rest = self.alternatives(isolated, depth + 1)
            branches[-1] = _joined(branches[-1], _Part(f"(?:{rest.text})", rest.can_be_empty))
            break
        written = "|".join(branch.text for branch in branches)
        return _Part(written, any(branch.can_be_empty for branch in branches))

    def _isolated_options(self, options: _Options) -> _Options | None:
        found = _OPTIONS.match(self.source.text, self.source.position)
        if found is None or found[3] == ":":
            return None
        self.source.position = found.end()
        self.source.is_common = False
        return self._changed(options, found)

    def _changed(self, options: _Options, found: re.Match[str]) -> _Options:
        self.source.is_common &= found[0] in ("(?:", "(?i:")
        for letters, value in ((found[1], True), (found[2] or "", False)):
            if "x" in letters:
                raise self.source.unsupported("the option x")
            if "i" in letters:
                options = replace(options, ignore_case=value)
            if "m" in letters:
                options = replace(options, dot_takes_newline=value)
        return options

    def _repeated(self, options: _Options, depth: int) -> _Part:
        source, start = self.source, self.source.position
        anchor = next((name for name in _ANCHORS if source.take(name)), None)
        if anchor is None:
            atom = self._atom(options, depth)
        else:
            source.is_common &= anchor == "\\A"
            atom = _Part(_ANCHORS[anchor], True)
        repeat = self._repeat()
        if repeat is None:
            return atom
        self._last_letter = ""
        looks = source.text.startswith((*_LOOKS, "(?#"), start)
        if anchor is not None or looks or self._repeat() is not None:
            raise source.unsupported("a repeat of a repeat, of an anchor or of a look-around")
        form, can_be_none = repeat
        return _Part(form.replace("atom", atom.text), atom.can_be_empty or can_be_none)

    def _repeat(self) -> tuple[str, bool] | None:
        """Read how often an atom comes: the form of `regex` around the word "atom", and whether
        that may be no times."""
        source = self.source
        for sign in "*+?":
            if source.take(sign):
                kind = next((kind for kind in "?+" if source.take(kind)), "")
                self._refuse_behind(kind == "+")
                return f"atom{sign}{kind}", sign != "+"
        found = source.match(_INTERVAL)
        if found is None:
            return None
        fewest, most = found[1] or "0", found[4] or (found[3] if found[2] else found[1])
        if max(int(fewest), int(most or 0)) > _MAX_REPEATS or (most and int(most) < int(fewest)):
            raise source.unsupported(f"the repeat {found[0]}")
        exact = found[4] is None and not found[2]
        written = f"{{{fewest}}}" if exact else f"{{{fewest},{most}}}"
        can_be_none = int(fewest) == 0
        if source.take("?"):  # in this syntax a{2}? is an optional a{2}
            source.is_common &= not exact
            return (f"(?:atom{written})?", True) if exact else (f"atom{written}?", can_be_none)
        if source.take("+"):  # and a{2}+ is a{2} once or more
            source.is_common = False
            return f"(?:atom{written})+", can_be_none
        return f"atom{written}", can_be_none

    def _atom(self, options: _Options, depth: int) -> _Part:
        source = self.source
        if source.sees("("):
            return self._group(options, depth)
        if not source.sees("\\") and not source.sees("["):
            return _Part(self._plain(options), False)
        last_letter, self._last_letter = self._last_letter, ""
        if source.take("["):
            return _Part(read_set(source, options.ignore_case), False)
        inside = read_class(source)
        if inside is not None:
            return _Part(inside if inside.startswith("[^") else one_of(inside), False)
        if source.take("\\R"):
            source.is_common = False
            return _Part(r"(?>\r\n|[\n-\r\x85\u2028\u2029])", False)
        self._last_letter = last_letter
        return _Part(self._letter(read_escape(source) or source.next(), options), False)

    def _plain(self, options: _Options) -> str:
        source = self.source
        interval = source.match(_INTERVAL)
        char = source.next() if interval is None else "*"
        if char in "*+?":
            raise source.unsupported("a repeat of nothing")
        if char == ".":
            self._last_letter = ""
            return r"[\x00-\U0010ffff]" if options.dot_takes_newline else f"[^{NEWLINE}]"
        source.is_common &= char not in "{}]"
        return self._letter(char, options)

    def _letter(self, char: str, options: _Options) -> str:
        if not options.ignore_case:
            self._last_letter = ""
            return literal(char)
        self.source.is_common &= char not in "iI"  # for `regex` the dotted and dotless i are cases
        pair = self._last_letter + char.lower()
        self._last_letter = char.lower()
        is_letter = char.isascii() and char.isalpha()
        if pair in JOINED_CASES or (len(pair) == 2 and pair[0].isalpha() and not char.isascii()):
            raise self.source.unsupported(
                f"(?i) with {pair!r}, which is one letter in another case"
            )
        if is_cased(char) and not is_letter:
            raise self.source.unsupported(f"(?i) with the letter {char!r}")
        return one_of(cases(char)) if is_letter else literal(char)

    def _group(self, options: _Options, depth: int) -> _Part:
        source = self.source
        if source.take("(?#"):
            source.until(")")
            return _Part("", True)
        found = source.match(_OPTIONS)
        if found is not None and found[3] == ":":
            return self._inside("(?:", self._changed(options, found), depth)
        opening = next((opening for opening in _OPENINGS if source.take(opening)), None)
        if opening is None and (source.sees("(?") or source.sees("(*")):
            if source.match(_NAMED_GROUP) is None:
                raise source.unsupported(f"{source.text[source.position :][:4]}...)")
        elif opening is None:
            source.take("(")
        return self._inside(opening or "(?:", options, depth)

    def _refuse_behind(self, is_greedy_for_good: bool) -> None:
        """`regex` reads look-behinds backwards, so what never gives back takes something else."""
        if is_greedy_for_good and self._n_behinds:
            raise self.source.unsupported("a possessive repeat or atomic group in a look-behind")

    def _inside(self, opening: str, options: _Options, depth: int) -> _Part:
        self._refuse_behind(opening == "(?>")
        looks_behind = opening in ("(?<=", "(?<!")
        self._n_behinds += looks_behind
        inside = self.alternatives(options, depth + 1)
        self._n_behinds -= looks_behind
        if not self.source.take(")"):
            raise self.source.unsupported("a parenthesis that is not closed")
        takes_nothing = opening in _LOOKS
        return _Part(f"{opening}{inside.text})", inside.can_be_empty or takes_nothing)


def _joined(left: _Part, right: _Part) -> _Part:
    return _Part(left.text + right.text, left.can_be_empty and right.can_be_empty)
