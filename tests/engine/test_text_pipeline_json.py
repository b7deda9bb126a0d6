"""The parts of a tokenizer.json around its model: read, written, refused, recognised."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import tokenizers

import bpe
from bpe.pre_tokenizers import compile_pattern
from bpe.text_pipeline import (
    PUBLISHED_EXPRESSIONS,
    Named,
    TextPipeline,
    as_named,
    named_expression,
    read_text_pipeline,
    write_text_pipeline,
)
from bpe.text_pipeline.published import known_spellings
from tests.engine.pipeline_shapes import (
    KIMI,
    LLAMA_3,
    QWEN,
    SHAPES,
    Part,
    byte_level,
    hard_texts,
    in_order,
    normalized,
    replace,
    split,
)

CLS = {"SpecialToken": {"id": "<s>", "type_id": 0}}
TEXT = {"Sequence": {"id": "A", "type_id": 0}}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [CLS, TEXT],
    "pair": [CLS, TEXT, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
}
ROBERTA = {
    "type": "RobertaProcessing",
    "sep": ["s", 1],
    "cls": ["c", 2],
    "trim_offsets": True,
    "add_prefix_space": True,
}
NFC = {"type": "NFC"}
LOWERCASE = {"type": "Lowercase"}


def peer_writes(key: str, part: Part) -> Any:
    document = {"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
    peer = tokenizers.Tokenizer.from_str(json.dumps({**document, key: part}))
    return json.loads(peer.to_str())[key]


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("normalizer", {"type": "Strip", "strip_left": True, "strip_right": False}),
        ("normalizer", replace("a+", "b", "Regex")),
        ("normalizer", normalized(NFC, {"type": "Prepend", "prepend": "▁"}, {"type": "Nmt"})),
        ("normalizer", {"type": "ByteLevel"}),
        ("normalizer", SHAPES["bert"][0]),
        ("normalizer", {"type": "StripAccents"}),
        ("pre_tokenizer", {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False}),
        ("pre_tokenizer", {"type": "Punctuation"}),
        ("pre_tokenizer", {"type": "FixedLength"}),
        ("pre_tokenizer", {"type": "CharDelimiterSplit", "delimiter": "-"}),
        ("pre_tokenizer", {"type": "Metaspace", "replacement": "_"}),
        ("pre_tokenizer", {"type": "Metaspace", "replacement": "_", "add_prefix_space": True}),
        ("pre_tokenizer", {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"}),
        (
            "pre_tokenizer",
            {"type": "Metaspace", "replacement": "_", "str_rep": "_", "add_prefix_space": True},
        ),
        (
            "pre_tokenizer",
            {
                "type": "Metaspace",
                "replacement": "_",
                "add_prefix_space": False,
                "prepend_scheme": "never",
            },
        ),
        ("pre_tokenizer", SHAPES["falcon"][1]),
        ("pre_tokenizer", {"type": "WhitespaceSplit", "left over": 1}),
        ("decoder", {"type": "Strip", "content": " ", "start": 1, "stop": 0}),
        ("decoder", {"type": "BPEDecoder", "suffix": "</w>"}),
        ("decoder", {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}),
        ("decoder", {"type": "Sequence", "decoders": [replace("▁", " "), {"type": "Fuse"}]}),
        ("post_processor", TEMPLATE),
        ("post_processor", ROBERTA),
        ("post_processor", {"type": "Sequence", "processors": [byte_level(), TEMPLATE]}),
    ],
    ids=str,
)
def test_a_part_is_written_as_the_peer_writes_it(key: str, part: Part) -> None:
    pipeline = read_text_pipeline({key: part}, "the file")
    written = write_text_pipeline(pipeline)
    assert written[key] == peer_writes(key, part)
    assert read_text_pipeline(written, "it again") == pipeline


def test_sequences_within_sequences_come_as_one() -> None:
    nested = normalized(normalized(NFC), normalized(), LOWERCASE)
    flat = read_text_pipeline({"normalizer": normalized(NFC, LOWERCASE)}, "the file")
    assert read_text_pipeline({"normalizer": nested}, "the file") == flat


def test_a_post_processor_says_whether_it_would_add_tokens() -> None:
    def adds(part: Part) -> bool:
        post_processor = read_text_pipeline({"post_processor": part}, "the file").post_processor
        return post_processor is not None and post_processor.adds_tokens

    assert adds(TEMPLATE)
    assert adds(ROBERTA)
    assert adds({"type": "Sequence", "processors": [byte_level(), TEMPLATE]})
    assert not adds(byte_level())
    assert not adds({"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}})


NO_LENGTH = {"type": "FixedLength", "length": 0}
CONTRADICTION = {"type": "Metaspace", "replacement": "_", "add_prefix_space": False,
                 "prepend_scheme": "always"}  # fmt: skip
HALF = {"type": "Prepend", "prepend": "\ud83d"}


@pytest.mark.parametrize(
    ("key", "part", "message"),
    [
        ("normalizer", "NFC", "normalizer must be null or an object with a type, not 'NFC'"),
        ("normalizer", {}, "normalizer must be null or an object with a type"),
        ("normalizer", {"type": "Nonsense"}, "the normalizer 'Nonsense' is not supported; sup"),
        ("normalizer", {"type": "Precompiled"}, "the normalizer 'Precompiled' is not supported"),
        ("normalizer", {"type": "Strip"}, "normalizer.strip_left must be true or false; it is mi"),
        ("normalizer", {"type": "Prepend", "prepend": 5}, "normalizer.prepend must be a string, n"),
        ("normalizer", HALF, "prepend must be a string without halves of surrogate pairs"),
        ("normalizer", {"type": "Sequence"}, "normalizer.normalizers must be a list; it is missi"),
        ("normalizer", normalized(NFC, 5), r"normalizer.normalizers\[1\] must be null or an obj"),
        ("normalizer", normalized(None), r"normalizer.normalizers\[0\] must be null or an object"),
        ("normalizer", {"type": "Replace", "pattern": "a", "content": "b"}, "normalizer.pattern "),
        ("normalizer", replace("(", "", "Regex"), r"normalizer.pattern: .*'\(' has what is not s"),
        ("normalizer", replace("a", "", "Nonsense"), 'pattern must be .* "String" or "Regex"'),
        ("pre_tokenizer", {"type": "UnicodeScripts"}, "the pre_tokenizer 'UnicodeScripts' is no"),
        ("pre_tokenizer", {"type": "Digits", "individual_digits": None}, "individual_digits .* N"),
        ("pre_tokenizer", {"type": "Metaspace"}, "replacement must be a string; it is missing"),
        ("pre_tokenizer", {"type": "Metaspace", "replacement": "__"}, "must be one character"),
        ("pre_tokenizer", CONTRADICTION, "add_prefix_space is false, but prepend_scheme is 'alw"),
        ("pre_tokenizer", {**CONTRADICTION, "prepend_scheme": "x"}, "must be one of always, first"),
        ("pre_tokenizer", split("a", "isolated"), "behavior must be one of Removed, Isolated, Me"),
        ("pre_tokenizer", split(r"(a)\1"), r"pattern: .* the escape \\1 \(near character 5\)"),
        ("pre_tokenizer", NO_LENGTH, "pre_tokenizer.length must be 1 or more, not 0"),
        ("pre_tokenizer", {**NO_LENGTH, "length": True}, "length must be a whole number from 0"),
        ("pre_tokenizer", {**NO_LENGTH, "length": -1}, "length must be a whole number from 0 up"),
        ("pre_tokenizer", {"type": "Sequence", "pretokenizers": {}}, "pretokenizers must be a l"),
        ("decoder", {"type": "WordPiece"}, "the decoder 'WordPiece' is not supported; supported"),
        ("decoder", {"type": "CTC"}, "the decoder 'CTC' is not supported"),
        ("decoder", {"type": "BPEDecoder"}, "decoder.suffix must be a string; it is missing"),
        ("decoder", {"type": "Strip", "content": " ", "start": 1.5, "stop": 0}, "decoder.start m"),
        ("post_processor", {"type": "Nonsense"}, "the post_processor 'Nonsense' is not supported"),
        ("post_processor", {"type": "TemplateProcessing"}, "single must be a list; it is missing"),
        ("post_processor", {**TEMPLATE, "special_tokens": 5}, "special_tokens must be an object"),
        ("post_processor", {**TEMPLATE, "single": 5}, "post_processor.single must be a list, not"),
        ("post_processor", {**TEMPLATE, "pair": [TEXT, 5]}, "post_processor.pair must be sequence"),
        ("post_processor", {**TEMPLATE, "special_tokens": {}}, "single must be sequences A and B"),
        ("post_processor", {**ROBERTA, "sep": ["s"]}, "post_processor.sep must be a token and it"),
        ("post_processor", {**ROBERTA, "trim_offsets": 5}, "trim_offsets must be true or false"),
        ("post_processor", {"type": "Sequence", "processors": [5]}, "post_processor must be null"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_key(key: str, part: Any, message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message) as raised:
        read_text_pipeline({key: part}, "the file")
    assert str(raised.value).startswith("the file: ")
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(("key", "inner"), [("normalizer", "normalizers"), ("decoder", "decoders")])
def test_thousands_of_sequences_in_each_other_are_refused(key: str, inner: str) -> None:
    part: Part = {"type": "Fuse"}
    for _ in range(5000):
        part = {"type": "Sequence", inner: [part]}
    with pytest.raises(bpe.FormatError, match="nested too deeply"):
        read_text_pipeline({key: part}, "the file")


def named(**parts: Part | None) -> Named | None:
    return as_named(read_text_pipeline(parts, "the file"))


GPT2, CL100K, O200K = (PUBLISHED_EXPRESSIONS[name] for name in ("gpt2", "cl100k", "o200k"))
OLD_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
FUSE = {"type": "Fuse"}
SPLIT_DROPPING = in_order(split(GPT2, "Removed", invert=True), byte_level())


@pytest.mark.parametrize(
    ("parts", "base", "pattern"),
    [
        ({}, "char", "none"),
        ({"decoder": FUSE}, "char", "none"),
        ({"pre_tokenizer": byte_level()}, "byte", "none"),
        ({"pre_tokenizer": byte_level(use_regex=True)}, "byte", "gpt2"),
        ({"pre_tokenizer": in_order(split(GPT2), byte_level())}, "byte", "gpt2"),
        ({"pre_tokenizer": in_order(split(OLD_GPT2), byte_level())}, "byte", "gpt2"),
        ({"pre_tokenizer": split(CL100K)}, "char", "cl100k"),
        ({"pre_tokenizer": in_order(split(CL100K), byte_level())}, "byte", "cl100k"),
        ({"pre_tokenizer": SHAPES["llama3"][1], "decoder": byte_level()}, "byte", LLAMA_3),
        ({"pre_tokenizer": SHAPES["gpt4o"][1]}, "byte", "o200k"),
        ({"pre_tokenizer": in_order(split(O200K), byte_level())}, "byte", "o200k"),
        ({"pre_tokenizer": in_order(split(QWEN), byte_level())}, "byte", QWEN),
    ],
)
def test_pipelines_that_are_named_patterns_are_known(
    parts: dict[str, Part | None], base: str, pattern: str
) -> None:
    assert named(**parts) == (base, pattern, ())


@pytest.mark.parametrize("expression", known_spellings(), ids=str)
def test_known_spellings_split_as_the_pattern_they_are_taken_for(expression: str) -> None:
    peer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(expression), "isolated")
    pattern = compile_pattern(named_expression(expression) or "")
    chooser = random.Random(expression)
    spaces = (" ", "\n", "\r", "\t", "\u3000", "\r\n", "\x85", "a", "1", "!", "'s")
    texts = ["".join(chooser.choices(spaces, k=chooser.randrange(8))) for _ in range(300)]
    for text in (*texts, *hard_texts(expression, 60)):
        assert [*pattern.split(text)] == [place for _, place in peer.pre_tokenize_str(text)], text


@pytest.mark.parametrize(
    "parts",
    [
        {"pre_tokenizer": byte_level(add_prefix_space=True)},
        {"pre_tokenizer": in_order(split(GPT2), byte_level(use_regex=True))},
        {"pre_tokenizer": SPLIT_DROPPING},
        {"pre_tokenizer": in_order(split("a"), split("b"))},
        {"pre_tokenizer": in_order(byte_level(), split("a"))},
        {"pre_tokenizer": split("a", kind="String")},
        {"pre_tokenizer": split("a*")},
        {"pre_tokenizer": split("^a")},
        {"pre_tokenizer": split(KIMI)},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"pre_tokenizer": {"type": "WhitespaceSplit"}},
        {"pre_tokenizer": byte_level(), "decoder": FUSE},
        {"decoder": byte_level()},
        {"decoder": {"type": "Sequence", "decoders": [FUSE, FUSE]}},
        {"normalizer": LOWERCASE},
        {"normalizer": NFC},
        {"normalizer": {"type": "ByteLevel"}},
    ],
    ids=str,
)
def test_pipelines_that_only_look_like_named_patterns_are_not_taken_for_them(
    parts: dict[str, Part | None],
) -> None:
    assert named(**parts) is None


def test_in_a_file_of_ours_what_is_nearly_the_same_is_meant_so() -> None:
    parts = {
        "normalizer": normalized(NFC, LOWERCASE),
        "pre_tokenizer": in_order({"type": "WhitespaceSplit"}, byte_level()),
    }
    pipeline = read_text_pipeline(parts, "the file")
    assert as_named(pipeline, is_ours=True) == ("byte", "whitespace", ("nfc", "lowercase"))
    anchored = read_text_pipeline({"pre_tokenizer": split("^a")}, "the file")
    assert as_named(anchored, is_ours=True) == ("char", "^a", ())
    spelled = TextPipeline(normalizers=read_text_pipeline(
        {"normalizer": {"type": "ByteLevel"}}, "the file").normalizers)  # fmt: skip
    assert as_named(spelled, is_ours=True) is None


def test_a_file_with_a_normal_form_keeps_its_steps() -> None:
    """U+07FD is a mark since Unicode 11, which the peer does not move past a cedilla."""
    document = {
        "version": "1.0",
        "normalizer": NFC,
        "pre_tokenizer": byte_level(use_regex=True),
        "decoder": byte_level(),
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
    }
    text = "a\u07fd\u0327"
    peer = tokenizers.Tokenizer.from_str(json.dumps(document))
    assert bpe.load_tokenizer_json(document).normalized_text(text) == text
    assert peer.normalizer.normalize_str(text) == text
