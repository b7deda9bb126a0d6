"""How a tokenizer that was imported reads a text: its added tokens, its steps, what they keep."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from bpe.added_tokens import AddedToken, AddedTokenFinder, found_in_one_pass
from bpe.imported_symbols import NO_OPTIONS
from bpe.normalizers import normalize_aligned
from bpe.pre_tokenizers import compile_pattern
from bpe.text_alignment import AlignedText
from bpe.text_pipeline import TextPipeline
from bpe.text_pipeline.aligned_parts import parts
from bpe.text_pipeline.decoder_steps import ByteLevelDecoder

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

_KEEPING_STEPS = frozenset({"Split", "ByteLevel", "Digits", "Punctuation", "FixedLength"})


class TextSteps(Protocol):
    """What rewrites and splits text before the model sees it; a TextPipeline is one."""

    def normalize(self, text: str) -> AlignedText:
        """Rewrite a stretch of text."""

    def pre_tokens(self, text: AlignedText, *, is_first: bool) -> list[AlignedText]:
        """Split a rewritten stretch."""


class NamedSteps:
    """The normalizers and the pattern of a tokenizer that has these by name.

    >>> steps = NamedSteps(("nfc",), "gpt2")
    >>> [piece.text for piece in steps.pre_tokens(steps.normalize("e\\u0301 b"), is_first=True)]
    ['é', ' b']
    """

    def __init__(self, normalizer: tuple[str, ...], pattern: str) -> None:
        self._normalizer = normalizer
        self._splitter = compile_pattern(pattern)

    def normalize(self, text: str) -> AlignedText:
        """Rewrite a stretch of text."""
        return normalize_aligned(text, self._normalizer)

    def pre_tokens(self, text: AlignedText, *, is_first: bool) -> list[AlignedText]:
        """Split a rewritten stretch."""
        return parts(text, self._splitter.split(text.text))


class ImportedReading:
    """What of a tokenizer is beyond pattern, normalizer names and special tokens.

    >>> import bpe
    >>> ImportedReading(bpe.train("low", num_merges=0).tokenizer).is_needed
    False
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._finders: dict[frozenset[str], AddedTokenFinder] = {}

    @cached_property
    def is_needed(self) -> bool:
        """Whether texts must be read step by step; else pattern and names say all."""
        tokenizer = self._tokenizer
        is_plain = tokenizer.pipeline is None and tokenizer.model_options == NO_OPTIONS
        added = tokenizer.added or ()
        return not (is_plain and found_in_one_pass(added, bool(tokenizer.normalizer)))

    @cached_property
    def always_found(self) -> frozenset[str]:
        """The added tokens that count wherever a text spells them: all that are not special."""
        added = self._tokenizer.added or ()
        return frozenset(token.content for token in added if not token.special)

    @cached_property
    def beyond_model(self) -> frozenset[int]:
        """Ids of the tokens that the model does not have: merging never gives them."""
        added = self._tokenizer.added or ()
        return frozenset(token.token_id for token in added if not token.in_model)

    @cached_property
    def always_ids(self) -> dict[str, int]:
        """Ids of the tokens that are always found, by what they are among pre-tokens."""
        added = self._tokenizer.added or ()
        return {self.decoded_as[t.token_id]: t.token_id for t in added if not t.special}

    @cached_property
    def special(self) -> frozenset[str]:
        """The special tokens that count if all are allowed: those that are listed as added."""
        added = self._tokenizer.added_tokens
        return frozenset(token.content for token in added if token.special)

    @cached_property
    def steps(self) -> TextSteps:
        """What rewrites and splits texts."""
        tokenizer = self._tokenizer
        if tokenizer.pipeline is not None:
            return tokenizer.pipeline
        return NamedSteps(tuple(tokenizer.normalizer), tokenizer.pattern)

    def finder(self, allowed: Collection[str]) -> AddedTokenFinder:
        """Give the finder of the tokens that count when these special ones are allowed."""
        key = frozenset(allowed)
        if key not in self._finders:
            self._finders[key] = AddedTokenFinder(self._counting(key), self._normalized)
        return self._finders[key]

    def _counting(self, allowed: frozenset[str]) -> Sequence[AddedToken]:
        tokenizer = self._tokenizer
        added = {token.content: token for token in tokenizer.added_tokens}
        for name in allowed - added.keys():  # an unknown token that is not among the added ones
            added[name] = AddedToken(name, tokenizer.vocabulary.special_tokens[name])
        return [token for token in added.values() if not token.special or token.content in allowed]

    @cached_property
    def decoded_as(self) -> dict[int, str]:
        """What added tokens are to the decoder: themselves, or what the normalizer made of them."""
        return {
            token.token_id: self._normalized(token.content) if token.normalized else token.content
            for token in self._tokenizer.added_tokens
        }

    @cached_property
    def renamed(self) -> dict[int, str]:
        """Those of `decoded_as` that are not themselves."""
        added = {token.token_id: token.content for token in self._tokenizer.added or ()}
        return {i: text for i, text in self.decoded_as.items() if added.get(i, text) != text}

    def _normalized(self, text: str) -> str:
        return self.steps.normalize(text).text

    @cached_property
    def is_lossless(self) -> bool:
        """Whether decoding gives back every text."""
        tokenizer = self._tokenizer
        if tokenizer.normalizer or tokenizer.model_options != NO_OPTIONS:
            return False
        if any(token.lstrip or token.rstrip for token in self._counting(frozenset())):
            return False
        pipeline = tokenizer.pipeline
        keeps_everything = (
            compile_pattern(tokenizer.pattern).keeps_everything
            if pipeline is None
            else _keeps_everything(pipeline) and not decodes_by_steps(tokenizer)
        )
        return keeps_everything and tokenizer.symbol_table.knows_all_bytes


def _keeps_everything(pipeline: TextPipeline) -> bool:
    """Whether the pre-tokens of a text are that text and no more."""
    steps = [step.as_json() for step in pipeline.pre_tokenizers]
    return not pipeline.normalizers and all(
        step["type"] in _KEEPING_STEPS
        and step.get("behavior") != "Removed"
        and not step.get("add_prefix_space")
        for step in steps
    )


def decodes_by_steps(tokenizer: Tokenizer) -> bool:
    """Whether the decoder of a file makes text of tokens; else they only have to be joined.

    >>> import bpe
    >>> decodes_by_steps(bpe.train("low", num_merges=0).tokenizer)
    False
    """
    pipeline = tokenizer.pipeline
    if pipeline is None or not pipeline.decoders:
        return False
    is_byte_level = pipeline.is_byte_level and not tokenizer.model_options.suffix
    return not (is_byte_level and all(isinstance(d, ByteLevelDecoder) for d in pipeline.decoders))
