"""Normalizers of a tokenizer.json: rewrites of a text before it is split.

Each does what the class of its name in `tokenizers.normalizers` does (0.23.3).
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpe.byte_alphabet import spell_bytes
from bpe.text_alignment import AlignedText
from bpe.text_pipeline.aligned_parts import (
    map_chars,
    part,
    replace_spans,
    tokenizers_class,
    white_space,
    with_prefix,
)
from bpe.text_pipeline.json_step import JsonStep
from bpe.text_pipeline.lowercase import lowercase_of
from bpe.text_pipeline.normal_forms import Form, in_form
from bpe.text_pipeline.patterns import TextPattern


class NormalizerStep(JsonStep):
    """One rewrite of a text; a frozen value."""

    __slots__ = ()

    def apply(self, aligned: AlignedText) -> AlignedText:
        """Rewrite a text."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class UnicodeForm(NormalizerStep):
    """One of the four normal forms of Unicode."""

    form: Form

    def apply(self, aligned: AlignedText) -> AlignedText:
        return in_form(aligned, self.form)

    def as_json(self) -> dict[str, Any]:
        return {"type": self.form}


@dataclass(frozen=True, slots=True)
class Lowercase(NormalizerStep):
    """Every character by itself in lower case: a sigma that ends a word becomes σ, not ς."""

    def apply(self, aligned: AlignedText) -> AlignedText:
        return map_chars(aligned, {char: lowercase_of(char) for char in set(aligned.text)})


@dataclass(frozen=True, slots=True)
class Strip(NormalizerStep):
    """White space taken off the ends."""

    strip_left: bool
    strip_right: bool

    def apply(self, aligned: AlignedText) -> AlignedText:
        text, start, end = aligned.text, 0, len(aligned.text)
        while self.strip_left and start < end and text[start] in white_space():
            start += 1
        while self.strip_right and start < end and text[end - 1] in white_space():
            end -= 1
        return part(aligned, start, end)


@dataclass(frozen=True, slots=True)
class StripAccents(NormalizerStep):
    """Combining marks taken out."""

    def apply(self, aligned: AlignedText) -> AlignedText:
        return _without(aligned, "combining")


@dataclass(frozen=True, slots=True)
class Replace(NormalizerStep):
    """What a pattern matches, replaced by a text."""

    pattern: TextPattern
    content: str

    def apply(self, aligned: AlignedText) -> AlignedText:
        pattern = self.pattern
        if len(pattern.text) == len(self.content) == 1 and not pattern.is_regex:
            return map_chars(aligned, {pattern.text: self.content})
        if not aligned.text:
            return aligned
        spans = ((span, self.content) for span in pattern.spans(aligned.text))
        return replace_spans(aligned, spans)


@dataclass(frozen=True, slots=True)
class Prepend(NormalizerStep):
    """A text put before every text that is not empty."""

    prepend: str

    def apply(self, aligned: AlignedText) -> AlignedText:
        return with_prefix(aligned, self.prepend)


@dataclass(frozen=True, slots=True)
class Nmt(NormalizerStep):
    """Control characters taken out, other kinds of spaces made spaces."""

    def apply(self, aligned: AlignedText) -> AlignedText:
        return map_chars(aligned, _NMT)


_NMT_REMOVED = (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)
_NMT_SPACES = (0x09, 0x0A, 0x0C, 0x0D, 0x1680, *range(0x200B, 0x2010), 0x2028, 0x2029, 0x2581,
               0xFEFF, 0xFFFD)  # fmt: skip
_NMT = {**{chr(c): "" for c in _NMT_REMOVED}, **{chr(c): " " for c in _NMT_SPACES}}


@dataclass(frozen=True, slots=True)
class BertNormalizer(NormalizerStep):
    """What BERT does: cleaning, spaces around Chinese characters, accents and case taken off.

    `strip_accents` None means as `lowercase` says.
    """

    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool | None
    lowercase: bool

    def apply(self, aligned: AlignedText) -> AlignedText:
        if self.clean_text:
            aligned = map_chars(aligned, _cleaned(aligned.text))
        if self.handle_chinese_chars:
            chinese = filter(_is_chinese, set(aligned.text))
            aligned = map_chars(aligned, {char: f" {char} " for char in chinese})
        if self.lowercase if self.strip_accents is None else self.strip_accents:
            aligned = _without(UnicodeForm("NFD").apply(aligned), "nonspacing")
        return Lowercase().apply(aligned) if self.lowercase else aligned


@dataclass(frozen=True, slots=True)
class ByteLevelNormalizer(NormalizerStep):
    """The bytes of the text, each as a printable character."""

    json_type = "ByteLevel"

    def apply(self, aligned: AlignedText) -> AlignedText:
        return spelled(aligned)


def spelled(aligned: AlignedText) -> AlignedText:
    """Write the UTF-8 bytes of a text as the printable characters of the byte alphabet.

    >>> from bpe.text_alignment import align_unchanged
    >>> spelled(align_unchanged(" é")).text
    'ĠÃ©'
    """
    text = aligned.text
    result = spell_bytes(text.encode())
    if result == text:
        return aligned
    starts, ends = aligned.char_starts, aligned.char_ends
    if len(result) > len(text):
        # Each byte stands for the character it is a byte of.
        widths = [len(char.encode()) for char in text]
        starts = [start for start, width in zip(starts, widths, strict=True) for _ in range(width)]
        ends = [end for end, width in zip(ends, widths, strict=True) for _ in range(width)]
        return AlignedText(result, starts, ends, bytes(len(result)))
    unchanged = bytes(map(operator.and_, aligned.unchanged, map(str.__eq__, text, result)))
    return AlignedText(result, starts, ends, unchanged)


def _without(aligned: AlignedText, class_name: str) -> AlignedText:
    if aligned.text.isascii():
        return aligned
    unwanted = tokenizers_class(class_name)
    return map_chars(aligned, {char: "" for char in set(aligned.text) if char in unwanted})


def _cleaned(text: str) -> Mapping[str, str]:
    unwanted = tokenizers_class("control")
    spaces = {char: " " for char in set(text) if char in white_space()}
    return {**spaces, **{char: "" for char in set(text) if char in unwanted}}


_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_chinese(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _CHINESE)
