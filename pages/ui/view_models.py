"""What the screens need to know of tokens and texts, made from what the engine returns.

Owns faces (what is known of one token), segments (a text cut where tokens begin and end), counts
and the round-trip check. Knows nothing of Streamlit, and computes no tokens of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import regex

from bpe.normalizers import well_formed
from bpe.pre_tokenizers import compile_pattern
from pages.ui.palette import color_index

if TYPE_CHECKING:
    from bpe import Encoding, Tokenizer, TokenSpan, TrainingRun

TokenFace: TypeAlias = dict[str, int | str | None]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the text, and how many tokens stand for it together.

    0 tokens: text that no token covers. More than 1: characters that are cut into several tokens.
    """

    text: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How long a text is in tokens, characters, UTF-8 bytes and words (between white space).

    `unknowns` are the characters of the text that became unknown tokens: one may stand for several.
    """

    tokens: int
    characters: int
    bytes: int
    words: int
    unknowns: int

    @property
    def bytes_per_token(self) -> float | None:
        """UTF-8 bytes per token; None for a text without tokens."""
        return self.bytes / self.tokens if self.tokens else None

    @property
    def characters_per_token(self) -> float | None:
        """Characters per token; None for a text without tokens."""
        return self.characters / self.tokens if self.tokens else None

    @property
    def tokens_per_word(self) -> float | None:
        """Tokens per word between white space; None for a text without words."""
        return self.tokens / self.words if self.words else None


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Whether decoding the ids gives the text back, and in words why it does not."""

    holds: bool
    decoded: str
    reason: str


def _decoded(content: bytes) -> str | None:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def faces(
    tokenizer: Tokenizer, ids: Iterable[int], run: TrainingRun | None = None
) -> list[TokenFace]:
    """Describe tokens and their parents for the browser, once each, by ascending id.

    With a run each merged token has the count of its merge. The keys are: id, text (None when the
    bytes are no whole characters), hex, color, kind, marker, rank, count, left and right (the
    parents' ids). Raises UnknownIdError for an id that no token has.
    """
    wanted = set(ids)
    for token_id in tuple(wanted):
        wanted.update(tokenizer.parents(token_id) or ())
    specials = set(tokenizer.special_tokens.values())
    return [_face(tokenizer, token_id, specials, run) for token_id in sorted(wanted)]


def _face(
    tokenizer: Tokenizer, token_id: int, specials: set[int], run: TrainingRun | None
) -> TokenFace:
    content = tokenizer.text_of(token_id)
    ends_word = tokenizer.ends_word(token_id)
    text = _decoded(content) if isinstance(content, bytes) else well_formed(content)
    rank = tokenizer.rank_of(token_id)
    left, right = tokenizer.parents(token_id) or (None, None)
    return {
        "id": token_id,
        "text": text,
        "hex": (content if isinstance(content, bytes) else well_formed(content).encode()).hex(),
        "color": color_index(content, ends_word),
        "kind": _kind(tokenizer, token_id, text, specials),
        "marker": tokenizer.end_of_word if ends_word else None,
        "rank": rank,
        "count": None if run is None or rank is None else run.steps[rank].count,
        "left": left,
        "right": right,
    }


def unknown_id(tokenizer: Tokenizer) -> int | None:
    """Return the id of the unknown token, or None when the tokenizer has none."""
    name = tokenizer.unknown_token
    return None if name is None else tokenizer.special_tokens.get(name)


def _kind(tokenizer: Tokenizer, token_id: int, text: str | None, specials: set[int]) -> str:
    if token_id in specials:
        return "unknown" if token_id == unknown_id(tokenizer) else "special"
    if text is None:
        return "bytes"
    return "marker" if not text and tokenizer.ends_word(token_id) else "text"


def segments(text: str, encoding: Encoding) -> list[Segment]:
    """Cut the original text where its tokens begin and end.

    Tokens that share characters, or cut what is read as one character (an emoji family, a letter
    and its accent), share one segment; an empty span is a segment without text. The texts join
    to the text, and the numbers of tokens add up to `len(encoding.ids)`.
    """
    cut: list[Segment] = []
    position = 0
    for start, end, n_tokens in _groups(encoding.spans, _inside_graphemes(text)):
        if start > position:
            cut.append(Segment(text[position:start], 0))
        cut.append(Segment(text[start:end], n_tokens))
        position = end
    if position < len(text):
        cut.append(Segment(text[position:], 0))
    return cut


def _inside_graphemes(text: str) -> set[int]:
    """Collect the positions at which a cut would tear what is read as one character (UAX #29)."""
    if text.isascii():
        return set()
    matches = regex.finditer(r"\X", text)
    torn = (range(m.start() + 1, m.end()) for m in matches if m.end() - m.start() > 1)
    return {at for inside in torn for at in inside if text[at - 1 : at + 1] != "\r\n"}


def _groups(spans: Sequence[TokenSpan], torn: set[int]) -> list[tuple[int, int, int]]:
    groups: list[tuple[int, int, int]] = []
    for span in spans:
        start, end, n_tokens = span.char_start, span.char_end, 1
        while groups and (start < groups[-1][1] or (start == groups[-1][1] and start in torn)):
            last_start, last_end, n_last = groups.pop()
            start, end, n_tokens = min(start, last_start), max(end, last_end), n_tokens + n_last
        groups.append((start, end, n_tokens))
    return groups


def counts(tokenizer: Tokenizer, text: str, encoding: Encoding) -> Counts:
    """Count what a text and its encoding are made of."""
    return Counts(
        tokens=len(encoding.ids),
        characters=len(text),
        bytes=len(well_formed(text).encode()),
        words=len(text.split()),
        unknowns=_n_characters(_unknown_spans(tokenizer, text, encoding)),
    )


def _unknown_spans(tokenizer: Tokenizer, text: str, encoding: Encoding) -> list[TokenSpan]:
    """Give the places of unknown tokens, but for those that the text itself spells."""
    unknown = unknown_id(tokenizer)
    if unknown is None or unknown not in encoding.ids:
        return []
    return [
        span
        for span in encoding.spans
        if span.token_id == unknown
        and text[span.char_start : span.char_end] != tokenizer.unknown_token
    ]


def _n_characters(spans: Iterable[TokenSpan]) -> int:
    """Count the characters under some tokens, each once: bytes of one may be several tokens."""
    n_characters, position = 0, 0
    for span in spans:
        n_characters += max(0, span.char_end - max(span.char_start, position))
        position = max(position, span.char_end)
    return n_characters


def round_trip(tokenizer: Tokenizer, text: str, encoding: Encoding) -> RoundTrip:
    """Decode the ids again, compare with the text, and name every reason for a difference."""
    decoded = tokenizer.decode(encoding.ids)
    if decoded == text:
        return RoundTrip(True, decoded, "Decoding the ids gives exactly this text back.")
    return RoundTrip(False, decoded, " ".join(_losses(tokenizer, text, encoding, decoded)))


def _losses(tokenizer: Tokenizer, text: str, encoding: Encoding, decoded: str) -> list[str]:
    reasons = []
    whole = well_formed(text)
    if whole != text:
        reasons.append("Half characters (lone surrogates) cannot be stored and became U+FFFD.")
    if tokenizer.normalized_text(whole) != whole:
        names = " then ".join(tokenizer.normalizer)
        what = f"The normalizer ({names})" if names else "A step that its file asks for"
        reasons.append(f"{what} changed the text before it was encoded.")
    dropped = sum(len(s.text) for s in segments(text, encoding) if s.n_tokens == 0)
    if dropped:
        reasons.append(_dropped(tokenizer, dropped))
    unknown = _unknown_spans(tokenizer, text, encoding)
    if unknown:
        reasons.append(_unseen(tokenizer, _n_characters(unknown), len(unknown)))
    return reasons or [_first_difference(text, decoded)]


def _unseen(tokenizer: Tokenizer, n_characters: int, n_tokens: int) -> str:
    seen = "character was" if n_characters == 1 else "characters were"
    became = "each became the unknown token, which decodes"
    if n_tokens != n_characters:
        one_or_more = "one unknown token" if n_tokens == 1 else f"{n_tokens:,} unknown tokens"
        each = "" if n_tokens == 1 else "each of "
        became = f"together they became {one_or_more}, {each}which decodes"
    return (
        f"{n_characters:,} {seen} never seen in training: {became} to {tokenizer.unknown_token!r}."
    )


def _dropped(tokenizer: Tokenizer, n_characters: int) -> str:
    noun = "character" if n_characters == 1 else "characters"
    if tokenizer.pipeline is not None or compile_pattern(tokenizer.pattern).keeps_everything:
        return (
            f"The steps of its file took {n_characters:,} {noun} away, for which no token stands."
        )
    dropped = f"The pattern {tokenizer.pattern!r} drops what stands between words"
    back = (
        "each end-of-word marker decodes to one space"
        if tokenizer.end_of_word
        else "decoding joins the words without it"
    )
    return f"{dropped} ({n_characters:,} {noun} here); {back}."


def _first_difference(text: str, decoded: str) -> str:
    pairs = enumerate(zip(text, decoded, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(text), len(decoded)))
    return f"The decoded text first differs at character {at:,}."
