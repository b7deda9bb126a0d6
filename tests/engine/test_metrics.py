"""Measures agree with encoding afresh at every size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.metrics import tokens_by_vocab_size

RUN = bpe.train("low lower lowest newest widest the thin thing aaaa aaa", num_merges=25)


@given(st.lists(st.text(alphabet="lowernst thing aé\n", max_size=30), max_size=4))
def test_one_encoding_gives_the_tokens_at_every_size(texts: list[str]) -> None:
    by_size = tokens_by_vocab_size(RUN.tokenizer, texts)
    assert list(by_size) == list(range(256, RUN.tokenizer.n_tokens + 1))
    for size, tokens in by_size.items():
        cut = RUN.tokenizer.with_vocab_size(size)
        assert tokens == sum(len(cut.encode(text).ids) for text in texts)
