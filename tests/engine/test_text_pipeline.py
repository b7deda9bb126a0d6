"""Text pipelines. Peer: the same pieces at the same places as Hugging Face tokenizers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers

from bpe.text_alignment import align_unchanged
from bpe.text_pipeline import TextPipeline, read_text_pipeline, write_text_pipeline
from bpe.text_pipeline.normalizer_steps import spelled
from tests.engine.pipeline_shapes import (
    SHAPES,
    Part,
    byte_level,
    hard_texts,
    in_order,
    metaspace,
    normalized,
    replace,
    split,
)

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
Piece = tuple[str, tuple[int, int]]


def peer(**parts: Part | None) -> tokenizers.Tokenizer:
    model = {"type": "BPE", "vocab": {"a": 0}, "merges": []}
    return tokenizers.Tokenizer.from_str(json.dumps({"version": "1.0", "model": model, **parts}))


def theirs(normalizer: Part | None, pre_tokenizer: Part | None) -> Callable[[str], Any]:
    reference = peer(normalizer=normalizer, pre_tokenizer=pre_tokenizer)

    def run(text: str) -> tuple[str, list[Piece]]:
        if normalizer is not None:
            text = reference.normalizer.normalize_str(text)
        if pre_tokenizer is None:
            return text, [(text, (0, len(text)))] if text else []
        return text, reference.pre_tokenizer.pre_tokenize_str(text)

    return run


def ours(normalizer: Part | None, pre_tokenizer: Part | None) -> Callable[[str], Any]:
    parts = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    pipeline = read_text_pipeline(parts, "the file")
    assert read_text_pipeline(write_text_pipeline(pipeline), "it again") == pipeline

    def run(text: str) -> tuple[str, list[Piece]]:
        text = pipeline.normalize(text).text
        pieces = pipeline.pre_tokens(align_unchanged(text), is_first=True)
        if pipeline.is_byte_level and not pipeline.spells_bytes:
            pieces = [spelled(piece) for piece in pieces]
        return text, [(p.text, (p.char_starts[0], p.char_ends[-1])) for p in pieces]

    return run


def assert_same(normalizer: Part | None, pre_tokenizer: Part | None, n_texts: int) -> None:
    run, expect = ours(normalizer, pre_tokenizer), theirs(normalizer, pre_tokenizer)
    for text in hard_texts(f"{normalizer} {pre_tokenizer}", n_texts):
        assert run(text) == expect(text), ascii(text)


@pytest.mark.parametrize("name", SHAPES)
def test_pipelines_of_models_cut_as_the_peer_does(name: str) -> None:
    assert_same(*SHAPES[name], n_texts=150)


NORMALIZERS: list[Part] = [
    *({"type": kind} for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents")),
    *({"type": kind} for kind in ("Nmt", "ByteLevel")),
    *(
        {"type": "Strip", "strip_left": left, "strip_right": right}
        for left in (False, True)
        for right in (False, True)
    ),
    *(
        {
            "type": "BertNormalizer",
            "clean_text": chosen == 0,
            "handle_chinese_chars": chosen == 1,
            "strip_accents": chosen == 2,
            "lowercase": chosen == 3,
        }
        for chosen in range(4)
    ),
    *(replace("a", "bb"), replace("", "x"), replace("b*|1?", "xy", "Regex"), replace("--", "")),
    normalized(replace("--", ""), {"type": "Prepend", "prepend": "<s>"}),
]


@pytest.mark.parametrize("normalizer", NORMALIZERS, ids=str)
def test_normalizers_rewrite_as_the_peer_does(normalizer: Part) -> None:
    assert_same(normalizer, None, n_texts=60)


METASPACES = [
    metaspace(scheme, splits=splits)
    for scheme in ("always", "first", "never")
    for splits in (False, True)
]
PRE_TOKENIZERS: list[Part] = [
    *({"type": kind} for kind in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer")),
    *({"type": "Punctuation", "behavior": behavior} for behavior in BEHAVIORS),
    *({"type": "Digits", "individual_digits": alone} for alone in (False, True)),
    {"type": "CharDelimiterSplit", "delimiter": "-"},
    {"type": "FixedLength", "length": 3},
    *METASPACES,
    *(in_order({"type": "WhitespaceSplit"}, step) for step in METASPACES),
    *(in_order(split("a"), step) for step in METASPACES),
    in_order(
        {"type": "Digits", "individual_digits": True},
        byte_level(add_prefix_space=True, use_regex=True),
    ),
    in_order(byte_level(), split("Ġ", kind="String")),
]


@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS, ids=str)
def test_pre_tokenizers_cut_as_the_peer_does(pre_tokenizer: Part) -> None:
    assert_same(None, pre_tokenizer, n_texts=40)


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_splits_cut_as_the_peer_does(behavior: str, invert: bool) -> None:
    for pattern in (r"\s+", r"[a-z]*", r"\w+|[^\w\s]+", r"(?=[A-Z])|-", r"\b"):
        assert_same(None, split(pattern, behavior, invert=invert), n_texts=15)
    for string in ("-", "", " ", "a"):
        assert_same(None, split(string, behavior, kind="String", invert=invert), n_texts=15)


FUSE = {"type": "Fuse"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
DECODERS: list[Part] = [
    byte_level(add_prefix_space=True, use_regex=True),
    *METASPACES,
    *(replace("▁", " "), replace("", "x"), replace("[a-c]+", "-", "Regex")),
    *({"type": "ByteFallback"}, FUSE, STRIP, {**STRIP, "start": 3}),
    *({"type": "BPEDecoder", "suffix": suffix} for suffix in ("</w>", "")),
    {"type": "Sequence", "decoders": []},
    {"type": "Sequence", "decoders": [{"type": "BPEDecoder", "suffix": "</w>"}, FUSE]},
    {"type": "Sequence", "decoders": [replace("▁", " "), {"type": "ByteFallback"}, FUSE, STRIP]},
]
SPELLINGS = (
    *("a", "b", "▁", "▁Hey", "▁▁a▁", "</w>", "c</w>", "</w>x</w>", "  a ", "<0xE5>", "<0x8f>"),
    *("<0xab>", "<0x41>", "<0x+5>", "<0xé>", "<0xC3>", "<0xA9>", "Ġ", "Ã", "©", "日", "Ċ", "bbc"),
    *("", "ð", "Ł", "ĻĤ", "é"),
)


@pytest.mark.parametrize("decoder", DECODERS, ids=str)
def test_decoders_decode_as_the_peer_does(decoder: Part) -> None:
    import random

    reference = peer(decoder=decoder).decoder
    pipeline = read_text_pipeline({"decoder": decoder}, "the file")
    assert read_text_pipeline(write_text_pipeline(pipeline), "it again") == pipeline
    chooser = random.Random(str(decoder))
    for _ in range(150):
        tokens = chooser.choices(SPELLINGS, k=chooser.randrange(7))
        assert pipeline.decode(tokens) == reference.decode(tokens), tokens


def test_without_a_decoder_a_space_stands_between_tokens() -> None:
    assert TextPipeline().decode(["a", "b"]) == "a b"
