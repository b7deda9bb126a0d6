"""The settings of a training, as widgets, and the `TrainerConfig` they make."""

from __future__ import annotations

from typing import Any, Final

import streamlit as st

from bpe import ConfigError, TrainerConfig
from bpe.config import TIE_BREAKS
from bpe.normalizers import NORMALIZER_NAMES
from pages.ui import state
from pages.ui.choices import PATTERNS, choose_one, choose_side_by_side
from pages.ui.plain_text import as_sentence
from pages.ui.training import UNKNOWN
from pages.ui.url_values import several_of, short_text, whole_number, yes_or_no

CUSTOM: Final = "custom"
MAX_SIZE: Final = 50_000
MAX_COUNT: Final = 1_000_000_000
MAX_EXPRESSION: Final = 1_000
MAX_MARKER: Final = 20
MAX_SPECIAL: Final = 2_000

BASES: Final = {"char": "Character", "byte": "Byte"}
SIZES: Final = {"merges": "Merges", "vocab": "Vocabulary size"}
TIES: Final = {
    "lexicographic": "First when sorted",
    "lexicographic_max": "Last when sorted",
    "first_seen": "First in the corpus",
    "lowest_ids": "Lowest ids",
    "gpt2_byte_ids": "GPT-2's order of bytes",
}
NORMALIZERS: Final = {
    "lowercase": "Lower case",
    "nfc": "NFC",
    "nfd": "NFD",
    "nfkc": "NFKC",
    "nfkd": "NFKD",
}
assert {*TIES} == {*TIE_BREAKS}
assert {*NORMALIZERS, "none"} == {*NORMALIZER_NAMES}


def choose_settings() -> TrainerConfig | None:
    """Draw the settings; None, with a message in place, while they cannot be."""
    settings: dict[str, Any] = {**_choose_base(), **_choose_pattern(), **_choose_size()}
    with st.expander("More settings", icon=":material/tune:"):
        settings |= _choose_more(settings["base"])
    if settings["pattern"] is None:  # a regular expression is still to be typed
        return None
    try:
        return TrainerConfig(**settings)
    except ConfigError as error:
        st.error(as_sentence(str(error)))
        return None


def _choose_base() -> dict[str, Any]:
    base = choose_side_by_side(
        "Base",
        state.BASE,
        BASES,
        "What the first tokens are. Character: every character seen in the corpus; one never seen "
        "is unknown. Byte: all 256 bytes; nothing is unknown, but é is two tokens at first.",
    )
    return {"base": base}


def _choose_pattern() -> dict[str, Any]:
    pattern = choose_one(
        "Pattern",
        state.PATTERN,
        {**PATTERNS, CUSTOM: "Regular expression"},
        "How the text is cut into pre-tokens before anything is counted. "
        "No merge ever crosses a cut.",
    )
    if pattern != CUSTOM:
        return {"pattern": pattern}
    state.linked(state.CUSTOM_PATTERN, short_text(MAX_EXPRESSION))
    expression = st.text_input(
        "Regular expression",
        key=state.CUSTOM_PATTERN,
        max_chars=MAX_EXPRESSION,
        persist_state="session",
        placeholder=r"\w+|\s+|[^\w\s]+",
        help="Each match is a pre-token, and so is what stands between matches. "
        "Python's `regex` syntax.",
    )
    if not expression:
        st.info(r"Type a regular expression, for example `\w+|\s+|[^\w\s]+`.")
    return {"pattern": expression or None}


def _choose_size() -> dict[str, Any]:
    mode = choose_side_by_side(
        "Size by",
        state.SIZE_MODE,
        SIZES,
        "Merges: how many times a pair is merged. Vocabulary size: special tokens + base symbols "
        "+ merges.",
    )
    name = state.VOCAB_SIZE if mode == "vocab" else state.NUM_MERGES
    state.linked(name, whole_number(0, MAX_SIZE))
    size = st.number_input(
        SIZES[mode],
        min_value=0,
        max_value=MAX_SIZE,
        step=1,
        key=name,
        persist_state="session",
        label_visibility="collapsed",
    )
    return {name: int(size)}


def _choose_more(base: str) -> dict[str, Any]:
    return {
        **_choose_ties(base),
        **_choose_normalizer(),
        **_choose_minimum(),
        **_choose_marker(),
        **_choose_special(base),
    }


def _choose_ties(base: str) -> dict[str, Any]:
    rule = choose_one(
        "Ties",
        state.TIE_BREAK,
        {rule: title for rule, title in TIES.items() if base == "byte" or rule != "gpt2_byte_ids"},
        "Which pair is merged when several share the highest count. Sorted: by the left token, "
        "then the right, by code point or byte, so capitals come before small letters (last: as "
        "subword-nmt). First in the corpus: minbpe. Lowest ids: Hugging Face's character trainer, "
        "rustbpe, bpeasy. GPT-2's order: Hugging Face's byte-level trainer.",
    )
    return {"tie_break": rule}


def _choose_normalizer() -> dict[str, Any]:
    state.linked(state.NORMALIZER, several_of(NORMALIZERS))
    names = st.multiselect(
        "Normalizer",
        list(NORMALIZERS),
        format_func=NORMALIZERS.__getitem__,
        key=state.NORMALIZER,
        persist_state="session",
        placeholder="None: the text as it is",
        help="Rewrites the text first, in the order chosen. Lower case and the compatibility forms "
        "(NFKC, NFKD) lose information.",
    )
    return {"normalizer": tuple(names)}


def _choose_minimum() -> dict[str, Any]:
    state.linked(state.MIN_FREQUENCY, whole_number(1, MAX_COUNT))
    least = st.number_input(
        "Minimum count",
        min_value=1,
        max_value=MAX_COUNT,
        step=1,
        key=state.MIN_FREQUENCY,
        persist_state="session",
        help="A pair that occurs less often is never merged.",
    )
    return {"min_frequency": int(least)}


def _choose_marker() -> dict[str, Any]:
    state.linked(state.END_OF_WORD, short_text(MAX_MARKER))
    marker = st.text_input(
        "End-of-word marker",
        key=state.END_OF_WORD,
        persist_state="session",
        placeholder="None; often </w>",
        max_chars=MAX_MARKER,
        help="A symbol of its own after the last symbol of each pre-token, so that `est` at the "
        "end of a word is another token than `est` within one.",
    )
    return {"end_of_word": marker or None}


def _choose_special(base: str) -> dict[str, Any]:
    state.linked(state.UNKNOWN_TOKEN, yes_or_no)
    unknown = st.checkbox(
        "Unknown token",
        key=state.UNKNOWN_TOKEN,
        persist_state="session",
        disabled=base == "byte",
        help=f"Character base: a character never seen becomes `{UNKNOWN}`; without it, encoding "
        "such a character is an error. A byte base needs none.",
    )
    state.linked(state.SPECIAL_TOKENS, short_text(MAX_SPECIAL))
    lines = st.text_area(
        "Special tokens",
        key=state.SPECIAL_TOKENS,
        persist_state="session",
        height=80,
        max_chars=MAX_SPECIAL,
        placeholder="One a line, such as <|endoftext|>",
        help="Tokens that no text becomes by itself. Text that spells one is cut out of the corpus "
        "before training.",
    )
    tokens = tuple(line for line in (lines or "").split("\n") if line)
    return {
        "unknown_token": UNKNOWN if unknown and base == "char" else None,
        "special_tokens": tokens,
    }
