"""What the Encode page shows of an encoded text: figures, tokens, the round trip, table and ids."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.ui import cache, state
from pages.ui.components.token_view.token_view import View, text_data, token_view
from pages.ui.encoded_text import EncodedText, tokens_frame
from pages.ui.plain_text import plain
from pages.ui.tables import to_csv, visible

if TYPE_CHECKING:
    import pandas as pd

    from bpe import TrainingRun, UnknownSymbolError

MAX_IDS_SHOWN: Final = 10_000
MAX_DECODED_SHOWN: Final = 2_000
_CONTEXT = 20
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
    if encoded.tokenizer.unknown_token is not None:
        meaning = "Characters that were not seen in training: their own text is lost."
        figures.append(("Unknown", f"{counts.unknowns:,}", meaning))
    with st.container(horizontal=True, gap="medium"):
        for label, value, meaning in figures:
            st.metric(label, value, help=meaning, width="content")


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def draw_tokens(encoded: EncodedText, run: TrainingRun | None, key: str, n_resets: int) -> None:
    """Show the text with its tokens; `key` names the encoding in the session's cache."""
    view: View = state.value(state.ENCODE_VIEW)

    def make() -> bytes:
        return text_data(encoded.tokenizer, encoded.text, encoded.encoding, run=run, view=view)

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
    """Show the tokens as a table and the ids as a list to copy; each is made when it is opened."""
    table, ids = st.tabs(["Table", "Id list"], key=state.ENCODE_MORE, on_change="rerun")
    if table.open:
        with table:
            _draw_table(cache.cached("table", key, lambda: tokens_frame(encoded, run)))
    if ids.open:
        with ids:
            _draw_ids(encoded.encoding.ids)


def _draw_table(frame: pd.DataFrame) -> None:
    columns = {
        name: st.column_config.Column(title, help=meaning)
        for name, (title, meaning) in _COLUMNS.items()
    }
    st.dataframe(
        frame,
        hide_index=True,
        placeholder="–",
        column_config=columns,
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
