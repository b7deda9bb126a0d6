"""The tables that the encoding kernels need, made from a tokenizer: rules by pair, by two bytes,
and for vocabularies known by ranks, the two parts of each token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from bpe._kernels.lane_merging import N_LANES, NO_KEY, ROOM, Lanes
from bpe._kernels.pair_ranks import EMPTY, MAX_ID, MAX_RANK, Rules, add_rules, fill_byte_rules
from bpe._kernels.rank_recovery import add_joins, recover_rules
from bpe._kernels.token_table import TokenBytes, add_tokens
from bpe._kernels.window_merging import Spelling
from bpe.rank_vocabulary import RankVocabulary
from bpe.vocabulary import Content, Vocabulary

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

Numbers: TypeAlias = npt.NDArray[np.int32]

_READABLE = bytes(8)  # kernels read eight bytes at a time


class Tables(NamedTuple):
    """What `_kernels.encoding.Encoder` has beside the pattern."""

    spelling: Spelling
    rules: Rules
    byte_rules: npt.NDArray[np.uint32]
    tokens: TokenBytes
    longest: int


def encoder_tables(tokenizer: Tokenizer) -> Tables | None:
    """Make the tables of a tokenizer; None where the kernels cannot encode as it does."""
    vocabulary, symbols = tokenizer.vocabulary, tokenizer.symbol_table
    if tokenizer.base != "byte" or not symbols.knows_all_bytes or vocabulary.size > MAX_ID:
        return None
    marker = symbols.marker_ids[0] if symbols.marker_ids else -1
    spelling = Spelling(np.array(symbols.byte_ids, np.int32), marker)
    rules = _rules(vocabulary, spelling)
    if rules is None:
        return None
    byte_rules = np.empty(1 << 16, np.uint32)
    fill_byte_rules(rules, spelling.byte_ids, byte_rules)
    longest = 1 + max(len(token) for token in vocabulary.contents if type(token) is bytes)
    contents = vocabulary.contents if tokenizer.ignore_merges else ()
    beyond = tokenizer.reading.beyond_model
    words = [
        token_id
        for token_id, token in enumerate(contents)
        if token and vocabulary.text_id(token) == token_id and token_id not in beyond
    ]
    return Tables(spelling, rules, byte_rules, token_bytes(contents, words), longest)


def recover_parts(vocabulary: RankVocabulary) -> Numbers | None:
    """Work out the two parts of each merged token of a vocabulary of ranks, by rank.

    Two columns of ids. None where the kernel cannot: a byte has no token, or some token does not
    come of two others.

    >>> recover_parts(RankVocabulary((*(bytes([i]) for i in range(256)), b"ab"), {})).tolist()
    [[97, 98]]
    """
    byte_ids = np.full(256, -1, np.int32)
    for token_id in reversed(vocabulary.base_ids):  # of two for one byte the lower counts
        byte_ids[ord(cast(bytes, vocabulary.contents[token_id]))] = token_id
    if byte_ids.min() < 0 or vocabulary.size > MAX_ID:
        return None
    spelling = Spelling(byte_ids, -1)
    merged = np.array(vocabulary.merged_ids, np.int64)
    parts = np.empty((len(merged), 2), np.int32)
    tokens = token_bytes(vocabulary.contents)
    rules = empty_rules(len(merged), merged)
    is_complete = recover_rules(rules, spelling, tokens, merged, new_lanes(), parts)
    return parts if is_complete else None


def new_lanes() -> Lanes:
    """Make the lanes that short pre-tokens are merged in."""
    return Lanes(
        symbols=np.zeros(N_LANES * ROOM, np.int32),
        keys=np.full(N_LANES * ROOM, NO_KEY, np.uint32),
        remaining=np.zeros(N_LANES, np.uint64),
        sizes=np.zeros(N_LANES, np.uint64),
        merged=np.zeros(N_LANES, np.uint64),
        before=np.zeros(N_LANES, np.uint64),
        after=np.zeros(N_LANES, np.uint64),
        words=np.zeros(N_LANES, np.int64),
    )


def _rules(vocabulary: Vocabulary, spelling: Spelling) -> Rules | None:
    """Make the table of rules; None if there are too many."""
    if isinstance(vocabulary, RankVocabulary):
        merged = np.array(vocabulary.merged_ids, np.int64)
        if vocabulary.parts is None:
            return _joins(vocabulary, merged)
        left, right = vocabulary.parts.astype(np.int64).T.copy()
        ranks = np.arange(len(merged))
    else:
        rows = [(*rule.pair, rule.rank, rule.token_id) for rule in vocabulary.merges]
        left, right, ranks, merged = np.array(rows, np.int64).reshape(-1, 4).T.copy()
    n_ranks = int(ranks.max(initial=-1)) + 1
    if n_ranks > MAX_RANK:
        return None
    results = np.zeros(n_ranks, np.int64)
    results[ranks] = merged
    rules = empty_rules(len(merged), results)
    add_rules(rules, left, right, ranks, merged)
    return rules


def _joins(vocabulary: RankVocabulary, merged: npt.NDArray[np.int64]) -> Rules:
    """Make the table of all pairs whose join is a token, for ranks that no training gives."""
    tokens = token_bytes(vocabulary.contents, [*vocabulary.base_ids, *vocabulary.merged_ids])
    n_rules = add_joins(empty_rules(0, merged), tokens, merged, True)
    rules = empty_rules(n_rules, merged)
    add_joins(rules, tokens, merged, False)
    return rules


def empty_rules(n_rules: int, results: npt.NDArray[np.int64]) -> Rules:
    """Make room for so many rules; `results` are the ids they lead to, by rank."""
    bits = max(4, (2 * n_rules).bit_length())
    offsets = np.unique(results - np.arange(len(results)))
    offset = int(offsets[0]) if len(offsets) == 1 and offsets[0] >= 0 else -1
    slots = np.full(1 << bits, EMPTY, np.uint64)
    return Rules(slots, np.uint64(64 - bits), results.astype(np.int32), offset)


def token_bytes(contents: Sequence[Content | None], wanted: Sequence[int] = ()) -> TokenBytes:
    """Lay the bytes of all tokens out by id; those wanted are found by their bytes."""
    tokens = [token if type(token) is bytes else b"" for token in contents]
    ends = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    slots = np.zeros(1 << max(4, (2 * len(wanted)).bit_length()), np.uint64)
    data = np.frombuffer(b"".join(tokens) + _READABLE, np.uint8)
    longest = max((len(tokens[token_id]) for token_id in wanted), default=0)
    table = TokenBytes(data, ends, slots, longest)
    add_tokens(table, np.array(wanted, np.int64))
    return table
