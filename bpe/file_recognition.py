"""Telling by its content which part of a tokenizer a file is, if any."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bpe.errors import FormatError
from bpe.file_signatures import foreign_kind
from bpe.file_sources import NamedFile, decode_utf8
from bpe.json_source import read_json
from bpe.merges_text import HEADER_START
from bpe.tiktoken_files import RANK_LINE

Role: TypeAlias = Literal["tokenizer_json", "vocab_json", "merges_txt", "tiktoken", "sentencepiece"]

_FEW_LINES = 20
_PIECE_LINE = re.compile(r"[^\t]+\t-?[0-9.]+(?:e-?[0-9]+)?")
# What stands beside tokenizers in the folder of a model, by keys that only such files have.
_COMPANIONS: dict[str, frozenset[str]] = {
    "a tokenizer_config.json, which holds no tokens (take the tokenizer.json beside it)": frozenset(
        {"tokenizer_class", "added_tokens_decoder", "chat_template", "model_max_length"}
    ),
    "a config.json of a model, which holds no tokens (take the tokenizer.json beside it)": (
        frozenset({"architectures", "model_type", "hidden_size", "torch_dtype"})
    ),
    "a generation_config.json, which holds no tokens (take the tokenizer.json beside it)": (
        frozenset({"transformers_version", "do_sample", "eos_token_id"})
    ),
    "a special_tokens_map.json, which holds no vocabulary (take the tokenizer.json beside it)": (
        frozenset({"bos_token", "eos_token", "unk_token", "pad_token", "cls_token", "mask_token"})
    ),
    "a list of a model's weight files (take the tokenizer.json beside it)": frozenset(
        {"weight_map"}
    ),
}


@dataclass(frozen=True, slots=True)
class Part:
    """What a file is: its role in a tokenizer and what to read it from, or why it has none.

    `is_damaged`: it may be a part, but cannot be read.

    >>> recognise(NamedFile("x", b"IQ== 0")).role, recognise(NamedFile("x", b" ")).says
    ('tiktoken', 'empty')
    """

    file: NamedFile
    role: Role | None
    says: str = ""
    is_damaged: bool = False


def recognise(file: NamedFile) -> Part:
    """Tell what a file is by its content; never raises.

    >>> recognise(NamedFile("x", b"#version: 0.2")).role
    'merges_txt'
    >>> recognise(NamedFile("x", b'{"model_type": "llama"}')).says
    'a config.json of a model, which holds no tokens (take the tokenizer.json beside it)'
    """
    data = bytes(file.data)
    if not data.strip():
        return Part(file, None, "empty")
    foreign = foreign_kind(data)
    if foreign is not None:
        return Part(file, None, foreign)
    if _is_sentencepiece(data):
        return Part(file, "sentencepiece")
    try:
        text = decode_utf8(data, file.name)
    except FormatError as error:
        return Part(file, None, f"no text ({str(error).removeprefix(f'{file.name} is ')})")
    start = text.lstrip()[:1]
    if start == "{" or (start == "[" and text.rstrip().endswith("]")):
        return _recognise_json(file)
    return _recognise_lines(file, text)


def _is_sentencepiece(data: bytes) -> bool:
    """Whether these are the bytes of a ModelProto: pieces, each a text (1) and a score (2)."""
    if len(data) < 9 or data[0] != 0x0A or data[1] > 0x7F or data[2] != 0x0A:
        return False
    score = 4 + data[3]
    return data[3] + 2 <= data[1] and len(data) > score and data[score] == 0x15


def _recognise_json(file: NamedFile) -> Part:
    try:
        data, _ = read_json(file)
    except FormatError as error:
        return Part(file, None, str(error).removeprefix(file.name).strip(), is_damaged=True)
    parsed = NamedFile(file.name, data)
    if data and all(type(value) is int for value in data.values()):
        return Part(parsed, "vocab_json")
    if isinstance(data.get("model"), dict) or {"added_tokens", "pre_tokenizer"} <= data.keys():
        return Part(parsed, "tokenizer_json")
    for kind, telling in _COMPANIONS.items():
        if telling & data.keys():
            return Part(file, None, kind)
    if isinstance(data.get("vocab"), list) and "config" in data:
        return Part(file, None, "a tekken.json of Mistral (take a tokenizer.json of the model)")
    if _is_nearly_a_vocab(data):
        return Part(parsed, "vocab_json")
    shown = ", ".join(f"{key!r:.20}" for key in list(data)[:3]) or "none"
    return Part(file, None, f"JSON without a vocabulary (its keys: {shown})")


def _is_nearly_a_vocab(data: dict[str, Any]) -> bool:
    """Whether most values are ids, so that it is a vocab.json with a mistake in it."""
    return 2 * sum(type(value) is int for value in data.values()) > len(data)


def _recognise_lines(file: NamedFile, text: str) -> Part:
    if text.startswith(HEADER_START):
        return Part(file, "merges_txt")
    lines = [line.removesuffix("\r") for line in text[:100_000].split("\n")[:_FEW_LINES]]
    lines = [line for line in lines if line]
    if 2 * sum(RANK_LINE.fullmatch(line) is not None for line in lines) >= len(lines):
        return Part(file, "tiktoken")
    if 2 * sum(len(line.split(" ")) == 2 and all(line.split(" ")) for line in lines) >= len(lines):
        return Part(file, "merges_txt")
    if 2 * sum(_PIECE_LINE.fullmatch(line) is not None for line in lines) >= len(lines):
        return Part(file, None, "a list of pieces and scores (take the .model file beside it)")
    if "[UNK]" in text and "[CLS]" in text:
        return Part(file, None, "a vocab.txt of WordPiece; only BPE can be read")
    return Part(file, None, "text, and none that a tokenizer's file has")
