"""A text with its tokens: everything the Encode page shows of it, made once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from pages.ui.tables import hexadecimal, visible
from pages.ui.view_models import Counts, RoundTrip, counts, round_trip

if TYPE_CHECKING:
    from bpe import Encoding, Tokenizer, TrainingRun


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text, the tokenizer that cut it, and what came out."""

    tokenizer: Tokenizer
    text: str
    encoding: Encoding
    counts: Counts
    round_trip: RoundTrip


def encode_text(tokenizer: Tokenizer, text: str, *, allow_special: bool) -> EncodedText:
    """Encode a text, count, and decode it again.

    Raises UnknownSymbolError for a character that has no symbol where there is no unknown token.
    """
    encoding = tokenizer.encode(text, allowed_special="all" if allow_special else ())
    return EncodedText(
        tokenizer,
        text,
        encoding,
        counts(tokenizer, text, encoding),
        round_trip(tokenizer, text, encoding),
    )


def tokens_frame(encoded: EncodedText, run: TrainingRun | None = None) -> pd.DataFrame:
    """List the tokens of a text in order: what each is, where it stands, how it was born.

    Positions count from 0; an end is the first position behind the token. `rank` is empty for
    base symbols and special tokens, `count` where the training is not known.
    """
    tokenizer, spans = encoded.tokenizer, encoded.encoding.spans
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
