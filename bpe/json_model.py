"""The model of a tokenizer.json: its vocabulary, its merges, and what it does beside merging."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe.added_tokens import AddedToken
from bpe.byte_alphabet import ALPHABET, read_bytes
from bpe.errors import FormatError
from bpe.imported_symbols import ModelOptions, byte_token
from bpe.json_added_tokens import checked_id
from bpe.json_own_part import holds_surrogate
from bpe.vocabulary import Content, MergeRule, Vocabulary

_SYMBOLS = frozenset(ALPHABET)
_OTHER_MODELS = {
    "WordPiece": "of BERT and its kin",
    "Unigram": "of SentencePiece's other method",
    "WordLevel": "of whole words",
}


@dataclass(frozen=True, slots=True)
class Model:
    """The model as the file has it, checked: ids are ids, and every part of a merge is there."""

    vocab: Mapping[str, int]
    merges: Sequence[tuple[str, str, str]]
    unknown_token: str | None
    options: ModelOptions
    ignore_merges: bool
    warnings: tuple[str, ...]


def read_model(data: Mapping[str, Any], name: str) -> Model:
    """Read the model of a parsed tokenizer.json; raises FormatError, which names the key.

    >>> model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}
    >>> read_model({"model": model}, "the file").merges
    [('a', 'b', 'ab')]
    """
    model = data.get("model")
    if not isinstance(model, dict):
        raise FormatError(f"{name}: there is no model object; is it a tokenizer.json?")
    _check_kind(model, name)
    options = ModelOptions(
        _flag(model, "byte_fallback", name),
        _flag(model, "fuse_unk", name),
        _text(model, "continuing_subword_prefix", name) or "",
        _text(model, "end_of_word_suffix", name) or "",
    )
    vocab = _read_vocab(model, name)
    unknown = _text(model, "unk_token", name)
    warnings: list[str] = []
    merges = list(_read_merges(model, vocab, options.prefix, warnings, name))
    ignore_merges = _flag(model, "ignore_merges", name)
    return Model(vocab, merges, unknown or None, options, ignore_merges, tuple(warnings))


def vocabulary_of(
    model: Model,
    added: Sequence[AddedToken],
    special: Mapping[str, int],
    is_byte_level: bool,
    name: str,
) -> Vocabulary:
    """Make the vocabulary of a model and its added tokens; raises FormatError.

    >>> model = read_model({"model": {"vocab": {"a": 0, "ab</w>": 1}, "merges": [],
    ...                               "end_of_word_suffix": "</w>"}}, "the file")
    >>> vocabulary_of(model, [], {}, False, "the file").text_of(1)
    'ab</w>'
    """  # fmt: skip
    spellings = _by_id({**model.vocab, **{token.content: token.token_id for token in added}}, name)
    made = {joined for _, _, joined in model.merges}
    literal = {
        token.content
        for token in added
        if not (token.content in made or (token.in_model and _is_symbol(token.content, model)))
    }
    contents: list[Content | None] = [None] * (max(spellings, default=-1) + 1)
    for token_id, token in spellings.items():
        if special.get(token) == token_id or not is_byte_level:
            contents[token_id] = token
        else:
            contents[token_id] = token.encode() if token in literal else _as_bytes(token, name)
    ids = model.vocab
    rules = [
        MergeRule(rank, (ids[left], ids[right]), ids[joined])
        for rank, (left, right, joined) in enumerate(model.merges)
    ]
    ends_word = _ends_word(model, rules, special) if model.options.suffix else frozenset()
    suffix = model.options.suffix if ends_word else None
    return Vocabulary(tuple(contents), tuple(rules), dict(special), suffix, ends_word)


def has_all_bytes(model: Model) -> bool:
    """Tell whether each of the 256 bytes is a token, so that no byte is ever unknown."""
    options = model.options
    return set(ALPHABET) <= model.vocab.keys() and not (options.prefix or options.suffix)


def has_all_byte_tokens(model: Model) -> bool:
    """Tell whether the model falls back to bytes, and has a token for each of the 256."""
    return model.options.byte_fallback and all(
        byte_token(value) in model.vocab for value in range(256)
    )


def _is_symbol(token: str, model: Model) -> bool:
    """Whether a token of the model is one that words are written in."""
    bare = token.removeprefix(model.options.prefix).removesuffix(model.options.suffix)
    return token in _SYMBOLS or bare in _SYMBOLS


def _ends_word(
    model: Model, rules: Sequence[MergeRule], special: Mapping[str, int]
) -> frozenset[int]:
    """Ids of the tokens that end with the suffix because they end a word."""
    suffix = model.options.suffix
    ends = {
        token_id
        for token, token_id in model.vocab.items()
        if len(token) == len(suffix) + 1 and token.endswith(suffix) and token not in special
    }
    for rule in rules:
        if rule.pair[1] in ends:
            ends.add(rule.token_id)
    return frozenset(ends)


def _by_id(ids: Mapping[str, int], name: str) -> dict[int, str]:
    """The tokens by id; raises FormatError where two share one."""
    spellings: dict[int, str] = {}
    for token, token_id in ids.items():
        if token_id in spellings:
            raise FormatError(
                f"{name}: the tokens {spellings[token_id]!r:.80} and {token!r:.80} share the id "
                f"{token_id}"
            )
        if holds_surrogate(token):
            raise FormatError(f"{name}: the token {token!r:.80} holds half of a surrogate pair")
        spellings[token_id] = token
    return spellings


def _check_kind(model: Mapping[str, Any], name: str) -> None:
    kind = model.get("type", "BPE")
    if kind != "BPE":
        known = _OTHER_MODELS.get(kind) if isinstance(kind, str) else None
        what = f" (a model {known})" if known else ""
        raise FormatError(f"{name}: model.type is {kind!r:.80}{what}; only BPE models can be read")
    if "merges" not in model:
        raise FormatError(f"{name}: the model has no merges; only BPE models can be read")
    dropout = model.get("dropout")
    if dropout is not None and (isinstance(dropout, bool) or dropout != 0):
        raise FormatError(
            f"{name}: model.dropout {dropout!r:.80} is not supported: it makes the same text other "
            "tokens each time; set it to null"
        )


def _flag(model: Mapping[str, Any], key: str, name: str) -> bool:
    value = model.get(key)
    if value is not None and not isinstance(value, bool):
        raise FormatError(f"{name}: model.{key} must be true or false, not {value!r:.80}")
    return bool(value)


def _text(model: Mapping[str, Any], key: str, name: str) -> str | None:
    value = model.get(key)
    if value is not None and (not isinstance(value, str) or holds_surrogate(value)):
        raise FormatError(f"{name}: model.{key} must be text or null, not {value!r:.80}")
    return value


def _read_vocab(model: Mapping[str, Any], name: str) -> Mapping[str, int]:
    vocab = model.get("vocab")
    if not isinstance(vocab, dict):
        raise FormatError(f"{name}: model.vocab must be an object of token to id")
    for token, token_id in vocab.items():
        if not isinstance(token, str):  # of an object that was parsed by something else
            raise FormatError(f"{name}: model.vocab: a token must be text, not {token!r:.80}")
        if type(token_id) is not int or not 0 <= token_id < 1_000_000:
            checked_id(token, token_id, f"{name}: model.vocab")
    _by_id(vocab, name)
    return vocab


def _read_merges(
    model: Mapping[str, Any],
    vocab: Mapping[str, int],
    prefix: str,
    warnings: list[str],
    name: str,
) -> Iterator[tuple[str, str, str]]:
    if not isinstance(model.get("merges"), list):
        raise FormatError(f"{name}: model.merges must be a list")
    seen: set[tuple[str, str]] = set()
    n_repeated = 0
    for line, merge in enumerate(model["merges"]):
        if isinstance(merge, str) and merge.startswith("#version"):
            continue  # the first line of a merges.txt, which old files have here too
        left, right = _read_merge(merge, line, name)
        if not right.startswith(prefix):
            raise FormatError(
                f"{name}: model.merges[{line}]: {right!r:.80} does not begin with "
                f"model.continuing_subword_prefix {prefix!r:.80}"
            )
        joined = left + right[len(prefix) :]
        for part in (left, right, joined):
            if part not in vocab:
                raise FormatError(
                    f"{name}: model.merges[{line}] '{left:.80} {right:.80}' needs the token "
                    f"{part!r:.80}, which is not in model.vocab"
                )
        if (left, right) in seen:
            n_repeated += 1
            if n_repeated == 1:
                warnings.append(
                    f"the merge '{left} {right}' is listed twice (again as number {line}): "
                    "the first listing counts"
                )
            continue
        seen.add((left, right))
        yield left, right, joined
    if n_repeated > 1:
        warnings.append(f"{n_repeated:,} merges in all are listed more than once")


def _read_merge(merge: Any, line: int, name: str) -> tuple[str, str]:
    parts = merge.split(" ") if isinstance(merge, str) else merge
    if isinstance(parts, list) and len(parts) == 2:
        left, right = parts
        if isinstance(left, str) and isinstance(right, str) and left and right:
            return left, right
    raise FormatError(
        f"{name}: model.merges[{line}] must be two tokens, as 'a b' or ['a', 'b'], "
        f"not {merge!r:.80}"
    )


def _as_bytes(token: str, name: str) -> bytes:
    try:
        return read_bytes(token)
    except KeyError as error:
        raise FormatError(
            f"{name}: the token {token!r:.80} has a character that is not of the byte-level "
            f"alphabet: {error}"
        ) from error
