"""Training with the compiled kernels: what `bpe.merge_loop` gives, for large corpora.

Importing this loads numba.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from bpe.base_symbols import base_vocabulary
from bpe.config import TrainerConfig
from bpe.fast_counting import count_documents, count_files, count_text
from bpe.fast_training import FastMerges, train_words
from bpe.merge_loop import Learned, number_of_merges
from bpe.normalizers import well_formed
from bpe.progress import Ticker
from bpe.training_run import MergeStep, StopReason
from bpe.vocabulary import Content, Vocabulary
from bpe.word_counts import Corpus, count_words
from bpe.word_table import WordTable


def count(corpus: Corpus, config: TrainerConfig, ticker: Ticker) -> WordTable:
    """Count the words of a corpus as `bpe.word_counts.count_words` does, on all cores.

    Raises ConfigError, TrainingCancelled.

    >>> config = TrainerConfig(num_merges=1, pattern="whitespace")
    >>> dict(count("low lower low", config, Ticker(None)))
    {'low': 2, 'lower': 1}
    """
    if isinstance(corpus, Mapping):
        return WordTable.from_mapping(count_words(corpus, config, ticker))
    counter = count_text if isinstance(corpus, str) else count_documents
    text = well_formed(corpus) if isinstance(corpus, str) else corpus
    return counter(
        text,  # type: ignore[arg-type]  # each counter gets its own kind
        config.pattern,
        normalizer=config.normalizer,
        special_tokens=config.special_tokens,
        tick=lambda done, total: ticker.tick("count", done, total),
    )


def count_in_files(
    paths: Iterable[str | os.PathLike[str]], config: TrainerConfig, ticker: Ticker
) -> WordTable:
    """Count the words of text files, read in parts; raises ConfigError, TrainingCancelled."""
    return count_files(
        paths,
        config.pattern,
        normalizer=config.normalizer,
        special_tokens=config.special_tokens,
        tick=lambda done, total: ticker.tick("count", done, total),
    )


def learn(words: WordTable, config: TrainerConfig, ticker: Ticker) -> Learned:
    """Learn merges from counted words; raises ConfigError, TrainingCancelled.

    >>> words = WordTable.from_mapping({"aaa": 1})
    >>> learned = learn(words, TrainerConfig(base="char", num_merges=9), Ticker(None))
    >>> [step.merged for step in learned.steps], learned.stop_reason
    (['aa', 'aaa'], 'no_pairs_left')
    """
    base = base_vocabulary(config, [words.data.tobytes().decode()])
    target = number_of_merges(config, base.size)
    ticker.report("merge", 0, target)
    merges = train_words(
        words,
        base,
        tie_break=config.tie_break,
        num_merges=target,
        min_frequency=max(1, config.min_frequency),
        tick=lambda done, total: ticker.tick("merge", done, total),
    )
    ticker.report("merge", len(merges.left), target)
    return Learned(_steps(merges, base), base, _stop_reason(merges, config))


def _stop_reason(merges: FastMerges, config: TrainerConfig) -> StopReason:
    if merges.stop != "target":
        return merges.stop
    return "num_merges" if config.vocab_size is None else "vocab_size"


def _steps(merges: FastMerges, base: Vocabulary) -> tuple[MergeStep, ...]:
    contents: list[Content] = [content or "" for content in base.contents]
    steps: list[MergeStep] = []
    columns = (merges.left, merges.right, merges.count, merges.tied)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for rank, (left_id, right_id, n_counted, tied) in enumerate(rows):
        left, right = contents[left_id], contents[right_id]
        merged: Content = left + right
        pair, token_id = (left_id, right_id), len(contents)
        contents.append(merged)
        steps.append(MergeStep(rank, left, right, merged, n_counted, token_id, pair, tied))
    return tuple(steps)
