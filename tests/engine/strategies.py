"""What Hypothesis draws from: texts that have broken tokenizers, corpora, settings."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# Line ends, invisible and joining characters, cases that change length, marks, wide and paired
# characters, emoji made of several, and halves of surrogates in an order that may or may not join.
AWKWARD = (
    "\x00\t\n\r\x1c\x85\xa0\u200b\u200d\u2028\u3000\ufeff\ufffd"
    "aAbßéİıſςΣǅe\u0301\u0323ﬁﷺ½Ⅷ²क्षे한글ᄒ"
    "日本€😀👍🏽👨‍👩‍👧🇳🇴'’s<>&$_|/()[]{}0123 "
)
SURROGATES = "\ud83d\ude00\ud800\udfff"

characters = st.one_of(
    st.sampled_from("abc '1\n"), st.sampled_from(AWKWARD), st.characters(exclude_categories=["Cs"])
)
well_formed_texts = st.text(characters, max_size=40)
broken_texts = st.text(st.sampled_from(SURROGATES + "aé '\n"), min_size=1, max_size=12)
texts = st.one_of(well_formed_texts, broken_texts, st.text(st.sampled_from(AWKWARD), max_size=30))

# Few symbols and short words: pairs repeat, overlap and tie.
words = st.text("abc", min_size=1, max_size=8)
word_counts = st.dictionaries(words, st.integers(1, 5), min_size=1, max_size=8)
awkward_word_counts = st.dictionaries(
    st.text(st.sampled_from("abé日😀 '"), min_size=1, max_size=8),
    st.integers(1, 5),
    min_size=1,
    max_size=8,
)

named_patterns = st.sampled_from(["none", "whitespace", "gpt2", "cl100k", "o200k"])
patterns = st.one_of(named_patterns, st.sampled_from([r"[a-z]+", r"\s+|\w", r"(?=b)|a*"]))
normalizers = st.one_of(
    st.just("none"),
    st.lists(st.sampled_from(["lowercase", "nfc", "nfd", "nfkc", "nfkd", "none"]), max_size=3).map(
        tuple
    ),
)
tie_rules = st.sampled_from(
    ["lexicographic", "lexicographic_max", "first_seen", "lowest_ids", "gpt2_byte_ids"]
)


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    """Any settings of `bpe.train` that go together."""
    base = draw(st.sampled_from(["char", "byte"]))
    tie_break = draw(tie_rules)
    if base == "char" and tie_break == "gpt2_byte_ids":
        tie_break = "lowest_ids"
    return {
        "base": base,
        "num_merges": draw(st.integers(0, 30)),
        "pattern": draw(patterns),
        "normalizer": draw(normalizers),
        "end_of_word": draw(st.sampled_from([None, None, "</w>", "b", "é"])),
        "unknown_token": draw(st.sampled_from([None, "[UNK]", "日"])) if base == "char" else None,
        "tie_break": tie_break,
        "min_frequency": draw(st.integers(0, 3)),
        "special_tokens": draw(
            st.lists(st.sampled_from(["<|end|>", "a", "ab", " "]), unique=True, max_size=2)
        ),
    }
