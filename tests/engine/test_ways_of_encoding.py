"""The plain and the compiled way of `Tokenizer`: the same results, and each used when it pays."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import acceleration
from bpe.added_tokens import AddedToken
from bpe.encoding_pieces import PIECE_BYTES
from bpe.rank_vocabulary import RankVocabulary
from tests.engine import strategies
from tests.engine.random_texts import random_texts
from tests.engine.tokenizer_strategies import (
    lists_of_rules,
    tables_of_ranks,
    texts,
    trained_tokenizers,
)
from tests.engine.trained import shakespeare


@st.composite
def tokenizers_with_added_tokens(draw: st.DrawFn) -> bpe.Tokenizer:
    """One token of letters that counts wherever it is spelled, and a special one."""
    vocabulary = draw(tables_of_ranks())
    added = (
        AddedToken("<|end|>", vocabulary.special_tokens["<|end|>"]),
        AddedToken(
            draw(st.text("ab<|", min_size=1, max_size=3)),
            vocabulary.token_id(b"c"),
            special=False,
            normalized=draw(st.booleans()),
        ),
    )
    return bpe.Tokenizer(vocabulary, "byte", draw(strategies.patterns), added=added)


# Hypothesis gives a marker of some letters here, and base symbols that not every text keeps to.
any_tokenizers = st.one_of(
    trained_tokenizers(),
    tokenizers_with_added_tokens(),
    st.builds(
        bpe.Tokenizer,
        tables_of_ranks() | lists_of_rules(),
        st.just("byte"),
        strategies.patterns,
        strategies.normalizers,
        ignore_merges=st.booleans(),
    ),
    st.builds(
        lambda words, settings: bpe.train(words, **settings).tokenizer,
        strategies.awkward_word_counts,
        strategies.settings(),
    ),
)


@contextmanager
def way(tokenizer: bpe.Tokenizer, compiled: bool) -> Iterator[bpe.Tokenizer]:
    """An equal tokenizer that takes the plain or the compiled way, however short the text."""
    with patch("bpe.compiled_encoding.encoding_pays", return_value=compiled):
        yield replace(tokenizer)  # kept by no one here


def outcome(tokenizer: bpe.Tokenizer, text: str, compiled: bool, allowed: Any = ()) -> Any:
    """All that encoding a text gives, or the error it raises."""
    with way(tokenizer, compiled) as forced:
        try:
            encoding = forced.encode(text, allowed_special=allowed)
            (batch, empty) = forced.encode_batch([text, ""], allowed_special=allowed)
            array = forced.encode_to_numpy(text, allowed_special=allowed)
        except bpe.BPEError as error:
            return type(error), str(error)
    assert (array.dtype, array.ndim) == (np.int32, 1)
    assert array.tolist() == batch.ids == encoding.ids
    assert batch == encoding
    assert (len(empty), empty.ids, empty.spans) == (0, [], [])
    assert all(type(token_id) is int for token_id in encoding.ids)
    return encoding.ids, encoding.tokens, encoding.spans, len(encoding), repr(encoding)


@settings(max_examples=60)
@given(any_tokenizers, texts, st.booleans())
def test_both_ways_give_the_same(tokenizer: bpe.Tokenizer, text: str, allow: bool) -> None:
    allowed = "all" if allow else ()
    plain, compiled = (outcome(tokenizer, text, way, allowed) for way in (False, True))
    assert compiled == plain


@settings(max_examples=40)
@given(any_tokenizers, st.lists(texts, max_size=4), st.data())
def test_a_batch_gives_what_each_text_does(
    tokenizer: bpe.Tokenizer, documents: list[str], data: st.DataObject
) -> None:
    special = sorted(tokenizer.special_tokens)
    allowed = data.draw(st.sets(st.sampled_from(special))) if special else ()
    documents = [data.draw(st.sampled_from(special or [""])) + text for text in documents]
    try:
        expected = [tokenizer.encode(text, allowed_special=allowed) for text in documents]
    except bpe.UnknownSymbolError:
        return
    for compiled in (False, True):
        with way(tokenizer, compiled) as forced:
            found = forced.encode_batch(iter(documents), allowed_special=allowed)
        assert found == expected
        assert [each.spans for each in found] == [each.spans for each in expected]


def is_compiled(tokenizer: bpe.Tokenizer) -> bool:
    return tokenizer.compiled_encoding.encoder(tokenizer, 0) is not None


def test_the_compiled_way_is_taken_where_the_kernels_can_encode() -> None:
    with way(bpe.train("low", num_merges=1).tokenizer, True) as by_bytes:
        assert by_bytes.encode("low").ids == [256 - 1 + 1, 119]
        assert is_compiled(by_bytes)
    with way(bpe.train("low", base="char", num_merges=1).tokenizer, True) as by_chars:
        assert by_chars.encode("low").tokens == ["lo", "w"]
        assert not is_compiled(by_chars)


@pytest.fixture
def _ready_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration._ENCODING_READY, "is_set", lambda: True)


@pytest.mark.usefixtures("_ready_kernels")
def test_a_short_text_is_not_worth_the_tables_and_many_are() -> None:
    tokenizer = bpe.train(shakespeare()[:50_000], num_merges=200).tokenizer
    text = "to be or not to be " * 20
    plain = tokenizer.encode(text)
    assert not is_compiled(tokenizer)
    for _ in range(acceleration.ENCODE_READY_CHARS // len(text)):
        assert tokenizer.encode(text) == plain
    assert is_compiled(tokenizer)
    assert tokenizer.encode(text) == plain


@pytest.mark.usefixtures("_ready_kernels")
def test_an_encoding_cut_from_one_whose_rules_are_known_is_compiled_at_once() -> None:
    whole = bpe.load_pretrained("r50k_base")
    fresh = RankVocabulary(whole.vocabulary.contents, whole.special_tokens)
    tokenizer = bpe.Tokenizer(fresh, "byte", "gpt2").with_vocab_size(20_000)
    plain = tokenizer.encode("to be or not to be")
    assert not is_compiled(tokenizer)
    assert fresh.parts is not None
    again = replace(tokenizer)
    assert again.encode("to be or not to be") == plain
    assert is_compiled(again)


def test_kernels_that_are_not_ready_wait_for_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration._ENCODING_READY, "is_set", lambda: False)
    for is_on_disk, n_chars in (
        (True, acceleration.ENCODE_ON_DISK_CHARS),
        (False, acceleration.ENCODE_UNCOMPILED_CHARS),
    ):
        monkeypatch.setattr(acceleration, "_is_compiled", lambda _, found=is_on_disk: found)
        assert not acceleration.encoding_pays(n_chars - 1, 300)
        assert acceleration.encoding_pays(n_chars, 300)


def test_one_string_is_no_batch() -> None:
    """It would be taken for texts of one character each."""
    with pytest.raises(bpe.ConfigError, match="one string"):
        bpe.train("low", num_merges=1).tokenizer.encode_batch("low")


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("text", [None, 7, b"low", ["low"]])
def test_what_is_no_text_is_refused(text: Any, compiled: bool) -> None:
    with way(bpe.train("low", num_merges=1).tokenizer, compiled) as tokenizer:
        for refused in (tokenizer.encode, tokenizer.encode_to_numpy):
            with pytest.raises(bpe.ConfigError, match="must be a string"):
                refused(text)
        with pytest.raises(bpe.ConfigError, match="must be a string"):
            tokenizer.encode_batch(["low", text])
        assert tokenizer.encode("low").ids == [256, 119]


def test_long_documents_of_a_batch_are_shared_out_and_put_together() -> None:
    """Each is encoded as it is alone, where its pieces are cut at other places."""
    tokenizer = bpe.train(
        shakespeare()[:50_000], num_merges=100, special_tokens=["ROMEO", "<|end|>"]
    ).tokenizer
    document = shakespeare()
    assert len(document) > 2 * PIECE_BYTES
    documents = ["", document, "low", document[:-1], "<|end|>", ""]
    with way(tokenizer, True) as forced:
        for allowed in ((), "all"):
            found = forced.encode_batch(documents, allowed_special=allowed)
            assert [len(encoding) for encoding in found][::5] == [0, 0]
            for text, encoding in zip(documents, found, strict=True):
                ids = forced.encode_to_numpy(text, allowed_special=allowed)
                assert np.array_equal(encoding.ids, ids)


def test_threads_share_a_tokenizer() -> None:
    tokenizer = bpe.train(shakespeare()[:50_000], num_merges=200).tokenizer
    drawn = list(random_texts(400, seed=11))
    with way(tokenizer, False) as plain:
        expected = [plain.encode(text).ids for text in drawn]
    for _ in range(3):
        with way(tokenizer, True) as shared, ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda text: shared.encode(text).ids, drawn))
        assert found == expected


@pytest.mark.parametrize("compiled", [False, True])
def test_a_tokenizer_that_has_encoded_can_be_copied(compiled: bool) -> None:
    with way(bpe.load_pretrained("r50k_base").with_vocab_size(1000), compiled) as tokenizer:
        encoding = tokenizer.encode("to be")
        for other in (pickle.loads(pickle.dumps(tokenizer)), copy.deepcopy(tokenizer)):
            assert other == tokenizer
            assert other.encode("to be") == encoding


@pytest.mark.parametrize("compiled", [False, True])
def test_a_tokenizer_is_freed_when_nothing_holds_it(compiled: bool) -> None:
    """So are the tables of its encoder: a slider makes a tokenizer of some megabytes a move."""
    with way(bpe.train("low low", num_merges=1).tokenizer, compiled) as tokenizer:
        encoding = tokenizer.encode("low", allowed_special="all")
        assert len(encoding.spans) == 2
        alive = weakref.ref(tokenizer)
        gc.disable()
        try:
            del encoding, tokenizer
            assert alive() is None
        finally:
            gc.enable()


@pytest.mark.parametrize(
    ("name", "letters", "n_tokens"),
    [
        ("cl100k_base", "a", 125_000),
        ("r50k_base", "^", 250_000),
        ("cl100k_base", "abcdefghijklmnopqrstuvwxyz", None),
    ],
)
def test_one_pre_token_of_a_million_letters(name: str, letters: str, n_tokens: int | None) -> None:
    """Eight `a` are a token of cl100k_base and none longer is; four `^` one of r50k_base."""
    text = "".join(random.Random(3).choices(letters, k=1_000_000))
    with way(bpe.load_pretrained(name), True) as tokenizer:
        encoding = tokenizer.encode(text)
        assert np.array_equal(tokenizer.encode_to_numpy(text), encoding.ids)
        assert tokenizer.decode(encoding.ids) == text
        assert len(encoding) == (n_tokens or len(encoding.ids))
