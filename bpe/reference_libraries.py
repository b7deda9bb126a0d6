"""The libraries that a tokenizer is held to, each made from what it reads itself.

None of them is needed to run this program: they are imported when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

LibraryName: TypeAlias = Literal["tiktoken", "tokenizers", "sentencepiece"]
Encode: TypeAlias = Callable[[str], Sequence[int]]


class NotChecked(Exception):
    """Why a tokenizer cannot be held to a library; the message is a sentence for the screen."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library ready to encode: its name, its version, and its ids for a text.

    `takes_special` tells whether special tokens in a text are taken as such.
    """

    name: LibraryName
    version: str
    encode: Encode
    takes_special: bool


def open_library(name: LibraryName, tokenizer: Tokenizer, original: bytes | None) -> Library:
    """Make the library's own tokenizer, from the original file if it reads that kind.

    Raises NotChecked where the library is not installed or refuses the file.

    >>> import bpe
    >>> library = open_library("tiktoken", bpe.load_pretrained("gpt2"), None)
    >>> library.encode("Hello, world")
    [15496, 11, 995]
    """
    try:
        import_module(name)
    except ImportError as error:
        raise NotChecked(
            f"{name} is not installed here: `pip install {name}` lets it be checked"
        ) from error
    encode = guarded(name, _OPEN[name], tokenizer, original)
    return Library(name, version(name), encode, name != "sentencepiece")


def guarded(name: str, function: Callable[..., object], *given: object) -> Any:
    """Call a function that uses a library; raises NotChecked for whatever goes wrong in there.

    A panic of a library in Rust is no `Exception`.
    """
    try:
        return function(*given)
    except NotChecked:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise NotChecked(f"{name} refuses it: {error!s:.300}") from error


def _open_tiktoken(tokenizer: Tokenizer, original: bytes | None) -> Encode:
    from bpe.exports import export_refusal, tiktoken_arguments

    refusal = export_refusal(tokenizer, "tiktoken")
    if refusal is not None:
        raise NotChecked(refusal)
    special = tokenizer.vocabulary.special_by_id
    contents = enumerate(tokenizer.vocabulary.contents)
    ranks = {token: i for i, token in contents if type(token) is bytes and i not in special}
    module = import_module("tiktoken")
    encoding = module.Encoding("checked", mergeable_ranks=ranks, **tiktoken_arguments(tokenizer))
    return lambda text: encoding.encode(text, allowed_special="all")


def _open_tokenizers(tokenizer: Tokenizer, original: bytes | None) -> Encode:
    from bpe.formats import to_tokenizer_json

    if original is None:
        original = to_tokenizer_json(tokenizer).encode("utf-8")
    theirs = import_module("tokenizers").Tokenizer.from_buffer(original)
    # The file may ask for texts to be cut or filled up, which says nothing of the tokens.
    theirs.no_truncation()
    theirs.no_padding()
    return lambda text: theirs.encode(text, add_special_tokens=False).ids


def _open_sentencepiece(tokenizer: Tokenizer, original: bytes | None) -> Encode:
    if original is None:
        raise NotChecked("sentencepiece needs the model file itself, which is not kept")
    processor = import_module("sentencepiece").SentencePieceProcessor(model_proto=original)
    return lambda text: processor.encode(text, out_type=int)


_OPEN: dict[LibraryName, Callable[[Tokenizer, bytes | None], Encode]] = {
    "tiktoken": _open_tiktoken,
    "tokenizers": _open_tokenizers,
    "sentencepiece": _open_sentencepiece,
}
