"""Training with the compiled kernels: what `bpe.merge_loop` gives, for large corpora.

Importing this loads numba.
"""

from __future__ import annotations

import codecs
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from bpe.base_symbols import base_vocabulary
from bpe.config import TrainerConfig
from bpe.documents import Documents
from bpe.fast_counting import count_documents, count_files, count_text
from bpe.fast_training import FastMerges, bytes_needed, train_words
from bpe.memory import TokenBudget, check_memory
from bpe.merge_loop import ADVICE, Learned, number_of_merges
from bpe.normalizers import well_formed
from bpe.progress import Ticker
from bpe.text_decoding import Errors
from bpe.training_run import MergeStep, StopReason
from bpe.vocabulary import Content, Vocabulary
from bpe.word_counts import Corpus, count_words
from bpe.word_table import WordTable

# Measured: what counting a text takes that is one word, in bytes a byte.
_BYTES_TO_COUNT: Final = 5
_BYTES_AT_ONCE: Final = 1 << 20


def count(corpus: Corpus, config: TrainerConfig, ticker: Ticker) -> WordTable:
    """Count the words of a corpus as `bpe.word_counts.count_words` does, on all cores.

    Raises ConfigError, TrainingCancelled.

    >>> config = TrainerConfig(num_merges=1, pattern="whitespace")
    >>> dict(count("low lower low", config, Ticker(None)))
    {'low': 2, 'lower': 1}
    """
    if isinstance(corpus, Mapping):
        return WordTable.from_mapping(count_words(corpus, config, ticker))
    if config.pattern == "none":
        check_memory(_BYTES_TO_COUNT * _length(corpus), "counting this text as one word", ADVICE)
    counter = count_text if isinstance(corpus, str) else count_documents
    text = well_formed(corpus) if isinstance(corpus, str) else corpus
    return counter(
        text,  # type: ignore[arg-type]  # each counter gets its own kind
        config.pattern,
        normalizer=config.normalizer,
        special_tokens=config.special_tokens,
        tick=lambda done, total: ticker.tick("count", done, total),
    )


def _length(corpus: Corpus) -> int:
    if isinstance(corpus, Documents):
        return corpus.n_bytes
    return len(corpus) if isinstance(corpus, str) else 0


def count_in_files(
    paths: Iterable[Path],
    config: TrainerConfig,
    ticker: Ticker,
    errors: Errors = "replace",
    warn: Callable[[str], object] = lambda warning: None,
) -> WordTable:
    """Count the words of text files, read in parts; raises ConfigError, TrainingCancelled."""
    return count_files(
        paths,
        config.pattern,
        normalizer=config.normalizer,
        special_tokens=config.special_tokens,
        errors=errors,
        warn=warn,
        tick=lambda done, total: ticker.tick("count", done, total),
    )


def learn(words: WordTable, config: TrainerConfig, ticker: Ticker) -> Learned:
    """Learn merges from counted words; raises ConfigError, TrainingCancelled.

    >>> words = WordTable.from_mapping({"aaa": 1})
    >>> learned = learn(words, TrainerConfig(base="char", num_merges=9), Ticker(None))
    >>> [step.merged for step in learned.steps], learned.stop_reason
    (['aa', 'aaa'], 'no_pairs_left')
    """
    base = base_vocabulary(config, () if config.base == "byte" else _texts(words, ticker))
    target = number_of_merges(config, base.size)
    if target:
        check_memory(bytes_needed(words, base), "training on this corpus", ADVICE)
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
    return Learned(
        _steps(merges, base),
        base,
        _stop_reason(merges, config),
        array("q", merges.replaced.tobytes()),
    )


def _texts(words: WordTable, ticker: Ticker) -> Iterator[str]:
    """Yield all words one after another in a few strings: the characters of all are asked for."""
    decoder, size = codecs.getincrementaldecoder("utf-8")(), len(words.data)
    for start in range(0, size, _BYTES_AT_ONCE):
        ticker.tick("count", size, size)
        yield decoder.decode(words.data[start : start + _BYTES_AT_ONCE].tobytes())


def _stop_reason(merges: FastMerges, config: TrainerConfig) -> StopReason:
    if merges.stop != "target":
        return merges.stop
    return "num_merges" if config.vocab_size is None else "vocab_size"


def _steps(merges: FastMerges, base: Vocabulary) -> tuple[MergeStep, ...]:
    contents: list[Content] = [content or "" for content in base.contents]
    steps: list[MergeStep] = []
    columns = (merges.left, merges.right, merges.count, merges.tied)
    budget = TokenBudget()
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for rank, (left_id, right_id, n_counted, tied) in enumerate(rows):
        left, right = contents[left_id], contents[right_id]
        budget.add(rank, len(left) + len(right))
        merged: Content = left + right
        pair, token_id = (left_id, right_id), len(contents)
        contents.append(merged)
        steps.append(MergeStep(rank, left, right, merged, n_counted, token_id, pair, tied))
    return tuple(steps)
