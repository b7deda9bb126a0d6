"""From Oniguruma's syntax to that of `regex`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bpe.oniguruma.char_sets import JOINED_CASES, NEWLINE, WORD, cases, is_cased, literal, one_of
from bpe.oniguruma.set_parser import read_set
from bpe.oniguruma.source import Source, read_class, read_escape

_MAX_DEPTH = 50
_MAX_REPEATS = 100_000
_INTERVAL = re.compile(r"\{(?:(\d+)(,?)(\d*)|,(\d+))\}")
_OPTIONS = re.compile(r"\(\?([imx]*)(?:-([imx]*))?([:)])")
_OPENINGS = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")

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


def translate(expression: str) -> str:
    r"""Write an Oniguruma expression for `regex` (its version 1).

    Raises UnsupportedConstruct, which names the construct, for what is not translated.

    >>> translate("(?i:'s)| ?[^\\s\\p{L}]++")
    '(?:\\x27[sSſ])|\\x20?[^\\p{White_Space}\\p{L}]++'
    """
    reader = _Reader(Source(expression))
    written = reader.alternatives(_Options(), 0)
    if not reader.source.at_end:
        raise reader.source.unsupported("a closing parenthesis that closes nothing")
    return written


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self._last_letter = ""  # the literal just read without regard to case

    def alternatives(self, options: _Options, depth: int) -> str:
        """Read up to the end of a group."""
        if depth > _MAX_DEPTH:
            raise self.source.unsupported("groups within groups, deeper than fifty")
        source, branches = self.source, [""]
        while not source.at_end and not source.sees(")"):
            if source.take("|"):
                branches.append("")
                self._last_letter = ""
                continue
            isolated = self._isolated_options(options)
            if isolated is not None:  # (?i) holds to the end of the group, further branches too
                branches[-1] += f"(?:{self.alternatives(isolated, depth + 1)})"
                break
            branches[-1] += self._repeated(options, depth)
        return "|".join(branches)

    def _isolated_options(self, options: _Options) -> _Options | None:
        found = _OPTIONS.match(self.source.text, self.source.position)
        if found is None or found[3] == ":":
            return None
        self.source.position = found.end()
        return self._changed(options, found)

    def _changed(self, options: _Options, found: re.Match[str]) -> _Options:
        for letters, value in ((found[1], True), (found[2] or "", False)):
            if "x" in letters:
                raise self.source.unsupported("the option x")
            if "i" in letters:
                options = replace(options, ignore_case=value)
            if "m" in letters:
                options = replace(options, dot_takes_newline=value)
        return options

    def _repeated(self, options: _Options, depth: int) -> str:
        source, start = self.source, self.source.position
        anchor = next((name for name in _ANCHORS if source.take(name)), None)
        atom = self._atom(options, depth) if anchor is None else _ANCHORS[anchor]
        repeat = self._repeat()
        if repeat is None:
            return atom
        self._last_letter = ""
        looks = source.text.startswith(("(?=", "(?!", "(?<=", "(?<!", "(?#"), start)
        if anchor is not None or looks or self._repeat() is not None:
            raise source.unsupported("a repeat of a repeat, of an anchor or of a look-around")
        return repeat.replace("atom", atom)

    def _repeat(self) -> str | None:
        """Read how often an atom comes, as the form of `regex` around the word "atom"."""
        source = self.source
        for sign in "*+?":
            if source.take(sign):
                kind = next((kind for kind in "?+" if source.take(kind)), "")
                return f"atom{sign}{kind}"
        found = source.match(_INTERVAL)
        if found is None:
            return None
        fewest, most = found[1] or "0", found[4] or (found[3] if found[2] else found[1])
        if max(int(fewest), int(most or 0)) > _MAX_REPEATS or (most and int(most) < int(fewest)):
            raise source.unsupported(f"the repeat {found[0]}")
        exact = found[4] is None and not found[2]
        written = f"{{{fewest}}}" if exact else f"{{{fewest},{most}}}"
        if source.take("?"):  # in this syntax a{2}? is an optional a{2}
            return f"(?:atom{written})?" if exact else f"atom{written}?"
        if source.take("+"):  # and a{2}+ is a{2} once or more
            return f"(?:atom{written})+"
        return f"atom{written}"

    def _atom(self, options: _Options, depth: int) -> str:
        source = self.source
        if source.sees("("):
            return self._group(options, depth)
        if source.take("["):
            self._last_letter = ""
            return read_set(source, options.ignore_case)
        if source.take("."):
            self._last_letter = ""
            return r"[\x00-\U0010ffff]" if options.dot_takes_newline else f"[^{NEWLINE}]"
        inside = read_class(source)
        if inside is not None:
            self._last_letter = ""
            return inside if inside.startswith("[^") else one_of(inside)
        if source.sees("*") or source.sees("+") or source.sees("?"):
            raise source.unsupported("a repeat of nothing")
        if source.take("\\R"):
            return r"(?>\r\n|[\n-\r\x85\u2028\u2029])"
        return self._letter(read_escape(source) or source.next(), options)

    def _letter(self, char: str, options: _Options) -> str:
        if not options.ignore_case:
            self._last_letter = ""
            return literal(char)
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

    def _group(self, options: _Options, depth: int) -> str:
        source = self.source
        if source.take("(?#"):
            source.until(")")
            return ""
        found = source.match(_OPTIONS)
        if found is not None and found[3] == ":":
            return self._inside("(?:", self._changed(options, found), depth)
        opening = next((opening for opening in _OPENINGS if source.take(opening)), None)
        if opening is None and (source.sees("(?") or source.sees("(*")):
            named = re.compile(r"\(\?<\w+>").match(source.text, source.position)
            if named is None:
                raise source.unsupported(f"{source.text[source.position :][:4]}...)")
            source.position = named.end()
        elif opening is None:
            source.take("(")
        return self._inside(opening or "(?:", options, depth)

    def _inside(self, opening: str, options: _Options, depth: int) -> str:
        written = self.alternatives(options, depth + 1)
        if not self.source.take(")"):
            raise self.source.unsupported("a parenthesis that is not closed")
        return f"{opening}{written})"
