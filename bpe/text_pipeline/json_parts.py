"""The parts of a tokenizer.json around its model, read and written.

Each reader raises FormatError, which names the key, for what is not supported: a part is never
read half. Steps of sequences within sequences come as one tuple.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from bpe.errors import FormatError
from bpe.text_pipeline import decoder_steps as decoders
from bpe.text_pipeline import normalizer_steps as normalizers
from bpe.text_pipeline import pre_tokenizer_steps as pre_tokenizers
from bpe.text_pipeline.character_table import TABLE_TYPE, CharacterTable, is_table
from bpe.text_pipeline.decoder_steps import DecoderStep
from bpe.text_pipeline.delimiters import BEHAVIORS
from bpe.text_pipeline.json_fields import Fields
from bpe.text_pipeline.normal_forms import Form
from bpe.text_pipeline.normalizer_steps import NormalizerStep
from bpe.text_pipeline.pipeline import TextPipeline
from bpe.text_pipeline.post_processors import read_post_processor
from bpe.text_pipeline.pre_tokenizer_steps import PreTokenizerStep

Step = TypeVar("Step", NormalizerStep, PreTokenizerStep, DecoderStep)
Readers = Mapping[str, Callable[[Fields], Step]]


def read_text_pipeline(data: Mapping[str, Any], name: str) -> TextPipeline:
    """Read normalizer, pre-tokenizer, decoder and post-processor of a tokenizer.json.

    `name` is what messages call the file. Raises FormatError.

    >>> read_text_pipeline({"normalizer": {"type": "NFC"}}, "the file").normalize("e\\u0301").text
    'é'
    """
    try:
        return TextPipeline(
            read_normalizer(data.get("normalizer"), name),
            read_pre_tokenizer(data.get("pre_tokenizer"), name),
            read_decoder(data.get("decoder"), name),
            read_post_processor(data.get("post_processor"), name),
        )
    except RecursionError as error:
        raise FormatError(f"{name} is nested too deeply for a tokenizer file") from error


def write_text_pipeline(pipeline: TextPipeline) -> dict[str, Any]:
    """Give the four parts by their keys; reading them gives an equal pipeline.

    >>> write_text_pipeline(TextPipeline())["normalizer"] is None
    True
    """
    post_processor = pipeline.post_processor
    return {
        "normalizer": write_steps(pipeline.normalizers, "normalizers"),
        "pre_tokenizer": write_steps(pipeline.pre_tokenizers, "pretokenizers"),
        "post_processor": None if post_processor is None else post_processor.as_json(),
        "decoder": write_steps(pipeline.decoders, "decoders"),
    }


def write_steps(
    steps: Sequence[NormalizerStep | PreTokenizerStep | DecoderStep], key: str
) -> dict[str, Any] | None:
    """Write steps: none as null, one as it is, several as a sequence under a key.

    >>> write_steps([decoders.Fuse()], "decoders"), write_steps([], "decoders")
    ({'type': 'Fuse'}, None)
    """
    if len(steps) > 1:
        return {"type": "Sequence", key: [step.as_json() for step in steps]}
    return steps[0].as_json() if steps else None


def read_normalizer(part: Any, name: str) -> tuple[NormalizerStep, ...]:
    """Read the normalizer of the file called `name`; raises FormatError.

    >>> read_normalizer({"type": "Prepend", "prepend": "▁"}, "the file")
    (Prepend(prepend='▁'),)
    """
    return _read(part, "normalizer", "normalizers", name, _NORMALIZERS)


def read_pre_tokenizer(part: Any, name: str) -> tuple[PreTokenizerStep, ...]:
    """Read the pre-tokenizer of the file called `name`; raises FormatError.

    >>> read_pre_tokenizer({"type": "FixedLength", "length": 5}, "the file")
    (FixedLength(length=5),)
    """
    return _read(part, "pre_tokenizer", "pretokenizers", name, _PRE_TOKENIZERS)


def read_decoder(part: Any, name: str) -> tuple[DecoderStep, ...]:
    """Read the decoder of the file called `name`; raises FormatError.

    A sequence of nothing joins the tokens, as Fuse does.

    >>> read_decoder({"type": "Sequence", "decoders": []}, "the file")
    (Fuse(),)
    """
    steps = _read(part, "decoder", "decoders", name, _DECODERS)
    return steps if part is None or steps else (decoders.Fuse(),)


def _read(part: Any, key: str, inner: str, name: str, readers: Readers[Step]) -> tuple[Step, ...]:
    if part is None:
        return ()
    fields = Fields(part, key, name)
    if fields.kind == "Sequence":
        found = fields.parts(inner)
        steps: list[Step] = []
        for number, step in enumerate(found):
            steps += _read(_object(step), f"{key}.{inner}[{number}]", inner, name, readers)
        return tuple(steps)
    if fields.kind not in readers:
        raise fields.unsupported(f"{', '.join(readers)}, and sequences of them")
    return (readers[fields.kind](fields),)


def _object(step: Any) -> Any:
    return {} if step is None else step  # null is no step within a sequence


def _form(form: Form) -> Callable[[Fields], NormalizerStep]:
    return lambda fields: normalizers.UnicodeForm(form)


def _read_bert(fields: Fields) -> NormalizerStep:
    strip = fields.flag("strip_accents") if fields.has("strip_accents") else None
    return normalizers.BertNormalizer(
        fields.flag("clean_text"),
        fields.flag("handle_chinese_chars"),
        strip,
        fields.flag("lowercase"),
    )


def _read_table(fields: Fields) -> NormalizerStep:
    whole = fields.parts("whole")
    if not all(isinstance(text, str) and text for text in whole):
        raise FormatError(f"{fields.name}: {fields.key}.whole must be a list of texts")
    try:
        charsmap = binascii.a2b_base64(fields.text("charsmap"), strict_mode=True)
    except ValueError as error:
        raise FormatError(f"{fields.name}: {fields.key}.charsmap is not base64: {error}") from error
    if not is_table(charsmap):
        raise FormatError(f"{fields.name}: {fields.key}.charsmap is no table of characters")
    return CharacterTable(charsmap, tuple(whole))


_NORMALIZERS: Readers[NormalizerStep] = {
    "NFC": _form("NFC"),
    "NFD": _form("NFD"),
    "NFKC": _form("NFKC"),
    "NFKD": _form("NFKD"),
    "Lowercase": lambda fields: normalizers.Lowercase(),
    "Strip": lambda fields: normalizers.Strip(
        fields.flag("strip_left"), fields.flag("strip_right")
    ),
    "StripAccents": lambda fields: normalizers.StripAccents(),
    "Replace": lambda fields: normalizers.Replace(
        fields.pattern("pattern"), fields.text("content")
    ),
    "Prepend": lambda fields: normalizers.Prepend(fields.text("prepend")),
    "Nmt": lambda fields: normalizers.Nmt(),
    "BertNormalizer": _read_bert,
    "ByteLevel": lambda fields: normalizers.ByteLevelNormalizer(),
    TABLE_TYPE: _read_table,
}


def _byte_level(fields: Fields) -> tuple[bool, bool, bool]:
    return (
        fields.flag("add_prefix_space", default=True),
        fields.flag("trim_offsets", default=True),
        fields.flag("use_regex", default=True),
    )


def _metaspace(fields: Fields) -> tuple[str, pre_tokenizers.PrependScheme, bool]:
    """Replacement, scheme and split; older files say add_prefix_space in place of the scheme."""
    scheme = fields.choice("prepend_scheme", ("always", "first", "never"), "always")
    adds_space = fields.flag("add_prefix_space", default=True)
    if not adds_space and "prepend_scheme" not in fields.part:
        scheme = "never"
    if not adds_space and scheme != "never":
        raise FormatError(
            f"{fields.name}: {fields.key}.add_prefix_space is false, "
            f"but prepend_scheme is {scheme!r}: they contradict each other"
        )
    return fields.char("replacement"), scheme, fields.flag("split", default=True)


def _read_fixed_length(fields: Fields) -> PreTokenizerStep:
    length = fields.number("length", default=5)
    if length == 0:
        raise FormatError(f"{fields.name}: {fields.key}.length must be 1 or more, not 0")
    return pre_tokenizers.FixedLength(length)


_PRE_TOKENIZERS: Readers[PreTokenizerStep] = {
    "ByteLevel": lambda fields: pre_tokenizers.ByteLevel(*_byte_level(fields)),
    "WhitespaceSplit": lambda fields: pre_tokenizers.WhitespaceSplit(),
    "Whitespace": lambda fields: pre_tokenizers.Whitespace(),
    "Split": lambda fields: pre_tokenizers.Split(
        fields.pattern("pattern"), fields.choice("behavior", BEHAVIORS), fields.flag("invert")
    ),
    "Digits": lambda fields: pre_tokenizers.Digits(fields.flag("individual_digits")),
    "Punctuation": lambda fields: pre_tokenizers.Punctuation(
        fields.choice("behavior", BEHAVIORS, "Isolated")
    ),
    "Metaspace": lambda fields: pre_tokenizers.Metaspace(*_metaspace(fields)),
    "BertPreTokenizer": lambda fields: pre_tokenizers.BertPreTokenizer(),
    "CharDelimiterSplit": lambda fields: pre_tokenizers.CharDelimiterSplit(
        fields.char("delimiter")
    ),
    "FixedLength": _read_fixed_length,
}

_DECODERS: Readers[DecoderStep] = {
    "ByteLevel": lambda fields: decoders.ByteLevelDecoder(*_byte_level(fields)),
    "Metaspace": lambda fields: decoders.MetaspaceDecoder(*_metaspace(fields)),
    "Replace": lambda fields: decoders.ReplaceDecoder(
        fields.pattern("pattern"), fields.text("content")
    ),
    "ByteFallback": lambda fields: decoders.ByteFallback(),
    "Fuse": lambda fields: decoders.Fuse(),
    "Strip": lambda fields: decoders.StripDecoder(
        fields.char("content"), fields.number("start"), fields.number("stop")
    ),
    "BPEDecoder": lambda fields: decoders.BPEDecoder(fields.text("suffix")),
}
