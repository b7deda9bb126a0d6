"""Property: the laws of the engine, on texts and settings that Hypothesis looks for."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bpe
from bpe.encoder import merge_ids
from bpe.normalizers import well_formed
from tests.engine.strategies import (
    awkward_word_counts,
    named_patterns,
    patterns,
    settings,
    texts,
    well_formed_texts,
    word_counts,
)
from tests.engine.trained import shakespeare

SENTENCES = (
    "Low tide, lower tide: the lowest tide.\nIt's naïve, isn't it? 日本日本 😀😀 e\u0301e\u0301"
)


@cache
def byte_tokenizer(pattern: str, **changes: Any) -> bpe.Tokenizer:
    """A byte tokenizer whose tokens cut and span the characters of `SENTENCES`."""
    return bpe.train(SENTENCES, pattern=pattern, num_merges=40, **changes).tokenizer


def encode_pre_token(tokenizer: bpe.Tokenizer, content: str | bytes) -> list[int]:
    """Encode a content as one pre-token, also where it is no whole text; no marker is added."""
    symbols = [content[i : i + 1] for i in range(len(content))]
    ids = [tokenizer.vocabulary.text_id(symbol) for symbol in symbols]
    assert None not in ids
    return merge_ids(ids, tokenizer.vocabulary.ranks)


@given(texts, patterns, st.sampled_from([None, "</w>"]))
def test_a_lossless_tokenizer_gives_back_every_text(
    text: str, pattern: str, marker: str | None
) -> None:
    tokenizer = byte_tokenizer(pattern, end_of_word=marker)
    assume(tokenizer.is_lossless)
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids) == well_formed(text)
    assert tokenizer.decode_bytes(encoding.ids) == well_formed(text).encode("utf-8")


@given(texts, patterns)
def test_spans_tile_the_bytes_and_say_what_the_tokens_are(text: str, pattern: str) -> None:
    tokenizer = byte_tokenizer(pattern)
    assume(tokenizer.is_lossless)
    encoding = tokenizer.encode(text)
    data = well_formed(text).encode("utf-8")
    position = 0
    for span, token in zip(encoding.spans, encoding.tokens, strict=True):
        assert span.byte_start == position
        assert data[span.byte_start : span.byte_end] == token
        position = span.byte_end
    assert position == len(data)


@given(texts, patterns)
def test_pre_tokens_tile_the_text(text: str, pattern: str) -> None:
    pieces = bpe.pre_tokenize(text, pattern)
    if pattern != "whitespace":
        assert "".join(piece.text for piece in pieces) == well_formed(text)
    data = well_formed(text).encode("utf-8")
    for piece in pieces:
        assert well_formed(text[piece.char_start : piece.char_end]) == piece.text
        assert data[piece.byte_start : piece.byte_end].decode("utf-8") == piece.text


@given(awkward_word_counts, st.sampled_from(["char", "byte"]), st.sampled_from([None, "</w>"]))
def test_every_token_as_one_pre_token_encodes_to_itself(
    words: dict[str, int], base: str, marker: str | None
) -> None:
    tokenizer = bpe.train(words, base=base, num_merges=40, end_of_word=marker).tokenizer
    for token_id in range(tokenizer.vocab_size):
        if not tokenizer.ends_word(token_id):
            assert encode_pre_token(tokenizer, tokenizer.token(token_id)) == [token_id]
        elif tokenizer.text_of(token_id) and base == "char":
            *_, last = tokenizer.encode_steps(str(tokenizer.text_of(token_id)))
            assert last.ids_after == (token_id,)


def test_every_token_of_a_real_vocabulary_encodes_to_itself() -> None:
    tokenizer = bpe.train(shakespeare()[:100_000], num_merges=1000).tokenizer
    for token_id in range(tokenizer.vocab_size):
        assert encode_pre_token(tokenizer, tokenizer.token(token_id)) == [token_id]


@given(word_counts, st.text("abc", max_size=30), st.data())
def test_any_slice_of_the_tokens_of_a_pre_token_encodes_to_itself(
    words: dict[str, int], pre_token: str, data: st.DataObject
) -> None:
    words = {**words, "abc": 1}
    tokenizer = bpe.train(words, base="char", pattern="none", num_merges=40).tokenizer
    ids = tokenizer.encode(pre_token).ids
    start = data.draw(st.integers(0, len(ids)))
    stop = data.draw(st.integers(start, len(ids)))
    text = tokenizer.decode(ids[start:stop])
    assert tokenizer.encode(text).ids == ids[start:stop]


@given(word_counts, st.text("abc ", max_size=40))
def test_one_more_merge_never_lengthens_an_encoding(words: dict[str, int], text: str) -> None:
    tokenizer = bpe.train(words, num_merges=30).tokenizer
    sizes = range(tokenizer.base_size, tokenizer.n_tokens + 1)
    lengths = [len(tokenizer.with_vocab_size(size).encode(text)) for size in sizes]
    assert lengths == sorted(lengths, reverse=True)


@given(awkward_word_counts, settings(), well_formed_texts)
def test_a_cut_vocabulary_equals_training_to_that_size(
    words: dict[str, int], chosen: dict[str, Any], text: str
) -> None:
    full = bpe.train(words, **chosen).tokenizer
    floor = full.base_size + len(full.special_tokens)
    for size in {floor, (floor + full.n_tokens) // 2, full.n_tokens}:
        cut = full.with_vocab_size(size)
        trained = bpe.train(words, **(chosen | {"num_merges": None, "vocab_size": size})).tokenizer
        assert cut == trained
        assert cut.fingerprint == trained.fingerprint
        assert encoded_or_refused(cut, text) == encoded_or_refused(trained, text)


def encoded_or_refused(tokenizer: bpe.Tokenizer, text: str) -> list[int] | str:
    """The ids of a text, or the message where a character base does not know one of it."""
    try:
        return tokenizer.encode(text, allowed_special="all").ids
    except bpe.UnknownSymbolError as error:
        return str(error)


@given(awkward_word_counts, settings())
def test_the_training_state_of_a_word_is_its_encoding(
    words: dict[str, int], chosen: dict[str, Any]
) -> None:
    """Before merge n, a word stands as the tokenizer with n merges encodes it as one pre-token."""
    run = bpe.train(words, **chosen)
    floor = run.tokenizer.base_size + len(run.tokenizer.special_tokens)
    for step in {0, len(run.steps) // 2, len(run.steps)}:
        tokenizer = run.tokenizer.with_vocab_size(floor + step)
        for word, ids in zip(run.word_counts, run.word_ids_at(step), strict=True):
            assert (
                merge_ids(tokenizer.symbol_table.known_ids(word), tokenizer.vocabulary.ranks) == ids
            )
            steps = list(tokenizer.encode_steps(word))
            assert not steps or list(steps[-1].ids_after) == ids
        contents = run.words_at(step)
        assert list(contents) == list(run.word_counts)


@given(awkward_word_counts, settings(), well_formed_texts)
def test_a_tokenizer_that_was_saved_and_loaded_is_the_same(
    words: dict[str, int], chosen: dict[str, Any], text: str
) -> None:
    tokenizer = bpe.train(words, **chosen).tokenizer
    loaded = bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer))
    assert loaded == tokenizer
    assert loaded.fingerprint == tokenizer.fingerprint
    assert encoded_or_refused(loaded, text) == encoded_or_refused(tokenizer, text)
    size = (loaded.base_size + len(loaded.special_tokens) + loaded.n_tokens) // 2
    assert loaded.with_vocab_size(size) == tokenizer.with_vocab_size(size)
    assert bpe.to_tokenizer_json(loaded) == bpe.to_tokenizer_json(tokenizer)


@pytest.mark.parametrize("name", ["tokenizer.json", "{not json}.json", "ä ö.json"])
def test_saving_and_loading_a_file(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("saved") / name
    tokenizer = byte_tokenizer("o200k", normalizer=("nfkc", "lowercase"), special_tokens=("<s>",))
    tokenizer.save(path)
    assert bpe.Tokenizer.load(path) == bpe.Tokenizer.load(str(path)) == tokenizer


@given(well_formed_texts, settings())
def test_documents_train_as_their_words_do(text: str, chosen: dict[str, Any]) -> None:
    """Text, its words with counts, and the text as one document among empty ones are one."""
    from_text = bpe.train(text, **chosen)
    from_documents = bpe.train(["", text, ""], **chosen)
    from_words = bpe.train(from_text.word_counts, **chosen)
    assert from_documents.fingerprint == from_text.fingerprint == from_words.fingerprint
    assert from_documents.steps == from_text.steps == from_words.steps


@given(well_formed_texts, well_formed_texts, named_patterns)
def test_no_merge_crosses_two_documents(first: str, second: str, pattern: str) -> None:
    both = bpe.train([first, second], pattern=pattern, num_merges=0).word_counts
    alone = [bpe.train(text, pattern=pattern, num_merges=0).word_counts for text in (first, second)]
    words = {word for counts in alone for word in counts}
    assert both == {word: sum(counts.get(word, 0) for counts in alone) for word in words}
