"""Getting a JSON object from wherever a user has it: a path, bytes, text, or parsed already."""

from __future__ import annotations

import json
import os
from typing import Any

from bpe.errors import FormatError
from bpe.file_limits import check_json_size
from bpe.file_signatures import foreign_kind
from bpe.file_sources import NamedFile, decode_utf8, read_file

_HINT = " (the text of a file would start with a brace)"


def read_json(source: Any) -> tuple[dict[str, Any], str]:
    """Give the JSON object of a source, and a name for it to use in messages.

    `source` is a path (str or PathLike), the file's bytes, its text (a str whose first character
    other than white space is "{"), or a dict, which is taken as it is. Raises FormatError.

    >>> read_json('{"model": null}')
    ({'model': None}, 'the text')
    """
    name = "the object" if isinstance(source, dict) else "the file"
    if isinstance(source, NamedFile):
        name, source = source.name, source.data
    if isinstance(source, dict):
        return source, name
    if isinstance(source, (bytes, bytearray)):
        return _parse(_text(bytes(source), name), name), name
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("{"):
        check_json_size(source.encode("utf-8", "surrogatepass"), "the text")
        return _parse(source, "the text"), "the text"
    if isinstance(source, (str, os.PathLike)):
        name = f"{os.fspath(source):.200}"
        return _parse(_text(read_file(source, name, _HINT), name), name), name
    raise FormatError(
        f"cannot read a {type(source).__name__}: give a path, bytes, text or a parsed JSON object"
    )


def _text(data: bytes, name: str) -> str:
    kind = foreign_kind(data)
    if kind is not None:
        raise FormatError(f"{name} is not JSON: it is {kind}")
    check_json_size(data, name)
    return decode_utf8(data, name)


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
