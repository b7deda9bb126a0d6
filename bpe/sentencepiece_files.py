"""SentencePiece models of type BPE, as tokenizers.

Source of the rules: the C++ code of google/sentencepiece 0.2 (`normalizer.cc`, `bpe_model.cc`,
`sentencepiece_processor.cc`, Apache 2.0), with which the ids are compared in the tests.
"""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

from bpe.errors import FormatError
from bpe.file_limits import check_file_size
from bpe.file_sources import NamedFile, read_file
from bpe.imported_symbols import ModelOptions
from bpe.sentencepiece_model import SentencePieceModel, last_pairs, read_model
from bpe.text_pipeline import TextPipeline
from bpe.text_pipeline.character_table import CharacterTable
from bpe.text_pipeline.decoder_steps import (
    ByteFallback,
    DecoderStep,
    Fuse,
    ReplaceDecoder,
    StripDecoder,
)
from bpe.text_pipeline.normalizer_steps import NormalizerStep, Prepend, Replace
from bpe.text_pipeline.patterns import TextPattern
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import MergeRule, Vocabulary

_SPACE = "▁"  # U+2581, which stands for a space in pieces


def load_sentencepiece(source: Any) -> Tokenizer:
    """Read a model of SentencePiece, of type BPE and without rewriting of characters.

    `source` is a path or the file's bytes. Needs the packages `sentencepiece` and `protobuf`.
    Raises FormatError, which says what to do, where they are absent, for a damaged file, and for a
    model of another type.

    >>> load_sentencepiece(b"")
    Traceback (most recent call last):
        ...
    bpe.errors.FormatError: the file is empty
    """
    name, data = "the file", source
    if isinstance(source, NamedFile):
        name, data = source.name, source.data
    elif isinstance(source, (str, os.PathLike)):
        name = f"{os.fspath(source):.200}"
        data = read_file(source, name)
    if not isinstance(data, (bytes, bytearray)):
        raise FormatError(f"cannot read a {type(source).__name__}: give a path or bytes")
    if not data:
        raise FormatError(f"{name} is empty")
    check_file_size(bytes(data), name)
    return _tokenizer(read_model(bytes(data), name), name)


def _tokenizer(model: SentencePieceModel, name: str) -> Tokenizer:
    ids = {piece: token_id for token_id, piece in enumerate(model.pieces)}
    special = {piece: ids[piece] for piece in (model.unknown, *model.control)}
    return Tokenizer(
        vocabulary=Vocabulary(model.pieces, _merges(model, ids, name), special),
        base="char",
        unknown_token=model.unknown,
        model_options=ModelOptions(
            byte_fallback=model.byte_fallback,
            fuse_unknown=True,
            whole=tuple(sorted(model.whole)),
        ),
        pipeline=TextPipeline(normalizers=_normalizers(model), decoders=_decoders(model)),
    )


def _merges(model: SentencePieceModel, ids: dict[str, int], name: str) -> tuple[MergeRule, ...]:
    rules = []
    for left, right in last_pairs(model):
        for part in (left, right):
            if part not in ids:
                raise FormatError(
                    f"{name}: the piece {left + right!r:.80} is made of {part!r:.80}, "
                    "which is no piece"
                )
        rank = model.ranks[left + right]
        rules.append(MergeRule(rank, (ids[left], ids[right]), ids[left + right]))
    return tuple(rules) if _has_ties(rules) else _numbered(rules)


def _has_ties(rules: list[MergeRule]) -> bool:
    return any(rule.rank == following.rank for rule, following in pairwise(rules))


def _numbered(rules: list[MergeRule]) -> tuple[MergeRule, ...]:
    """Count the rules, without the pieces that are never made."""
    return tuple(MergeRule(rank, rule.pair, rule.token_id) for rank, rule in enumerate(rules))


def _normalizers(model: SentencePieceModel) -> tuple[NormalizerStep, ...]:
    steps: list[NormalizerStep] = []
    if model.charsmap:
        steps.append(CharacterTable(model.charsmap, model.whole))
    if model.remove_extra_whitespaces:
        steps += [
            Replace(TextPattern(r"\A +", is_regex=True), ""),
            Replace(TextPattern(" {2,}", is_regex=True), " "),
            Replace(TextPattern(rf"[ {_SPACE}]+\z", is_regex=True), ""),
        ]
    if model.add_dummy_prefix:
        steps.append(Prepend(_SPACE))
    return (*steps, Replace(TextPattern(" ", is_regex=False), _SPACE))


def _decoders(model: SentencePieceModel) -> tuple[DecoderStep, ...]:
    steps: list[DecoderStep] = [ReplaceDecoder(TextPattern(_SPACE, is_regex=False), " ")]
    if model.byte_fallback:
        steps.append(ByteFallback())
    steps.append(Fuse())
    if model.add_dummy_prefix or model.remove_extra_whitespaces:
        steps.append(StripDecoder(" ", 1, 0))
    return tuple(steps)
