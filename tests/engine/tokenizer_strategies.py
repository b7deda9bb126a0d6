"""Tokenizers with a byte base that Hypothesis draws, and texts that are hard for them."""

from __future__ import annotations

from hypothesis import strategies as st

import bpe
from bpe.rank_vocabulary import RankVocabulary
from bpe.vocabulary import MergeRule, Vocabulary
from tests.engine import strategies

BYTES = tuple(bytes([value]) for value in range(256))

# Texts in which tokens repeat, overlap, and reach over the end of any window.
few_letters = st.text("ab", max_size=300)
runs = st.lists(
    st.tuples(st.sampled_from("ab \n"), st.integers(1, 200)).map(lambda run: run[0] * run[1]),
    max_size=8,
).map("".join)
repeated = st.builds(lambda part, n: part * n, st.text("ab ", max_size=7), st.integers(0, 900))
texts = st.one_of(strategies.texts, few_letters, runs, repeated)


@st.composite
def trained_tokenizers(draw: st.DrawFn) -> bpe.Tokenizer:
    """A tokenizer trained with a byte base on words of few letters."""
    return bpe.train(
        draw(strategies.word_counts | st.lists(runs, max_size=3)),
        num_merges=draw(st.integers(0, 30)),
        pattern=draw(strategies.patterns),
        normalizer=draw(strategies.normalizers),
        end_of_word=draw(st.sampled_from([None, "</w>"])),
        special_tokens=draw(st.sampled_from([(), ("ab", "<|end|>")])),
    ).tokenizer


@st.composite
def tables_of_ranks(draw: st.DrawFn) -> RankVocabulary:
    """Any tokens in any order, single bytes among them; no training need have given them."""
    tokens = draw(st.lists(st.text("abc", min_size=2, max_size=6), unique=True, max_size=12))
    contents: list[bytes | str | None] = [*BYTES, *(token.encode() for token in tokens), None]
    draw(st.randoms(use_true_random=False)).shuffle(contents)
    return RankVocabulary((*contents, "<|end|>"), {"<|end|>": len(contents)})


@st.composite
def lists_of_rules(draw: st.DrawFn) -> Vocabulary:
    """Rules in any order, several of them for one token or none that leads to their parts."""
    contents: list[bytes] = [*BYTES]
    pairs: dict[tuple[int, int], int] = {}
    for _ in range(draw(st.integers(0, 10))):
        known = st.sampled_from([97, 98, *range(256, len(contents))])
        left, right = draw(known), draw(known)
        joined = contents[left] + contents[right]
        if joined not in contents:
            contents.append(joined)
        pairs[left, right] = contents.index(joined)
    order = draw(st.permutations(list(pairs)))
    rules = tuple(MergeRule(rank, pair, pairs[pair]) for rank, pair in enumerate(order))
    return Vocabulary(tuple(contents), rules)
