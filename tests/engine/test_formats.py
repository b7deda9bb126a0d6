"""tokenizer.json: what is read, from wherever it comes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bpe
from bpe.json_pipeline import PUBLISHED_EXPRESSIONS
from tests.engine.tokenizer_files import (
    BYTE_LEVEL,
    LETTERS,
    NO_REGEX,
    TWO_NORMALIZERS,
    WORDS_AS_BYTES,
    byte_document,
    document,
)


@pytest.mark.parametrize("merges", [[["a", "b"]], ["a b"], [("a", "b")]])
def test_merges_are_read_as_pairs_and_as_lines(merges: list[Any]) -> None:
    source = document(model__merges=[list(m) if isinstance(m, tuple) else m for m in merges])
    tokenizer = bpe.load_tokenizer_json(source)
    assert tokenizer.encode("abc").tokens == ["ab", "c"]
    assert tokenizer.warnings == ()


def test_a_file_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.json"
    tokenizer = bpe.train("low low", num_merges=2).tokenizer
    tokenizer.save(path)
    monkeypatch.setattr("bpe.file_limits.MAX_FILE_BYTES", 1000)
    with pytest.raises(bpe.FormatError, match=r"t\.json has .* bytes; a tokenizer file may have"):
        bpe.train("low lower", num_merges=5).tokenizer.save(path)
    monkeypatch.undo()
    assert bpe.Tokenizer.load(path) == tokenizer


def test_of_a_merge_listed_twice_the_first_counts_with_a_warning() -> None:
    vocab = {**LETTERS, "bc": 4}
    merges = [["a", "b"], ["b", "c"], "a b", ["a", "b"]]
    tokenizer = bpe.load_tokenizer_json(document(model__vocab=vocab, model__merges=merges))
    assert tokenizer.encode("abc").tokens == ["ab", "c"]
    assert [rule.rank for rule in tokenizer.merges] == [0, 1]
    assert tokenizer.warnings == (
        "the merge 'a b' is listed twice (again as number 2): the first listing counts",
        "2 merges in all are listed more than once",
    )


@pytest.mark.parametrize(
    ("pre_tokenizer", "base", "pattern"),
    [
        (None, "char", "none"),
        ({"type": "Sequence", "pretokenizers": []}, "char", "none"),
        ({"type": "WhitespaceSplit"}, "char", "whitespace"),
        (BYTE_LEVEL, "byte", "gpt2"),
        ({"type": "ByteLevel", "add_prefix_space": False}, "byte", "gpt2"),
        (NO_REGEX, "byte", "none"),
        (WORDS_AS_BYTES, "byte", "whitespace"),
    ],
)  # fmt: skip
def test_pre_tokenizers_that_are_read(pre_tokenizer: Any, base: str, pattern: str) -> None:
    make = byte_document if base == "byte" else document
    tokenizer = bpe.load_tokenizer_json(make(pre_tokenizer=pre_tokenizer))
    assert (tokenizer.base, tokenizer.pattern) == (base, pattern)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
def test_published_expressions_are_read_as_named_patterns(name: str) -> None:
    split = {"type": "Split", "pattern": {"Regex": PUBLISHED_EXPRESSIONS[name]},
             "behavior": "Isolated", "invert": False}  # fmt: skip
    steps = {"type": "Sequence", "pretokenizers": [split, NO_REGEX]}
    assert bpe.load_tokenizer_json(byte_document(pre_tokenizer=steps)).pattern == name
    assert bpe.load_tokenizer_json(document(pre_tokenizer=split)).pattern == name
    split["pattern"] = {"Regex": "[a-c]+"}
    assert bpe.load_tokenizer_json(document(pre_tokenizer=split)).pattern == "[a-c]+"


@pytest.mark.parametrize(
    ("part", "names"),
    [
        (None, ()),
        ({"type": "Lowercase"}, ("lowercase",)),
        ({"type": "NFKC"}, ("nfkc",)),
        (TWO_NORMALIZERS, ("nfd", "lowercase")),
        ({"type": "Sequence", "normalizers": []}, ()),
    ],
)  # fmt: skip
def test_normalizers_that_are_read(part: Any, names: tuple[str, ...]) -> None:
    assert bpe.load_tokenizer_json(document(normalizer=part)).normalizer == names


def test_added_tokens_in_the_vocabulary_and_beyond_it() -> None:
    added = [{"id": 2, "content": "c", "special": True}, {"id": 9, "content": "<s>"}]
    tokenizer = bpe.load_tokenizer_json(document(added_tokens=added))
    assert tokenizer.special_tokens == {"c": 2, "<s>": 9}
    assert tokenizer.encode("ab<s>c", allowed_special="all").ids == [3, 9, 2]
    assert (tokenizer.n_tokens, tokenizer.vocab_size, tokenizer.base_size) == (5, 10, 2)


def test_an_unknown_token_of_a_character_base() -> None:
    source = document(model__vocab={"<unk>": 7, **LETTERS}, model__unk_token="<unk>")
    tokenizer = bpe.load_tokenizer_json(source)
    assert tokenizer.unknown_token == "<unk>"
    assert tokenizer.encode("axb").ids == [0, 7, 1]
    assert tokenizer.special_tokens == {"<unk>": 7}


def test_an_unknown_token_of_a_byte_base_counts_where_bytes_are_missing() -> None:
    """One a byte: é is two. With all 256 bytes nothing is unknown, and <unk> is a plain token."""
    vocab = {"<unk>": 0, "a": 1, "b": 2, "ab": 3}
    changes = {"model__merges": ["a b"], "model__unk_token": "<unk>"}
    few = bpe.load_tokenizer_json(byte_document(model__vocab=vocab, **changes))
    assert few.encode("abé").ids == [3, 0, 0]
    assert [(span.byte_start, span.byte_end) for span in few.encode("abé").spans] == [
        (0, 2),
        (2, 3),
        (3, 4),
    ]
    assert not few.is_lossless
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(few)) == few
    every = byte_document()["model"]["vocab"] | {"ab": 257, "<unk>": 258}
    full = bpe.load_tokenizer_json(byte_document(model__vocab=every, **changes))
    assert full.unknown_token is None
    assert full.is_lossless


def test_a_byte_that_is_missing_without_an_unknown_token_is_named_by_its_character() -> None:
    vocab = {"a": 0}
    tokenizer = bpe.load_tokenizer_json(byte_document(model__vocab=vocab, model__merges=[]))
    with pytest.raises(bpe.UnknownSymbolError, match="'é' at position 1"):
        tokenizer.encode("aé")


def test_ignore_merges_takes_a_pre_token_that_is_a_token_whole() -> None:
    vocab = {**LETTERS, "abc": 4}
    changes = {"model__vocab": vocab, "pre_tokenizer": {"type": "WhitespaceSplit"}}
    plain = bpe.load_tokenizer_json(document(**changes))
    ignoring = bpe.load_tokenizer_json(document(**changes, model__ignore_merges=True))
    assert plain.encode("abc abca").tokens == ["ab", "c", "ab", "c", "a"]
    assert ignoring.encode("abc abca").tokens == ["abc", "ab", "c", "a"]
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(ignoring)) == ignoring


def test_parts_that_are_missing_or_null_are_none() -> None:
    bare = {"model": {"vocab": dict(LETTERS), "merges": []}}
    assert bpe.load_tokenizer_json(bare) == bpe.load_tokenizer_json(document(model__merges=[]))
    nulls = {"truncation": None, "padding": None, "post_processor": None, "decoder": None}
    assert bpe.load_tokenizer_json({**bare, **nulls}).n_tokens == 4


def as_path(text: str, folder: Path) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda text, folder: json.loads(text),
        lambda text, folder: text,
        lambda text, folder: " \n" + text,
        lambda text, folder: "\ufeff" + text,
        lambda text, folder: text.encode("utf-8"),
        lambda text, folder: bytearray(text.encode("utf-8-sig")),
        lambda text, folder: as_path(text, folder),
        lambda text, folder: str(as_path("\ufeff" + text, folder)),
    ],
    ids=["object", "text", "blanks", "marked text", "bytes", "marked bytes", "path", "str path"],
)
def test_every_kind_of_source_gives_the_same(
    make: Callable[[str, Path], Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = bpe.to_tokenizer_json(bpe.train("é日 é日 low", num_merges=9).tokenizer)
    source = make(text, tmp_path_factory.mktemp("source"))
    kept = copy.deepcopy(source)
    assert bpe.load_tokenizer_json(source) == bpe.load_tokenizer_json(text)
    assert source == kept


def test_the_file_is_plain_unless_spellings_do_not_do() -> None:
    """Other programs refuse a key they do not know; so it stands only where it must."""

    def written(**settings: Any) -> dict[str, Any]:
        run = bpe.train({"ab": 2}, num_merges=1, **settings)
        parsed: dict[str, Any] = json.loads(bpe.to_tokenizer_json(run.tokenizer))
        return parsed

    assert "bpe_explorer" not in written()
    assert "bpe_explorer" not in written(base="char", special_tokens=["<s>"])
    assert written(end_of_word="</w>")["bpe_explorer"]["ends_word"] == [256]
    assert "bpe_explorer" in written(special_tokens=["ab"])
    assert "bpe_explorer" in written(base="char", special_tokens=["a"])
