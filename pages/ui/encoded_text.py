"""A text with its tokens: everything the Encode page shows of it, made once and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from bpe.special_tokens import finder_of
from pages.ui.tables import hexadecimal, visible
from pages.ui.view_models import Counts, RoundTrip, counts, round_trip, unknown_id

if TYPE_CHECKING:
    from bpe import Encoding, Tokenizer, TrainingRun


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text, the tokenizer that cut it, and what came out.

    `whole` is the tokenizer before it was cut to a size: it knows every id and its merge, and
    need not work them out anew for each size.
    """

    tokenizer: Tokenizer
    whole: Tokenizer
    text: str
    encoding: Encoding
    counts: Counts
    round_trip: RoundTrip
    special: SpecialCounts


@dataclass(frozen=True, slots=True)
class SpecialCounts:
    """How often the text spells each special token, and how often it was taken as that token."""

    spelled: Mapping[str, int]
    taken: Mapping[str, int]

    @property
    def n_spelled(self) -> int:
        """Places of the text that spell a special token."""
        return sum(self.spelled.values())

    @property
    def n_taken(self) -> int:
        """Places of the text that became a special token."""
        return sum(self.taken.values())


def encode_text(
    tokenizer: Tokenizer, text: str, whole: Tokenizer, *, allowed_special: Collection[str]
) -> EncodedText:
    """Encode a text, count, and decode it again.

    Raises UnknownSymbolError for a character that has no symbol where there is no unknown token.
    """
    encoding = tokenizer.encode(text, allowed_special=allowed_special)
    return EncodedText(
        tokenizer,
        whole,
        text,
        encoding,
        counts(tokenizer, text, encoding),
        round_trip(tokenizer, text, encoding),
        SpecialCounts(spelled_special(tokenizer, text), _taken_special(tokenizer, text, encoding)),
    )


def spelled_special(tokenizer: Tokenizer, text: str) -> Counter[str]:
    """Count where a text spells special tokens, the longest at a position.

    >>> import bpe
    >>> tokenizer = bpe.train("low", num_merges=0, special_tokens=["<s>"]).tokenizer
    >>> spelled_special(tokenizer, "<s>low<s>")
    Counter({'<s>': 2})
    """
    pieces = finder_of(frozenset(tokenizer.special_tokens)).split(text)
    return Counter(text[start:end] for start, end, is_special in pieces if is_special)


def _taken_special(tokenizer: Tokenizer, text: str, encoding: Encoding) -> Counter[str]:
    """Count the special tokens among the tokens; an unknown character is none."""
    names = {token_id: name for name, token_id in tokenizer.special_tokens.items()}
    if names.keys().isdisjoint(encoding.ids):
        return Counter()
    unknown = unknown_id(tokenizer)
    return Counter(
        names[span.token_id]
        for span in encoding.spans
        if span.token_id in names
        and (span.token_id != unknown or text[span.char_start : span.char_end] == names[unknown])
    )


def special_frame(tokenizer: Tokenizer, special: SpecialCounts) -> pd.DataFrame:
    """List the special tokens by id, with how often the text spells them and they were taken."""
    names = sorted(tokenizer.special_tokens.items(), key=lambda named: named[1])
    return pd.DataFrame(
        {
            "id": [token_id for _, token_id in names],
            "token": [visible(name) for name, _ in names],
            "spelled": [special.spelled.get(name, 0) for name, _ in names],
            "taken": [special.taken.get(name, 0) for name, _ in names],
        }
    )


def tokens_frame(encoded: EncodedText, run: TrainingRun | None = None) -> pd.DataFrame:
    """List the tokens of a text in order: what each is, where it stands, how it was born.

    Positions count from 0; an end is the first position behind the token. `rank` is empty for
    base symbols and special tokens, `count` where the training is not known.
    """
    tokenizer, spans = encoded.whole, encoded.encoding.spans
    ids = encoded.encoding.ids
    contents = {token_id: tokenizer.token(token_id) for token_id in set(ids)}
    shown = {token_id: visible(content) for token_id, content in contents.items()}
    in_hex = {token_id: hexadecimal(content) for token_id, content in contents.items()}
    ranks = {token_id: tokenizer.rank_of(token_id) for token_id in contents}
    steps = run.steps if run else None
    merged = {i: None if steps is None or r is None else steps[r].count for i, r in ranks.items()}
    return pd.DataFrame(
        {
            "position": range(len(ids)),
            "id": ids,
            "token": [shown[token_id] for token_id in ids],
            "bytes": [in_hex[token_id] for token_id in ids],
            "byte_start": [span.byte_start for span in spans],
            "byte_end": [span.byte_end for span in spans],
            "char_start": [span.char_start for span in spans],
            "char_end": [span.char_end for span in spans],
            "rank": pd.array([ranks[token_id] for token_id in ids], dtype="Int64"),
            "count": pd.array([merged[token_id] for token_id in ids], dtype="Int64"),
        }
    )
