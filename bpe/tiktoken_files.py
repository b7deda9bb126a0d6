"""tiktoken's rank files: a token a line, as base64, and its rank, which is its id.

The format is that of tiktoken (`tiktoken/load.py`, MIT), whose `load_tiktoken_bpe` reads it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from bpe.errors import FormatError, PatternNeeded, as_whole_number
from bpe.file_limits import HIGHEST_ID
from bpe.file_sources import read_text
from bpe.json_own_part import holds_surrogate
from bpe.missing_tokens import missing_bytes, missing_ids
from bpe.rank_vocabulary import RankVocabulary
from bpe.text_pipeline import named_expression
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content

# A sign of equality alone is the empty token, which the files of Whisper have.
RANK_LINE = re.compile(r"(?:[A-Za-z0-9+/]+={0,2}|=) [0-9]+")

# SHA-256 of the rank files of known encodings (tiktoken_ext/openai_public.py), and their patterns.
KNOWN_FILES = {
    "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930": "gpt2",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069": "gpt2",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": "cl100k",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d": "o200k",
}

# How tiktoken spells the named patterns (pat_str), beside what tokenizer.json files write.
SPELLINGS = {
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s": "gpt2",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s": "cl100k",
}


def load_tiktoken(
    source: Any,
    *,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Read a rank file as tiktoken has them.

    `source` is a path, the file's bytes, or its text. The file holds neither a pattern nor special
    tokens: give `pattern` (a name, or a regular expression), and the ids of special tokens if there
    are any. A token counts whole where a pre-token spells it, as in tiktoken. Raises FormatError,
    which names the line; PatternNeeded, a FormatError, where there is no pattern.

    >>> ranks = [f"{base64.b64encode(bytes([i])).decode()} {i}" for i in range(256)]
    >>> load_tiktoken("\\n".join([*ranks, "YWI= 256"]), pattern="gpt2").encode("abab").ids
    [256, 256]
    """
    text, name = read_text(source, "the file", _is_rank_text)
    ranks = _read_ranks(text, name)
    problem = missing_bytes(ranks.values(), "rank table")
    if problem:
        raise FormatError(f"{name}: {problem[0]}")
    specials = _checked_specials(special_tokens or {}, ranks)
    if pattern is None:
        raise PatternNeeded(name, KNOWN_FILES.get(_digest(ranks)))
    placed: dict[int, Content] = {**ranks, **{i: token for token, i in specials.items()}}
    contents = tuple(map(placed.get, range(max(placed) + 1)))
    warnings = missing_ids(contents)
    if not specials:
        warnings.insert(0, "a rank file holds no special tokens: there are none")
    vocabulary = RankVocabulary(contents, specials)
    is_text = isinstance(pattern, str)  # what else it may be is refused below
    known = (SPELLINGS.get(pattern) or named_expression(pattern)) if is_text else None
    return Tokenizer(
        vocabulary, "byte", known or pattern, ignore_merges=True, warnings=tuple(warnings)
    )


def write_ranks(ranks: Iterable[tuple[int, bytes]]) -> str:
    """Write (rank, token) as the text of a rank file.

    >>> write_ranks([(0, b"!"), (1, b" a")])
    'IQ== 0\\nIGE= 1\\n'
    """
    return "".join(f"{base64.b64encode(token).decode() or '='} {rank}\n" for rank, token in ranks)


def _is_rank_text(source: str) -> bool:
    is_text = "\n" in source or not source or source.lstrip("\ufeff \r").startswith("<")
    return is_text or RANK_LINE.fullmatch(source.strip()) is not None


def _read_ranks(text: str, name: str) -> dict[int, bytes]:
    """The tokens by rank."""
    tokens: dict[int, bytes] = {}
    lines: dict[bytes, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line:
            continue
        rank, token = _read_line(line, f"{name}: line {number}")
        if rank in tokens:
            raise FormatError(
                f"{name}: line {number}: duplicate rank {rank}: {tokens[rank]!r:.80} in line "
                f"{lines[tokens[rank]]} has it"
            )
        if token in lines:
            raise FormatError(
                f"{name}: line {number}: duplicate token {token!r:.80}, which stands in line "
                f"{lines[token]} too"
            )
        tokens[rank], lines[token] = token, number
    if not tokens:
        raise FormatError(f"{name} holds no ranks: it is empty")
    return tokens


def _read_line(line: str, where: str) -> tuple[int, bytes]:
    if not RANK_LINE.fullmatch(line):
        raise FormatError(
            f"{where} must be a token in base64, a space and its rank, as 'IQ== 0', "
            f"not {line!r:.80}"
        )
    spelled, digits = line.split(" ")
    if len(digits) > 9 or int(digits) > HIGHEST_ID:
        raise FormatError(f"{where}: the rank {digits:.20} is too large")
    try:
        token = b"" if spelled == "=" else binascii.a2b_base64(spelled, strict_mode=True)
        return int(digits), token
    except binascii.Error as error:
        raise FormatError(f"{where}: {spelled!r:.80} is not base64: {error}") from error


def _checked_specials(special_tokens: object, ranks: Mapping[int, bytes]) -> dict[str, int]:
    if not isinstance(special_tokens, Mapping):
        raise FormatError(
            f"special_tokens must be a mapping of token to id, not {special_tokens!r:.80}"
        )
    taken: dict[int, str] = {}
    for token, given in special_tokens.items():
        if not isinstance(token, str) or not token or holds_surrogate(token):
            raise FormatError(f"special_tokens: a token must be text, not {token!r:.80}")
        token_id = as_whole_number(given)
        if token_id is None or not 0 <= token_id <= HIGHEST_ID:
            raise FormatError(
                f"special_tokens: the id of {token!r:.80} must be a whole number from 0 to "
                f"{HIGHEST_ID:,}, not {given!r:.80}"
            )
        other = taken.get(token_id, ranks.get(token_id))
        if other is not None:
            raise FormatError(
                f"special_tokens: duplicate id {token_id}: {other!r:.80} and {token!r:.80} share it"
            )
        taken[token_id] = token
    return {token: token_id for token_id, token in taken.items()}


def _digest(ranks: Mapping[int, bytes]) -> str:
    """The SHA-256 of the file as tiktoken would write it, whatever its line ends are here."""
    return hashlib.sha256(write_ranks(sorted(ranks.items())).encode()).hexdigest()
