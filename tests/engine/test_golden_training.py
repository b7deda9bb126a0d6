"""Golden: trainings whose every merge was derived by hand or by an independent trainer."""

from __future__ import annotations

import pytest

import bpe
from tests.engine.trained import (
    HUG,
    LOWEST,
    digest_of_merges,
    merges_of,
    trained_on_corpus,
    trained_on_hug,
    trained_on_lowest,
)

SHAKESPEARE = "corpora/tinyshakespeare.txt"


def test_the_pairs_of_lowest_are_counted_with_their_words() -> None:
    """newest 6 + widest 3 hold e+s and s+t: 9 each. lower 2 + newest 6 hold w+e: 8.
    low 5 + lower 2 hold l+o and o+w: 7. newest alone: n+e, e+w 6. widest alone: 3. lower: e+r 2.
    """
    counts = trained_on_lowest().pair_counts(0)
    assert list(counts.items()) == [
        (("e", "s"), 9),
        (("s", "t"), 9),
        (("w", "e"), 8),
        (("l", "o"), 7),
        (("o", "w"), 7),
        (("e", "w"), 6),
        (("n", "e"), 6),
        (("d", "e"), 3),
        (("i", "d"), 3),
        (("w", "i"), 3),
        (("e", "r"), 2),
    ]


def test_the_merges_of_lowest_with_their_counts_and_ties() -> None:
    """e+s before s+t (9, 9): e < s. Then es+t 9 alone. l+o before o+w (7, 7). lo+w 7 alone.
    Then e+w, n+e and w+est tie at 6 (new-est is all that has them): e+w is smallest. After it
    ew+est and n+ew tie at 6: "ew" < "n". At last n+ewest 6 alone.
    """
    steps = trained_on_lowest().steps
    assert [(step.left, step.right, step.count, step.tied) for step in steps] == [
        ("e", "s", 9, 2),
        ("es", "t", 9, 1),
        ("l", "o", 7, 2),
        ("lo", "w", 7, 1),
        ("e", "w", 6, 3),
        ("ew", "est", 6, 2),
        ("n", "ewest", 6, 1),
    ]
    assert [step.merged for step in steps] == ["es", "est", "lo", "low", "ew", "ewest", "newest"]
    assert [step.rank for step in steps] == list(range(7))
    assert [step.token_id for step in steps] == list(range(10, 17))


def test_the_vocabulary_of_lowest_grows_from_10_to_17() -> None:
    """Ten letters d e i l n o r s t w in sorted order take the ids 0 to 9."""
    run = trained_on_lowest()
    tokenizer = run.tokenizer
    assert (tokenizer.base_size, tokenizer.n_tokens, tokenizer.vocab_size) == (10, 17, 17)
    assert [tokenizer.token(i) for i in range(10)] == list("deilnorstw")
    assert (run.stop_reason, run.warnings) == ("num_merges", ())


def test_the_words_of_lowest_before_each_merge() -> None:
    """By hand: the seven merges applied to the four words."""
    run = trained_on_lowest()
    assert run.words_at(0)["newest"] == tuple("newest")
    assert run.words_at(2)["widest"] == ("w", "i", "d", "est")
    assert run.words_at(4)["lower"] == ("low", "e", "r")
    assert run.words_at(7) == {
        "low": ("low",),
        "lower": ("low", "e", "r"),
        "newest": ("newest",),
        "widest": ("w", "i", "d", "est"),
    }


def test_words_counted_once_each_lead_the_fifth_merge_astray() -> None:
    """Unweighted, w+e, n+e and the rest of new-est occur once or twice; d+est, the smallest of
    the pairs that occur once, wins where e+w should have.
    """
    weighted = bpe.reference.train_bpe(LOWEST, 5)
    unweighted = bpe.reference.train_bpe(LOWEST, 5, weighted=False)
    assert unweighted[:4] == weighted[:4] == [("e", "s"), ("es", "t"), ("l", "o"), ("lo", "w")]
    assert weighted[4] == ("e", "w")
    assert unweighted[4] == ("d", "est")


def test_the_merges_of_hug_with_their_counts_and_ties() -> None:
    """u+g: hug 10 + pug 5 + hugs 5 = 20. u+n: pun 12 + bun 4 = 16. h+ug 10 + 5 = 15. p+un 12.
    Then hug+s and p+ug tie at 5: "hug" < "p".
    """
    run = trained_on_hug()
    assert [(step.left, step.right, step.count, step.tied) for step in run.steps] == [
        ("u", "g", 20, 1),
        ("u", "n", 16, 1),
        ("h", "ug", 15, 1),
        ("p", "un", 12, 1),
        ("hug", "s", 5, 2),
        ("p", "ug", 5, 1),
    ]
    assert (run.tokenizer.base_size, run.tokenizer.n_tokens) == (7, 13)
    assert run.stop_reason == "vocab_size"


def test_the_second_pair_of_hug_is_overtaken_once_the_first_is_merged() -> None:
    """p+u is pug 5 + pun 12 = 17, second to u+g. Once u+g is merged pug has p+ug instead: 12."""
    run = trained_on_hug()
    before, after = run.pair_counts(0), run.pair_counts(1)
    assert list(before)[:2] == [("u", "g"), ("p", "u")]
    assert before["p", "u"] == 17
    assert after["p", "u"] == 12
    assert next(iter(after)) == ("u", "n")


def test_bytes_are_the_base_of_a_byte_vocabulary() -> None:
    """é is U+00E9, in UTF-8 C3 A9 = 195, 169; a byte's id is its value."""
    tokenizer = bpe.train("", num_merges=0).tokenizer
    assert tokenizer.encode("héllo").ids == [104, 195, 169, 108, 108, 111]
    assert tokenizer.decode([195]) == "\ufffd"
    assert tokenizer.decode([195, 169]) == "é"
    assert (tokenizer.base_size, tokenizer.vocab_size) == (256, 256)


def test_the_first_merges_of_shakespeare() -> None:
    """Found by a trainer of its own, which equals rustbpe and bpeasy under their tie rule."""
    steps = trained_on_corpus(SHAKESPEARE, "byte", "gpt2", 744).steps
    assert [(step.merged, step.count) for step in steps[:10]] == [
        (b" t", 23837),
        (b"he", 18203),
        (b" a", 13541),
        (b"ou", 12730),
        (b" s", 12287),
        (b" m", 10786),
        (b"in", 10606),
        (b" w", 10546),
        (b"re", 9843),
        (b"ha", 9673),
    ]
    assert steps[-1].count == 125


@pytest.mark.parametrize(
    ("base", "pattern", "num_merges", "digest"),
    [
        ("byte", "gpt2", 744, "7ce977b36df349317b8d01a955d440c82ee1ba8a48489c5cc61609b49a744e81"),
        (
            "char",
            "whitespace",
            500,
            "8ea65980135b5c45f1e670d78a4e643d96ff92f6b4cc46a7fd206af3c93995a9",
        ),
    ],
)
def test_all_merges_of_shakespeare(base: str, pattern: str, num_merges: int, digest: str) -> None:
    """The digest of an independent trainer's merges (see `digest_of_merges`)."""
    run = trained_on_corpus(SHAKESPEARE, base, pattern, num_merges)
    assert digest_of_merges(merges_of(run)) == digest


def test_all_merges_of_japanese() -> None:
    """501 base characters, 100 merges; the digest of an independent trainer's merges."""
    run = trained_on_corpus("corpora/udhr/jpn.txt", "char", "whitespace", 100)
    assert run.tokenizer.base_size == 501
    assert digest_of_merges(merges_of(run)) == (
        "292678fca90f3ba488f0537039264565615d08611f44e0f8921f443ff1dfa13f"
    )


@pytest.mark.parametrize(
    ("tie_break", "expected"),
    [
        ("lexicographic", [("a", "b"), ("b", "a")]),
        ("lexicographic_max", [("c", "b"), ("b", "c")]),
        ("first_seen", [("c", "b"), ("b", "c")]),
        ("lowest_ids", [("a", "b"), ("b", "a")]),
    ],
)
def test_each_tie_rule_on_pairs_that_all_occur_once(
    tie_break: str, expected: list[tuple[str, str]]
) -> None:
    """Words cb, bc, ba, ab: four pairs, each once, none touching another."""
    run = bpe.train(["cb", "bc", "ba", "ab"], base="char", tie_break=tie_break, num_merges=2)
    assert merges_of(run) == expected
    assert [step.tied for step in run.steps] == [4, 3]


def test_the_rule_by_ids_prefers_older_tokens_to_smaller_spellings() -> None:
    """After a+b (id 2) and a tie of ab+a with b+ab: ids (2, 0) against (1, 2)."""
    words = {"ab": 9, "aba": 1, "bab": 1}
    by_text = bpe.train(words, base="char", num_merges=2)
    by_ids = bpe.train(words, base="char", num_merges=2, tie_break="lowest_ids")
    assert by_text.steps[1].left == "ab"
    assert by_ids.steps[1].left == "b"


def test_the_gpt2_rule_places_the_space_after_printable_bytes() -> None:
    """ " x" and "xy" both occur twice; by byte " " comes first, in GPT-2's alphabet it is the
    33rd of the bytes that are moved behind all printable ones.
    """
    words = {" x": 2, "xy": 2}
    assert bpe.train(words, num_merges=1).steps[0].merged == b" x"
    assert bpe.train(words, num_merges=1, tie_break="gpt2_byte_ids").steps[0].merged == b"xy"


def test_a_marker_is_a_symbol_that_merges() -> None:
    """e+s, s+t and t+</w> all occur 9 times; est+</w> still does once est is made."""
    run = bpe.train(LOWEST, base="char", end_of_word="</w>", num_merges=3)
    assert [step.merged for step in run.steps] == ["es", "est", "est</w>"]
    assert run.tokenizer.base_size == 11
    assert run.tokenizer.token(10) == "</w>"


def test_special_tokens_take_the_first_ids_and_text_is_cut_at_them() -> None:
    """The unknown token comes first, then specials in order, base symbols, merges."""
    run = bpe.train(
        "ab<s>ab<s>ab",
        base="char",
        pattern="none",
        unknown_token="[UNK]",
        special_tokens=["<s>", "[UNK]"],
        num_merges=9,
    )
    contents = [run.tokenizer.token(i) for i in range(run.tokenizer.vocab_size)]
    assert contents == ["[UNK]", "<s>", "a", "b", "ab"]
    assert run.word_counts == {"ab": 3}


def test_training_from_files_is_training_on_documents(tmp_path_factory: pytest.TempPathFactory):
    """No merge crosses two files: "ab" + "ab" never gives b+a."""
    folder = tmp_path_factory.mktemp("texts")
    paths = [folder / "one.txt", folder / "two.txt"]
    for path in paths:
        path.write_text("ab", encoding="utf-8")
    run = bpe.train_from_files(paths, base="char", pattern="none", num_merges=9)
    assert run.word_counts == {"ab": 2}
    assert merges_of(run) == [("a", "b")]


def test_counts_are_not_cut_to_32_bits() -> None:
    """3,000,000,000 is above 2^31."""
    steps = bpe.train({"ab": 3_000_000_000, "cd": 1}, base="char", num_merges=1).steps
    assert (steps[0].merged, steps[0].count) == ("ab", 3_000_000_000)


def test_hug_as_text_and_as_counts_is_one_training() -> None:
    text = " ".join(word for word, count in HUG.items() for _ in range(count))
    as_text = bpe.train(text, base="char", pattern="whitespace", vocab_size=13)
    assert as_text == trained_on_hug()
    assert as_text.fingerprint == trained_on_hug().fingerprint
