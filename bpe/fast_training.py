"""The merge loop at full speed: a driver of the compiled kernels, equal to the plain trainer.

The kernels hold the state in numpy arrays and return when they want more room, when no listed
pair reaches the threshold, and after a few milliseconds of work, so that a caller can be told how
far they are and can stop them. They work without Python's lock: other threads run meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from bpe._kernels.merge_arrays import with_pairs_listed, with_room
from bpe._kernels.merge_state import Training
from bpe._kernels.merging import COMPLETE, NO_ROOM, NONE_LEFT, merge_pairs
from bpe._kernels.word_layout import any_pair_left
from bpe.base_symbols import base_vocabulary
from bpe.config import Base, TrainerConfig
from bpe.training_arrays import CountedWords, checked_size, lay_out_words, training_over
from bpe.vocabulary import Vocabulary
from bpe.word_table import WordTable

Tick: TypeAlias = Callable[[int, int], object]
FastStop: TypeAlias = Literal["target", "min_frequency", "no_pairs_left"]

BUDGET = 500_000  # places visited between two reports
# Pairs are listed that reach this share of an even distribution of the corpus over all merges: in
# natural text the last merge has a count of one to four times as much.
_SHARE = 100
_STEP_DOWN = 8  # a threshold that was too high is divided by this


@dataclass(frozen=True, slots=True)
class FastMerges:
    """The merges of a training, as arrays by rank.

    The ids `left` and `right` are those of the vocabulary, in which rank r makes the token
    `vocabulary.size + r`. `tied` is how many pairs shared the count, `replaced` how many pairs were
    replaced: less than `count` where occurrences overlapped. `stop` says why training ended: all
    merges were made that were asked for, or no pair is left that occurs often enough.
    """

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    count: npt.NDArray[np.int64]
    tied: npt.NDArray[np.int64]
    replaced: npt.NDArray[np.int64]
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
    n_places, weight = checked_size(words, vocabulary)
    layout = lay_out_words(words, vocabulary, tie_break, in_order=tie_break == "first_seen")
    training = training_over(
        layout,
        vocabulary,
        tie_break,
        n_known=vocabulary.size,
        n_merges=min(num_merges, n_places),
    )
    stop: FastStop = "target"
    if num_merges > 0:
        stop = _run(training, weight, num_merges, max(1, min_frequency), report)
    made = training.merges[: int(training.state[0]["n_merges"])]
    return FastMerges(
        made["left"] - np.int32(1),
        made["right"] - np.int32(1),
        made["count"].copy(),
        made["tied"].copy(),
        made["replaced"].copy(),
        stop,
    )


def bytes_needed(words: CountedWords, vocabulary: Vocabulary) -> int:
    """Estimate the memory that `train_words` takes for these words, in bytes, beside themselves.

    >>> words = WordTable.from_mapping({"low": 5, "lower": 2})
    >>> bytes_needed(words, Vocabulary(("e", "l", "o", "r", "w")))
    260
    """
    n_places, _ = checked_size(words, vocabulary)
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
