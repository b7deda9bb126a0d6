"""Finding special tokens in text: the longest at a position wins, however many there are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from bpe.errors import ConfigError

_FIRST_CHARS = 4  # of each token are looked for by a regular expression


class SpecialTokenFinder:
    """Finds any of some special tokens in texts; made once, used for any number of texts.

    A regular expression finds the places where the first characters of a token may stand: one
    class of characters a position, so that thousands of tokens cost no more than a few. The token
    itself is looked up among the tokens in sorted order, where the last one that is not after the
    text either stands there, or starts with all those that may.

    >>> finder = SpecialTokenFinder(["<|end|>", "<|end|>x"])
    >>> list(finder.split("a<|end|>xb"))
    [(0, 1, False), (1, 9, True), (9, 10, False)]
    """

    def __init__(self, special_tokens: Collection[str]) -> None:
        """Take the tokens; an empty one is never found."""
        self._sorted = sorted({token for token in special_tokens if token})
        self._prefixes = _longest_prefixes(self._sorted)
        self._jumps = _jumps(self._prefixes)
        self._longest = max(map(len, self._sorted), default=0)
        self._candidates = _candidates(self._sorted)

    def split(self, text: str) -> Iterator[tuple[int, int, bool]]:
        """Cut a text at the tokens, into (char_start, char_end, is_special); no piece is empty."""
        done = 0
        for start, end in self._found(text):
            if start > done:
                yield done, start, False
            yield start, end, True
            done = end
        if done < len(text):
            yield done, len(text), False

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        if not self._sorted:
            return
        search = self._candidates.search
        candidate = search(text)
        while candidate:
            start = candidate.start()
            length = self._length_at(text, start)
            if length:
                yield start, start + length
            candidate = search(text, start + (length or 1))

    def _length_at(self, text: str, start: int) -> int:
        """Length of the longest token that stands at a place; 0 for none."""
        tokens = self._sorted
        at = bisect_right(tokens, text[start : start + self._longest]) - 1
        while at >= 0 and not text.startswith(tokens[at], start):
            jump = self._jumps[at]
            is_far = jump >= 0 and not text.startswith(tokens[jump], start)
            at = jump if is_far else self._prefixes[at]
        return len(tokens[at]) if at >= 0 else 0


def checked_allowed(special_tokens: Mapping[str, int], allowed_special: object) -> frozenset[str]:
    """Give the special tokens that are allowed.

    Raises ConfigError for a string, or a name that is no special token.

    >>> checked_allowed({"<s>": 0, "<t>": 1}, ["<s>"])
    frozenset({'<s>'})
    """
    if isinstance(allowed_special, str) or not isinstance(allowed_special, Iterable):
        what = "the string " if isinstance(allowed_special, str) else ""
        raise ConfigError(
            f"allowed_special is {what}{allowed_special!r:.80}: give a set of special tokens, "
            'or "all"'
        )
    allowed = list(allowed_special)
    for token in allowed:
        if not isinstance(token, str) or token not in special_tokens:
            raise ConfigError(f"allowed_special names {token!r:.80}, which is no special token")
    return frozenset(allowed)


@lru_cache(maxsize=16)
def finder_of(special_tokens: frozenset[str]) -> SpecialTokenFinder:
    """Give the finder of some tokens, the same one when they are asked for again.

    >>> finder_of(frozenset(["<s>"])) is finder_of(frozenset(["<s>"]))
    True
    """
    return SpecialTokenFinder(special_tokens)


def _longest_prefixes(tokens: Sequence[str]) -> list[int]:
    """Number of the longest other token that each token starts with, -1 for none.

    >>> _longest_prefixes(["a", "ab", "abc", "ad", "b"])
    [-1, 0, 1, 0, -1]
    """
    prefixes: list[int] = []
    for number, token in enumerate(tokens):
        at = number - 1
        while at >= 0 and not token.startswith(tokens[at]):
            at = prefixes[at]
        prefixes.append(at)
    return prefixes


def _jumps(prefixes: Sequence[int]) -> list[int]:
    """For each token one that it starts with, chosen so that the way down to any is short.

    These are the jump pointers of E. W. Myers, "An applicative random-access stack" (1983): with
    them the way among n tokens that start with each other takes about log n steps.

    >>> _jumps([-1, 0, 1, 2, 3, 4, 5])
    [-1, 0, -1, 2, 3, 2, -1]
    """
    jumps: list[int] = []
    depths: list[int] = []
    for parent in prefixes:
        middle = jumps[parent] if parent >= 0 else -1
        far = jumps[middle] if middle >= 0 else -1
        depth, middle_depth, far_depth = (depths[i] if i >= 0 else 0 for i in (parent, middle, far))
        is_even = depth - middle_depth == middle_depth - far_depth
        jumps.append(far if is_even else parent)
        depths.append(depth + 1)
    return jumps


def _candidates(tokens: Sequence[str]) -> re.Pattern[str]:
    """Compile what matches where a token may start: its first characters, or all of a short one.

    >>> _candidates(["<s>", "<|end|>", "<|fim|>"]).pattern
    '<s>|<\\\\|[ef][in]'
    """
    alternatives = []
    for length in range(1, _FIRST_CHARS + 1):
        starts = [t for t in tokens if min(len(t), _FIRST_CHARS) == length]
        if starts:
            columns = (sorted({token[place] for token in starts}) for place in range(length))
            alternatives.append("".join(map(_char_class, columns)))
    return re.compile("|".join(alternatives))


def _char_class(chars: Sequence[str]) -> str:
    escaped = "".join(map(re.escape, chars))
    return escaped if len(chars) == 1 else f"[{escaped}]"
