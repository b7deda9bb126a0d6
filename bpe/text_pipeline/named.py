"""Which pipelines are a named pattern and named normalizers of this program."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bpe.text_pipeline.decoder_steps import ByteLevelDecoder, Fuse
from bpe.text_pipeline.normalizer_steps import Lowercase, NormalizerStep, UnicodeForm
from bpe.text_pipeline.pipeline import TextPipeline
from bpe.text_pipeline.pre_tokenizer_steps import (
    ByteLevel,
    PreTokenizerStep,
    Split,
    WhitespaceSplit,
)
from bpe.text_pipeline.published import named_expression


class Named(NamedTuple):
    """A pipeline in this program's words."""

    base: Literal["char", "byte"]
    pattern: str
    normalizer: tuple[str, ...]


def as_named(pipeline: TextPipeline) -> Named | None:
    """Say a pipeline as base, pattern and normalizers of `Tokenizer`; None where it is none.

    The pattern is a name, or the expression of a single Split that keeps everything.

    >>> as_named(TextPipeline(pre_tokenizers=(WhitespaceSplit(),)))
    Named(base='char', pattern='whitespace', normalizer=())
    """
    steps = pipeline.pre_tokenizers
    byte_level = steps[-1] if steps and isinstance(steps[-1], ByteLevel) else None
    if byte_level is not None:
        steps = steps[:-1]
    if pipeline.spells_bytes or not _decodes_plainly(pipeline, byte_level is not None):
        return None
    if byte_level is not None and byte_level.add_prefix_space:
        return None
    pattern = _pattern_of(steps, byte_level)
    normalizer = [_normalizer_of(step) for step in pipeline.normalizers]
    if pattern is None or None in normalizer:
        return None
    base: Literal["char", "byte"] = "char" if byte_level is None else "byte"
    return Named(base, pattern, tuple(name for name in normalizer if name is not None))


def _decodes_plainly(pipeline: TextPipeline, is_byte_level: bool) -> bool:
    kind = ByteLevelDecoder if is_byte_level else Fuse
    return len(pipeline.decoders) <= 1 and all(isinstance(d, kind) for d in pipeline.decoders)


def _pattern_of(steps: tuple[PreTokenizerStep, ...], byte_level: ByteLevel | None) -> str | None:
    if byte_level is not None and byte_level.use_regex:
        return None if steps else "gpt2"
    if not steps:
        return "none"
    if len(steps) > 1:
        return None
    (step,) = steps
    if isinstance(step, WhitespaceSplit):
        return "whitespace"
    if isinstance(step, Split) and step.pattern.is_regex and not step.invert:
        is_plain = step.behavior == "Isolated"
        return (named_expression(step.pattern.text) or step.pattern.text) if is_plain else None
    return None


def _normalizer_of(step: NormalizerStep) -> str | None:
    if isinstance(step, UnicodeForm):
        return step.form.lower()
    return "lowercase" if isinstance(step, Lowercase) else None
