"""Reading the text out of a file whose encoding nobody stated.

A byte order mark decides and is dropped; without one the bytes are UTF-8. What is not valid is
replaced by U+FFFD and told in a warning, so that any file gives a text. Line ends are kept as
they are: to a byte-level trainer they are data.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from bpe.errors import ConfigError
from bpe.normalizers import well_formed

# UTF-32 comes first: its little-endian mark starts with the one of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
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


def decode_text(data: bytes, *, encoding: str | None = None) -> DecodedText:
    """Read the bytes of a file as text; bad bytes never raise.

    `encoding` forces an encoding by any name Python knows. Raises ConfigError for one it does
    not know.

    >>> decode_text(b"\\xff\\xfeh\\x00\\xe9\\x00")
    DecodedText(text='hé', encoding='utf-16-le', warnings=())
    >>> decode_text(b"ab\\xe6\\x97").warnings
    ('1 byte sequence is not valid utf-8 and was replaced by U+FFFD; it is at byte 2',)
    """
    data = bytes(data)
    name, mark = _encoding_of(data) if encoding is None else (_codec_name(encoding), b"")
    body = data[len(mark) :]
    text, n_replaced, first_bad = _decode(body, name)
    if encoding is not None:
        text = well_formed(text.removeprefix("\ufeff"))
    warnings = [_replaced_warning(name, n_replaced, first_bad + len(mark))] if n_replaced else []
    if not text:
        warnings.append("the file is empty: there is no text in it")
    elif not text.strip():
        warnings.append("the file is blank: it holds only white space")
    else:
        warnings.extend(_doubts(data, text, name, n_replaced))
    return DecodedText(text, name, tuple(warnings))


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


def _decode(data: bytes, name: str) -> tuple[str, int, int]:
    """Return the text, how many byte sequences were replaced, and where the first was."""
    try:
        return data.decode(name), 0, 0
    except UnicodeDecodeError as error:
        first_bad = error.start
    text = data.decode(name, "replace")
    # A file may hold U+FFFD of its own; "ignore" keeps those and drops what is not valid.
    n_own = data.decode(name, "ignore").count("\ufffd")
    return text, text.count("\ufffd") - n_own, first_bad


def _replaced_warning(name: str, n_replaced: int, first_bad: int) -> str:
    if n_replaced == 1:
        what, where = "1 byte sequence is not valid", "it is at"
        return f"{what} {name} and was replaced by U+FFFD; {where} byte {first_bad}"
    return (
        f"{n_replaced:,} byte sequences are not valid {name} and were replaced by U+FFFD; "
        f"the first is at byte {first_bad}"
    )


def _doubts(data: bytes, text: str, name: str, n_replaced: int) -> list[str]:
    """Say why the file may not be text, or not text in this encoding."""
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
