"""What a Hugging Face tokenizer.json may say around a BPE model, as frozen values.

A `TextPipeline` holds normalizers, pre-tokenizers and decoders, each of which does exactly what
Hugging Face tokenizers 0.23.3 does, and keeps track of the characters of the user's own text.
In this alone it differs: what was made from several characters stands for all of them, where the
library's offsets leave the mark of a composed letter out.
"""

from bpe.text_pipeline.decoder_steps import DecoderStep
from bpe.text_pipeline.json_parts import (
    read_decoder,
    read_normalizer,
    read_pre_tokenizer,
    read_text_pipeline,
    write_steps,
    write_text_pipeline,
)
from bpe.text_pipeline.named import Named, as_named, is_read_alike
from bpe.text_pipeline.normalizer_steps import NormalizerStep
from bpe.text_pipeline.pipeline import TextPipeline
from bpe.text_pipeline.post_processors import PostProcessor, read_post_processor
from bpe.text_pipeline.pre_tokenizer_steps import PreTokenizerStep
from bpe.text_pipeline.published import PUBLISHED_EXPRESSIONS, named_expression

__all__ = [
    "PUBLISHED_EXPRESSIONS",
    "DecoderStep",
    "Named",
    "NormalizerStep",
    "PostProcessor",
    "PreTokenizerStep",
    "TextPipeline",
    "as_named",
    "is_read_alike",
    "named_expression",
    "read_decoder",
    "read_normalizer",
    "read_post_processor",
    "read_pre_tokenizer",
    "read_text_pipeline",
    "write_steps",
    "write_text_pipeline",
]
