"""How tokens are written as text in files: bytes in GPT-2's alphabet, all else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe.byte_alphabet import spell_bytes
from bpe.vocabulary import Content

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer


def spell(content: Content) -> str:
    """Write a token as text, as it stands in the file.

    >>> spell(b" how"), spell("how")
    ('Ġhow', 'how')
    """
    return spell_bytes(content) if isinstance(content, bytes) else content


def spelled_tokens(tokenizer: Tokenizer) -> dict[int, str]:
    """Write all tokens by id; an added token is written as the text it is.

    >>> import bpe
    >>> spelled_tokens(bpe.train(" a", base="char", num_merges=0, special_tokens=["<s>"]).tokenizer)
    {0: '<s>', 1: ' ', 2: 'a'}
    """
    added = {token.token_id: token.content for token in tokenizer.added_tokens}
    return {
        token_id: added[token_id] if token_id in added else spell(content)
        for token_id, content in enumerate(tokenizer.vocabulary.contents)
        if content is not None
    }
