"""tokenizer.json, out and in.

The file is that of Hugging Face tokenizers, and that library reads it too. Three things the format
has no words for: an end-of-word marker that is a symbol of its own, a special token spelled like a
token of text, and ranks that no merge rules give. Such a tokenizer is written with a key of our
own, `bpe_explorer`, and Hugging Face tokenizers refuses the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bpe.errors import FormatError
from bpe.json_own_part import OWN_KEY, needs_own_part, own_part, spell
from bpe.json_pipeline import NORMALIZER_TYPES, PUBLISHED_EXPRESSIONS
from bpe.json_source import read_json
from bpe.json_tokenizer import read_tokenizer
from bpe.tokenizer import Tokenizer


def load_tokenizer_json(source: Any) -> Tokenizer:
    """Read a tokenizer.json with a BPE model.

    `source` is a path, the file's bytes, its text, or the parsed object. Read are the files that
    `to_tokenizer_json` writes, and plain BPE files: vocabulary and merges (as strings or pairs),
    no pre-tokenizer, `WhitespaceSplit` or `ByteLevel`, an unknown token, added tokens,
    `ignore_merges`. Raises FormatError, which names the key, for anything else: a file is never
    read half.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
    >>> load_tokenizer_json({"model": model}).encode("abb").tokens
    ['ab', 'b']
    """
    data, name = read_json(source)
    try:
        return read_tokenizer(data, name)
    except RecursionError as error:
        raise FormatError(f"{name} is nested too deeply for a tokenizer file") from error


def to_tokenizer_json(tokenizer: Tokenizer) -> str:
    """Write a tokenizer as the text of a tokenizer.json; `load_tokenizer_json` gives it back.

    >>> import bpe
    >>> tokenizer = bpe.train("low low", num_merges=2).tokenizer
    >>> load_tokenizer_json(to_tokenizer_json(tokenizer)) == tokenizer
    True
    """
    pre_tokenizer, decoder = _pre_tokenizer(tokenizer)
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(i, t) for t, i in tokenizer.special_tokens.items()],
        "normalizer": _normalizer(tokenizer),
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
        "model": _model(tokenizer),
    }
    if needs_own_part(tokenizer):
        document[OWN_KEY] = own_part(tokenizer)
    return json.dumps(document, ensure_ascii=False, indent=1)


def _added(token_id: int, content: str) -> dict[str, Any]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"id": token_id, "content": content, **flags, "special": True}


def _model(tokenizer: Tokenizer) -> dict[str, Any]:
    vocabulary = tokenizer.vocabulary
    spelled = {
        token_id: spell(content)
        for token_id, content in enumerate(vocabulary.contents)
        if content is not None
    }
    vocab: dict[str, int] = {}
    for token_id, spelling in spelled.items():
        vocab.setdefault(spelling, token_id)
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": tokenizer.unknown_token,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": tokenizer.ignore_merges,
        "vocab": vocab,
        "merges": [[spelled[left], spelled[right]] for left, right in _pairs(tokenizer)],
    }


def _pairs(tokenizer: Tokenizer) -> list[tuple[int, int]]:
    return [rule.pair for rule in tokenizer.merges]


def _normalizer(tokenizer: Tokenizer) -> Mapping[str, Any] | None:
    steps = [{"type": NORMALIZER_TYPES[name]} for name in tokenizer.normalizer]
    if len(steps) > 1:
        return {"type": "Sequence", "normalizers": steps}
    return steps[0] if steps else None


def _pre_tokenizer(tokenizer: Tokenizer) -> tuple[Mapping[str, Any] | None, Mapping[str, Any]]:
    """Pre-tokenizer and decoder: how the pattern is said in Hugging Face's words."""
    is_byte_level = tokenizer.base == "byte"
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": tokenizer.pattern == "gpt2",
    }
    decoder = byte_level if is_byte_level else {"type": "Fuse"}
    steps: list[Mapping[str, Any]] = []
    if tokenizer.pattern == "whitespace":
        steps.append({"type": "WhitespaceSplit"})
    elif tokenizer.pattern != "none" and not (is_byte_level and byte_level["use_regex"]):
        pattern = {"Regex": PUBLISHED_EXPRESSIONS.get(tokenizer.pattern, tokenizer.pattern)}
        split = {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}
        steps.append(split)
    if is_byte_level:
        steps.append(byte_level)
    if len(steps) > 1:
        return {"type": "Sequence", "pretokenizers": steps}, decoder
    return (steps[0] if steps else None), decoder
