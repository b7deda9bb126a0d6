"""vocab.json + merges.txt: what is read, what is taken by convention, what is refused by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers

import bpe
from bpe.byte_alphabet import ALPHABET
from bpe.vocabulary import Content

LETTERS = {"#": 0, "a": 1, "b": 2, "##": 3, "#a": 4, "ab": 5}
BYTES = {char: byte for byte, char in enumerate(ALPHABET)}


def merges_of(tokenizer: bpe.Tokenizer) -> list[tuple[Content, ...]]:
    return [tuple(tokenizer.token(part) for part in rule.pair) for rule in tokenizer.merges]


@pytest.mark.parametrize(
    ("merges", "expected"),
    [
        (b"#version: 0.2\n# #\n# a\na b\n", [("#", "#"), ("#", "a"), ("a", "b")]),
        (b"# #\na b\n", [("#", "#"), ("a", "b")]),
        (b"#version: 0.2\r\n# #\r\na b\r\n", [("#", "#"), ("a", "b")]),
        (b"#version: 0.2\n# #\r\na b\n", [("#", "#"), ("a", "b")]),
        (b"#version: 0.2\na b", [("a", "b")]),
        (b"\xef\xbb\xbf#version: 0.2\na b\n", [("a", "b")]),
        (b"\xef\xbb\xbfa b\n", [("a", "b")]),
        (b"#version: 0.2\na b\n\n\r\n\n", [("a", "b")]),
        (b"#version: 0.2", []),
        (b"", []),
    ],
)
def test_lines_are_read_whatever_ends_them(merges: bytes, expected: list[Any]) -> None:
    tokenizer = bpe.load_gpt2(LETTERS, merges)
    assert merges_of(tokenizer) == expected
    assert bpe.load_gpt2(json.dumps(LETTERS), merges.decode()) == tokenizer


@pytest.mark.parametrize(
    "char", ["\x85", "\u2028", "\u2029", "\u3000", "\x1c", "\x0b", "\xa0", "\r"]
)
def test_only_a_plain_space_and_a_line_feed_part_a_file(char: str) -> None:
    vocab = {char: 0, "a": 1, char + "a": 2, "a" + char: 3}
    tokenizer = bpe.load_gpt2(vocab, f"#version: 0.2\n{char} a\na {char}\n")
    assert merges_of(tokenizer) == [(char, "a"), ("a", char)]
    if char != "\r":
        peer = tokenizers.models.BPE(vocab=vocab, merges=[(char, "a"), ("a", char)])
        text = f"{char}aa{char}{char}"
        expected = tokenizers.Tokenizer(peer).encode(text).ids
        assert (
            bpe.load_gpt2(vocab, f"{char} a\na {char}", pattern="none").encode(text).ids == expected
        )


def test_a_line_that_looks_like_the_header_is_one_in_the_first_place_only() -> None:
    vocab = {"#version": 0, "a": 1, "#versiona": 2}
    tokenizer = bpe.load_gpt2(vocab, "#version: 0.2\n#version a\n")
    assert merges_of(tokenizer) == [("#version", "a")]


def test_files_of_bytes_have_the_pattern_of_gpt2_and_say_so() -> None:
    tokenizer = bpe.load_gpt2({**BYTES, "Ġa": 256, "<end>": 300}, "Ġ a\n")
    assert (tokenizer.base, tokenizer.pattern, tokenizer.is_lossless) == ("byte", "gpt2", True)
    assert tokenizer.encode("b a<end>", allowed_special="all").ids == [98, 256, 300]
    assert tokenizer.special_tokens == {"<end>": 300}
    assert tokenizer.warnings == (
        "no merge makes '<end>': taken as a special token",
        "43 ids below the highest belong to no token, the first of them 257",
        "vocab.json and merges.txt hold no pattern: that of GPT-2 is taken, as is the custom for "
        "bytes",
    )
    assert bpe.load_gpt2(BYTES, "", pattern="o200k").pattern == "o200k"
    assert bpe.load_gpt2(BYTES, "", pattern="o200k").warnings == ()


def test_bytes_may_be_missing_where_a_spelled_space_shows_what_is_meant() -> None:
    tokenizer = bpe.load_gpt2({"Ġ": 0, "a": 1, "Ġa": 2}, "Ġ a")
    assert tokenizer.base == "byte"
    assert tokenizer.encode("a a").ids == [1, 2]
    assert "byte 0x21 is not in the vocabulary (254 of 256 single bytes are missing)" in (
        tokenizer.warnings
    )
    assert bpe.load_gpt2({"Ġ": 0, "a": 1, " ": 2}, "").base == "char"


@pytest.mark.parametrize(
    ("more", "pattern", "text", "ids"),
    [({}, "whitespace", "ab a", [5, 1]), ({" ": 6}, "none", "ab a", [5, 6, 1])],
)
def test_files_of_characters_are_split_at_white_space_that_no_token_holds(
    more: dict[str, int], pattern: str, text: str, ids: list[int]
) -> None:
    tokenizer = bpe.load_gpt2({**LETTERS, **more}, "a b\n# #\n# a\n")
    assert (tokenizer.base, tokenizer.pattern) == ("char", pattern)
    assert tokenizer.encode(text).ids == ids
    assert len(tokenizer.warnings) == 1
    assert "hold no pattern" in tokenizer.warnings[0]


def test_an_unknown_token_is_known_by_its_name() -> None:
    tokenizer = bpe.load_gpt2({"<unk>": 0, "a": 1}, "")
    assert tokenizer.unknown_token == "<unk>"
    assert tokenizer.encode("axa").ids == [1, 0, 1]
    assert "'<unk>' is taken as the unknown token because of its name" in tokenizer.warnings
    assert bpe.load_gpt2({**BYTES, "<unk>": 256}, "").unknown_token is None


def test_characters_with_the_suffix_end_words() -> None:
    """Golden (end-of-word-03), and Hugging Face's CharBPETokenizer, which writes such files."""
    vocab = ["l", "o", "w", "e", "r", "w</w>", "r</w>", "lo", "low</w>", "er</w>", "<unk>"]
    merges = "#version: 0.2\nl o\nlo w</w>\ne r</w>\n"
    ids = {token: token_id for token_id, token in enumerate(vocab)}
    tokenizer = bpe.load_gpt2(ids, merges)
    encoding = tokenizer.encode("low lower wlo")
    assert encoding.tokens == ["low</w>", "lo", "w", "er</w>", "w", "l", "<unk>"]
    assert tokenizer.decode(encoding.ids[:4]) == "low lower"
    assert (tokenizer.end_of_word, tokenizer.pattern) == ("</w>", "whitespace")
    assert "tokens that end with '</w>' are taken to end a word" in tokenizer.warnings
    pairs = [tuple(line.split(" ")) for line in merges.splitlines()[1:]]
    model = tokenizers.models.BPE(ids, pairs, unk_token="<unk>", end_of_word_suffix="</w>")
    peer = tokenizers.Tokenizer(model)
    peer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    for text in ("low lower wlo", "ower  r w", "lolow x"):
        assert tokenizer.encode(text).ids == peer.encode(text).ids
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer


def test_a_token_that_spells_the_suffix_is_not_it_where_merges_make_it() -> None:
    vocab = {char: number for number, char in enumerate("a</w>")}
    parts = ["</", "</w", "</w>", "a</w>"]
    merges = "< /\n</ w\n</w >\na </w>\n"
    tokenizer = bpe.load_gpt2({**vocab, **{part: 5 + n for n, part in enumerate(parts)}}, merges)
    assert (tokenizer.end_of_word, tokenizer.encode("a</w>").ids) == (None, [8])


def test_of_a_merge_listed_twice_the_first_counts_with_a_warning() -> None:
    tokenizer = bpe.load_gpt2(LETTERS, "a b\n# a\na b\n")
    assert merges_of(tokenizer) == [("a", "b"), ("#", "a")]
    assert tokenizer.warnings[0] == (
        "the merge 'a b' is listed twice (again in line 3 of merges.txt): the first listing counts"
    )


def test_sources_may_be_paths(tmp_path: Path) -> None:
    vocab, merges = tmp_path / "v.json", tmp_path / "my merges.txt"
    vocab.write_text(json.dumps(LETTERS), encoding="utf-8")
    merges.write_bytes(b"a b\r\n")
    expected = bpe.load_gpt2(str(vocab), merges.read_bytes())
    assert bpe.load_gpt2(vocab, merges) == bpe.load_gpt2(vocab, str(merges)) == expected
    merges.write_bytes(b"a c\r\n")
    with pytest.raises(bpe.FormatError, match=r"my merges.txt: line 1 .*not in .*v\.json"):
        bpe.load_gpt2(vocab, merges)


@pytest.mark.parametrize(
    ("vocab", "merges", "message"),
    [
        (LETTERS, "a b\n\n# #\n", "merges.txt: line 2 must be two tokens with a space .* not ''"),
        (LETTERS, "#version: 0.2\na b #\n", "merges.txt: line 2 must be two tokens .* 'a b #'"),
        (LETTERS, "#version: 0.2\ra b\r", "merges.txt: lines end in CR alone"),
        (LETTERS, "a  b\n", "merges.txt: line 1 must be two tokens"),
        (LETTERS, " a\n", "merges.txt: line 1 must be two tokens"),
        (LETTERS, "a x\n", "line 1 'a x' needs the token 'x', which is not in vocab.json"),
        (LETTERS, "# #\nb #\n", "line 2 'b #' needs the token 'b#', which is not in vocab.json"),
        (LETTERS, "# #\na\u3000b\n", r"line 2 must be two tokens .* 'a\\u3000b'"),
        (LETTERS, b"a b\n\xff", "merges.txt is not UTF-8: the first bad byte is number 4"),
        (LETTERS, b"\xff\xfea\x00", "is not UTF-8: .*it looks like UTF-16: save it as UTF-8"),
        (LETTERS, b"<!DOCTYPE html><p>", "merges.txt is an HTML page .* not a tokenizer file"),
        (LETTERS, None, "cannot read a NoneType: give a path, bytes or text"),
        (LETTERS, "/no/such.txt", "cannot read the file '/no/such.txt': No such file"),
        ({}, "", "vocab.json holds no tokens"),
        ({"a": 0, "b": 0}, "", "vocab.json: duplicate id 0: 'a' and 'b' share it"),
        ({"a": "0"}, "", "vocab.json: the id of 'a' must be a whole number from 0 up, not '0'"),
        ({"a": -1}, "", "vocab.json: the id of 'a' must be a whole number"),
        ({"a": True}, "", "vocab.json: the id of 'a' must be a whole number"),
        ({"a": 10**12}, "", "vocab.json: the id 1000000000000 of 'a' is too large"),
        ({"\ud800": 0}, "", r"vocab.json: the token '\\ud800' is no text"),
        ({**BYTES, "a</w>": 256}, "", "'a</w>' ends a word in a file of bytes, .*as of CLIP"),
        ({**BYTES, "日": 256}, "", "'日' has a character that is not of the byte-level alphabet"),
        ({"model": {"type": "BPE"}}, "", "vocab.json is a tokenizer.json, not a vocab.json"),
        ("[1]", "", r"cannot read the file '\[1\]'"),
        (b"[1]", "", "the file holds a JSON list, not an object"),
        (b"<html>", "", "the file is not JSON: it is an HTML page"),
        (b'{"a": 0', "", "the file is not JSON: .* line 1"),
        ('{"a": 0, "a": 1}', "", "the key 'a' stands twice"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_whole_is_refused(vocab: Any, merges: Any, message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message) as raised:
        bpe.load_gpt2(vocab, merges)
    assert len(str(raised.value)) < 400
