"""Reading the text out of a file whose encoding nobody stated.

A byte order mark decides and is dropped; without one the bytes are UTF-8. What is not valid is
replaced by U+FFFD and told in a warning, so that any file gives a text. Line ends are kept as
they are: to a byte-level trainer they are data.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bpe.errors import ConfigError
from bpe.normalizers import well_formed

Errors: TypeAlias = Literal["replace", "strict"]

# UTF-32 comes first: its little-endian mark starts with the one of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_MARKS = tuple(mark for mark, name in _BYTE_ORDER_MARKS if name != "utf-8")
_KNOWN_STARTS = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
)
# Control characters other than tab, line feed, form feed, carriage return and escape.
_CONTROLS = [chr(code) for code in (*range(1, 9), 11, *range(14, 27), *range(28, 32), 127)]
_CONTROLS_IN_BINARY = 0.05
_INVALID_IN_OTHER_ENCODINGS = 0.05
# Python calls these text encodings too, but no file is in one of them.
_NOT_FOR_FILES = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file, the encoding it was read in, and what the reader should know.

    >>> DecodedText("low", encoding="utf-8", warnings=()).text
    'low'
    """

    text: str
    encoding: str
    warnings: tuple[str, ...]


class DecodedPart(NamedTuple):
    """The text of a part of a file, how many of its bytes that took, and what was not valid."""

    text: str
    n_taken: int
    n_replaced: int  # byte sequences
    first_bad: int | None  # byte of the part


def decode_text(data: bytes, *, encoding: str | None = None) -> DecodedText:
    """Read the bytes of a file as text; bad bytes never raise.

    `encoding` forces an encoding by any name Python knows. Raises ConfigError for one it does
    not know.

    >>> decode_text(b"\\xff\\xfeh\\x00\\xe9\\x00")
    DecodedText(text='hé', encoding='utf-16-le', warnings=())
    >>> decode_text(b"ab\\xe6\\x97").warnings
    ('1 byte sequence is not valid utf-8 and was replaced by U+FFFD; it is at byte 2',)
    """
    return decode_noting_faults(data, encoding)[0]


def decode_noting_faults(
    data: bytes, encoding: str | None = None
) -> tuple[DecodedText, tuple[int, int] | None]:
    """Read as `decode_text` does, and give how much was not valid and at which byte the first is.

    >>> decode_noting_faults(b"ab\\xff\\xff")[1]
    (2, 2)
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise ConfigError(f"what is to be read must be the bytes of a file, not {data!r:.80}")
    data = bytes(data)
    name, mark = _encoding_of(data) if encoding is None else (_codec_name(encoding), b"")
    body = data[len(mark) :]
    text, _, n_replaced, first_bad = decode_part(body, name, is_last=True)
    if encoding is not None:
        text = well_formed(text.removeprefix("\ufeff"))
    replaced = None if first_bad is None else (n_replaced, first_bad + len(mark))
    warnings = [replaced_warning(name, *replaced)] if replaced else []
    if not text:
        warnings.append("the file is empty: there is no text in it")
    elif not text.strip():
        warnings.append("the file is blank: it holds only white space")
    else:
        warnings.extend(doubts(data, text, name, n_replaced))
    return DecodedText(text, name, tuple(warnings)), replaced


def _encoding_of(data: bytes) -> tuple[str, bytes]:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark) and (not name.startswith("utf-32") or _is_valid(data, name)):
            return name, mark
    return "utf-8", b""


def _is_valid(data: bytes, name: str) -> bool:
    # A UTF-16 text may start with NUL, which looks like the mark of UTF-32.
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _codec_name(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        b"abcd".decode(name, "replace")  # refuses codecs that make bytes of bytes, such as base64
        known = name.replace("_", "-") not in _NOT_FOR_FILES
    except (LookupError, ValueError, TypeError):
        known = False
    if not known:
        raise ConfigError(
            f"there is no text encoding {encoding!r}: use a name such as utf-8, utf-16, "
            "windows-1252 or shift_jis"
        )
    return name


def decode_part(data: bytes, encoding: str, *, is_last: bool) -> DecodedPart:
    """Read a part of a file as text, replacing what is not valid.

    A character that is not complete at the end of the part is left over, unless the part `is_last`
    of the file.

    >>> decode_part(b"a\\xffb\\xe6", "utf-8", is_last=False)
    DecodedPart(text='a�b', n_taken=3, n_replaced=1, first_bad=1)
    """
    text, n_rest = "", 0
    try:
        text, n_rest = _decoded(data, encoding, "strict", is_last)
    except UnicodeDecodeError as error:
        text, n_rest = _decoded(data, encoding, "replace", is_last)
        # A file may hold U+FFFD of its own; "ignore" keeps those and drops what is not valid.
        n_own = _decoded(data, encoding, "ignore", is_last)[0].count("\ufffd")
        return DecodedPart(text, len(data) - n_rest, text.count("\ufffd") - n_own, error.start)
    return DecodedPart(text, len(data) - n_rest, 0, None)


def _decoded(data: bytes, encoding: str, errors: str, is_last: bool) -> tuple[str, int]:
    """Return the text and how many bytes at the end are the start of a character."""
    if is_last:
        return data.decode(encoding, errors), 0
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    text = decoder.decode(data, is_last)
    return text, len(decoder.getstate()[0])


def replaced_warning(encoding: str, n_replaced: int, first_bad: int) -> str:
    """Say how much of a file was not valid and was replaced, and where the first of it is.

    >>> replaced_warning("utf-8", 2, 1_000)
    '2 byte sequences are not valid utf-8 and were replaced by U+FFFD; the first is at byte 1,000'
    """
    if n_replaced == 1:
        what, where = "1 byte sequence is not valid", "it is at"
        return f"{what} {encoding} and was replaced by U+FFFD; {where} byte {first_bad:,}"
    return (
        f"{n_replaced:,} byte sequences are not valid {encoding} and were replaced by U+FFFD; "
        f"the first is at byte {first_bad:,}"
    )


def no_text(name: str, encoding: str, position: int) -> ConfigError:
    """Say that a file is not text in its encoding from a byte on, and what can be done.

    >>> str(no_text("a.txt", "utf-8", 1_000))[:38]
    'a.txt is not valid utf-8 at byte 1,000'
    """
    return ConfigError(
        f"{name} is not valid {encoding} at byte {position:,}: save it in that encoding, or have "
        'what is not valid replaced by U+FFFD (errors="replace")'
    )


def kind_of_binary(first: bytes) -> str | None:
    """Tell what a file is that starts so, None if it may be text.

    >>> kind_of_binary(b"\\x1f\\x8b\\x08"), kind_of_binary(b"low"), kind_of_binary(b"l\\0w")
    ('a gzip archive', None, 'a binary file')
    """
    known = next((kind for start, kind in _KNOWN_STARTS if first.startswith(start)), None)
    if known is None and b"\0" in first and not first.startswith(_WIDE_MARKS):
        return "a binary file"
    return known


def doubts(data: bytes, text: str, name: str, n_replaced: int) -> list[str]:
    """Say why the file may not be text, or not text in this encoding.

    >>> doubts(b"l\\0w", "l\\0w", "utf-8", 0)
    ['the file looks binary: 1 of 3 characters are control characters']
    """
    known = next((kind for start, kind in _KNOWN_STARTS if data.startswith(start)), None)
    if known:
        return [f"the file looks binary: it is {known}; export its text first"]
    n_nul = text.count("\x00")
    if name == "utf-8" and 3 * n_nul > len(text) > 1:
        return [
            f"the file looks binary: {n_nul:,} of {len(text):,} characters are NUL; if it is "
            "text, it is UTF-16 without a byte order mark: save it as UTF-8"
        ]
    n_controls = n_nul + sum(map(text.count, _CONTROLS))
    if n_nul or n_controls > len(text) * _CONTROLS_IN_BINARY:
        return [
            f"the file looks binary: {n_controls:,} of {len(text):,} characters are control "
            "characters"
        ]
    if n_replaced > 1 and n_replaced > len(text) * _INVALID_IN_OTHER_ENCODINGS:
        return [f"the file may be in another encoding than {name}, or binary: save it as UTF-8"]
    return []
