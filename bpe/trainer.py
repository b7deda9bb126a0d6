"""Training: count words, then merge the most frequent pair again and again.

Small corpora are trained in plain Python (`bpe.merge_loop`), large ones with compiled kernels
(`bpe.compiled_training`); the result is the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from bpe import merge_loop
from bpe.acceleration import compiled_pays
from bpe.config import Base, TieBreak, TrainerConfig
from bpe.documents import Documents
from bpe.errors import ConfigError
from bpe.memory import shortage_told
from bpe.merge_loop import Learned
from bpe.progress import Progress, Ticker
from bpe.text_decoding import Errors, decode_noting_faults, no_text, replaced_warning
from bpe.tokenizer import Tokenizer
from bpe.training_run import MergeStep, TrainingRun
from bpe.training_warnings import training_warnings
from bpe.word_counts import Corpus, is_blank


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
    train_it = train_compiled if compiled_pays(_size(corpus)) else _train_plain
    with shortage_told("training on this corpus", merge_loop.ADVICE):
        return train_it(corpus, config, progress)


def train_compiled(
    corpus: Corpus, config: TrainerConfig, progress: Progress | None = None
) -> TrainingRun:
    """Train with the compiled kernels whatever the size; gives what `train_with` gives."""
    from bpe import compiled_training

    ticker = _started(corpus, progress)
    words = compiled_training.count(corpus, config, ticker)
    return _run(corpus, config, words, compiled_training.learn(words, config, ticker))


def _train_plain(
    corpus: Corpus, config: TrainerConfig, progress: Progress | None = None
) -> TrainingRun:
    ticker = _started(corpus, progress)
    words = merge_loop.count(corpus, config, ticker)
    return _run(corpus, config, words, merge_loop.learn(words, config, ticker))


def _started(corpus: object, progress: Progress | None) -> Ticker:
    ticker = Ticker(progress)
    ticker.report("count", 0, len(corpus) if isinstance(corpus, str) else 0)
    return ticker


def _size(corpus: Corpus) -> int:
    """Estimate the bytes of a corpus; of documents that come one by one nothing is known."""
    if isinstance(corpus, str):
        return len(corpus)
    if isinstance(corpus, Mapping):
        return 8 * len(corpus)
    if isinstance(corpus, Documents):
        return corpus.n_bytes
    texts = corpus if isinstance(corpus, (list, tuple)) else ()
    return sum(len(text) for text in texts if isinstance(text, str))


def _run(
    corpus: Corpus,
    config: TrainerConfig,
    words: Mapping[str, int],
    learned: Learned,
    warnings: Iterable[str] = (),
) -> TrainingRun:
    tokenizer = Tokenizer(
        vocabulary=merge_loop.with_merges(learned.base, learned.steps),
        base=config.base,
        pattern=config.pattern,
        normalizer=config.normalizer,
        unknown_token=config.unknown_token,
    )
    warnings = (*warnings, *training_warnings(config, learned, is_blank(corpus, words)))
    return TrainingRun(
        learned.steps,
        tokenizer,
        learned.stop_reason,
        warnings,
        words,
        config,
        learned.n_replaced,
    )


def train_from_files(
    paths: Iterable[str | os.PathLike[str]], *, errors: Errors = "strict", **settings: Any
) -> TrainingRun:
    """Train on text files, one document each; takes the settings of `train`.

    Large files are read in parts: memory grows with the distinct words only. `errors` is for bytes
    that are not valid in a file's encoding, which is told as in `bpe.decode_text`: "strict" raises
    ConfigError, which names the file and the byte; "replace" makes them U+FFFD and says so in the
    run's warnings. Raises ConfigError also for a file that cannot be read or that becomes shorter
    while it is read, and what `train` raises.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_text("low low", encoding="utf-8")
    ...     train_from_files([path], num_merges=1).steps[0].merged
    b'lo'
    """
    files = _checked_files(paths, errors)
    progress = settings.pop("progress", None)
    config = TrainerConfig(**settings)
    with shortage_told("training on these files", merge_loop.ADVICE):
        return _train_files(files, config, errors, _started(files, progress))


def _train_files(
    files: Sequence[Path], config: TrainerConfig, errors: Errors, ticker: Ticker
) -> TrainingRun:
    warnings: list[str] = []
    if not compiled_pays(sum(_file_size(path) for path in files)):
        texts = (_read_text(path, errors, warnings.append) for path in files)
        words: Mapping[str, int] = merge_loop.count(texts, config, ticker)
        learned = merge_loop.learn(words, config, ticker)
    else:
        from bpe import compiled_training

        table = compiled_training.count_in_files(files, config, ticker, errors, warnings.append)
        words, learned = table, compiled_training.learn(table, config, ticker)
    return _run(words, config, words, learned, warnings)


def _checked_files(paths: Iterable[str | os.PathLike[str]], errors: str) -> list[Path]:
    if isinstance(paths, (str, os.PathLike)):
        raise ConfigError(f"give a list of paths, not the single path {os.fspath(paths)!r}")
    if not isinstance(errors, str) or errors not in get_args(Errors):
        raise ConfigError(f'errors must be "strict" or "replace", not {errors!r}')
    if not isinstance(paths, Iterable):
        raise ConfigError(f"give a list of paths, not {paths!r:.80}")
    return list(map(_checked_path, paths))


def _checked_path(path: object) -> Path:
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, (str, os.PathLike)):
        raise ConfigError(f"a path must be a string or a Path, not {path!r:.80}")
    return Path(path)


def _file_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise _unreadable(path, error) from error


def _read_text(path: Path, errors: Errors, warn: Callable[[str], object]) -> str:
    try:
        decoded, replaced = decode_noting_faults(path.read_bytes())
    except OSError as error:
        raise _unreadable(path, error) from error
    if replaced is not None:
        if errors == "strict":
            raise no_text(str(path), decoded.encoding, replaced[1])
        warn(f"{path}: {replaced_warning(decoded.encoding, *replaced)}")
    return decoded.text


def _unreadable(path: Path, error: Exception) -> ConfigError:
    return ConfigError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}")


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
    words = merge_loop.count(word_counts, config, ticker)
    return merge_loop.MergeLoop(words, config, ticker).steps()
