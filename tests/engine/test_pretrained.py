"""The bundled encodings: hashes, sizes, the cases that name one, and tiktoken as a peer."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.pretrained import PRETRAINED_NAMES
from bpe.rank_vocabulary import RankVocabulary
from bpe.text_encoder import PlainEncoder
from tests.engine import strategies
from tests.engine.random_texts import random_texts
from tests.engine.tiktoken_peers import NAMES, peer, peer_of_ranks, ranks, settings

LINES = (Path(__file__).parents[1] / "data" / "cases_encodings.jsonl").read_text(encoding="utf-8")
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES.split("\n") if line]


def tokenizer_of(config: dict[str, Any]) -> bpe.Tokenizer:
    """The tokenizer of a case: a bundled encoding, or one made from a table of ranks."""
    if "encoding" in config:
        return bpe.load_pretrained(config["encoding"])
    table = [token.encode() for token in config["rank_table"]]
    contents: list[bytes | None] = [*table, *[None] * (1000 + 256 - len(table))]
    for value in range(256):
        if bytes([value]) not in table:
            contents[1000 + value] = bytes([value])
    return bpe.Tokenizer(RankVocabulary(tuple(contents), {}), "byte", config["pretokenizer"])


def text_of(data: Any) -> str:
    """The text a case means: given, repeated, or drawn by its generator of random numbers."""
    if isinstance(data, str):
        return data
    if "repeat" in data:
        text: str = data["repeat"][0] * data["repeat"][1]
        return text
    alphabet, state, letters = data["lcg"]["alphabet"], data["lcg"]["seed"], []
    for _ in range(data["lcg"]["n"]):
        state = (state * 1103515245 + 12345) % 2**31
        letters.append(alphabet[(state >> 16) % len(alphabet)])
    return "".join(letters)


def digest_of(ids: list[int]) -> str:
    return hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest()


def shown(content: str | bytes) -> str | None:
    """A token as the cases write it: null where its bytes are not whole characters."""
    try:
        return content.decode() if isinstance(content, bytes) else content
    except UnicodeDecodeError:
        return None


def span_of(span: bpe.TokenSpan) -> dict[str, list[int]]:
    return {
        "byte": [span.byte_start, span.byte_end],
        "char": [span.char_start, span.char_end],
    }


def encoded_values(case: dict[str, Any]) -> dict[str, Any]:
    """All that a case may say of an encoding, under the names that cases use."""
    tokenizer, text = tokenizer_of(case["config"]), text_of(case["input"])
    is_recognised = case["config"].get("special_tokens_in_text") == "recognised"
    encoding = tokenizer.encode(text, allowed_special="all" if is_recognised else ())
    return {
        "ids": encoding.ids,
        "n_tokens": len(encoding),
        "n_bytes": len(text.encode(errors="replace")),
        "tokens": [shown(content) for content in encoding.tokens],
        "token_bytes_hex": [
            content.hex() for content in encoding.tokens if isinstance(content, bytes)
        ],
        "decoded": tokenizer.decode(encoding.ids),
        "text": tokenizer.decode(encoding.ids),
        "same_as_text": tokenizer.decode(encoding.ids),
        "offsets": [span_of(span) for span in encoding.spans],
        "sha256_of_ids_joined_by_space": digest_of(encoding.ids),
        "first_ids": encoding.ids[:4],
    }


NOT_VALUES = {"suggested_max_seconds", "or_clear_error"}  # times are no test's business here
DECODE_CASES = [case for case in CASES if case["config"]["op"] == "decode"]
ENCODE_CASES = [case for case in CASES if case["config"]["op"] != "decode"]


@pytest.mark.parametrize("case", ENCODE_CASES, ids=lambda case: case["id"])
def test_a_text_encodes_as_the_case_says(case: dict[str, Any]) -> None:
    found = encoded_values(case)
    for key, expected in case["expect"].items():
        assert key in NOT_VALUES or found[key] == expected, key


@pytest.mark.parametrize("case", DECODE_CASES, ids=lambda case: case["id"])
def test_ids_decode_as_the_case_says(case: dict[str, Any]) -> None:
    tokenizer, expect = tokenizer_of(case["config"]), case["expect"]
    if expect.get("clear_error"):
        with pytest.raises(bpe.UnknownIdError, match=str(expect["names_the_id"])):
            tokenizer.decode(case["input"])
        return
    assert tokenizer.decode(case["input"]) == expect["text"]
    if "bytes_hex" in expect:
        assert tokenizer.decode_bytes(case["input"]).hex() == expect["bytes_hex"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rank_file_is_the_one_that_tiktoken_demands(name: str) -> None:
    """The SHA-256 that tiktoken checks a download against, of the file written out again."""
    lines = [
        base64.b64encode(content) + f" {rank}\n".encode() for content, rank in ranks(name).items()
    ]
    assert hashlib.sha256(b"".join(lines)).hexdigest() == settings(name)["mergeable_ranks"]


@pytest.mark.parametrize(
    ("name", "vocab_size", "n_tokens", "pattern"),
    [
        ("r50k_base", 50_257, 50_257, "gpt2"),
        ("p50k_base", 50_281, 50_281, "gpt2"),
        ("cl100k_base", 100_277, 100_261, "cl100k"),
        ("o200k_base", 200_019, 200_000, "o200k"),
    ],
)
def test_sizes_and_pattern(name: str, vocab_size: int, n_tokens: int, pattern: str) -> None:
    """Assigned are all ids of p50k_base; cl100k_base and o200k_base leave 16 and 19 open."""
    tokenizer = bpe.load_pretrained(name)
    assert tokenizer.vocab_size == vocab_size == peer(name).n_vocab
    assert (tokenizer.n_tokens, tokenizer.base_size) == (n_tokens, 256)
    assert (tokenizer.pattern, tokenizer.base, tokenizer.is_lossless) == (pattern, "byte", True)


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_have_the_ids_of_tiktoken(name: str) -> None:
    tokenizer = bpe.load_pretrained(name)
    assert tokenizer.special_tokens == settings(name)["special_tokens"]
    for content, token_id in tokenizer.special_tokens.items():
        assert tokenizer.encode(content, allowed_special={content}).ids == [token_id]
        assert tokenizer.decode([token_id]) == tokenizer.token(token_id) == content
        assert token_id not in tokenizer.encode(content).ids


@pytest.mark.parametrize(
    ("name", "token_id"),
    [
        ("r50k_base", 50_257),
        ("cl100k_base", 100_256),
        ("cl100k_base", 100_275),
        ("o200k_base", 199_998),
        ("o200k_base", 200_000),
        ("o200k_base", 200_019),
    ],
)
def test_an_id_that_is_not_assigned_is_named(name: str, token_id: int) -> None:
    with pytest.raises(bpe.UnknownIdError, match=str(token_id)):
        bpe.load_pretrained(name).decode([token_id])


def test_gpt2_is_another_name_of_r50k_base() -> None:
    assert bpe.load_pretrained("gpt2") is bpe.load_pretrained("r50k_base")


@pytest.mark.parametrize("name", ["gpt4", "", "R50K_BASE", None, ["gpt2"], 7])
def test_an_unknown_name_is_refused_with_the_known_ones(name: Any) -> None:
    with pytest.raises(bpe.ConfigError) as caught:
        bpe.load_pretrained(name)
    assert repr(name) in str(caught.value)
    assert all(known in str(caught.value) for known in (*PRETRAINED_NAMES, "gpt2"))


@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_texts_encode_as_in_tiktoken(name: str) -> None:
    """The first two thousand in the plain way too; the compiled one is worth it for all."""
    ours, theirs = bpe.load_pretrained(name), peer(name)
    drawn = list(random_texts(10_000, seed=3))
    expected = [theirs.encode_ordinary(text) for text in drawn]
    with patch("bpe.compiled_encoding.encoding_pays", return_value=True):
        found = [encoding.ids for encoding in replace(ours).encode_batch(drawn)]
    assert len(found) == 10_000
    plain = PlainEncoder(ours, None)
    for text, compiled, ids in zip(drawn, found, expected, strict=True):
        assert compiled == ids, ascii(text)
    for text, ids in zip(drawn[:2000], expected, strict=False):
        assert plain.ids(text) == ids, ascii(text)


@pytest.mark.parametrize("name", NAMES)
@given(text=strategies.texts)
def test_any_text_encodes_as_in_tiktoken_and_back(name: str, text: str) -> None:
    ours = bpe.load_pretrained(name)
    ids = ours.encode(text).ids
    assert ids == peer(name).encode_ordinary(text)
    assert ours.decode(ids) == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize("name", NAMES)
def test_each_of_a_thousand_tokens_encodes_to_itself_and_has_two_parents(name: str) -> None:
    tokenizer = bpe.load_pretrained(name)
    for token_id in random.Random(5).sample(tokenizer.vocabulary.merged_ids, 1000):
        content = tokenizer.token(token_id)
        left, right = tokenizer.parents(token_id) or (-1, -1)
        assert left < token_id
        assert right < token_id
        assert tokenizer.token(left) + tokenizer.token(right) == content
        assert tokenizer.merge_tree(token_id).content == content


def test_encode_steps_and_tree_of_a_word_of_gpt2() -> None:
    """`Ġ t`, `Ġ a` and `h e` are the first lines of GPT-2's merges.txt.

    In `he ll o` both neighbours join to a token: `hell` (rank 12,502) comes before `llo` (18,542).
    """
    tokenizer = bpe.load_pretrained("gpt2")
    assert tokenizer.merges[:3] == (
        bpe.MergeRule(0, (220, 83), 256),
        bpe.MergeRule(1, (220, 64), 257),
        bpe.MergeRule(2, (71, 68), 258),
    )
    steps = list(tokenizer.encode_steps("hello"))
    assert [tokenizer.token(step.token_id) for step in steps] == [
        b"he",
        b"ll",
        b"hell",
        b"hello",
    ]
    assert [step.rank + 256 for step in steps] == [step.token_id for step in steps]
    tree = tokenizer.merge_tree(31373)
    assert (tree.content, tree.left.content, tree.right.content) == (b"hello", b"hell", b"o")


def test_a_cut_vocabulary_keeps_special_tokens_and_the_first_merges() -> None:
    """Cut to 1,000 tokens, o200k_base has the tokens of rank 0 to 997 and its two special ones."""
    whole = bpe.load_pretrained("o200k_base")
    cut = whole.with_vocab_size(1000)
    assert (cut.n_tokens, cut.vocab_size, cut.special_tokens) == (
        1000,
        200_019,
        whole.special_tokens,
    )
    small = {content: rank for content, rank in ranks("o200k_base").items() if rank < 998}
    theirs = peer_of_ranks(small, settings("o200k_base")["pat_str"])
    for text in random_texts(300, seed=4):
        assert cut.encode(text).ids == theirs.encode_ordinary(text)
    assert cut.merges == whole.merges[: 998 - 256]
    assert cut.with_vocab_size(258).merges == ()
    assert cut.with_vocab_size(1001) is cut
    assert whole.with_vocab_size(200_000) is whole
    assert cut.with_vocab_size(500) == whole.with_vocab_size(500)
    with pytest.raises(bpe.ConfigError, match="258"):
        whole.with_vocab_size(257)


def test_a_small_encoding_comes_back_from_its_file() -> None:
    """Saved as tokenizer.json and loaded, its rules are a list, and it is the same tokenizer."""
    tokenizer = bpe.load_pretrained("r50k_base").with_vocab_size(2000)
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert not isinstance(loaded.vocabulary, RankVocabulary)
    assert loaded == tokenizer
    assert hash(loaded) == hash(tokenizer)
    assert loaded != tokenizer.with_vocab_size(1999)


@given(st.data())
def test_a_table_of_any_ranks_encodes_as_in_tiktoken(data: st.DataObject) -> None:
    """Also tables that no training gives: a token no pair makes, parts of higher rank."""
    tokens = data.draw(st.lists(st.text("abc", min_size=2, max_size=5), unique=True, max_size=12))
    letters = data.draw(st.permutations([bytes([value]) for value in b"abc"]))
    table = [*letters, *(token.encode() for token in tokens)]
    data.draw(st.randoms(use_true_random=False)).shuffle(table)
    text = data.draw(st.text("abc", max_size=80))
    ours = bpe.Tokenizer(RankVocabulary(tuple(table), {}), "byte", ignore_merges=True)
    theirs = peer_of_ranks({token: rank for rank, token in enumerate(table)})
    assert ours.encode(text).ids == theirs.encode_ordinary(text)
