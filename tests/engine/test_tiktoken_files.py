"""tiktoken rank files: the same ids as tiktoken from the same ranks, or a refusal by line."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st

import bpe
from bpe.text_pipeline import PUBLISHED_EXPRESSIONS
from bpe.tiktoken_files import KNOWN_FILES, SPELLINGS, write_ranks
from tests.engine.random_texts import random_texts
from tests.engine.tiktoken_peers import NAMES, peer_of_ranks, settings

SINGLE = [(i, bytes([i])) for i in range(256)]
LINES = write_ranks(SINGLE)


def load(*more: tuple[int, bytes], **settings: Any) -> bpe.Tokenizer:
    return bpe.load_tiktoken(LINES + write_ranks(more), **{"pattern": "none", **settings})


def test_ranks_are_ids() -> None:
    tokenizer = load((256, b"ab"), pattern="gpt2")
    assert tokenizer.encode("abab").ids == [256, 256]
    assert tokenizer.decode([256, 97]) == "aba"
    assert (tokenizer.base, tokenizer.pattern, tokenizer.vocab_size) == ("byte", "gpt2", 257)
    assert tokenizer.warnings == ("a rank file holds no special tokens: there are none",)


def test_ranks_may_leave_ids_out() -> None:
    tokenizer = load((257, b"ab"), special_tokens={"<s>": 300})
    assert tokenizer.encode("ab<s>", allowed_special="all").ids == [257, 300]
    assert tokenizer.warnings == (
        "43 ids below the highest belong to no token, the first of them 256",
    )


@pytest.mark.parametrize("special", ["<", "ab", "é", " "])
def test_a_special_token_spelled_like_a_rank_is_saved_with_its_own_id(special: str) -> None:
    """The file lists a spelling once among the model's tokens, and added tokens by id."""
    tokenizer = load((256, b"ab"), special_tokens={"<s>": 257, special: 300})
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert loaded == tokenizer
    for allowed in ((), (special,)):
        ids = tokenizer.encode("<ab é", allowed_special=allowed).ids
        assert loaded.encode("<ab é", allowed_special=allowed).ids == ids
        assert (300 in ids) == bool(allowed)


def test_the_empty_token_is_a_sign_alone() -> None:
    tokenizer = load((256, b""), (257, b"ab"))
    assert tokenizer.encode("ab").ids == [257]
    assert tokenizer.decode([97, 256, 98]) == "ab"
    assert bpe.to_tiktoken(tokenizer).splitlines()[256] == "= 256"
    assert bpe.load_gpt2(*bpe.to_gpt2(tokenizer)).vocabulary.contents[256] == b""


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode(),
        b"\xef\xbb\xbf" + LINES.encode(),
        LINES.replace("\n", "\r\n").encode(),
        LINES.rstrip("\n"),
        LINES + "\n\n",
        "".join(reversed(LINES.splitlines(keepends=True))),
    ],
    ids=["bytes", "mark", "crlf", "no last line end", "blank lines", "backwards"],
)
def test_every_form_of_the_file_gives_the_same(data: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "ranks"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    expected = load()
    for source in (data, path, str(path)):
        assert bpe.load_tiktoken(source, pattern="none") == expected


def test_a_pattern_is_asked_for_and_never_guessed() -> None:
    with pytest.raises(
        bpe.PatternNeeded, match=r"no pattern .* choose gpt2, cl100k, o200k"
    ) as asked:
        bpe.load_tiktoken(LINES)
    assert asked.value.suggestion is None
    with pytest.raises(bpe.ConfigError, match="does not compile"):
        bpe.load_tiktoken(LINES, pattern="(")


def test_the_pattern_of_a_known_file_is_suggested() -> None:
    tokenizer = bpe.load_pretrained("r50k_base")
    text = bpe.to_tiktoken(tokenizer)
    with pytest.raises(bpe.PatternNeeded) as asked:
        bpe.load_tiktoken(text.replace("\n", "\r\n"))
    assert asked.value.suggestion == "gpt2"
    loaded = bpe.load_tiktoken(text, pattern="gpt2", special_tokens=tokenizer.special_tokens)
    assert loaded.vocabulary.contents == tokenizer.vocabulary.contents
    assert loaded.encode("Tokenization, ½ 文本").ids == tokenizer.encode("Tokenization, ½ 文本").ids


@pytest.mark.parametrize(("expression", "name"), SPELLINGS.items())
def test_a_published_expression_is_the_named_pattern(expression: str, name: str) -> None:
    """The name splits in kernels, and as Unicode 16 has it, whatever `regex` knows."""
    tokenizer = load((256, b"  "), (257, b"'s"), pattern=expression)
    assert tokenizer.pattern == name
    ranks = {token: i for i, token in enumerate(tokenizer.vocabulary.contents)}
    peer = peer_of_ranks(ranks, expression)  # type: ignore[arg-type]
    for text in random_texts(300, seed=5):
        assert tokenizer.encode(text).ids == peer.encode(text)
    assert load(pattern=PUBLISHED_EXPRESSIONS["o200k"]).pattern == "o200k"


def test_known_files_are_those_of_tiktoken() -> None:
    """By the hashes it checks them against; `test_pretrained` checks ours of the bundled ranks."""
    known = {settings(name)["mergeable_ranks"]: bpe.load_pretrained(name).pattern for name in NAMES}
    assert known == KNOWN_FILES


@settings_of_hypothesis(max_examples=25)
@given(
    st.lists(
        st.binary(min_size=2, max_size=5).map(lambda b: bytes(97 + i % 3 for i in b)), unique=True
    ),
    st.lists(st.text("abcd ", max_size=9), max_size=5),
    st.randoms(use_true_random=False),
)
def test_any_table_of_ranks_encodes_as_in_tiktoken(
    tokens: list[bytes], texts: list[str], dice: random.Random
) -> None:
    """Also tokens that no two others make: as in tiktoken, a pre-token that spells one is it."""
    ranks = dice.sample(range(300), 256 + len(tokens))
    table = list(zip(ranks, [*(token for _, token in SINGLE), *tokens], strict=True))
    pattern = r"[^ ]+| +"
    tokenizer = bpe.load_tiktoken(write_ranks(table), pattern=pattern)
    peer = peer_of_ranks({token: rank for rank, token in table}, pattern)
    for text in [*texts, *(token.decode() for token in tokens)]:
        assert tokenizer.encode(text).ids == peer.encode(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("YQ== 0\nYg== 0\n", r"line 2: duplicate rank 0: b'a' in line 1 has it"),
        ("YQ== 0\nYQ== 1\n", r"line 2: duplicate token b'a', which stands in line 1 too"),
        ("YQ== 0\nYg== 1\n", r"byte 0x21 is not in the rank table \(254 of 256 single bytes are"),
        (write_ranks(SINGLE[:65] + SINGLE[66:]), r"byte 0x41 .*\(1 of 256 single bytes is missing"),
        ("", "the file holds no ranks: it is empty"),
        ("\n\n", "the file holds no ranks: it is empty"),
        ("<!DOCTYPE html>\n<html>404</html>\n", "the file is an HTML page"),
        ("<html>404</html>", "the file is an HTML page"),
        ("YQ== 0\n<p>\n", "line 2 must be a token in base64, a space and its rank, .* not '<p>'"),
        ("YQ==\n", "line 1 must be a token in base64"),
        ("YQ== x\n", "line 1 must be a token in base64"),
        ("YQ== -1\n", "line 1 must be a token in base64"),
        ("YQ==  1\n", "line 1 must be a token in base64"),
        ("YQ==\u30001\n", "line 1 must be a token in base64"),
        ("YQ== 1\u2028Yg== 2\n", "line 1 must be a token in base64"),
        ("YQ== \u0661\n", "line 1 must be a token in base64"),
        (" 1\n", "line 1 must be a token in base64"),
        ("YQ 1\n", "line 1: 'YQ' is not base64: Incorrect padding"),
        ("YQ== 99999999999999999999\n", "line 1: the rank 99999999999999999999 is too large"),
        ("YQ== 10000001\n", "line 1: the rank 10000001 is too large"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("pattern", [None, "gpt2"])
def test_a_damaged_file_is_refused_by_line(text: str, message: str, pattern: str | None) -> None:
    with pytest.raises(bpe.FormatError, match=message) as raised:
        bpe.load_tiktoken(text, pattern=pattern)
    assert not isinstance(raised.value, bpe.PatternNeeded)
    with pytest.raises(bpe.FormatError, match=message):
        bpe.load_tiktoken(text.encode(), pattern=pattern)


@pytest.mark.parametrize(
    ("special_tokens", "message"),
    [
        ({"<a>": 200018, "<b>": 200018}, "duplicate id 200018: '<a>' and '<b>' share it"),
        ({"<a>": 97}, "duplicate id 97: b'a' and '<a>' share it"),
        ({"": 300}, "a token must be text, not ''"),
        ({5: 300}, "a token must be text, not 5"),
        ({"\ud800": 300}, "a token must be text"),
        ({"<a>": -1}, "the id of '<a>' must be a whole number from 0"),
        ({"<a>": 1.5}, "the id of '<a>' must be a whole number from 0"),
        ({"<a>": 10**12}, "the id of '<a>' must be a whole number from 0"),
        (["<a>"], "special_tokens must be a mapping of token to id"),
    ],
)
def test_special_tokens_that_cannot_be(special_tokens: Any, message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message):
        load(special_tokens=special_tokens)


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    for source in (None, 5, {"a": 1}):
        with pytest.raises(bpe.FormatError, match="cannot read a"):
            bpe.load_tiktoken(source)
    with pytest.raises(bpe.FormatError, match=r"cannot read the file .*No such file"):
        bpe.load_tiktoken(tmp_path / "none")
    with pytest.raises(bpe.FormatError, match="not UTF-8"):
        bpe.load_tiktoken(base64.b64decode("/w=="))
