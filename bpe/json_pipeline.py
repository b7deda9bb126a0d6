"""The parts of a tokenizer.json around its model: normalizer, pre-tokenizer, decoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpe.errors import FormatError

NORMALIZER_TYPES = {
    "lowercase": "Lowercase",
    "nfc": "NFC",
    "nfd": "NFD",
    "nfkc": "NFKC",
    "nfkd": "NFKD",
}

# The named patterns as Hugging Face's regular expressions (Oniguruma) write them: r50k_base as in
# tiktoken, cl100k_base as in the tokenizer.json of Llama 3, o200k_base as in tiktoken.
_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
PUBLISHED_EXPRESSIONS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": _SUFFIX
    + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SUFFIX}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SUFFIX}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a file says around its model, in our terms."""

    is_byte_level: bool
    pattern: str
    normalizer: tuple[str, ...]


def read_pipeline(data: Mapping[str, Any], name: str) -> Pipeline:
    """Read normalizer, pre-tokenizer and decoder of a tokenizer.json.

    Raises FormatError, which names the part, for anything that would change what the tokenizer
    does and is not supported.

    >>> read_pipeline({"pre_tokenizer": {"type": "WhitespaceSplit"}}, "the file")
    Pipeline(is_byte_level=False, pattern='whitespace', normalizer=())
    """
    for key in ("truncation", "padding"):
        if data.get(key) is not None:
            raise FormatError(f"{name}: {key} is not supported; only null is")
    post_processor = data.get("post_processor")
    if _type_of(post_processor, "post_processor", name) not in (None, "ByteLevel"):
        raise _unsupported("post_processor", post_processor, "null or ByteLevel", name)
    is_byte_level, pattern = _read_pre_tokenizer(data.get("pre_tokenizer"), name)
    _check_decoder(data.get("decoder"), is_byte_level, name)
    return Pipeline(is_byte_level, pattern, _read_normalizer(data.get("normalizer"), name))


def _type_of(part: object, key: str, name: str) -> str | None:
    if part is None:
        return None
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise FormatError(f"{name}: {key} must be null or an object with a type, not {part!r:.80}")
    kind: str = part["type"]
    return kind


def _unsupported(key: str, part: Any, supported: str, name: str) -> FormatError:
    kind = part.get("type") if isinstance(part, dict) else part
    return FormatError(f"{name}: the {key} {kind!r:.80} is not supported; supported: {supported}")


def _read_normalizer(part: Any, name: str) -> tuple[str, ...]:
    kind = _type_of(part, "normalizer", name)
    if kind is None:
        return ()
    if kind == "Sequence":
        steps = _list_in(part, "normalizers", "normalizer", name)
        return tuple(step for inner in steps for step in _read_normalizer(inner, name))
    ours = {theirs: ours for ours, theirs in NORMALIZER_TYPES.items()}
    if kind not in ours:
        supported = ", ".join(NORMALIZER_TYPES.values())
        raise _unsupported("normalizer", part, f"{supported}, and sequences of them", name)
    return (ours[kind],)


def _list_in(part: Mapping[str, Any], key: str, owner: str, name: str) -> list[Any]:
    steps = part.get(key)
    if not isinstance(steps, list):
        raise FormatError(f"{name}: {owner}.{key} must be a list, not {steps!r:.80}")
    return steps


def _read_pre_tokenizer(part: Any, name: str) -> tuple[bool, str]:
    """Give (is byte-level, pattern)."""
    kind = _type_of(part, "pre_tokenizer", name)
    steps = [part] if kind not in (None, "Sequence") else []
    if kind == "Sequence":
        steps = _list_in(part, "pretokenizers", "pre_tokenizer", name)
    kinds = [_type_of(step, "pre_tokenizer", name) for step in steps]
    if kinds == []:
        return False, "none"
    if kinds == ["WhitespaceSplit"]:
        return False, "whitespace"
    if kinds == ["Split"]:
        return False, _read_split(steps[0], name)
    if kinds == ["ByteLevel"]:
        return True, "gpt2" if _uses_regex(steps[0], name) else "none"
    if kinds == ["WhitespaceSplit", "ByteLevel"] and not _uses_regex(steps[1], name):
        return True, "whitespace"
    if kinds == ["Split", "ByteLevel"] and not _uses_regex(steps[1], name):
        return True, _read_split(steps[0], name)
    found = " + ".join(str(kind) for kind in kinds)
    supported = "none, WhitespaceSplit, ByteLevel, or what this program writes"
    raise _unsupported("pre_tokenizer", found, supported, name)


def _uses_regex(byte_level: Mapping[str, Any], name: str) -> bool:
    if byte_level.get("add_prefix_space", True):
        raise FormatError(f"{name}: ByteLevel with add_prefix_space is not supported; set it false")
    return bool(byte_level.get("use_regex", True))


def _read_split(split: Mapping[str, Any], name: str) -> str:
    pattern = split.get("pattern")
    if not isinstance(pattern, dict) or not isinstance(pattern.get("Regex"), str):
        raise FormatError(f"{name}: Split with the pattern {pattern!r:.80} is not supported")
    if split.get("behavior") != "Isolated" or split.get("invert"):
        raise FormatError(
            f"{name}: Split is supported with behavior Isolated and without invert, "
            f"not {split.get('behavior')!r} and {split.get('invert')!r}"
        )
    expression: str = pattern["Regex"]
    names = {published: ours for ours, published in PUBLISHED_EXPRESSIONS.items()}
    return names.get(expression, expression)


def _check_decoder(part: Any, is_byte_level: bool, name: str) -> None:
    kind = _type_of(part, "decoder", name)
    allowed = (None, "ByteLevel") if is_byte_level else (None, "Fuse")
    if kind not in allowed:
        supported = " or ".join("null" if kind is None else kind for kind in allowed)
        raise _unsupported("decoder", part, f"{supported} with this pre_tokenizer", name)
