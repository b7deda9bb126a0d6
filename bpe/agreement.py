"""Whether a tokenizer gives the ids that the reference library for it gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from bpe.agreement_texts import agreement_texts
from bpe.errors import BPEError
from bpe.exports import export_refusal
from bpe.file_kinds import FileKind
from bpe.json_own_part import needs_own_part
from bpe.reference_libraries import Library, LibraryName, NotChecked, guarded, open_library

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

_SHOWN_IDS = 8


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came out when a tokenizer was held to a library.

    `n_different` of `n_texts` texts have other ids; `first_difference` is a sentence on the first
    of them, with some of its text. `checked_on` is a phrase on the texts. Where nothing was
    checked, `reason` says why and the numbers are 0.

    >>> Agreement("tiktoken", "0.14.0", 10, 0, None, "10 texts", None).agrees
    True
    """

    library: LibraryName
    version: str | None
    n_texts: int
    n_different: int
    first_difference: str | None
    checked_on: str
    reason: str | None

    @property
    def agrees(self) -> bool | None:
        """Whether all texts have the same ids; None where nothing was checked."""
        return self.n_different == 0 if self.n_texts else None


def check_agreement(
    tokenizer: Tokenizer,
    *,
    kind: FileKind | None = None,
    original: bytes | None = None,
    texts: Iterable[str] | None = None,
) -> Agreement:
    """Encode texts with a tokenizer and with the reference library for it, and compare the ids.

    `kind` is the kind of file it was read from, None for trained and bundled ones: those are held
    to tiktoken if ranks hold them, else to Hugging Face tokenizers. `original` is that file, if it
    is a tokenizer.json or a SentencePiece model; without it the library reads our export. Without
    `texts` some 900 built-in and random ones are taken, the same at each call. The libraries are
    optional: `reason` says where one is absent or cannot hold the tokenizer. Raises nothing.

    >>> import bpe
    >>> agreement = check_agreement(bpe.load_pretrained("gpt2"), texts=["Hello", "world"])
    >>> agreement.library, agreement.n_texts, agreement.n_different, agreement.checked_on
    ('tiktoken', 2, 0, '2 texts given')
    """
    name = _library_for(tokenizer, kind)
    try:
        if name == "tokenizers" and original is None and needs_own_part(tokenizer):
            raise NotChecked("no library has words for this tokenizer: it exists only here")
        library = open_library(name, tokenizer, original)
        return _compared(tokenizer, library, texts)
    except NotChecked as error:
        return Agreement(name, None, 0, 0, None, "", str(error))


def _library_for(tokenizer: Tokenizer, kind: FileKind | None) -> LibraryName:
    if kind == "sentencepiece":
        return "sentencepiece"
    if kind in ("tokenizer_json", "gpt2") or export_refusal(tokenizer, "tiktoken") is not None:
        return "tokenizers"
    return "tiktoken"


def _compared(tokenizer: Tokenizer, library: Library, texts: Iterable[str] | None) -> Agreement:
    if texts is None:
        drawn, phrase = agreement_texts(tokenizer, with_special=library.takes_special)
        checked_on = f"{len(drawn):,} strings: {phrase}"
    else:
        drawn = list(texts)
        checked_on = f"{len(drawn):,} texts given"
    differences = []
    for text in drawn:
        ours = _own_ids(tokenizer, text, library.takes_special)
        theirs = list(guarded(library.name, library.encode, text))
        if ours != theirs:
            differences.append(_described(text, ours, theirs, library.name))
    first = differences[0] if differences else None
    return Agreement(
        library.name, library.version, len(drawn), len(differences), first, checked_on, None
    )


def _own_ids(tokenizer: Tokenizer, text: str, takes_special: bool) -> list[int] | str:
    """The ids of a text, or the message of the error that encoding it raises."""
    try:
        return tokenizer.encode(text, allowed_special="all" if takes_special else ()).ids
    except BPEError as error:
        return str(error)


def _described(text: str, ours: Sequence[int] | str, theirs: Sequence[int], library: str) -> str:
    shown = ascii(text) if len(text) <= 60 else f"{text[:60]!a} and so on"
    if isinstance(ours, str):
        return f"{shown} is refused here ({ours}), and has {len(theirs):,} tokens in {library}"
    at = next(i for i, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b)
    return (
        f"{shown}: from token {at:,} on, the ids are {_some(ours, at)} here and "
        f"{_some(theirs, at)} in {library}"
    )


def _some(ids: Sequence[int], at: int) -> str:
    shown = " ".join(map(str, ids[at : at + _SHOWN_IDS]))
    return (shown + (" …" if len(ids) > at + _SHOWN_IDS else "")) or "at an end"
