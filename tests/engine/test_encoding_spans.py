"""Where tokens stand in the text as the user gave it, whatever was normalized or dropped."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.normalizers import normalize_aligned, well_formed_aligned
from tests.engine.strategies import normalizers, patterns, texts


@cache
def tokenizer(**settings: Any) -> bpe.Tokenizer:
    """A byte base without merges, unless said otherwise: one token a byte."""
    return bpe.train("", **({"num_merges": 0} | settings)).tokenizer


@cache
def with_merges(base: str, pattern: str, normalizer: Any, marker: str | None) -> bpe.Tokenizer:
    """A tokenizer whose tokens cut characters (byte base) and hold several."""
    words = {"日本": 3, "é": 3, "e\u0301": 2, "ss": 2, "i\u0307": 2, "the": 4, " the": 3, "fi": 2}
    settings: dict[str, Any] = {"pattern": pattern, "normalizer": normalizer, "base": base}
    unknown = "[UNK]" if base == "char" else None
    return bpe.train(
        words, num_merges=12, end_of_word=marker, unknown_token=unknown, **settings
    ).tokenizer


def char_spans(encoding: bpe.Encoding) -> list[tuple[int, int]]:
    return [(span.char_start, span.char_end) for span in encoding.spans]


def byte_spans(encoding: bpe.Encoding) -> list[tuple[int, int]]:
    return [(span.byte_start, span.byte_end) for span in encoding.spans]


def ranges_of_bytes(text: str) -> list[tuple[int, int]]:
    """UTF-8 bytes of each character; half a surrogate has those of U+FFFD, and two halves that
    meet have all four of theirs in common.
    """
    aligned = well_formed_aligned(text)
    ranges: list[tuple[int, int]] = []
    position = 0
    for char, start, end in zip(aligned.text, aligned.char_starts, aligned.char_ends, strict=True):
        width = len(char.encode("utf-8"))
        ranges += [(position, position + width)] * (end - start)
        position += width
    return ranges


@given(
    texts, patterns, normalizers, st.sampled_from(["char", "byte"]), st.sampled_from([None, "_"])
)
def test_the_characters_of_a_span_are_all_those_its_bytes_touch(
    text: str, pattern: str, normalizer: Any, base: str, marker: str | None
) -> None:
    encoding = with_merges(base, pattern, normalizer, marker).encode(text)
    ranges = ranges_of_bytes(text)
    for span in encoding.spans:
        assert 0 <= span.byte_start <= span.byte_end <= max((end for _, end in ranges), default=0)
        assert (span.byte_start == span.byte_end) == (span.char_start == span.char_end)
        touched = [
            char
            for char, (start, end) in enumerate(ranges)
            if start < span.byte_end and span.byte_start < end
        ]
        assert touched == list(range(span.char_start, span.char_end))


@given(texts, patterns, normalizers, st.sampled_from(["char", "byte"]))
def test_spans_never_go_back_and_cover_what_was_not_dropped(
    text: str, pattern: str, normalizer: Any, base: str
) -> None:
    encoding = with_merges(base, pattern, normalizer, None).encode(text)
    assert [span.token_id for span in encoding.spans] == encoding.ids
    for before, after in zip(encoding.spans, encoding.spans[1:], strict=False):
        assert before.char_start <= after.char_start
        assert before.char_end <= after.char_end
    covered = {c for span in encoding.spans for c in range(span.char_start, span.char_end)}
    dropped = {c for c in range(len(text)) if c not in covered}
    if pattern != "whitespace":
        assert not dropped
    normalized = bpe.normalize(well_formed_aligned(text).text, normalizer)
    assert not dropped or any(char.isspace() for char in normalized)


@given(texts, patterns, normalizers)
def test_a_span_covers_the_characters_its_token_was_made_from(
    text: str, pattern: str, normalizer: Any
) -> None:
    """In a character base without merges each token is one character of the normalized text."""
    encoding = tokenizer(
        base="char", unknown_token="?", pattern=pattern, normalizer=normalizer
    ).encode(text)
    well = well_formed_aligned(text)
    aligned = normalize_aligned(well.text, normalizer)
    sources = [
        (well.char_starts[start], well.char_ends[end - 1])
        for start, end in zip(aligned.char_starts, aligned.char_ends, strict=True)
    ]
    kept = [
        source
        for source, char in zip(sources, aligned.text, strict=True)
        if pattern != "whitespace" or not char.isspace()
    ]
    assert char_spans(encoding) == kept


def test_bytes_of_one_character_share_it() -> None:
    """é is two bytes, 😀 four."""
    encoding = tokenizer().encode("aé😀")
    assert byte_spans(encoding) == [(i, i + 1) for i in range(7)]
    assert char_spans(encoding) == [(0, 1), (1, 2), (1, 2), (2, 3), (2, 3), (2, 3), (2, 3)]


@pytest.mark.parametrize(
    ("normalizer", "text", "spans"),
    [
        # e + acute becomes é: two bytes, both made of two characters, three bytes.
        ("nfc", "e\u0301x", [((0, 3), (0, 2)), ((0, 3), (0, 2)), ((3, 4), (2, 3))]),
        # é becomes e + acute: three bytes, all of the one character.
        ("nfd", "éx", [((0, 2), (0, 1))] * 3 + [((2, 3), (1, 2))]),
        # The ligature ﬁ becomes f, i.
        ("nfkc", "ﬁx", [((0, 3), (0, 1))] * 2 + [((3, 4), (1, 2))]),
        # İ becomes i and a dot above: three bytes.
        ("lowercase", "İx", [((0, 2), (0, 1))] * 3 + [((2, 3), (1, 2))]),
        # A becomes a: one byte for one.
        ("lowercase", "Ax", [((0, 1), (0, 1)), ((1, 2), (1, 2))]),
        # Nothing changes: bytes are those of the characters themselves.
        ("nfc", "éx", [((0, 1), (0, 1)), ((1, 2), (0, 1)), ((2, 3), (1, 2))]),
    ],
)
def test_spans_under_normalizers_that_change_lengths(
    normalizer: str, text: str, spans: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    encoding = tokenizer(normalizer=normalizer).encode(text)
    found = [*zip(byte_spans(encoding), char_spans(encoding), strict=True)]
    assert found == spans


def test_a_ligature_of_a_whole_sentence_is_covered_by_each_of_its_tokens() -> None:
    """U+FDFA becomes 18 characters of Arabic, 33 bytes, three of them spaces."""
    text = "aﷺb"
    encoding = tokenizer(normalizer="nfkc").encode(text)
    assert len(encoding) == 1 + 33 + 1
    assert set(byte_spans(encoding)[1:-1]) == {(1, 4)}
    assert set(char_spans(encoding)[1:-1]) == {(1, 2)}
    assert char_spans(encoding)[-1] == (2, 3)
    dropped = tokenizer(normalizer="nfkc", pattern="whitespace").encode(text)
    assert len(dropped) == 1 + 30 + 1
    assert char_spans(dropped)[-1] == (2, 3)


def test_a_token_over_a_changed_and_an_unchanged_character() -> None:
    """`ﬁx` becomes f, i, x; the token ix touches the whole of ﬁ and all of x."""
    run = bpe.train({"ix": 2}, num_merges=1, normalizer="nfkc", pattern="none")
    encoding = run.tokenizer.encode("ﬁx")
    assert encoding.tokens == [b"f", b"ix"]
    assert char_spans(encoding) == [(0, 1), (0, 2)]
    assert byte_spans(encoding) == [(0, 3), (0, 4)]


def test_gaps_of_white_space_are_in_no_span() -> None:
    encoding = tokenizer(pattern="whitespace").encode(" a\u3000é\n")
    assert byte_spans(encoding) == [(1, 2), (5, 6), (6, 7)]
    assert char_spans(encoding) == [(1, 2), (3, 4), (3, 4)]


@pytest.mark.parametrize("pattern", ["whitespace", "gpt2"])
def test_a_marker_has_an_empty_span_at_the_end_of_its_pre_token(pattern: str) -> None:
    """A merged marker has the span of its text."""
    run = bpe.train({"ab": 2}, num_merges=1, end_of_word="</w>", pattern=pattern, base="char")
    assert run.steps[0].merged == "ab"
    encoding = run.tokenizer.encode("abab")
    assert encoding.tokens == ["ab", "ab", "</w>"]
    assert byte_spans(encoding) == char_spans(encoding) == [(0, 2), (2, 4), (4, 4)]
    glued = bpe.train({"ab": 2}, num_merges=2, end_of_word="</w>", pattern=pattern, base="char")
    encoding = glued.tokenizer.encode("abab")
    assert encoding.tokens == ["ab", "ab</w>"]
    assert char_spans(encoding) == [(0, 2), (2, 4)]


def test_an_unknown_token_stands_for_one_character() -> None:
    run = bpe.train("ab", base="char", num_merges=1, unknown_token="[UNK]", pattern="none")
    encoding = run.tokenizer.encode("abé😀ab")
    assert encoding.tokens == ["ab", "[UNK]", "[UNK]", "ab"]
    assert char_spans(encoding) == [(0, 2), (2, 3), (3, 4), (4, 6)]
    assert byte_spans(encoding) == [(0, 2), (2, 4), (4, 8), (8, 10)]


def test_the_place_of_an_unseen_character_is_that_in_the_text_as_given() -> None:
    """ﬁ becomes two characters before z, e + acute one: z is still the third of the text."""
    run = bpe.train("fié ", base="char", num_merges=0, normalizer="nfkc", pattern="whitespace")
    with pytest.raises(bpe.UnknownSymbolError) as raised:
        run.tokenizer.encode("ﬁ e\u0301z")
    assert (raised.value.symbol, raised.value.char_position) == ("z", 4)


@pytest.mark.parametrize("base", ["char", "byte"])
def test_special_tokens_and_the_text_after_them_keep_their_places(base: str) -> None:
    """é before the special token shifts bytes, not characters."""
    run = bpe.train(
        {"é<|end|>x": 1}, base=base, num_merges=0, special_tokens=["<|end|>", "日"], pattern="none"
    )
    encoding = run.tokenizer.encode("é<|end|>日x", allowed_special="all")
    assert encoding.tokens[-3:-1] == ["<|end|>", "日"]
    assert char_spans(encoding)[-3:] == [(1, 8), (8, 9), (9, 10)]
    assert byte_spans(encoding)[-3:] == [(2, 9), (9, 12), (12, 13)]


def test_special_tokens_are_found_in_the_text_before_it_is_normalized() -> None:
    run = bpe.train("", num_merges=0, normalizer="lowercase", special_tokens=["<S>"])
    encoding = run.tokenizer.encode("İ<S>A", allowed_special="all")
    assert encoding.tokens == [b"i", b"\xcc", b"\x87", "<S>", b"a"]
    assert char_spans(encoding) == [(0, 1)] * 3 + [(1, 4), (4, 5)]


def test_surrogate_halves_that_meet_are_one_character_of_four_bytes() -> None:
    """A lone half counts as U+FFFD, three bytes."""
    encoding = tokenizer().encode("\ud83d\ude00\ud83dx")
    assert byte_spans(encoding) == [(i, i + 1) for i in range(8)]
    assert char_spans(encoding) == [(0, 2)] * 4 + [(2, 3)] * 3 + [(3, 4)]
    special = bpe.train("", num_merges=0, special_tokens=["😀"]).tokenizer
    encoding = special.encode("x\ud83d\ude00y", allowed_special="all")
    assert (byte_spans(encoding)[1], char_spans(encoding)[1]) == ((1, 5), (1, 3))


def test_a_merged_token_that_a_file_lists_as_special_has_its_whole_span() -> None:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    loaded = bpe.load_tokenizer_json({"model": model, "added_tokens": [{"id": 2, "content": "ab"}]})
    encoding = loaded.encode("aab")
    assert encoding.ids == [0, 2]
    assert char_spans(encoding) == [(0, 1), (1, 3)]
