"""The files of a tokenizer as the app names them: titles of their kinds, names made from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

from bpe.file_kinds import FILE_KINDS
from bpe.file_limits import MAX_FILE_BYTES

MAX_UPLOAD_MB: Final = MAX_FILE_BYTES // 1_000_000
KIND_TITLES: Final = MappingProxyType(
    {
        "tokenizer_json": "tokenizer.json",
        "gpt2": "vocab.json + merges.txt",
        "tiktoken": "tiktoken ranks",
        "sentencepiece": "SentencePiece model",
    }
)
assert {*KIND_TITLES} == {*FILE_KINDS}

_ENDINGS = re.compile(r"(\.(json|txt|tiktoken|bpe|model|zip|tokenizer|ranks|vocab|merges))+$", re.I)


def name_of(file_names: Sequence[str]) -> str:
    """Name a tokenizer after its first file, without the endings that say what kind it is.

    >>> name_of(["llama.tokenizer.json"]), name_of(["my model.zip"]), name_of([".json"])
    ('llama', 'my model', 'Tokenizer')
    """
    return _ENDINGS.sub("", file_names[0]).strip() or "Tokenizer"


def file_stem(name: str) -> str:
    """Make a file name of a tokenizer's name.

    >>> file_stem("Hamlet: 1/2 bytes"), file_stem("???")
    ('Hamlet-1-2-bytes', 'tokenizer')
    """
    return re.sub(r"\W+", "-", name).strip("-") or "tokenizer"


def distinct_names(file_names: Iterable[str]) -> list[str]:
    """Number the names that occur again, so that no file hides another.

    >>> distinct_names(["a.json", "a.json", "b"])
    ['a.json', 'a.json (2)', 'b']
    """
    named: list[str] = []
    for name in file_names:
        number, free = 1, name
        while free in named:
            number += 1
            free = f"{name} ({number})"
        named.append(free)
    return named
