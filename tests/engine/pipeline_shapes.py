"""Pipelines as well-known models have them in their tokenizer.json, and texts that are hard."""

from __future__ import annotations

import random
from typing import Any

Part = dict[str, Any]


def split(
    pattern: str, behavior: str = "Isolated", *, kind: str = "Regex", invert: bool = False
) -> Part:
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def byte_level(*, add_prefix_space: bool = False, use_regex: bool = False) -> Part:
    fields = {"add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}
    return {"type": "ByteLevel", **fields}


def replace(pattern: str, content: str, kind: str = "String") -> Part:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def metaspace(prepend_scheme: str, *, splits: bool) -> Part:
    fields = {"replacement": "▁", "prepend_scheme": prepend_scheme, "split": splits}
    return {"type": "Metaspace", **fields}


def in_order(*steps: Part) -> Part:
    """A sequence of pre-tokenizers."""
    return {"type": "Sequence", "pretokenizers": list(steps)}


def normalized(*steps: Part) -> Part:
    """A sequence of normalizers."""
    return {"type": "Sequence", "normalizers": list(steps)}


_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_START = r"[^\r\n\p{L}\p{N}]?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_NO_HAN_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_NO_HAN_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_SLASHED = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_DIGITS = {"type": "Digits", "individual_digits": True}

LLAMA_3 = rf"{_SUFFIX}|{_START}\p{{L}}+|\p{{N}}{{1,3}}|{_REST}"
QWEN = rf"{_SUFFIX}|{_START}\p{{L}}+|\p{{N}}|{_REST}"
GPT_4O = (
    rf"{_START}{_UPPER}*{_LOWER}+{_SUFFIX}?|{_START}{_UPPER}+{_LOWER}*{_SUFFIX}?"
    rf"|\p{{N}}{{1,3}}|{_SLASHED}"
)
TEKKEN = rf"{_START}{_UPPER}*{_LOWER}+|{_START}{_UPPER}+{_LOWER}*|\p{{N}}|{_SLASHED}"
KIMI = (
    rf"[\p{{Han}}]+|{_START}{_NO_HAN_UPPER}*{_NO_HAN_LOWER}+{_SUFFIX}?"
    rf"|{_START}{_NO_HAN_UPPER}+{_NO_HAN_LOWER}*{_SUFFIX}?|\p{{N}}{{1,3}}|{_REST}"
)
DEEPSEEK_WORDS = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|"""
    "[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*"
    "|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
DEEPSEEK_2_LETTERS = r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽ𐐀-𐑏𞤀-𞥃]+"

# Each: normalizer and pre-tokenizer.
SHAPES: dict[str, tuple[Part | None, Part | None]] = {
    "gpt2": (None, byte_level(use_regex=True)),
    "roberta": (None, byte_level(add_prefix_space=True, use_regex=True)),
    "llama2": (normalized({"type": "Prepend", "prepend": "▁"}, replace(" ", "▁")), None),
    "llama3": (None, in_order(split(LLAMA_3), byte_level())),
    "gpt4o": (None, in_order(split(GPT_4O), byte_level())),
    "qwen": ({"type": "NFC"}, in_order(split(QWEN), byte_level())),
    "mistral_metaspace": (None, metaspace("first", splits=False)),
    "mistral_tekken": (None, in_order(split(TEKKEN), byte_level())),
    "kimi": (None, in_order(split(KIMI), byte_level())),
    "deepseek2": (
        normalized(),
        in_order(
            split("[\r\n]"),
            split(DEEPSEEK_2_LETTERS),
            split("\\s?[!-/:-~！-／：-～‘-‟　-。]+"),
            split(r"\s+$"),
            split("[一-龥ࠀ-一가-퟿]+"),
            _DIGITS,
            byte_level(),
        ),
    ),
    "deepseek3": (
        normalized(),
        in_order(
            split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK_WORDS), byte_level()
        ),
    ),
    "gemma": (replace(" ", "▁"), split(" ", "MergedWithPrevious", kind="String")),
    "starcoder": (None, in_order(_DIGITS, byte_level(use_regex=True))),
    "falcon": (
        None,
        in_order(
            {"type": "Punctuation", "behavior": "Contiguous"},
            byte_level(use_regex=True),
            {"type": "Digits", "individual_digits": False},
            split("[0-9][0-9][0-9]"),
        ),
    ),
    "bloom": (None, in_order(split(r" ?[^(\s|[.,!?…。，、।۔،])]+"), byte_level())),
    "clip": (
        normalized({"type": "NFC"}, replace(r"\s+", " ", "Regex"), {"type": "Lowercase"}),
        in_order(
            split(
                r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+", "Removed", invert=True
            ),
            byte_level(use_regex=True),
        ),
    ),
    "t5": (
        normalized({"type": "Nmt"}, {"type": "NFKC"}, replace(" {2,}", "▁", "Regex")),
        in_order({"type": "WhitespaceSplit"}, metaspace("always", splits=True)),
    ),
    "bert": (
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        {"type": "BertPreTokenizer"},
    ),
}

# Letters of all sorts and cases, digits, marks, white space and what looks like it, CJK and its
# borders, emoji, code points younger than Unicode 16 or never assigned, and what steps look for.
_BITS = (
    *("a", "b", "Z", "x", "é", "e\u0301", "İ", "ß", "ſ", "\u212a", "Σ", "1", "2", "9", "½", "²"),
    *("٣", "Ⅷ", " ", " ", "  ", "\u3000", "\u00a0", "\t", "\n", "\r\n", "\r", "\u2028", "\x85"),
    *("\x1c", "\x00", "'s", "'S", "'ſ", "'ll", "'Re", "!", "?", "-", "--", "_", "…", "。", "、"),
    *("中", "文字", "龥", "龦", "か", "カ", "ー", "゠", "한글", "ก", "้", "अ", "क्ष", "🙂", "👨‍👩‍👧"),
    *("\u200d", "\u200b", "\ufeff", "\ufffd", "▁", "Ġ", "<", "$", "+", "^", "ﬁ", "\u212b"),
    *("\u0345", "\u0300\u0327", "\ua7ce", "\U00016ea0", "\U000105c9", "\U0001e6c0", "א", "ب"),
    *("𝔸", "\U0010ffff", "/", "\\", "'", '"', "[", "]", "0x1F"),
)  # fmt: skip


def hard_texts(seed: str, n_texts: int) -> list[str]:
    """Make texts of up to thirty bits, some of them empty, the same ones for a seed."""
    chooser = random.Random(seed)
    lengths = (0, 1, 2, 3, 5, 8, 13, 30)
    return ["".join(chooser.choices(_BITS, k=chooser.choice(lengths))) for _ in range(n_texts)]
