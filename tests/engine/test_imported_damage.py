"""Files of known models with damage around their vocabulary: read as the library does, or refused.

Damage to a vocabulary of hundreds of tokens would nearly always be all that is found.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from tokenizers import Tokenizer as Peer

import bpe
from tests.engine.hf_shapes import SHAPES, Document, shape
from tests.engine.test_formats_fuzz import JUNK, places, use

N_FILES = 200
TEXTS = ("abc é Low 12", "a</w> <s>?_ [INST]  x", "▁low lower\n日本 😀")
PARTS: list[Any] = [
    {"type": "Prepend", "prepend": "日"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "NFKC"},
    {"type": "Digits", "individual_digits": True},
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "##",
    "<unk>",
    10**30,
    float("nan"),
]


def damaged(text: str, dice: random.Random) -> Document:
    """A file in which one or two values are junk, gone, turned round, or those of another place."""
    document: Document = json.loads(text)
    model = document["model"]
    kept = {key: model.pop(key) for key in ("vocab", "merges")}
    for _ in range(dice.randint(1, 2)):
        found = list(places(document))
        container, key = dice.choice(found)
        kind = dice.choice(["junk", "delete", "copy", "turn", "turn"])
        if kind == "junk":
            container[key] = copy.deepcopy(dice.choice([*JUNK, *PARTS]))
        elif kind == "delete":
            del container[key]
        elif kind == "turn" and isinstance(container[key], bool):
            container[key] = not container[key]
        else:
            other, other_key = dice.choice(found)
            container[key] = copy.deepcopy(other[other_key])
    if isinstance(document.get("model"), dict):
        document["model"].update(kept)
    return document


def same_as_the_library(tokenizer: bpe.Tokenizer, document: Document) -> bool:
    """Whether ids are the same, where the library reads the file and does not break over it."""
    try:
        peer = Peer.from_str(json.dumps(document))
        expected = [peer.encode(text, add_special_tokens=False).ids for text in TEXTS]
    except BaseException as error:
        if type(error).__name__ not in ("Exception", "PanicException"):
            raise
        return True
    for text, ids in zip(TEXTS, expected, strict=True):
        try:
            if tokenizer.encode(text, allowed_special="all").ids != ids:
                return False
        except bpe.UnknownSymbolError:
            continue
    return True


def test_damage_around_the_vocabulary_is_read_as_the_library_reads_it_or_refused() -> None:
    dice = random.Random("damage")
    names = list(SHAPES)
    messages: list[str] = []
    n_read = 0
    for _ in range(N_FILES):
        document = damaged(shape(dice.choice(names)), dice)
        try:
            tokenizer = bpe.load_tokenizer_json(document)
        except bpe.FormatError as error:
            messages.append(str(error))
            continue
        n_read += 1
        use(tokenizer)
        assert tokenizer.warnings or same_as_the_library(tokenizer, document), document
    assert min(n_read, len(messages)) > N_FILES // 10
    assert all(10 < len(message) < 1000 for message in messages)
