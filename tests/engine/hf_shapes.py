"""Small tokenizers in the shapes of well-known models, trained with Hugging Face tokenizers.

Each is the object of a tokenizer.json; vocabularies are small, all else is as in the real files.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, processors
from tokenizers import pre_tokenizers as pre
from tokenizers.trainers import BpeTrainer

Document = dict[str, Any]

TEXTS = [
    "Hello world, the quick brown fox's 12345 jumps! naïve café Übermut größte größer",
    "low lower lowest newest widest low low new newer  spaces   and\ttabs\n\nlines\r\n",
    "здравствуйте мир γλώσσα שלום 你好世界 こんにちは 안녕하세요 नमस्ते 😀👍🏽",
    "def f(x):\n    return x+1  # comment\n    pass\n",
    "HTTPServer snake_case x86 3.14159 0x1F don't WE'LL ’tis",
] * 3
BYTE_TOKENS = [f"<0x{value:02X}>" for value in range(256)]
_CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?"
    "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
_CLIP = (
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
)
_LLAMA_DECODER: Document = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ],
}


def _trained(tokenizer: Tokenizer, **settings: Any) -> Document:
    trainer = BpeTrainer(**{"vocab_size": 600, "show_progress": False} | settings)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return _document(tokenizer)


def _document(tokenizer: Tokenizer) -> Document:
    parsed: Document = json.loads(tokenizer.to_str())
    return parsed


def _of_bytes(
    split: Any, *, normalizer: Any = None, special: tuple[str, ...] = (), **model: Any
) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = split
    tokenizer.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    alphabet = pre.ByteLevel.alphabet()
    suffix = {k: v for k, v in model.items() if k == "end_of_word_suffix"}
    size = 900 if suffix else 600
    settings = {"initial_alphabet": alphabet, "special_tokens": list(special), "vocab_size": size}
    _trained(tokenizer, **settings, **suffix)
    return tokenizer


def _byte_level(use_regex: bool = False) -> Any:
    return pre.ByteLevel(add_prefix_space=False, use_regex=use_regex)


def _split(*expressions: str, then: Any) -> Any:
    return pre.Sequence([*(pre.Split(Regex(e), "isolated") for e in expressions), then])


def gpt2() -> Document:
    return _document(_of_bytes(_byte_level(use_regex=True), special=("<|endoftext|>",)))


def gpt2_with_flags() -> Document:
    """Phi and StarCoder add runs of spaces; the other flags are those of mask tokens."""
    tokenizer = _of_bytes(_byte_level(use_regex=True), special=("<|endoftext|>",))
    tokenizer.add_tokens(
        [
            AddedToken("  ", normalized=True),
            AddedToken("    ", normalized=True),
            AddedToken("<tool>", normalized=False),
            AddedToken("<mask>", special=True, lstrip=True, normalized=False),
            AddedToken("word", single_word=True, normalized=False),
            AddedToken("<right>", rstrip=True),
        ]
    )
    return _document(tokenizer)


def roberta() -> Document:
    tokenizer = _of_bytes(pre.ByteLevel(add_prefix_space=True), special=("<s>", "</s>", "<mask>"))
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 1), ("<s>", 0), trim_offsets=False
    )
    return _document(tokenizer)


def llama3() -> Document:
    tokenizer = _of_bytes(_split(_CL100K, then=_byte_level()), ignore_merges=True)
    tokenizer.add_special_tokens(["<|begin|>", "<|end|>", "<|end|>x"])
    return _document(tokenizer)


def qwen() -> Document:
    split = _split(_CL100K.replace("{1,3}", ""), then=_byte_level())
    tokenizer = _of_bytes(split, normalizer=normalizers.NFC())
    tokenizer.add_special_tokens(["<|im_start|>"])
    tokenizer.add_tokens([AddedToken("<tool_call>", normalized=False)])
    return _document(tokenizer)


def deepseek() -> Document:
    split = _split(r"\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+", _DEEPSEEK, then=_byte_level())
    tokenizer = _of_bytes(split, normalizer=normalizers.Sequence([]))
    tokenizer.add_special_tokens(["<｜begin▁of▁sentence｜>"])
    tokenizer.add_tokens(["<｜User｜>"])
    return _document(tokenizer)


def starcoder() -> Document:
    split = pre.Sequence([pre.Digits(individual_digits=True), _byte_level(use_regex=True)])
    return _document(_of_bytes(split, special=("<|endoftext|>", "<fim_prefix>")))


def falcon() -> Document:
    """Cuts between the bytes of characters, after they were spelled."""
    steps = [
        pre.Punctuation("contiguous"),
        _byte_level(use_regex=True),
        pre.Digits(individual_digits=False),
        pre.Split(Regex("[0-9][0-9][0-9]"), "isolated"),
    ]
    return _document(_of_bytes(pre.Sequence(steps), special=("<|endoftext|>",)))


def claude() -> Document:
    split = _byte_level(use_regex=True)
    return _document(_of_bytes(split, normalizer=normalizers.NFKC(), special=("<EOT>",)))


def clip() -> Document:
    cut = pre.Split(Regex(_CLIP), "removed", invert=True)
    clean = normalizers.Replace(Regex(r"\s+"), " ")
    tokenizer = _of_bytes(
        pre.Sequence([cut, _byte_level(use_regex=True)]),
        normalizer=normalizers.Sequence([normalizers.NFC(), clean, normalizers.Lowercase()]),
        special=("<|startoftext|>", "<|endoftext|>"),
        unk_token="<|endoftext|>",
        end_of_word_suffix="</w>",
    )
    return _document(tokenizer)


def llama2(without: tuple[str, ...] = (), fuse_unk: bool = True) -> Document:
    """SentencePiece's way: no pre-tokenizer, bytes of characters that have no symbol."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=fuse_unk, byte_fallback=True))
    space = normalizers.Replace(" ", "▁")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), space])
    tokenizer.pre_tokenizer = pre.Metaspace()  # for training alone
    special = ["<unk>", "<s>", "</s>"]
    document = _trained(tokenizer, vocab_size=420, special_tokens=special, limit_alphabet=40)
    learned = document["model"]["vocab"]
    bytes_known = [token for token in BYTE_TOKENS if token not in without]
    rest = [token for token in sorted(learned, key=learned.get) if token not in special]
    tokens = [*special, *bytes_known, *rest]
    document["model"]["vocab"] = {token: token_id for token_id, token in enumerate(tokens)}
    document["pre_tokenizer"], document["decoder"] = None, copy.deepcopy(_LLAMA_DECODER)
    return document


def llama2_without_some_bytes() -> Document:
    return llama2(without=("<0xE4>", "<0x98>"))


def llama2_without_fusing() -> Document:
    return llama2(without=("<0xE4>", "<0x98>"), fuse_unk=False)


def llama2_with_a_normalized_token() -> Document:
    document = llama2()
    document["added_tokens"].append(_added("[INST]", len(document["model"]["vocab"]), True))
    return document


def mistral() -> Document:
    """The newer form: a mark before the first word only, by a pre-tokenizer that cuts nothing."""
    document = llama2()
    document["normalizer"] = None
    document["pre_tokenizer"] = {
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False,
    }  # fmt: skip
    return document


def metaspace() -> Document:
    document = llama2()
    document["normalizer"] = None
    document["pre_tokenizer"] = document["decoder"] = {
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True,
    }  # fmt: skip
    return document


def gemma() -> Document:
    document = llama2()
    document["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    document["pre_tokenizer"] = {
        "type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious",
        "invert": False,
    }  # fmt: skip
    document["decoder"]["decoders"].pop()
    vocab = document["model"]["vocab"]
    for token in ("\n\n", "▁▁", "▁▁▁", "<start_of_turn>"):
        token_id = vocab.setdefault(token, len(vocab))
        document["added_tokens"].append(_added(token, token_id, False, special=token[0] == "<"))
    return document


def openai_gpt() -> Document:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre.BertPreTokenizer()
    tokenizer.decoder = decoders.BPEDecoder("</w>")
    settings = {"special_tokens": ["<unk>"], "limit_alphabet": 60}
    return _trained(tokenizer, end_of_word_suffix="</w>", **settings)


def with_a_prefix() -> Document:
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre.Whitespace()
    tokenizer.decoder = decoders.Fuse()
    settings = {"special_tokens": ["[UNK]"], "limit_alphabet": 60}
    return _trained(tokenizer, continuing_subword_prefix="##", **settings)


def words(fuse_unk: bool = False) -> Document:
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", fuse_unk=fuse_unk))
    steps = [pre.WhitespaceSplit(), pre.Punctuation(), pre.Digits()]
    tokenizer.pre_tokenizer = steps[0] if fuse_unk else pre.Sequence(steps)
    tokenizer.decoder = decoders.Fuse()
    return _trained(tokenizer, special_tokens=["[UNK]"], limit_alphabet=30)


def words_with_fused_unknown() -> Document:
    return words(fuse_unk=True)


def words_with_an_unlisted_unknown() -> Document:
    return {**words(), "added_tokens": []}


def normalized_tokens() -> Document:
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]"))
    steps = [normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre.WhitespaceSplit()
    tokenizer.decoder = decoders.Fuse()
    _trained(tokenizer, special_tokens=["[UNK]"])
    tokenizer.add_tokens(
        [
            AddedToken("Übermut", normalized=True),
            AddedToken("WORLD", normalized=True, single_word=True),
            AddedToken("mask", lstrip=True, rstrip=True, normalized=False),
        ]
    )
    return _document(tokenizer)


def _added(content: str, token_id: int, normalized: bool, special: bool = False) -> Document:
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    return {"id": token_id, "content": content, **flags,
            "normalized": normalized, "special": special}  # fmt: skip


SHAPES: dict[str, Callable[[], Document]] = {
    make.__name__: make
    for make in (
        gpt2, gpt2_with_flags, roberta, llama3, qwen, deepseek, starcoder, falcon, claude, clip,
        llama2, llama2_without_some_bytes, llama2_without_fusing, llama2_with_a_normalized_token,
        mistral, metaspace, gemma, openai_gpt, with_a_prefix, words, words_with_fused_unknown,
        words_with_an_unlisted_unknown, normalized_tokens,
    )
}  # fmt: skip


@lru_cache(maxsize=len(SHAPES))
def shape(name: str) -> str:
    """The text of the tokenizer.json of a shape."""
    return json.dumps(SHAPES[name]())
