"""What is written holds the tokenizer, for us and the programs of the format; or it is refused."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.exports import export_notes, export_refusal, tiktoken_arguments
from bpe.normalizers import well_formed
from bpe.rank_vocabulary import RankVocabulary
from bpe.tiktoken_files import write_ranks
from tests.engine import strategies
from tests.engine.random_texts import random_texts

JAPANESE = (Path(__file__).parents[1] / "data" / "udhr_japanese.txt").read_text(encoding="utf-8")
ENGLISH = "the lowest wider newest low, don't! 12345 x = f(y)\n\t\tpass\n" * 40
PATTERNS = ("gpt2", "cl100k", "o200k", "whitespace", "none", r"[a-z]+|\d")
SPECIALS = ("<s>", "<|end|>")
HARD = [
    "",
    " ",
    "\n\n ",
    "a" * 500,
    "ab" * 300,
    "<s><|end|>",
    "\x1c\x85\u2028\u3000 \xa0",
    "🏳️‍🌈ⅷǅ",
    "\x00",
]


@cache
def trained(pattern: str, base: str = "byte") -> bpe.Tokenizer:
    size = 700 if base == "byte" else 1200
    return bpe.train(
        JAPANESE + ENGLISH, base=base, pattern=pattern, vocab_size=size, special_tokens=SPECIALS
    ).tokenizer


def in_tiktoken(tokenizer: bpe.Tokenizer) -> tiktoken.Encoding:
    """tiktoken with the ranks of the file, read as its `load_tiktoken_bpe` does."""
    rows = (line.split() for line in bpe.to_tiktoken(tokenizer).splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in rows}
    return tiktoken.Encoding("ours", mergeable_ranks=ranks, **tiktoken_arguments(tokenizer))


def in_hugging_face(tokenizer: bpe.Tokenizer, folder: Path) -> tokenizers.Tokenizer:
    """Hugging Face's model of the two files, with what their format does not hold."""
    paths = [str(folder / name) for name in ("vocab.json", "merges.txt")]
    for path, text in zip(paths, bpe.to_gpt2(tokenizer), strict=True):
        Path(path).write_bytes(text.encode())
    peer = tokenizers.Tokenizer(tokenizers.models.BPE.from_file(*paths))
    if tokenizer.base == "byte":
        byte_level = tokenizers.pre_tokenizers.ByteLevel
        peer.pre_tokenizer = byte_level(add_prefix_space=False, use_regex=True)
    return peer


def texts(n_texts: int) -> list[str]:
    return [*HARD, *random_texts(n_texts, seed=n_texts)]


def ids_of(tokenizer: bpe.Tokenizer, several: Iterable[str]) -> list[list[int]]:
    return [encoding.ids for encoding in tokenizer.encode_batch(several)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_tiktoken_gives_the_ids_we_give(pattern: str) -> None:
    tokenizer, several = trained(pattern), texts(300)
    theirs = in_tiktoken(tokenizer).encode_batch(several, disallowed_special=())
    assert ids_of(tokenizer, several) == theirs
    special = in_tiktoken(tokenizer).encode("a<s>b<|end|>", allowed_special="all")
    assert tokenizer.encode("a<s>b<|end|>", allowed_special="all").ids == special


def test_all_give_the_same_ids_for_ten_thousand_texts(tmp_path: Path) -> None:
    tokenizer = trained("gpt2")
    several = [well_formed(text) for text in texts(10_000)]
    ours = ids_of(tokenizer, several)
    assert ours == in_tiktoken(tokenizer).encode_batch(several, disallowed_special=())
    theirs = in_hugging_face(tokenizer, tmp_path).encode_batch_fast(several)
    assert ours == [encoding.ids for encoding in theirs]


def test_hugging_face_gives_the_ids_we_give_in_a_character_base(tmp_path: Path) -> None:
    tokenizer = trained("whitespace", "char")
    known = {" ", *(token for token in tokenizer.vocabulary.contents if token not in SPECIALS)}
    several = ["".join(char for char in text if char in known) for text in texts(2_000)]
    peer = in_hugging_face(tokenizer, tmp_path)
    peer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    theirs = peer.encode_batch_fast(several)
    assert ids_of(tokenizer, several) == [encoding.ids for encoding in theirs]
    assert sum(map(bool, several)) > 1_000


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_written_is_read_back(pattern: str) -> None:
    tokenizer = trained(pattern)
    assert bpe.load_gpt2(*bpe.to_gpt2(tokenizer), pattern=pattern) == tokenizer
    from_ranks = bpe.load_tiktoken(
        bpe.to_tiktoken(tokenizer), pattern=pattern, special_tokens=tokenizer.special_tokens
    )
    assert from_ranks.vocabulary == tokenizer.vocabulary
    assert bpe.to_tiktoken(from_ranks) == bpe.to_tiktoken(tokenizer)
    assert bpe.load_gpt2(*bpe.to_gpt2(from_ranks), pattern=pattern) == tokenizer


@settings(max_examples=60)
@given(
    st.lists(st.text(strategies.AWKWARD, max_size=12), min_size=1, max_size=4),
    st.sampled_from(["char", "byte"]),
    st.sampled_from(["none", "whitespace", "gpt2"]),
    st.sampled_from([(), ("<s>",), ("a",), ("<s>", "é")]),
    st.booleans(),
)
def test_any_trained_tokenizer_is_written_rightly_or_refused(
    corpus: list[str], base: str, pattern: str, special_tokens: tuple[str, ...], is_unknown: bool
) -> None:
    unknown = "<unk>" if is_unknown and base == "char" else None
    names = {"base": base, "pattern": pattern, "unknown_token": unknown}
    tokenizer = bpe.train(corpus, num_merges=8, special_tokens=special_tokens, **names).tokenizer  # type: ignore[arg-type]
    if export_refusal(tokenizer, "gpt2") is None:
        assert bpe.load_gpt2(*bpe.to_gpt2(tokenizer), pattern=pattern) == tokenizer
    if export_refusal(tokenizer, "tiktoken") is None:
        back = bpe.load_tiktoken(
            bpe.to_tiktoken(tokenizer), pattern=pattern, special_tokens=tokenizer.special_tokens
        )
        assert back.vocabulary == tokenizer.vocabulary
    assert (export_refusal(tokenizer, "tiktoken") is None) == (base == "byte")


def model(vocab: list[str], merges: list[list[str]], **more: Any) -> bpe.Tokenizer:
    ids = {token: token_id for token_id, token in enumerate(vocab)}
    return bpe.load_tokenizer_json({"model": {"vocab": ids, "merges": merges}, **more})


@pytest.mark.parametrize(
    ("tokenizer", "kind", "message"),
    [
        (bpe.train("ab", base="char", num_merges=1), "tiktoken", "of bytes, and this is a char"),
        (bpe.train("ab", num_merges=1, normalizer="nfc"), "tiktoken", "no normalizer, .* has nfc"),
        (bpe.train("ab", num_merges=1, normalizer="nfc"), "gpt2", "no normalizer, .* has nfc"),
        (bpe.train("ab", num_merges=1, end_of_word="_"), "tiktoken", "no end-of-word marker"),
        (bpe.train("ab", num_merges=1, end_of_word="_"), "gpt2", "no end-of-word marker"),
        (bpe.train({"a\n": 1}, base="char", num_merges=1), "gpt2", "be a line .* holds a line end"),
        (bpe.train({"a\r": 1}, base="char", num_merges=1), "gpt2", "be a line .* holds a line end"),
        (bpe.train({"a b": 1}, base="char", num_merges=1), "gpt2", r"be a line .* holds a space"),
        (bpe.train({"ab": 1}, num_merges=1, special_tokens=["ab"]), "gpt2", "are spelled 'ab'"),
        (bpe.train("", num_merges=0, special_tokens=["ĠĠ", "Ġ"]), "gpt2", "token 'Ġ' would be"),
        (bpe.train("", base="char", num_merges=0, special_tokens=["a"]), "gpt2", "'a' would be"),
        (bpe.train("", base="char", num_merges=0), "gpt2", "it has no tokens"),
        (bpe.train("aĠ", base="char", num_merges=0), "gpt2", "those that such files spell bytes"),
        (model(["a", "b", "abc"], []), "gpt2", "no merge makes its token 'abc'"),
    ],
)  # fmt: skip
def test_what_a_format_cannot_hold_is_refused(tokenizer: Any, kind: Any, message: str) -> None:
    tokenizer = tokenizer if isinstance(tokenizer, bpe.Tokenizer) else tokenizer.tokenizer
    write = {"gpt2": bpe.to_gpt2, "tiktoken": bpe.to_tiktoken}[kind]
    with pytest.raises(bpe.FormatError, match=f"cannot hold this tokenizer: .*{message}") as raised:
        write(tokenizer)
    assert str(raised.value) == export_refusal(tokenizer, kind)
    assert "; tokenizer.json " in str(raised.value)
    assert export_refusal(tokenizer, "tokenizer_json") is None


def test_the_first_line_of_merges_is_no_rule() -> None:
    """`#version` can be a token; its line would be skipped by Hugging Face's reader."""
    word = "#version"
    parts = [word[:n] for n in range(2, len(word) + 1)]
    merges = [[part[:-1], part[-1]] for part in parts] + [[word, "s"]]
    tokenizer = model([*"#versiona", *parts, f"{word}s"], merges)
    with pytest.raises(bpe.FormatError, match=r"'#version' . 's' cannot .* taken for the header"):
        bpe.to_gpt2(tokenizer)


def byte_model(tokens: list[bytes], merges: list[tuple[bytes, bytes]]) -> bpe.Tokenizer:
    from bpe.byte_alphabet import ALPHABET, spell_bytes

    vocab = [*ALPHABET, *map(spell_bytes, tokens)]
    pairs = [[spell_bytes(left), spell_bytes(right)] for left, right in merges]
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    return model(vocab, pairs, pre_tokenizer=level)


@pytest.mark.parametrize(
    ("tokens", "merges", "message"),
    [
        ([b"ab", b"bc", b"abc"], [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")], "the order of"),
        ([b"ab", b"abc", b"bc"], [(b"a", b"b"), (b"ab", b"c"), (b"a", b"bc")], "its token 'bc'"),
        ([b"ab", b"bc"], [(b"b", b"c"), (b"a", b"b")], "the order of its ids gives"),
        ([b"abc"], [], "no merge makes its token 'abc', so its rank would not say what does"),
    ],
)  # fmt: skip
def test_ranks_hold_only_rules_that_the_order_of_ids_gives(
    tokens: list[bytes], merges: list[tuple[bytes, bytes]], message: str
) -> None:
    with pytest.raises(bpe.FormatError, match=message):
        bpe.to_tiktoken(byte_model(tokens, merges))


def test_ranks_whose_tokens_no_two_others_make_cannot_be_merge_rules() -> None:
    ranks = [*((i, bytes([i])) for i in range(256)), (256, b"abc")]
    tokenizer = bpe.load_tiktoken(write_ranks(ranks), pattern="gpt2")
    with pytest.raises(bpe.FormatError, match=r"no merge makes its token 'abc'.*a tiktoken rank"):
        bpe.to_gpt2(tokenizer)
    saved = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert saved == tokenizer
    for text in ("abc", "abcabc abc"):
        assert saved.encode(text).ids == tokenizer.encode(text).ids
    assert "Other programs refuse this file" in export_notes(tokenizer, "tokenizer_json")[0]


def test_notes_say_what_the_file_does_not() -> None:
    tokenizer = trained("cl100k")
    assert export_notes(tokenizer, "gpt2") == (
        "The files hold no pattern. Here it is: cl100k.",
        "The files do not tell special tokens from others. Here they are: "
        "'<s>' (0), '<|end|>' (1).",
    )
    assert [note[:35] for note in export_notes(tokenizer, "tiktoken")] == [
        "The file holds no pattern: give tik",
        "The file holds no special tokens: g",
    ]
    assert export_notes(tokenizer, "tokenizer_json") == ()
    marked = bpe.train("ab", num_merges=1, end_of_word="_").tokenizer
    assert "Other programs refuse this file" in export_notes(marked, "tokenizer_json")[0]
    unknown = bpe.train("ab", base="char", num_merges=1, unknown_token="?!").tokenizer
    assert "do not say that '?!' is the unknown token" in export_notes(unknown, "gpt2")[-1]


def test_the_start_of_a_bundled_encoding_goes_out_and_comes_back() -> None:
    contents = bpe.load_pretrained("r50k_base").vocabulary.contents[:3_000]
    vocabulary = RankVocabulary((*contents, None, "<end>"), {"<end>": 3_001})
    tokenizer = bpe.Tokenizer(vocabulary, "byte", "gpt2")
    vocab, merges = bpe.to_gpt2(tokenizer)
    assert (len(json.loads(vocab)), merges.count("\n")) == (3_001, 1 + 3_000 - 256)
    loaded = bpe.load_gpt2(vocab, merges)
    assert loaded == tokenizer
    several = texts(300)
    assert ids_of(loaded, several) == ids_of(tokenizer, several)
    assert bpe.to_tiktoken(loaded) == bpe.to_tiktoken(tokenizer)
