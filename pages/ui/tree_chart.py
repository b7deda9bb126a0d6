"""The merge tree of a token as a Plotly figure: the token on top, its base symbols at the foot."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import plotly.graph_objects as go

from bpe.merge_tree import MergeTree
from pages.ui.charts import literal
from pages.ui.tables import visible_start

MOST_TILES: Final = 255
_MERGED, _BASE, _TEXT = "#9dbcf5", "#c3c9d2", "#12161d"  # read alike beside a light and a dark page


def tree_figure(tree: MergeTree) -> go.Figure:
    """Draw a tree, each token above the two that its merge joined, as wide as its base symbols.

    Of a very large tree the tokens nearest to the top are drawn, `MOST_TILES` at most.

    >>> import bpe
    >>> run = bpe.train({"low": 5}, base="char", num_merges=2)
    >>> figure = tree_figure(run.tokenizer.merge_tree(4))
    >>> figure.data[0].labels, figure.data[0].values
    (('low', 'lo', 'w', 'l', 'o'), (3, 2, 1, 1, 1))
    """
    tiles = _tiles(tree)
    sizes = _n_symbols(tree)
    trace = {
        "type": "icicle",
        "ids": [path for path, _ in tiles],
        "parents": [path[:-1] for path, _ in tiles],
        "labels": [literal(visible_start(node.content)) for _, node in tiles],
        "values": [sizes[node.token_id] for _, node in tiles],
        "text": [_shown(node) for _, node in tiles],
        "customdata": [[f"{node.token_id:,}", _birth(node)] for _, node in tiles],
        "marker": {
            "colors": [_BASE if node.left is None else _MERGED for _, node in tiles],
            "line": {"width": 1, "color": _TEXT},
        },
        "leaf": {"opacity": 1},
        "branchvalues": "total",
        "sort": False,
        "tiling": {"orientation": "v", "pad": 2},
        "texttemplate": "%{text}",
        "textfont": {"color": _TEXT, "size": 14},
        "textposition": "middle center",
        "hovertemplate": "%{label}<br>id %{customdata[0]}<br>%{customdata[1]}<extra></extra>",
        "pathbar": {"visible": False},
    }
    depth = max(len(path) for path, _ in tiles)
    layout: dict[str, Any] = {
        "margin": {"l": 0, "r": 0, "t": 8, "b": 8},
        "height": min(16 + 64 * depth, 640),
    }
    return go.Figure({"data": [trace], "layout": layout})


def _tiles(tree: MergeTree) -> list[tuple[str, MergeTree]]:
    """Give the nodes from the top down with their paths, in pairs: T the top, then L and R."""
    tiles = [("T", tree)]
    waiting = deque(tiles)
    while waiting and len(tiles) + 2 <= MOST_TILES:
        path, node = waiting.popleft()
        if node.left is not None and node.right is not None:
            parts = [(f"{path}L", node.left), (f"{path}R", node.right)]
            tiles += parts
            waiting += parts
    return tiles


def _shown(node: MergeTree) -> str:
    """What stands on a tile: those of base symbols are narrow, and grey says what they are."""
    label = literal(visible_start(node.content))
    return label if node.rank is None else f"{label}<br>{_birth(node)}"


def _birth(node: MergeTree) -> str:
    return "base symbol" if node.rank is None else f"rank {node.rank:,}"


def _n_symbols(tree: MergeTree) -> dict[int, int]:
    """Count the base symbols of each token in a tree, which may be as deep as a token is long."""
    sizes: dict[int, int] = {}
    waiting = [tree]
    while waiting:
        node = waiting[-1]
        parts = [part for part in (node.left, node.right) if part is not None]
        missing = [part for part in parts if part.token_id not in sizes]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        sizes[node.token_id] = sum(sizes[part.token_id] for part in parts) or 1
    return sizes


def told(tree: MergeTree, most: int = 20) -> str:
    """Tell in words how a token was built, the last merge first; for who cannot see the figure.

    >>> import bpe
    >>> run = bpe.train({"low": 5}, base="char", num_merges=2)
    >>> told(run.tokenizer.merge_tree(4))
    'low = lo + w (rank 1); lo = l + o (rank 0)'
    """
    merged = {node.token_id: node for _, node in _tiles(tree)}
    rules = [
        f"{visible_start(node.content)} = {visible_start(node.left.content)} + "
        f"{visible_start(node.right.content)} (rank {node.rank:,})"
        for node in merged.values()
        if node.left is not None and node.right is not None
    ]
    more = f"; and {len(rules) - most:,} more" if len(rules) > most else ""
    return "; ".join(rules[:most]) + more
