"""Post-processors of a tokenizer.json: they add special tokens around an encoding.

`encode` adds none (as `add_special_tokens=False` does), so they are kept only for writing back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bpe.errors import as_whole_number
from bpe.text_pipeline.json_fields import Fields

SUPPORTED = ("ByteLevel", "TemplateProcessing", "RobertaProcessing", "BertProcessing", "Sequence")


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
    if fields.kind == "Sequence":
        for inner in fields.parts("processors"):
            _check(inner, name)
    elif fields.kind == "TemplateProcessing":
        _check_template(fields)
    else:
        for flag in ("trim_offsets", "add_prefix_space", "use_regex"):
            fields.flag(flag, default=True)
        for token in () if fields.kind == "ByteLevel" else ("sep", "cls"):
            _check_pair(fields, token)


def _check_pair(fields: Fields, key: str) -> None:
    found = fields.parts(key)
    if len(found) != 2 or not isinstance(found[0], str) or as_whole_number(found[1]) is None:
        raise fields.wrong(key, "a token and its id", found)


def _check_template(fields: Fields) -> None:
    templates = {key: fields.parts(key) for key in ("single", "pair")}
    known = fields.part.get("special_tokens")
    if not isinstance(known, dict):
        raise fields.wrong("special_tokens", "an object", known)
    for key, pieces in templates.items():
        for piece in pieces:
            kind, inner = next(iter(piece.items())) if _is_piece(piece) else ("", {})
            allowed = {"Sequence": ("A", "B"), "SpecialToken": tuple(known)}.get(kind, ())
            if inner.get("id") not in allowed:
                raise fields.wrong(key, "sequences A and B and tokens of special_tokens", piece)


def _is_piece(piece: Any) -> bool:
    return (
        isinstance(piece, dict)
        and len(piece) == 1
        and all(
            isinstance(inner, dict) and as_whole_number(inner.get("type_id")) is not None
            for inner in piece.values()
        )
    )


def _adds_tokens(part: dict[str, Any]) -> bool:
    if part["type"] == "Sequence":
        return any(map(_adds_tokens, part["processors"]))
    if part["type"] == "TemplateProcessing":
        return bool(part["special_tokens"])
    return str(part["type"]) != "ByteLevel"
