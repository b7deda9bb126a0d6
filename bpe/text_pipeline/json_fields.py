"""Reading the fields of a part of a tokenizer.json; each error names the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpe.errors import ConfigError, FormatError
from bpe.text_pipeline.patterns import TextPattern

_MISSING = object()


class Fields:
    """The fields of one part, by key; every method raises FormatError, which names the key.

    >>> Fields({"type": "Strip"}, "decoder", "the file").text("content")
    Traceback (most recent call last):
    bpe.errors.FormatError: the file: decoder.content must be a string; it is missing
    """

    def __init__(self, part: object, key: str, name: str) -> None:
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise FormatError(
                f"{name}: {key} must be null or an object with a type, not {part!r:.80}"
            )
        self.part: Mapping[str, Any] = part
        self.kind: str = part["type"]
        self.key = key
        self.name = name

    def unsupported(self, supported: str) -> FormatError:
        """Make the error for a kind that is not known."""
        return FormatError(
            f"{self.name}: the {self.key} {self.kind!r:.80} is not supported; "
            f"supported: {supported}"
        )

    def text(self, field: str) -> str:
        """Read a string."""
        found = self._get(field, str, "a string")
        return str(self._without_surrogates(field, found))

    def char(self, field: str) -> str:
        """Read a string of one character."""
        found = self.text(field)
        if len(found) != 1:
            raise self.wrong(field, "one character", found)
        return found

    def flag(self, field: str, default: bool | None = None) -> bool:
        """Read true or false."""
        return bool(self._get(field, bool, "true or false", default))

    def number(self, field: str, default: int | None = None) -> int:
        """Read a whole number from 0 up."""
        found = self._get(field, int, "a whole number from 0 up", default)
        if isinstance(found, bool) or found < 0:
            raise self.wrong(field, "a whole number from 0 up", found)
        return int(found)

    def choice(self, field: str, choices: tuple[str, ...], default: str | None = None) -> Any:
        """Read one of some strings."""
        supported = "one of " + ", ".join(choices)
        found = self._get(field, str, supported, default)
        if found not in choices:
            raise self.wrong(field, supported, found)
        return found

    def parts(self, field: str) -> list[Any]:
        """Read a list."""
        found: list[Any] = self._get(field, list, "a list")
        return found

    def pattern(self, field: str) -> TextPattern:
        """Read a string or a regular expression."""
        found = self.part.get(field)
        expected = 'an object with one key, "String" or "Regex", and a string'
        if not isinstance(found, dict) or len(found) != 1:
            raise self.wrong(field, expected, found)
        ((kind, text),) = found.items()
        if kind not in ("String", "Regex") or not isinstance(text, str):
            raise self.wrong(field, expected, found)
        try:
            return TextPattern(str(self._without_surrogates(field, text)), kind == "Regex")
        except ConfigError as error:
            raise FormatError(f"{self.name}: {self.key}.{field}: {error}") from error

    def has(self, field: str) -> bool:
        """Tell whether a field is there and not null."""
        return self.part.get(field) is not None

    def _get(self, field: str, kind: type, expected: str, default: object = None) -> Any:
        found = self.part.get(field, _MISSING)
        if found is _MISSING:
            if default is not None:
                return default
            raise FormatError(f"{self.name}: {self.key}.{field} must be {expected}; it is missing")
        if not isinstance(found, kind):
            raise self.wrong(field, expected, found)
        return found

    def _without_surrogates(self, field: str, text: str) -> str:
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise self.wrong(field, "a string without halves of surrogate pairs", text)
        return text

    def wrong(self, field: str, expected: str, found: object) -> FormatError:
        """Make the error for a field that holds what it must not."""
        return FormatError(f"{self.name}: {self.key}.{field} must be {expected}, not {found!r:.80}")
