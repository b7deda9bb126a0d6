"""Documents kept as UTF-8 train as the same documents given as strings do."""

from __future__ import annotations

from array import array
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.counting_threads import Meter, count_blocks
from bpe.documents import Documents, TextPart
from bpe.pre_tokenizers import PATTERN_NAMES
from bpe.text_blocks import blocks_of_documents
from bpe.trainer import train_compiled
from bpe.word_counts import count_words

TEXTS = ["low lower\n", " lowest", "größte 東京 <|end|>Größe", "", "İ ΟΔΟΣ e\u0301", "👩‍🚀'll"]


def kept(*parts: list[str]) -> Documents:
    """Keep documents in parts; empty ones, which hold nothing to learn from, are left out."""
    encoded = [[text.encode() for text in part if text] for part in parts]
    ends = [array("q", accumulate(map(len, part))) for part in encoded]
    data = [memoryview(b"".join(part)) for part in encoded]
    n_chars = sum(len(text) for part in parts for text in part)
    return Documents(map(TextPart, data, ends), n_chars)


@pytest.mark.parametrize("pattern", [*PATTERN_NAMES, r"\w+|[^\w\s]+"])
@pytest.mark.parametrize(
    "settings", [{}, {"normalizer": ("nfc", "lowercase"), "special_tokens": ("<|end|>",)}]
)
def test_they_train_as_strings_do(pattern: str, settings: dict[str, tuple[str, ...]]) -> None:
    config = bpe.TrainerConfig(base="char", pattern=pattern, num_merges=20, **settings)  # type: ignore[arg-type]
    wanted = bpe.train_with(TEXTS, config)
    for documents in (kept(TEXTS), kept(TEXTS[:2], [], TEXTS[2:])):
        for train in (bpe.train_with, train_compiled):
            run = train(documents, config)
            assert (run.steps, dict(run.word_counts)) == (wanted.steps, dict(wanted.word_counts))


@given(
    st.lists(st.text("aB1 \n'ö東!", max_size=12), max_size=6),
    st.sampled_from(PATTERN_NAMES),
    st.integers(1, 9),
)
def test_blocks_of_any_size_count_the_same(texts: list[str], pattern: str, size: int) -> None:
    documents = kept(texts[:2], texts[2:])
    meter = Meter(documents.n_bytes, None)
    words = count_blocks(blocks_of_documents(documents, pattern, meter, size), pattern, meter)
    config = bpe.TrainerConfig(pattern=pattern, num_merges=0)
    wanted = count_words(texts, config, bpe.progress.Ticker(None))
    assert list(words.items()) == list(wanted.items())
    assert meter.n_taken == documents.n_bytes


@given(st.text("aö東👩", max_size=20), st.integers(4, 9))
def test_pieces_are_whole_characters(text: str, size: int) -> None:
    pieces = list(kept([text, text]).pieces(n_bytes=size))
    assert "".join(piece.decode() for piece, _ in pieces) == 2 * text
    assert sum(ends for _, ends in pieces) == (2 if text else 0)


@pytest.mark.parametrize("train", [bpe.train_with, train_compiled])
def test_progress_has_a_total(train: type) -> None:
    """Characters for the plain trainer, bytes for the compiled one: never more than there are."""
    text, reports = "größer und größer, ", list[tuple[str, int, int]]()
    documents = kept([text * 2_000, text * 1_000])
    config = bpe.TrainerConfig(num_merges=0)
    train(documents, config, lambda *report: reports.append(report))
    totals = {total for phase, _, total in reports if phase == "count" and total}
    assert totals <= {documents.n_bytes, documents.n_chars}
    assert all(0 <= done <= max(total, 1) for _, done, total in reports)


def test_names_tell_texts_and_their_ends_apart() -> None:
    different = (kept(["ab"]), kept(["a", "b"]), kept(["ac"]), kept(["ab"], ["ab"]))
    names = [documents.digest() for documents in different]
    assert len(set(names)) == len(names)
    seen: list[int] = []
    assert kept(["ab"]).digest(seen.append) == names[0]
    assert seen == [2]


def test_ends_that_do_not_fit_are_refused() -> None:
    with pytest.raises(bpe.ConfigError, match=r"part 0 .* has 2 bytes, .* not at 1"):
        Documents([TextPart(b"ab", array("q", [1]))], 2)
