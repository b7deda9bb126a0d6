"""Which pipelines are a named pattern and named normalizers of this program."""

from __future__ import annotations

from typing import Literal, NamedTuple

from bpe.errors import ConfigError
from bpe.oniguruma import expression
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


def as_named(pipeline: TextPipeline, *, is_ours: bool = False) -> Named | None:
    """Say a pipeline as base, pattern and normalizers of `Tokenizer`; None where it is none.

    The pattern is a name, or the expression of a single Split that keeps everything. Without
    `is_ours`, only what is the same on every text is said so. With it, the file is known to be one
    that this program wrote, and what is nearly the same is meant to be the same:

    - WhitespaceSplit keeps U+001C to U+001F, where `str.split` splits.
    - Lowercase makes every sigma σ, where `str.lower` makes one that ends a word ς.
    - The normal forms are those of Unicode 9.
    - Some of what Oniguruma writes has another meaning for `regex`.

    >>> split = TextPipeline(pre_tokenizers=(WhitespaceSplit(),))
    >>> as_named(split), as_named(split, is_ours=True)
    (None, Named(base='char', pattern='whitespace', normalizer=()))
    """
    steps = pipeline.pre_tokenizers
    byte_level = steps[-1] if steps and isinstance(steps[-1], ByteLevel) else None
    if byte_level is not None:
        steps = steps[:-1]
    if pipeline.spells_bytes or not _decodes_plainly(pipeline, byte_level is not None):
        return None
    if byte_level is not None and byte_level.add_prefix_space:
        return None
    pattern = _pattern_of(steps, byte_level, is_ours)
    normalizer = [_normalizer_of(step) for step in pipeline.normalizers]
    if pattern is None or None in normalizer or (normalizer and not is_ours):
        return None
    base: Literal["char", "byte"] = "char" if byte_level is None else "byte"
    return Named(base, pattern, tuple(name for name in normalizer if name is not None))


def _decodes_plainly(pipeline: TextPipeline, is_byte_level: bool) -> bool:
    kind = ByteLevelDecoder if is_byte_level else Fuse
    return len(pipeline.decoders) <= 1 and all(isinstance(d, kind) for d in pipeline.decoders)


def _pattern_of(
    steps: tuple[PreTokenizerStep, ...], byte_level: ByteLevel | None, is_ours: bool
) -> str | None:
    if byte_level is not None and byte_level.use_regex:
        return None if steps else "gpt2"
    if not steps:
        return "none"
    if len(steps) > 1:
        return None
    (step,) = steps
    if isinstance(step, WhitespaceSplit):
        return "whitespace" if is_ours else None
    if isinstance(step, Split) and step.pattern.is_regex and not step.invert:
        is_plain = step.behavior == "Isolated"
        return _pattern_by(step.pattern.text, is_ours) if is_plain else None
    return None


def _pattern_by(text: str, is_ours: bool) -> str | None:
    """Name a pattern by its expression."""
    name = named_expression(text)
    return name or (text if is_ours or is_read_alike(text) else None)


def is_read_alike(text: str) -> bool:
    """Tell whether a split at an expression is the same in Oniguruma and as a pattern here.

    >>> is_read_alike(" ?[^ ]+"), is_read_alike("^a"), is_read_alike("a*")
    (True, False, False)
    """
    try:
        found = expression(text)
    except ConfigError:
        return False
    return found.is_common and not found.can_be_empty


def _normalizer_of(step: NormalizerStep) -> str | None:
    if isinstance(step, UnicodeForm):
        return step.form.lower()
    return "lowercase" if isinstance(step, Lowercase) else None
