"""Getting a JSON object from wherever a user has it: a path, bytes, text, or parsed already."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from bpe.errors import FormatError


def read_json(source: Any) -> tuple[dict[str, Any], str]:
    """Give the JSON object of a source, and a name for it to use in messages.

    `source` is a path (str or PathLike), the file's bytes, its text (a str whose first character
    other than white space is "{"), or a dict, which is taken as it is. Raises FormatError.

    >>> read_json('{"model": null}')
    ({'model': None}, 'the text')
    """
    if isinstance(source, dict):
        return source, "the object"
    if isinstance(source, (bytes, bytearray)):
        return _parse(_decode(bytes(source), "the file"), "the file"), "the file"
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("{"):
        return _parse(source, "the text"), "the text"
    if isinstance(source, (str, os.PathLike)):
        name = f"{os.fspath(source):.200}"
        return _parse(_decode(_read(source, name), name), name), name
    raise FormatError(
        f"cannot read a {type(source).__name__}: give a path, bytes, text or a parsed JSON object"
    )


def _read(path: str | os.PathLike[str], name: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise FormatError(
            f"cannot read the file {name!r}: {reason} (the text of a file would start with a brace)"
        ) from error


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name} is not UTF-8: the first bad byte is number {error.start}"
        ) from error


def _parse(text: str, name: str) -> dict[str, Any]:
    try:
        data = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{name} is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise FormatError(f"{name} is nested too deeply for a tokenizer file") from error
    except ValueError as error:  # a number with thousands of digits, or a repeated key
        raise FormatError(f"{name} cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise FormatError(f"{name} holds a JSON {type(data).__name__}, not an object")
    return data


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} stands twice in one object")
            seen.add(key)
    return found
