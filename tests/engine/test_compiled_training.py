"""Training with compiled kernels is training: the same run, to the last count."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import acceleration
from bpe.config import TIE_BREAKS, TrainerConfig
from bpe.samples import SAMPLES
from bpe.trainer import _train_plain, train_compiled
from bpe.word_table import WordTable

TEXTS = st.text(alphabet="aab c\n.é😀<>/w12'S", max_size=60)


def assert_equal_runs(compiled: bpe.TrainingRun, plain: bpe.TrainingRun) -> None:
    assert compiled.steps == plain.steps
    assert list(compiled.n_replaced) == list(plain.n_replaced)
    assert compiled.stop_reason == plain.stop_reason
    assert compiled.warnings == plain.warnings
    assert dict(compiled.word_counts) == dict(plain.word_counts)
    assert list(compiled.word_counts) == list(plain.word_counts)
    assert compiled.tokenizer == plain.tokenizer
    assert compiled.fingerprint == plain.fingerprint


def config(draw: Any) -> TrainerConfig:
    base = draw(st.sampled_from(["char", "byte"]))
    return TrainerConfig(
        base=base,
        num_merges=draw(st.integers(0, 30)),
        pattern=draw(st.sampled_from(["none", "whitespace", "gpt2", "cl100k", "o200k", r"\w+"])),
        normalizer=draw(st.sampled_from(["none", "lowercase", "nfd"])),
        end_of_word=draw(st.sampled_from([None, "</w>"])),
        unknown_token=draw(st.sampled_from([None, "<a>"])) if base == "char" else None,
        tie_break=draw(st.sampled_from([rule for rule in TIE_BREAKS if "gpt2" not in rule])),
        min_frequency=draw(st.integers(1, 3)),
        special_tokens=draw(st.sampled_from([(), ("<b>", "ab")])),
    )


@settings(max_examples=150)
@given(st.data(), st.one_of(TEXTS, st.lists(TEXTS, max_size=4)))
def test_any_settings_on_any_text_give_the_run_of_the_plain_trainer(
    data: st.DataObject, corpus: str | list[str]
) -> None:
    chosen = config(data.draw)
    assert_equal_runs(train_compiled(corpus, chosen), _train_plain(corpus, chosen))


@pytest.mark.parametrize("base", ["char", "byte"])
def test_a_megabyte_of_shakespeare_gives_the_run_of_the_plain_trainer(base: Any) -> None:
    text = SAMPLES["shakespeare"].load()
    chosen = TrainerConfig(base=base, num_merges=1000)
    compiled, plain = train_compiled(text, chosen), _train_plain(text, chosen)
    assert_equal_runs(compiled, plain)
    assert compiled.pair_counts(500, top=9) == plain.pair_counts(500, top=9)
    assert compiled.words_at(700) == plain.words_at(700)


def test_counts_of_words_are_taken_over() -> None:
    words = {"ab": 3_000_000_000, "cd": 1}
    chosen = TrainerConfig(base="char", num_merges=1)
    assert train_compiled(words, chosen).steps[0].count == 3_000_000_000


def test_once_the_kernels_are_ready_large_texts_go_through_them() -> None:
    acceleration.warm_up()
    text = SAMPLES["shakespeare"].load()
    assert isinstance(text, str)
    assert isinstance(bpe.train(text, num_merges=1).word_counts, WordTable)
    assert isinstance(bpe.train("low lower", num_merges=1).word_counts, dict)


def test_large_files_are_counted_in_parts(tmp_path: Path) -> None:
    acceleration.warm_up()
    text = SAMPLES["shakespeare"].load()
    assert isinstance(text, str)
    paths = [tmp_path / name for name in ("a.txt", "b.txt")]
    for path in paths:
        path.write_bytes(text.encode())
    run = bpe.train_from_files(paths, num_merges=50)
    assert run.steps == bpe.train([text, text], num_merges=50).steps


def test_a_compiled_training_can_be_cancelled() -> None:
    text = SAMPLES["shakespeare"].load()
    for phase in ("count", "merge"):
        with pytest.raises(bpe.TrainingCancelled):
            train_compiled(
                text,
                TrainerConfig(num_merges=20_000),
                lambda seen, *_, wanted=phase: seen != wanted,
            )
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPoolExecutor")]


def test_how_much_work_pays_depends_on_what_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration, "_READY", threading.Event())
    monkeypatch.setattr(acceleration, "_is_compiled", lambda kernel: False)
    assert not acceleration.are_kernels_compiled()
    assert not acceleration.compiled_pays(49_999_999)
    assert acceleration.compiled_pays(50_000_000)
    monkeypatch.setattr(acceleration, "_is_compiled", lambda kernel: True)
    assert acceleration.are_kernels_compiled()
    assert acceleration.compiled_pays(3_000_000)
    acceleration._READY.set()
    assert acceleration.compiled_pays(100_000)
    assert not acceleration.compiled_pays(99_999)
