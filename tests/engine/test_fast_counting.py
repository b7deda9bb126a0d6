"""Compiled counting against plain counting: the same words, counts and order, however it is cut."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import fast_counting, text_files
from bpe._kernels.class_table import PATTERN_CODES, class_table
from bpe._kernels.utf8 import next_cut, valid_end
from bpe.config import TrainerConfig
from bpe.counting_threads import Meter, count_blocks
from bpe.errors import ConfigError
from bpe.fast_counting import count_documents, count_files, count_text
from bpe.pre_tokenizers import PATTERN_NAMES, compile_pattern
from bpe.progress import Ticker
from bpe.samples import SAMPLES
from bpe.text_blocks import blocks_of_pieces, blocks_of_text, normalized, without_special_tokens
from bpe.text_decoding import decode_text
from bpe.word_counts import count_words
from bpe.word_table import WordTable

# Every kind of character the patterns tell apart, and what normalizers change or look around at.
KINDS = (
    " \t\n\r\x0b\x1c\x85\xa0\u2003\u2028\u3000'’/.!?_\x00sSſltvVeEdaAzÉǅʰªא中あ한ßΣσςİ¨"
    "019²٣𝟘\u0301\u0323\u0327\ufe0f\u200d\ufeff\ufffd😀𝐀𐐀𐐨𠀀क्षे℃ﷺ"
)
PARTS = [
    " the", " Word", " it's", ".\n", "\n\n", " (1234)", "  indented", " café", "Москва", "中文。\n",
    "\u00a0", "/\n/", "\r\n", " don't", "'s", "<|end|>", "ΣΑΣ", "e\u0301\u0327",
]  # fmt: skip
texts = st.one_of(
    st.text(st.sampled_from(KINDS), max_size=60),
    st.lists(st.sampled_from(PARTS), max_size=40).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
broken_texts = st.text(st.sampled_from("a \ud83d\ude00\ud800é\n"), max_size=20)
named_patterns = pytest.mark.parametrize("pattern", PATTERN_NAMES)


def plain(documents: str | list[str], pattern: str, **settings: object) -> list[tuple[str, int]]:
    config = TrainerConfig(num_merges=0, pattern=pattern, **settings)
    return list(count_words(documents, config, Ticker(None)).items())


def items(table: WordTable) -> list[tuple[str, int]]:
    return list(table.items())


def spans(text: str, pattern: str) -> list[str]:
    return [text[start:end] for start, end in compile_pattern(pattern).split(text)]


def cuts(text: str, pattern: str) -> list[int]:
    """List the places, in bytes, where the kernel says that the text can be cut."""
    data, code, table = np.frombuffer(text.encode(), np.uint8), *kernel_pattern(pattern)
    found, at = [], 1
    while (at := next_cut(data, at, len(data), code, table)) < len(data):
        found.append(at)
        at += 1
    return found


def kernel_pattern(pattern: str) -> tuple[int, np.ndarray]:
    return PATTERN_CODES[pattern], class_table(pattern)


def in_pieces(document: str, places: list[int]) -> Iterator[tuple[bytes, bool]]:
    """Yield a document in pieces of whole characters."""
    places = sorted({min(place, len(document)) for place in places} | {0, len(document)})
    for start, stop in itertools.pairwise([0, *places]):
        yield document[start:stop].encode(), False
    yield b"", True


@named_patterns
@given(text=texts)
def test_the_sides_of_a_cut_split_as_the_whole(pattern: str, text: str) -> None:
    whole = spans(text, pattern)
    for cut in cuts(text, pattern):
        left, right = text.encode()[:cut].decode(), text.encode()[cut:].decode()
        assert spans(left, pattern) + spans(right, pattern) == whole


@named_patterns
@given(left=st.text(st.sampled_from(KINDS), max_size=5), after=st.text(st.sampled_from(KINDS)))
def test_a_place_is_a_cut_by_the_characters_around_it_alone(
    pattern: str, left: str, after: str
) -> None:
    """A window of a text shows cuts at the same places as the text does."""
    window = "a b" + left
    whole = "x!\n" + window + after
    n_before = len(b"x!\n")
    n_sure = len(window.encode())
    inside = [cut - n_before for cut in cuts(whole, pattern)]
    assert [cut for cut in inside if 0 < cut < n_sure] == cuts(window, pattern)


@pytest.mark.parametrize("pattern", ["whitespace", "gpt2", "cl100k", "o200k"])
def test_ordinary_text_of_any_script_can_be_cut_often(pattern: str) -> None:
    for text in ["to be or not", "a\nb\nc", "end.\nnew.\nlines.\n", "日本語の文。\n次の文。\n"]:
        assert len(cuts(text * 4, pattern)) >= 3


@named_patterns
@given(text=texts, n_bytes=st.integers(1, 40), n_threads=st.integers(1, 3))
def test_text_in_blocks_counts_as_the_plain_counter_counts_it(
    pattern: str, text: str, n_bytes: int, n_threads: int
) -> None:
    meter = Meter(0, None)
    data = np.frombuffer(text.encode(), np.uint8)
    blocks = blocks_of_text(data, pattern, meter, n_bytes)
    assert items(count_blocks(blocks, pattern, meter, n_threads)) == plain(text, pattern)


@named_patterns
@given(documents=st.lists(texts | broken_texts, max_size=5))
def test_documents_count_as_the_plain_counter_counts_them(
    pattern: str, documents: list[str]
) -> None:
    assert items(count_documents(iter(documents), pattern)) == plain(documents, pattern)


@named_patterns
@given(
    documents=st.lists(st.tuples(texts, st.lists(st.integers(0, 60), max_size=4)), max_size=4),
    n_bytes=st.integers(1, 40),
)
def test_documents_in_pieces_count_as_whole_ones(
    pattern: str, documents: list[tuple[str, list[int]]], n_bytes: int
) -> None:
    pieces = itertools.chain.from_iterable(itertools.starmap(in_pieces, documents))
    blocks = blocks_of_pieces(pieces, pattern, n_bytes)
    table = count_blocks(blocks, pattern, Meter(0, None), 2)
    assert items(table) == plain([text for text, _ in documents], pattern)


@given(
    text=texts,
    places=st.lists(st.integers(0, 60), max_size=5),
    tokens=st.lists(
        st.sampled_from(["<|end|>", "<|end|><|end|>", "a", "ab", "aa", " ", "中", "\n\n"]),
        min_size=1,
        unique=True,
    ),
)
def test_special_tokens_are_cut_out_of_pieces_as_out_of_the_whole(
    text: str, places: list[int], tokens: list[str]
) -> None:
    pieces = without_special_tokens(in_pieces(text, places), tuple(tokens))
    blocks = blocks_of_pieces(pieces, "gpt2", 8)
    table = count_blocks(blocks, "gpt2", Meter(0, None), 1)
    assert items(table) == plain(text, "gpt2", special_tokens=tuple(tokens))


@pytest.mark.parametrize("name", ["lowercase", "nfc", "nfd", "nfkc", "nfkd"])
@given(text=texts, places=st.lists(st.integers(0, 60), max_size=5), n_bytes=st.integers(1, 30))
def test_a_text_is_normalized_in_pieces_as_in_one(
    name: str, text: str, places: list[int], n_bytes: int
) -> None:
    pieces = normalized(in_pieces(text, places), (name,), n_bytes)
    blocks = blocks_of_pieces(pieces, "none", n_bytes)
    table = count_blocks(blocks, "none", Meter(0, None), 1)
    assert items(table) == plain(text, "none", normalizer=name)


@given(
    text=texts | broken_texts,
    pattern=st.sampled_from([*PATTERN_NAMES, "[a-z]+", r"\s+|\w"]),
    normalizer=st.sampled_from(["none", "nfc", ("nfkd", "lowercase")]),
    special_tokens=st.lists(st.sampled_from(["<|end|>", "a"]), unique=True),
)
def test_any_settings_count_as_in_the_plain_counter(
    text: str, pattern: str, normalizer: str, special_tokens: list[str]
) -> None:
    settings = {"normalizer": normalizer, "special_tokens": special_tokens}
    expected = plain(text, pattern, **settings)
    assert items(count_text(text, pattern, **settings)) == expected
    encoded = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    assert items(count_text(encoded, pattern, **settings)) == expected


@named_patterns
def test_a_long_text_counts_alike_on_any_number_of_threads(pattern: str) -> None:
    text = "\n\n".join(
        sample.load() for sample in SAMPLES.values() if sample.kind == "text"
    )  # fmt: skip
    text *= 1 + 3_000_000 // len(text)
    expected = plain(text, pattern)
    for n_threads in (1, 2, 5):
        assert items(count_text(text, pattern, n_threads=n_threads)) == expected
    data = text.encode()
    assert items(count_text(data, pattern)) == expected
    assert items(count_text(np.frombuffer(data, np.uint8), pattern)) == expected
    assert items(count_text(bytearray(data), pattern)) == expected


def test_words_of_any_length_at_any_place_are_kept_whole() -> None:
    """Up to 16 bytes stand in the entry, longer ones elsewhere; NULs belong to words."""
    choose = random.Random(0)
    words = [
        "".join(choose.choices("ab\x00é", k=n)) for n in range(1, 40) for _ in range(30)
    ] + ["a" * n for n in range(1, 70)]  # fmt: skip
    for text in (" ".join(words), *("x " + word for word in words)):
        assert items(count_text(text, "whitespace")) == plain(text, "whitespace")


def test_a_word_and_the_same_with_nuls_after_it_are_two() -> None:
    assert items(count_text("a a\x00 a\x00\x00 a\x00", "whitespace")) == [
        ("a", 1), ("a\x00", 2), ("a\x00\x00", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("n_letters", [4, 30])
def test_the_table_grows_with_the_words(n_letters: int) -> None:
    choose = random.Random(1)
    words = ["".join(choose.choices("abcdefghij", k=n_letters)) for _ in range(120_000)]
    text = " ".join(words + words[::3])
    assert items(count_text(text, "whitespace", n_threads=2)) == plain(text, "whitespace")


def test_long_words_get_room_however_long_they_are() -> None:
    text = "a" * 3_000_000 + " " + "b" * 100_000 + " " + "a" * 3_000_000
    assert items(count_text(text, "whitespace")) == [("a" * 3_000_000, 2), ("b" * 100_000, 1)]
    assert items(count_text(text, "none")) == [(text, 1)]


def test_nothing_gives_an_empty_table() -> None:
    assert items(count_text("", "gpt2")) == items(count_text(b"", "gpt2")) == []
    assert items(count_documents([], "gpt2")) == items(count_files([], "gpt2")) == []
    assert items(count_text("  ", "whitespace")) == []


# Bytes


@given(data=st.binary(max_size=80) | st.lists(
    st.sampled_from([
        b"a", "é".encode(), "中".encode(), "😀".encode(), b"\x80", b"\xc0\xaf", b"\xe0\x80\x80",
        b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5", b"\xff", b"\xe4\xb8", b"\xf0\x9f\x98",
    ]), max_size=60).map(b"".join))  # fmt: skip
def test_validity_ends_where_python_finds_the_first_fault(data: bytes) -> None:
    try:
        data.decode()
        fault = len(data)
    except UnicodeDecodeError as error:
        fault = error.start
    assert valid_end(np.frombuffer(data, np.uint8)) == fault


def test_bytes_that_are_no_text_are_named_by_their_place_or_replaced() -> None:
    data = b"word " * 300_000 + b"\xe6\x97" + b" end" * 300_000 + b"\xff"
    with pytest.raises(ConfigError, match=r"not valid UTF-8 at byte 1,500,000 \(invalid cont"):
        count_text(data, "gpt2")
    expected = plain(data.decode("utf-8", "replace"), "gpt2")
    assert items(count_text(data, "gpt2", errors="replace")) == expected


@pytest.mark.parametrize("bad", [np.zeros(3, np.int64), np.zeros((2, 2), np.uint8)])
def test_an_array_that_is_not_one_of_bytes_is_refused(bad: np.ndarray) -> None:
    with pytest.raises(ConfigError, match="array of bytes"):
        count_text(bad, "gpt2")


# Files


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "PART_BYTES", 7)
    monkeypatch.setattr(fast_counting, "PIECE_CHARS", 5)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("pattern", [*PATTERN_NAMES, "[a-z]+"])
def test_files_read_in_parts_count_as_what_decode_text_makes_of_them(
    pattern: str, tmp_path: Path
) -> None:
    choose = random.Random(2)
    pool = [*KINDS, *PARTS]
    for number in range(60):
        text = "".join(choose.choices(pool, k=choose.randint(0, 40)))
        encoding = choose.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
        data = text.encode(encoding)
        if encoding == "utf-16-be":
            data = b"\xfe\xff" + data
        if number % 3 == 0:
            place = choose.randint(0, len(data))
            data = data[:place] + choose.choice([b"\xff", b"\xe4\xb8", b"\x80"]) + data[place:]
        path = tmp_path / f"{number}.txt"
        path.write_bytes(data)
        assert items(count_files([path], pattern)) == plain(decode_text(data).text, pattern), data


def test_several_files_are_documents_of_their_own(tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, text in zip(paths, ["to be ", " or"], strict=True):
        path.write_text(text, encoding="utf-8")
    assert items(count_files(map(str, paths), "gpt2")) == plain(["to be ", " or"], "gpt2")


def test_strict_files_name_the_byte_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbf" + b"word " * 500_000 + b"\xff" + b" more" * 10)
    with pytest.raises(ConfigError, match=r"a\.txt is not valid utf-8 at byte 2,500,003:"):
        count_files([path], "gpt2", errors="strict")
    path.write_bytes(b"\xff\xfea\x00\x00\xd8b\x00")
    with pytest.raises(ConfigError, match=r"not valid utf-16-le at byte 4:"):
        count_files([path], "gpt2", errors="strict")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.txt: No such file"):
        count_files([tmp_path / "none.txt"], "gpt2")
    with pytest.raises(ConfigError, match=r"cannot read .*: it is a folder"):
        count_files([tmp_path], "gpt2")
    with pytest.raises(ConfigError, match="cannot read"):
        count_files(["a\x00b"], "gpt2")
    with pytest.raises(ConfigError, match=r"give a list of paths, not the single path 'a\.txt'"):
        count_files("a.txt", "gpt2")


def test_a_file_that_becomes_shorter_while_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"word " * 4_000_000)
    with pytest.raises(ConfigError, match=r"became shorter while it was read: of 20,000,000 bytes"):
        count_files([path], "gpt2", tick=lambda *_: os.truncate(path, 1000))


def test_a_file_that_vanishes_before_its_turn_is_an_error(tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_bytes(b"word " * 4_000_000)
    second.write_bytes(b"word")
    with pytest.raises(ConfigError, match=r"cannot read .*b\.txt: No such file"):
        count_files([first, second], "gpt2", tick=lambda *_: second.unlink(missing_ok=True))


# Progress and cancelling


class Stop(Exception):
    """What a tick raises to cancel."""


@pytest.mark.parametrize("pattern", ["gpt2", "[a-z]+"])
def test_what_a_tick_raises_ends_counting_without_end(pattern: str) -> None:
    seen: list[int] = []

    def tick(done: int, total: int) -> None:
        seen.append(done)
        assert done <= total
        if len(seen) == 3:
            raise Stop

    with pytest.raises(Stop):
        count_documents(itertools.repeat("to be or not " * 2000), pattern, tick=tick)
    assert len(seen) == 3
    assert seen == sorted(seen)


def test_counting_one_word_without_end_in_sight_can_be_cancelled() -> None:
    """A piece of text that cannot be cut is counted a part at a time, all the same."""
    data = b"1" * 40_000_000  # cl100k: groups of three digits, no place to cut

    def tick(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        count_text(data, "cl100k", tick=tick)


def test_progress_runs_from_the_start_to_the_total(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"word " * 2_000_000)
    for count in (
        lambda tick: count_files([path], "gpt2", tick=tick),
        lambda tick: count_text(path.read_bytes(), "gpt2", tick=tick),
        lambda tick: count_text(path.read_text(), "gpt2", tick=tick),
        lambda tick: count_files([path], "o200k", normalizer="nfc", tick=tick),
        lambda tick: count_documents(["word "] * 2_000_000, "gpt2", total=10_000_000, tick=tick),
    ):
        seen: list[tuple[int, int]] = []
        count(lambda *report: seen.append(report))  # noqa: B023 - used at once
        assert seen == sorted(seen)
        assert {total for _, total in seen} == {10_000_000}
        assert seen[-1] == (10_000_000, 10_000_000)


def test_what_documents_raise_comes_out() -> None:
    def documents() -> Iterator[str]:
        yield "a"
        raise Stop

    with pytest.raises(Stop):
        count_documents(documents(), "gpt2")
    with pytest.raises(ConfigError, match="document 1 of the corpus must be a string, not 7"):
        count_documents(["a", 7], "gpt2")


@pytest.mark.parametrize("n_threads", [0, -1, 1.5, True])
def test_a_number_of_threads_that_is_none_is_refused(n_threads: object) -> None:
    with pytest.raises(ConfigError, match="n_threads must be a whole number"):
        count_text("a", "gpt2", n_threads=n_threads)


def test_a_pattern_that_does_not_compile_is_refused() -> None:
    with pytest.raises(ConfigError, match="does not compile"):
        count_text("a", "(")
