"""Working out the merge rules behind a table of ranks.

The twin of `bpe.rank_vocabulary.RankVocabulary.last_pair`, for all tokens at once: rules are noted
in the order of ranks, so each token is merged by the rules before its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bpe._kernels.class_table import Bytes
from bpe._kernels.compiling import kernel, lean_kernel, lean_part
from bpe._kernels.intrinsics import lowest_bit, n_bits
from bpe._kernels.lane_merging import ONE, ROOM, Lanes, merge_lane
from bpe._kernels.pair_ranks import Rules, add_rule
from bpe._kernels.token_table import TokenBytes, find_token
from bpe._kernels.window_merging import Spelling, merge_long, spell


@kernel
def recover_rules(
    rules: Rules, spelling: Spelling, tokens: TokenBytes, merged: Any, lanes: Lanes, parts: Any
) -> bool:
    """Note the rule of each merged token, lowest rank first, and write its two parts.

    `rules` has none yet. Stops at a token that is not made of two, and returns False.
    """
    for rank in range(len(merged)):
        token = merged[rank]
        start, end = tokens.ends[token], tokens.ends[token + 1]
        if end - start <= ROOM:
            n_parts = parts_of_short(rules, spelling, tokens.data, start, end, lanes, parts[rank])
        else:
            out = np.empty(end - start, np.int32)
            n_parts = merge_long(rules, spelling, tokens.data, start, end, end - start, out)
            parts[rank, 0], parts[rank, 1] = out[0], out[1]
        if n_parts != 2:
            return False
        add_rule(rules, parts[rank, 0], parts[rank, 1], rank, token)
    return True


@lean_part
def parts_of_short(
    rules: Rules, spelling: Spelling, data: Bytes, start: Any, end: Any, lanes: Lanes, parts: Any
) -> Any:
    """Merge the bytes of a token in a lane, and write its first two parts; returns how many."""
    spell(spelling, data, start, lanes.symbols[: end - start], False)
    remaining = merge_lane(rules, lanes, np.uint64(end - start))
    n_parts = n_bits(remaining)
    for number in range(min(2, n_parts)):
        parts[number] = lanes.symbols[lowest_bit(remaining)]
        remaining &= remaining - ONE
    return n_parts


@lean_kernel
def add_joins(rules: Rules, tokens: TokenBytes, merged: Any, is_dry: bool) -> Any:
    """Note a rule for each pair of tokens whose joined bytes are a merged token, by rank.

    Returns how many there are; in a dry run it only counts them.
    """
    n_rules = 0
    for rank in range(len(merged)):
        token = merged[rank]
        start, end = tokens.ends[token], tokens.ends[token + 1]
        for middle in range(start + 1, end):
            left = find_token(tokens, tokens.data, start, middle)
            right = -1 if left < 0 else find_token(tokens, tokens.data, middle, end)
            if right >= 0:
                n_rules += 1
                if not is_dry:
                    add_rule(rules, left, right, rank, token)
    return n_rules
