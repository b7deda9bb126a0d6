"""What the model of a tokenizer.json does beside merging, and its added tokens."""

from __future__ import annotations

import gc
import json
import unicodedata
from typing import Any

import pytest
from tokenizers import Tokenizer as Peer

import bpe
from bpe.added_tokens import AddedToken
from bpe.imported_symbols import byte_token
from bpe.metrics import tokens_by_vocab_size
from tests.engine.hf_shapes import SHAPES, shape
from tests.engine.tokenizer_files import LETTERS, byte_document, document

BYTES = {byte_token(value): value for value in range(256)}
MASK = {"id": 4, "content": "<m>", "special": False}


def with_bytes(**changes: Any) -> bpe.Tokenizer:
    """A character base of `a`, `b` and all bytes."""
    vocab = {**BYTES, "a": 256, "b": 257, "ab": 258}
    source = document(model__vocab=vocab, model__byte_fallback=True, **changes)
    return bpe.load_tokenizer_json(source)


def test_a_character_without_a_symbol_becomes_its_bytes() -> None:
    """Golden (import-23): the euro sign is E2 82 AC; its three tokens share the one character."""
    tokenizer = with_bytes(decoder={"type": "ByteFallback"})
    encoding = tokenizer.encode("ab€b")
    assert encoding.tokens == ["ab", "<0xE2>", "<0x82>", "<0xAC>", "b"]
    assert encoding.ids == [258, 0xE2, 0x82, 0xAC, 257]
    assert tokenizer.decode(encoding.ids) == "ab€b"
    assert [(span.char_start, span.char_end) for span in encoding.spans] == [
        *((0, 2), (2, 3), (2, 3), (2, 3), (3, 4))
    ]
    assert [(span.byte_start, span.byte_end) for span in encoding.spans] == [
        *((0, 2), (2, 3), (3, 4), (4, 5), (5, 6))
    ]
    assert tokenizer.decode([0xE2, 0x82]) == "��"
    assert tokenizer.decode_bytes([0xE2, 0x82, 0xAC]) == "€".encode()


def test_a_character_that_no_token_can_stand_for_is_named_never_dropped() -> None:
    """Hugging Face tokenizers leaves it out without a word; here its place in the text is told."""
    vocab = {"▁": 0, "a": 1, "<0xC3>": 2, "<m>": 4}
    changes = {"model__vocab": vocab, "model__merges": [], "model__byte_fallback": True}
    prepend = {"type": "Prepend", "prepend": "▁"}
    source = document(**changes, normalizer=prepend, added_tokens=[MASK])
    tokenizer = bpe.load_tokenizer_json(source)
    assert tokenizer.encode("a<m>a").ids == [0, 1, 4, 0, 1]
    with pytest.raises(bpe.UnknownSymbolError, match="'é' at position 6") as raised:
        tokenizer.encode("aa<m>aé")
    assert raised.value.char_position == 6
    with pytest.raises(bpe.UnknownSymbolError, match="at position 0"):
        list(tokenizer.encode_steps("éa"))


@pytest.mark.parametrize("ignore_merges", [False, True])
def test_a_character_that_spells_no_byte_is_named(ignore_merges: bool) -> None:
    """Metaspace after ByteLevel puts a mark before the spelled bytes; the library drops it."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
    in_order = {"type": "Sequence", "pretokenizers": [byte_level, metaspace]}
    file = byte_document(pre_tokenizer=in_order)
    file["model"]["ignore_merges"] = ignore_merges
    tokenizer = bpe.load_tokenizer_json(file)
    with pytest.raises(bpe.UnknownSymbolError, match="'▁' at position 0"):
        tokenizer.encode("a")


def test_unknown_characters_of_a_word_are_fused_where_the_model_says_so() -> None:
    changes = {"model__vocab": {**LETTERS, "?": 4}, "model__unk_token": "?"}
    apart = bpe.load_tokenizer_json(document(**changes))
    fused = bpe.load_tokenizer_json(document(**changes, model__fuse_unk=True))
    assert apart.encode("axyéb").ids == [0, 4, 4, 4, 1]
    encoding = fused.encode("axyéb")
    assert encoding.ids == [0, 4, 1]
    assert [(span.byte_start, span.byte_end) for span in encoding.spans] == [(0, 1), (1, 5), (5, 6)]
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(fused)) == fused != apart


def test_a_suffix_glued_to_the_last_letter_ends_words() -> None:
    """Golden (end-of-word-03): decoding makes each suffix a space, none after the last."""
    vocab = ["l", "o", "w", "e", "r", "w</w>", "r</w>", "lo", "low</w>", "er</w>", "</w>"]
    merges = [["l", "o"], ["lo", "w</w>"], ["e", "r</w>"]]
    source = document(
        model__vocab={token: token_id for token_id, token in enumerate(vocab)},
        model__merges=merges,
        model__end_of_word_suffix="</w>",
        pre_tokenizer={"type": "WhitespaceSplit"},
    )
    for decoder in (None, {"type": "BPEDecoder", "suffix": "</w>"}):
        tokenizer = bpe.load_tokenizer_json({**source, "decoder": decoder})
        encoding = tokenizer.encode("low lower")
        assert encoding.tokens == ["low</w>", "lo", "w", "er</w>"]
        assert tokenizer.decode(encoding.ids) == "low lower"
        assert [tokenizer.text_of(i) for i in encoding.ids] == ["low", "lo", "w", "er"]
        ends = [tokenizer.ends_word(i) for i in (*encoding.ids, 10)]
        assert ends == [True, False, False, True, False]
        assert tokenizer.end_of_word == "</w>"
        assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer


def test_a_prefix_stands_before_all_symbols_but_the_first() -> None:
    vocab = {"a": 0, "##b": 1, "##c": 2, "##bc": 3, "abc": 4}
    merges = [["##b", "##c"], ["a", "##bc"]]
    changes = {"model__vocab": vocab, "model__merges": merges}
    source = document(**changes, model__continuing_subword_prefix="##")
    tokenizer = bpe.load_tokenizer_json(source)
    assert tokenizer.encode("abcb").tokens == ["abc", "##b"]
    assert [(span.char_start, span.char_end) for span in tokenizer.encode("abcb").spans] == [
        *((0, 3), (3, 4))
    ]
    assert [step.token_id for step in tokenizer.encode_steps("abc")] == [3, 4]
    with pytest.raises(bpe.UnknownSymbolError, match="'b' at position 0"):
        tokenizer.encode("b")


def test_added_tokens_that_are_not_special_are_always_found() -> None:
    """They cost nothing of the compiled encoder, and are ordinary tokens of the vocabulary."""
    added = [
        {"id": 257, "content": "<tool>", "special": False},
        {"id": 258, "content": "<end>", "special": True},
    ]
    tokenizer = bpe.load_tokenizer_json(byte_document(added_tokens=added))
    assert tokenizer.added_tokens == (
        AddedToken("<tool>", 257, special=False, in_model=False),
        AddedToken("<end>", 258, in_model=False),
    )
    assert not tokenizer.reading.is_needed
    assert tokenizer.special_tokens == {"<end>": 258}
    assert tokenizer.encode(" a<tool><end>").ids == [256, 257, *b"<end>"]
    assert tokenizer.encode(" a<tool><end>", allowed_special={"<end>"}).ids == [256, 257, 258]
    assert tokenizer.encode_to_numpy("<tool>", allowed_special="all").tolist() == [257]
    assert [e.ids for e in tokenizer.encode_batch(["<tool>", "é"])] == [[257], [*"é".encode()]]
    assert tokenizer.token(257) == b"<tool>"
    assert tokenizer.decode([257, 258]) == "<tool><end>"
    assert [piece.text for piece in tokenizer.pre_tokenize("a<tool> a")] == ["a", "<tool>", " a"]
    assert [tokenizer.symbols(text) for text in ("a", "<tool>")] == [[97], [257]]
    assert tokens_by_vocab_size(tokenizer, [" a<tool>"]) == {258: 3, 259: 2}
    assert tokenizer.is_lossless
    with pytest.raises(bpe.ConfigError, match="'<tool>', which is no special token"):
        tokenizer.encode("a", allowed_special={"<tool>"})


def test_text_goes_through_the_compiled_encoder_around_added_tokens() -> None:
    """The same ids as piece by piece, in a text that is worth the kernels."""
    added = [{"id": 257, "content": "<tool>", "special": False}]
    tokenizer = bpe.load_tokenizer_json(byte_document(added_tokens=added))
    text = " a b é<tool> a" * 20_000
    piece = tokenizer.encode(" a b é<tool> a").ids
    assert tokenizer.encode(text).ids == piece * 20_000


def test_an_unknown_token_that_is_not_listed_is_text_even_if_all_are_allowed() -> None:
    """As in the library; whoever names it gets it."""
    vocab = {**LETTERS, "?": 4}
    tokenizer = bpe.load_tokenizer_json(document(model__vocab=vocab, model__unk_token="?"))
    assert tokenizer.special_tokens == {"?": 4}
    assert tokenizer.added_tokens == ()
    assert tokenizer.encode("a?b", allowed_special="all").ids == [0, 4, 1]
    listed = [{"id": 4, "content": "?", "special": True, "lstrip": True}]
    changes = {"model__vocab": {**vocab, " ": 5}, "model__unk_token": "?"}
    strips = bpe.load_tokenizer_json(document(added_tokens=listed, **changes))
    assert strips.encode("a ?b", allowed_special="all").ids == [0, 4, 1]
    assert strips.encode("a ?b").ids == [0, 5, 4, 1]


def test_what_a_file_leaves_to_say_is_said() -> None:
    added = [{"id": 9, "content": "<s>"}]
    outer = {"<s>": {"id": "<s>", "ids": [9], "tokens": ["<s>"]}}
    template = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": outer}
    tokenizer = bpe.load_tokenizer_json(document(added_tokens=added, post_processor=template))
    assert tokenizer.warnings == (
        "added_tokens gives '<s>' the id 9; Hugging Face tokenizers would number it 4",
        "the file's post_processor adds special tokens around each text; "
        "encoding gives the text's own tokens alone",
    )
    written = json.loads(bpe.to_tokenizer_json(tokenizer))
    assert written["post_processor"] == template


def test_an_added_token_that_the_model_lacks_is_no_symbol_of_it() -> None:
    """It is found as a word of its own; within words it is unknown, for the model lacks it."""
    flags = {"special": False, "single_word": True}
    source = document(
        model__vocab={**LETTERS, "?": 4},
        model__unk_token="?",
        added_tokens=[{"id": 5, "content": "é", **flags}, {"id": 2, "content": "c", **flags}],
    )
    tokenizer = bpe.load_tokenizer_json(source)
    assert [token.in_model for token in tokenizer.added_tokens] == [False, True]
    assert tokenizer.encode("é").ids == [5]
    assert tokenizer.encode("aéc").ids == [0, 4, 2]
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer
    assert all(token.in_model for token in tokenizer.with_vocab_size(5).added_tokens)


def test_an_added_token_of_which_nothing_is_left_is_refused() -> None:
    """In the library it would be found everywhere, without end."""
    added = [{"id": 4, "content": " ", "normalized": True}]
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    with pytest.raises(bpe.FormatError, match="the normalizer leaves nothing of ' '"):
        bpe.load_tokenizer_json(document(added_tokens=added, normalizer=strip))


def test_spaces_that_one_token_took_are_not_there_for_the_next() -> None:
    """Both take the white space beside them."""
    added = [
        {"id": 4, "content": "<l>", "rstrip": True, "special": False},
        {"id": 5, "content": " ", "lstrip": True, "special": False},
    ]
    tokenizer = bpe.load_tokenizer_json(document(added_tokens=added))
    encoding = tokenizer.encode("a<l>  b ")
    assert encoding.ids == [0, 4, 1, 5]
    assert [(span.char_start, span.char_end) for span in encoding.spans] == [
        *((0, 1), (1, 6), (6, 7), (7, 8))
    ]


def test_a_header_among_merges_is_passed_over() -> None:
    source = document(model__merges=["#version: 0.2", "a b"])
    assert bpe.load_tokenizer_json(source).encode("ab").ids == [3]


@pytest.mark.parametrize("unused", ["", "nowhere"])
def test_an_unknown_token_that_can_never_be_needed_is_passed_over(unused: str) -> None:
    """GPT-2's own file has an empty one."""
    changes = {"model__continuing_subword_prefix": "", "model__end_of_word_suffix": ""}
    tokenizer = bpe.load_tokenizer_json(byte_document(model__unk_token=unused, **changes))
    assert tokenizer == bpe.load_tokenizer_json(byte_document())
    assert with_bytes(model__unk_token=unused) == with_bytes()


@pytest.mark.parametrize("was_enabled", [True, False])
def test_reading_leaves_the_garbage_collector_as_it_was(was_enabled: bool) -> None:
    """It is held back while a file is read, also one that is refused."""
    (gc.enable if was_enabled else gc.disable)()
    try:
        bpe.load_tokenizer_json(document())
        assert gc.isenabled() == was_enabled
        with pytest.raises(bpe.FormatError):
            bpe.load_tokenizer_json("{")
        assert gc.isenabled() == was_enabled
    finally:
        gc.enable()


def test_a_string_pattern_is_no_expression() -> None:
    """Golden (import-21)."""
    split = {"type": "Split", "pattern": {"String": "a+"}, "behavior": "Isolated", "invert": False}
    source = document(model__vocab={"a": 0, "b": 1, " ": 2, "+": 3}, model__merges=[])
    tokenizer = bpe.load_tokenizer_json({**source, "pre_tokenizer": split})
    assert [piece.text for piece in tokenizer.pre_tokenize("aab a+b")] == ["aab ", "a+", "b"]


@pytest.mark.parametrize("name", SHAPES)
def test_the_model_and_the_added_tokens_are_written_as_they_were(name: str) -> None:
    """The last added tokens need not stand in the model too: all programs count on from it."""
    original = json.loads(shape(name))
    written = json.loads(bpe.to_tokenizer_json(bpe.load_tokenizer_json(shape(name))))
    added = {token["content"]: token["id"] for token in original["added_tokens"]}
    vocab = written["model"]["vocab"]
    assert vocab | added == original["model"]["vocab"] | added
    assert original["model"]["vocab"].keys() - vocab.keys() <= added.keys()
    assert written["model"]["merges"] == original["model"]["merges"]
    assert written["added_tokens"] == sorted(original["added_tokens"], key=lambda t: t["id"])
    assert written["post_processor"] == original["post_processor"]


@pytest.mark.parametrize("pattern", ["whitespace", r"[a-z]+|\d", "cl100k"])
@pytest.mark.parametrize("normalizer", ["none", "lowercase", ("nfkc", "lowercase")])
@pytest.mark.parametrize("base", ["char", "byte"])
def test_what_we_train_has_the_same_ids_in_the_library(
    base: str, normalizer: Any, pattern: str
) -> None:
    """Where its steps have other ideas: white space of `str.split`, the last sigma of a word."""
    texts = ["a\x1cb c\x1fd\u2028e\x85f", "ΑΣ ΑΣ. ΣΑΣ'Σ aΣ\u0301 ʰΣ Σ", "İ I ı", "ﬁ ½ ™", "x<s>  y"]
    corpus = " ".join([*texts, "low lower lowest newest"])
    settings = {"base": base, "pattern": pattern, "normalizer": normalizer, "num_merges": 20}
    if base == "char":
        settings["unknown_token"] = "?"
    ours = bpe.train(corpus, special_tokens=["<s>"], **settings).tokenizer
    written = bpe.to_tokenizer_json(ours)
    assert bpe.load_tokenizer_json(written) == ours
    peer = Peer.from_str(written)
    for text in [*texts, unicodedata.normalize("NFD", texts[1]), corpus]:
        found = ours.encode(text, allowed_special="all").ids
        assert found == peer.encode(text, add_special_tokens=False).ids, text
        assert ours.decode(found) == peer.decode(found, skip_special_tokens=False), text


@pytest.mark.parametrize("expression", [r"\w+", r" ?[\w']+|\W", r"[^\W\d_]+", r"(?i)ab+|\d"])
def test_an_expression_of_ones_own_splits_the_same_in_the_library(expression: str) -> None:
    """A half and a raised two are word characters for its Oniguruma, joiners for our `regex`."""
    texts = ["ab ½ x² a\u200db", "été_1 3¼ \\w", "AbB\n\n12"]
    ours = bpe.train(" ".join(texts), pattern=expression, num_merges=9).tokenizer
    written = bpe.to_tokenizer_json(ours)
    assert "bpe_explorer" not in json.loads(written)
    assert bpe.load_tokenizer_json(written) == ours
    peer = Peer.from_str(written)
    for text in texts:
        assert ours.encode(text).ids == peer.encode(text).ids


@pytest.mark.parametrize("expression", [r"(?P<w>\w+)", r"\h+", r"^a|b$", r"[a-z--[aeiou]]", r"\X"])
def test_an_expression_that_others_read_otherwise_is_saved_for_this_program_only(
    expression: str,
) -> None:
    ours = bpe.train("ab cd\nb a", pattern=expression, num_merges=2).tokenizer
    written = bpe.to_tokenizer_json(ours)
    assert bpe.load_tokenizer_json(written) == ours
    with pytest.raises(Exception, match=r"expected `,` or `}`|Oniguruma error"):
        Peer.from_str(written)
