"""Oniguruma's expressions, run by `regex`. Peer: Split of Hugging Face tokenizers."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
import regex
import tokenizers
from tokenizers import pre_tokenizers

import bpe
from bpe.oniguruma import Expression
from bpe.oniguruma.properties import misjudged, property_ranges
from bpe.unicode_classes import class_ranges
from tests.engine.pipeline_shapes import DEEPSEEK_WORDS, GPT_4O, KIMI, LLAMA_3, QWEN, hard_texts


def peer_matches(expression: str, text: str) -> list[tuple[int, int]]:
    """The matches that are not empty, by the peer."""
    pattern = tokenizers.Regex(expression)
    split = pre_tokenizers.Split(pattern, "removed", invert=True)
    return [place for _, place in split.pre_tokenize_str(text)]


def our_matches(expression: str, text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in Expression(expression).spans(text) if start < end]


def borders(ranges: Iterable[tuple[int, int]]) -> str:
    """The first and last characters of ranges, and those just outside."""
    codes = {code for a, b in ranges for code in (a - 1, a, b, b + 1)}
    return "".join(chr(c) for c in sorted(codes) if 0 <= c < 0x110000 and not 0xD800 <= c < 0xE000)


PROPERTIES = (
    *class_ranges(),
    *class_ranges("unicode_16_properties.txt"),
    *("L", "LC", "P", "S", "Z"),
)


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_hold_the_characters_the_peer_has(name: str) -> None:
    text = borders(property_ranges(name))
    assert our_matches(rf"\p{{{name}}}", text) == peer_matches(rf"\p{{{name}}}", text)


CLASSES = (
    *(r"\s", r"\S", r"\d", r"\D", r"\w", r"\W", r"\h", r"\H", r"[\w]", r"[^\w]", r"[\W]", r"."),
    *("[[:alpha:]]", "[[:^alpha:]]", "[[:alnum:]]", "[[:digit:]]", "[[:punct:]]", "[[:space:]]"),
    *("[[:upper:]]", "[[:lower:]]", "[[:word:]]", "[[:blank:]]", "[[:cntrl:]]", "[[:xdigit:]]"),
    *(r"\p{Punct}", r"\p{word}", r"\p{alnum}", r"\p{Letter}", r"\p{^L}", r"\P{Lu}"),
    *(r"[^\p{^L}]", r"(?i:[\p{L}])", r"(?i:\p{L})", r"(?i:[^\s\p{L}\p{N}])", r"(?i:[a-z])"),
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]",
)


@pytest.mark.parametrize("expression", CLASSES)
def test_classes_hold_the_characters_the_peer_has(expression: str) -> None:
    names = ("Alphabetic", "Nd", "Pc", "M", "White_Space", "P", "Sm", "Uppercase", "Cc", "Han")
    text = borders(pair for name in names for pair in property_ranges(name)) + "²³¹¼½¾ſK"
    assert our_matches(expression, text) == peer_matches(expression, text)


EXPRESSIONS = (
    *(r"\b\w", r"\B", "^a|b$", "^", "$", r"a\Z", r"a\z", r"\Aa", "a.b", "(?m)a.b", "(?m:a.)b."),
    *("(?i)'s", "(?i:k|[a-s])", "a(?i)b|z", "(?i:a(?-i:b)|z)", "(?i)[^a-z]+", "(a)(?:b)(?<n>c)?"),
    *("(?#x)a", "(?<=a)b|(?<!a)b", "(?<=a+|bb)-", "(?>a+)b|a", "a{,2}b", "a{2}+", "a{1,2}+"),
    *("a{2}?b", "a{1,3}?", "a++|a", "[a-c&&[^b]]", "[^a-c&&b-z]", "[a[bZ]]", "[^a[bZ]]", "[a-]"),
    *("[-a]", "[+--]", "[a||b]", r"[\]\-\\]", "a{", "}", "]", "a|b|", "|b", "(|a)b", "x*", "a??b"),
    *(r"\x{4e00}-?|\u4e2d", r"\x41|\e|\t", r"\R", r"\ |\/|\-|\é", "[.*+?(){}|^$]", r"[\d\s]"),
    *(r"[\D\S]", r"[\n-\r]", "[a&b]", "[[a]]", r"[\[\]]", "[a-z&&[aeiou]&&[^e]]", "a?+b", "a*?b"),
    *(r"\p{Han}+|\p{Hiragana}|\p{Katakana}", r"[\s&&[^\n]]+", r"(?i)\x{73}", r"\p{LC}", "(?:a|b)+"),
    *(LLAMA_3, GPT_4O, QWEN, KIMI, DEEPSEEK_WORDS, r"\s+(?!\S)|\s+", r" ?[^(\s|[.,!?…。،])]+"),
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_match_where_the_peer_does(expression: str) -> None:
    for text in ("aabba-ab", "a\nb\n", *hard_texts(expression, 30)):
        assert our_matches(expression, text) == peer_matches(expression, text), ascii(text)


def random_expression(chooser: random.Random, depth: int = 0) -> str:
    """Put an expression together from what Oniguruma knows, and so that repeats stay quick."""
    atoms = ("a", "b", "1", " ", r"\s", r"\w", r"\p{L}", r"[^\s\p{L}]", "[a-z1]", r"[\p{N}&&[^9]]")
    alternatives = []
    for _ in range(chooser.choice((1, 1, 2, 3))):
        parts = []
        for _ in range(chooser.choice((1, 2, 3))):
            atom = chooser.choice(atoms)
            if depth < 2 and chooser.random() < 0.3:
                opening = chooser.choice(("(", "(?:", "(?i:", "(?>", "(?=", "(?!", "(?<=", "(?<!"))
                atom = f"{opening}{random_expression(chooser, depth + 1)})"
                parts.append(atom)
                continue
            repeats = ("", "", "", "*", "+", "?", "++", "?+", "+?", "{2}", "{1,2}", "{2}+", "{,2}")
            parts.append(atom + chooser.choice(repeats))
        alternatives.append("".join(parts))
    return "|".join(alternatives)


def test_random_expressions_match_where_the_peer_does() -> None:
    chooser = random.Random("random expressions")
    n_compared = 0
    for number in range(150):
        expression = random_expression(chooser)
        try:
            matches = peer_matches(expression, "")
        except Exception:  # Oniguruma does not take every look-behind
            continue
        if "in a look-behind" in refusal(expression):
            continue
        assert our_matches(expression, "") == matches
        n_compared += 1
        for text in hard_texts(str(number), 8):
            matches = peer_matches(expression, text)
            assert our_matches(expression, text) == matches, (expression, text)
    assert n_compared > 100


def refusal(expression: str) -> str:
    try:
        Expression(expression)
    except bpe.ConfigError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("expression", "construct"),
    [
        (r"(a)\1", r"the escape \\1"),
        (r"\Ga", r"the escape \\G"),
        (r"\X", r"the escape \\X"),
        (r"a\Kb", r"the escape \\K"),
        (r"\Q.\E", r"the escape \\Q"),
        (r"\k<n>", r"the escape \\k"),
        (r"\cA", r"the escape \\c"),
        (r"\xe9", r"the byte \\xe9"),
        (r"\x{110000}", r"which is no character"),
        (r"\u{61}", r"the escape \\u"),
        ("(?x) a", "the option x"),
        ("(?~a)", r"\(\?~a"),
        ("(?<n", r"\(\?<n"),
        ("(?P<n>a)", r"\(\?P<"),
        ("(?(1)a|b)", r"\(\?\(1"),
        ("(*FAIL)", r"\(\*FA"),
        ("a**", "a repeat of a repeat"),
        ("^*", "a repeat of a repeat, of an anchor"),
        ("(?=a)*", "a repeat of a repeat, of an anchor or of a look-around"),
        ("(?<=a++)b", "a possessive repeat or atomic group in a look-behind"),
        ("(?<!b(?:(?>a)))b", "a possessive repeat or atomic group in a look-behind"),
        ("*a", "a repeat of nothing"),
        ("a{3,1}", r"the repeat \{3,1\}"),
        ("a{0,1000000}", r"the repeat \{0,1000000\}"),
        ("a{1000000}", "is too large: its repeats in repeats write out to 1,000,000 parts"),
        ("((a{99}){99}){99}", "is too large: its repeats in repeats write out to 970,299 parts"),
        ("a" * 10_001, "is too large: it has 10,001 characters, more than 10,000"),
        ("(", "not closed"),
        (")", "closes nothing"),
        ("[a", "without its closing bracket"),
        ("[]a]", "closing bracket"),
        ("[a&&]", "closing bracket|an empty set"),
        ("[z-a]", "a range from 'z' down to 'a'"),
        (r"[\w-a]", "a class as the start of a range"),
        (r"[a-\d]", "a class as the end of a range"),
        ("[a-[b]]", "a set as the end of a range"),
        ("[[:nonsense:]]", r"\[:nonsense:\]"),
        ("[" * 30 + "a" + "]" * 30, "deeper than twenty"),
        ("(" * 90 + "a" + ")" * 90, "deeper than fifty"),
        (r"\p{nonsense}", r"the property \\p\{nonsense\}"),
        ("(?i)ss", r"\(\?i\) with 'ss'"),
        ("(?i:of(?:f))", r"\(\?i\) with 'ff'"),
        ("(?i)é", r"\(\?i\) with the letter 'é'"),
        ("(?i)[à-ö]", r"\(\?i\) with the letter 'à'"),
        (r"(?i)[\p{Lu}]", r"\(\?i\) with \\p\{Lu\} in a set"),
        ("a\\", "an end in the middle"),
    ],
)
def test_what_is_not_translated_is_named(expression: str, construct: str) -> None:
    with pytest.raises(bpe.ConfigError, match=construct):
        Expression(expression)


def test_characters_that_regex_takes_for_others_are_put_right() -> None:
    """U+A7CE is a letter since Unicode 17, which `regex` may know and Unicode 16 does not."""
    newer, older = "\ua7ce", "\ua7cd"
    expression = Expression(r"\p{L}+|[^\p{L}]")
    assert [*expression.spans(f"a{newer}{older}b")] == [(0, 1), (1, 2), (2, 4)]
    assert [*expression.spans(f"a{newer}b")] == [(0, 1), (1, 2), (2, 3)]


def test_misjudged_characters_are_found_in_both_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if in Unicode 16 only "b" were a letter."""
    module = "bpe.oniguruma.properties.property_ranges"
    monkeypatch.setattr(module, lambda name: [(ord("1"), ord("1")), (ord("b"), ord("b"))])
    assert misjudged("ab1", "L") == ("a", "1")
    expression = Expression(r"\p{L}|[^\p{L}]{2}")
    assert [*expression.spans("ab1é2")] == [(1, 2), (2, 3), (3, 5)]


COMMON = (
    *(LLAMA_3, QWEN, DEEPSEEK_WORDS, r"\p{N}{1,3}", "(?i:k|r)", "[一-龥]+", "a{2,}?", "[.a\\-z]"),
    *(r"(?<=a)b|(?!c)\S", r"(?>a+)b|[\P{L}a]", r"\d+|\D", "(a)|(?<n>b)"),
)
UNCOMMON = (
    *("^a", "a$", r"\bа", r"\w", r"[[:alpha:]]", "[a&&b]", "[a[b]]", "a{2}+", "a{2}?", "(?m)a"),
    *("(?i)a", "(?i:i)", "(?i:[a-z])", r"\h", r"\v", r"\p{^L}", r"\p{alpha}", r"\Z", "a{", "]"),
)


@pytest.mark.parametrize("expression", COMMON)
def test_common_expressions_are_read_alike_by_regex(expression: str) -> None:
    """On characters that all versions of Unicode agree on."""
    ours, theirs = Expression(expression), regex.compile(expression)
    assert ours.is_common
    for text in hard_texts(expression, 60):
        text = regex.sub("[\ua7ce\U00016ea0\U000105c9\U0001e6c0]", "", text)
        matches = [match.span() for match in theirs.finditer(text)]
        assert [match.span() for match in ours.ready_for(text).finditer(text)] == matches


@pytest.mark.parametrize("expression", UNCOMMON)
def test_expressions_with_another_meaning_for_regex_are_known(expression: str) -> None:
    assert not Expression(expression).is_common


@pytest.mark.parametrize(
    ("expression", "can_be_empty"),
    [("a", False), ("a*", True), ("a|", True), ("a?b", False), ("(?=a)", True), (r"\b", True),
     ("(a|b*)+", True), ("a{0,2}", True), ("a{,2}", True), ("a{2}?", True), ("(?:)a", False),
     ("(?i)a", False), ("(?i)a?", True)],
)  # fmt: skip
def test_expressions_that_match_nothing_are_known(expression: str, can_be_empty: bool) -> None:
    assert Expression(expression).can_be_empty == can_be_empty


def test_a_pattern_of_ones_own_that_would_take_all_memory_is_refused() -> None:
    """`regex` would write out a thousand million parts before it could be stopped."""
    with pytest.raises(bpe.ConfigError, match="1,001,001,000 parts, more than 100,000; make it"):
        bpe.pre_tokenize("a", "(?:(?:a{1000}){1000}){1000}")
    assert len(bpe.pre_tokenize("a" * 10, r"\p{L}{1,3}[{]?(?:(?:a{10}){10}){10}|a")) == 10


def test_a_pattern_of_ones_own_knows_the_letters_of_unicode_16() -> None:
    pieces = bpe.pre_tokenize("a\ua7ceb", r"\p{L}+")
    assert [piece.text for piece in pieces] == ["a", "\ua7ce", "b"]
