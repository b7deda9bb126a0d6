"""Words and a vocabulary as the arrays that the kernels of the merge loop work on.

Importing this loads numba. Ids in the kernels are one higher than outside: 0 is the gap between
words.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from bpe._kernels import merge_state
from bpe._kernels.merge_arrays import laid_out, new_training
from bpe._kernels.merge_state import Training
from bpe._kernels.word_layout import Words
from bpe.errors import ConfigError
from bpe.tie_rules import prints_in_gpt2
from bpe.vocabulary import Vocabulary

_RULES = {
    "lexicographic": merge_state.LEXICOGRAPHIC,
    "lexicographic_max": merge_state.LEXICOGRAPHIC_MAX,
    "first_seen": merge_state.FIRST_SEEN,
    "lowest_ids": merge_state.BY_ORDER,
    "gpt2_byte_ids": merge_state.BY_ORDER,
}
_MOST_PLACES = 2**29  # places, and three times as many in lists, are 32-bit numbers
_MOST_WEIGHT = 2**62


class CountedWords(Protocol):
    """Different words with their counts; `bpe.word_table.WordTable` is one.

    `data` holds the UTF-8 bytes of all words one after another, word i those from `offsets[i]` to
    `offsets[i + 1]`. Every count is above 0.
    """

    @property
    def data(self) -> npt.NDArray[np.uint8]: ...
    @property
    def offsets(self) -> npt.NDArray[np.int64]: ...
    @property
    def counts(self) -> npt.NDArray[np.int64]: ...


def checked_size(words: CountedWords, vocabulary: Vocabulary) -> tuple[int, int]:
    """Give how many places the words take, and the sum of counts times lengths.

    Raises ConfigError for a corpus too large for 32-bit places or 64-bit counts.
    """
    per_word = 1 + len(marker_of(vocabulary))
    lengths = np.diff(words.offsets) + per_word
    n_places = 1 + int(lengths.sum())
    if n_places > _MOST_PLACES:
        raise ConfigError(
            f"the different words of this corpus hold {n_places:,} bytes, and training takes up to "
            f"{_MOST_PLACES:,}: give less text, or a pattern that cuts it into shorter words"
        )
    if np.multiply(lengths, words.counts, dtype=np.float64).sum() > _MOST_WEIGHT:
        raise ConfigError("the counts of this corpus add up to more than 64 bits hold")
    return n_places, int(np.dot(lengths, words.counts))


def lay_out_words(
    words: CountedWords, vocabulary: Vocabulary, tie_break: str, *, in_order: bool
) -> Words:
    """Write the words in base symbols; see `bpe._kernels.merge_arrays.laid_out`."""
    return laid_out(
        words.data,
        words.offsets,
        words.counts,
        _symbols(vocabulary),
        np.frombuffer(marker_of(vocabulary), np.uint8),
        with_text=tie_break.startswith("lexicographic"),
        in_order=in_order,
    )


def training_over(
    words: Words, vocabulary: Vocabulary, tie_break: str, *, n_known: int, n_merges: int
) -> Training:
    """Allocate a training that knows the first `n_known` tokens and can make `n_merges` more."""
    rule = _RULES[tie_break]
    training = new_training(words, n_known, n_merges, rule)
    special = vocabulary.special_by_id  # these never stand in a word
    contents = [
        b"?" if token_id in special else _as_bytes(content)
        for token_id, content in enumerate(vocabulary.contents[:n_known])
    ]
    training.tokens["length"][1 : 1 + n_known] = [len(content) for content in contents]
    training.marked[1 : 1 + n_known] = [i in vocabulary.ends_word for i in range(n_known)]
    training.keys[1 : 1 + n_known] = (
        _order(vocabulary, tie_break, n_known)
        if rule == merge_state.BY_ORDER
        else [int.from_bytes(content[:8].ljust(8, b"\0"), "big") for content in contents]
    )
    return training


def marker_of(vocabulary: Vocabulary) -> bytes:
    """Give the UTF-8 bytes of the end-of-word marker, none if there is no marker."""
    return (vocabulary.end_of_word or "").encode()


def _symbols(vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
    """Give the kernels' id of each byte, or of each code point; that of the marker is last."""
    base_ids = vocabulary.base_ids
    is_byte_base = any(isinstance(vocabulary.contents[i], bytes) for i in base_ids)
    symbols = np.zeros((256 if is_byte_base else 0x110000) + 1, np.int32)
    for token_id in base_ids:
        content = vocabulary.contents[token_id]
        is_marker = token_id in vocabulary.ends_word
        symbols[-1 if is_marker else ord(content or "")] = 1 + token_id
    return symbols


def _as_bytes(content: str | bytes | None) -> bytes:
    return content if isinstance(content, bytes) else (content or "").encode()


def _order(vocabulary: Vocabulary, tie_break: str, n_known: int) -> npt.NDArray[np.int64]:
    """Number the tokens as a rule by ids sorts them; those to come follow, by id.

    Under "gpt2_byte_ids" the bytes that GPT-2 prints come first, then the other bytes.
    """
    order = np.arange(1, 1 + n_known)
    if tie_break == "gpt2_byte_ids":
        groups = [_gpt2_group(vocabulary, token_id) for token_id in range(n_known)]
        order[np.argsort(groups, kind="stable")] = order.copy()
    return order


def _gpt2_group(vocabulary: Vocabulary, token_id: int) -> int:
    content = vocabulary.contents[token_id]
    if token_id in vocabulary.ends_word or not isinstance(content, bytes) or len(content) != 1:
        return 2
    return 0 if prints_in_gpt2(content[0]) else 1
