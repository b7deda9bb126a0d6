"""What the screens are told of tokens and texts agrees with the engine, for any text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.normalizers import well_formed
from pages.ui import view_models
from pages.ui.view_models import Segment, counts, faces, round_trip, segments

LESSON = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
CORPUS = "low lower newest widest low héllo naïve 👩‍👩‍👧 שלום नमस्ते\n\nthe thing\t😀 low"


@lru_cache
def lesson() -> bpe.TrainingRun:
    return bpe.train(
        LESSON,
        base="char",
        pattern="whitespace",
        num_merges=7,
        end_of_word="</w>",
        unknown_token="<unk>",
    )


@lru_cache
def byte_run(normalizer: str = "none", pattern: str = "gpt2") -> bpe.TrainingRun:
    return bpe.train(
        CORPUS,
        vocab_size=290,
        normalizer=normalizer,
        pattern=pattern,
        special_tokens=("<|end|>",),
    )


@dataclass
class Spans:
    """An encoding made by hand: only what segments look at."""

    spans: list[bpe.TokenSpan]


def by_hand(*ranges: tuple[int, int]) -> Any:
    return cast(Any, Spans([bpe.TokenSpan(0, 0, 0, start, end) for start, end in ranges]))


# --- segments


def test_a_character_in_two_tokens_is_one_segment() -> None:
    """é is the bytes c3 a9, and no merge of this run joins them in `xé`."""
    tokenizer = bpe.train("ab", num_merges=0).tokenizer
    cut = segments("xé!", tokenizer.encode("xé!"))
    assert cut == [Segment("x", 1), Segment("é", 2), Segment("!", 1)]


def test_dropped_white_space_is_a_segment_without_tokens() -> None:
    tokenizer = lesson().tokenizer
    cut = segments(" low  est\n", tokenizer.encode(" low  est\n"))
    assert [segment.text for segment in cut if segment.n_tokens == 0] == [" ", "  ", "\n"]


def test_a_marker_alone_is_a_segment_without_text() -> None:
    cut = segments("zl", lesson().tokenizer.encode("zl"))
    assert cut == [Segment("z", 1), Segment("l", 1), Segment("", 1)]


def test_an_emoji_family_is_drawn_whole_however_many_tokens_it_has() -> None:
    family = "👩‍👩‍👧‍👦"
    tokenizer = bpe.train("ab", num_merges=0).tokenizer
    cut = segments(f"a{family}b", tokenizer.encode(f"a{family}b"))
    assert cut == [Segment("a", 1), Segment(family, 25), Segment("b", 1)]


def test_a_letter_and_its_accent_in_two_tokens_are_one_segment() -> None:
    assert segments("e\u0301x", by_hand((0, 1), (1, 2), (2, 3))) == [
        Segment("e\u0301", 2),
        Segment("x", 1),
    ]


def test_carriage_return_and_newline_are_not_read_as_one_character() -> None:
    cut = segments("é\r\n", by_hand((0, 1), (1, 2), (2, 3)))
    assert [segment.text for segment in cut] == ["é", "\r", "\n"]


def test_tokens_that_share_characters_in_a_chain_are_one_segment() -> None:
    cut = segments("abcdef", by_hand((0, 2), (1, 3), (2, 4), (5, 6)))
    assert cut == [Segment("abcd", 3), Segment("e", 0), Segment("f", 1)]


@st.composite
def texts_and_ascending_spans(draw: st.DrawFn) -> tuple[str, Any]:
    text = draw(st.text(max_size=30))
    places = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(places, places).map(sorted), max_size=12))
    return text, by_hand(*((start, end) for start, end in sorted(pairs)))


@given(texts_and_ascending_spans())
def test_segments_tile_the_text_for_any_ascending_spans(case: tuple[str, Any]) -> None:
    text, encoding = case
    cut = segments(text, encoding)
    assert "".join(segment.text for segment in cut) == text
    assert sum(segment.n_tokens for segment in cut) == len(encoding.spans)


@pytest.mark.parametrize("normalizer", ["none", "lowercase", "nfc", "nfd", "nfkc", "nfkd"])
@pytest.mark.parametrize("pattern", ["gpt2", "whitespace", "none"])
@given(st.text(st.characters(codec=None), max_size=40))
def test_segments_tile_any_text_under_every_normalizer(
    normalizer: str, pattern: str, text: str
) -> None:
    encoding = byte_run(normalizer, pattern).tokenizer.encode(text)
    cut = segments(text, encoding)
    assert well_formed("".join(segment.text for segment in cut)) == well_formed(text)
    assert sum(segment.n_tokens for segment in cut) == len(encoding.ids)


# --- faces


def test_a_face_tells_the_birth_of_its_token() -> None:
    """The second merge of the lesson's words: es + t, in newest 6 times and widest 3 times."""
    run = bpe.train(LESSON, base="char", pattern="whitespace", num_merges=7)
    face = next(f for f in faces(run.tokenizer, [11], run) if f["id"] == 11)
    assert face == {
        "id": 11,
        "text": "est",
        "hex": "657374",
        "color": 8,
        "kind": "text",
        "marker": None,
        "rank": 1,
        "count": 9,
        "left": 10,
        "right": 8,
    }


def test_faces_hold_the_parents_too_and_ascend_by_id() -> None:
    """low (13) is lo (12) + w (9), est (11) is es (10) + t (8)."""
    run = bpe.train(LESSON, base="char", pattern="whitespace", num_merges=7)
    assert [face["id"] for face in faces(run.tokenizer, [13, 11, 13])] == [8, 9, 10, 11, 12, 13]


def test_kinds_tell_special_unknown_marker_bytes_and_text_apart() -> None:
    tokenizer = lesson().tokenizer
    unknown, marker = tokenizer.token_id("<unk>"), tokenizer.token_id("</w>")
    kinds = {face["id"]: face["kind"] for face in faces(tokenizer, [unknown, marker, 1])}
    assert kinds == {unknown: "unknown", marker: "marker", 1: "text"}
    byte = byte_run().tokenizer
    kinds = {face["id"]: face["kind"] for face in faces(byte, [0, 1 + 0xC3, 1 + 0x61])}
    assert kinds == {0: "special", 1 + 0xC3: "bytes", 1 + 0x61: "text"}


def test_a_token_that_ends_a_word_shows_its_marker_apart_from_its_text() -> None:
    tokenizer = lesson().tokenizer
    ending = tokenizer.encode("lowest").ids[-1]
    face = next(f for f in faces(tokenizer, [ending]) if f["id"] == ending)
    assert (face["text"], face["hex"], face["marker"]) == ("est", b"est".hex(), "</w>")


def test_a_partial_character_has_no_text_but_its_bytes() -> None:
    [face] = faces(byte_run().tokenizer, [1 + 0xC3])
    assert (face["text"], face["hex"], face["kind"]) == (None, "c3", "bytes")


def test_an_id_that_no_token_has_is_refused() -> None:
    with pytest.raises(bpe.UnknownIdError, match="9999"):
        faces(byte_run().tokenizer, [9999])


@given(st.text(max_size=20))
def test_the_faces_of_an_encoding_spell_its_bytes(text: str) -> None:
    tokenizer = byte_run().tokenizer
    ids = tokenizer.encode(text).ids
    spelled = {face["id"]: str(face["hex"]) for face in faces(tokenizer, ids)}
    assert "".join(spelled[token_id] for token_id in ids) == text.encode().hex()


# --- counts and the round trip


def test_counts_are_those_of_the_text_and_its_tokens() -> None:
    tokenizer = bpe.train("ab", num_merges=0).tokenizer
    count = counts(tokenizer, "héllo wörld", tokenizer.encode("héllo wörld"))
    assert (count.tokens, count.characters, count.bytes, count.words) == (13, 11, 13, 2)
    assert (count.bytes_per_token, count.tokens_per_word) == (1.0, 6.5)
    assert count.characters_per_token == 11 / 13


def test_unknown_tokens_are_counted() -> None:
    tokenizer = lesson().tokenizer
    assert counts(tokenizer, "zip low", tokenizer.encode("zip low")).unknowns == 2


def fused() -> bpe.Tokenizer:
    """A tokenizer as of SentencePiece: unknown neighbours are one token, outer blanks go."""
    model = {"type": "BPE", "vocab": {"<unk>": 0, "a": 1, " ": 2}, "merges": []}
    options = {"unk_token": "<unk>", "fuse_unk": True}
    strip = {"type": "Strip", "strip_left": True, "strip_right": True}
    special = {"id": 0, "content": "<unk>", "special": True}
    return bpe.load_tokenizer_json(
        {
            "added_tokens": [special],
            "normalizer": strip,
            "model": model | options,
            "decoder": {"type": "Fuse"},
        }
    )


def test_characters_of_one_unknown_token_are_counted_each() -> None:
    """<unk> a <unk>: five and three characters; one that the text itself spells is known."""
    text = "12345 a 日本語"
    encoding = fused().encode(text)
    assert encoding.ids == [0, 2, 1, 2, 0]
    assert counts(fused(), text, encoding).unknowns == 8
    reason = round_trip(fused(), text, encoding).reason
    assert "8 characters were never seen in training: together they became 2 unknown" in reason
    assert "tokens, each of which decodes to '<unk>'" in reason
    one = round_trip(fused(), "a12", fused().encode("a12")).reason
    assert "2 characters were never seen in training: together they became one unknown" in one
    spelled = fused().encode("a<unk>", allowed_special={"<unk>"})
    assert spelled.ids == [1, 0]
    assert counts(fused(), "a<unk>", spelled).unknowns == 0


def test_bytes_without_a_token_are_one_character() -> None:
    """Both bytes of é are unknown here, and not fused."""
    vocab = {"<unk>": 0, "a": 1}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    tokenizer = bpe.load_tokenizer_json(
        {
            "added_tokens": [{"id": 0, "content": "<unk>", "special": True}],
            "pre_tokenizer": byte_level,
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "<unk>"},
        }
    )
    encoding = tokenizer.encode("aé")
    assert encoding.ids == [1, 0, 0]
    assert counts(tokenizer, "aé", encoding).unknowns == 1


def test_blanks_that_a_file_strips_are_not_laid_to_a_pattern() -> None:
    reason = round_trip(fused(), "  a ", fused().encode("  a ")).reason
    assert "The steps of its file took 3 characters away, for which no token stands." in reason
    assert "pattern" not in reason


def test_a_text_without_tokens_has_no_ratios() -> None:
    tokenizer = lesson().tokenizer
    count = counts(tokenizer, "", tokenizer.encode(""))
    ratios = (count.bytes_per_token, count.characters_per_token, count.tokens_per_word)
    assert ratios == (None, None, None)


@given(st.text(max_size=30))
def test_a_lossless_round_trip_holds_for_any_text(text: str) -> None:
    tokenizer = byte_run().tokenizer
    assert round_trip(tokenizer, text, tokenizer.encode(text)).holds


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("low  low", "drops what stands between words (2 characters here)"),
        ("zip low", "2 characters were never seen in training"),
        ("\ud800low", "Half characters"),
    ],
)
def test_the_reason_for_a_loss_is_named(text: str, reason: str) -> None:
    tokenizer = lesson().tokenizer
    result = round_trip(tokenizer, text, tokenizer.encode(text))
    assert not result.holds
    assert reason in result.reason


def test_a_normalizer_that_changed_the_text_is_named() -> None:
    tokenizer = byte_run("lowercase").tokenizer
    result = round_trip(tokenizer, "Low", tokenizer.encode("Low"))
    assert (result.holds, result.decoded) == (False, "low")
    assert "The normalizer (lowercase) changed the text" in result.reason


def test_single_spaces_come_back_from_markers() -> None:
    tokenizer = lesson().tokenizer
    assert round_trip(tokenizer, "low lower", tokenizer.encode("low lower")).holds


def test_view_models_know_nothing_of_streamlit() -> None:
    assert "streamlit" not in vars(view_models)
