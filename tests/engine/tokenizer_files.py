"""Small tokenizer.json files for tests, with any part of them changed."""

from __future__ import annotations

from typing import Any

from bpe.byte_alphabet import ALPHABET

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
NO_REGEX = {**BYTE_LEVEL, "use_regex": False}
WORDS_AS_BYTES = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, NO_REGEX]}
TWO_NORMALIZERS = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}]}
LETTERS = {"a": 0, "b": 1, "c": 2, "ab": 3}


def document(**changes: Any) -> dict[str, Any]:
    """A plain file: a character base, one merge. Changes named `model__x` go into the model."""
    model: dict[str, Any] = {"type": "BPE", "vocab": dict(LETTERS), "merges": [["a", "b"]]}
    whole: dict[str, Any] = {"version": "1.0", "added_tokens": [], "model": model}
    for key, value in changes.items():
        part, _, inner = key.rpartition("__")
        (model if part else whole)[inner] = value
    return whole


def byte_document(**changes: Any) -> dict[str, Any]:
    """A byte-level file with all 256 bytes and one merge."""
    vocab = {char: byte for byte, char in enumerate(ALPHABET)} | {"Ġa": 256}
    return document(
        **{"pre_tokenizer": BYTE_LEVEL, "model__vocab": vocab, "model__merges": ["Ġ a"]} | changes
    )
