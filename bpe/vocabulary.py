"""The vocabulary: which token has which id, and which merge rules build it.

Owns the invariants between tokens, ids and merge rules. Knows nothing of text, patterns or files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from bpe.errors import BPEError, ConfigError, UnknownIdError, as_whole_number

Content: TypeAlias = str | bytes
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MergeRule:
    """One learned rule: the two ids of `pair`, side by side, become `token_id`.

    >>> MergeRule(rank=0, pair=(1, 7), token_id=10)
    MergeRule(rank=0, pair=(1, 7), token_id=10)
    """

    rank: int
    pair: Pair
    token_id: int


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All tokens by id, the special ones among them, and the merge rules by rank.

    `contents[token_id]` is the token's content: bytes in a byte base, str in a character base,
    str for a special token, None for an id that is not assigned. `ends_word` holds the ids of the
    end-of-word marker and of tokens that end with it; their content includes its spelling.

    >>> vocabulary = Vocabulary(("a", "b", "ab"), (MergeRule(0, (0, 1), 2),))
    >>> vocabulary.token(2), vocabulary.token_id("b"), vocabulary.n_tokens
    ('ab', 1, 3)
    """

    contents: tuple[Content | None, ...]
    merges: Sequence[MergeRule] = ()
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    end_of_word: str | None = None
    ends_word: frozenset[int] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Equal tokens under equal ids, with equal rules, however the rules are kept."""
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self is other or (
            self.contents == other.contents
            and self.special_tokens == other.special_tokens
            and (self.end_of_word, self.ends_word) == (other.end_of_word, other.ends_word)
            and self._has_same_rules(other)
        )

    def _has_same_rules(self, other: Vocabulary) -> bool:
        return tuple(self.merges) == tuple(other.merges)

    def __repr__(self) -> str:
        """Say how large it is: all tokens would be a megabyte in a message."""
        return f"{type(self).__name__}({self.n_tokens:,} tokens)"

    def __hash__(self) -> int:
        return hash((self.contents, self.end_of_word, self.ends_word))

    @property
    def size(self) -> int:
        """Highest id + 1."""
        return len(self.contents)

    @cached_property
    def n_tokens(self) -> int:
        """How many ids are assigned."""
        return sum(content is not None for content in self.contents)

    @cached_property
    def base_ids(self) -> tuple[int, ...]:
        """Ids of the base symbols: neither special nor the result of a merge; ascending."""
        special = set(self.special_tokens.values())
        merged = {rule.token_id for rule in self.merges}
        return tuple(
            token_id
            for token_id, content in enumerate(self.contents)
            if content is not None and token_id not in special and token_id not in merged
        )

    @cached_property
    def ranks(self) -> Mapping[Pair, tuple[int, int]]:
        """Rank and resulting id of each pair; of a pair listed twice the first counts."""
        ranks: dict[Pair, tuple[int, int]] = {}
        for rule in self.merges:
            ranks.setdefault(rule.pair, (rule.rank, rule.token_id))
        return ranks

    @cached_property
    def rules_by_token(self) -> Mapping[int, MergeRule]:
        """The rule that first makes each merged token."""
        rules: dict[int, MergeRule] = {}
        for rule in self.merges:
            rules.setdefault(rule.token_id, rule)
        return rules

    @cached_property
    def special_by_id(self) -> dict[int, str]:
        """The special tokens by id."""
        return {token_id: content for content, token_id in self.special_tokens.items()}

    @cached_property
    def _ids_by_text(self) -> dict[Content, int]:
        """Ids of the tokens that are text or bytes and no more: not special, no marker."""
        return dict(self._assigned(without=self.ends_word | self.special_by_id.keys()))

    @cached_property
    def _ids_by_spelling(self) -> dict[Content, int]:
        """Ids of the tokens that end with the marker, by their spelling."""
        return {
            content: token_id
            for token_id in sorted(self.ends_word, reverse=True)
            if (content := self.contents[token_id]) is not None
        }

    def _assigned(self, without: Iterable[int]) -> Iterator[tuple[Content, int]]:
        skipped = set(without)
        for token_id in range(self.size - 1, -1, -1):  # of two spelled alike the lower id stays
            content = self.contents[token_id]
            if content is not None and token_id not in skipped:
                yield content, token_id

    def token(self, token_id: int) -> Content:
        """Give the content of an id; raises UnknownIdError.

        Ints of any kind are ids, numpy's among them; a bool or a float only looks like one.
        """
        number = token_id if type(token_id) is int else as_whole_number(token_id)
        if number is not None and 0 <= number < self.size:
            content = self.contents[number]
            if content is not None:
                return content
        raise UnknownIdError(token_id, self.size)

    def is_assigned(self, token_id: int) -> bool:
        """Tell whether an id has a token.

        >>> Vocabulary(("a", None)).is_assigned(1)
        False
        """
        return 0 <= token_id < self.size and self.contents[token_id] is not None

    def text_id(self, content: Content) -> int | None:
        """Id of the token that is exactly this text; None where there is none."""
        return self._ids_by_text.get(content)

    def token_id(self, content: Content) -> int:
        """Give the id of a content: a special token first, then text, then a marked token.

        Raises BPEError where no token has this content.
        """
        if isinstance(content, str) and content in self.special_tokens:
            return self.special_tokens[content]
        for table in (self._ids_by_text, self._ids_by_spelling):
            if isinstance(content, (str, bytes)) and content in table:
                return table[content]
        raise BPEError(f"no token of this vocabulary has the content {content!r}")

    def text_of(self, token_id: int) -> Content:
        """Give the content without the end-of-word marker: the text this token stands for.

        >>> Vocabulary(("a", "</w>", "a</w>"), (), {}, "</w>", frozenset({1, 2})).text_of(2)
        'a'
        """
        content = self.token(token_id)
        if token_id not in self.ends_word or self.end_of_word is None:
            return content
        if isinstance(content, bytes):
            return content[: len(content) - len(self.end_of_word.encode("utf-8"))]
        return content[: len(content) - len(self.end_of_word)]

    def cut(self, n_tokens: int) -> Vocabulary:
        """Keep special tokens, base symbols and the first merges: `n_tokens` in all, ids as before.

        Raises ConfigError below special tokens + base; above the top it is the same vocabulary.

        >>> rules = (MergeRule(0, (0, 1), 2), MergeRule(1, (2, 2), 3))
        >>> Vocabulary(("a", "b", "ab", "abab"), rules).cut(3).contents
        ('a', 'b', 'ab')
        """
        if as_whole_number(n_tokens) is None:
            raise ConfigError(f"a vocabulary size must be a whole number, not {n_tokens!r}")
        floor = len(self.base_ids) + len(self.special_tokens)
        if n_tokens < floor:
            raise ConfigError(
                f"a vocabulary of {n_tokens:,} tokens is too small: {len(self.special_tokens):,} "
                f"special tokens and {len(self.base_ids):,} base symbols need at least {floor:,}"
            )
        return self._with_merged(n_tokens - floor)

    def _with_merged(self, n_merged: int) -> Vocabulary:
        """Keep the rules that make the first `n_merged` tokens."""
        kept = _first_rules(self.merges, n_merged)
        if len(kept) == len(self.merges):
            return self
        contents = self._contents_with(rule.token_id for rule in kept)
        ends = frozenset(i for i in self.ends_word if i < len(contents) and contents[i] is not None)
        return Vocabulary(contents, tuple(kept), self.special_tokens, self.end_of_word, ends)

    def _contents_with(self, merged: Iterable[int]) -> tuple[Content | None, ...]:
        """The contents of special tokens, base symbols and these merged tokens alone."""
        stays = {*self.base_ids, *self.special_tokens.values(), *merged}
        return tuple(self.contents[i] if i in stays else None for i in range(max(stays) + 1))


def _first_rules(merges: Sequence[MergeRule], n_tokens: int) -> list[MergeRule]:
    """Take rules in order as long as they make at most `n_tokens` different tokens."""
    made: set[int] = set()
    kept: list[MergeRule] = []
    for rule in merges:
        if rule.token_id not in made and len(made) == n_tokens:
            break
        made.add(rule.token_id)
        kept.append(rule)
    return kept
