"""tiktoken's own encodings, built in memory from the bundled ranks: no file is downloaded."""

from __future__ import annotations

from functools import cache
from typing import Any
from unittest.mock import patch

import tiktoken
import tiktoken_ext.openai_public as published

import bpe

NAMES = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")


@cache
def ranks(name: str) -> dict[bytes, int]:
    """The ranks of a bundled encoding by the bytes of the token."""
    contents = bpe.load_pretrained(name).vocabulary.contents
    return {content: i for i, content in enumerate(contents) if isinstance(content, bytes)}


@cache
def settings(name: str) -> dict[str, Any]:
    """What tiktoken makes an encoding from, with the hash it demands of the rank file."""
    with patch.object(
        published, "load_tiktoken_bpe", side_effect=lambda *_, expected_hash: expected_hash
    ):
        found: dict[str, Any] = getattr(published, name)()
    return found


@cache
def peer(name: str) -> tiktoken.Encoding:
    """tiktoken's encoding of this name."""
    return tiktoken.Encoding(**{**settings(name), "mergeable_ranks": ranks(name)})


def peer_of_ranks(table: dict[bytes, int], pattern: str = r"[\s\S]+") -> tiktoken.Encoding:
    """tiktoken with a table of ranks of any kind."""
    return tiktoken.Encoding("table", pat_str=pattern, mergeable_ranks=table, special_tokens={})
