"""Trainings that are timed, ours and the peers'.

Making one ready imports the library, loads or compiles what it needs and reads what it does not
read itself; none of this is timed. Peers are imported by name, for they need not be installed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import bpe
from bpe.acceleration import warm_up
from bpe.byte_alphabet import read_bytes
from bpe.config import TrainerConfig
from bpe.trainer import train_compiled
from tests.benchmarks.ready import Ready

# The split pattern of GPT-2, as each trainer understands it.
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def train_ours(path: str, vocab_size: int, tie_break: Any) -> Ready:
    """Ours, from the file; the kernels are loaded before."""
    warm_up()
    return Ready(
        lambda: bpe.train_from_files([path], vocab_size=vocab_size, tie_break=tie_break),
        _digest_of_run,
    )


def train_ours_by_lines(path: str, vocab_size: int, tie_break: Any) -> Ready:
    """Ours with each line as a document, which is how Hugging Face and gigabpe read files."""
    warm_up()
    config = TrainerConfig(vocab_size=vocab_size, tie_break=tie_break)
    return Ready(lambda: train_compiled(_lines(path), config), _digest_of_run)


def train_reference(path: str, vocab_size: int) -> Ready:
    """The few lines of `bpe.reference`, from words that are counted before."""
    words = bpe.train_from_files([path], num_merges=0).word_counts
    return Ready(
        lambda: bpe.reference.train_bpe(words, vocab_size - 256, base="byte"),
        lambda merges: _digest(bytes(left) + bytes(right) for left, right in merges),
    )


def train_gigabpe(path: str, vocab_size: int, threads: int) -> Ready:
    """gigabpe, from the file; its alphabet are the bytes that occur, so it is asked for fewer."""
    gigabpe = import_module("gigabpe")
    data = Path(path).read_bytes()
    n_symbols = sum(bytes([byte]) in data for byte in range(256))
    del data
    return Ready(
        lambda: gigabpe.train_bpe(
            [path], vocab_size - 256 + n_symbols, pretokenizer="bytelevel", threads=threads
        ),
        lambda result: _digest_of_spellings(result[1]),
    )


def train_hugging_face(path: str, vocab_size: int) -> Ready:
    """Hugging Face tokenizers, ByteLevel, from the file."""
    library = import_module("tokenizers")
    byte_level = library.pre_tokenizers.ByteLevel
    tokenizer = library.Tokenizer(library.models.BPE())
    tokenizer.pre_tokenizer = byte_level(add_prefix_space=False)
    trainer = library.trainers.BpeTrainer(
        vocab_size=vocab_size, show_progress=False, initial_alphabet=byte_level.alphabet()
    )

    def digest(_: object) -> str:
        return _digest_of_spellings(json.loads(tokenizer.to_str())["model"]["merges"])

    return Ready(lambda: tokenizer.train([path], trainer), digest)


def train_rustbpe(path: str, vocab_size: int) -> Ready:
    """rustbpe, from pieces of text in memory, so that it can count on all cores."""
    tokenizer = import_module("rustbpe").Tokenizer()
    pieces = list(_pieces(path))

    def digest(_: object) -> str:
        ranks = sorted(tokenizer.get_mergeable_ranks(), key=lambda entry: entry[1])
        return _digest(bytes(content) for content, _ in ranks[256:])

    return Ready(
        lambda: tokenizer.train_from_iterator(iter(pieces), vocab_size, pattern=GPT2_PATTERN),
        digest,
    )


def train_bpeasy(path: str, vocab_size: int) -> Ready:
    """bpeasy, from pieces of text in memory."""
    bpeasy = import_module("bpeasy")
    pieces = list(_pieces(path))
    longest = 10**9  # bytes of a token: no limit
    return Ready(
        lambda: bpeasy.train_bpe(iter(pieces), GPT2_PATTERN, longest, vocab_size),
        lambda ranks: _digest(sorted(ranks, key=ranks.__getitem__)[256:]),
    )


def _lines(path: str) -> Iterator[str]:
    with open(path, encoding="utf-8", newline="\n") as file:
        yield from file


def _pieces(path: str) -> Iterator[str]:
    """Cut a text into pieces where a pre-token surely ends: before a space and a letter."""
    text = Path(path).read_bytes().decode("utf-8")
    n_chars = 1 << 16
    before_word = re.compile(r"(?<=\S)(?= [^\W\d_])")
    start = 0
    while start < len(text):
        found = before_word.search(text, start + n_chars)
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end


def _digest_of_run(run: bpe.TrainingRun) -> str:
    return _digest(bytes(step.merged) for step in run.steps)  # type: ignore[arg-type]


def _digest_of_spellings(merges: Iterable[tuple[str, str]]) -> str:
    return _digest(read_bytes(left + right) for left, right in merges)


def _digest(tokens: Iterable[bytes]) -> str:
    """Number and sha256 of merged tokens, in the order in which they were learned."""
    spelled = [token.hex() for token in tokens]
    digest = hashlib.sha256("\n".join(spelled).encode()).hexdigest()
    return f"{len(spelled)} merges {digest}"
