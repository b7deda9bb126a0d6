"""Normalizers: the values of the forms, and the alignment back to the text as typed."""

from __future__ import annotations

import json
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.errors import ConfigError
from bpe.normalizers import (
    NORMALIZER_NAMES,
    AlignedText,
    check_normalizer,
    compose,
    normalize,
    normalize_aligned,
    well_formed,
    well_formed_aligned,
)

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "cases_text.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]

# Characters that expand, join, reorder or depend on their neighbours, and surrogate halves.
NASTY = "aAeiİıΣσſßẞéÅ각각각ㄳㅏ\u0301\u0323\u0308\u0344\u0345\u0f73\u0fb2\u0f80ｶﾞガﬁ½ﷺ①ﯹ"
NASTY += " \n\u034f\u09c7\u09be\u212b\U0001d15e\U0001f468\u200d\ud83d\ude00\ud800\udfff"
texts = st.text(st.sampled_from(NASTY), max_size=12) | st.text(
    st.characters(exclude_categories=()), max_size=20
)
normalizers = st.sampled_from(NORMALIZER_NAMES) | st.lists(
    st.sampled_from(NORMALIZER_NAMES), max_size=3
).map(tuple)


def rows(aligned: AlignedText) -> list[tuple[str, int, int, bool]]:
    """Write an alignment as one row a character."""
    return [
        (char, start, end, bool(same))
        for char, start, end, same in zip(
            aligned.text, aligned.char_starts, aligned.char_ends, aligned.unchanged, strict=True
        )
    ]


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["config"]["op"] == "normalize"], ids=lambda case: case["id"]
)
def test_a_case_normalizes_to_its_value(case: dict[str, dict[str, str]]) -> None:
    text = normalize(case["input"], case["config"]["normalizer"])
    assert (text, len(text)) == (case["expect"]["text"], case["expect"]["n_chars"])


def test_lowercase_looks_at_the_whole_text_for_the_final_sigma() -> None:
    assert normalize("ΟΔΟΣ ΟΔΟΣ.", "lowercase") == "οδος οδος."
    assert normalize_aligned("ΣΑΣ", "lowercase").text == "σας"


def test_names_of_a_tuple_apply_in_order() -> None:
    # j with a caron exists as one character (U+01F0), J with a caron does not.
    assert normalize("J\u030c", ("lowercase", "nfc")) == "\u01f0"
    assert normalize("J\u030c", ("nfc", "lowercase")) == "j\u030c"
    assert normalize("É", ("nfd", "nfc")) == "É" != normalize("É", ("nfc", "nfd"))


@pytest.mark.parametrize("wrong", ["", "NFC", "nfc,nfd", ("nfc", "upper"), (1,), 7, None])
def test_a_name_that_does_not_exist_is_refused_with_those_that_do(wrong: object) -> None:
    with pytest.raises(ConfigError, match=r"normalizer"):
        check_normalizer(wrong)
    with pytest.raises(ConfigError, match=r"'upper': use none, lowercase, nfc, nfd, nfkc, nfkd"):
        normalize("a", "upper")


def test_none_stands_for_no_change_wherever_it_is() -> None:
    assert check_normalizer("none") == check_normalizer(()) == ()
    assert check_normalizer(["none", "nfc", "none"]) == ("nfc",)


@pytest.mark.parametrize(
    ("text", "normalizer", "expected"),
    [
        ("aB", "lowercase", [("a", 0, 1, True), ("b", 1, 2, False)]),
        # One character becomes two: both cover it, neither is it.
        ("İx", "lowercase", [("i", 0, 1, False), ("\u0307", 0, 1, False), ("x", 1, 2, True)]),
        # A letter takes the first accent in, the second stands on its own.
        ("e\u0301\u0301", "nfc", [("é", 0, 2, False), ("\u0301", 2, 3, True)]),
        # The dot below goes before the acute: only the three together normalize on their own.
        ("e\u0301\u0323", "nfc", [("ẹ", 0, 3, False), ("\u0301", 0, 3, False)]),
        ("e\u0301\u0323", "nfd", [("e", 0, 1, True), ("\u0323", 1, 3, False),
                                  ("\u0301", 1, 3, False)]),
        ("각가", "nfc", [("각", 0, 3, False), ("가", 3, 4, True)]),
        # A compatibility vowel is no jamo until NFKC makes it one, which then joins leftwards.
        ("ᄀㅏ", "nfkc", [("가", 0, 2, False)]),
        ("ｶﾞ!", "nfkc", [("ガ", 0, 2, False), ("!", 2, 3, True)]),
        ("xﬁ", "nfkc", [("x", 0, 1, True), ("f", 1, 2, False), ("i", 1, 2, False)]),
        # Tibetan: U+0F73 has class 0 but becomes two marks that sort into what is before it.
        ("\u0f40\u0f72\u0f73", "nfd", [("\u0f40", 0, 1, True), ("\u0f71", 1, 3, False),
                                       ("\u0f72", 1, 3, False), ("\u0f72", 1, 3, False)]),
        ("É", ("nfd", "lowercase"), [("e", 0, 1, False), ("\u0301", 0, 1, False)]),
    ],
)  # fmt: skip
def test_each_character_says_where_it_came_from(
    text: str, normalizer: str, expected: list[tuple[str, int, int, bool]]
) -> None:
    assert rows(normalize_aligned(text, normalizer)) == expected


def test_a_ligature_of_eighteen_characters_covers_one() -> None:
    aligned = normalize_aligned("a\ufdfab", "nfkc")
    assert len(aligned.text) == 20
    assert list(aligned.char_starts) == [0, *[1] * 18, 2]
    assert list(aligned.char_ends) == [1, *[2] * 18, 3]


def test_a_text_that_does_not_change_is_described_without_lists() -> None:
    for text in ("plain ascii", "é 각 ไทย", ""):
        aligned = normalize_aligned(text, "nfc")
        assert aligned.is_identity
        assert (aligned.char_starts, aligned.char_ends) == (
            range(len(text)),
            range(1, len(text) + 1),
        )


@given(texts, normalizers)
def test_the_aligned_text_is_the_normalized_text(text: str, normalizer: str) -> None:
    assert normalize_aligned(text, normalizer).text == normalize(text, normalizer)


@given(texts, normalizers)
def test_ranges_never_fall_and_cover_the_whole_original(text: str, normalizer: str) -> None:
    aligned = normalize_aligned(text, normalizer)
    ranges = list(zip(aligned.char_starts, aligned.char_ends, strict=True))
    assert len(ranges) == len(aligned.text) == len(aligned.unchanged)
    assert all(start < end for start, end in ranges)
    for (start, end), (next_start, next_end) in pairwise(ranges):
        assert start <= next_start <= end <= next_end
    assert (ranges[0][0], ranges[-1][1]) == (0, len(text)) if text else ranges == []


@given(texts, normalizers)
def test_characters_marked_unchanged_are_the_same(text: str, normalizer: str) -> None:
    for char, start, end, same in rows(normalize_aligned(text, normalizer)):
        assert not same or (text[start:end] == char)


@given(texts, st.sampled_from(["nfc", "nfd", "nfkc", "nfkd"]))
def test_what_shares_a_range_is_the_form_of_that_range(text: str, form: str) -> None:
    parts: dict[tuple[int, int], str] = {}
    for char, start, end, _ in rows(normalize_aligned(text, form)):
        parts[start, end] = parts.get((start, end), "") + char
    # A piece of several characters that is normal already stands as single characters.
    for (start, end), part in parts.items():
        assert part == unicodedata.normalize(form.upper(), text[start:end])


@given(texts)
def test_joining_and_dropping_surrogates_is_what_utf_16_does(text: str) -> None:
    expected = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    aligned = well_formed_aligned(text)
    assert well_formed(text) == aligned.text == expected
    for char, start, end, same in rows(aligned):
        assert same == (text[start:end] == char)
        assert end - start == (2 if not same and char != "\ufffd" else 1)


@given(texts, normalizers)
def test_alignments_of_two_rewrites_compose(text: str, normalizer: str) -> None:
    first = well_formed_aligned(text)
    both = compose(first, normalize_aligned(first.text, normalizer))
    assert both.text == normalize(well_formed(text), normalizer)
    assert list(both.char_starts) == sorted(both.char_starts)
    assert list(both.char_ends) == sorted(both.char_ends)
    assert (both.char_starts[0], both.char_ends[-1]) == (0, len(text)) if text else not both.text


@pytest.mark.parametrize("form", ["nfc", "nfd", "nfkc", "nfkd"])
def test_a_long_run_of_accents_is_put_in_order_as_a_short_one_is(form: str) -> None:
    # 0344 is itself two accents; 600 marks pass the length from which runs are sorted before.
    run = "é" + "\u0301\u0323\u0344" * 200
    expected = unicodedata.normalize(form.upper(), run)
    assert normalize(run + "x", form) == normalize_aligned(run + "x", form).text == expected + "x"
