"""Counting words with the compiled kernels, on all cores.

The text is cut where a pre-token surely ends, threads count the parts in tables of their own, and
the tables are added up. The result does not depend on the cuts or on the number of threads: it is
what `bpe.word_counts` counts, in the same order.

Normalizers and special tokens are applied part by part as well. A regular expression of the user's
own may look at any text around it, so each document goes through the plain splitter as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np

from bpe._kernels.class_table import PATTERN_CODES, Bytes
from bpe._kernels.utf8 import valid_end
from bpe.config import TrainerConfig
from bpe.counting_threads import Meter, Tick, count_blocks
from bpe.documents import Documents
from bpe.errors import ConfigError
from bpe.normalizers import well_formed
from bpe.progress import Ticker
from bpe.text_blocks import (
    Pieces,
    blocks_of_documents,
    blocks_of_pieces,
    blocks_of_text,
    normalized,
    without_special_tokens,
)
from bpe.text_decoding import Errors
from bpe.text_files import TextFiles
from bpe.word_counts import count_words
from bpe.word_table import WordTable

Text: TypeAlias = "str | bytes | bytearray | memoryview | Bytes"

CHECKED_BYTES = 1 << 24
PIECE_CHARS = 1 << 19  # a longer document is encoded piece by piece


def count_text(
    text: Text,
    pattern: str,
    *,
    normalizer: str | tuple[str, ...] = "none",
    special_tokens: Iterable[str] = (),
    errors: Errors = "strict",
    n_threads: int | None = None,
    tick: Tick | None = None,
) -> WordTable:
    """Count the words of a text: a string, or UTF-8 bytes.

    `errors` is for bytes that are not UTF-8: "strict" refuses them, "replace" makes them U+FFFD.
    `tick(done, total)` is called in the caller's thread about every 50 ms, with bytes or, for a
    string, characters; what it raises ends the counting. Raises ConfigError.

    >>> dict(count_text("low lower low", "whitespace"))
    {'low': 2, 'lower': 1}
    >>> list(count_text(b"a b", "gpt2").encoded())
    [b'a', b' b']
    """
    config = _config(pattern, normalizer, special_tokens)
    if not isinstance(text, str):
        meter = Meter(len(text), tick)
        data = _valid(text, errors, meter)
        if pattern in PATTERN_CODES and not (config.normalizer or config.special_tokens):
            return count_blocks(blocks_of_text(data, pattern, meter), pattern, meter, n_threads)
        text = data.tobytes().decode()
    return _count_documents([text], config, Meter(len(text), tick), n_threads)


def count_documents(
    documents: Iterable[str],
    pattern: str,
    *,
    normalizer: str | tuple[str, ...] = "none",
    special_tokens: Iterable[str] = (),
    total: int = 0,
    n_threads: int | None = None,
    tick: Tick | None = None,
) -> WordTable:
    """Count the words of documents; no word crosses from one to the next.

    The documents are asked for one after another, in the caller's thread, and not kept. `tick` is
    as in `count_text`; its total are the characters of all documents, given as `total`, or those
    so far; `Documents` are told in bytes. Raises ConfigError.

    >>> dict(count_documents(["ab", "ab"], "none"))
    {'ab': 2}
    """
    config = _config(pattern, normalizer, special_tokens)
    if isinstance(documents, Documents):
        return _count_kept(documents, config, tick, n_threads)
    return _count_documents(documents, config, Meter(total, tick), n_threads)


def count_files(
    paths: Iterable[str | os.PathLike[str]],
    pattern: str,
    *,
    normalizer: str | tuple[str, ...] = "none",
    special_tokens: Iterable[str] = (),
    errors: Errors = "replace",
    warn: Callable[[str], object] = lambda warning: None,
    n_threads: int | None = None,
    tick: Tick | None = None,
) -> WordTable:
    """Count the words of text files, one document each.

    They are read in parts, so that memory grows with the distinct words only. Encodings are told
    as in `bpe.decode_text`; `errors` is for what is not valid: "replace" makes it U+FFFD and
    tells `warn` so in words, "strict" names its place. `tick` is as in `count_text`, in bytes of
    the files. Raises ConfigError, also
    for files that cannot be read or that become shorter meanwhile.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.txt")
    ...     _ = path.write_text("low low", encoding="utf-8")
    ...     dict(count_files([path], "gpt2"))
    {'low': 1, ' low': 1}
    """
    if isinstance(paths, (str, os.PathLike)):
        raise ConfigError(f"give a list of paths, not the single path {os.fspath(paths)!r}")
    config = _config(pattern, normalizer, special_tokens)
    files = TextFiles([Path(path) for path in paths], errors)
    meter = Meter(files.n_bytes, tick)
    pieces = files.pieces(meter.add)
    words = (
        _count_pieces(pieces, config, meter, n_threads)
        if pattern in PATTERN_CODES
        else _count_plainly(_whole_documents(pieces), config, meter)
    )
    for warning in files.warnings:
        warn(warning)
    return words


def _config(
    pattern: str, normalizer: str | tuple[str, ...], special_tokens: Iterable[str]
) -> TrainerConfig:
    """Check the settings, which are some of a training's."""
    return TrainerConfig(
        num_merges=0, pattern=pattern, normalizer=normalizer,
        special_tokens=special_tokens,  # type: ignore[arg-type]  # any iterable, checked there
    )  # fmt: skip


def _count_documents(
    documents: Iterable[str], config: TrainerConfig, meter: Meter, n_threads: int | None
) -> WordTable:
    if config.pattern in PATTERN_CODES:
        return _count_pieces(_pieces(documents, meter), config, meter, n_threads)
    return _count_plainly(documents, config, meter)


def _count_kept(
    documents: Documents, config: TrainerConfig, tick: Tick | None, n_threads: int | None
) -> WordTable:
    if config.pattern not in PATTERN_CODES:
        meter = Meter(documents.n_chars, tick)
        pieces = documents.pieces(lambda _: meter.report(meter.n_taken))
        prepared = _whole_documents(_prepared(pieces, config))
        return _count_plainly(prepared, _config(config.pattern, "none", ()), meter)
    meter = Meter(documents.n_bytes, tick)
    if config.normalizer or config.special_tokens:
        return _count_pieces(documents.pieces(meter.add), config, meter, n_threads)
    blocks = blocks_of_documents(documents, config.pattern, meter)
    return count_blocks(blocks, config.pattern, meter, n_threads)


def _count_pieces(
    pieces: Pieces, config: TrainerConfig, meter: Meter, n_threads: int | None
) -> WordTable:
    blocks = blocks_of_pieces(_prepared(pieces, config), config.pattern)
    return count_blocks(blocks, config.pattern, meter, n_threads)


def _prepared(pieces: Pieces, config: TrainerConfig) -> Pieces:
    """Cut special tokens out of documents, then normalize what is left."""
    if config.special_tokens:
        pieces = without_special_tokens(pieces, config.special_tokens)
    if config.normalizer:
        pieces = normalized(pieces, tuple(config.normalizer))
    return pieces


def _count_plainly(documents: Iterable[str], config: TrainerConfig, meter: Meter) -> WordTable:
    """Count with the plain splitter, for patterns the kernels do not know."""

    def report(_: str, done: int, __: int) -> None:
        meter.report(max(done, meter.n_taken), always=True)

    return WordTable.from_mapping(count_words(documents, config, Ticker(report)))


def _pieces(documents: Iterable[str], meter: Meter) -> Pieces:
    """Yield documents as UTF-8, long ones in pieces; surrogates that are no pair are replaced."""
    for number, document in enumerate(documents):
        if not isinstance(document, str):
            raise ConfigError(f"document {number} of the corpus must be a string, not {document!r}")
        start = 0
        while True:
            piece = document[start : start + PIECE_CHARS]
            try:
                encoded = piece.encode()
            except UnicodeEncodeError:
                document, start = well_formed(document[start:]), 0
                continue
            meter.add(len(piece))
            start += len(piece)
            yield encoded, start == len(document)
            if start == len(document):
                break


def _whole_documents(pieces: Pieces) -> Iterator[str]:
    parts: list[bytes] = []
    for piece, ends_document in pieces:
        parts.append(piece)
        if ends_document:
            yield b"".join(parts).decode()
            parts = []


def _valid(data: bytes | bytearray | memoryview | Bytes, errors: Errors, meter: Meter) -> Bytes:
    """Return bytes as a read-only array of valid UTF-8."""
    array = _read_only(data)
    end = at = 0
    while at < len(array):
        end = at + valid_end(array[at : at + CHECKED_BYTES])
        if end == at:
            break
        at = end
        meter.report(0)
    if end == len(array):
        return array
    try:
        replaced = array[end:].tobytes().decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"the text is not valid UTF-8 at byte {end + error.start:,} ({error.reason}): convert "
            'it, or have what is not valid replaced by U+FFFD (errors="replace")'
        ) from error
    return _read_only(array[:end].tobytes() + replaced.encode())


def _read_only(data: bytes | bytearray | memoryview | Bytes) -> Bytes:
    array = data if isinstance(data, np.ndarray) else np.frombuffer(data, np.uint8)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ConfigError(
            f"the text must be an array of bytes (uint8), not {array.ndim} dimensions of "
            f"{array.dtype}: encode it first"
        )
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view
