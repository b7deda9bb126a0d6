"""The encodings of GPT-2 to GPT-4o, bundled: their ranks, split patterns and special tokens.

Ranks are those of tiktoken's rank files, kept in `bpe/data` in a form of our own; where they come
from and their licences stand in `bpe/data/README.md`. The same names as in tiktoken
(`tiktoken_ext/openai_public.py`, MIT), the same ids for the same text.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, pairwise

from bpe.errors import ConfigError
from bpe.rank_vocabulary import RankVocabulary
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content

_END = "<|endoftext|>"
_END_OF_PROMPT = "<|endofprompt|>"


@dataclass(frozen=True, slots=True)
class _Encoding:
    """What a bundled encoding is made of.

    `file_name` holds its ranks from 0 on without a gap, `more_tokens` those after a gap.
    """

    file_name: str
    pattern: str
    special_tokens: Mapping[str, int]
    more_tokens: tuple[tuple[bytes, int], ...] = ()


_ENCODINGS = {
    "r50k_base": _Encoding("r50k_base", "gpt2", {_END: 50256}),
    # Made for code: r50k_base with runs of 2 to 25 spaces.
    "p50k_base": _Encoding(
        "r50k_base", "gpt2", {_END: 50256}, tuple((b" " * n, 50255 + n) for n in range(2, 26))
    ),
    "cl100k_base": _Encoding(
        "cl100k_base",
        "cl100k",
        {
            _END: 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            _END_OF_PROMPT: 100276,
        },
    ),
    "o200k_base": _Encoding("o200k_base", "o200k", {_END: 199999, _END_OF_PROMPT: 200018}),
}
_OTHER_NAMES = {"gpt2": "r50k_base"}

PRETRAINED_NAMES = tuple(_ENCODINGS)


def load_pretrained(name: str) -> Tokenizer:
    """Load a bundled encoding: r50k_base (also named gpt2), p50k_base, cl100k_base or o200k_base.

    The same name gives the same tokenizer again. Its merge rules are worked out when asked for.
    Raises ConfigError for another name.

    >>> tokenizer = load_pretrained("cl100k_base")
    >>> tokenizer.vocab_size, tokenizer.encode("Tokenization turns text").ids
    (100277, [3404, 2065, 10800, 1495])
    """
    known = _OTHER_NAMES.get(name, name) if isinstance(name, str) else None
    if known not in _ENCODINGS:
        raise ConfigError(
            f"no bundled encoding is named {name!r}: there are {', '.join(_ENCODINGS)}, "
            f"and {', '.join(f'{a} for {b}' for a, b in _OTHER_NAMES.items())}"
        )
    return _load(known)


@lru_cache(maxsize=len(_ENCODINGS))
def _load(name: str) -> Tokenizer:
    encoding = _ENCODINGS[name]
    tokens = read_ranks(encoding.file_name)
    placed: list[tuple[Content, int]] = [*encoding.special_tokens.items(), *encoding.more_tokens]
    highest = max(token_id for _, token_id in placed)
    contents: list[Content | None] = [*tokens, *[None] * (highest + 1 - len(tokens))]
    for content, token_id in placed:
        contents[token_id] = content
    vocabulary = RankVocabulary(tuple(contents), encoding.special_tokens)
    return Tokenizer(vocabulary, "byte", encoding.pattern)


def read_ranks(file_name: str) -> list[bytes]:
    """Read the tokens of a file of ranks in `bpe/data`, by rank.

    The file, compressed with xz, holds the number of tokens (4 bytes, lowest first), the length
    of each token (1 byte each), and the tokens' bytes one after another.

    >>> read_ranks("r50k_base")[:3]
    [b'!', b'"', b'#']
    """
    data = lzma.decompress((files("bpe") / "data" / f"{file_name}.ranks.xz").read_bytes())
    n_tokens = int.from_bytes(data[:4], "little")
    lengths = data[4 : 4 + n_tokens]
    ends = accumulate(lengths, initial=4 + n_tokens)
    return [data[start:end] for start, end in pairwise(ends)]
