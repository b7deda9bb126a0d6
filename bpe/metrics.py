"""Measures of a tokenizer on texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from bpe.tokenizer import Tokenizer


def tokens_by_vocab_size(tokenizer: Tokenizer, texts: Iterable[str]) -> dict[int, int]:
    """Count the tokens of texts for every vocabulary size up to the tokenizer's own.

    Keys are vocabulary sizes from special tokens + base up, in steps of one; values are tokens in
    all texts together. One encoding gives them all: each merge of it belongs to a rank, and a
    smaller vocabulary lacks just the merges of higher ranks. Meant for tokenizers whose every
    merge makes a new token, as trained ones do. Raises UnknownSymbolError.

    >>> import bpe
    >>> tokenizer = bpe.train({"low": 5}, base="char", pattern="whitespace", num_merges=2).tokenizer
    >>> tokens_by_vocab_size(tokenizer, ["low lo"])
    {3: 5, 4: 3, 5: 2}
    """
    words = Counter(piece.text for text in texts for piece in tokenizer.pre_tokenize(text))
    n_symbols = 0
    saved = [0] * len(tokenizer.merges)
    for word, count in words.items():
        n_symbols += count * len(tokenizer.symbols(word))
        for step in tokenizer.encode_steps(word):
            saved[step.rank] += count
    floor = tokenizer.n_tokens - len(saved)
    totals = accumulate(saved, lambda total, fewer: total - fewer, initial=n_symbols)
    return dict(enumerate(totals, start=floor))
