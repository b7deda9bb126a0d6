"""The panel of the Encode page that shows how a token of the text was built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.ui import cache, state
from pages.ui.plain_text import plain
from pages.ui.tables import visible_start
from pages.ui.tree_chart import told, tree_figure

if TYPE_CHECKING:
    from pages.ui.encoded_text import EncodedText

MOST_OFFERED: Final = 500


def draw_merge_tree(encoded: EncodedText, key: str) -> None:
    """Let the user choose a token of the text, and draw its tree; `key` names the encoding."""
    tokenizer = encoded.tokenizer
    merged = merged_tokens(encoded)
    if not merged:
        st.info("No token of this text came of a merge: each is a base symbol or a special token.")
        return
    offered = merged[:MOST_OFFERED]
    chosen: int = st.selectbox(
        "Token",
        offered,
        index=offered.index(max(offered, key=lambda i: len(tokenizer.text_of(i)))),
        format_func=lambda token_id: f"{visible_start(tokenizer.token(token_id))}  ({token_id:,})",
        key=f"{state.ENCODE_TREE}_{key}",
        help="The tokens of the text that a merge made, in the order in which they come.",
    )
    if len(merged) > len(offered):
        st.caption(f"The first {len(offered):,} of {len(merged):,} different tokens are offered.")
    tree = tokenizer.merge_tree(chosen)
    figure = cache.cached("figure", f"tree:{key}:{chosen}", lambda: tree_figure(tree))
    st.plotly_chart(figure, key=f"encode_tree_{chosen}", alt=told(tree))
    st.caption(
        "Each token stands above the two that its merge joined; grey are the base symbols. The "
        "lower a rank, the earlier the merge was learned. " + plain(told(tree, most=3))
    )


def merged_tokens(encoded: EncodedText) -> list[int]:
    """Ids of the different tokens of a text that a merge made, in the order in which they come."""
    different = dict.fromkeys(encoded.encoding.ids)
    return [i for i in different if encoded.tokenizer.parents(i) is not None]
