"""Byte-pair encoding: train it, look at every merge, encode and decode.

>>> import bpe
>>> run = bpe.train("low low low lower lowest", num_merges=3)
>>> [step.merged for step in run.steps]
[b'lo', b'low', b' low']
>>> run.tokenizer.encode("lower").tokens
[b'low', b'e', b'r']
"""

from bpe import reference
from bpe.added_tokens import AddedToken
from bpe.config import TrainerConfig
from bpe.encoder import EncodeStep
from bpe.encoding import Encoding, TokenSpan
from bpe.errors import (
    BPEError,
    ConfigError,
    FormatError,
    PatternNeeded,
    TrainingCancelled,
    UnknownIdError,
    UnknownSymbolError,
)
from bpe.exercise import BPETokenizer
from bpe.exports import to_gpt2, to_tiktoken
from bpe.formats import load_tokenizer_json, to_tokenizer_json
from bpe.gpt2_files import load_gpt2
from bpe.merge_tree import MergeTree
from bpe.normalizers import normalize
from bpe.pre_tokenizers import PreToken, pre_tokenize
from bpe.pretrained import load_pretrained
from bpe.sentencepiece_files import load_sentencepiece
from bpe.text_decoding import DecodedText, decode_text
from bpe.tiktoken_files import load_tiktoken
from bpe.tokenizer import Tokenizer
from bpe.trainer import iter_merges, train, train_from_files, train_with
from bpe.training_run import MergeStep, TrainingRun
from bpe.vocabulary import MergeRule, Vocabulary

__all__ = [
    "AddedToken",
    "BPEError",
    "BPETokenizer",
    "ConfigError",
    "DecodedText",
    "EncodeStep",
    "Encoding",
    "FormatError",
    "MergeRule",
    "MergeStep",
    "MergeTree",
    "PatternNeeded",
    "PreToken",
    "TokenSpan",
    "Tokenizer",
    "TrainerConfig",
    "TrainingCancelled",
    "TrainingRun",
    "UnknownIdError",
    "UnknownSymbolError",
    "Vocabulary",
    "decode_text",
    "iter_merges",
    "load_gpt2",
    "load_pretrained",
    "load_sentencepiece",
    "load_tiktoken",
    "load_tokenizer_json",
    "normalize",
    "pre_tokenize",
    "reference",
    "to_gpt2",
    "to_tiktoken",
    "to_tokenizer_json",
    "train",
    "train_from_files",
    "train_with",
]
