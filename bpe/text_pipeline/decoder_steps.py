"""Decoders of a tokenizer.json: from the spellings of tokens back to text.

Each does what the class of its name in `tokenizers.decoders` does (0.23.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bpe.byte_alphabet import read_bytes
from bpe.text_pipeline.growth import check_growth, growing
from bpe.text_pipeline.json_step import JsonStep
from bpe.text_pipeline.patterns import TextPattern
from bpe.text_pipeline.pre_tokenizer_steps import PrependScheme

_BYTE_TOKEN = re.compile(r"<0x(\+[0-9A-Fa-f]|[0-9A-Fa-f]{2})>")


class DecoderStep(JsonStep):
    """One step from tokens to text; a frozen value."""

    __slots__ = ()

    def apply(self, tokens: list[str]) -> list[str]:
        """Rewrite or join the spellings."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ByteLevelDecoder(DecoderStep):
    """Printable characters read as bytes, and these as text; the fields change nothing."""

    json_type = "ByteLevel"

    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool

    def apply(self, tokens: list[str]) -> list[str]:
        return [b"".join(map(_bytes_of, tokens)).decode("utf-8", "replace")]


def _bytes_of(token: str) -> bytes:
    try:
        return read_bytes(token)
    except KeyError:  # not of the byte alphabet: a token that is its own text
        return token.encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class MetaspaceDecoder(DecoderStep):
    """The mark read as a space; in the first token it is dropped, unless none was put before."""

    json_type = "Metaspace"

    replacement: str
    prepend_scheme: PrependScheme
    split: bool

    def apply(self, tokens: list[str]) -> list[str]:
        first = " " if self.prepend_scheme == "never" else ""
        return [
            token.replace(self.replacement, " " if index else first)
            for index, token in enumerate(tokens)
        ]


@dataclass(frozen=True, slots=True)
class ReplaceDecoder(DecoderStep):
    """In each token, what a pattern matches replaced by a text."""

    json_type = "Replace"

    pattern: TextPattern
    content: str

    def apply(self, tokens: list[str]) -> list[str]:
        return list(growing(map(self._replaced, tokens), sum(map(len, tokens))))

    def _replaced(self, token: str) -> str:
        pieces: list[str] = []
        position = 0
        n_new = 0
        for start, end in self.pattern.spans(token) if token else ():
            n_new += len(self.content)
            check_growth(n_new, len(token))
            pieces += [token[position:start], self.content]
            position = end
        return "".join(pieces) + token[position:]


@dataclass(frozen=True, slots=True)
class ByteFallback(DecoderStep):
    """Tokens such as <0xE2> read as bytes; a run that is no text gives U+FFFD for each."""

    def apply(self, tokens: list[str]) -> list[str]:
        texts: list[str] = []
        run = bytearray()
        for token in [*tokens, None]:
            found = None if token is None else _BYTE_TOKEN.fullmatch(token)
            if found is not None:
                run.append(int(found[1], 16))
                continue
            texts += _texts_of(bytes(run))
            run.clear()
            texts += [] if token is None else [token]
        return texts


def _texts_of(run: bytes) -> list[str]:
    try:
        return [run.decode("utf-8")] if run else []
    except UnicodeDecodeError:
        return ["\ufffd"] * len(run)


@dataclass(frozen=True, slots=True)
class Fuse(DecoderStep):
    """All tokens joined to one."""

    def apply(self, tokens: list[str]) -> list[str]:
        return ["".join(tokens)]


@dataclass(frozen=True, slots=True)
class StripDecoder(DecoderStep):
    """Up to so many of a character taken off the ends of each token."""

    json_type = "Strip"

    content: str
    start: int
    stop: int

    def apply(self, tokens: list[str]) -> list[str]:
        return [self._stripped(token) for token in tokens]

    def _stripped(self, token: str) -> str:
        n_left = min(len(token) - len(token.lstrip(self.content)), self.start)
        token = token[n_left:]
        n_right = min(len(token) - len(token.rstrip(self.content)), self.stop)
        return token[: len(token) - n_right]


@dataclass(frozen=True, slots=True)
class BPEDecoder(DecoderStep):
    """The suffix that ends words made a space, and nothing in the last token."""

    suffix: str

    def apply(self, tokens: list[str]) -> list[str]:
        last = len(tokens) - 1
        return [
            token.replace(self.suffix, "" if index == last else " ")
            for index, token in enumerate(tokens)
        ]
