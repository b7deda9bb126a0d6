"""Tables of a training run: its merges, its words, and how it compressed the corpus."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

import pandas as pd

from bpe import TrainingRun
from bpe.word_measures import count_by_number, most_frequent, n_pre_tokens, word_by_number
from pages.ui.tables import visible, visible_start
from pages.ui.trace import label

MOST_WORDS: Final = 5_000
MOST_POINTS: Final = 1_000  # of a curve: a chart is not wider than that


def merge_list(run: TrainingRun) -> pd.DataFrame:
    """List the merges of a run, numbered from 1, with all invisible characters made visible.

    >>> import bpe
    >>> run = bpe.train({"aaa": 2}, base="char", num_merges=1)
    >>> merge_list(run)[["merge", "left", "right", "token", "count", "saved"]].iloc[0].to_dict()
    {'merge': 1, 'left': 'a', 'right': 'a', 'token': 'aa', 'count': 4, 'saved': 2}
    """
    saved = run.n_replaced
    rows = [
        (
            step.rank + 1,
            visible_start(step.left),
            visible_start(step.right),
            visible_start(step.merged),
            step.count,
            step.tied,
            saved[step.rank],
            step.token_id,
        )
        for step in run.steps
    ]
    names = ["merge", "left", "right", "token", "count", "pairs at this count", "saved", "id"]
    return pd.DataFrame(rows, columns=names)


def word_list(run: TrainingRun) -> pd.DataFrame:
    """List the most frequent words with their counts and their tokens after the last merge.

    >>> import bpe
    >>> word_list(bpe.train({"low": 5}, base="char", num_merges=1)).iloc[0].to_dict()
    {'word': 'low', 'count': 5, 'tokens': 2, 'pieces': 'lo|w'}
    """
    word_of, count_of = word_by_number(run.word_counts), count_by_number(run.word_counts)
    rows = [
        _word_row(run, word_of(number), count_of(number))
        for number in most_frequent(run.word_counts, MOST_WORDS)
    ]
    return pd.DataFrame(rows, columns=["word", "count", "tokens", "pieces"])


def _word_row(run: TrainingRun, word: str, count: int) -> tuple[str, int, int, str]:
    ids = run.ids_of_word(word, len(run.steps))
    pieces = "|".join(visible_start(run.tokenizer.token(token_id)) for token_id in ids[:50])
    return visible(label(word)), count, len(ids), pieces


def compression(run: TrainingRun) -> pd.DataFrame:
    """Give tokens in the corpus and bytes per token after 0, 1, 2 … merges.

    >>> import bpe
    >>> compression(bpe.train({"aaa": 2}, base="char", num_merges=1)).to_dict("list")
    {'vocabulary size': [1, 2], 'tokens': [6, 4], 'bytes per token': [1.0, 1.5]}
    """
    n_bytes, n_characters = run.corpus_size
    start = n_bytes if run.config.base == "byte" else n_characters
    if run.config.end_of_word is not None:
        start += n_pre_tokens(run.word_counts)
    tokens = list(accumulate(run.n_replaced, lambda total, saved: total - saved, initial=start))
    base = run.tokenizer.vocab_size - len(run.steps)
    return pd.DataFrame(
        {
            "vocabulary size": range(base, base + len(tokens)),
            "tokens": tokens,
            "bytes per token": [n_bytes / count if count else 0.0 for count in tokens],
        }
    )


def thinned(frame: pd.DataFrame, most: int = MOST_POINTS) -> pd.DataFrame:
    """Keep every so-manieth row of a long table for a chart, and always the first and the last.

    >>> thinned(pd.DataFrame({"size": range(8)}), 4)["size"].tolist()
    [0, 3, 6, 7]
    """
    last = len(frame) - 1
    every = -(-last // max(1, most - 1))
    return frame if every <= 1 else frame[(frame.index % every == 0) | (frame.index == last)]
