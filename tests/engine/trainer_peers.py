"""Other libraries' trainers, called so that they do the work our settings ask for.

Each takes documents and a number of merges, and gives what it merged, as contents.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import bpeasy
import rustbpe
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from bpe.byte_alphabet import read_bytes

# As GPT-2 writes it; both libraries are given it as it is.
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
N_BYTES = 256
ANY_LENGTH = 10**9  # of a token: bpeasy asks for a limit


def rustbpe_tokens(texts: Sequence[str], num_merges: int) -> list[bytes]:
    """What rustbpe learns; its vocabulary begins with the 256 bytes."""
    peer = rustbpe.Tokenizer()
    peer.train_from_iterator(iter(texts), N_BYTES + num_merges, pattern=GPT2_PATTERN)
    ranks = sorted(peer.get_mergeable_ranks(), key=lambda entry: entry[1])
    return [bytes(content) for content, _ in ranks[N_BYTES:]]


def bpeasy_tokens(texts: Sequence[str], num_merges: int) -> list[bytes]:
    """What bpeasy learns; its vocabulary begins with the 256 bytes."""
    size = N_BYTES + num_merges
    ranks: dict[bytes, int] = bpeasy.train_bpe(iter(texts), GPT2_PATTERN, ANY_LENGTH, size)
    return sorted(ranks, key=ranks.__getitem__)[N_BYTES:]


def hugging_face_byte_merges(texts: Sequence[str], num_merges: int) -> list[tuple[bytes, bytes]]:
    """The pairs that Hugging Face's ByteLevel trainer merges."""
    split = pre_tokenizers.ByteLevel(add_prefix_space=False)
    peer = _trained(texts, N_BYTES + num_merges, split, pre_tokenizers.ByteLevel.alphabet())
    return [(read_bytes(left), read_bytes(right)) for left, right in _merges(peer)]


def hugging_face_char_merges(texts: Sequence[str], num_merges: int) -> list[tuple[str, str]]:
    """The pairs that its trainer merges of characters, in words that white space ends."""
    n_chars = len({char for text in texts for char in text if not char.isspace()})
    return _merges(_trained(texts, n_chars + num_merges, pre_tokenizers.WhitespaceSplit(), []))


def _trained(
    texts: Sequence[str], vocab_size: int, split: Any, alphabet: list[str]
) -> tokenizers.Tokenizer:
    peer = tokenizers.Tokenizer(models.BPE())
    peer.pre_tokenizer = split
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, show_progress=False, initial_alphabet=alphabet
    )
    peer.train_from_iterator(texts, trainer)
    return peer


def _merges(peer: tokenizers.Tokenizer) -> list[tuple[str, str]]:
    parsed: dict[str, Any] = json.loads(peer.to_str())
    return [(left, right) for left, right in parsed["model"]["merges"]]
