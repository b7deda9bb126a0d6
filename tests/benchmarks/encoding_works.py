"""Encodings that are timed, ours and the peers'; all give their ids as an array.

Each is made ready anew for each run, so that none profits from words it met in the run before.
What is not timed: the import of the library, its tables, and reading the text. All peers get the
ranks that are bundled here, but for quicktok, which brings its own; nothing is downloaded.
"""

from __future__ import annotations

import base64
import hashlib
import random
import string
import tempfile
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import bpe
from bpe.acceleration import warm_up
from tests.benchmarks.ready import Ready
from tests.engine import tiktoken_peers

# Encoded before the clock starts, by all: tables and threads are made when there is a first text.
_FIRST_TEXT = "Tables are made when the first text is encoded. " * 50_000


def encode_ours(path: str, encoding: str) -> Ready:
    """Ours; on as many threads as the process may use processors."""
    text = _text(path)
    encode = _our_encoder(encoding)
    return Ready(lambda: encode(text), _digest)


def encode_letters(n_letters: int, letters: str, encoding: str) -> Ready:
    """Ours, one pre-token of letters: `random` ones, or `one` many times."""
    drawn = random.Random(1).choices(string.ascii_lowercase, k=n_letters)
    text = "".join(drawn) if letters == "random" else "a" * n_letters
    encode = _our_encoder(encoding)
    return Ready(lambda: encode(text), _digest)


def encode_tiktoken(path: str, encoding: str) -> Ready:
    """tiktoken, `encode_to_numpy`, with special tokens as ordinary text."""
    text = _text(path)
    peer = tiktoken_peers.peer(encoding)
    peer.encode_to_numpy(_FIRST_TEXT)
    return Ready(lambda: peer.encode_to_numpy(text, disallowed_special=()), _digest)


def encode_quicktok(path: str, encoding: str) -> Ready:
    """quicktok, the call that gives an array; its plain `encode` makes a list and is slower."""
    text = _text(path)
    peer = import_module("quicktok").Tokenizer(encoding, "")
    peer.encode_batch([_FIRST_TEXT], 1)
    return Ready(lambda: peer.encode_batch([text], 1)[0], _digest)


def encode_gigatoken(path: str, encoding: str) -> Ready:
    """gigatoken, the text as a whole."""
    text = _text(path)
    peer = _gigatoken(encoding)
    return Ready(lambda: peer.encode(text), _digest)


def encode_gigatoken_batch(path: str, encoding: str) -> Ready:
    """gigatoken, the text as a batch of one."""
    data = Path(path).read_bytes()
    source = import_module("gigatoken").BytesSource([data])
    peer = _gigatoken(encoding)
    return Ready(lambda: peer.encode_batch(source), lambda batch: _digest(np.asarray(batch[0])))


def _gigatoken(encoding: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{encoding}.tiktoken"
        path.write_bytes(
            b"".join(
                b"%s %d\n" % (base64.b64encode(token), rank)
                for token, rank in tiktoken_peers.ranks(encoding).items()
            )
        )
        peer = import_module("gigatoken").Tokenizer.from_tiktoken(path)
    peer.encode(_FIRST_TEXT)
    return peer


def _our_encoder(encoding: str) -> Callable[[str], Any]:
    """A tokenizer of its own, with its tables made and the kernels loaded."""
    warm_up()
    tokenizer = replace(bpe.load_pretrained(encoding))
    tokenizer.encode_to_numpy(_FIRST_TEXT)
    return tokenizer.encode_to_numpy


def _text(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8")


def _digest(ids: Any) -> str:
    """Number and sha256 of ids."""
    numbers = np.asarray(ids, np.int32)
    return f"{len(numbers)} ids {hashlib.sha256(numbers.tobytes()).hexdigest()}"
