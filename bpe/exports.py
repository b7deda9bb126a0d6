"""Writing a tokenizer as vocab.json + merges.txt or as tiktoken ranks, where these can hold it.

Both hold less than tokenizer.json does. What they cannot hold at all is refused with the reason;
what stands outside them by custom (pattern, special tokens) is told by `export_notes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from bpe.errors import FormatError
from bpe.export_reasons import gpt2_reasons, tiktoken_reasons
from bpe.file_kinds import FileKind
from bpe.json_own_part import needs_own_part
from bpe.merges_text import write_merges
from bpe.text_pipeline import PUBLISHED_EXPRESSIONS
from bpe.text_pipeline.character_table import CharacterTable
from bpe.tiktoken_files import write_ranks
from bpe.token_spelling import spell
from bpe.tokenizer import Tokenizer

_Reasons: TypeAlias = Callable[[Tokenizer], Iterator[str]]
_NAMES: dict[FileKind, str] = {
    "tokenizer_json": "tokenizer.json",
    "gpt2": "vocab.json + merges.txt",
    "tiktoken": "a tiktoken rank file",
    "sentencepiece": "a model of SentencePiece",
}
_REASONS: dict[FileKind, _Reasons] = {
    "tokenizer_json": lambda tokenizer: iter(()),
    "gpt2": gpt2_reasons,
    "tiktoken": tiktoken_reasons,
    "sentencepiece": lambda tokenizer: iter(["this program does not write such models"]),
}


def to_gpt2(tokenizer: Tokenizer) -> tuple[str, str]:
    """Write a tokenizer as the texts of a vocab.json and a merges.txt.

    Raises FormatError, which says why and what can, for a tokenizer that these cannot hold; see
    `export_notes` for what they leave unsaid.

    >>> import bpe
    >>> tokenizer = bpe.train("abab", base="char", num_merges=1).tokenizer
    >>> to_gpt2(tokenizer)
    ('{"a": 0, "b": 1, "ab": 2}', '#version: 0.2\\na b\\n')
    """
    _refuse(tokenizer, "gpt2")
    vocabulary = tokenizer.vocabulary
    spelled = {
        token_id: spell(content)
        for token_id, content in enumerate(vocabulary.contents)
        if content is not None
    }
    vocab = {spelling: token_id for token_id, spelling in spelled.items()}
    pairs = (rule.pair for rule in vocabulary.merges)
    merges = write_merges((spelled[left], spelled[right]) for left, right in pairs)
    return json.dumps(vocab, ensure_ascii=False), merges


def to_tiktoken(tokenizer: Tokenizer) -> str:
    """Write the tokens as the text of a tiktoken rank file; ranks are ids.

    Raises FormatError, which says why and what can, for a tokenizer that ranks cannot hold. Pattern
    and special tokens are not in such a file: `tiktoken_arguments` gives them.

    >>> import bpe
    >>> to_tiktoken(bpe.train("low low", num_merges=1).tokenizer).splitlines()[-1]
    'bG8= 256'
    """
    _refuse(tokenizer, "tiktoken")
    special = tokenizer.vocabulary.special_by_id
    return write_ranks(
        (token_id, content)
        for token_id, content in enumerate(tokenizer.vocabulary.contents)
        if isinstance(content, bytes) and token_id not in special
    )


def export_refusal(tokenizer: Tokenizer, kind: FileKind) -> str | None:
    """Say why a kind of file cannot hold a tokenizer, and which can; None where it can.

    >>> import bpe
    >>> run = bpe.train("low low", base="char", num_merges=2)
    >>> print(export_refusal(run.tokenizer, "tiktoken"))
    a tiktoken rank file cannot hold this tokenizer: its ranks are of bytes, and this is a
    character base; tokenizer.json and vocab.json + merges.txt can
    >>> export_refusal(run.tokenizer, "tokenizer_json")
    """
    reason = next(_REASONS[kind](tokenizer), None)
    if reason is None:
        return None
    others: tuple[FileKind, ...] = ("tokenizer_json", "gpt2", "tiktoken")
    able = [_NAMES[other] for other in others if next(_REASONS[other](tokenizer), None) is None]
    if export_notes(tokenizer, "tokenizer_json"):  # always the first of those that can
        able[0] += " (as a file for this program alone)"
    return f"{_NAMES[kind]} cannot hold this tokenizer: {reason}; {' and '.join(able)} can"


def export_notes(tokenizer: Tokenizer, kind: FileKind) -> tuple[str, ...]:
    """Say what a file of this kind leaves unsaid of a tokenizer it holds, and how to say it.

    >>> import bpe
    >>> tokenizer = bpe.train("low", num_merges=1, special_tokens=["<s>"]).tokenizer
    >>> for note in export_notes(tokenizer, "gpt2"):
    ...     print(note)
    The files hold no pattern; programs take GPT-2's for them, which is that of this tokenizer.
    The files do not tell special tokens from others. Here they are: '<s>' (0).
    """
    if kind == "tokenizer_json":
        return _own_part_notes(tokenizer)
    return _tiktoken_notes(tokenizer) if kind == "tiktoken" else _gpt2_notes(tokenizer)


def tiktoken_arguments(tokenizer: Tokenizer) -> dict[str, Any]:
    """What `tiktoken.Encoding` must be given beside the ranks, to encode as this tokenizer does.

    >>> import bpe
    >>> tiktoken_arguments(bpe.train("low", num_merges=1, pattern="whitespace").tokenizer)
    {'pat_str': '[^\\\\s\\\\x1c-\\\\x1f]+', 'special_tokens': {}}
    """
    own = tokenizer.pattern
    known = {"none": r"[\s\S]+", "whitespace": r"[^\s\x1c-\x1f]+", **PUBLISHED_EXPRESSIONS}
    # tiktoken drops what its expression does not match; here that is a pre-token.
    expression = known.get(own, rf"(?:{own})|(?:(?!{own})[\s\S])+")
    return {"pat_str": expression, "special_tokens": tokenizer.special_tokens}


def _refuse(tokenizer: Tokenizer, kind: FileKind) -> None:
    refusal = export_refusal(tokenizer, kind)
    if refusal is not None:
        raise FormatError(refusal)


def _own_part_notes(tokenizer: Tokenizer) -> tuple[str, ...]:
    steps = () if tokenizer.pipeline is None else tokenizer.pipeline.normalizers
    if any(isinstance(step, CharacterTable) for step in steps):
        return (
            "Other programs refuse this file: the table by which SentencePiece rewrites characters "
            "is no step that they know; only this program reads it.",
        )
    if not needs_own_part(tokenizer):
        return ()
    return (
        "Other programs refuse this file: what they have no words for (an end-of-word marker, "
        "tokens spelled alike, ranks without merge rules, an expression that they read "
        "otherwise) stands in a part that only this program reads.",
    )


def _gpt2_notes(tokenizer: Tokenizer) -> tuple[str, ...]:
    notes = [f"The files hold no pattern. Here it is: {tokenizer.pattern}."]
    if tokenizer.base == "byte" and tokenizer.pattern == "gpt2":
        notes = [
            "The files hold no pattern; programs take GPT-2's for them, which is that of this "
            "tokenizer."
        ]
    if tokenizer.special_tokens:
        shown = [f"{token!r} ({token_id})" for token, token_id in tokenizer.special_tokens.items()]
        notes.append(
            f"The files do not tell special tokens from others. Here they are: {', '.join(shown)}."
        )
    if tokenizer.unknown_token is not None:
        notes.append(f"The files do not say that {tokenizer.unknown_token!r} is the unknown token.")
    return tuple(notes)


def _tiktoken_notes(tokenizer: Tokenizer) -> tuple[str, ...]:
    arguments = tiktoken_arguments(tokenizer)
    return tuple(
        f"The file holds no {what}: give tiktoken.Encoding {name}={arguments[name]!r}."
        for name, what in (("pat_str", "pattern"), ("special_tokens", "special tokens"))
        if arguments[name]
    )
