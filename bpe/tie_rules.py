"""The order of pairs that share a count: one sort key a rule, the smallest goes first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bpe.vocabulary import Content, Pair

# (pair, position of its first present occurrence) -> anything that can be compared
TieKey: TypeAlias = Callable[[Pair, int], Any]
TokenKey: TypeAlias = tuple[Content, bool]


class _Reversed:
    """Compares the other way round, so that a heap of smallest gives the largest first."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __lt__(self, other: _Reversed) -> bool:
        return bool(other.key < self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and self.key == other.key


def tie_key(tie_break: str, token_keys: list[TokenKey]) -> TieKey:
    """Give the sort key of a rule; `token_keys` may grow afterwards, one entry an id.

    A token's own key is (content, ends with the marker), so a marked token comes after a text
    token that is spelled the same. Sources of the rules: `lexicographic_max` subword-nmt;
    `first_seen` minbpe and tiktoken's educational trainer; `lowest_ids` Hugging Face tokenizers
    (character base), rustbpe and bpeasy; `gpt2_byte_ids` Hugging Face's ByteLevel trainer.

    >>> key = tie_key("lexicographic", [("a", False), ("b", False)])
    >>> key((0, 1), 7) < key((1, 0), 3)
    True
    """
    if tie_break == "first_seen":
        return lambda pair, position: position
    if tie_break == "lowest_ids":
        return lambda pair, position: pair
    if tie_break == "gpt2_byte_ids":
        return lambda pair, position: (
            _gpt2_place(pair[0], token_keys),
            _gpt2_place(pair[1], token_keys),
        )
    if tie_break == "lexicographic_max":
        return lambda pair, position: _Reversed((token_keys[pair[0]], token_keys[pair[1]]))
    return lambda pair, position: (token_keys[pair[0]], token_keys[pair[1]])


def _gpt2_place(token_id: int, token_keys: list[TokenKey]) -> tuple[bool, bool, int]:
    """Place single bytes as GPT-2's alphabet does; all other tokens follow, by id."""
    content, ends_word = token_keys[token_id]
    is_byte = len(content) == 1 and not ends_word
    return (not is_byte, is_byte and not prints_in_gpt2(ord(content)), token_id)


def prints_in_gpt2(byte: int) -> bool:
    """Tell whether GPT-2 writes this byte as the printable Latin-1 character of its number.

    >>> prints_in_gpt2(ord("a")), prints_in_gpt2(ord(" "))
    (True, False)
    """
    return 33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255
