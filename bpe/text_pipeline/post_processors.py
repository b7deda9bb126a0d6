"""Post-processors of a tokenizer.json: they add special tokens around an encoding.

`encode` adds none (as `add_special_tokens=False` does), so they are kept only for writing back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bpe.errors import FormatError
from bpe.text_pipeline.json_fields import Fields

SUPPORTED = ("ByteLevel", "TemplateProcessing", "RobertaProcessing", "BertProcessing", "Sequence")
_REQUIRED = {
    "TemplateProcessing": ("single", "pair", "special_tokens"),
    "RobertaProcessing": ("sep", "cls", "trim_offsets", "add_prefix_space"),
    "BertProcessing": ("sep", "cls"),
}


@dataclass(frozen=True, slots=True)
class PostProcessor:
    """A post-processor as the file has it; `written` is its JSON."""

    written: str

    @property
    def adds_tokens(self) -> bool:
        """Whether it would add special tokens, if `encode` let it."""
        return _adds_tokens(json.loads(self.written))

    def as_json(self) -> dict[str, Any]:
        """Give what a tokenizer.json says."""
        part: dict[str, Any] = json.loads(self.written)
        return part


def read_post_processor(part: Any, name: str) -> PostProcessor | None:
    """Read a post-processor; raises FormatError, which names the key, for what is not supported.

    >>> read_post_processor({"type": "BertProcessing", "sep": ["s", 1], "cls": ["c", 2]}, "it")
    PostProcessor(written='{"type": "BertProcessing", "sep": ["s", 1], "cls": ["c", 2]}')
    """
    if part is None:
        return None
    _check(part, name)
    return PostProcessor(json.dumps(part, ensure_ascii=False))


def _check(part: Any, name: str) -> None:
    fields = Fields(part, "post_processor", name)
    if fields.kind not in SUPPORTED:
        raise fields.unsupported(", ".join(SUPPORTED))
    for field in _REQUIRED.get(fields.kind, ()):
        if field not in fields.part:
            raise FormatError(f"{name}: post_processor.{field} is missing")
    if fields.kind == "Sequence":
        for inner in fields.parts("processors"):
            _check(inner, name)


def _adds_tokens(part: dict[str, Any]) -> bool:
    if part["type"] == "Sequence":
        return any(map(_adds_tokens, part["processors"]))
    if part["type"] == "TemplateProcessing":
        return bool(part["special_tokens"])
    return str(part["type"]) != "ByteLevel"
