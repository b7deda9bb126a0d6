"""Special tokens in text: the longest at a position wins, and thousands are as few."""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.special_tokens import SpecialTokenFinder

Stretches = list[tuple[int, int, bool]]

letters = st.sampled_from("ab<|>-]^\\\n")
# Some tokens of one length and others that start with each other, up to some hundred deep.
tokens = st.one_of(
    st.lists(st.text(letters, min_size=1, max_size=7), max_size=12),
    st.builds(
        lambda char, sizes: [char * size for size in sizes], letters, st.sets(st.integers(1, 300))
    ),
    st.builds(
        lambda char, sizes: [char * n + "c" for n in sizes], letters, st.sets(st.integers(1, 40))
    ),
)


def naively(text: str, special_tokens: Collection[str]) -> Stretches:
    """Try every token at every position."""
    stretches: Stretches = []
    done = at = 0
    while at < len(text):
        length = max((len(t) for t in special_tokens if text.startswith(t, at)), default=0)
        if length:
            stretches += [(done, at, False)] if done < at else []
            stretches.append((at, at + length, True))
            done = at + length
        at += length or 1
    return stretches + ([(done, len(text), False)] if done < len(text) else [])


@given(tokens, st.data())
def test_any_tokens_are_found_as_naively(special_tokens: list[str], data: st.DataObject) -> None:
    part = st.one_of(letters, st.sampled_from(special_tokens or [""]), st.just("c"))
    text = "".join(data.draw(st.lists(part, max_size=20)))
    assert list(SpecialTokenFinder(special_tokens).split(text)) == naively(text, special_tokens)


def test_an_empty_token_is_never_found() -> None:
    assert list(SpecialTokenFinder(["", "b"]).split("ab")) == [(0, 1, False), (1, 2, True)]


def test_five_thousand_tokens_in_a_long_text() -> None:
    """Names with a number, as models reserve them, and line ends and blanks of every length."""
    choose = random.Random(8)
    special = [f"<|reserved_{number}|>" for number in range(3000)]
    special += ["\n" * n for n in range(1, 1001)] + [" " * n for n in range(2, 1001)]
    parts = [
        *choose.choices(special[:3000], k=300),
        *["a b\n"] * 900,
        "<|reserved_",
        "<",
        "\n\n \n",
    ]
    parts += [choose.choice("\n ") * choose.randint(1, 40) for _ in range(100)]
    parts += ["<|reserved_3000|>", "\n" * 2500]
    choose.shuffle(parts)
    text = "".join(parts)
    by_first = {char: [token for token in special if token[0] == char] for char in "<\n "}
    expected: Stretches = []
    at = 0
    while at < len(text):
        here = by_first.get(text[at], ())
        length = max((len(token) for token in here if text.startswith(token, at)), default=0)
        if length == 0 and expected and not expected[-1][2]:
            expected[-1] = (expected[-1][0], at + 1, False)
        else:
            expected.append((at, at + (length or 1), length > 0))
        at += length or 1
    assert list(SpecialTokenFinder(special).split(text)) == expected
    assert sum(is_special for _, _, is_special in expected) == 1267


def test_a_tokenizer_takes_thousands_of_special_tokens_as_such() -> None:
    special = [f"<|{number}|>" for number in range(5000)]
    tokenizer = bpe.train("low low", num_merges=2, special_tokens=special).tokenizer
    text = "".join(f"low<|{number}|>\n" for number in range(0, 5000, 7))
    encoding = tokenizer.encode(text, allowed_special="all")
    assert [i for i in encoding.ids if i < 5000] == list(range(0, 5000, 7))
    assert tokenizer.decode(encoding.ids) == text
    some = tokenizer.encode(text, allowed_special={"<|7|>", "<|14|>"})
    assert [i for i in some.ids if i < 5000] == [7, 14]
    assert not any(i < 5000 for i in tokenizer.encode(text).ids)


@pytest.mark.parametrize("allowed", ["all", {"<s>", "<s>x"}, ["<s>x", "<s>"], ("<s>x", "<s>")])
def test_any_collection_of_names_is_allowed(allowed: Collection[str]) -> None:
    run = bpe.train("", num_merges=0, special_tokens=["<s>", "<s>x"])
    assert run.tokenizer.encode("<s><s>x", allowed_special=allowed).ids == [0, 1]
