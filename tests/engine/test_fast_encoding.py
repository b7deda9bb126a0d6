"""The compiled encoder: the ids of the plain one, for any tokenizer, any text, any threads."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe._kernels.encoding import encode_documents
from bpe._kernels.known_words import END_OF_RING
from bpe._kernels.pair_ranks import add_rules, fill_byte_rules
from bpe._kernels.rank_recovery import add_joins, recover_rules
from bpe._kernels.token_table import add_tokens
from bpe.encoding_pieces import PIECE_BYTES
from bpe.fast_encoding import FastEncoder, warm_up
from bpe.rank_vocabulary import RankVocabulary
from bpe.samples import SAMPLES
from bpe.text_encoder import PlainEncoder
from bpe.vocabulary import Vocabulary
from tests.engine import strategies
from tests.engine.random_texts import random_texts
from tests.engine.tiktoken_peers import NAMES, peer
from tests.engine.tokenizer_strategies import (
    lists_of_rules,
    tables_of_ranks,
    texts,
    trained_tokenizers,
)
from tests.engine.trained import shakespeare, trained_on_corpus


def encoder_of(tokenizer: bpe.Tokenizer) -> FastEncoder:
    encoder = FastEncoder.from_tokenizer(tokenizer)
    assert encoder is not None
    return encoder


def plain_ids(tokenizer: bpe.Tokenizer, text: str) -> list[int]:
    return PlainEncoder(tokenizer, None).ids(text)


@given(tokenizer=trained_tokenizers(), text=texts)
def test_a_trained_tokenizer_encodes_as_plainly(tokenizer: bpe.Tokenizer, text: str) -> None:
    assert encoder_of(tokenizer).encode(text).tolist() == plain_ids(tokenizer, text)


@given(
    vocabulary=tables_of_ranks() | lists_of_rules(),
    pattern=strategies.patterns,
    ignore_merges=st.booleans(),
    text=texts,
)
def test_any_vocabulary_encodes_as_plainly(
    vocabulary: Vocabulary, pattern: str, ignore_merges: bool, text: str
) -> None:
    tokenizer = bpe.Tokenizer(vocabulary, "byte", pattern, ignore_merges=ignore_merges)
    assert encoder_of(tokenizer).encode(text).tolist() == plain_ids(tokenizer, text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sample", ["shakespeare", "languages", "code"])
def test_a_long_text_encodes_as_in_tiktoken(name: str, sample: str) -> None:
    text = SAMPLES[sample].load()
    assert isinstance(text, str)
    ids = encoder_of(bpe.load_pretrained(name)).encode(text)
    assert ids.dtype == np.int32
    assert np.array_equal(ids, peer(name).encode_to_numpy(text))


@pytest.mark.parametrize("pattern", ["none", "whitespace", "gpt2", "cl100k", "o200k"])
@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_change_nothing(pattern: str, n_threads: int) -> None:
    tokenizer = trained_on_corpus("corpora/tinyshakespeare.txt", "byte", "gpt2", 500).tokenizer
    ours = encoder_of(bpe.Tokenizer(tokenizer.vocabulary, "byte", pattern))
    text = shakespeare() + "é\u3000 \n" * 7 + shakespeare()
    assert len(text) > 3 * PIECE_BYTES
    one = ours.encode(text, n_threads=1)
    assert np.array_equal(ours.encode(text, n_threads=n_threads), one)
    documents = ["", *text.split("\n\n"), "", text[:PIECE_BYTES], ""]
    batch = ours.encode_batch(documents, n_threads=n_threads)
    assert len(batch) == len(documents)
    singly = [ours.encode(document, n_threads=1) for document in documents]
    assert all(np.array_equal(a, b) for a, b in zip(batch, singly, strict=True))


@given(tokenizer=trained_tokenizers(), documents=st.lists(texts, max_size=5))
def test_a_batch_encodes_as_each_text_does(tokenizer: bpe.Tokenizer, documents: list[str]) -> None:
    found = encoder_of(tokenizer).encode_batch(documents)
    assert [ids.tolist() for ids in found] == [plain_ids(tokenizer, text) for text in documents]


@pytest.mark.parametrize("n_tokens", [261, 5000])
def test_a_cut_encoding_encodes_as_plainly(n_tokens: int) -> None:
    """Five special tokens and 256 bytes are the least that cl100k_base can be cut to."""
    tokenizer = bpe.load_pretrained("cl100k_base").with_vocab_size(n_tokens)
    encoder = encoder_of(tokenizer)
    for text in random_texts(300, seed=9):
        assert encoder.encode(text).tolist() == plain_ids(tokenizer, text)


def test_a_normalized_text_is_not_normalized_again() -> None:
    """Decomposed, `é` is `e` and U+0301, three bytes; taken as it is, the two bytes C3 A9."""
    tokenizer = bpe.train("e", num_merges=0, normalizer="nfd").tokenizer
    encoder = encoder_of(tokenizer)
    assert encoder.encode("é").tolist() == tokenizer.encode("é").ids == [0x65, 0xCC, 0x81]
    assert encoder.encode("é", is_normalized=True).tolist() == [0xC3, 0xA9]


@pytest.mark.parametrize("name", NAMES)
def test_random_letters_in_one_pre_token_merge_in_windows_as_in_a_heap(name: str) -> None:
    """20,000 letters are several windows; the plain encoder keeps one heap for all."""
    tokenizer = bpe.load_pretrained(name)
    text = "".join(random.Random(2).choices("abcdefghijklmnopqrstuvwxyz", k=20_000))
    assert encoder_of(tokenizer).encode(text).tolist() == plain_ids(tokenizer, text)


def test_tokens_longer_than_the_overlap_of_windows_are_found() -> None:
    """Each merge doubles the last token, up to 4,096 letters: no window shows where one ends."""
    tokenizer = bpe.train({"a" * 9000: 1}, num_merges=12, pattern="none").tokenizer
    assert len(tokenizer.token(256 + 11)) == 4096
    for n_letters in (4095, 4096, 40_000, 70_001):
        text = "b" + "a" * n_letters
        assert encoder_of(tokenizer).encode(text).tolist() == plain_ids(tokenizer, text)


def test_words_are_forgotten_and_found_again() -> None:
    """Without merges the ids are the bytes: more words, and ids, than there is room to remember."""
    encoder = encoder_of(bpe.train("", num_merges=0, pattern="gpt2").tokenizer)
    words = [f"{number:x}" for number in range(0x100000, 0x100000 + 90_000)]
    text = " ".join([*words, *words[:500], *reversed(words), "a", "\0", "\0\0", "a\0"])
    for _ in range(2):
        assert encoder.encode(text, n_threads=1).tolist() == list(text.encode())


def test_the_ring_of_ids_starts_anew_before_its_places_run_out() -> None:
    encoder = encoder_of(bpe.train("", num_merges=0, pattern="gpt2").tokenizer)
    assert encoder.encode("twelve words").tolist() == list(b"twelve words")
    (room,) = encoder._rooms
    room.words.written[0] = END_OF_RING + 1
    assert encoder.encode("twelve words twelve").tolist() == list(b"twelve words twelve")
    assert room.words.written[0] < 100


def test_what_the_kernels_cannot_encode_is_left_to_the_plain_encoder() -> None:
    by_character = bpe.train("low", base="char", num_merges=1).tokenizer
    without_some_bytes = bpe.Tokenizer(RankVocabulary((b"a", b"b", b"ab"), {}), "byte")
    assert FastEncoder.from_tokenizer(by_character) is None
    assert FastEncoder.from_tokenizer(without_some_bytes) is None


@pytest.mark.parametrize("text", [None, 7, b"low", ["low"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    encoder = encoder_of(bpe.train("low", num_merges=1).tokenizer)
    with pytest.raises(bpe.ConfigError, match="must be a string"):
        encoder.encode(text)


@pytest.mark.parametrize("n_threads", [0, -1, 1.5, "2", True])
def test_a_number_of_threads_that_is_none_is_refused(n_threads: Any) -> None:
    encoder = encoder_of(bpe.train("low", num_merges=1).tokenizer)
    with pytest.raises(bpe.ConfigError, match="n_threads"):
        encoder.encode("low", n_threads=n_threads)


@pytest.mark.parametrize("name", NAMES)
def test_every_merged_token_comes_of_two_lower_ones(name: str) -> None:
    """So the tables are those of trainings; a sample equals what the plain engine works out."""
    vocabulary = bpe.load_pretrained(name).vocabulary
    assert isinstance(vocabulary, RankVocabulary)
    assert vocabulary.parts is not None
    assert len(vocabulary.parts) == len(vocabulary.merged_ids)
    for rank in random.Random(6).sample(range(len(vocabulary.parts)), 200):
        token_id = vocabulary.merged_ids[rank]
        assert tuple(vocabulary.parts[rank].tolist()) == vocabulary.last_pair(token_id)


@given(vocabulary=tables_of_ranks())
def test_parts_are_worked_out_as_plainly_or_not_at_all(vocabulary: RankVocabulary) -> None:
    plainly = [vocabulary.last_pair(token_id) for token_id in vocabulary.merged_ids]
    if None in plainly:
        assert vocabulary.parts is None
    else:
        assert vocabulary.parts is not None
        assert [tuple(pair) for pair in vocabulary.parts.tolist()] == plainly


def test_the_contents_of_the_ids_are_the_bytes_of_the_text() -> None:
    tokenizer = bpe.load_pretrained("o200k_base")
    text = (
        " ".join(random_texts(50, seed=1))
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )
    ids = encoder_of(tokenizer).encode(text)
    assert tokenizer.decode_bytes(ids.tolist()) == text.encode()


def test_a_kernel_is_compiled_for_one_kind_of_arguments_however_it_is_used() -> None:
    """What `warm_up` has compiled is all that is ever asked for: nobody waits for a compiler."""
    warm_up()
    kernels = (encode_documents, add_rules, add_tokens, add_joins, recover_rules, fill_byte_rules)
    for kernel in kernels:
        assert len(kernel.signatures) == 1  # type: ignore[attr-defined]
    expression = bpe.train("to be", num_merges=1, pattern=r"\w+").tokenizer
    marked = bpe.train("to be", num_merges=1, end_of_word="</w>").tokenizer
    for tokenizer in (expression, marked, bpe.load_pretrained("p50k_base")):
        encoder = encoder_of(tokenizer)
        encoder.encode_batch(["to be", "", "a" * 5000], n_threads=2)
        encoder.encode("é" * PIECE_BYTES)
    for kernel in kernels:
        assert len(kernel.signatures) == 1  # type: ignore[attr-defined]
