"""The added tokens of a tokenizer.json, in and out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bpe.added_tokens import AddedToken
from bpe.errors import FormatError, as_whole_number
from bpe.file_limits import HIGHEST_ID

_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def read_added_tokens(
    data: Mapping[str, Any], vocab: Mapping[str, Any], name: str
) -> tuple[AddedToken, ...]:
    """Read `added_tokens`; `vocab` are the tokens of the model with their ids.

    A flag that is missing is false, but for `special`, which is then true: text that spells such a
    token stays text unless it is allowed. Raises FormatError, which names the entry.

    >>> read_added_tokens({"added_tokens": [{"id": 1, "content": "<s>"}]}, {"a": 0}, "the file")[0]
    AddedToken(content='<s>', token_id=1, special=True, single_word=False, lstrip=False, \
rstrip=False, normalized=False, in_model=True)
    """
    entries = data.get("added_tokens")
    entries = [] if entries is None else entries
    if not isinstance(entries, list):
        raise FormatError(f"{name}: added_tokens must be a list, not {entries!r:.80}")
    found: dict[str, AddedToken] = {}
    for number, entry in enumerate(entries):
        where = f"{name}: added_tokens[{number}]"
        token = _read_added_token(entry, where)
        if found.setdefault(token.content, token) != token:
            raise FormatError(f"{where} {token.content!r:.80} is listed twice, and not the same")
        known_id = vocab.get(token.content, token.token_id)
        if known_id != token.token_id:
            raise FormatError(
                f"{where} {token.content!r:.80} has two ids: {known_id} and {token.token_id}"
            )
    return tuple(found.values())


def _read_added_token(entry: Any, where: str) -> AddedToken:
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), str):
        raise FormatError(f"{where} must be an object with content and id, not {entry!r:.80}")
    content = entry["content"]
    if not content:
        raise FormatError(f"{where} has an empty content")
    flags = {"special": True}
    for flag in _FLAGS:
        value = entry.get(flag)
        if value is not None and not isinstance(value, bool):
            raise FormatError(f"{where} {content!r:.80}: {flag} must be true or false")
        if value is not None:
            flags[flag] = value
    return AddedToken(content, checked_id(content, entry.get("id"), where), **flags)


def checked_id(token: str, token_id: Any, where: str) -> int:
    """Give an id that is one; raises FormatError, which begins with `where`.

    >>> checked_id("a", 7, "the file: model.vocab")
    7
    """
    number = as_whole_number(token_id)
    if number is None or number < 0:
        raise FormatError(
            f"{where}: the id of {token!r:.80} must be a whole number from 0 up, "
            f"not {token_id!r:.80}"
        )
    if number > HIGHEST_ID:
        raise FormatError(f"{where}: the id {number!r:.80} of {token!r:.80} is too large")
    return number


def with_model(
    tokens: Iterable[AddedToken], vocab: Mapping[str, int], warnings: list[str]
) -> tuple[AddedToken, ...]:
    """Tell of each token whether the model has it; warn of an id that others would not give.

    Hugging Face tokenizers takes ids from the model, or else counts on from there, whatever the
    file says. Where it would number one otherwise, all are taken as the model's, which holds ids.

    >>> warnings = []
    >>> with_model([AddedToken("<s>", 9)], {"a": 0}, warnings)[0].in_model, warnings
    (True, ["added_tokens gives '<s>' the id 9; Hugging Face tokenizers would number it 1"])
    """
    highest = -1
    found: list[AddedToken] = []
    other: list[str] = []
    for token in tokens:
        expected = vocab.get(token.content)
        in_model = expected is not None
        if expected is None:
            expected = highest + 1 if highest >= len(vocab) else len(vocab)
        if expected != token.token_id:
            other.append(
                f"added_tokens gives {token.content!r:.80} the id {token.token_id}; "
                f"Hugging Face tokenizers would number it {expected}"
            )
        highest = max(highest, expected)
        found.append(replace(token, in_model=in_model))
    warnings += other[:1]
    return tuple(replace(token, in_model=True) for token in found) if other else tuple(found)


def write_added_tokens(tokens: Iterable[AddedToken]) -> list[dict[str, Any]]:
    """Write added tokens in their order, which counts where two are spelled alike.

    >>> write_added_tokens([AddedToken("<s>", 0)])[0]["special"]
    True
    """
    return [
        {"id": token.token_id, "content": token.content}
        | {flag: getattr(token, flag) for flag in _FLAGS}
        for token in tokens
    ]
