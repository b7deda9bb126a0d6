"""The badge that tells whether a tokenizer agrees with the reference library for it."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import streamlit as st

from bpe.agreement import Agreement, check_agreement
from pages.ui import cache
from pages.ui.plain_text import as_sentence, plain
from pages.ui.tokenizer_list import TokenizerEntry

Color: TypeAlias = Literal["green", "red", "grey"]


_LIBRARIES: Final = {
    "tiktoken": "tiktoken",
    "tokenizers": "Hugging Face tokenizers",
    "sentencepiece": "SentencePiece",
}


class Badge(NamedTuple):
    """A badge: what it says, how it looks, and in a sentence what it rests on."""

    label: str
    icon: str
    color: Color
    told: str


def badge_of(agreement: Agreement) -> Badge:
    """Say what came out of a check; label and sentence are Markdown that shows as it is.

    >>> badge_of(Agreement("tiktoken", None, 0, 0, None, "", "tiktoken is not installed")).label
    'Not checked here'
    """
    if agreement.agrees is None:
        reason = as_sentence(agreement.reason or "nothing was checked")
        return Badge("Not checked here", ":material/help:", "grey", reason)
    library = plain(f"{_LIBRARIES[agreement.library]} {agreement.version or ''}".strip())
    checked_on = as_sentence(f"Checked on {agreement.checked_on}")
    if agreement.agrees:
        return Badge(f"Agrees with {library}", ":material/check_circle:", "green", checked_on)
    label = f"Differs from {library} on {agreement.n_different:,} of {agreement.n_texts:,}"
    first = as_sentence(f"First difference: {agreement.first_difference or ''}")
    return Badge(label, ":material/error:", "red", f"{checked_on} {first}")


@st.fragment
def draw_agreement(entry: TokenizerEntry) -> None:
    """Draw the badge of a tokenizer, before the check a button that makes it.

    A fragment, so that the check, of a second for the largest vocabularies, runs without the page.
    """
    found = _known(entry)
    if found is None:
        place = st.empty()
        is_asked = place.button(
            "Check against the reference library",
            icon=":material/verified:",
            help="Encodes several hundred texts with tiktoken, Hugging Face tokenizers or "
            "SentencePiece too, if that is installed, and compares the ids.",
        )
        if not is_asked:
            return
        with place, st.spinner("Comparing ids …"):
            found = check_entry(entry)
        place.empty()
    draw_badge(found)


def draw_badge(agreement: Agreement) -> None:
    """Draw what came out of a check."""
    badge = badge_of(agreement)
    st.badge(badge.label, icon=badge.icon, color=badge.color)
    st.caption(badge.told)


def check_entry(entry: TokenizerEntry, original: bytes | None = None) -> Agreement:
    """Hold a tokenizer to its library, once; `original` is the file it was read from, if at hand.

    What comes out for a bundled tokenizer is shared by all sessions.
    """

    def check() -> Agreement:
        return check_agreement(entry.tokenizer, kind=entry.file_kind, original=original)

    keep = cache.shared if entry.is_bundled else cache.cached
    return keep("agreement", _key(entry), check)


def _known(entry: TokenizerEntry) -> Agreement | None:
    found = cache.find("agreement", _key(entry), is_shared=entry.is_bundled)
    return found if isinstance(found, Agreement) else None


def _key(entry: TokenizerEntry) -> str:
    return f"{entry.key}:{entry.file_kind}"
