"""Reading the parsed object of a tokenizer.json into a tokenizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpe.byte_alphabet import ALPHABET, read_bytes
from bpe.config import Base
from bpe.errors import ConfigError, FormatError
from bpe.json_own_part import OWN_KEY, holds_surrogate, read_own_part
from bpe.json_pipeline import Pipeline, read_pipeline
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content, MergeRule, Vocabulary

_HIGHEST_ID = 10_000_000  # far above every real vocabulary; a larger id would fill the memory


def read_tokenizer(data: Mapping[str, Any], name: str) -> Tokenizer:
    """Build a tokenizer from the parsed object; `name` is what messages call the file.

    Raises FormatError.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    >>> read_tokenizer({"model": model}, "the file").n_tokens
    3
    """
    model = data.get("model")
    if not isinstance(model, dict):
        raise FormatError(f"{name}: there is no model object; is it a tokenizer.json?")
    _check_model(model, name)
    pipeline = read_pipeline(data, name)
    base: Base = "byte" if pipeline.is_byte_level else "char"
    unknown = _unknown_token(model, pipeline)
    special_tokens = _special_tokens(data, model, unknown, pipeline, name)
    warnings: list[str] = []
    if data.get(OWN_KEY) is None:
        vocabulary = _read_vocabulary(model, pipeline, special_tokens, warnings, name)
    else:
        vocabulary = read_own_part(data[OWN_KEY], base, special_tokens, name)
    try:
        return Tokenizer(
            vocabulary=vocabulary,
            base=base,
            pattern=pipeline.pattern,
            normalizer=pipeline.normalizer,
            unknown_token=unknown,
            ignore_merges=bool(model.get("ignore_merges")),
            warnings=tuple(warnings),
        )
    except ConfigError as error:
        raise FormatError(f"{name}: pre_tokenizer: {error}") from error


def _check_model(model: Mapping[str, Any], name: str) -> None:
    kind = model.get("type", "BPE")
    if kind != "BPE":
        raise FormatError(f"{name}: model.type is {kind!r:.80}; only BPE models can be read")
    for key in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
        if model.get(key):
            raise FormatError(f"{name}: model.{key} {model[key]!r:.80} is not supported")
    if model.get("fuse_unk") and model.get("unk_token") is not None:
        raise FormatError(f"{name}: model.fuse_unk is not supported")
    if not isinstance(model.get("vocab"), dict):
        raise FormatError(f"{name}: model.vocab must be an object of token to id")
    if not isinstance(model.get("merges"), list):
        raise FormatError(f"{name}: model.merges must be a list")
    unknown = model.get("unk_token")
    if unknown is not None and (not isinstance(unknown, str) or unknown not in model["vocab"]):
        raise FormatError(f"{name}: model.unk_token {unknown!r:.80} is not in model.vocab")


def _unknown_token(model: Mapping[str, Any], pipeline: Pipeline) -> str | None:
    """The unknown token, unless all bytes are tokens, so that nothing is ever unknown."""
    unknown: str | None = model.get("unk_token")
    return None if pipeline.is_byte_level and set(ALPHABET) <= model["vocab"].keys() else unknown


def _special_tokens(
    data: Mapping[str, Any],
    model: Mapping[str, Any],
    unknown: str | None,
    pipeline: Pipeline,
    name: str,
) -> dict[str, int]:
    """Ids of the unknown token and the added tokens."""
    found: dict[str, int] = {}
    if unknown is not None:
        found[unknown] = _checked_id(unknown, model["vocab"][unknown], "model.vocab", name)
    added = data.get("added_tokens") or []
    if not isinstance(added, list):
        raise FormatError(f"{name}: added_tokens must be a list")
    for number, token in enumerate(added):
        where = f"added_tokens[{number}]"
        content, token_id = _read_added(token, pipeline, where, name)
        known_id = found.get(content, model["vocab"].get(content, token_id))
        if known_id != token_id:
            raise FormatError(f"{name}: {where} {content!r} has two ids: {known_id} and {token_id}")
        found[content] = token_id
    return found


def _read_added(token: Any, pipeline: Pipeline, where: str, name: str) -> tuple[str, int]:
    if not isinstance(token, dict) or not isinstance(token.get("content"), str):
        raise FormatError(f"{name}: {where} must be an object with content and id")
    if not token["content"]:
        raise FormatError(f"{name}: {where} has an empty content")
    flags = [flag for flag in ("single_word", "lstrip", "rstrip") if token.get(flag)]
    if token.get("normalized") and pipeline.normalizer:
        flags.append("normalized")
    if flags:
        raise FormatError(f"{name}: {where} {token['content']!r}: {flags[0]} is not supported")
    return token["content"], _checked_id(token["content"], token.get("id"), where, name)


def _checked_id(token: str, token_id: Any, where: str, name: str) -> int:
    if isinstance(token_id, bool) or not isinstance(token_id, int) or token_id < 0:
        raise FormatError(
            f"{name}: {where}: the id of {token!r} must be a whole number from 0 up, "
            f"not {token_id!r:.80}"
        )
    if token_id > _HIGHEST_ID:
        raise FormatError(f"{name}: {where}: the id {token_id} of {token!r} is too large")
    return token_id


def _read_vocabulary(
    model: Mapping[str, Any],
    pipeline: Pipeline,
    special_tokens: dict[str, int],
    warnings: list[str],
    name: str,
) -> Vocabulary:
    spellings: dict[int, str] = {}
    ids = {**model["vocab"], **special_tokens}
    for token, token_id in ids.items():
        token_id = _checked_id(token, token_id, "model.vocab", name)
        if token_id in spellings:
            raise FormatError(
                f"{name}: the tokens {spellings[token_id]!r} and {token!r} share the id {token_id}"
            )
        if holds_surrogate(token):
            raise FormatError(f"{name}: the token {token!r:.80} holds half of a surrogate pair")
        spellings[token_id] = token
    contents: list[Content | None] = [None] * (max(spellings, default=-1) + 1)
    for token_id, token in spellings.items():
        is_text = token not in special_tokens and pipeline.is_byte_level
        contents[token_id] = _as_bytes(token, name) if is_text else token
    merges = tuple(_read_merges(model, warnings, name))
    return Vocabulary(tuple(contents), merges, special_tokens)


def _as_bytes(token: str, name: str) -> bytes:
    try:
        return read_bytes(token)
    except KeyError as error:
        raise FormatError(
            f"{name}: the token {token!r} has a character that is not of the byte-level alphabet: "
            f"{error}"
        ) from error


def _read_merges(model: Mapping[str, Any], warnings: list[str], name: str) -> Iterator[MergeRule]:
    vocab = model["vocab"]
    seen: set[tuple[int, int]] = set()
    n_repeated = 0
    for line, merge in enumerate(model["merges"]):
        left, right = _read_merge(merge, line, name)
        for part in (left, right, left + right):
            if part not in vocab:
                raise FormatError(
                    f"{name}: model.merges[{line}] '{left} {right}' needs the token {part!r}, "
                    "which is not in model.vocab"
                )
        pair = (vocab[left], vocab[right])
        if pair in seen:
            n_repeated += 1
            if n_repeated == 1:
                warnings.append(
                    f"the merge '{left} {right}' is listed twice (again as number {line}): "
                    "the first listing counts"
                )
            continue
        yield MergeRule(len(seen), pair, vocab[left + right])
        seen.add(pair)
    if n_repeated > 1:
        warnings.append(f"{n_repeated:,} merges in all are listed more than once")


def _read_merge(merge: Any, line: int, name: str) -> tuple[str, str]:
    parts = merge.split(" ") if isinstance(merge, str) else merge
    is_pair = isinstance(parts, list) and len(parts) == 2
    if not is_pair or not all(isinstance(part, str) and part for part in parts):
        raise FormatError(
            f"{name}: model.merges[{line}] must be two tokens, as 'a b' or ['a', 'b'], "
            f"not {merge!r:.80}"
        )
    return parts[0], parts[1]
