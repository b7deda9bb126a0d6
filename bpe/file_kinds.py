"""Reading the files of a tokenizer without being told what they are: their contents say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bpe.errors import FormatError
from bpe.file_recognition import Part, Role, recognise
from bpe.file_sources import NamedFile
from bpe.formats import load_tokenizer_json
from bpe.gpt2_files import load_gpt2
from bpe.sentencepiece_files import load_sentencepiece
from bpe.tiktoken_files import load_tiktoken
from bpe.tokenizer import Tokenizer
from bpe.zip_files import is_zip, unzip

FileKind: TypeAlias = Literal["tokenizer_json", "gpt2", "tiktoken", "sentencepiece"]
FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)

_WANTED = "a tokenizer.json, a vocab.json with its merges.txt, a rank file of tiktoken, or a model \
of SentencePiece"


@dataclass(frozen=True, slots=True)
class LoadedTokenizer:
    """A tokenizer read from files, what kind of files they were, and what they leave unsaid.

    `unsaid` are sentences for the screen.

    >>> document = b'{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}'
    >>> load_files({"download": document}).kind
    'tokenizer_json'
    """

    tokenizer: Tokenizer
    kind: FileKind
    unsaid: tuple[str, ...]


def load_files(files: Mapping[str, bytes], *, pattern: str | None = None) -> LoadedTokenizer:
    """Read a tokenizer from its file, its files, or a zip archive of them.

    `files` are contents by name; names are for messages only. `pattern` is used where the files
    hold none. Of a folder with several forms of the same tokenizer the tokenizer.json is taken.
    Raises FormatError for files that hold no tokenizer, several, or a damaged one; PatternNeeded,
    a FormatError, where a pattern must be given; ConfigError for a pattern that does not compile.

    >>> files = {"a": b'{"a": 0, "b": 1, "ab": 2}', "b": b"#version: 0.2\\na b\\n"}
    >>> loaded = load_files(files)
    >>> loaded.kind, loaded.tokenizer.encode("abb").tokens
    ('gpt2', ['ab', 'b'])
    """
    parts = [recognise(NamedFile(name, data)) for name, data in _unpacked(files).items()]
    kind, chosen = _choose(parts)
    tokenizer = _load(kind, chosen, pattern)
    unused = [_why_unused(part, chosen[0]) for part in parts if part not in chosen]
    return LoadedTokenizer(tokenizer, kind, (*tokenizer.warnings, *unused))


def _unpacked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, those in zip archives among them."""
    found: dict[str, bytes] = {}
    for name, data in files.items():
        inner = unzip(data, name) if is_zip(data) else {name: data}
        if not inner:
            raise FormatError(f"{name} is an empty zip archive: give {_WANTED}")
        for inner_name, content in inner.items():
            found[inner_name if inner_name not in found else f"{name}/{inner_name}"] = content
    if not found:
        raise FormatError(f"there is no file: give {_WANTED}")
    return found


def _choose(parts: list[Part]) -> tuple[FileKind, list[Part]]:
    """The files to read, and as what; raises FormatError where that is none or not clear."""
    by_role = {role: [part for part in parts if part.role == role] for role in get_args(Role)}
    if by_role["tokenizer_json"]:
        return "tokenizer_json", _only_one(by_role["tokenizer_json"])
    whole: list[FileKind] = [kind for kind in ("tiktoken", "sentencepiece") if by_role[kind]]
    vocabs, merges = by_role["vocab_json"], by_role["merges_txt"]
    if vocabs and merges:
        whole.append("gpt2")
    if len(whole) > 1:
        names = ", ".join(repr(part.file.name) for part in parts if part.role is not None)
        raise FormatError(f"these files hold several tokenizers: {names}; give those of one")
    if not whole:
        raise _nothing_whole(parts, vocabs, merges)
    if whole[0] == "gpt2":
        return "gpt2", [*_largest_first(vocabs), *_only_one(merges)]
    return whole[0], _only_one(by_role[whole[0]])


def _only_one(parts: list[Part]) -> list[Part]:
    if len(parts) > 1:
        names = " and ".join(repr(part.file.name) for part in parts[:2])
        raise FormatError(f"{names} are files of the same kind: give those of one tokenizer")
    return parts


def _nothing_whole(parts: list[Part], vocabs: list[Part], merges: list[Part]) -> FormatError:
    damaged = [part for part in parts if part.is_damaged]
    if damaged:
        return FormatError(f"{damaged[0].file.name} {damaged[0].says}")
    if vocabs:
        return FormatError(
            f"{vocabs[0].file.name} is a vocab.json, which holds no merge rules: give the "
            "merges.txt beside it together with it"
        )
    if merges:
        return FormatError(
            f"{merges[0].file.name} is a merges.txt, which holds no ids: give the vocab.json "
            "beside it together with it"
        )
    found = "; ".join(f"{part.file.name} is {part.says}" for part in parts[:3])
    more = f"; and {len(parts) - 3} more files" if len(parts) > 3 else ""
    return FormatError(f"{found}{more}: give {_WANTED}")


def _largest_first(vocabs: list[Part]) -> list[Part]:
    return sorted(vocabs, key=lambda part: -len(part.file.data))


def _load(kind: FileKind, parts: list[Part], pattern: str | None) -> Tokenizer:
    if kind == "tokenizer_json":
        return load_tokenizer_json(parts[0].file)
    if kind == "tiktoken":
        return load_tiktoken(parts[0].file, pattern=pattern)
    if kind == "sentencepiece":
        return load_sentencepiece(parts[0].file)
    *vocabs, merges = parts
    return load_gpt2(_with_added_tokens(vocabs), merges.file, pattern=pattern)


def _with_added_tokens(vocabs: list[Part]) -> NamedFile:
    """A vocab.json with the tokens of an added_tokens.json, which has the same form."""
    vocab = dict(vocabs[0].file.data)
    for part in vocabs[1:]:
        for token, token_id in part.file.data.items():
            if vocab.setdefault(token, token_id) != token_id:
                raise FormatError(
                    f"{vocabs[0].file.name} and {part.file.name} give two ids to {token!r:.80}: "
                    f"{vocab[token]!r:.80} and {token_id!r:.80}; give the files of one tokenizer"
                )
    return NamedFile(vocabs[0].file.name, vocab)


def _why_unused(part: Part, whole: Part) -> str:
    if part.role is not None:
        return f"{part.file.name} was not used: {whole.file.name} holds the whole tokenizer"
    return f"{part.file.name} was not used: it is {part.says}"
