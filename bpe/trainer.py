"""Training: count words, then merge the most frequent pair again and again.

The algorithm is that of Sennrich, Haddow and Birch 2016 (arXiv 1508.07909); counting is
incremental (see `bpe._pair_index`), and `bpe.reference` is what it must equal.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from bpe._pair_index import PairIndex
from bpe.base_symbols import SymbolTable, base_vocabulary
from bpe.config import Base, TieBreak, TrainerConfig
from bpe.errors import ConfigError
from bpe.progress import Progress, Ticker
from bpe.text_decoding import decode_text
from bpe.tie_rules import TokenKey, tie_key
from bpe.tokenizer import Tokenizer
from bpe.training_run import MergeStep, StopReason, TrainingRun
from bpe.vocabulary import Content, MergeRule, Vocabulary
from bpe.word_counts import Corpus, count_words, is_blank


def train(
    corpus: Corpus,
    *,
    base: Base = "byte",
    vocab_size: int | None = None,
    num_merges: int | None = None,
    pattern: str = "gpt2",
    normalizer: str | tuple[str, ...] = "none",
    end_of_word: str | None = None,
    unknown_token: str | None = None,
    tie_break: TieBreak = "lexicographic",
    min_frequency: int = 1,
    special_tokens: Iterable[str] = (),
    progress: Progress | None = None,
) -> TrainingRun:
    """Train a tokenizer on text, on documents, or on a mapping of pre-token to count.

    `vocab_size` counts special tokens + base symbols + merges; give it or `num_merges`. `base` is
    "char" (code points seen in training) or "byte" (all 256). `pattern` cuts text into pre-tokens,
    within which merges stay; `tie_break` decides between pairs with the same count; a pair counted
    less than `min_frequency` times is never merged. `progress(phase, done, total)` is called a few
    times a second with "count" (characters) and "merge" (merges); returning False cancels.

    Raises ConfigError for settings or a corpus that cannot be, TrainingCancelled.

    >>> words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> run = train(words, base="char", vocab_size=13)
    >>> [(step.merged, step.count) for step in run.steps]
    [('ug', 20), ('un', 16), ('hug', 15), ('pun', 12), ('hugs', 5), ('pug', 5)]
    """
    config = TrainerConfig(
        base=base,
        vocab_size=vocab_size,
        num_merges=num_merges,
        pattern=pattern,
        normalizer=normalizer,
        end_of_word=end_of_word,
        unknown_token=unknown_token,
        tie_break=tie_break,
        min_frequency=min_frequency,
        special_tokens=cast("tuple[str, ...]", special_tokens),
    )
    return train_with(corpus, config, progress)


def train_with(
    corpus: Corpus, config: TrainerConfig, progress: Progress | None = None
) -> TrainingRun:
    """Train with settings that are one value already; see `train`.

    >>> train_with("aaabdaaabac", TrainerConfig(base="char", num_merges=2)).steps[1].merged
    'ab'
    """
    ticker = Ticker(progress)
    ticker.report("count", 0, len(corpus) if isinstance(corpus, str) else 0)
    word_counts = count_words(corpus, config, ticker)
    training = _Training(word_counts, config, ticker)
    steps = tuple(training.steps())
    warnings = _warnings(training, is_blank(corpus, word_counts), len(steps))
    tokenizer = Tokenizer(
        vocabulary=training.vocabulary(steps),
        base=config.base,
        pattern=config.pattern,
        normalizer=config.normalizer,
        unknown_token=config.unknown_token,
    )
    return TrainingRun(steps, tokenizer, training.stop_reason, warnings, word_counts, config)


def train_from_files(paths: Iterable[str | os.PathLike[str]], **settings: Any) -> TrainingRun:
    """Train on UTF-8 text files, one document each; takes the settings of `train`.

    Files are read one at a time. Bytes that are not UTF-8 are replaced by U+FFFD, as
    `bpe.decode_text` does. Raises ConfigError for a file that cannot be read, and what `train`
    raises.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_text("low low", encoding="utf-8")
    ...     train_from_files([path], num_merges=1).steps[0].merged
    b'lo'
    """
    if isinstance(paths, (str, os.PathLike)):
        raise ConfigError(f"give a list of paths, not the single path {os.fspath(paths)!r}")
    return train((_read_text(Path(path)) for path in paths), **settings)


def _read_text(path: Path) -> str:
    try:
        return decode_text(path.read_bytes()).text
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {path}: {reason}") from error


def iter_merges(
    word_counts: Mapping[str, int], config: TrainerConfig, progress: Progress | None = None
) -> Iterator[MergeStep]:
    """Yield the merges of a training one by one, from words counted already.

    Raises ConfigError for counts that are none, TrainingCancelled.

    >>> config = TrainerConfig(base="char", num_merges=9)
    >>> [step.merged for step in iter_merges({"aaa": 1}, config)]
    ['aa', 'aaa']
    """
    ticker = Ticker(progress)
    return _Training(count_words(word_counts, config, ticker), config, ticker).steps()


class _Training:
    """The merge loop over one corpus."""

    stop_reason: StopReason = "no_pairs_left"

    def __init__(
        self, word_counts: Mapping[str, int], config: TrainerConfig, ticker: Ticker
    ) -> None:
        self.config = config
        self.base_vocabulary = base_vocabulary(config, word_counts)
        self._ticker = ticker
        self._keys: list[TokenKey] = [
            (content or "", token_id in self.base_vocabulary.ends_word)
            for token_id, content in enumerate(self.base_vocabulary.contents)
        ]
        self._target = self._number_of_merges()
        symbols = SymbolTable(self.base_vocabulary, config.base, None)
        self._index = PairIndex(
            (symbols.known_ids(word) for word in word_counts) if self._target else (),
            word_counts.values(),
            tie_key(config.tie_break, self._keys),
            lambda _: ticker.tick("merge", 0, self._target),
        )

    def _number_of_merges(self) -> int:
        if self.config.num_merges is not None:
            return self.config.num_merges
        assert self.config.vocab_size is not None  # the config holds exactly one of the two
        return max(0, self.config.vocab_size - self.base_vocabulary.size)

    def steps(self) -> Iterator[MergeStep]:
        """Merge until the target is reached or no pair is left that may be merged."""
        self._ticker.report("merge", 0, self._target)
        least = max(1, self.config.min_frequency)
        for rank in range(self._target):
            best = self._index.best()
            if best is None or best[1] < least:
                self.stop_reason = "no_pairs_left" if best is None else "min_frequency"
                return
            yield self._merge(rank, *best)
            self._ticker.tick("merge", rank + 1, self._target)
        self.stop_reason = "num_merges" if self.config.vocab_size is None else "vocab_size"
        self._ticker.report("merge", self._target, self._target)

    def _merge(self, rank: int, pair: tuple[int, int], count: int) -> MergeStep:
        (left, _), (right, ends_word) = self._keys[pair[0]], self._keys[pair[1]]
        merged: Content = left + right  # type: ignore[operator]
        token_id = len(self._keys)
        self._keys.append((merged, ends_word))
        tied = self._index.n_tied(count)
        self._index.merge(pair, token_id)
        return MergeStep(rank, left, right, merged, count, token_id, pair, tied)

    def vocabulary(self, steps: tuple[MergeStep, ...]) -> Vocabulary:
        """The base vocabulary with one token a step."""
        base = self.base_vocabulary
        return Vocabulary(
            (*base.contents, *(step.merged for step in steps)),
            tuple(MergeRule(step.rank, step.pair, step.token_id) for step in steps),
            base.special_tokens,
            base.end_of_word,
            frozenset(i for i, (_, ends_word) in enumerate(self._keys) if ends_word),
        )


def _warnings(training: _Training, blank: bool, n_merges: int) -> tuple[str, ...]:
    """Say what a user should know of a training that went other than asked."""
    warnings = []
    config, floor = training.config, training.base_vocabulary.size
    if blank:
        warnings.append(
            "the text is empty or blank: there is nothing to learn from; give some text"
            if not n_merges
            else "the text is blank: all that was learned are runs of white space"
        )
    if config.vocab_size is not None and config.vocab_size < floor:
        n_special = len(config.special_tokens)
        warnings.append(
            f"a vocabulary of {config.vocab_size:,} is smaller than the {floor - n_special:,} base "
            f"symbols{f' and {n_special:,} special tokens' if n_special else ''} it starts from, "
            f"so nothing was merged: ask for more than {floor:,}"
        )
    elif not blank and training.stop_reason in ("no_pairs_left", "min_frequency"):
        warnings.append(_stopped_early(training, n_merges))
    return tuple(warnings)


def _stopped_early(training: _Training, n_merges: int) -> str:
    config = training.config
    reached = training.base_vocabulary.size + n_merges
    asked = (
        f"{config.num_merges:,} merges were asked for"
        if config.vocab_size is None
        else f"a vocabulary of {config.vocab_size:,} was asked for"
    )
    why = (
        "every word is one token, so no pair is left"
        if training.stop_reason == "no_pairs_left"
        else f"no pair that is left occurs {config.min_frequency:,} times or more"
    )
    return f"{asked}, but training stopped after {n_merges:,} merges at {reached:,} tokens: {why}"
