"""What the Encode page shows of an encoded text: figures, tokens, the round trip, table and ids."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from pages.ui import cache, state
from pages.ui.components.token_view.token_view import View, text_data, token_view
from pages.ui.encoded_text import EncodedText, special_frame, tokens_frame
from pages.ui.merge_tree_panel import draw_merge_tree
from pages.ui.plain_text import plain
from pages.ui.tables import to_csv, visible

if TYPE_CHECKING:
    import pandas as pd

    from bpe import TrainingRun, UnknownSymbolError

MAX_IDS_SHOWN: Final = 10_000
MAX_DECODED_SHOWN: Final = 2_000
MAX_SPECIAL_NAMED: Final = 8
_CONTEXT = 20
_SPECIAL_COLUMNS: Final = {
    "id": ("Id", "The number a model is given."),
    "token": ("Special token", "How a text spells it."),
    "spelled": ("Spelled", "Where the text above spells it."),
    "taken": ("Taken as such", "Where it became this one token instead of text."),
}
_COLUMNS: Final = {
    "position": ("Position", "The place of the token in the text, from 0."),
    "id": ("Id", "The number a model is given."),
    "token": ("Token", "Its content, with stand-ins for what cannot be seen."),
    "bytes": ("Bytes", "Its content in hexadecimal, UTF-8."),
    "byte_start": ("Byte from", "First byte of the text it stands for."),
    "byte_end": ("Byte to", "First byte behind it."),
    "char_start": ("Character from", "First character of the text that its bytes touch."),
    "char_end": ("Character to", "First character behind it."),
    "rank": ("Rank", "When its merge was learned, from 0; empty for what was there before."),
    "count": ("Count", "How often its pair stood in the corpus when it was merged."),
}


def draw_figures(encoded: EncodedText) -> None:
    """Show how long the text is in tokens, characters, bytes and words."""
    counts = encoded.counts
    figures = [
        ("Tokens", f"{counts.tokens:,}", "How many ids a model would be given."),
        ("Characters", f"{counts.characters:,}", "Unicode code points."),
        ("Bytes", f"{counts.bytes:,}", "The size of the text in UTF-8."),
        ("Bytes per token", _ratio(counts.bytes_per_token), "Higher: the text is shorter in ids."),
        ("Characters per token", _ratio(counts.characters_per_token), "How much one id says."),
        ("Tokens per word", _ratio(counts.tokens_per_word), "Words as white space divides them."),
    ]
    if encoded.special.n_taken:
        meaning = "Places of the text that were taken as a special token, drawn with a double edge."
        figures.append(("Special tokens", f"{encoded.special.n_taken:,}", meaning))
    if encoded.tokenizer.unknown_token is not None:
        meaning = (
            "Characters that were not seen in training: their own text is lost. Several side by "
            "side may be one unknown token."
        )
        figures.append(("Unknown", f"{counts.unknowns:,}", meaning))
    with st.container(horizontal=True, gap="medium"):
        for label, value, meaning in figures:
            st.metric(label, value, help=meaning, width="content")


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def draw_special(encoded: EncodedText) -> None:
    """Say which special tokens the text spells, and which were taken as such."""
    special = encoded.special
    if special.n_taken:
        st.caption(f"Taken as special tokens: {_listed(special.taken)}.")
    rest = {name: n - special.taken.get(name, 0) for name, n in special.spelled.items()}
    left = {name: n for name, n in rest.items() if n > 0}
    if left:
        st.caption(
            f"The text spells special tokens that are not allowed, {_listed(left)}: "
            "here they are text like any other."
        )


def _listed(counted: Mapping[str, int]) -> str:
    """Name the most frequent special tokens with their counts, in Markdown."""
    most = sorted(counted.items(), key=lambda pair: -pair[1])[:MAX_SPECIAL_NAMED]
    named = ", ".join(f"**{plain(visible(name))}** × {n:,}" for name, n in most)
    more = len(counted) - len(most)
    return f"{named} and {more:,} more" if more else named


def draw_tokens(encoded: EncodedText, run: TrainingRun | None, key: str, n_resets: int) -> None:
    """Show the text with its tokens; `key` names the encoding in the session's cache."""
    view: View = state.value(state.ENCODE_VIEW)

    def make() -> bytes:
        return text_data(encoded.whole, encoded.text, encoded.encoding, run=run, view=view)

    with st.spinner("Drawing the tokens …"):
        data = cache.cached("view", f"{key}:{view}", make)
    token_view(data, key=f"encode_tokens_{n_resets}")


def draw_round_trip(encoded: EncodedText) -> None:
    """Say whether decoding gives the text back; if not, why not and what it gives."""
    check = encoded.round_trip
    if check.holds:
        st.success(f"Round trip holds. {plain(check.reason)}", icon=":material/check_circle:")
        return
    st.warning(f"Round trip does not hold. {plain(check.reason)}", icon=":material/sync_problem:")
    decoded = check.decoded[:MAX_DECODED_SHOWN]
    st.caption(
        "Decoded"
        if len(decoded) == len(check.decoded)
        else f"Decoded, the first {MAX_DECODED_SHOWN:,} characters"
    )
    st.code(decoded, language=None, wrap_lines=True)


def draw_more(encoded: EncodedText, run: TrainingRun | None, key: str) -> None:
    """Show tokens as a table, ids to copy, merge trees, special tokens; each made when opened."""
    has_special = bool(encoded.tokenizer.special_tokens)
    names = ["Table", "Id list", "Merge tree", *(["Special tokens"] if has_special else [])]
    table, ids, tree, *special = st.tabs(names, key=state.ENCODE_MORE, on_change="rerun")
    if table.open:
        with table:
            _draw_table(cache.cached("table", key, lambda: tokens_frame(encoded, run)))
    if ids.open:
        with ids:
            _draw_ids(encoded.encoding.ids)
    if tree.open:
        with tree:
            draw_merge_tree(encoded, key)
    if special and special[0].open:
        with special[0]:
            _draw_special_table(encoded)


def _draw_special_table(encoded: EncodedText) -> None:
    st.caption(
        "No text becomes one of these by itself: only where “Allow special tokens” is on, and the "
        "longest one at a position wins."
    )
    st.dataframe(
        special_frame(encoded.tokenizer, encoded.special),
        hide_index=True,
        column_config=_titled(_SPECIAL_COLUMNS),
        alt="The special tokens of this tokenizer, and where the text spells them",
    )


def _titled(columns: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    return {
        name: st.column_config.Column(title, help=meaning)
        for name, (title, meaning) in columns.items()
    }


def _draw_table(frame: pd.DataFrame) -> None:
    st.dataframe(
        frame,
        hide_index=True,
        placeholder="–",
        column_config=_titled(_COLUMNS),
        alt="Every token in order, with its place and its birth",
    )
    st.download_button(
        "Tokens (CSV)",
        lambda: to_csv(frame),
        file_name="tokens.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _draw_ids(ids: list[int]) -> None:
    if len(ids) > MAX_IDS_SHOWN:
        st.caption(f"The first {MAX_IDS_SHOWN:,} of {len(ids):,} ids; the download has them all.")
    st.code(json.dumps(ids[:MAX_IDS_SHOWN]), language=None, wrap_lines=True)
    st.download_button(
        "Ids (JSON)",
        lambda: json.dumps(ids).encode(),
        file_name="ids.json",
        mime="application/json",
        on_click="ignore",
        icon=":material/download:",
    )


def draw_unknown_symbol(error: UnknownSymbolError, text: str) -> None:
    """Say which character has no symbol, where it stands, and what can be done."""
    at = error.char_position
    line = text.count("\n", 0, at) + 1
    symbol = text[at]
    name = f"U+{ord(symbol):04X} {unicodedata.name(symbol, '')}".strip()
    st.error(
        f"The character “{plain(visible(symbol))}” ({name}) at position {at:,}, in line {line:,}, "
        "was not seen in training, so this tokenizer has no symbol for it. Train again with an "
        "**unknown token**, or with the **byte base**, which knows every character; or change "
        "the text.",
        icon=":material/help:",
    )
    before, after = text[max(0, at - _CONTEXT) : at], text[at + 1 : at + 1 + _CONTEXT]
    st.code(f"{visible(before)}[{visible(symbol)}]{visible(after)}", language=None)
    st.page_link("pages/train.py", label="Go to Train", icon=":material/model_training:")
