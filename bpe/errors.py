"""The errors the engine raises. Each message says what was wrong, where, and what to do."""

from __future__ import annotations

import operator


def as_whole_number(value: object) -> int | None:
    """Take ints of any kind, numpy's among them; None for all else, a bool or a float too.

    >>> as_whole_number(7), as_whole_number(True), as_whole_number(7.0)
    (7, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


class BPEError(ValueError):
    """Any error of the engine; catch this one to catch them all."""


class ConfigError(BPEError):
    """A setting is not allowed, or two settings contradict each other."""


class FormatError(BPEError):
    """A tokenizer file cannot be read, or cannot hold a tokenizer.

    The message names the file, line or key.
    """


class PatternNeeded(FormatError):  # says what to do, as names of exceptions here do
    """A file holds no split pattern, so whoever reads it must choose one.

    `suggestion` is the pattern of the known encoding whose ranks these are, if any.

    >>> print(PatternNeeded("the file", "cl100k"))
    the file holds ranks alone, no pattern that splits a text: choose gpt2, cl100k, o200k, \
whitespace, none, or a regular expression (these are the ranks of an encoding with cl100k)
    """

    def __init__(self, name: str, suggestion: str | None = None) -> None:
        self.suggestion = suggestion
        known = f" (these are the ranks of an encoding with {suggestion})" if suggestion else ""
        super().__init__(
            f"{name} holds ranks alone, no pattern that splits a text: choose gpt2, cl100k, "
            f"o200k, whitespace, none, or a regular expression{known}"
        )


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
    """An id belongs to no token of the vocabulary, or is no whole number.

    >>> print(UnknownIdError(-1, 300))
    no token has the id -1: ids of this vocabulary run from 0 to 299
    >>> print(UnknownIdError("7", 300))
    no token has the id '7': ids are whole numbers; those of this vocabulary run from 0 to 299
    """

    def __init__(self, token_id: object, vocab_size: int) -> None:
        self.token_id = token_id
        number = as_whole_number(token_id)
        reach = f"of this vocabulary run from 0 to {vocab_size - 1}"
        if vocab_size == 0:
            reason = "this vocabulary is empty"
        elif number is None:
            reason = f"ids are whole numbers; those {reach}"
        elif 0 <= number < vocab_size:
            reason = f"ids {reach}, and this one is not assigned"
        else:
            reason = f"ids {reach}"
        shown = f"{token_id!r:.80}" if number is None else str(number)
        super().__init__(f"no token has the id {shown}: {reason}")


class TrainingCancelled(BPEError):  # the name is part of the contract
    """`progress` returned False, so training stopped before it was done."""
