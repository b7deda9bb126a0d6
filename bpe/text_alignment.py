"""Where each character of a rewritten text came from."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Original characters, and what they become: the smallest unit of an alignment.
Change = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AlignedText:
    """A rewritten text and the original characters each of its characters stands for.

    Character `i` of `text` was made from the original characters `char_starts[i]` up to, not
    including, `char_ends[i]`. `unchanged[i]` is 1 where it is that same single character, else 0.
    Both sequences of positions never fall. The ranges together cover the whole original, but for
    characters that were dropped.
    """

    text: str
    char_starts: Sequence[int]
    char_ends: Sequence[int]
    unchanged: bytes

    @property
    def is_identity(self) -> bool:
        """Whether every character is that of the original at the same place."""
        if 0 in self.unchanged:
            return False
        return not self.text or (self.char_starts[0] == 0 and self.char_ends[-1] == len(self.text))


def align_unchanged(text: str) -> AlignedText:
    """Align a text with itself, without building lists.

    >>> align_unchanged("ab")
    AlignedText(text='ab', char_starts=range(0, 2), char_ends=range(1, 3), unchanged=b'\\x01\\x01')
    """
    length = len(text)
    return AlignedText(text, range(length), range(1, length + 1), b"\x01" * length)


def align_changes(
    text: str, result: str, changes: Iterable[tuple[int, Sequence[Change]]]
) -> AlignedText:
    """Align `result` with `text`, given the places that change and what they become there.

    >>> aligned = align_changes("xﬁ", "xfi", [(1, [("ﬁ", "fi")])])
    >>> list(aligned.char_starts), list(aligned.char_ends), list(aligned.unchanged)
    ([0, 1, 1], [1, 2, 2], [1, 0, 0])
    """
    starts: list[int] = []
    ends: list[int] = []
    same = bytearray()
    position = 0

    def keep(stop: int) -> None:
        starts.extend(range(position, stop))
        ends.extend(range(position + 1, stop + 1))
        same.extend(b"\x01" * (stop - position))

    for change_start, pieces in changes:
        keep(change_start)
        position = change_start
        for before, after in pieces:
            stop = position + len(before)
            if before == after:
                keep(stop)
            else:
                starts.extend([position] * len(after))
                ends.extend([stop] * len(after))
                same.extend(bytes(len(after)))
            position = stop
    keep(len(text))
    return AlignedText(result, starts, ends, bytes(same))


def compose(first: AlignedText, second: AlignedText) -> AlignedText:
    """Align the outcome of two rewrites in a row, `second` being a rewrite of `first.text`,
    with the text before both.

    >>> lower = align_changes("E\\u0301", "e\\u0301", [(0, [("E", "e")])])
    >>> both = compose(lower, align_changes("e\\u0301", "é", [(0, [("e\\u0301", "é")])]))
    >>> both.text, list(both.char_starts), list(both.char_ends)
    ('é', [0], [2])
    """
    if second.is_identity and len(second.text) == len(first.text):
        return first
    if first.is_identity:
        return second
    starts, ends, same = first.char_starts, first.char_ends, first.unchanged
    return AlignedText(
        second.text,
        [starts[start] for start in second.char_starts],
        [ends[end - 1] for end in second.char_ends],
        bytes(map(operator.and_, second.unchanged, (same[s] for s in second.char_starts))),
    )
