"""The merge loop at full speed: a driver of the compiled kernels, equal to the plain trainer.

The kernels hold the state in numpy arrays and return when they want more room, when no listed
pair reaches the threshold, and after a few milliseconds of work, so that a caller can be told how
far they are and can stop them. They work without Python's lock: other threads run meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from bpe._kernels import merge_state
from bpe._kernels.merge_arrays import laid_out, new_training, with_pairs_listed, with_room
from bpe._kernels.merge_state import Training
from bpe._kernels.merging import COMPLETE, NO_ROOM, NONE_LEFT, merge_pairs
from bpe._kernels.word_layout import any_pair_left
from bpe.base_symbols import base_vocabulary
from bpe.config import Base, TrainerConfig
from bpe.errors import ConfigError
from bpe.tie_rules import prints_in_gpt2
from bpe.vocabulary import Vocabulary
from bpe.word_table import WordTable

Tick: TypeAlias = Callable[[int, int], object]
FastStop: TypeAlias = Literal["target", "min_frequency", "no_pairs_left"]

_RULES = {
    "lexicographic": merge_state.LEXICOGRAPHIC,
    "lexicographic_max": merge_state.LEXICOGRAPHIC_MAX,
    "first_seen": merge_state.FIRST_SEEN,
    "lowest_ids": merge_state.BY_ORDER,
    "gpt2_byte_ids": merge_state.BY_ORDER,
}
_MOST_PLACES = 2**29  # places, and three times as many in lists, are 32-bit numbers
_MOST_WEIGHT = 2**62
BUDGET = 500_000  # places visited between two reports
# Pairs are listed that reach this share of an even distribution of the corpus over all merges: in
# natural text the last merge has a count of one to four times as much.
_SHARE = 100
_STEP_DOWN = 8  # a threshold that was too high is divided by this


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


@dataclass(frozen=True, slots=True)
class FastMerges:
    """The merges of a training, as arrays by rank.

    The ids `left` and `right` are those of the vocabulary, in which rank r makes the token
    `vocabulary.size + r`. `tied` is how many pairs shared the count. `stop` says why training
    ended: all merges were made that were asked for, or no pair is left that occurs often enough.
    """

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    count: npt.NDArray[np.int64]
    tied: npt.NDArray[np.int64]
    stop: FastStop


def train_words(
    words: CountedWords,
    vocabulary: Vocabulary,
    *,
    tie_break: str,
    num_merges: int,
    min_frequency: int = 1,
    tick: Tick | None = None,
) -> FastMerges:
    """Learn up to `num_merges` merges; gives what `bpe.train` gives.

    `vocabulary` is the base vocabulary of these words (`bpe.base_symbols.base_vocabulary`).
    `tick(done, total)` is called every few hundredths of a second with numbers of merges; what it
    raises ends the training. Raises ConfigError for a corpus too large for 32-bit places or 64-bit
    counts.

    >>> words = WordTable.from_mapping({"low": 5, "lower": 2})
    >>> vocabulary = Vocabulary(("e", "l", "o", "r", "w"))
    >>> merges = train_words(words, vocabulary, tie_break="lexicographic", num_merges=2)
    >>> merges.left.tolist(), merges.right.tolist(), merges.count.tolist(), merges.tied.tolist()
    ([1, 5], [2, 4], [7, 7], [2, 1])
    """
    report = tick or (lambda done, total: None)
    report(0, num_merges)
    n_places, weight = _checked_size(words, vocabulary)
    training = _new_training(words, vocabulary, tie_break, min(num_merges, n_places))
    stop: FastStop = "target"
    if num_merges > 0:
        stop = _run(training, weight, num_merges, max(1, min_frequency), report)
    made = training.merges[: int(training.state[0]["n_merges"])]
    return FastMerges(
        made["left"] - np.int32(1),
        made["right"] - np.int32(1),
        made["count"].copy(),
        made["tied"].copy(),
        stop,
    )


def bytes_needed(words: CountedWords, vocabulary: Vocabulary) -> int:
    """Estimate the memory that `train_words` takes for these words, in bytes, beside themselves.

    >>> words = WordTable.from_mapping({"low": 5, "lower": 2})
    >>> bytes_needed(words, Vocabulary(("e", "l", "o", "r", "w")))
    260
    """
    n_places, _ = _checked_size(words, vocabulary)
    return 20 * n_places + 20 * len(words.counts)


def warm_up() -> None:
    """Load all kernels of the merge loop, or compile them: by small trainings that need each."""
    many = "".join(map(chr, range(0x4E00, 0x5000)))
    for base, word, least in (("byte", "aaaaaaaa", 1), ("char", many, 2)):
        config = TrainerConfig(base=cast("Base", base), num_merges=9, min_frequency=least)
        words = WordTable.from_mapping({word: 1})
        vocabulary = base_vocabulary(config, [word])
        train_words(words, vocabulary, tie_break="lexicographic", num_merges=9, min_frequency=least)


def _run(training: Training, weight: int, num_merges: int, least: int, report: Tick) -> FastStop:
    """Merge until the target is reached, lowering the threshold down to `least` as needed."""
    state = training.state[0]
    threshold = max(least, weight // (_SHARE * num_merges))

    def pause() -> None:
        report(int(state["n_merges"]), num_merges)

    training = with_pairs_listed(training, threshold, weight // threshold, pause)
    while (status := merge_pairs(training, BUDGET)) != COMPLETE:
        pause()
        if status == NO_ROOM:
            training = with_room(training, pause)
        elif status == NONE_LEFT and threshold > least:
            threshold = max(least, threshold // _STEP_DOWN)
            training = with_pairs_listed(training, threshold, weight // threshold, pause)
        elif status == NONE_LEFT:
            some = least > 1 and any_pair_left(training.words, training.tokens)
            return "min_frequency" if some else "no_pairs_left"
    report(num_merges, num_merges)
    return "target"


def _checked_size(words: CountedWords, vocabulary: Vocabulary) -> tuple[int, int]:
    """Give how many places the words take, and the sum of counts times lengths."""
    per_word = 1 + len(_marker(vocabulary))
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


def _new_training(
    words: CountedWords, vocabulary: Vocabulary, tie_break: str, n_merges: int
) -> Training:
    rule = _RULES[tie_break]
    layout = laid_out(
        words.data,
        words.offsets,
        words.counts,
        _symbols(vocabulary),
        np.frombuffer(_marker(vocabulary), np.uint8),
        with_text=tie_break.startswith("lexicographic"),
        in_order=tie_break == "first_seen",
    )
    training = new_training(layout, vocabulary.size, n_merges, rule)
    contents = [_as_bytes(content) for content in vocabulary.contents]
    for token_id in vocabulary.base_ids:
        training.tokens["length"][1 + token_id] = len(contents[token_id])
    training.marked[1 : 1 + len(contents)] = [
        i in vocabulary.ends_word for i in range(len(contents))
    ]
    training.keys[1 : 1 + len(contents)] = (
        _order(vocabulary, tie_break)
        if rule == merge_state.BY_ORDER
        else [int.from_bytes(content[:8].ljust(8, b"\0"), "big") for content in contents]
    )
    return training


def _symbols(vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
    """Give the kernels' id of each byte, or of each code point; that of the marker is last."""
    is_byte_base = any(isinstance(content, bytes) for content in vocabulary.contents)
    symbols = np.zeros((256 if is_byte_base else 0x110000) + 1, np.int32)
    for token_id in vocabulary.base_ids:
        content = vocabulary.contents[token_id]
        is_marker = token_id in vocabulary.ends_word
        symbols[-1 if is_marker else ord(content or "")] = 1 + token_id
    return symbols


def _marker(vocabulary: Vocabulary) -> bytes:
    return (vocabulary.end_of_word or "").encode()


def _as_bytes(content: str | bytes | None) -> bytes:
    return content if isinstance(content, bytes) else (content or "").encode()


def _order(vocabulary: Vocabulary, tie_break: str) -> npt.NDArray[np.int64]:
    """Number the base tokens as a rule by ids sorts them; merged tokens follow, by id.

    Under "gpt2_byte_ids" the bytes that GPT-2 prints come first, then the other bytes.
    """
    order = np.arange(1, 1 + vocabulary.size)
    if tie_break == "gpt2_byte_ids":
        groups = [_gpt2_group(vocabulary, token_id) for token_id in range(vocabulary.size)]
        order[np.argsort(groups, kind="stable")] = order.copy()
    return order


def _gpt2_group(vocabulary: Vocabulary, token_id: int) -> int:
    content = vocabulary.contents[token_id]
    if token_id in vocabulary.ends_word or not isinstance(content, bytes):
        return 2
    return 0 if prints_in_gpt2(content[0]) else 1
