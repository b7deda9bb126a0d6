"""Tables of a training run: its merges, its words, and how it compressed the corpus."""

from __future__ import annotations

import heapq
from itertools import accumulate
from typing import Final

import pandas as pd

from bpe import TrainingRun
from bpe.replay import Replay
from pages.ui.tables import visible
from pages.ui.trace import corpus_size, label

MOST_WORDS: Final = 5_000


def merge_list(run: TrainingRun) -> pd.DataFrame:
    """List the merges of a run, numbered from 1, with all invisible characters made visible.

    >>> import bpe
    >>> run = bpe.train({"aaa": 2}, base="char", num_merges=1)
    >>> merge_list(run)[["merge", "left", "right", "token", "count", "saved"]].iloc[0].to_dict()
    {'merge': 1, 'left': 'a', 'right': 'a', 'token': 'aa', 'count': 4, 'saved': 2}
    """
    saved = _saved(run)
    rows = [
        (
            step.rank + 1,
            visible(step.left),
            visible(step.right),
            visible(step.merged),
            step.count,
            step.tied,
            saved[step.rank],
            step.token_id,
        )
        for step in run.steps
    ]
    names = ["merge", "left", "right", "token", "count", "pairs at this count", "saved", "id"]
    return pd.DataFrame(rows, columns=names)


def _saved(run: TrainingRun) -> list[int]:
    """Tokens that each merge saved: its count, or less where occurrences overlapped."""
    if all(left != right for left, right in (step.pair for step in run.steps)):
        return [step.count for step in run.steps]
    replay = Replay(run)
    return [replay.advance().n_replaced for _ in run.steps]


def word_list(run: TrainingRun) -> pd.DataFrame:
    """List the most frequent words with their counts and their tokens after the last merge.

    >>> import bpe
    >>> word_list(bpe.train({"low": 5}, base="char", num_merges=1)).iloc[0].to_dict()
    {'word': 'low', 'count': 5, 'tokens': 2, 'pieces': 'lo|w'}
    """
    ids = run.word_ids_at(len(run.steps))
    numbered = heapq.nsmallest(
        MOST_WORDS, enumerate(run.word_counts.items()), key=lambda item: (-item[1][1], item[0])
    )
    rows = [
        (
            visible(label(word)),
            count,
            len(ids[number]),
            "|".join(visible(run.tokenizer.token(i)) for i in ids[number][:50]),
        )
        for number, (word, count) in numbered
    ]
    return pd.DataFrame(rows, columns=["word", "count", "tokens", "pieces"])


def compression(run: TrainingRun) -> pd.DataFrame:
    """Give tokens in the corpus and bytes per token after 0, 1, 2 … merges.

    >>> import bpe
    >>> compression(bpe.train({"aaa": 2}, base="char", num_merges=1)).to_dict("list")
    {'vocabulary size': [1, 2], 'tokens': [6, 4], 'bytes per token': [1.0, 1.5]}
    """
    n_bytes, _ = corpus_size(run.word_counts)
    start = Replay(run).n_tokens
    tokens = list(accumulate(_saved(run), lambda total, saved: total - saved, initial=start))
    base = run.tokenizer.vocab_size - len(run.steps)
    return pd.DataFrame(
        {
            "vocabulary size": range(base, base + len(tokens)),
            "tokens": tokens,
            "bytes per token": [n_bytes / count if count else 0.0 for count in tokens],
        }
    )
