"""Patterns and normalizers by name, and the steps of a tokenizer.json that do the same.

A tokenizer says how it rewrites and splits text by names (`pattern`, `normalizer`), which the
compiled encoder knows, or by the steps of a file (`pipeline`). Names are written as steps with
which Hugging Face tokenizers gives the same on any text. Where these do not tell the names, they
are put into the model too, in which that library passes over what it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bpe.errors import FormatError
from bpe.json_own_part import OWN_KEY
from bpe.normalizers import NORMALIZER_NAMES
from bpe.pattern_readings import written_split
from bpe.pre_tokenizers import PATTERN_NAMES
from bpe.text_pipeline import (
    PUBLISHED_EXPRESSIONS,
    Named,
    PostProcessor,
    TextPipeline,
    as_named,
    read_post_processor,
    read_text_pipeline,
)

# What `str.split()` drops. WhitespaceSplit keeps four of them: U+001C to U+001F.
_WHITE_SPACE = r"[\t-\r\x1c-\x20\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
# `str.lower()` ends words with another sigma (Unicode, table 3-17); Lowercase knows no words.
_CASED = r"[\p{Cased}&&\P{Case_Ignorable}]"
_FINAL_SIGMA = {
    "type": "Replace",
    "pattern": {"Regex": rf"(?<={_CASED}\p{{Case_Ignorable}}*)Σ(?!\p{{Case_Ignorable}}*{_CASED})"},
    "content": "ς",
}
_NORMALIZER_TYPES = {"lowercase": "Lowercase"}  # the others are their own names in capitals
# The names that do, character by character, what the library's steps do.
_SAME_PATTERNS = frozenset(PATTERN_NAMES) - {"whitespace"}


@dataclass(frozen=True, slots=True)
class Parts:
    """How a file rewrites and splits text; where there is a pipeline, it counts, not the names."""

    named: Named
    pipeline: TextPipeline | None
    post_processor: PostProcessor | None


def read_parts(data: Mapping[str, Any], name: str, keeps_steps: bool = False) -> Parts:
    """Read normalizer, pre-tokenizer, decoder and post-processor of a parsed tokenizer.json.

    `keeps_steps`: the steps count also where there are names for them. Raises FormatError, which
    names the part, for what is not supported.

    >>> read_parts({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False,
    ...                               "trim_offsets": True}}, "the file").named
    Named(base='byte', pattern='gpt2', normalizer=())
    """
    for key in ("truncation", "padding"):
        if data.get(key) is not None:
            raise FormatError(f"{name}: {key} is not supported; only null is")
    own = _own_names(data)
    if own is not None:
        return Parts(own, None, read_post_processor(data.get("post_processor"), name))
    whole = read_text_pipeline(data, name)
    pipeline = replace(whole, post_processor=None)
    named = as_named(pipeline, is_ours=True)
    if named is not None and (OWN_KEY in data or (_is_the_same(named) and not keeps_steps)):
        return Parts(named, None, whole.post_processor)
    return Parts(named or _described(pipeline), pipeline, whole.post_processor)


def named_parts(named: Named) -> dict[str, Any]:
    """Write normalizer, pre-tokenizer and decoder.

    >>> named_parts(Named("char", "none", ("nfc",)))
    {'normalizer': {'type': 'NFC'}, 'pre_tokenizer': None, 'decoder': {'type': 'Fuse'}}
    """
    is_byte_level = named.base == "byte"
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": named.pattern == "gpt2",
    }
    splits: list[Any] = []
    if named.pattern == "whitespace":
        splits = [_split(_WHITE_SPACE, "Removed")]
    elif named.pattern != "none" and not (is_byte_level and named.pattern == "gpt2"):
        published = PUBLISHED_EXPRESSIONS.get(named.pattern)
        splits = [_split(published, "Isolated") if published else written_split(named.pattern)]
    if is_byte_level:
        splits.append(byte_level)
    normalizers: list[Any] = []
    for normalizer in named.normalizer:
        if normalizer == "lowercase":
            normalizers.append(_FINAL_SIGMA)
        normalizers.append({"type": _NORMALIZER_TYPES.get(normalizer, normalizer.upper())})
    return {
        "normalizer": _sequence(normalizers, "normalizers"),
        "pre_tokenizer": _sequence(splits, "pretokenizers"),
        "decoder": byte_level if is_byte_level else {"type": "Fuse"},
    }


def _split(expression: str, behavior: str) -> dict[str, Any]:
    pattern = {"Regex": expression}
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": False}


def _sequence(steps: list[Any], key: str) -> Any:
    if len(steps) > 1:
        return {"type": "Sequence", key: steps}
    return steps[0] if steps else None


def own_names(named: Named) -> dict[str, Any] | None:
    """Give what is to stand in the model of a written file; None where its steps say the names.

    >>> own_names(Named("byte", "gpt2", ())), own_names(Named("byte", "whitespace", ("nfc",)))
    (None, {'pattern': 'whitespace', 'normalizer': ['nfc']})
    """
    if _is_the_same(named):
        return None
    return {"pattern": named.pattern, "normalizer": list(named.normalizer)}


def _is_the_same(named: Named) -> bool:
    # No normalizer does: the library's normal forms are those of an older Unicode.
    return named.pattern in _SAME_PATTERNS and not named.normalizer


def _own_names(data: Mapping[str, Any]) -> Named | None:
    """The names in the model; they count only where the steps of the file say the same."""
    model = data.get("model")
    own = model.get(OWN_KEY) if isinstance(model, dict) else None
    if not isinstance(own, dict):
        return None
    pattern, normalizer = own.get("pattern"), own.get("normalizer")
    if not isinstance(pattern, str) or not isinstance(normalizer, list):
        return None
    if any(name not in NORMALIZER_NAMES[1:] for name in normalizer):
        return None
    for base in ("byte", "char"):
        named = Named(base, pattern, tuple(normalizer))
        if all(data.get(key) == part for key, part in named_parts(named).items()):
            return named
    return None


def _described(pipeline: TextPipeline) -> Named:
    """A pipeline without a name, as the screen shows it."""
    kinds = [step.as_json()["type"] for step in pipeline.pre_tokenizers]
    pattern = ", ".join(kinds) or "none"
    return Named("byte" if pipeline.is_byte_level else "char", pattern, ())
