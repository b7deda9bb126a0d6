"""tokenizer.json, out and in.

The file is that of Hugging Face tokenizers, and that library reads it too. Three things the format
has no words for: an end-of-word marker that is a symbol of its own, a special token spelled like a
token of text, and ranks that no merge rules give. Such a tokenizer is written with a key of our
own, `bpe_explorer`, and Hugging Face tokenizers refuses the file.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bpe.errors import FormatError
from bpe.json_added_tokens import write_added_tokens
from bpe.json_own_part import OWN_KEY, needs_own_part, own_part
from bpe.json_pipeline import named_parts, own_names
from bpe.json_source import read_json
from bpe.json_tokenizer import read_tokenizer
from bpe.text_pipeline import Named, write_text_pipeline
from bpe.token_spelling import spelled_tokens
from bpe.tokenizer import Tokenizer


def load_tokenizer_json(source: Any) -> Tokenizer:
    """Read a tokenizer.json with a BPE model.

    `source` is a path, the file's bytes, its text, or the parsed object. Ids and decoding are those
    of Hugging Face tokenizers, for `allowed_special="all"` of its `encode`, and else as if special
    tokens were text. Raises FormatError, which names the key, for what is damaged or not supported:
    a file is never read half.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
    >>> load_tokenizer_json({"model": model}).encode("abb").tokens
    ['ab', 'b']
    """
    with _without_collecting():
        data, name = read_json(source)
        try:
            return read_tokenizer(data, name)
        except RecursionError as error:
            raise FormatError(f"{name} is nested too deeply for a tokenizer file") from error


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Hold back the garbage collector: of half a million new values it would find none to free.

    It looks through all of them again and again, which took a third of the time of a large file.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def to_tokenizer_json(tokenizer: Tokenizer) -> str:
    """Write a tokenizer as the text of a tokenizer.json; `load_tokenizer_json` gives it back.

    >>> import bpe
    >>> tokenizer = bpe.train("low low", num_merges=2).tokenizer
    >>> load_tokenizer_json(to_tokenizer_json(tokenizer)) == tokenizer
    True
    """
    named = Named(tokenizer.base, tokenizer.pattern, tuple(tokenizer.normalizer))
    pipeline, post_processor = tokenizer.pipeline, tokenizer.post_processor
    parts = named_parts(named) if pipeline is None else write_text_pipeline(pipeline)
    model = _model(tokenizer)
    names = own_names(named) if pipeline is None else None
    if names is not None:
        model[OWN_KEY] = names
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": write_added_tokens(tokenizer.added_tokens),
        "normalizer": parts["normalizer"],
        "pre_tokenizer": parts["pre_tokenizer"],
        "post_processor": None if post_processor is None else post_processor.as_json(),
        "decoder": parts["decoder"],
        "model": model,
    }
    if needs_own_part(tokenizer):
        document[OWN_KEY] = own_part(tokenizer)
    return json.dumps(document, ensure_ascii=False, indent=1)


def _model(tokenizer: Tokenizer) -> dict[str, Any]:
    options = tokenizer.model_options
    spelled = spelled_tokens(tokenizer)
    added = tokenizer.added_tokens
    beyond = {token.token_id for token in added if not token.in_model}
    # A spelling has one id here: that of `added_tokens`; what else has it is in our own part.
    id_of = {token.content: token.token_id for token in added}
    vocab: dict[str, int] = {}
    for token_id, spelling in spelled.items():
        if token_id not in beyond:
            vocab.setdefault(spelling, id_of.get(spelling, token_id))
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": tokenizer.unknown_token,
        "continuing_subword_prefix": options.prefix or None,
        "end_of_word_suffix": options.suffix or None,
        "fuse_unk": options.fuse_unknown,
        "byte_fallback": options.byte_fallback,
        "ignore_merges": tokenizer.ignore_merges,
        "vocab": vocab,
        "merges": [[spelled[left], spelled[right]] for left, right in _pairs(tokenizer)],
    }


def _pairs(tokenizer: Tokenizer) -> list[tuple[int, int]]:
    return [rule.pair for rule in tokenizer.merges]
