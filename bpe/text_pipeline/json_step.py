"""How a step is written in a tokenizer.json: an object of its type and its fields."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from bpe.text_pipeline.patterns import TextPattern


@dataclass(frozen=True, slots=True)
class JsonStep:
    """A step of a tokenizer.json; a frozen value.

    `json_type` is the type in the file where that is not the name of the class.

    >>> from bpe.text_pipeline.decoder_steps import StripDecoder
    >>> StripDecoder(" ", start=1, stop=0).as_json()
    {'type': 'Strip', 'content': ' ', 'start': 1, 'stop': 0}
    """

    json_type: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Give what a tokenizer.json says."""
        written: dict[str, Any] = {"type": self.json_type or type(self).__name__}
        for field in fields(self):
            value = getattr(self, field.name)
            written[field.name] = value.as_json() if isinstance(value, TextPattern) else value
        return written
