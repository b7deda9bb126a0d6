"""Reading uploads: byte order marks, bad bytes, what looks binary."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.errors import ConfigError
from bpe.text_decoding import DecodedText, decode_text

CASES = {
    case["id"]: case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases_text.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if case["config"]["op"] == "upload text file"
}


def decode_case(case_id: str) -> DecodedText:
    return decode_text(base64.b64decode(CASES[case_id]["input"]["file_base64"]))


@pytest.mark.parametrize("case_id", ["bom-04", "crlf-06"])
def test_a_case_reads_as_its_text(case_id: str) -> None:
    assert decode_case(case_id).text == CASES[case_id]["expect"]["text"]
    assert decode_case(case_id).warnings == ()


def test_a_file_that_ends_inside_a_character_says_what_was_replaced() -> None:
    decoded = decode_case("upload-02")  # "ab", then two of the three bytes of a character
    assert decoded.text == "ab\ufffd"
    (warning,) = decoded.warnings
    assert warning.startswith("1 byte sequence is not valid utf-8")
    assert "at byte 2" in warning


def test_an_empty_file_says_so() -> None:
    expected = CASES["empty-input-08"]["expect"]["clear_message"]
    assert expected in decode_case("empty-input-08").warnings[0]
    assert expected in decode_text(b"\xef\xbb\xbf").warnings[0]
    assert "blank" in decode_text(b" \n\t").warnings[0]


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
@given(text=st.text(min_size=1).filter(lambda text: text[0] != "\x00"))
def test_a_byte_order_mark_decides_and_is_dropped(mark: bytes, name: str, text: str) -> None:
    decoded = decode_text(mark + text.encode(name))
    assert (decoded.text, decoded.encoding) == (text, name)


def test_only_one_byte_order_mark_is_dropped() -> None:
    assert decode_text("\ufeff\ufeffa".encode()).text == "\ufeffa"
    assert decode_text("\ufeff\ufeffa".encode(), encoding="utf-8").text == "\ufeffa"
    assert decode_text("a\ufeff".encode()).text == "a\ufeff"


def test_utf_16_that_starts_with_nul_is_not_taken_for_utf_32() -> None:
    assert decode_text(b"\xff\xfe\x00\x00a\x00").text == "\x00a"


@pytest.mark.parametrize(
    ("data", "text", "n_replaced", "first"),
    [
        (b"a\xffb\xfe\xfec", "a\ufffdb\ufffd\ufffdc", "3 byte sequences", "first is at byte 1"),
        # The position counts the mark: it is where a hex editor shows the byte.
        (b"\xef\xbb\xbfab\xff", "ab\ufffd", "1 byte sequence", "at byte 5"),
        # U+FFFD that the file holds itself was not replaced.
        ("\ufffd\ufffd".encode() + b"\xff", "\ufffd" * 3, "1 byte sequence", "at byte 6"),
        (b"\xff\xfea\x00b", "a\ufffd", "1 byte sequence", "at byte 4"),  # odd length
        (b"\xff\xfe\x00\xd8a\x00", "\ufffda", "1 byte sequence", "at byte 2"),  # lone half
        (b"\xfe\xff\x00a\xd8", "a\ufffd", "1 byte sequence", "at byte 4"),
        (b"\xed\xa0\x80", "\ufffd" * 3, "3 byte sequences", "at byte 0"),  # a half in UTF-8
    ],
)
def test_bad_bytes_are_replaced_counted_and_placed(
    data: bytes, text: str, n_replaced: str, first: str
) -> None:
    decoded = decode_text(data)
    assert decoded.text == text
    assert decoded.warnings[0].startswith(n_replaced)
    assert decoded.warnings[0].endswith(first)


@given(st.binary(max_size=60) | st.binary(max_size=20).map(lambda data: b"\xff\xfe" + data))
def test_any_bytes_give_a_text_that_utf_8_can_hold(data: bytes) -> None:
    decoded = decode_text(data)
    assert decoded.text.encode().decode() == decoded.text
    if decoded.encoding == "utf-8":
        assert decoded.text == data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


@given(st.text())
def test_utf_8_comes_back_unchanged_line_ends_included(text: str) -> None:
    decoded = decode_text((text + "\r\n\r").encode(), encoding="utf-8")
    assert decoded.text == text.removeprefix("\ufeff") + "\r\n\r"


@given(
    st.binary(max_size=40),
    st.sampled_from(["latin-1", "cp1252", "utf-16", "UTF-16LE", "utf-7", "shift_jis", "gb18030"]),
)
def test_a_forced_encoding_takes_any_bytes(data: bytes, encoding: str) -> None:
    text = decode_text(data, encoding=encoding).text
    assert text.encode().decode() == text


def test_a_forced_encoding_is_stronger_than_a_byte_order_mark() -> None:
    assert decode_text(b"\xef\xbb\xbfa", encoding="latin-1").text == "ï»¿a"
    assert decode_text(b"\xff\xfea\x00", encoding="utf-16-le").text == "a"
    assert decode_text(b"caf\xe9", encoding="cp1252") == DecodedText("café", "cp1252", ())


@pytest.mark.parametrize("encoding", ["nope", "", "a\x00b", "base64", "rot13", "punycode", "idna"])
def test_a_name_of_no_text_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(ConfigError, match=r"no text encoding .* use a name such as utf-8"):
        decode_text(b"a", encoding=encoding)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"text\x00text", "looks binary: 1 of 9"),
        (b"\x01\x02\x03 abc", "looks binary: 3 of 7"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04....", "ZIP"),
        ("Grüße".encode("utf-16-le"), "UTF-16 without a byte order mark"),
        ("très élevé, à côté".encode("latin-1"), "another encoding than utf-8"),
    ],
)
def test_what_looks_like_no_text_is_told(data: bytes, message: str) -> None:
    assert message in decode_text(data).warnings[-1]


@pytest.mark.parametrize("text", ["a\tb\r\nc\x0c\x1b[0m", "日本語 👨‍👩‍👧", "<script>\u2028"])
def test_usual_text_raises_no_doubt(text: str) -> None:
    assert decode_text(text.encode()).warnings == ()
