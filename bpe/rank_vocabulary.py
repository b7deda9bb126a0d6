"""A vocabulary known by the ranks of its tokens alone, as tiktoken's rank files give them.

Such a file lists tokens, not merge rules. Encoding joins the two neighbours whose joined bytes are
the token of lowest rank, leftmost first. For a file that came out of a training this is what its
merge rules do: the two parts of each rule are the two tokens that the bytes of its result end in
under the rules before it. They are worked out when somebody asks, never to encode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, cast, overload

from bpe.acceleration import compiled_pays
from bpe.encoder import merge_ids
from bpe.vocabulary import Content, MergeRule, Pair, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EFFORT = 500  # bytes of text that take as long to encode as a rule to work out


class RankVocabulary(Vocabulary):
    """Tokens of bytes whose id is their rank, single bytes among them, and special tokens.

    `contents` are as in Vocabulary. `merges` holds a rule for each token of two bytes and more
    that some pair of lower tokens makes; its rank counts all those tokens, in the order of ids.

    >>> vocabulary = RankVocabulary((b"a", b"b", b"ab", b"aba", "<end>"), {"<end>": 4})
    >>> vocabulary.ranks[2, 0], vocabulary.merges[1].pair
    ((1, 3), (2, 0))
    """

    def __init__(
        self,
        contents: tuple[Content | None, ...],
        special_tokens: Mapping[str, int],
        whole: RankVocabulary | None = None,
    ) -> None:
        """`whole` is the vocabulary this one was cut from, if any."""
        super().__init__(contents, RecoveredMerges(whole or self, self), special_tokens)

    @cached_property
    def base_ids(self) -> tuple[int, ...]:
        """Ids of the single bytes, ascending."""
        contents = enumerate(self.contents)
        return tuple([i for i, token in contents if type(token) is bytes and len(token) == 1])

    @cached_property
    def merged_ids(self) -> tuple[int, ...]:
        """Ids of the tokens of two bytes and more, ascending: by rank."""
        contents = enumerate(self.contents)
        return tuple([i for i, token in contents if type(token) is bytes and len(token) > 1])

    @cached_property
    def ranks(self) -> JoinedRanks:
        """Rank and resulting id of each pair whose join is a token."""
        joins: dict[bytes, tuple[int, int]] = {}
        for rank, token_id in enumerate(self.merged_ids):
            joins.setdefault(cast(bytes, self.contents[token_id]), (rank, token_id))
        return JoinedRanks(self.contents, joins)

    @cached_property
    def rules_by_token(self) -> Mapping[int, MergeRule]:
        """The rule that makes each merged token, worked out for the tokens asked for."""
        return RulesByToken(self)

    def last_pair(self, token_id: int) -> Pair | None:
        """Give the two lower tokens that the bytes of a token end in; None for one, three or more.

        >>> RankVocabulary((b"a", b"b", b"aab", b"ab"), {}).last_pair(2) is None
        True
        """
        content = self.contents[token_id]
        if not isinstance(content, bytes) or len(content) < 2:
            return None
        symbols = [self._ids_by_text.get(bytes([value])) for value in content]
        known = [symbol for symbol in symbols if symbol is not None]
        rank, _ = self.ranks.joins[content]
        parts = merge_ids(known, self.ranks, rank) if len(known) == len(content) else []
        return (parts[0], parts[1]) if len(parts) == 2 else None

    @cached_property
    def has_all_rules(self) -> bool:
        """Whether merge rules say all that the ranks do: some rule makes each merged token.

        >>> RankVocabulary((b"a", b"b", b"aab"), {}).has_all_rules
        False
        """
        return len(self.merges) == len(self.merged_ids)

    @cached_property
    def parts(self) -> npt.NDArray[np.int32] | None:
        """The two ids that make each merged token, by rank, worked out by a compiled kernel.

        None where it cannot: a byte has no token, or some token does not come of two others.
        """
        from bpe.encoding_tables import recover_parts

        whole = cast(RecoveredMerges, self.merges).whole
        if whole is self:
            return recover_parts(self)
        return None if whole.parts is None else whole.parts[: len(self.merged_ids)]

    @property
    def knows_parts(self) -> bool:
        """Whether `parts` have been worked out, for this vocabulary or the one it was cut from."""
        return vars(cast(RecoveredMerges, self.merges).whole).get("parts") is not None

    def _with_merged(self, n_merged: int) -> Vocabulary:
        if n_merged >= len(self.merged_ids):
            return self
        contents = self._contents_with(self.merged_ids[:n_merged])
        merges = cast(RecoveredMerges, self.merges)
        return RankVocabulary(contents, self.special_tokens, merges.whole)

    def _has_same_rules(self, other: Vocabulary) -> bool:
        return isinstance(other, RankVocabulary) or super()._has_same_rules(other)


class JoinedRanks(Mapping[Pair, tuple[int, int]]):
    """Rank and resulting id of each pair of tokens whose bytes, joined, are a token.

    >>> JoinedRanks((b"a", b"b", b"ab"), {b"ab": (0, 2)}).get((0, 1))
    (0, 2)
    """

    def __init__(
        self, contents: Sequence[Content | None], joins: Mapping[bytes, tuple[int, int]]
    ) -> None:
        self._contents = contents
        self.joins = joins

    def __getitem__(self, pair: Pair) -> tuple[int, int]:
        left, right = self._contents[pair[0]], self._contents[pair[1]]
        if isinstance(left, bytes) and isinstance(right, bytes):
            return self.joins[left + right]
        raise KeyError(pair)

    def __iter__(self) -> Iterator[Pair]:
        ids = {token: i for i, token in enumerate(self._contents) if isinstance(token, bytes)}
        for joined in self.joins:
            for middle in range(1, len(joined)):
                pair = ids.get(joined[:middle]), ids.get(joined[middle:])
                if pair[0] is not None and pair[1] is not None:
                    yield pair[0], pair[1]

    def __len__(self) -> int:
        return sum(1 for _ in self)


class RulesByToken(Mapping[int, MergeRule]):
    """The merge rules of a vocabulary of ranks by the token they make, each worked out once.

    >>> RulesByToken(RankVocabulary((b"a", b"b", b"ab"), {}))[2]
    MergeRule(rank=0, pair=(0, 1), token_id=2)
    """

    def __init__(self, vocabulary: RankVocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[int, MergeRule | None] = {}

    def __getitem__(self, token_id: int) -> MergeRule:
        if token_id not in self._known:
            self._known[token_id] = self._work_out(token_id)
        rule = self._known[token_id]
        if rule is None:
            raise KeyError(token_id)
        return rule

    def _work_out(self, token_id: int) -> MergeRule | None:
        vocabulary = self._vocabulary
        pair = vocabulary.last_pair(token_id) if 0 <= token_id < vocabulary.size else None
        if pair is None:
            return None
        rank, _ = vocabulary.ranks.joins[cast(bytes, vocabulary.contents[token_id])]
        return MergeRule(rank, pair, token_id)

    def __iter__(self) -> Iterator[int]:
        return (rule.token_id for rule in self._vocabulary.merges)

    def __len__(self) -> int:
        return len(self._vocabulary.merges)


class RecoveredMerges(Sequence[MergeRule]):
    """The merge rules of a vocabulary of ranks, all worked out when the first is asked for.

    A vocabulary that was cut takes them from the `whole` one, of which it has the first.
    """

    def __init__(self, whole: RankVocabulary, vocabulary: RankVocabulary) -> None:
        self.whole = whole
        self._vocabulary = vocabulary

    @cached_property
    def _rules(self) -> tuple[MergeRule, ...]:
        if self.whole is not self._vocabulary:
            n_ranks = len(self._vocabulary.merged_ids)
            return tuple(rule for rule in self.whole.merges if rule.rank < n_ranks)
        vocabulary = self._vocabulary
        parts = vocabulary.parts if compiled_pays(_EFFORT * len(vocabulary.merged_ids)) else None
        if parts is not None:
            pairs: Iterable[Pair] = map(tuple, parts.tolist())
            return tuple(map(MergeRule, count(), pairs, vocabulary.merged_ids))
        rules = map(vocabulary.rules_by_token.get, vocabulary.merged_ids)
        return tuple(rule for rule in rules if rule is not None)

    @overload
    def __getitem__(self, index: int) -> MergeRule: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[MergeRule, ...]: ...
    def __getitem__(self, index: int | slice) -> MergeRule | tuple[MergeRule, ...]:
        return self._rules[index]

    def __iter__(self) -> Iterator[MergeRule]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)
