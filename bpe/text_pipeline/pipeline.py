"""All that a tokenizer.json says around its model, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bpe.regex_splitter import TimeBudget
from bpe.text_alignment import AlignedText, align_unchanged
from bpe.text_pipeline.decoder_steps import DecoderStep
from bpe.text_pipeline.growth import check_growth, growing
from bpe.text_pipeline.normalizer_steps import ByteLevelNormalizer, NormalizerStep
from bpe.text_pipeline.post_processors import PostProcessor
from bpe.text_pipeline.pre_tokenizer_steps import ByteLevel, PreTokenizerStep


@dataclass(frozen=True, slots=True)
class TextPipeline:
    """How a text becomes pre-tokens, and tokens become text again.

    >>> from bpe.text_pipeline.pre_tokenizer_steps import Digits
    >>> pipeline = TextPipeline(pre_tokenizers=(Digits(individual_digits=True),))
    >>> [piece.text for piece in pipeline.pre_tokens(pipeline.normalize("a12"), is_first=True)]
    ['a', '1', '2']
    """

    normalizers: tuple[NormalizerStep, ...] = ()
    pre_tokenizers: tuple[PreTokenizerStep, ...] = ()
    decoders: tuple[DecoderStep, ...] = ()
    post_processor: PostProcessor | None = None

    @property
    def is_byte_level(self) -> bool:
        """Whether the model's symbols are bytes, spelled in the byte alphabet."""
        return self.spells_bytes or any(isinstance(step, ByteLevel) for step in self.pre_tokenizers)

    @property
    def spells_bytes(self) -> bool:
        """Whether pre-tokens come in the byte alphabet already, as 'Ã©' for 'é'.

        So where a step after ByteLevel cuts between bytes (Falcon), or where the normalizer
        spells them. Else, in a byte-level pipeline too, pre-tokens are plain text.
        """
        return any(isinstance(step, ByteLevel) for step in self.pre_tokenizers[:-1]) or any(
            isinstance(step, ByteLevelNormalizer) for step in self.normalizers
        )

    def normalize(self, text: str) -> AlignedText:
        """Rewrite a text; it must hold no surrogates.

        Raises ConfigError for a slow expression, or a text that becomes far too long.

        >>> TextPipeline().normalize("a").text
        'a'
        """
        aligned = align_unchanged(text)
        for step in self.normalizers:
            aligned = step.apply(aligned)
            check_growth(len(aligned.text), len(text))
        return aligned

    def pre_tokens(self, text: AlignedText, *, is_first: bool) -> list[AlignedText]:
        """Cut a normalized text into pre-tokens, in order; each knows its original characters.

        `is_first`: the text stands at the very start of the user's text, where its character
        positions are counted from. Raises ConfigError for an expression that takes too long.
        """
        pieces = [text] if text.text else []
        last = len(self.pre_tokenizers) - 1
        for number, step in enumerate(self.pre_tokenizers):
            pieces = [
                part
                for piece in _within_budget(pieces, len(text.text))
                for part in step.cut(piece, is_first=is_first and _starts_text(piece, text))
            ]
            if isinstance(step, ByteLevel) and (number < last or self.spells_bytes):
                pieces = [step.spell(piece) for piece in pieces]
        return pieces

    def decode(self, tokens: Iterable[str]) -> str:
        """Turn the spellings of tokens into text; without a decoder, a space stands between them.

        >>> TextPipeline().decode(["a", "b"])
        'a b'
        """
        spellings = list(tokens)
        if not self.decoders:
            return " ".join(spellings)
        n_chars = sum(map(len, spellings))
        for step in self.decoders:
            spellings = list(growing(step.apply(spellings), n_chars))
        return "".join(spellings)


def _starts_text(piece: AlignedText, whole: AlignedText) -> bool:
    return piece is whole or piece.char_starts[0] == 0


def _within_budget(pieces: list[AlignedText], n_chars: int) -> Iterator[AlignedText]:
    budget = TimeBudget(n_chars)
    for piece in pieces:
        budget.check("cutting the text into pre-tokens")
        yield piece
