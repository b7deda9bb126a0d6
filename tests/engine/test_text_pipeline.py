"""Text pipelines. Peer: the same pieces at the same places as Hugging Face tokenizers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers

import bpe
from bpe.regex_splitter import TimeBudget
from bpe.text_alignment import AlignedText, align_unchanged
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
    reference = peer(decoder=decoder).decoder
    pipeline = read_text_pipeline({"decoder": decoder}, "the file")
    assert read_text_pipeline(write_text_pipeline(pipeline), "it again") == pipeline
    chooser = random.Random(str(decoder))
    for _ in range(150):
        tokens = chooser.choices(SPELLINGS, k=chooser.randrange(7))
        assert pipeline.decode(tokens) == reference.decode(tokens), tokens


def test_without_a_decoder_a_space_stands_between_tokens() -> None:
    assert TextPipeline().decode(["a", "b"]) == "a b"


def pieces_of(name: str, text: str) -> tuple[TextPipeline, AlignedText, list[AlignedText]]:
    normalizer, pre_tokenizer = SHAPES[name]
    parts = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    pipeline = read_text_pipeline(parts, "the file")
    aligned = pipeline.normalize(text)
    return pipeline, aligned, pipeline.pre_tokens(aligned, is_first=True)


@pytest.mark.parametrize("name", SHAPES)
def test_every_character_of_a_piece_knows_its_original(name: str) -> None:
    for text in hard_texts(f"alignment {name}", 60):
        _, aligned, pieces = pieces_of(name, text)
        last_start = last_end = 0
        for piece in (aligned, *pieces):
            n_chars = len(piece.text)
            assert n_chars == len(piece.char_starts) == len(piece.char_ends) == len(piece.unchanged)
        for piece in pieces:
            assert piece.text
            for char, start, end, same in zip(
                piece.text, piece.char_starts, piece.char_ends, piece.unchanged, strict=True
            ):
                assert last_start <= start < end <= len(text)
                assert last_end <= end
                assert not same or text[start:end] == char
                last_start, last_end = start, end


KEEPS_ALL = ("gpt2", "llama3", "gpt4o", "mistral_tekken", "kimi", "deepseek2", "deepseek3")


@pytest.mark.parametrize("name", KEEPS_ALL)
def test_pieces_tile_the_text_where_nothing_is_changed_or_dropped(name: str) -> None:
    for text in hard_texts(f"tiles {name}", 60):
        pipeline, _, pieces = pieces_of(name, text)
        assert pipeline.is_byte_level
        assert not pipeline.spells_bytes
        assert "".join(piece.text for piece in pieces) == text
        places = [place for piece in pieces for place in piece.char_starts]
        assert places == list(range(len(text)))


def test_what_is_put_before_a_text_stands_for_its_first_character() -> None:
    _, aligned, pieces = pieces_of("llama2", "a b")
    assert pieces == [aligned]
    assert aligned.text == "▁a▁b"
    assert list(aligned.char_starts) == [0, 0, 1, 2]
    assert list(aligned.char_ends) == [1, 1, 2, 3]
    assert list(aligned.unchanged) == [0, 1, 0, 1]


def test_alignment_runs_through_normalizers_and_pre_tokenizers() -> None:
    """NFC joins the first two characters, white space becomes one space, then case is lowered."""
    _, _, pieces = pieces_of("clip", "E\u0301\r\n\tB")
    assert [piece.text for piece in pieces] == ["é", "b"]
    assert [(piece.char_starts[0], piece.char_ends[-1]) for piece in pieces] == [(0, 2), (5, 6)]


def test_bytes_are_spelled_where_a_later_step_cuts_between_them() -> None:
    """Falcon's Digits meet "²" as the second byte of "ò", written as itself."""
    pipeline, _, pieces = pieces_of("falcon", "aò")
    assert pipeline.spells_bytes
    assert [piece.text for piece in pieces] == ["aÃ", "²"]
    assert [list(piece.char_starts) for piece in pieces] == [[0, 1], [1]]


def test_only_the_start_of_the_text_gets_the_first_mark() -> None:
    pipeline = read_text_pipeline({"pre_tokenizer": metaspace("first", splits=False)}, "the file")
    text = pipeline.normalize("a b")
    assert [p.text for p in pipeline.pre_tokens(text, is_first=True)] == ["▁a▁b"]
    assert [p.text for p in pipeline.pre_tokens(text, is_first=False)] == ["a▁b"]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms_know_the_characters_of_unicode_9(form: str) -> None:
    """Marks and composed letters younger than that stay where they are, as for the peer."""
    bits = (
        *("\u07fd", "\u08d3", "\u0c3c", "\u1df7", "\U0001e2ec", "\u32ff", "\ua7f2", "\uab69"),
        *("\U00011935\U00011930", "\U00011938", "\U000105d2\u0307", "\U00016d67\U00016d67"),
        *("\u0301", "\u0327", "\u0334", "a", "e", "\u1100\u1161", "\uac00\u11a8", "\ufb01"),
    )
    chooser = random.Random(form)
    normalizer = {"type": form}
    run, expect = ours(normalizer, None), theirs(normalizer, None)
    for _ in range(200):
        text = "".join(chooser.choices(bits, k=6))
        assert run(text) == expect(text), ascii(text)


def test_a_sigma_is_lowered_by_itself_and_young_capitals_are_known() -> None:
    capitals = "ΑΣ \u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\U00010d50\U00016ea0İ"
    run, expect = ours({"type": "Lowercase"}, None), theirs({"type": "Lowercase"}, None)
    assert run(capitals) == expect(capitals)
    assert run(capitals)[0].startswith("ασ ")


def test_a_pipeline_is_a_value() -> None:
    normalizer, pre_tokenizer = SHAPES["deepseek3"]
    parts = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    one, other = (read_text_pipeline(parts, "the file") for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != TextPipeline()


def test_an_expression_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe.regex_splitter.SECONDS_TO_A_MATCH", 0.05)
    pipeline = read_text_pipeline({"pre_tokenizer": split("(?:a|a)+$")}, "the file")
    with pytest.raises(bpe.ConfigError, match="took too long"):
        pipeline.pre_tokens(pipeline.normalize("a" * 60 + "b"), is_first=True)


class ShortBudget:
    """A budget that is used up at the third search."""

    def __init__(self, n_chars: int) -> None:
        self._n_left = 3

    def check(self, work: str) -> None:
        self._n_left -= 1
        if self._n_left == 0:
            raise bpe.ConfigError(f"{work} took too long")


@pytest.mark.parametrize(
    ("module", "steps", "work"),
    [
        ("bpe.text_pipeline.pipeline", in_order(split(" "), split("b")), "cutting the text into"),
        ("bpe.oniguruma.expressions", split("(?=b)"), r"splitting at '\(\?=b\)'"),
    ],
)
def test_searches_that_take_too_long_together_are_stopped(
    module: str, steps: Part, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may stay below its own limit: one a piece, or one after each empty match."""
    monkeypatch.setattr(f"{module}.TimeBudget", ShortBudget)
    pipeline = read_text_pipeline({"pre_tokenizer": steps}, "the file")
    assert len(pipeline.pre_tokens(pipeline.normalize("ab"), is_first=True)) == 2
    with pytest.raises(bpe.ConfigError, match=f"{work}.* took too long"):
        pipeline.pre_tokens(pipeline.normalize("ab ab b"), is_first=True)


def test_a_budget_of_time_that_is_used_up_stops_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    TimeBudget(n_chars=5).check("splitting")
    monkeypatch.setattr("bpe.regex_splitter.SECONDS_TO_A_MATCH", -1.0)
    with pytest.raises(bpe.ConfigError, match="splitting took too long and was stopped"):
        TimeBudget(n_chars=5).check("splitting")


def test_replacements_that_would_take_all_memory_are_stopped() -> None:
    """Three steps of a thousand characters for one would make ten thousand million of ten."""
    longer = replace("a", "a" * 1000)
    pipeline = read_text_pipeline({"normalizer": normalized(longer, longer, longer)}, "the file")
    assert len(pipeline.normalize("b").text) == 1
    with pytest.raises(bpe.ConfigError, match="its replacements are too long"):
        pipeline.normalize("a" * 10)


def test_decoders_that_would_take_all_memory_are_stopped() -> None:
    longer = replace("a", "a" * 1000)
    steps = {"type": "Sequence", "decoders": [longer, longer, longer]}
    pipeline = read_text_pipeline({"decoder": steps}, "the file")
    assert pipeline.decode(["b"] * 10) == "b" * 10
    for tokens in (["a"] * 10, ["a" * 10]):
        with pytest.raises(bpe.ConfigError, match="its replacements are too long"):
            pipeline.decode(tokens)
