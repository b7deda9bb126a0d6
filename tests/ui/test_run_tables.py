"""Tables of a run agree with its steps and its words."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
import pytest

import bpe
from pages.ui.charts import lines, literal
from pages.ui.run_tables import compression, merge_list, thinned, word_list

RUN = bpe.train("aaaa <b> low low\n  lower é", num_merges=12)


def test_the_merge_list_has_a_row_a_step() -> None:
    frame = merge_list(RUN)
    assert list(frame["count"]) == [step.count for step in RUN.steps]
    assert list(frame["pairs at this count"]) == [step.tied for step in RUN.steps]
    assert list(frame["merge"]) == list(range(1, len(RUN.steps) + 1))
    assert not frame["token"].str.contains(" ").any()  # white space has stand-ins


def test_saved_tokens_add_up_to_the_compression() -> None:
    frame = compression(RUN)
    n_tokens = [
        sum(RUN.word_counts[w] * len(tokens) for w, tokens in RUN.words_at(step).items())
        for step in range(len(RUN.steps) + 1)
    ]
    assert list(frame["tokens"]) == n_tokens
    assert list(merge_list(RUN)["saved"]) == [
        before - after for before, after in pairwise(n_tokens)
    ]


@pytest.mark.parametrize("n_rows", [0, 1, 4, 5, 6, 99, 100, 101])
def test_a_curve_is_drawn_through_few_points_and_both_ends(n_rows: int) -> None:
    kept = thinned(pd.DataFrame({"size": range(n_rows)}), 5)["size"].tolist()
    assert len(kept) <= 5
    assert kept == list(range(n_rows)) or (n_rows > 5 and {0, n_rows - 1} <= set(kept))


def test_the_word_list_starts_with_the_most_frequent() -> None:
    frame = word_list(RUN)
    assert list(frame["count"]) == sorted(RUN.word_counts.values(), reverse=True)
    assert len(frame) == len(RUN.word_counts)


def test_chart_names_are_shown_literally() -> None:
    figure = lines({"<b>x</b> &amp;": ([1], [2])}, x_title="x", y_title="y")
    assert figure.data[0].name == "&lt;b&gt;x&lt;/b&gt; &amp;amp;"
    assert literal('"$x$"') == '"$x$"'


def test_long_tokens_are_cut_in_tables() -> None:
    run = bpe.train({"ab" * 400: 2}, num_merges=10)
    shown = list(merge_list(run)["token"])
    assert shown[5] == "ab" * 32
    assert shown[-1] == "ab" * 50 + "…"
    assert word_list(run)["pieces"][0].startswith("ab" * 50 + "…")
