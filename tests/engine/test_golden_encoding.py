"""Golden: encodings and decodings derived by hand from the merges of the lesson's corpora."""

from __future__ import annotations

import pytest

import bpe
from tests.engine.trained import HUG, trained_on_hug, trained_on_lowest


@pytest.mark.parametrize(
    ("text", "tokens", "ids"),
    [
        ("lowest", ["low", "est"], [13, 11]),
        ("newer", ["n", "ew", "e", "r"], [4, 14, 1, 6]),
        ("widest", ["w", "i", "d", "est"], [9, 2, 0, 11]),
        ("newest low", ["newest", "low"], [16, 13]),
    ],
)
def test_encoding_with_the_merges_of_lowest(text: str, tokens: list[str], ids: list[int]) -> None:
    """Replay: e+s, es+t, l+o, lo+w, e+w, ew+est, n+ewest. newer: only e+w applies."""
    encoding = trained_on_lowest().tokenizer.encode(text)
    assert encoding.tokens == tokens
    assert encoding.ids == ids
    assert len(encoding) == len(ids)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("bun", ["b", "un"]),
        ("bug", ["b", "ug"]),
        ("pugs", ["pug", "s"]),
        ("hug pug pun hugs", ["hug", "pug", "pun", "hugs"]),
    ],
)
def test_encoding_with_the_merges_of_hug(text: str, tokens: list[str]) -> None:
    """Replay: u+g, u+n, h+ug, p+un, hug+s, p+ug. bun is never made: b+un comes after 13."""
    assert trained_on_hug().tokenizer.encode(text).tokens == tokens


def test_an_unseen_character_raises_and_is_named_with_its_place() -> None:
    with pytest.raises(bpe.UnknownSymbolError, match="'z' at position 0") as raised:
        trained_on_hug().tokenizer.encode("zip")
    assert (raised.value.symbol, raised.value.char_position) == ("z", 0)
    with pytest.raises(bpe.UnknownSymbolError, match="'i' at position 5"):
        trained_on_hug().tokenizer.encode("hug pig")


def test_an_unseen_character_is_unknown_where_there_is_a_token_for_it() -> None:
    """z and i are not of b g h n p s u; the unknown token takes id 0 and shifts the rest."""
    run = bpe.train(HUG, base="char", pattern="whitespace", num_merges=6, unknown_token="[UNK]")
    encoding = run.tokenizer.encode("zip")
    assert encoding.ids == [0, 0, 5]
    assert encoding.tokens == ["[UNK]", "[UNK]", "p"]
    assert run.tokenizer.decode(encoding.ids) == "[UNK][UNK]p"


def test_the_steps_of_an_encoding() -> None:
    """lowest: e+s (rank 0) at 3, es+t (1) at 3, l+o (2) at 0, lo+w (3) at 0."""
    tokenizer = trained_on_lowest().tokenizer
    steps = list(tokenizer.encode_steps("lowest"))
    assert [(step.rank, step.position, step.token_id) for step in steps] == [
        (0, 3, 10),
        (1, 3, 11),
        (2, 0, 12),
        (3, 0, 13),
    ]
    assert steps[-1].ids_after == (13, 11)
    assert [steps[0].pair, steps[3].pair] == [(1, 7), (12, 9)]


def test_pre_tokens_keep_their_places_in_characters_and_bytes() -> None:
    assert [piece.text for piece in bpe.pre_tokenize("Hello, how", "gpt2")] == [
        "Hello",
        ",",
        " how",
    ]
    assert bpe.pre_tokenize("é a", "whitespace")[1] == bpe.PreToken("a", 2, 3, 3, 4)


def test_decoding_puts_a_space_for_each_marker_but_the_last() -> None:
    """`whitespace` dropped the spaces, the markers say where they were."""
    run = bpe.train(
        "low low lower", base="char", pattern="whitespace", end_of_word="</w>", num_merges=3
    )
    tokenizer = run.tokenizer
    encoding = tokenizer.encode("low lower")
    assert encoding.tokens == ["low</w>", "low", "e", "r", "</w>"]
    assert tokenizer.decode(encoding.ids) == "low lower"
    assert tokenizer.decode_bytes(encoding.ids) == b"low lower"
    assert tokenizer.decode([*encoding.ids, encoding.ids[1]]) == "low lower low"


def test_a_marker_decodes_to_nothing_where_spaces_are_kept() -> None:
    run = bpe.train("low low lower", pattern="gpt2", end_of_word="</w>", num_merges=4)
    encoding = run.tokenizer.encode("low lower")
    assert b"</w>" in b"".join(map(bytes, encoding.tokens))
    assert run.tokenizer.decode(encoding.ids) == "low lower"


def test_text_that_spells_the_marker_is_text() -> None:
    """`a</w>` is five letters and then the marker, which has an id and an empty span of its own."""
    text = "a</w> a"
    run = bpe.train(text, base="char", pattern="whitespace", end_of_word="</w>", num_merges=0)
    tokenizer = run.tokenizer
    encoding = tokenizer.encode(text)
    assert encoding.tokens == ["a", "<", "/", "w", ">", "</w>", "a", "</w>"]
    assert [tokenizer.ends_word(i) for i in encoding.ids] == [False] * 5 + [True, False, True]
    assert tokenizer.decode(encoding.ids) == text
    assert [(span.char_start, span.char_end) for span in encoding.spans][5:] == [
        (5, 5),
        (6, 7),
        (7, 7),
    ]


def test_special_tokens_count_only_when_allowed_and_the_longest_wins() -> None:
    """<|end|>x is longer than <|end|>; in ordinary text both are letters."""
    specials = ["<|end|>", "<|end|>x"]
    run = bpe.train(
        {"a<|end|>xb": 1}, base="char", num_merges=0, special_tokens=specials, pattern="none"
    )
    encode = run.tokenizer.encode
    assert encode("a<|end|>xb", allowed_special="all").tokens == ["a", "<|end|>x", "b"]
    assert encode("a<|end|>xb", allowed_special={"<|end|>"}).tokens == ["a", "<|end|>", "x", "b"]
    assert encode("a<|end|>xb").tokens == list("a<|end|>xb")


def test_encoding_many_texts_and_to_an_array() -> None:
    tokenizer = trained_on_lowest().tokenizer
    batch = tokenizer.encode_batch(["lowest", "low"])
    assert [encoding.ids for encoding in batch] == [[13, 11], [13]]
    array = tokenizer.encode_to_numpy("lowest low")
    assert (array.dtype.name, array.ndim, array.tolist()) == ("int32", 1, [13, 11, 13])
    assert tokenizer.decode(array) == "lowestlow"


def test_how_a_token_was_built() -> None:
    """newest = n + ewest = n + (ew + est) = n + ((e + w) + ((e + s) + t))."""
    tree = trained_on_lowest().tokenizer.merge_tree(16)
    assert (tree.content, tree.rank) == ("newest", 6)
    assert tree.left is not None
    assert tree.right is not None
    assert (tree.left.content, tree.left.rank, tree.left.left) == ("n", None, None)
    assert (tree.right.content, tree.right.rank) == ("ewest", 5)
    assert tree.right.right is not None
    assert (tree.right.right.content, tree.right.right.rank) == ("est", 1)


def test_what_is_known_of_a_token() -> None:
    tokenizer = trained_on_lowest().tokenizer
    assert (tokenizer.token(13), tokenizer.token_id("low")) == ("low", 13)
    assert (tokenizer.rank_of(13), tokenizer.parents(13)) == (3, (12, 9))
    assert (tokenizer.rank_of(9), tokenizer.parents(9)) == (None, None)
    assert tokenizer.merges[3] == bpe.MergeRule(rank=3, pair=(12, 9), token_id=13)


def test_a_string_that_is_a_special_token_means_that_one() -> None:
    """The word ab is counted as given, so text and special token are spelled alike."""
    run = bpe.train({"ab": 1}, base="char", num_merges=1, special_tokens=["ab"])
    tokenizer = run.tokenizer
    assert [tokenizer.token(i) for i in range(4)] == ["ab", "a", "b", "ab"]
    assert tokenizer.token_id("ab") == 0
    assert tokenizer.encode("ab").ids == [3]
    assert tokenizer.encode("ab", allowed_special="all").ids == [0]


def test_a_smaller_vocabulary_of_lowest() -> None:
    """With 14 tokens the first four merges stay: newer loses ew."""
    tokenizer = trained_on_lowest().tokenizer
    small = tokenizer.with_vocab_size(14)
    assert small.encode("newer lowest").tokens == ["n", "e", "w", "e", "r", "low", "est"]
    assert (small.n_tokens, small.vocab_size, small.base_size) == (14, 14, 10)
    assert tokenizer.with_vocab_size(17) is tokenizer
    assert tokenizer.with_vocab_size(9999) is tokenizer


def test_is_lossless_only_where_nothing_is_changed_or_dropped() -> None:
    def lossless(**settings: object) -> bool:
        return bpe.train("low", num_merges=1, **settings).tokenizer.is_lossless

    assert lossless()
    assert lossless(pattern="[a-z]+", end_of_word="</w>")
    assert not lossless(pattern="whitespace")
    assert not lossless(normalizer="nfc")
    assert not lossless(base="char")
