"""What a SentencePiece model file says, read through that library's own description of the file.

The libraries are optional: `sentencepiece` (Apache 2.0), and `protobuf`, which Streamlit brings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bpe.errors import FormatError
from bpe.json_own_part import holds_surrogate
from bpe.text_pipeline.character_table import is_table, replacements

_MODEL_TYPES = {1: "Unigram", 2: "BPE", 3: "word", 4: "character"}
_BPE = 2
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = 1, 2, 3, 4, 5, 6
_BYTE_NAMES = [f"<0x{value:02X}>" for value in range(256)]


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """A BPE model as its file describes it.

    `pieces` are the spellings by id, `ranks` the order in which pieces of several characters are
    merged, from 0; of equal ones the leftmost. `whole` are the user-defined symbols, which no
    merge touches.
    """

    pieces: tuple[str, ...]
    ranks: dict[str, int]
    control: tuple[str, ...]
    whole: tuple[str, ...]
    unknown: str
    byte_fallback: bool
    add_dummy_prefix: bool
    remove_extra_whitespaces: bool
    charsmap: bytes = b""


def read_model(data: bytes, name: str) -> SentencePieceModel:
    """Read the bytes of a model file; `name` is what messages call it.

    Raises FormatError where the libraries are absent, for a damaged file, for a model that is not
    BPE, and for a normalization rule other than identity.
    """
    proto = _parse(data, name)
    kind = proto.trainer_spec.model_type
    if kind != _BPE:
        raise FormatError(
            f"{name} is a model of SentencePiece of type {_MODEL_TYPES.get(kind, kind)}; "
            "only BPE models can be read"
        )
    _check_text_rules(proto, name)
    by_type = _by_type(proto, name)
    if len(by_type[_UNKNOWN]) != 1:
        raise FormatError(f"{name} must have one unknown piece, not {len(by_type[_UNKNOWN])}")
    for piece in (*by_type[_UNKNOWN], *by_type[_CONTROL]):
        if len(piece) == 1:
            raise FormatError(f"{name}: the control or unknown piece {piece!r} is one character")
    if by_type[_UNUSED]:
        raise FormatError(f"{name}: the piece {by_type[_UNUSED][0]!r:.80} is marked as unused")
    has_bytes = bool(proto.trainer_spec.byte_fallback)
    if sorted(by_type[_BYTE]) != (sorted(_BYTE_NAMES) if has_bytes else []):
        raise FormatError(f"{name}: byte_fallback is {has_bytes}, which its byte pieces contradict")
    return SentencePieceModel(
        pieces=tuple(piece.piece for piece in proto.pieces),
        ranks=_ranks(proto),
        control=tuple(by_type[_CONTROL]),
        whole=tuple(by_type[_USER_DEFINED]),
        unknown=by_type[_UNKNOWN][0],
        byte_fallback=has_bytes,
        add_dummy_prefix=proto.normalizer_spec.add_dummy_prefix,
        remove_extra_whitespaces=proto.normalizer_spec.remove_extra_whitespaces,
        charsmap=proto.normalizer_spec.precompiled_charsmap,
    )


def _parse(data: bytes, name: str) -> Any:
    try:
        from google.protobuf.message import DecodeError
        from sentencepiece import sentencepiece_model_pb2
    except ImportError as error:
        raise FormatError(
            f"{name} is a model of SentencePiece. To read it, install two packages: "
            f"pip install sentencepiece protobuf ({error})"
        ) from error
    try:
        model_proto: Any = sentencepiece_model_pb2.ModelProto  # type: ignore[attr-defined]
        return model_proto.FromString(data)
    except DecodeError as error:
        raise FormatError(f"{name} is a damaged model of SentencePiece: {error!s:.200}") from error


def _check_text_rules(proto: Any, name: str) -> None:
    rules = proto.normalizer_spec
    if proto.denormalizer_spec.precompiled_charsmap:
        raise FormatError(f"{name} rewrites text when it decodes, which is not supported")
    if rules.precompiled_charsmap and not is_table(rules.precompiled_charsmap):
        raise FormatError(f"{name}: the table of its normalization rule is damaged")
    if rules.remove_extra_whitespaces and b"  " in replacements(rules.precompiled_charsmap):
        # The library takes extra spaces out between what the rule gives, not within.
        raise FormatError(f"{name}: its normalization rule gives several spaces for a character")
    if not rules.escape_whitespaces or proto.trainer_spec.treat_whitespace_as_suffix:
        raise FormatError(f"{name} does not write a space as '▁' before a word")


def _by_type(proto: Any, name: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {kind: [] for kind in range(_NORMAL, _BYTE + 1)}
    seen: set[str] = set()
    for token_id, piece in enumerate(proto.pieces):
        text = piece.piece
        if not isinstance(text, str) or holds_surrogate(text):  # bytes where they are not UTF-8
            raise FormatError(f"{name}: piece {token_id} {text!r:.80} is no text")
        if not text or text in seen:
            raise FormatError(f"{name}: piece {token_id} {text!r:.80} is empty or stands twice")
        if piece.type not in found or not math.isfinite(piece.score):
            raise FormatError(f"{name}: piece {token_id} {text!r:.80} has no type or no score")
        if piece.type == _USER_DEFINED and " " in text:
            raise FormatError(f"{name}: the user-defined symbol {text!r:.80} holds a space")
        seen.add(text)
        found[piece.type].append(text)
    return found


def _ranks(proto: Any) -> dict[str, int]:
    """The pieces that merges make, the highest score first; those of equal score share a rank."""
    merged = [(-p.score, p.piece) for p in proto.pieces if p.type == _NORMAL and len(p.piece) > 1]
    merged.sort(key=lambda item: item[0])
    ranks: dict[str, int] = {}
    rank, last = -1, None
    for score, piece in merged:
        rank += score != last
        ranks[piece], last = rank, score
    return ranks


def last_pairs(model: SentencePieceModel) -> Iterator[tuple[str, str]]:
    """Yield, by rank, the two pieces that each merged piece is made of in the end.

    SentencePiece joins any two neighbours that spell a piece, the one of highest score first. What
    happens inside a stretch does not depend on what stands beside it, so a piece is always made
    of the same two: those that its own characters come to. Pieces that theirs do not make are never
    made.

    >>> ranks = {"ab": 0, "abc": 1}
    >>> model = SentencePieceModel(tuple("abc"), ranks, (), (), "?", False, True, True)
    >>> list(last_pairs(model))
    [('a', 'b'), ('ab', 'c')]
    """
    whole = set(model.whole)
    lengths = sorted(set(map(len, whole)))
    for piece in model.ranks:
        starts = range(len(piece)) if lengths else ()
        if any(piece[at : at + length] in whole for at in starts for length in lengths):
            continue  # a user-defined symbol in it would have been cut out first
        parts = _last_parts(piece, model.ranks)
        if len(parts) == 2:
            yield parts[0], parts[1]


def _last_parts(piece: str, ranks: dict[str, int]) -> list[str]:
    """Merge the characters of a piece until two parts are left, or no two make a piece."""
    parts = list(piece)
    while len(parts) > 2:
        joined = [ranks.get(left + right, len(ranks)) for left, right in pairwise(parts)]
        lowest = min(joined)
        if lowest == len(ranks):
            break
        at = joined.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts
