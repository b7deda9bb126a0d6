"""The merge tree as a figure: its tiles are the engine's tree, whatever the text."""

from __future__ import annotations

import pytest

import bpe
from pages.ui.encoded_text import encode_text
from pages.ui.merge_tree_panel import merged_tokens
from pages.ui.tree_chart import MOST_TILES, told, tree_figure

HOSTILE = "<b>&amp;</b>"


def test_the_tiles_are_the_tokens_of_the_tree() -> None:
    """Golden: newest is new + est in the lesson of Sennrich et al.; est is es + t."""
    words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    run = bpe.train(words, base="char", pattern="whitespace", num_merges=9)
    newest = run.tokenizer.token_id("newest")
    [trace] = tree_figure(run.tokenizer.merge_tree(newest)).data
    tiles = dict(zip(trace.ids, trace.labels, strict=True))
    left, right = (run.tokenizer.token(part) for part in run.tokenizer.parents(newest) or ())
    assert (tiles["T"], tiles["TL"], tiles["TR"]) == ("newest", left, right)
    assert trace.values[0] == len("newest")
    births = [birth for _, birth in trace.customdata]
    leaves = [n for n, birth in zip(trace.labels, births, strict=True) if birth == "base symbol"]
    assert sorted(leaves) == sorted("newest")
    rank = run.tokenizer.rank_of(newest)
    assert (births[0], trace.text[0]) == (f"rank {rank}", f"newest<br>rank {rank}")


@pytest.mark.parametrize("name", ["r50k_base", "o200k_base"])
def test_the_tree_of_a_bundled_token_ends_in_its_bytes(name: str) -> None:
    tokenizer = bpe.load_pretrained(name)
    [token_id] = tokenizer.encode(" international").ids
    [trace] = tree_figure(tokenizer.merge_tree(token_id)).data
    sizes = dict(zip(trace.ids, trace.values, strict=True))
    assert sizes["T"] == len(" international")
    for path, size in sizes.items():  # each is as wide as its two parts
        if path + "L" in sizes:
            assert size == sizes[path + "L"] + sizes[path + "R"]
    assert sum(birth == "base symbol" for _, birth in trace.customdata) == len(" international")


def test_text_is_never_markup() -> None:
    run = bpe.train({HOSTILE: 2}, pattern="none", num_merges=50)
    tree = run.tokenizer.merge_tree(run.steps[-1].token_id)
    [trace] = tree_figure(tree).data
    escaped = "&lt;b&gt;&amp;amp;&lt;/b&gt;"
    assert (trace.labels[0], trace.text[0].split("<br>")[0]) == (escaped, escaped)
    assert told(tree).startswith(f"{HOSTILE} = ")


def test_a_very_deep_tree_is_drawn_from_the_top_and_no_further() -> None:
    """A token of 2^13 letters, and one that takes a letter more at each merge."""
    doubled = bpe.train({"a" * 8192: 1}, base="char", pattern="none", num_merges=13)
    [trace] = tree_figure(doubled.tokenizer.merge_tree(doubled.steps[-1].token_id)).data
    assert len(trace.ids) == MOST_TILES
    assert trace.values[0] == 8192
    letters = "".join(chr(0x4E00 + number) for number in range(3000))
    chain = bpe.train({letters: 1}, base="char", pattern="none", num_merges=2999)
    [trace] = tree_figure(chain.tokenizer.merge_tree(chain.steps[-1].token_id)).data
    assert trace.values[0] == 3000
    assert told(chain.tokenizer.merge_tree(chain.steps[-1].token_id)).endswith("more")


def test_tokens_of_a_text_that_merges_made_are_offered_once_each_in_order() -> None:
    tokenizer = bpe.load_pretrained("cl100k_base")
    encoded = encode_text(tokenizer, "in the end, in the", tokenizer, allowed_special=())
    assert [tokenizer.token(i) for i in merged_tokens(encoded)] == [b"in", b" the", b" end", b" in"]
