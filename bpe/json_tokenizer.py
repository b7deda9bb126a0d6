"""Reading the parsed object of a tokenizer.json into a tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bpe.added_tokens import unless_plain
from bpe.errors import ConfigError, FormatError
from bpe.json_added_tokens import read_added_tokens, with_model
from bpe.json_model import Model, has_all_byte_tokens, has_all_bytes, read_model, vocabulary_of
from bpe.json_own_part import OWN_KEY, read_own_part, read_whole
from bpe.json_pipeline import Parts, read_parts
from bpe.tokenizer import Tokenizer

_OUTER_TOKENS = (
    "the file's post_processor adds special tokens around each text; "
    "encoding gives the text's own tokens alone"
)


def read_tokenizer(data: Mapping[str, Any], name: str) -> Tokenizer:
    """Build a tokenizer from the parsed object; `name` is what messages call the file.

    Raises FormatError.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    >>> read_tokenizer({"model": model}, "the file").n_tokens
    3
    """
    if data.get("version", "1.0") != "1.0":
        raise FormatError(f"{name}: version is {data['version']!r:.80}; only '1.0' can be read")
    model = read_model(data, name)
    parts = read_parts(data, name, bool(model.options.prefix or model.options.suffix))
    is_byte_level = parts.named.base == "byte"
    model = _without_what_is_never_needed(model, is_byte_level, name)
    unknown = model.unknown_token
    warnings = [*model.warnings]
    added = with_model(read_added_tokens(data, model.vocab, name), model.vocab, warnings)
    special = {} if unknown is None else {unknown: model.vocab[unknown]}
    special |= {token.content: token.token_id for token in added if token.special}
    if data.get(OWN_KEY) is None:
        vocabulary = vocabulary_of(model, added, special, is_byte_level, name)
    else:
        vocabulary = read_own_part(data[OWN_KEY], parts.named.base, special, name)
    whole = read_whole(data.get(OWN_KEY), model.vocab, name)
    try:
        tokenizer = Tokenizer(
            vocabulary=vocabulary,
            base=parts.named.base,
            pattern=parts.named.pattern,
            normalizer=parts.named.normalizer,
            unknown_token=unknown,
            ignore_merges=model.ignore_merges,
            added=unless_plain(added, special),
            model_options=replace(model.options, whole=whole),
            pipeline=parts.pipeline,
            post_processor=parts.post_processor,
            warnings=(*warnings, *_unsaid(parts)),
        )
    except ConfigError as error:
        raise FormatError(f"{name}: pre_tokenizer: {error}") from error
    _check_added(tokenizer, name)
    return tokenizer


def _check_added(tokenizer: Tokenizer, name: str) -> None:
    for token in tokenizer.added_tokens:
        if not tokenizer.reading.decoded_as[token.token_id]:
            raise FormatError(f"{name}: the normalizer leaves nothing of {token.content!r:.80}")


def _without_what_is_never_needed(model: Model, is_byte_level: bool, name: str) -> Model:
    """A model without an unknown token that no text can need, and without options for it."""
    model = _of_bytes(model, name) if is_byte_level else model
    unknown = model.unknown_token
    if unknown is not None and unknown not in model.vocab:
        if not has_all_byte_tokens(model):
            raise FormatError(f"{name}: model.unk_token {unknown!r:.80} is not in model.vocab")
        unknown = None
    fuses = model.options.fuse_unknown and unknown is not None
    options = replace(model.options, fuse_unknown=fuses)
    return replace(model, unknown_token=unknown, options=options)


def _of_bytes(model: Model, name: str) -> Model:
    """A model of bytes; one that has all of them knows no unknown token and needs no bytes."""
    options = replace(model.options, byte_fallback=False)
    if has_all_bytes(model):
        return replace(model, unknown_token=None, options=options)
    if model.options.byte_fallback:
        raise FormatError(
            f"{name}: model.byte_fallback is not supported together with ByteLevel where some of "
            "the 256 bytes are not in model.vocab"
        )
    return model


def _unsaid(parts: Parts) -> tuple[str, ...]:
    adds_tokens = parts.post_processor is not None and parts.post_processor.adds_tokens
    return (_OUTER_TOKENS,) if adds_tokens else ()
