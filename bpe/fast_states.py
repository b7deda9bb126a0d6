"""The words of a large run as they stand before any of its merges, by compiled kernels.

Importing this loads numba. What it gives equals `bpe.encoder.merge_ids`, word by word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bpe._kernels.merge_state import Training
from bpe._kernels.pair_ranks import Rules, add_rules
from bpe._kernels.window_merging import Window
from bpe._kernels.word_layout import BLOCK_BITS, Words
from bpe._kernels.word_states import collect_ids, merge_words
from bpe.encoding_tables import empty_rules
from bpe.training_arrays import checked_size, lay_out_words, marker_of, training_over
from bpe.training_run import TrainingRun
from bpe.word_table import WordTable

Tick: TypeAlias = Callable[[int], None]
Integers: TypeAlias = npt.NDArray[np.int64]

PART = 1_000_000  # places merged between two calls of `tick`: some tenths of a second at most


class WordStates:
    """All words of a run before merge `step`, in the order of `run.word_counts`.

    `training` holds them, each as a run of its own, and can go on with the merges from there.
    `sizes` says how many tokens each word has. `tick` is called again and again meanwhile; what it
    raises ends the work. Only for runs that `suits_kernels` would be true of, but for their size.

    >>> import bpe
    >>> run = bpe.train({"low": 5, "lower": 2}, base="char", num_merges=2)
    >>> WordStates(run, 2).ids()
    [[6], [6, 0, 3]]
    """

    def __init__(self, run: TrainingRun, step: int, tick: Tick = lambda n_symbols: None) -> None:
        run.check_step(step)
        vocabulary, tie_break = run.tokenizer.vocabulary, run.config.tie_break
        self.table = word_table(run)
        n_places, self.weight = checked_size(self.table, vocabulary)
        n_known = vocabulary.size - len(run.steps) + step
        words = lay_out_words(self.table, vocabulary, tie_break, in_order=True)
        tick(n_places)
        words = _with_a_run_each(words, self.table, len(marker_of(vocabulary)))
        n_merges = len(run.steps) - step
        self.training: Training = training_over(
            words, vocabulary, tie_break, n_known=n_known, n_merges=n_merges
        )
        self.sizes: Integers = np.zeros(len(self.table), np.int64)
        self._merge(_rules(run, step), tick)

    @property
    def n_tokens(self) -> int:
        """Tokens in the whole corpus, weighted by the words' counts."""
        return int(np.dot(self.sizes, self.table.counts))

    def ids(self) -> list[list[int]]:
        """Give the token ids of every word."""
        out = np.empty(int(self.sizes.sum()), np.int32)
        collect_ids(self.training.words, self.training.tokens, out)
        ids, ends = out.tolist(), np.cumsum(self.sizes).tolist()
        return [ids[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _merge(self, rules: Rules, tick: Tick) -> None:
        """Merge all words, the places of about PART at a time."""
        words, word = self.training.words, 0
        ends = words.run_ends[: len(self.table)]
        longest = int(np.diff(ends, prepend=1).max(initial=1))
        room = _room(longest)
        while word < len(ends):
            begin = int(ends[word - 1]) if word else 1
            stop = max(word + 1, int(np.searchsorted(ends, begin + PART)))
            merge_words(words, self.training.tokens, rules, room, self.sizes, word, stop)
            word = stop
            tick(begin)


def word_table(run: TrainingRun) -> WordTable:
    """Give the words of a run as arrays; raises ConfigError for counts of more than 64 bits."""
    counts = run.word_counts
    return counts if isinstance(counts, WordTable) else WordTable.from_mapping(counts)


def _with_a_run_each(words: Words, table: WordTable, n_marker: int) -> Words:
    """Make every word a run of its own: the run of a place is then the number of its word."""
    if not len(table):
        return words
    ends = 1 + np.cumsum(np.diff(table.offsets) + 1 + n_marker)
    blocks = np.arange(len(words.block_runs)) << BLOCK_BITS
    return words._replace(
        run_ends=ends.astype(np.int32),
        run_weights=table.counts.copy(),
        block_runs=np.searchsorted(ends, blocks, side="right").astype(np.int32),
    )


def _rules(run: TrainingRun, step: int) -> Rules:
    """Make the table of the first rules, with the ids that the kernels use."""
    pairs = np.array([made.pair for made in run.steps[:step]], np.int64).reshape(-1, 2) + 1
    results = np.array([made.token_id for made in run.steps[:step]], np.int64) + 1
    left, right = pairs.T.copy()
    rules = empty_rules(step, results)
    add_rules(rules, left, right, np.arange(step), results)
    return rules


def _room(n_symbols: int) -> Window:
    return Window(
        np.empty(n_symbols, np.int32),
        np.empty(n_symbols, np.int32),
        np.empty(n_symbols, np.int32),
        np.empty(3 * n_symbols, np.uint64),
        np.empty(n_symbols, np.int64),
        np.empty(0, np.int64),
    )
