"""The state of the merge loop: what is known of tokens and pairs, as arrays of records.

Only pairs that reach the threshold are listed. A count never rises after the merge that brought
the pair about, so a pair below the threshold can be left out until the threshold is lowered, and
then the words are scanned again. All pairs that share a count at or above it are in the list, so
the order of merges and the number of ties do not depend on the threshold.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from bpe._kernels.word_layout import Words

# A token by id; id 0 is the gap between words. The fields about neighbours are used within one
# merge: how often this token stands before and after the new token, then where in the pool the
# next place of that pair is written (NOT_LISTED if the pair stays below the threshold).
TOKEN: Final = np.dtype(
    [
        ("weight_before", np.int64),
        ("weight_after", np.int64),
        ("before", np.int32),
        ("after", np.int32),
        ("length", np.int32),  # in places
        ("place", np.int32),  # where it stood when it was made: there `Words.text` spells it
    ],
    align=True,
)
# A pair of tokens. `pool[start : start + size]` are its places, ascending: those where it stood
# when it was listed. It is in one bucket of the queue, linked through `next`.
PAIR: Final = np.dtype(
    [
        ("count", np.int64),
        ("left", np.int32),
        ("right", np.int32),
        ("start", np.int32),
        ("size", np.int32),
        ("next", np.int32),
    ],
    align=True,
)
MERGE: Final = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("count", np.int64),
        ("tied", np.int64),
        ("replaced", np.int64),  # weighted; less than `count` where occurrences overlapped
    ],
    align=True,
)
STATE: Final = np.dtype(
    [
        (name, np.int64)
        for name in (
            "n_tokens",
            "n_merges",
            "n_pairs",
            "pool_end",  # where the next list of places goes
            "threshold",
            "top",  # the count of the pairs in the heap
            "n_in_heap",
            "n_tied",  # how many pairs have the count `top` now
            "rule",
            "places_wanted",  # how long the pool must be for the next merge
            "pairs_wanted",
        )
    ]
)
NOT_LISTED: Final = -1
# The places of a pair lie far apart: the processor is told of one so many places ahead.
FETCHED_AHEAD: Final = 24

LEXICOGRAPHIC, LEXICOGRAPHIC_MAX, FIRST_SEEN, BY_ORDER = range(4)  # the rules in kernels


class Training(NamedTuple):
    """All arrays of a training."""

    words: Words
    tokens: Any  # TOKEN by id
    keys: Any  # uint64 by token: first 8 bytes of its spelling, or its number under BY_ORDER
    marked: Any  # uint8 by token: 1 if it ends with the end-of-word marker
    neighbours: Any  # int32, two rows: the different tokens before and after the new one
    pairs: Any  # PAIR
    slots: Any  # uint64: hash table from two ids to the number of a pair
    pool: Any  # int32: places of pairs
    bucket_heads: Any  # int32, 64: the first pair of each bucket, -1 for none
    heap: Any  # int32: pairs with the highest count, a heap in the order of the tie rule
    merges: Any  # MERGE
    state: Any  # STATE, one
