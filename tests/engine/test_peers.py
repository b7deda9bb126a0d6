"""Peer: the same ids as Hugging Face tokenizers and tiktoken, both run in memory.

That their trainers and others learn the same merges: test_peer_trainers.py.
"""

from __future__ import annotations

import json
import random
import unicodedata
from functools import cache
from typing import Any

import pytest
import tiktoken
import tokenizers

import bpe
from bpe.byte_alphabet import ALPHABET
from tests.engine.trained import shakespeare

TEXT = shakespeare()[:100_000]

# As tiktoken 0.14.0 publishes them (tiktoken_ext/openai_public.py, MIT).
_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
TIKTOKEN_PATTERNS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SUFFIX}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SUFFIX}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}

ASCII = "aeiost lnrTHE'123,.-\n"
WIDE = ASCII + "éüß€日本語한국العربيةहिन्दी😀👍🏽\u200d\u3000\u00a0\tΑάЖж½²Ⅷ"


def random_text(dice: random.Random, alphabet: str, longest: int) -> str:
    """Some characters of an alphabet, and now and then any that all Unicode versions agree on."""

    def char() -> str:
        if dice.random() < 0.05 and alphabet is WIDE:
            found = chr(dice.randrange(0x20, 0x3000))
            # Assigned since Unicode 3.2: what it is has not changed since in any program.
            return found if unicodedata.ucd_3_2_0.category(found) not in ("Cn", "Cs") else " "
        return dice.choice(alphabet)

    return "".join(char() for _ in range(dice.randint(0, longest)))


@cache
def trained(base: str, pattern: str) -> bpe.Tokenizer:
    text = TEXT[:20_000] + WIDE * 3 + "日本日本 한국 한국 éé 😀😀" * 5
    unknown = "[UNK]" if base == "char" else None
    return bpe.train(
        text,
        base=base,
        pattern=pattern,
        num_merges=300,
        unknown_token=unknown,
        special_tokens=["<|end|>"],
    ).tokenizer


def without_separators(text: str) -> str:
    """`str.split()` also splits at U+001C to U+001F; Hugging Face and Unicode do not."""
    return "".join(char for char in text if not "\x1c" <= char <= "\x1f")


@pytest.mark.parametrize("pattern", ["none", "whitespace", "gpt2", "cl100k", "o200k", r"\w+|\s"])
@pytest.mark.parametrize("base", ["char", "byte"])
def test_hugging_face_reads_the_file_and_encodes_the_same(base: str, pattern: str) -> None:
    ours = trained(base, pattern)
    theirs = tokenizers.Tokenizer.from_str(bpe.to_tokenizer_json(ours))
    dice = random.Random(f"{base} {pattern}")
    for _ in range(300):
        text = without_separators(random_text(dice, dice.choice([ASCII, WIDE]), 60))
        text += dice.choice(["", "", "<|end|>"]) + "the end"
        encoding = theirs.encode(text)
        mine = ours.encode(text, allowed_special="all")
        assert mine.ids == encoding.ids
        assert [(s.char_start, s.char_end) for s in mine.spans] == encoding.offsets
        assert theirs.decode(encoding.ids, skip_special_tokens=False) == ours.decode(mine.ids)


@pytest.mark.parametrize(
    "normalizer", ["lowercase", "nfc", "nfd", "nfkc", "nfkd", ("nfd", "lowercase")]
)
def test_hugging_face_normalizes_the_same(normalizer: Any) -> None:
    """Σ is left out: `str.lower()` makes it ς at the end of a word, Hugging Face σ everywhere."""
    ours = bpe.train(TEXT[:5000] + "éαﬁ" * 9, normalizer=normalizer, num_merges=50).tokenizer
    theirs = tokenizers.Tokenizer.from_str(bpe.to_tokenizer_json(ours))
    dice = random.Random(str(normalizer))
    for _ in range(200):
        text = random_text(dice, WIDE + "ﬁﷺİÅe\u0301\u0323", 40).replace("Σ", "")
        assert ours.encode(text).ids == theirs.encode(text).ids


def test_ignoring_merges_is_the_same() -> None:
    vocab = ["a", "b", "c", "ab", "bc", "abc", "cab"]
    model = {
        "type": "BPE",
        "vocab": {t: i for i, t in enumerate(vocab)},
        "ignore_merges": True,
        "merges": [["b", "c"], ["a", "b"]],
    }
    ours = bpe.load_tokenizer_json({"model": model, "pre_tokenizer": {"type": "WhitespaceSplit"}})
    theirs = tokenizers.Tokenizer.from_str(bpe.to_tokenizer_json(ours))
    dice = random.Random(0)
    for _ in range(200):
        text = "".join(dice.choices("abc ", k=12))
        assert ours.encode(text).ids == theirs.encode(text).ids


def test_bytes_that_are_missing_are_unknown_to_both() -> None:
    kept = [char for char in ALPHABET if char not in "bé©"]
    vocab = {char: i for i, char in enumerate(["<unk>", *kept, "he"])}
    source = {
        "model": {"type": "BPE", "vocab": vocab, "merges": [["h", "e"]], "unk_token": "<unk>"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
    }
    ours = bpe.load_tokenizer_json(source)
    theirs = tokenizers.Tokenizer.from_str(bpe.to_tokenizer_json(ours))
    for text in ("he bé, the end", "bbb", "é©"):
        assert ours.encode(text).ids == theirs.encode(text).ids


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k"])
def test_tiktoken_gives_the_same_ids_with_our_ids_as_ranks(pattern: str) -> None:
    ours = bpe.train(
        TEXT + "日本日本 한국 éé 😀😀 1234 12 \r\n\r\n" * 20, pattern=pattern, num_merges=700
    ).tokenizer
    theirs = tiktoken.Encoding(
        "ours",
        pat_str=TIKTOKEN_PATTERNS[pattern],
        mergeable_ranks={bytes(ours.token(i)): i for i in range(ours.vocab_size)},  # type: ignore[arg-type]
        special_tokens={},
    )
    dice = random.Random(pattern)
    for _ in range(2000):
        text = random_text(dice, dice.choice([ASCII, WIDE, WIDE + "\ud83d\ude00"]), 50)
        ids = ours.encode(text).ids
        assert ids == theirs.encode(text)
        assert ours.decode(ids) == theirs.decode(ids)
        assert ours.decode_bytes(ids[1:]) == theirs.decode_bytes(ids[1:])


def test_a_file_with_a_marker_is_refused_by_hugging_face_not_misread() -> None:
    """It knows no marker that is a symbol of its own: without our key it reads on without one."""
    marked = bpe.train(
        "low low", base="char", pattern="whitespace", num_merges=3, end_of_word="</w>"
    )
    parsed = json.loads(bpe.to_tokenizer_json(marked.tokenizer))
    with pytest.raises(Exception, match=r"line \d+ column \d+"):
        tokenizers.Tokenizer.from_str(json.dumps(parsed))
    del parsed["bpe_explorer"]
    assert tokenizers.Tokenizer.from_str(json.dumps(parsed)).encode("low").tokens == ["low"]
