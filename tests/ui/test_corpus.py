"""What users train on is read as it is, and what cannot be read is refused by name."""

from __future__ import annotations

import pytest

from pages.ui.corpus import (
    CorpusChoice,
    CorpusRefused,
    parse_word_counts,
    pasted_corpus,
    sample_corpus,
    spaced_words,
    uploaded_corpus,
)
from pages.ui.upload_reading import UploadedFile, read_upload


def test_word_counts_are_read_line_by_line() -> None:
    assert parse_word_counts("low 5\r\n  lower\t2 \n\nlow 1\n") == {"low": 6, "lower": 2}


def test_a_word_may_hold_spaces_and_signs() -> None:
    assert parse_word_counts("a b 3\n<b>$x$ 1,000") == {"a b": 3, "<b>$x$": 1000}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("low 5\nlower", "Line 2 “lower”: write a word, a space and its count"),
        ("low five", "Line 1 “low five”: the count “five” must be a whole number"),
        ("low 0", "the count “0” must be a whole number from 1 up"),
        ("low -3", "the count “-3”"),
        ("low ٣", "the count “٣”"),
        ("low 9999999999999999999", "at most 18 digits"),
    ],
)
def test_a_line_that_is_no_word_count_is_named(text: str, said: str) -> None:
    with pytest.raises(CorpusRefused, match="Line") as refused:
        parse_word_counts(text)
    assert said in str(refused.value)


def test_counts_that_a_browser_cannot_show_exactly_are_refused() -> None:
    """2^53 - 1 is the largest number below which JavaScript holds every whole number."""
    assert parse_word_counts("ab 4503599627370495") == {"ab": 4503599627370495}
    with pytest.raises(CorpusRefused, match=r"counts are too large: .* 9,007,199,254,740,991"):
        parse_word_counts("ab 4503599627370495\nc 2")


def test_a_word_with_a_space_is_warned_of() -> None:
    assert spaced_words({"low": 1}) == ()
    assert "“New York” (and 1 more) holds a space" in spaced_words({"New York": 1, "a b": 1})[0]


def uploaded(*files: tuple[str, bytes], replace: bool = True) -> CorpusChoice:
    read = read_upload([UploadedFile(*file) for file in files])
    return uploaded_corpus([name for name, _ in files], read, replace=replace)


def test_an_upload_says_what_was_read() -> None:
    corpus = uploaded(("a.txt", b"\xef\xbb\xbfa\r\nb\r\n"))
    assert (corpus.name, list(corpus.content)) == ("a.txt", ["a\r\nb\r\n"])
    assert corpus.facts() == "utf-8, 9 bytes, 6 characters, 2 lines"  # the file's own size
    assert corpus.n_bytes == 6
    several = uploaded(("a.txt", "é\n".encode()), ("b.txt", "é".encode("utf-16")), ("c", b"c"))
    assert several.name == "a.txt and 2 more"
    assert several.facts() == "3 files, utf-8, utf-16-le, 8 bytes, 4 characters, 3 lines"
    rows = uploaded(("a.jsonl", b'{"text": "low"}\n{"text": "lower"}\n'))
    assert rows.facts() == "2 documents, utf-8, 8 bytes, 8 characters, 2 lines"


def test_what_is_no_text_is_replaced_with_a_warning_or_refused_with_its_place() -> None:
    files = ("a.txt", b"ab"), ("b.txt", b"ab\xff"), ("c.txt", b"\xff" * 2)
    corpus = uploaded(*files)
    assert [*corpus.content][1] == "ab\ufffd"
    assert [warning.partition(" and")[0] for warning in corpus.warnings[:2]] == [
        "in b.txt: 1 byte sequence is not valid utf-8",
        "in c.txt: 2 byte sequences are not valid utf-8",
    ]
    with pytest.raises(
        CorpusRefused, match=r"b\.txt is not valid utf-8 at byte 2: save it as UTF-8"
    ):
        uploaded(*files, replace=False)
    assert uploaded(files[0], replace=False).n_bytes == 2


def test_many_warnings_are_told_in_the_table_of_files() -> None:
    corpus = uploaded(*((f"{number}.txt", b"a\xff") for number in range(9)))
    assert len(corpus.warnings) == 4
    assert corpus.warnings[-1] == "6 more warnings: see the table of files"


def test_equal_contents_have_equal_keys_and_others_do_not() -> None:
    assert pasted_corpus("low").key == uploaded(("low.txt", b"low")).key
    assert pasted_corpus("low").key != uploaded(("a", b"l"), ("b", b"ow")).key
    assert pasted_corpus("low").key != pasted_corpus("lower").key
    assert CorpusChoice("w", {"a": 1, "b": 2}).key != CorpusChoice("w", {"b": 2, "a": 1}).key


def test_lone_surrogates_are_replaced_when_pasted() -> None:
    assert pasted_corpus("a\ud83db").content == "a\ufffdb"


def test_small_is_up_to_a_hundred_thousand_bytes() -> None:
    assert pasted_corpus("é" * 50_000).is_small
    assert not pasted_corpus("é" * 50_001).is_small


def test_samples_say_what_they_hold() -> None:
    assert sample_corpus("hug").facts() == "5 words, 36 occurrences in all"
