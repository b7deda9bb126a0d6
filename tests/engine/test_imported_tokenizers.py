"""Peer: tokenizer.json files of well-known shapes, against Hugging Face tokenizers."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator

import pytest
from tokenizers import Tokenizer as Peer

import bpe
from bpe.fast_encoding import FastEncoder
from bpe.imported_encoder import ImportedEncoder
from bpe.normalizers import well_formed
from tests.engine.hf_shapes import SHAPES, shape
from tests.engine.random_texts import random_texts

N_RANDOM = 80
HARD = [
    *("", " ", "  a  b ", "a\u0301é", "x<|end|>xb", " <mask>  y", "word wordy aword word", "\x00"),
    *("[INST] hi [/INST]", "a [INST]b", "<s>Hello</s>", "<s> a</s> <unk>x", "\n\n\n a", "▁▁▁ a"),
    *("日本語日本", "䘀䘀a䘀", "\U0001f600\U0001f600", "Übermut übermut", "hello WORLD world"),
    *("<tool_call>x", "   <|im_start|>  ", "a\u00a0b\u3000c\x1cd\u2028e", "ﬁ ﬀ ™ ½", "1234567890"),
    *("I'm DON'T we'Ll", "\r\n\r\n\tx", "a" * 300, "é" * 200, "[UNK] x[UNK]", "\ufeffa"),
    *("İstanbul ΣΑΣ", "mask  mask xmaskx", "ᄀ가각", "🏳️\u200d🌈", "</w>low</w>", "##a ## b"),
    *("<0xE4>", "<|startoftext|>a<|endoftext|>", "<right>   x", "a<tool>b"),
]


def texts_for(document: dict[str, object], seed: str) -> Iterator[str]:
    """Hard texts and random ones, in a third of which added tokens stand."""
    dice = random.Random(seed)
    added = [token["content"] for token in document["added_tokens"]]  # type: ignore[attr-defined]
    for text in [*HARD, *random_texts(N_RANDOM, len(seed))]:
        if added and dice.random() < 0.33:
            gap = dice.choice(["x", " ", "", "ab"])
            text += dice.choice(added) + gap + dice.choice(added) + text[:5]
        yield well_formed(text)


@pytest.mark.parametrize("name", SHAPES)
def test_ids_text_and_places_are_those_of_the_library(name: str) -> None:
    """With all special tokens allowed, and with none: then they are text for both.

    Places differ in one point: where two characters were composed, a byte of the result covers
    both here, and the first one there.
    """
    peer, ours = Peer.from_str(shape(name)), bpe.load_tokenizer_json(shape(name))
    for text in texts_for(json.loads(shape(name)), name):
        expected = peer.encode(text, add_special_tokens=False)
        found = ours.encode(text, allowed_special="all")
        assert found.ids == expected.ids, text
        assert ours.decode(found.ids) == peer.decode(found.ids, skip_special_tokens=False), text
        places = [(span.char_start, span.char_end) for span in found.spans]
        if not any(map(unicodedata.combining, text)):
            assert places == expected.offsets, text
        peer.encode_special_tokens = True
        assert ours.encode(text).ids == peer.encode(text, add_special_tokens=False).ids, text
        peer.encode_special_tokens = False


@pytest.mark.parametrize("name", SHAPES)
def test_what_was_read_is_written_whole(name: str) -> None:
    """Reading what was written gives an equal tokenizer, and so does the library."""
    ours = bpe.load_tokenizer_json(shape(name))
    written = bpe.to_tokenizer_json(ours)
    again = bpe.load_tokenizer_json(written)
    assert again == ours
    assert (again.fingerprint, again.post_processor) == (ours.fingerprint, ours.post_processor)
    first, second = Peer.from_str(shape(name)), Peer.from_str(written)
    for text in HARD:
        expected = first.encode(text, add_special_tokens=False).ids
        assert second.encode(text, add_special_tokens=False).ids == expected, text


@pytest.mark.parametrize("name", SHAPES)
def test_compiled_merging_gives_the_same(name: str) -> None:
    ours = bpe.load_tokenizer_json(shape(name))
    compiled = FastEncoder.from_tokenizer(ours)
    if compiled is None or not ours.reading.is_needed:
        assert ours.base == "char" or not ours.reading.is_needed or ours.end_of_word
        return
    if ours.pipeline is not None and ours.pipeline.spells_bytes:
        return
    encoder = ImportedEncoder(ours, ours.reading.finder(ours.reading.special))
    for text in texts_for(json.loads(shape(name)), name):
        assert encoder.compiled_ids(text, compiled).tolist() == encoder.ids(text), text


@pytest.mark.parametrize("name", SHAPES)
def test_bytes_of_spans_are_the_tokens_where_nothing_is_changed(name: str) -> None:
    ours = bpe.load_tokenizer_json(shape(name))
    if not ours.is_lossless or (ours.pipeline is not None and ours.pipeline.spells_bytes):
        return
    for text in HARD:
        encoding = ours.encode(text)
        data = text.encode()
        assert [data[s.byte_start : s.byte_end] for s in encoding.spans] == encoding.tokens
        assert ours.decode(encoding.ids) == text


@pytest.mark.parametrize("name", SHAPES)
def test_an_imported_tokenizer_can_be_cut_and_explained(name: str) -> None:
    ours = bpe.load_tokenizer_json(shape(name))
    cut = ours.with_vocab_size(ours.n_tokens - 40)
    assert cut.n_tokens == ours.n_tokens - 40
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(cut)) == cut
    text = "low lower lowest newest"
    assert len(cut.encode(text)) >= len(ours.encode(text))
    if not ours.model_options.prefix:  # which this decoder leaves in the text
        assert cut.decode(cut.encode(text).ids) == ours.decode(ours.encode(text).ids)
    whole: list[int] = []
    for piece in ours.pre_tokenize(text):
        steps = list(ours.encode_steps(piece.text))
        whole += steps[-1].ids_after if steps else ours.symbols(piece.text)
    assert whole == ours.encode(text).ids
    assert "".join(piece.text for piece in ours.pre_tokenize(text)) == ours.normalized_text(text)
    merged = ours.merges[-1].token_id
    assert ours.merge_tree(merged).rank is not None
