"""Numbers in words: of things, and the arithmetic of a vocabulary's size in one line."""

from __future__ import annotations

from bpe import TrainingRun


def counted(n: int, noun: str) -> str:
    """Write a number of things.

    >>> counted(1, "merge"), counted(1_200, "merge")
    ('1 merge', '1,200 merges')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def size_sentence(run: TrainingRun) -> str:
    """Spell out what a vocabulary is made of.

    >>> import bpe
    >>> size_sentence(bpe.train("low low", vocab_size=258))
    '258 = 256 bytes + 2 merges'
    """
    tokenizer, n_merges = run.tokenizer, len(run.steps)
    n_marker = int(tokenizer.end_of_word is not None)
    n_symbols = tokenizer.base_size - n_marker
    parts = [
        (len(tokenizer.special_tokens), "special token"),
        (n_symbols, "byte" if tokenizer.base == "byte" else "character"),
        (n_marker, "marker"),
        (n_merges, "merge"),
    ]
    always = {"byte", "character", "merge"}
    told = [counted(n, noun) for n, noun in parts if n or noun in always]
    return f"{tokenizer.n_tokens:,} = {' + '.join(told)}"
