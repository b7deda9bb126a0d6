"""The table by which a SentencePiece model rewrites characters, such as `nmt_nfkc`.

The table is in the model file: a trie of character sequences in UTF-8 (a double array, as
darts-clone writes it), and the texts that replace them. At each place the longest sequence that
stands there is replaced. Sources: google/sentencepiece, `normalizer.cc`, and s-yata/darts-clone,
`darts.h`, for the layout of a unit.
"""

from __future__ import annotations

import base64
import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from bpe.text_alignment import AlignedText
from bpe.text_pipeline.aligned_parts import map_chars, replace_spans
from bpe.text_pipeline.normalizer_steps import NormalizerStep

TABLE_TYPE = "SentencePieceTable"  # no type of Hugging Face's, which therefore refuses the file
_LABEL = (1 << 31) | 0xFF

_State: TypeAlias = tuple[int, str | None]  # a node, and the replacement of what ends there


@dataclass(frozen=True, slots=True)
class CharacterTable(NormalizerStep):
    """Sequences of characters replaced by a table; `whole` are texts that it leaves as they are."""

    charsmap: bytes
    whole: tuple[str, ...] = ()

    def apply(self, aligned: AlignedText) -> AlignedText:
        trie, text = _trie(self.charsmap), aligned.text
        pairs = {pair for pair in set(pairwise(text)) if trie.goes_on(pair)}
        alone = {char: trie.replacement(char) for char in set(text)}
        becomes = {char: after for char, after in alone.items() if after is not None}
        if not pairs and not any(symbol in text for symbol in self.whole):
            return map_chars(aligned, becomes)
        return replace_spans(aligned, self._found(text, trie, becomes, pairs))

    def _found(
        self, text: str, trie: Trie, single: Iterable[str], pairs: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        candidates = _candidates([*single, *(first + second for first, second in pairs)])
        symbols = _candidates(self.whole) if self.whole else None
        both = _candidates([*self.whole, *single, *(first + second for first, second in pairs)])
        found = both.search(text)
        while found:
            start = end = found.start()
            symbol = symbols.match(text, start) if symbols else None
            if symbol is not None:
                end = symbol.end()
            elif candidates.match(text, start):
                length, after = trie.longest(text, start)
                end = start + length
                if length:
                    yield (start, end), after
            found = both.search(text, max(end, start + 1))

    def as_json(self) -> dict[str, Any]:
        return {
            "type": TABLE_TYPE,
            "charsmap": base64.b64encode(self.charsmap).decode(),
            "whole": list(self.whole),
        }


def is_table(charsmap: bytes) -> bool:
    """Tell whether the sizes of a table fit together.

    >>> is_table(b"\\4\\0\\0\\0" + bytes(4)), is_table(b"\\xff\\xff\\0\\0" + bytes(4))
    (True, False)
    """
    n_bytes = int.from_bytes(charsmap[:4], "little")
    return n_bytes > 0 and n_bytes % 4 == 0 and 4 + n_bytes <= len(charsmap)


def replacements(charsmap: bytes) -> bytes:
    """Give all replacements of a table, each ended by a zero byte.

    >>> replacements(b"\\4\\0\\0\\0" + bytes(4) + b"e\\0")
    b'e\\x00'
    """
    return charsmap[4 + int.from_bytes(charsmap[:4], "little") :]


def _candidates(texts: Iterable[str]) -> re.Pattern[str]:
    """Find any of some texts, the longest at a place."""
    longest_first = sorted(set(texts), key=len, reverse=True)
    single = "".join(map(re.escape, (text for text in longest_first if len(text) == 1)))
    several = [re.escape(text) for text in longest_first if len(text) > 1]
    return re.compile("|".join([*several, *([f"[{single}]"] if single else [])]) or r"(?!)")


class Trie:
    """Finds the sequences of a table.

    The table holds the number of bytes of the double array (4 bytes, lowest first), the array
    of 4-byte units, and the replacements, each ended by a zero byte. Nothing in it is trusted.
    """

    def __init__(self, charsmap: bytes) -> None:
        n_bytes = int.from_bytes(charsmap[:4], "little")
        self._units = array("I", charsmap[4 : 4 + n_bytes])
        if sys.byteorder == "big":
            self._units.byteswap()
        self._texts = replacements(charsmap)

        self._root = self._offset(self._units[0]) if self._units else 0
        self._steps: dict[tuple[int, str], _State | None] = {}

    def longest(self, text: str, start: int) -> tuple[int, str]:
        """Give length in characters and replacement of the longest sequence at a place, or 0."""
        found, node = (0, ""), self._root
        for place in range(start, len(text)):
            state = self._step(node, text[place])
            if state is None:
                break
            node, after = state
            if after is not None:
                found = place + 1 - start, after
        return found

    def goes_on(self, pair: tuple[str, str]) -> bool:
        """Tell whether a sequence starts with these two characters."""
        state = self._step(self._root, pair[0])
        return state is not None and self._step(state[0], pair[1]) is not None

    def replacement(self, char: str) -> str | None:
        """Give what a character by itself is replaced by, if it is."""
        state = self._step(self._root, char)
        return None if state is None else state[1]

    def _step(self, node: int, char: str) -> _State | None:
        """Go on by one character, to a node and the replacement of what ends there."""
        if (node, char) not in self._steps:
            self._steps[node, char] = self._walked(node, char)
        return self._steps[node, char]

    def _walked(self, node: int, char: str) -> _State | None:
        units, unit = self._units, 0
        for byte in char.encode("utf-8"):
            node ^= byte
            unit = units[node] if node < len(units) else 0
            if unit & _LABEL != byte or byte == 0:
                return None
            node ^= self._offset(unit)
        return node, self._text_at(node) if unit >> 8 & 1 else None

    @staticmethod
    def _offset(unit: int) -> int:
        return (unit >> 10) << ((unit & 1 << 9) >> 6)

    def _text_at(self, node: int) -> str | None:
        place = self._units[node] & (1 << 31) - 1 if node < len(self._units) else len(self._texts)
        end = self._texts.find(b"\0", place)
        return self._texts[place:end].decode("utf-8", "replace") if end >= 0 else None


@lru_cache(maxsize=8)
def _trie(charsmap: bytes) -> Trie:
    return Trie(charsmap)
