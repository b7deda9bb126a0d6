"""Damaged files give a tokenizer that works or a FormatError, whatever is damaged."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bpe

JUNK: list[Any] = [
    None, True, False, 0, -1, 3, 1.5, 10**9, "", "a", "a b", "Ġ", "日", "\ud800", "</w>",
    [], [0], ["a", "b"], [[0, 1, 2]], {}, {"a": 0}, {"type": "BPE"}, {"type": "NFC"},
    {"type": "ByteLevel", "add_prefix_space": False}, {"type": "Sequence", "normalizers": [None]},
]  # fmt: skip
N_PER_KIND = 600


def documents() -> list[str]:
    """Files of every shape that is written: both bases, marker, specials, normalizers, patterns."""
    settings: list[dict[str, Any]] = [
        {"base": "char", "pattern": "whitespace", "unknown_token": "?", "num_merges": 4},
        {"base": "char", "pattern": "[a-z]+", "end_of_word": "</w>", "num_merges": 5},
        {"base": "char", "normalizer": ("nfkc", "lowercase"), "special_tokens": ["<s>", "a"]},
        {"base": "byte", "pattern": "o200k", "end_of_word": "_", "special_tokens": ["<s>"]},
        {"base": "byte", "pattern": "gpt2", "normalizer": "nfc", "num_merges": 6},
    ]
    words = {"ab": 3, "abc": 2, "é": 2, "a</w>": 1}
    return [
        bpe.to_tokenizer_json(bpe.train(words, **({"num_merges": 3} | chosen)).tokenizer)
        for chosen in settings
    ]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def damaged_value(text: str, dice: random.Random) -> dict[str, Any]:
    """A file in which some values are junk, gone, or stand at another's place too."""
    document: dict[str, Any] = json.loads(text)
    for _ in range(dice.randint(1, 3)):
        found = list(places(document))
        # Nearly all places are entries of the vocabulary: half of the time take one of the others.
        few = [place for place in found if len(place[0]) < 40]
        container, key = dice.choice(dice.choice([found, few]))
        kind = dice.choice(["junk", "junk", "delete", "copy"])
        if kind == "junk":
            container[key] = copy.deepcopy(dice.choice(JUNK))
        elif kind == "delete":
            del container[key]
        else:
            other, other_key = dice.choice(few)
            container[key] = copy.deepcopy(other[other_key])
    return document


def damaged_bytes(text: str, dice: random.Random) -> bytes:
    """A file of which some bytes are others, missing or doubled."""
    data = bytearray(text.encode("utf-8"))
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data))
        kind = dice.choice(["flip", "cut", "tail", "repeat"])
        if kind == "flip":
            data[at] = dice.choice([dice.randrange(256), *b'"{}[],:0'])
        elif kind == "cut":
            del data[at : at + dice.randint(1, 20)]
        elif kind == "repeat":
            data[at:at] = data[at : at + dice.randint(1, 20)]
        elif dice.random() < 0.2:
            del data[at:]
    return bytes(data)


def use(tokenizer: bpe.Tokenizer) -> None:
    """What any program does with a tokenizer; only characters it does not know may stop it."""
    ids = range(tokenizer.vocab_size)
    assigned = [i for i in ids if tokenizer.vocabulary.contents[i] is not None]
    tokenizer.decode(assigned)
    for text in ("abc é", "a</w> <s>?_"):
        try:
            encoding = tokenizer.encode(text, allowed_special="all")
        except bpe.UnknownSymbolError:
            continue
        assert len(encoding.spans) == len(encoding.tokens) == len(encoding.ids)
        tokenizer.decode(encoding.ids)
    for token_id in assigned[-5:]:
        tokenizer.merge_tree(token_id)
    tokenizer.with_vocab_size(tokenizer.n_tokens)
    assert len(tokenizer.fingerprint) == 32
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer


@pytest.mark.parametrize("damage", [damaged_value, damaged_bytes])
def test_a_damaged_file_is_read_or_refused(damage: Any) -> None:
    dice = random.Random(damage.__name__)
    texts = documents()
    n_read = 0
    messages: list[str] = []
    for _ in range(N_PER_KIND):
        source = damage(dice.choice(texts), dice)
        try:
            tokenizer = bpe.load_tokenizer_json(source)
        except bpe.FormatError as error:
            messages.append(str(error))
            continue
        n_read += 1
        use(tokenizer)
    assert min(n_read, len(messages)) > N_PER_KIND // 20
    assert all(10 < len(message) < 1000 for message in messages)


def read_in_little_memory(*arguments: str) -> dict[str, int]:
    """Run `damaged_files` in a process that may use a gigabyte; gives what it counted."""
    command = [sys.executable, "-m", "tests.engine.damaged_files", *arguments]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


def test_two_thousand_damaged_files_are_read_or_refused_in_little_memory() -> None:
    """Of every kind, alone, together and zipped; five seconds are allowed for each."""
    counts = read_in_little_memory("2000", "files")
    assert sum(counts.values()) == 2000
    assert min(counts.values()) > 20
    assert counts.keys() == {"refused", "tokenizer_json", "gpt2", "tiktoken", "sentencepiece"}


def test_files_made_to_fill_the_memory_are_refused() -> None:
    assert read_in_little_memory() == {"refused": 10}
