"""vocab.json and merges.txt, the two files of GPT-2: tokens with ids, and merge rules.

They say no more than that. Which base, pattern and special tokens are meant is told from the tokens
where that is sure, and otherwise taken by convention and said in the tokenizer's `warnings`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bpe.byte_alphabet import ALPHABET, read_bytes, spell_bytes
from bpe.errors import FormatError
from bpe.file_limits import HIGHEST_ID
from bpe.file_sources import read_text
from bpe.imported_symbols import NO_OPTIONS, ModelOptions
from bpe.json_own_part import holds_surrogate
from bpe.json_source import read_json
from bpe.merges_text import read_merges
from bpe.missing_tokens import missing_bytes, missing_ids
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content, MergeRule, Vocabulary

_UNKNOWN_NAMES = ("<unk>", "[UNK]")
_SUFFIX = "</w>"
_LETTERS = frozenset(ALPHABET)
_SPACE, _LINE_END = spell_bytes(b" "), spell_bytes(b"\n")


def load_gpt2(vocab_json: Any, merges_txt: Any, *, pattern: str | None = None) -> Tokenizer:
    """Read a vocab.json with its merges.txt.

    Each is a path, the file's bytes or its text; vocab.json may also be the parsed object. Tokens
    are spelled bytes if they are all in GPT-2's alphabet and that spells a space or every byte;
    else characters, of which `a</w>` ends a word. The files hold no pattern: without `pattern`,
    bytes are split as GPT-2 does, characters at white space if no token holds any, else not at all.
    Tokens that no merge makes are special tokens. `warnings` of the tokenizer say what was taken
    so. Raises FormatError, which names the file and line or token.

    >>> tokenizer = load_gpt2({"a": 0, "b": 1, "ab": 2}, "#version: 0.2\\na b\\n")
    >>> tokenizer.encode("abb").ids
    [2, 1]
    """
    data, vocab_name = read_json(vocab_json)
    vocab_name = "vocab.json" if vocab_name.startswith("the ") else vocab_name
    _check_vocab(data, vocab_name)
    text, merges_name = read_text(merges_txt, "merges.txt", _is_merges_text)
    lines = list(read_merges(text, merges_name, data))
    files = _Files(data, vocab_name, merges_name)
    pairs = list(_checked(lines, files))
    ends = _word_ends(data, pairs)
    special_tokens = _special_tokens(data, pairs, ends)
    is_byte_level = _is_byte_level(data.keys() - special_tokens.keys())
    if is_byte_level and ends:
        raise FormatError(
            f"{vocab_name}: {min(ends)!r} ends a word in a file of bytes, which is not supported "
            "in this form (as of CLIP): take the model's tokenizer.json"
        )
    vocabulary = _vocabulary(files, pairs, special_tokens, is_byte_level)
    if ends:
        ids = frozenset(data[token] for token in ends)
        vocabulary = replace(vocabulary, end_of_word=_SUFFIX, ends_word=ids)
        files.warnings.append(f"tokens that end with {_SUFFIX!r} are taken to end a word")
    unknown = None
    if not is_byte_level:
        unknown = next((name for name in _UNKNOWN_NAMES if name in special_tokens), None)
    files.warn_of(special_tokens, unknown)
    if is_byte_level:
        files.warnings += missing_bytes(vocabulary.contents)
    files.warnings += missing_ids(vocabulary.contents)
    return Tokenizer(
        vocabulary,
        "byte" if is_byte_level else "char",
        pattern or files.usual_pattern(is_byte_level),
        unknown_token=unknown,
        model_options=ModelOptions(suffix=_SUFFIX) if ends else NO_OPTIONS,
        warnings=tuple(files.warnings),
    )


def _is_merges_text(source: str) -> bool:
    is_text = "\n" in source or not source or source.startswith(("#version", "<"))
    return is_text or (source.count(" ") == 1 and not os.path.exists(source))


@dataclass
class _Files:
    """The two files by name, with what is to be said of them."""

    vocab: Mapping[str, int]
    vocab_name: str
    merges_name: str
    warnings: list[str] = field(default_factory=list)

    def warn_of(self, special_tokens: Mapping[str, int], unknown: str | None) -> None:
        """Say which tokens were taken as special, and as unknown."""
        names = list(special_tokens)
        if names:
            more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
            shown = ", ".join(repr(name) for name in names[:3])
            taken = "a special token" if len(names) == 1 else "special tokens"
            self.warnings.append(f"no merge makes {shown}{more}: taken as {taken}")
        if unknown is not None:
            self.warnings.append(f"{unknown!r} is taken as the unknown token because of its name")

    def usual_pattern(self, is_byte_level: bool) -> str:
        """The pattern such files are used with, which they do not say."""
        says = "vocab.json and merges.txt hold no pattern"
        if is_byte_level:
            self.warnings.append(f"{says}: that of GPT-2 is taken, as is the custom for bytes")
            return "gpt2"
        if any(char.isspace() for token in self.vocab for char in token):
            self.warnings.append(f"{says}: a text is not split, because tokens hold white space")
            return "none"
        self.warnings.append(f"{says}: a text is split at white space, which no token holds")
        return "whitespace"


def _check_vocab(data: Mapping[str, Any], name: str) -> None:
    if isinstance(data.get("model"), dict):
        raise FormatError(f"{name} is a tokenizer.json, not a vocab.json: it needs no merges.txt")
    if not data:
        raise FormatError(f"{name} holds no tokens")
    tokens: dict[int, str] = {}
    for token, token_id in data.items():
        if isinstance(token_id, bool) or not isinstance(token_id, int) or token_id < 0:
            raise FormatError(
                f"{name}: the id of {token!r:.80} must be a whole number from 0 up, "
                f"not {token_id!r:.80}"
            )
        if token_id > HIGHEST_ID:
            raise FormatError(f"{name}: the id {token_id!r:.80} of {token!r:.80} is too large")
        if token_id in tokens:
            raise FormatError(
                f"{name}: duplicate id {token_id}: {tokens[token_id]!r:.80} and {token!r:.80} "
                "share it"
            )
        if not isinstance(token, str) or holds_surrogate(token):
            raise FormatError(f"{name}: the token {token!r:.80} is no text")
        tokens[token_id] = token


def _checked(lines: list[tuple[int, str, str]], files: _Files) -> Iterator[tuple[str, str]]:
    """Yield each pair once, if the vocabulary has its parts and what they make."""
    seen: set[tuple[str, str]] = set()
    for line, left, right in lines:
        for part in (left, right, left + right):
            if part not in files.vocab:
                raise FormatError(
                    f"{files.merges_name}: line {line} '{left:.80} {right:.80}' needs the token "
                    f"{part!r:.80}, which is not in {files.vocab_name}"
                )
        if (left, right) not in seen:
            seen.add((left, right))
            yield left, right
        elif len(files.warnings) == 0:
            files.warnings.append(
                f"the merge '{left} {right}' is listed twice (again in line {line} of "
                f"{files.merges_name}): the first listing counts"
            )


def _special_tokens(
    vocab: Mapping[str, int], pairs: list[tuple[str, str]], ends: frozenset[str]
) -> dict[str, int]:
    """The tokens of several characters that no merge makes or needs, by id."""
    used = ends | {part for left, right in pairs for part in (left, right, left + right)}
    found = [token for token in vocab if len(token) > 1 and token not in used]
    return {token: vocab[token] for token in sorted(found, key=vocab.__getitem__)}


def _word_ends(vocab: Mapping[str, int], pairs: list[tuple[str, str]]) -> frozenset[str]:
    """The tokens that end a word: characters with the suffix, which no merge makes, and on.

    So written by GPT, CLIP, subword-nmt and Hugging Face's CharBPETokenizer.
    """
    made = {left + right for left, right in pairs}
    length = len(_SUFFIX) + 1
    ends = {token for token in vocab if len(token) == length and token.endswith(_SUFFIX)} - made
    for left, right in pairs if ends else ():
        if right in ends:
            ends.add(left + right)
    return frozenset(ends)


def _is_byte_level(tokens: set[str]) -> bool:
    """Whether tokens are spelled bytes: all 256 are there, or nothing else, and a space."""
    if tokens >= _LETTERS:
        return True
    return {_SPACE, _LINE_END} & tokens != set() and all(_LETTERS.issuperset(t) for t in tokens)


def _vocabulary(
    files: _Files,
    pairs: list[tuple[str, str]],
    special_tokens: dict[str, int],
    is_byte_level: bool,
) -> Vocabulary:
    vocab = files.vocab
    contents: list[Content | None] = [None] * (max(vocab.values()) + 1)
    for token, token_id in vocab.items():
        contents[token_id] = token
        if is_byte_level and token not in special_tokens:
            try:
                contents[token_id] = read_bytes(token)
            except KeyError as error:
                raise FormatError(
                    f"{files.vocab_name}: the token {token!r:.80} has a character that is not of "
                    f"the byte-level alphabet: {error}"
                ) from error
    merges = tuple(
        MergeRule(rank, (vocab[left], vocab[right]), vocab[left + right])
        for rank, (left, right) in enumerate(pairs)
    )
    return Vocabulary(tuple(contents), merges, special_tokens)
