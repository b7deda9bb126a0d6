"""The splitting kernels against the plain splitter: the same pre-tokens of any text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe._kernels.class_table import PATTERN_CODES, class_table
from bpe._kernels.splitting import fill_ends, next_end
from bpe.pre_tokenizers import PATTERN_NAMES, compile_pattern

# Every kind of character the patterns tell apart, in one to four bytes: suffixes in any case with
# the long s, white space of many kinds, marks, joiners, letters of each case outside the first
# plane.
KINDS = (
    " \t\n\r\x0b\x1c\x1f\x85\xa0\u1680\u2003\u2028\u3000'’/.!?_\x00\x7f"
    "sSſtTrReEvVmMlLdDaAzZéÉǅʰªאعक्าあア中한ß"
    "019²½٣Ⅷ𝟘\u0301\u0323\ufe0f\u200d\u180e\ufeff\ufffd😀👍🏽𝐀𝒶𐐀𐐨𠀀"
)
WINDOW = 64  # bytes a kernel looks at together

mixed = st.text(st.sampled_from(KINDS), max_size=150)
few_kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=4).flatmap(
    lambda kinds: st.text(st.sampled_from(kinds), max_size=150)
)
spaces_and_line_ends = st.text(st.sampled_from(" \t\n\r\u3000a.1/"), max_size=150)
suffixes = st.lists(
    st.sampled_from(["'", "s", "S", "ſ", "ll", "Ve", "rE", "d", "a", " ", "!", "B", "\u0301"]),
    max_size=80,
).map("".join)
prose = st.lists(
    st.sampled_from(
        ["the", " Word", " it's", ".\n", "\n\n", " (1234)", "  indented", " café", " Москва",
         " 日本語", " हिन्दी", "\u00a0", "…", " 3.14", "\t", "HTMLParser", " don't", "'s"]
    ),
    max_size=60,
).map("".join)  # fmt: skip
texts = st.one_of(
    mixed, few_kinds, spaces_and_line_ends, suffixes, prose,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
)  # fmt: skip
named_patterns = pytest.mark.parametrize("pattern", PATTERN_NAMES)


def plain_pieces(text: str, pattern: str) -> list[bytes]:
    return [text[start:end].encode() for start, end in compile_pattern(pattern).split(text)]


def kernel_pieces(text: str, pattern: str, n_at_once: int = WINDOW + 7) -> list[bytes]:
    """Split in batches, so that each batch starts where the one before ended."""
    encoded = text.encode()
    data, ends = np.frombuffer(encoded, np.uint8), np.empty(n_at_once, np.int64)
    pieces, position = [], 0
    while position < len(data):
        n_ends = fill_ends(
            data, position, len(data), PATTERN_CODES[pattern], class_table(pattern), ends
        )
        for end in ends[:n_ends].tolist():
            pieces.append(encoded[position:end])
            position = end
    dropped = pattern == "whitespace"
    return [piece for piece in pieces if not (dropped and piece.decode().isspace())]


def one_by_one(text: str, pattern: str) -> list[int]:
    data, position, ends = np.frombuffer(text.encode(), np.uint8), 0, []
    while position < len(data):
        position = next_end(data, position, len(data), PATTERN_CODES[pattern], class_table(pattern))
        ends.append(position)
    return ends


@named_patterns
@given(text=texts)
def test_kernels_split_any_text_as_the_plain_splitter(pattern: str, text: str) -> None:
    assert kernel_pieces(text, pattern) == plain_pieces(text, pattern)


@named_patterns
@given(text=texts)
def test_a_pre_token_found_alone_ends_where_it_does_in_a_batch(pattern: str, text: str) -> None:
    data = np.frombuffer(text.encode(), np.uint8)
    ends = np.empty(len(data) + WINDOW, np.int64)
    n_ends = fill_ends(data, 0, len(data), PATTERN_CODES[pattern], class_table(pattern), ends)
    assert ends[:n_ends].tolist() == one_by_one(text, pattern)


@named_patterns
@given(text=texts, offset=st.integers(0, 70))
def test_what_stands_before_the_start_does_not_matter(pattern: str, text: str, offset: int) -> None:
    body = ("x" * offset + text).encode()
    data, ends = np.frombuffer(body, np.uint8), np.empty(len(body) + WINDOW, np.int64)
    n_ends = fill_ends(data, offset, len(data), PATTERN_CODES[pattern], class_table(pattern), ends)
    assert [end - offset for end in ends[:n_ends].tolist()] == one_by_one(text, pattern)


@pytest.mark.slow
@named_patterns
def test_every_code_point_splits_alike_in_context(pattern: str) -> None:
    """Each after and before a letter, a capital, a sign, a number and white space.

    Planes 4 to 13 hold no characters and 15 and 16 private ones, all of one class: there a code
    point only stands next to its neighbours.
    """
    codes = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for start in range(0, len(codes), 1 << 16):
        chars = [chr(code) for code in codes[start : start + (1 << 16)]]
        text = "".join(chars)
        if text[0] < "\U00040000" or "\U000e0000" <= text[0] < "\U000f0000":
            text = "".join(f"x{char}A{char}b !{char}1{char} {char}\n" for char in chars)
        assert kernel_pieces(text, pattern, 1 << 16) == plain_pieces(text, pattern), hex(start)


@named_patterns
@pytest.mark.parametrize("char", list("a1!\n 'é中\u0301😀\u3000١"))
def test_runs_of_any_length_around_a_window_split_alike(pattern: str, char: str) -> None:
    for n_chars in range(1, 2 * WINDOW + 6):
        for text in (char * n_chars, f"ab {char * n_chars}b's"):
            assert kernel_pieces(text, pattern) == plain_pieces(text, pattern), ascii(text)
