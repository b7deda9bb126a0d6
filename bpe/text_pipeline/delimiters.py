"""What becomes of the delimiters a text is split at.

Source of the behaviours: the documentation of `tokenizers.pre_tokenizers.Split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

Span = tuple[int, int]
Behavior = Literal["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
BEHAVIORS: tuple[str, ...] = get_args(Behavior)


def split_at(
    matches: Iterable[Span], length: int, behavior: Behavior, invert: bool = False
) -> list[Span]:
    """Cut a text of some length at the matches of a delimiter, or if inverted at all else.

    Empty stretches may be among the outcome.

    >>> dashes = [(1, 2), (2, 3)]  # in "a--b"
    >>> split_at(dashes, 4, "Removed"), split_at(dashes, 4, "MergedWithPrevious")
    ([(0, 1), (3, 4)], [(0, 2), (2, 3), (3, 4)])
    """
    stretches = _stretches(matches, length, invert)
    if behavior == "Isolated":
        return [span for span, _ in stretches]
    if behavior == "Removed":
        return [span for span, is_delimiter in stretches if not is_delimiter]
    if behavior == "Contiguous":
        return _contiguous(stretches)
    if behavior == "MergedWithPrevious":
        return _merged_with_previous(stretches)
    return _merged_with_next(list(stretches))


def _stretches(matches: Iterable[Span], length: int, invert: bool) -> Iterator[tuple[Span, bool]]:
    """Yield all stretches of the text, and whether each is a delimiter."""
    position = 0
    for start, end in matches:
        if start > position:
            yield (position, start), invert
        yield (start, end), not invert
        position = end
    if position < length:
        yield (position, length), invert


def _contiguous(stretches: Iterable[tuple[Span, bool]]) -> list[Span]:
    spans: list[Span] = []
    before = False
    for (start, end), is_delimiter in stretches:
        if spans and is_delimiter == before:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        before = is_delimiter
    return spans


def _merged_with_previous(stretches: Iterable[tuple[Span, bool]]) -> list[Span]:
    spans: list[Span] = []
    before = False
    for (start, end), is_delimiter in stretches:
        if spans and is_delimiter and not before:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        before = is_delimiter
    return spans


def _merged_with_next(stretches: list[tuple[Span, bool]]) -> list[Span]:
    spans: list[Span] = []
    after = False
    for (start, end), is_delimiter in reversed(stretches):
        if spans and is_delimiter and not after:
            spans[-1] = (start, spans[-1][1])
        else:
            spans.append((start, end))
        after = is_delimiter
    return spans[::-1]
