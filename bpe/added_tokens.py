"""Tokens that stand beside the model of a tokenizer.json, and where they are in a text.

Hugging Face tokenizers cuts a text at its added tokens before anything else is done with it. The
rules, from its documentation and `added_vocabulary.rs` (Apache 2.0): the longest at a position
wins; those that are not `normalized` are looked for in the text as given, the others in what the
normalizer makes of the stretches between; `single_word` tokens count only between characters that
are not of a word; `lstrip` and `rstrip` take the white space beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bpe.special_tokens import SpecialTokenFinder
from bpe.unicode_classes import class_ranges

if TYPE_CHECKING:
    import regex

_MOST_COMPARED = 10_000_000  # characters: one token of a megabyte would ask for too many

Stretch = tuple[int, int, int | None]  # char_start, char_end, id of the added token that it is


@dataclass(frozen=True, slots=True)
class AddedToken:
    """A token that is found in the text itself, with the flags of a tokenizer.json.

    A `special` one counts only where `allowed_special` names it, any other always. `in_model`: the
    model has it too, so that merging may give it; else it is only ever found as a whole.

    >>> AddedToken("<mask>", 4, lstrip=True).special
    True
    """

    content: str
    token_id: int
    special: bool = True
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    in_model: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether it is found wherever the text as given spells it, and takes no more than that."""
        return not (self.single_word or self.lstrip or self.rstrip or self.normalized)


def unless_plain(
    tokens: Sequence[AddedToken], special_tokens: Mapping[str, int]
) -> tuple[AddedToken, ...] | None:
    """Give added tokens; None where they say no more than which tokens are special.

    >>> unless_plain([AddedToken("<s>", 0)], {"<s>": 0}) is None
    True
    """
    says_no_more = {token.content for token in tokens} == special_tokens.keys() and all(
        token.special and token.is_plain and token.in_model for token in tokens
    )
    return None if says_no_more else tuple(tokens)


def found_in_one_pass(tokens: Sequence[AddedToken], has_normalizer: bool) -> bool:
    """Whether a text can be cut at all tokens at once, by their spelling alone.

    >>> found_in_one_pass([AddedToken("ab", 4), AddedToken("bc", 5, normalized=True)], False)
    False
    """
    if any(token.single_word or token.lstrip or token.rstrip for token in tokens):
        return False
    given = [token.content for token in tokens if not token.normalized]
    normalized = [token.content for token in tokens if token.normalized]
    if not normalized:
        return True
    return not has_normalizer and not _may_overlap(given, normalized)


def _may_overlap(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether in some text a token of one kind could take characters of one of the other.

    True also where to find out would take too long.
    """
    if sum(len(token) ** 2 for token in (*some, *others)) > _MOST_COMPARED:
        return True
    for first, second in ((some, others), (others, some)):
        starts = {token[:length] for token in second for length in range(1, len(token) + 1)}
        if any(token[start:] in starts for token in first for start in range(len(token))):
            return True
        finder = SpecialTokenFinder(second)
        if any(is_token for token in first for _, _, is_token in finder.split(token)):
            return True
    return False


class AddedTokenFinder:
    """Cuts texts at added tokens, as Hugging Face tokenizers does.

    `split` cuts a text as given, `split_normalized` what the normalizer made of a stretch of it
    without tokens; `normalize` is that normalizer.

    >>> mask = AddedToken("<mask>", 4, lstrip=True)
    >>> finder = AddedTokenFinder([mask], lambda text: text)
    >>> list(finder.split("a <mask> b"))
    [(0, 1, None), (1, 8, 4), (8, 10, None)]
    """

    def __init__(self, tokens: Sequence[AddedToken], normalize: Callable[[str], str]) -> None:
        given = [token for token in tokens if not token.normalized]
        normalized = [token for token in tokens if token.normalized]
        self._given = _Cut({token.content: token for token in given})
        patterns: dict[str, AddedToken] = {}
        for token in sorted(normalized, key=lambda token: not token.special):
            patterns.setdefault(normalize(token.content), token)
        self._normalized = _Cut(patterns)

    def split(self, text: str) -> Iterator[Stretch]:
        """Cut a text as given; no stretch is empty."""
        return self._given.split(text)

    def split_normalized(self, text: str) -> Iterator[Stretch]:
        """Cut a normalized text; no stretch is empty."""
        return self._normalized.split(text)


class _Cut:
    """Cuts texts at tokens, given by what they are spelled as in these texts."""

    def __init__(self, tokens: dict[str, AddedToken]) -> None:
        self._tokens = tokens
        self._finder = SpecialTokenFinder(tokens)

    def split(self, text: str) -> Iterator[Stretch]:
        done, spaces = 0, _white_space()
        for start, end, is_token in self._finder.split(text):
            token = self._tokens[text[start:end]] if is_token else None
            if token is None or (token.single_word and _is_in_a_word(text, start, end)):
                continue
            if token.lstrip:
                while start > done and text[start - 1] in spaces:
                    start -= 1
                start = max(start, done)
            if token.rstrip:
                while end < len(text) and text[end] in spaces:
                    end += 1
            if start >= end:
                continue  # the one before took it
            if done < start:
                yield done, start, None
            yield start, end, token.token_id
            done = end
        if done < len(text):
            yield done, len(text), None


def _is_in_a_word(text: str, start: int, end: int) -> bool:
    is_word = _word_character().match
    before = start > 0 and is_word(text, start - 1)
    return bool(before or (end < len(text) and is_word(text, end)))


@lru_cache(maxsize=1)
def _word_character() -> regex.Pattern[str]:
    r"""Compile `\w` as Rust's `regex` has it (UTS 18, annex C), which decides what is a word."""
    import regex

    return regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")


@lru_cache(maxsize=1)
def _white_space() -> frozenset[str]:
    ranges = class_ranges()["White_Space"]
    return frozenset(chr(code) for first, last in ranges for code in range(first, last + 1))
