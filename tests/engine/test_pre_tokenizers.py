"""Pre-tokenizers: the named patterns against tiktoken, and expressions of the user's own."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import pytest
import tiktoken
import tiktoken_ext.openai_public as published
from hypothesis import given
from hypothesis import strategies as st

from bpe import regex_splitter
from bpe.errors import ConfigError
from bpe.normalizers import well_formed
from bpe.pre_tokenizers import PATTERN_NAMES, PreToken, compile_pattern, pre_tokenize
from bpe.unicode_classes import class_ranges

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "cases_text.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
TIKTOKEN_NAMES = {"gpt2": "r50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"}

# Every kind of character the patterns tell apart, white space of many kinds, suffixes in any case,
# letters outside the first plane, letters of Unicode 16 and letters that came after it.
NASTY = " \t\n\r\x0b'/sSſtTrReEvVmMlLdDkK\u212a019²½٣Ⅷ.,!?ABZabzǅʰªאعक्ा้ทै中あア한́̂\u200d\u200c\ufe0f"
NASTY += (
    "😀👨\u00a0\u1680\u180e\u2028\u3000\u0085\u001c\u001f\x00\ufeff\ufffd𝐀𝒶𐐀𐐨\ua7cb\u0c5c\u088f"
)
texts = st.text(st.sampled_from(NASTY), max_size=16) | st.text(
    st.characters(exclude_categories=()), max_size=24
)
patterns = st.sampled_from([*PATTERN_NAMES, "[a-z]+", r"\d{1,3}|\p{L}+", ".", "(?=a)", "x*"])


def pieces(text: str, pattern: str) -> list[str]:
    return [piece.text for piece in pre_tokenize(text, pattern)]


def code_points(*spans: tuple[int, int]) -> list[str]:
    """Return the characters of some ranges, ends included, surrogates left out."""
    return [
        chr(code)
        for first, last in spans
        for code in range(first, last + 1)
        if not 0xD800 <= code < 0xE000
    ]


@lru_cache
def peers(name: str) -> list[tiktoken.Encoding]:
    """Return tiktoken encodings with a published pattern and a vocabulary that shows its splits.

    The vocabulary is every byte and every pair of bytes, the pairs in a random order. Text that
    is split at other places then gives other tokens, unless the pair across the place loses
    against a neighbour, which a second order makes unlikely.
    """
    with patch.object(published, "load_tiktoken_bpe", return_value={}):
        pattern = getattr(published, TIKTOKEN_NAMES[name])()["pat_str"]
    pairs = [bytes((left, right)) for left in range(256) for right in range(256)]
    encodings = []
    for seed in range(3):
        random.Random(seed).shuffle(pairs)
        contents = [*(bytes((byte,)) for byte in range(256)), *pairs]
        ranks = {content: rank for rank, content in enumerate(contents)}
        encodings.append(
            tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        )
    return encodings


def tiktoken_splits_so(name: str, parts: Iterable[str], n_peers: int = 3) -> bool:
    """Whether tiktoken splits the joined parts at their borders and nowhere else."""
    parts = list(parts)
    for peer in peers(name)[:n_peers]:
        encode_one = peer._core_bpe.encode_single_piece
        if peer.encode_ordinary("".join(parts)) != [
            token_id for part in parts for token_id in encode_one(part.encode())
        ]:
            return False
    return True


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["config"]["op"] == "pretokenize"], ids=lambda case: case["id"]
)
def test_a_case_splits_as_stated(case: dict[str, dict[str, str]]) -> None:
    assert pieces(case["input"], case["config"]["pretokenizer"]) == case["expect"]["pieces"]


def test_the_comparison_with_tiktoken_sees_a_wrong_split() -> None:
    assert tiktoken_splits_so("gpt2", ["Hello", ",", " how"])
    assert not tiktoken_splits_so("gpt2", ["Hello,", " how"])
    assert not tiktoken_splits_so("gpt2", ["Hell", "o", ",", " how"])
    assert not tiktoken_splits_so("gpt2", ["Hello", ", ", "how"])


@pytest.mark.parametrize("name", TIKTOKEN_NAMES)
@given(text=texts.map(well_formed))
def test_a_named_pattern_splits_any_text_as_tiktoken_does(name: str, text: str) -> None:
    assert tiktoken_splits_so(name, pieces(text, name))


@pytest.mark.parametrize("name", TIKTOKEN_NAMES)
def test_ten_thousand_random_texts_split_as_in_tiktoken(name: str) -> None:
    choose = random.Random(1)
    for _ in range(10_000):
        text = "".join(choose.choices(NASTY, k=choose.randint(1, 14)))
        assert tiktoken_splits_so(name, pieces(text, name)), ascii(text)


@pytest.mark.parametrize("name", TIKTOKEN_NAMES)
def test_characters_at_the_edge_of_a_class_split_as_in_tiktoken(name: str) -> None:
    edges = {
        code
        for ranges in class_ranges().values()
        for first, last in ranges
        for code in (first - 1, first, last, last + 1)
    }
    for char in code_points(*((code, code) for code in sorted(edges) if code >= 0)):
        text = f"{char}x{char}!A{char}a1{char}\n{char}"
        spans = compile_pattern(name).split(text)
        assert tiktoken_splits_so(name, (text[a:b] for a, b in spans), 1), ascii(char)


@pytest.mark.slow
@pytest.mark.parametrize("name", TIKTOKEN_NAMES)
def test_every_code_point_splits_as_in_tiktoken(name: str) -> None:
    # Planes 4 to 13 hold no characters and 15 and 16 private ones, all of one class: there each
    # code point only stands next to its neighbours.
    empty_planes = code_points((0x40000, 0xDFFFF), (0xF0000, 0x10FFFF))
    assert tiktoken_splits_so(name, pieces("".join(empty_planes), name), 1)
    everything_else = code_points((0, 0x3FFFF), (0xE0000, 0xEFFFF))
    for start in range(0, len(everything_else), 4096):
        text = "".join(f"x{char}A{char}!" for char in everything_else[start : start + 4096])
        spans = compile_pattern(name).split(text)
        assert tiktoken_splits_so(name, (text[a:b] for a, b in spans), 1), hex(start)


def test_a_letter_of_a_later_unicode_is_none_beside_an_emoji_too() -> None:
    # U+0C5C became a letter after Unicode 16. Text with characters above U+FFFF takes the wide
    # form of the expression, which must say the same.
    assert pieces("a\u0c5cb", "cl100k") == ["a", "\u0c5cb"]
    assert pieces("a\u0c5cb😀", "cl100k") == ["a", "\u0c5cb", "😀"]


@given(texts)
def test_whitespace_is_str_split(text: str) -> None:
    assert pieces(text, "whitespace") == well_formed(text).split()
    assert not compile_pattern("whitespace").keeps_everything


def test_none_is_one_piece_and_no_piece_of_nothing() -> None:
    assert pieces(" a\nb ", "none") == [" a\nb "]
    assert [pre_tokenize("", name) for name in PATTERN_NAMES] == [[]] * len(PATTERN_NAMES)


@given(texts, patterns)
def test_pre_tokens_tile_the_text(text: str, pattern: str) -> None:
    found = pre_tokenize(text, pattern)
    whole = well_formed(text)
    data = whole.encode()
    for piece in found:
        assert piece.text
        assert well_formed(text[piece.char_start : piece.char_end]) == piece.text
        assert data[piece.byte_start : piece.byte_end] == piece.text.encode()
    if compile_pattern(pattern).keeps_everything:
        assert "".join(piece.text for piece in found) == whole
        assert [p.char_start for p in found] == [0, *(p.char_end for p in found)][: len(found)]


def test_offsets_count_characters_as_given_and_bytes_as_utf_8() -> None:
    assert pre_tokenize("é \ud83d\ude00x", "whitespace") == [
        PreToken("é", 0, 1, 0, 2),
        PreToken("😀x", 2, 5, 3, 8),
    ]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("[a-z]+", "ab, c!", ["ab", ", ", "c", "!"]),
        ("x", "no match", ["no match"]),
        ("", "abc", ["abc"]),
        ("a*", "baac", ["b", "aa", "c"]),
        ("(?=b)", "abab", ["abab"]),
        (r"(?<=a)b", "abcb", ["a", "b", "cb"]),
        (r"a\Kb", "xaby", ["xa", "b", "y"]),
        (r"(\w)(\w)", "abcde", ["ab", "cd", "e"]),
        (r"\p{Lu}\p{Ll}*", "HelloWorld", ["Hello", "World"]),
    ],
)
def test_an_expression_splits_into_matches_and_what_is_between(
    pattern: str, text: str, expected: list[str]
) -> None:
    assert pieces(text, pattern) == expected


def test_matches_found_in_several_batches_look_behind_all_the_same() -> None:
    text = "ab" * 9000
    assert pieces(text, "(?<=a)b") == list(text)
    assert pieces("ab" * 9000 + "c", "^a|c$") == ["a", "b" + "ab" * 8999, "c"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(a", r"'\(a' does not compile: missing \) at position 2"),
        ("[a", "at position 2"),
        ("ab**", "multiple repeat at position 3"),
        (r"\p{Nothing}", "unknown property"),
        ("a{99999999999999999999}", "too big at position 2"),
        ("(" * 3000 + ")" * 3000, "recursion.*make it simpler"),
        ("x(?r)", r"searches backwards \(flag r at position 1\)"),
        (7, "give none, whitespace, gpt2, cl100k, o200k, or a regular expression"),
    ],
)
def test_an_expression_that_does_not_compile_is_refused_with_the_place(
    pattern: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        pre_tokenize("text", pattern)


def test_an_expression_that_never_ends_is_stopped_and_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"'\(a\+\)\+\$' took too long at character 0.*\(a\+\+\)"):
        pre_tokenize("a" * 50_000 + "b", "(a+)+$")


def test_an_expression_that_takes_too_long_is_shown_as_it_was_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # This one is rewritten for `regex`; the message must not show what it became.
    monkeypatch.setattr(regex_splitter, "SECONDS_TO_A_MATCH", 0.2)
    with pytest.raises(ConfigError, match=r"expression '\(a\|aa\)\+b' took too long"):
        pre_tokenize("a" * 5_000 + "!", "(a|aa)+b")


def test_slow_matches_may_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every b is a match, so each batch makes progress; but before it the fourteen a's are tried
    # in all 2^14 ways, and the time in all is limited as well.
    monkeypatch.setattr(regex_splitter, "SECONDS_TO_A_MATCH", 0.2)
    monkeypatch.setattr(regex_splitter, "_MATCHES_AT_ONCE", 1)
    spans = compile_pattern(r"(a|a)+\Z|b").split(("a" * 14 + "b") * 5000)
    assert next(spans) == (0, 14)
    with pytest.raises(ConfigError, match=r"took too long at character [1-9]"):
        list(spans)


def test_the_work_of_the_caller_between_two_pieces_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(regex_splitter, "SECONDS_TO_A_MATCH", 0.5)
    spans = compile_pattern("[a-z]").split("ab" * 5000)
    next(spans)
    until = time.process_time() + 1.0
    while time.process_time() < until:
        pass
    assert len(list(spans)) == 9999


def test_other_threads_run_while_an_expression_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regex_splitter, "SECONDS_TO_A_MATCH", 1.0)
    errors: list[ConfigError] = []

    def split() -> None:
        try:
            pre_tokenize("a" * 5000 + "b", "(a+)+$")
        except ConfigError as error:
            errors.append(error)

    splitting = threading.Thread(target=split)
    splitting.start()
    n_turns = 0
    while splitting.is_alive():
        threading.Event().wait(0.01)
        n_turns += 1
    assert n_turns > 5  # an expression that kept the interpreter to itself would leave one or two
    assert len(errors) == 1


def test_a_splitter_is_lazy() -> None:
    for pattern in (*PATTERN_NAMES, "[a-z]+"):
        assert next(compile_pattern(pattern).split("ab " * 200_000))[0] == 0


def test_importing_the_patterns_loads_no_heavy_package() -> None:
    code = "import sys, bpe.pre_tokenizers; print(*{'regex', 'numpy', 'numba'} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.split() == []
