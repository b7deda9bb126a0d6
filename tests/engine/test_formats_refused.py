"""tokenizer.json: every file that cannot be read whole is refused, and the message names why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bpe
from tests.engine.tokenizer_files import byte_document, document

SPLIT = {"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated", "invert": False}
OWN = {"version": 1, "base": "char", "end_of_word": None, "ends_word": [], "merges": [[0, 1, 3]],
       "tokens": ["a", "b", "c", "ab"]}  # fmt: skip


def added(content: str, token_id: int) -> dict[str, Any]:
    return {"id": token_id, "content": content}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": None}, "there is no model object; is it a tokenizer.json"),
        ({"model": []}, "there is no model object"),
        ({"model__type": "WordPiece"}, "model.type is 'WordPiece' .* only BPE models"),
        ({"model__type": "Unigram", "model__vocab": [["a", -1.0]]}, "model.type is 'Unigram'"),
        ({"model__type": 5}, "model.type is 5"),
        ({"model": {"vocab": {"a": 0}}}, "the model has no merges; only BPE models can be read"),
        ({"version": "2.0"}, "version is '2.0'; only '1.0' can be read"),
        ({"model__dropout": 0.1}, "model.dropout 0.1 is not supported"),
        ({"model__dropout": True}, "model.dropout True is not supported"),
        ({"model__continuing_subword_prefix": 5}, "continuing_subword_prefix must be text or null"),
        ({"model__continuing_subword_prefix": "##"}, r"\[0\]: 'b' does not begin with .* '##'"),
        ({"model__end_of_word_suffix": ["</w>"]}, "end_of_word_suffix must be text or null, not "),
        ({"model__byte_fallback": 1}, "model.byte_fallback must be true or false, not 1"),
        ({"model__fuse_unk": "yes"}, "model.fuse_unk must be true or false, not 'yes'"),
        ({"model__ignore_merges": "no"}, "model.ignore_merges must be true or false, not 'no'"),
        ({"model__unk_token": "?"}, "model.unk_token '\\?' is not in model.vocab"),
        ({"model__unk_token": ["a"]}, r"model.unk_token must be text or null, not \['a'\]"),
        ({"model__vocab": None}, "model.vocab must be an object of token to id"),
        ({"model__vocab": ["a"]}, "model.vocab must be an object of token to id"),
        ({"model__vocab": {"a": "0"}}, "model.vocab: the id of 'a' must be a whole number .* '0'"),
        ({"model__vocab": {"a": -1}}, "model.vocab: the id of 'a' must be .* not -1"),
        ({"model__vocab": {"a": 1.0}}, "model.vocab: the id of 'a' must be .* not 1.0"),
        ({"model__vocab": {"a": True}}, "model.vocab: the id of 'a' must be .* not True"),
        ({"model__vocab": {"a": 10**12}}, "model.vocab: the id 1000000000000 of 'a' is too large"),
        ({"model__vocab": {"a": 0, "b": 0}}, "the tokens 'a' and 'b' share the id 0"),
        ({"model__vocab": {"\ud83d": 0}}, r"the token '\\ud83d' holds half of a surrogate pair"),
        ({"model__merges": None}, "model.merges must be a list"),
        ({"model__merges": "a b"}, "model.merges must be a list"),
        ({"model__merges": ["a b", "a"]}, r"model.merges\[1\] must be two tokens, .* not 'a'"),
        ({"model__merges": ["a  b"]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": ["a b c"]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": [["a"]]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": [["a", ""]]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": [["a", 1]]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": [5]}, r"model.merges\[0\] must be two tokens"),
        ({"model__merges": ["a x"]}, r"merges\[0\] 'a x' needs the token 'x', which is not in"),
        ({"model__merges": ["b c"]}, r"merges\[0\] 'b c' needs the token 'bc', which is not in"),
        ({"truncation": {"max_length": 5}}, "truncation is not supported; only null is"),
        ({"padding": {"length": 5}}, "padding is not supported; only null is"),
        ({"post_processor": {"type": "TemplateProcessing"}}, "post_processor.single must be a l"),
        ({"post_processor": {"type": "Nothing"}}, "the post_processor 'Nothing' is not supported"),
        ({"post_processor": 5}, "post_processor must be null or an object with a type, not 5"),
        ({"normalizer": {"type": "Precompiled"}}, "the normalizer 'Precompiled' is not supported"),
        ({"normalizer": {"type": "Sequence", "normalizers": 5}}, "normalizer.normalizers must be"),
        ({"normalizer": {"type": "Sequence", "normalizers": [5]}}, r"normalizers\[0\] must be "),
        ({"normalizer": "NFC"}, "normalizer must be null or an object with a type, not 'NFC'"),
        ({"pre_tokenizer": {"type": "UnicodeScripts"}}, "pre_tokenizer 'UnicodeScripts' is not"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "replacement must be a string; it is missing"),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": {}}}, "pretokenizers must be"),
        ({"pre_tokenizer": {**SPLIT, "behavior": "Removes"}}, "pre_tokenizer.behavior .*'Removes'"),
        ({"pre_tokenizer": {**SPLIT, "invert": 1}}, "pre_tokenizer.invert must be true or false"),
        ({"pre_tokenizer": {**SPLIT, "pattern": {"Word": "a"}}}, "pre_tokenizer.pattern"),
        ({"pre_tokenizer": {**SPLIT, "pattern": {"Regex": "("}}}, "pre_tokenizer.pattern: .*'\\('"),
        ({"decoder": {"type": "CTC"}}, "the decoder 'CTC' is not supported"),
        ({"added_tokens": {"a": 1}}, "added_tokens must be a list"),
        ({"added_tokens": [5]}, r"added_tokens\[0\] must be an object with content and id"),
        ({"added_tokens": [{"id": 9}]}, r"added_tokens\[0\] must be an object with content and id"),
        ({"added_tokens": [{"id": 9, "content": ""}]}, r"added_tokens\[0\] has an empty content"),
        ({"added_tokens": [{"content": "x"}]}, r"added_tokens\[0\]: the id of 'x' must be .* None"),
        ({"added_tokens": [{"id": 3, "content": "a"}]}, r"\[0\] 'a' has two ids: 0 and 3"),
        ({"added_tokens": [{"id": 0, "content": "x"}]}, "the tokens 'a' and 'x' share the id 0"),
        ({"added_tokens": [{"id": 9, "content": "x", "lstrip": 1}]}, "'x': lstrip must be true or"),
        ({"added_tokens": [{"id": 9, "content": "x", "special": "no"}]}, "special must be true"),
        ({"added_tokens": [added("x", 9), added("x", 8)]}, r"\[1\] 'x' is listed twice, and not"),
        ({"added_tokens": [added("x", 9), added("y", 9)]}, "tokens 'x' and 'y' share the id 9"),
        ({"bpe_explorer": 5}, "bpe_explorer must be an object of version 1"),
        ({"bpe_explorer": {**OWN, "version": 2}}, "bpe_explorer must be an object of version 1"),
        ({"bpe_explorer": {**OWN, "base": "byte"}}, "base is 'byte', but .* of base char"),
        ({"bpe_explorer": {**OWN, "tokens": None}}, "bpe_explorer.tokens must be a list"),
        ({"bpe_explorer": {**OWN, "tokens": ["a", 5]}}, r"tokens\[1\] must be text or null, not 5"),
        ({"bpe_explorer": {**OWN, "tokens": ["\udc00"]}}, r"tokens\[0\] must be text or null"),
        ({"bpe_explorer": {**OWN, "end_of_word": 5}}, "end_of_word must be text or null, not 5"),
        ({"bpe_explorer": {**OWN, "ends_word": [0]}}, "ends_word: 0 does not end with the marker"),
        ({"bpe_explorer": {**OWN, "ends_word": [[]]}}, r"ends_word: \[\] does not end with"),
        ({"bpe_explorer": {**OWN, "merges": [[0, 1]]}}, r"merges\[0\] must be three ids"),
        ({"bpe_explorer": {**OWN, "merges": [[0, 1, 2]]}}, r"\[0\]: 'a' and 'b' do not make 'c'"),
        ({"bpe_explorer": {**OWN, "merges": [[0, 9, 3]]}}, r"merges\[0\]: 'a' and None do not"),
        ({"bpe_explorer": {**OWN, "merges": [[0, 1.0, 3]]}}, r"merges\[0\]: 'a' and None do not"),
        ({"bpe_explorer": OWN, "added_tokens": [added("x", 9)]}, r"not hold .* token 'x' \(9\)"),
        ({"bpe_explorer": OWN, "added_tokens": [added("x", 2)]}, r"tokens\[2\] 'c' is not the spe"),
        ({"bpe_explorer": OWN, "added_tokens": [added("ab", 3)]}, r"merges\[0\]: .* do not make"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_whole_is_refused_by_key(
    changes: dict[str, Any], message: str
) -> None:
    source = document(**changes)
    with pytest.raises(bpe.FormatError, match=message) as raised:
        bpe.load_tokenizer_json(source)
    assert str(raised.value).startswith("the object: ")
    if "\\ud" not in json.dumps(source):
        with pytest.raises(bpe.FormatError, match=message):
            bpe.load_tokenizer_json(json.dumps(source, ensure_ascii=False).encode())


def test_byte_fallback_of_a_byte_base_is_refused_unless_every_byte_is_there() -> None:
    """It would look for the bytes of the characters that stand for bytes."""
    few = byte_document(model__vocab={"a": 0}, model__merges=[], model__byte_fallback=True)
    with pytest.raises(bpe.FormatError, match="byte_fallback is not supported together with Byte"):
        bpe.load_tokenizer_json(few)
    every = bpe.load_tokenizer_json(byte_document(model__byte_fallback=True))
    assert every == bpe.load_tokenizer_json(byte_document())


def test_a_byte_level_token_with_a_foreign_character_is_refused() -> None:
    vocab = {"a": 0, "日": 1}
    with pytest.raises(bpe.FormatError, match="'日' has a character that is not of the byte-level"):
        bpe.load_tokenizer_json(byte_document(model__vocab=vocab, model__merges=[]))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "the file is not JSON: .* in line 1, column 1"),
        ("", "cannot read the file ''"),
        ("{", "the text is not JSON: .* in line 1, column 2"),
        ('{"model": {"vocab": {"a": 0', "the text is not JSON"),
        ('{"a": 1} x', "the text is not JSON: Extra data"),
        (b"[1, 2]", "the file holds a JSON list, not an object"),
        (b"null", "the file holds a JSON NoneType, not an object"),
        (b"\xff\xfe{\x00", "the file is not UTF-8: the first bad byte is number 0"),
        (b"<!DOCTYPE html><html>Not found</html>", "the file is not JSON"),
        ("<html>" + "x" * 5000, "cannot read the file '<html>x{190,200}"),
        ('{"model": 1, "model": 2}', "the key 'model' stands twice in one object"),
        ('{"model": {"vocab": {"a": 0, "a": 1}}}', "the key 'a' stands twice"),
        ('{"model": ' + "9" * 5000 + "}", "the text cannot be read"),
        ('{"model": ' + "[" * 100_000 + "}", "nested too deeply"),
        (Path("/no/such/file.json"), "cannot read the file '/no/such/file.json': No such"),
        ("/no/such/file.json", "cannot read the file '/no/such/file.json': No such file"),
        ("a\x00b", "cannot read the file"),
        (Path("/"), "cannot read the file '/'"),
        (None, "cannot read a NoneType: give a path, bytes, text or a parsed JSON object"),
        (5, "cannot read a int"),
        ([1], "cannot read a list"),
    ],
)  # fmt: skip
def test_what_is_no_file_is_refused(source: Any, message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message) as raised:
        bpe.load_tokenizer_json(source)
    assert len(str(raised.value)) < 400


def test_a_normalizer_in_thousands_of_sequences_is_refused() -> None:
    part: dict[str, Any] = {"type": "NFC"}
    for _ in range(5000):
        part = {"type": "Sequence", "normalizers": [part]}
    with pytest.raises(bpe.FormatError, match="nested too deeply"):
        bpe.load_tokenizer_json(document(normalizer=part))
