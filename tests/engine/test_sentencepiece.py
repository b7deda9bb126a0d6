"""SentencePiece models of type BPE give the ids that the library gives; others are refused."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2

import bpe
from bpe.exports import export_notes, export_refusal
from bpe.file_kinds import load_files
from bpe.normalizers import well_formed
from bpe.sentencepiece_files import load_sentencepiece
from tests.engine.random_texts import random_texts

JAPANESE = (Path(__file__).parents[1] / "data" / "udhr_japanese.txt").read_text(encoding="utf-8")
ENGLISH = "the lowest wider newest low, don't! 12345 x = f(y) the cat sat on the mat\n"
LINES = [line for line in (JAPANESE + ENGLISH * 9).split("\n") if line]
SYMBOLS = ["<sep>", "th", "<a>", "▁▁", "ﬁ", "½<"]
AS_LLAMA = {"byte_fallback": True, "remove_extra_whitespaces": False}
AS_GEMMA = {**AS_LLAMA, "add_dummy_prefix": False, "user_defined_symbols": SYMBOLS}
SETTINGS: dict[str, dict[str, Any]] = {
    "identity": {},
    "as llama": AS_LLAMA,
    "as gemma": AS_GEMMA,
    "symbols": {"user_defined_symbols": SYMBOLS, "split_digits": True, "pad_id": 3},
    "words run on": {"split_by_whitespace": False, "split_by_unicode_script": False},
    "default rule": {"normalization_rule_name": "nmt_nfkc"},
    "rule, symbols": {
        "normalization_rule_name": "nmt_nfkc_cf",
        "user_defined_symbols": SYMBOLS,
        "byte_fallback": True,
    },
}
HARD = [
    *(
        "",
        " ",
        "  ",
        "▁",
        " ▁ ",
        "a ▁ ",
        "low  lower",
        " a",
        "a ",
        "\n",
        "\t a\n\nb \n",
        "\x00",
        "é",
    ),
    *(
        "<s>",
        "<unk>",
        "<0x41>",
        "x<0x41>",
        "<sep>",
        "a<sep>b",
        "<sep><sep> <sep>",
        " <sep>",
        "<sep",
    ),
    *("日" * 50, "aaaa" * 50, "qqqqq", "€q€", "▁▁▁", "ab▁▁ ", "<a><ab>", "\ufeffa", "e\u0301ﬁ½<ﷺ"),
    *("ｶﾞ\u3000가각ᄀ\u1161\u11a8", "a\x01\u200bb \x01 c", "ﬁ<sep>", "Ⅷ  ②"),
]


@cache
def model(name: str, **more: Any) -> bytes:
    """The file of a small model."""
    written = io.BytesIO()
    settings = {"model_type": "bpe", "normalization_rule_name": "identity", "vocab_size": 900}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES), model_writer=written, hard_vocab_limit=False,
        minloglevel=3, **{**settings, **SETTINGS[name], **more},
    )  # fmt: skip
    return written.getvalue()


def mixed_texts(n_texts: int) -> Iterator[str]:
    """Texts of what the models know and of what rewriting rules change."""
    dice = random.Random(n_texts)
    parts = "abcdeth ▁日本人<>\u0301ABﬁ½é\u0323ﷺ\u3000ｶﾞ가ᄀ\u1161\u11a8\x01\t\u200b"
    for _ in range(n_texts):
        letters = [dice.choice([*parts, *SYMBOLS, "the", " "]) for _ in range(dice.randint(0, 25))]
        yield "".join(letters)


@cache
def texts() -> list[str]:
    return [*HARD, *map(well_formed, random_texts(500, seed=7)), *mixed_texts(500)]


@pytest.mark.parametrize("name", SETTINGS)
def test_the_ids_are_those_of_the_library(name: str) -> None:
    peer = sentencepiece.SentencePieceProcessor(model_proto=model(name))
    tokenizer = load_sentencepiece(model(name))
    assert tokenizer.vocab_size == peer.vocab_size()
    theirs = peer.encode(texts())
    for text, encoding, expected in zip(
        texts(), tokenizer.encode_batch(texts()), theirs, strict=True
    ):
        assert encoding.ids == expected, text
        assert tokenizer.encode_to_numpy(text).tolist() == expected, text
    if "byte_fallback" in SETTINGS[name]:
        for text, ids in zip(texts(), theirs, strict=True):
            if "\ufffd" not in peer.decode(ids):
                assert tokenizer.decode(ids) == peer.decode(ids), text


@pytest.mark.parametrize("name", SETTINGS)
def test_saved_and_loaded_it_is_the_same(name: str) -> None:
    tokenizer = load_sentencepiece(model(name))
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert loaded == tokenizer
    assert loaded.fingerprint == tokenizer.fingerprint
    for text in HARD:
        assert loaded.encode(text).ids == tokenizer.encode(text).ids


@pytest.mark.parametrize("name", ["identity", "as llama"])
def test_hugging_face_reads_what_is_saved(name: str) -> None:
    tokenizer = load_sentencepiece(model(name))
    assert export_notes(tokenizer, "tokenizer_json") == ()
    peer = tokenizers.Tokenizer.from_str(bpe.to_tokenizer_json(tokenizer))
    several = [text for text in texts() if "<" not in text]  # it always takes special tokens
    theirs = peer.encode_batch_fast(several, add_special_tokens=False)
    assert [e.ids for e in tokenizer.encode_batch(several)] == [e.ids for e in theirs]


@pytest.mark.parametrize("name", ["symbols", "default rule"])
def test_hugging_face_refuses_what_it_would_read_otherwise(name: str) -> None:
    tokenizer = load_sentencepiece(model(name))
    assert "Other programs refuse this file" in export_notes(tokenizer, "tokenizer_json")[0]
    assert "for this program alone" in str(export_refusal(tokenizer, "tiktoken"))
    written = bpe.to_tokenizer_json(tokenizer)
    with pytest.raises(Exception, match=r"SentencePieceTable|expected|Normalizer"):
        tokenizers.Tokenizer.from_str(written)


def test_the_tokens_lie_where_their_text_does() -> None:
    tokenizer = load_sentencepiece(model("rule, symbols"))
    text = "  The ﬁt<sep>e\u0301 ½< €"
    encoding = tokenizer.encode(text)
    for token, span in zip(encoding.tokens, encoding.spans, strict=True):
        assert span.char_start <= span.char_end <= len(text)
        if token in SYMBOLS:
            assert text[span.char_start : span.char_end].lower() == token
    assert encoding.spans[-1].char_end == len(text)


def test_it_is_known_by_content_and_read_from_a_path(tmp_path: Path) -> None:
    loaded = load_files({"tokenizer": model("as llama"), "read me": b"# Llama is a model.\n"})
    assert loaded.kind == "sentencepiece"
    assert loaded.unsaid == (
        "read me was not used: it is text, and none that a tokenizer's file has",
    )
    path = tmp_path / "m"
    path.write_bytes(model("as llama"))
    assert load_sentencepiece(path) == load_sentencepiece(str(path)) == loaded.tokenizer
    assert loaded.tokenizer.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2}
    assert loaded.tokenizer.unknown_token == "<unk>"


def changed(**changes: Any) -> bytes:
    """The model with other values: `trainer__x` and `normalizer__x` of its specs, or of a piece."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model("as llama"))
    for key, value in changes.items():
        part, _, field = key.partition("__")
        owner = {
            "trainer": proto.trainer_spec,
            "normalizer": proto.normalizer_spec,
            "denormalizer": proto.denormalizer_spec,
            "unk": proto.pieces[0],
            "bos": proto.pieces[1],
            "byte": proto.pieces[9],
            "first": proto.pieces[259],
            "last": proto.pieces[-1],
        }[part]
        setattr(owner, field, value)
    return bytes(proto.SerializeToString())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lambda: model("identity", model_type="unigram"), "of type Unigram; only BPE models"),
        (lambda: model("identity", model_type="char"), "of type character; only BPE"),
        (lambda: model("identity", model_type="word", vocab_size=60), "of type word; only BPE"),
        (lambda: changed(trainer__treat_whitespace_as_suffix=True), "'▁' before a word"),
        (lambda: changed(normalizer__escape_whitespaces=False), "'▁' before a word"),
        (lambda: changed(normalizer__precompiled_charsmap=b"\0" * 99), "normalization rule is dam"),
        (
            lambda: changed(
                normalizer__remove_extra_whitespaces=True,
                normalizer__precompiled_charsmap=b"\4\0\0\0" + bytes(4) + b"a  b\0",
            ),
            "gives several spaces for a character",
        ),
        (lambda: changed(denormalizer__precompiled_charsmap=b"x"), "rewrites text when it decodes"),
        (lambda: changed(trainer__byte_fallback=False), "byte_fallback is False, which its byte"),
        (lambda: changed(byte__piece="<0xGG>"), "byte_fallback is True, which its byte pieces"),
        (lambda: changed(unk__type=3), "must have one unknown piece, not 0"),
        (lambda: changed(bos__type=2), "must have one unknown piece, not 2"),
        (lambda: changed(bos__piece="@"), "the control or unknown piece '@' is one character"),
        (lambda: changed(bos__piece=""), "piece 1 '' is empty or stands twice"),
        (lambda: changed(last__piece="<s>"), "'<s>' is empty or stands twice"),
        (lambda: changed(last__type=5), "is marked as unused"),
        (lambda: changed(last__type=4, last__piece="a b"), "symbol 'a b' holds a space"),
        (lambda: changed(first__score=float("nan")), "has no type or no score"),
        (lambda: model("as llama")[:5000], "is a damaged model of SentencePiece"),
        (lambda: b"", "the file is empty"),
        (lambda: None, "cannot read a NoneType: give a path or bytes"),
        (lambda: "/no/such/file", "cannot read the file '/no/such/file'"),
    ],
)
def test_what_cannot_be_read_is_refused(data: Any, message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message):
        load_sentencepiece(data())


@pytest.mark.parametrize("group", [3, 40])
def test_of_pieces_with_equal_scores_the_leftmost_counts(group: int) -> None:
    """So where the pieces of a second model were added with one score (Chinese-LLaMA)."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model("symbols"))
    for piece in proto.pieces:
        piece.score = piece.score // group
    data = bytes(proto.SerializeToString())
    peer, tokenizer = (
        sentencepiece.SentencePieceProcessor(model_proto=data),
        load_sentencepiece(data),
    )
    theirs = peer.encode(texts())
    assert [encoding.ids for encoding in tokenizer.encode_batch(texts())] == theirs
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer


def test_a_piece_of_a_character_that_is_none_is_refused() -> None:
    """The library joins characters that are no pieces themselves; ids could not say that."""
    with pytest.raises(bpe.FormatError, match="the piece 'Жa' is made of 'Ж', which is no piece"):
        load_sentencepiece(changed(last__piece="Жa", last__score=-5000.0))


def test_a_piece_that_its_characters_never_come_to_is_never_made() -> None:
    data = changed(last__piece="ЖЖЖ", last__score=-5000.0)
    peer, tokenizer = (
        sentencepiece.SentencePieceProcessor(model_proto=data),
        load_sentencepiece(data),
    )
    assert tokenizer.encode("ЖЖЖ").ids == peer.encode("ЖЖЖ")


@pytest.mark.parametrize("package", ["sentencepiece", "google.protobuf.message"])
def test_without_the_libraries_it_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = model("as llama")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        bpe.FormatError, match=r"x is a model of SentencePiece. .* pip install"
    ) as no:
        load_files({"x": data})
    assert "pip install sentencepiece protobuf" in str(no.value)
