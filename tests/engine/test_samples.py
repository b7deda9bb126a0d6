"""Samples: what they hold, and that each is fit to be trained on."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from bpe.normalizers import well_formed
from bpe.samples import SAMPLES, SENTENCES

DATA = Path(__file__).parents[2] / "bpe" / "data"


def test_the_ids_are_those_that_links_use() -> None:
    assert list(SAMPLES) == [
        "lowest",
        "hug",
        "overlaps",
        "seaside",
        "shakespeare_100kb",
        "shakespeare",
        "udhr_english",
        "languages",
        "code",
    ]
    assert all(sample.id == key for key, sample in SAMPLES.items())


def test_the_words_of_the_lessons_have_their_counts() -> None:
    assert SAMPLES["lowest"].load() == {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    assert SAMPLES["hug"].load() == {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    assert SAMPLES["overlaps"].load() == "aaabdaaabac"


def test_loading_word_counts_twice_gives_two_dicts() -> None:
    first = SAMPLES["hug"].load()
    assert isinstance(first, dict)
    first.clear()
    assert SAMPLES["hug"].load()


@pytest.mark.parametrize("sample_id", [key for key, s in SAMPLES.items() if s.kind == "text"])
def test_a_text_sample_is_well_formed_text_without_carriage_returns(sample_id: str) -> None:
    text = SAMPLES[sample_id].load()
    assert isinstance(text, str)
    assert text.strip()
    assert text == well_formed(text)
    assert not {"\r", "\x00", "\ufeff", "\ufffd"} & set(text)


def test_the_short_shakespeare_is_the_start_of_the_long_one_in_whole_lines() -> None:
    short, long = SAMPLES["shakespeare_100kb"].load(), SAMPLES["shakespeare"].load()
    assert isinstance(short, str)
    assert isinstance(long, str)
    assert long.startswith(short)
    assert short.endswith("\n")
    assert 99_000 < len(short.encode()) <= 100_000
    assert len(long.encode()) == 1_115_394


def test_the_languages_are_balanced_and_in_nine_scripts() -> None:
    text = SAMPLES["languages"].load()
    assert isinstance(text, str)
    sections = text.split("\n\n")
    assert len(sections) == 12
    assert {len(section.splitlines()) for section in sections} <= {42, 43, 44}
    scripts = {unicodedata.name(char).split()[0] for char in text if char.isalpha()}
    assert {"LATIN", "CYRILLIC", "GREEK", "ARABIC", "DEVANAGARI", "THAI", "CJK"} <= scripts
    assert {"HIRAGANA", "HANGUL"} <= scripts


def test_the_presets_of_sentences_hold_what_their_names_say() -> None:
    assert next(iter(SENTENCES)) == "mixed"
    assert set(SENTENCES) == {"mixed", "scripts", "code", "numbers", "emoji", "spaces_and_case"}
    for sentences in SENTENCES.values():
        assert len(sentences) == len(set(sentences)) >= 6
        assert all(sentence == well_formed(sentence) for sentence in sentences)
    mixed = "\n".join(SENTENCES["mixed"])
    assert "\u200d" in mixed
    assert any(map(str.isdigit, mixed))
    assert ";" in mixed
    directions = {unicodedata.bidirectional(char) for char in "".join(SENTENCES["scripts"])}
    assert {"L", "R", "AL"} <= directions


def test_every_file_of_samples_stands_in_the_list_of_sources() -> None:
    sources = (DATA / "README.md").read_text(encoding="utf-8")
    for path in (DATA / "samples").iterdir():
        assert f"samples/{path.name}" in sources
    assert "Copyright (c) Titus Wormer" in sources
