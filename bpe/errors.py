"""The errors the engine raises. Each message says what was wrong, where, and what to do."""

from __future__ import annotations


class BPEError(ValueError):
    """Any error of the engine; catch this one to catch them all."""


class ConfigError(BPEError):
    """A setting is not allowed, or two settings contradict each other."""


class FormatError(BPEError):
    """A tokenizer file cannot be read; the message names the file, line or key."""


class UnknownSymbolError(BPEError):
    """A character of the text has no symbol in a character base without an unknown token.

    >>> print(UnknownSymbolError("z", 0))
    the character 'z' at position 0 was not seen in training: set an unknown token, or train \
with the byte base, which knows every character
    """

    def __init__(self, symbol: str, char_position: int) -> None:
        self.symbol = symbol
        self.char_position = char_position
        super().__init__(
            f"the character {symbol!r} at position {char_position} was not seen in training: "
            "set an unknown token, or train with the byte base, which knows every character"
        )


class UnknownIdError(BPEError):
    """An id belongs to no token of the vocabulary.

    >>> print(UnknownIdError(-1, 300))
    no token has the id -1: ids of this vocabulary run from 0 to 299
    """

    def __init__(self, token_id: int, vocab_size: int) -> None:
        self.token_id = token_id
        in_range = 0 <= token_id < vocab_size
        reach = f"ids of this vocabulary run from 0 to {vocab_size - 1}"
        super().__init__(
            f"no token has the id {token_id}: "
            + (f"{reach}, and this one is not assigned" if in_range else reach)
        )


class TrainingCancelled(BPEError):  # the name is part of the contract
    """`progress` returned False, so training stopped before it was done."""
