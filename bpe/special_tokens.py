"""Finding special tokens in text: the longest at a position wins."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator


def split_at_special_tokens(
    text: str, special_tokens: Collection[str]
) -> Iterator[tuple[int, int, bool]]:
    """Cut a text at its special tokens, into (char_start, char_end, is_special).

    Empty pieces are left out.

    >>> list(split_at_special_tokens("a<|end|>xb", ["<|end|>", "<|end|>x"]))
    [(0, 1, False), (1, 9, True), (9, 10, False)]
    """
    position = 0
    if special_tokens:
        longest_first = sorted(special_tokens, key=len, reverse=True)
        for found in re.finditer("|".join(map(re.escape, longest_first)), text):
            if found.start() > position:
                yield position, found.start(), False
            yield found.start(), found.end(), True
            position = found.end()
    if position < len(text):
        yield position, len(text), False
