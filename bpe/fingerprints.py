"""Short names for whole values, so that caches need not compare or hash them again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer


def tokenizer_fingerprint(tokenizer: Tokenizer) -> str:
    """Name a tokenizer by all that decides what it does (32 hexadecimal digits).

    >>> import bpe
    >>> a, b = (bpe.train("low", num_merges=n).tokenizer for n in (1, 2))
    >>> tokenizer_fingerprint(a) == tokenizer_fingerprint(b)
    False
    """
    vocabulary = tokenizer.vocabulary
    digest = hashlib.sha256()
    settings = (
        tokenizer.base,
        tokenizer.pattern,
        tokenizer.normalizer,
        tokenizer.unknown_token,
        tokenizer.ignore_merges,
        vocabulary.end_of_word,
        sorted(vocabulary.ends_word),
        sorted(vocabulary.special_tokens.items()),
    )
    digest.update(repr(settings).encode())
    imported = (tokenizer.added, tokenizer.model_options, tokenizer.pipeline)
    if tokenizer.reading.is_needed or tokenizer.added is not None:
        digest.update(repr(imported).encode())
    digest.update(repr(vocabulary.contents).encode())
    digest.update(repr([(rule.pair, rule.token_id) for rule in vocabulary.merges]).encode())
    return digest.hexdigest()[:32]
