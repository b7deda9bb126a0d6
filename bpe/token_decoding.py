"""From ids back to text."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bpe.errors import ConfigError
from bpe.imported_reading import decodes_by_steps
from bpe.token_spelling import spell

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer


def decode_ids(tokenizer: Tokenizer, ids: Iterable[int], errors: str) -> str:
    """Turn ids into text; raises UnknownIdError.

    The decoder of an imported tokenizer is that of its file; where that has none, tokens are
    joined. `errors` says what to do with bytes that are not UTF-8 where tokens are bytes.

    >>> import bpe
    >>> decode_ids(bpe.train("a", num_merges=0).tokenizer, [104, 105], "strict")
    'hi'
    """
    _check_errors(errors)
    ids = _checked_ids(ids)
    if tokenizer.pipeline is None or not decodes_by_steps(tokenizer):
        return join_ids(tokenizer, ids).decode("utf-8", errors)
    added = tokenizer.reading.decoded_as
    tokens = [(token_id, tokenizer.token(token_id)) for token_id in ids]
    return tokenizer.pipeline.decode(
        [added[token_id] if token_id in added else spell(token) for token_id, token in tokens]
    )


def decode_to_bytes(tokenizer: Tokenizer, ids: Iterable[int]) -> bytes:
    """Turn ids into the bytes of their text; raises UnknownIdError.

    >>> import bpe
    >>> decode_to_bytes(bpe.train("a", num_merges=0).tokenizer, [195])
    b'\\xc3'
    """
    if decodes_by_steps(tokenizer):
        return decode_ids(tokenizer, ids, "replace").encode("utf-8")
    return join_ids(tokenizer, ids)


def join_ids(tokenizer: Tokenizer, ids: Iterable[int]) -> bytes:
    """Join the texts of tokens, with a space for an end-of-word marker under white space.

    >>> import bpe
    >>> tokenizer = bpe.train("a b", base="char", pattern="whitespace", num_merges=0,
    ...                       end_of_word="_").tokenizer
    >>> join_ids(tokenizer, tokenizer.encode("a b").ids)
    b'a b'
    """
    ids = _checked_ids(ids)
    vocabulary, renamed = tokenizer.vocabulary, tokenizer.reading.renamed
    marker = b" " if tokenizer.pattern == "whitespace" else b""
    parts = []
    for token_id in ids:
        text = vocabulary.text_of(token_id)  # refuses what is no id
        text = renamed.get(token_id, text)
        parts.append(text if isinstance(text, bytes) else text.encode("utf-8"))
        if token_id in vocabulary.ends_word:
            parts.append(marker)
    if ids and ids[-1] in vocabulary.ends_word:
        parts.pop()
    return b"".join(parts)


def _checked_ids(ids: Iterable[int]) -> list[int]:
    if not isinstance(ids, Iterable):
        raise ConfigError(f"the ids to decode must be several whole numbers, not {ids!r:.80}")
    return list(ids)


def _check_errors(errors: str) -> None:
    try:
        codecs.lookup_error(errors)
    except (LookupError, TypeError, ValueError) as error:
        raise ConfigError(
            f'errors must be "replace", "strict", "ignore" or another name that Python knows, '
            f"not {errors!r:.80}"
        ) from error
