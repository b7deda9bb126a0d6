"""Saying what a vocabulary lacks: single bytes, ids."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bpe.tie_rules import prints_in_gpt2
from bpe.vocabulary import Content

# The order of GPT-2's own files, where the printable ones come first.
_BYTES_IN_ORDER = sorted(range(256), key=lambda byte: (not prints_in_gpt2(byte), byte))


def missing_bytes(contents: Collection[Content | None], where: str = "vocabulary") -> list[str]:
    """Say how many single bytes have no token, and which is the first in GPT-2's order.

    >>> missing_bytes([b"a", b"b"], "rank table")
    ['byte 0x21 is not in the rank table (254 of 256 single bytes are missing)']
    """
    known = {token for token in contents if isinstance(token, bytes) and len(token) == 1}
    missing = [byte for byte in _BYTES_IN_ORDER if bytes([byte]) not in known]
    if not missing:
        return []
    verb = "is" if len(missing) == 1 else "are"
    return [
        f"byte 0x{missing[0]:02X} is not in the {where} "
        f"({len(missing)} of 256 single bytes {verb} missing)"
    ]


def missing_ids(contents: Sequence[Content | None]) -> list[str]:
    """Say how many ids below the highest belong to no token.

    >>> missing_ids([b"a", None, b"b"])
    ['1 id below the highest belongs to no token, the first of them 1']
    """
    missing = [token_id for token_id, content in enumerate(contents) if content is None]
    if not missing:
        return []
    says = "id below the highest belongs" if len(missing) == 1 else "ids below the highest belong"
    return [f"{len(missing):,} {says} to no token, the first of them {missing[0]}"]
