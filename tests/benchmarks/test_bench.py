"""The benchmark itself, on small texts and made-up times. No time is judged."""

from __future__ import annotations

import json
import lzma
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bpe.fast_counting import count_documents, count_text
from tests.benchmarks import bench, comparing, corpora, encoding_works, training_works
from tests.benchmarks.bars import Bar, Task, bars
from tests.benchmarks.child import CannotMeasure, Runs, run_apart
from tests.benchmarks.comparing import Row, rows_of
from tests.benchmarks.corpora import SHAKESPEARE, Corpora

BAR = Bar("a-bar", "train", "json", "", Task("ours"), (Task("theirs"),), 1.5, n_runs=3)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpora, "_CACHE", tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def text_file(tmp_path: Path) -> str:
    """Some lines, with blank ones and white space at their ends."""
    path = tmp_path / "text.txt"
    text = SHAKESPEARE.read_bytes()[:30_000].decode() + " größte \n\n\n  日本 12 don't\t\n" * 20
    path.write_bytes(text.encode())
    return str(path)


def digest(work: Any, **settings: Any) -> str:
    ready = work(**settings)
    return str(ready.digest(ready.run()))


def test_trainers_that_read_text_give_the_same(text_file: str) -> None:
    settings: dict[str, Any] = {"path": text_file, "vocab_size": 400}
    expected = digest(training_works.train_ours, **settings, tie_break="lowest_ids")
    assert expected.startswith("144 merges")
    assert digest(training_works.train_rustbpe, **settings) == expected
    assert digest(training_works.train_bpeasy, **settings) == expected
    lexicographic = digest(training_works.train_ours, **settings, tie_break="lexicographic")
    assert digest(training_works.train_reference, **settings) == lexicographic != expected


def test_trainers_that_read_lines_give_the_same(text_file: str) -> None:
    settings: dict[str, Any] = {"path": text_file, "vocab_size": 400}
    expected = digest(training_works.train_ours_by_lines, **settings, tie_break="gpt2_byte_ids")
    assert digest(training_works.train_hugging_face, **settings) == expected
    if find_spec("gigabpe"):
        assert digest(training_works.train_gigabpe, **settings, threads=1) == expected


def test_encoders_give_the_same(text_file: str) -> None:
    settings = {"path": text_file, "encoding": "cl100k_base"}
    expected = digest(encoding_works.encode_ours, **settings)
    assert digest(encoding_works.encode_tiktoken, **settings) == expected
    if find_spec("quicktok"):
        assert digest(encoding_works.encode_quicktok, **settings) == expected
    if find_spec("gigatoken"):
        assert digest(encoding_works.encode_gigatoken, **settings) == expected
        assert digest(encoding_works.encode_gigatoken_batch, **settings) == expected


def test_pieces_are_cut_where_a_pre_token_ends() -> None:
    pieces = list(training_works._pieces(str(SHAKESPEARE)))
    assert len(pieces) > 10
    whole = dict(count_text(SHAKESPEARE.read_bytes(), "gpt2"))
    assert dict(count_documents(pieces, "gpt2")) == whole


def test_corpora_are_unpacked_and_made_shorter(tmp_path: Path) -> None:
    lines = b"one line of text\n" * 1000
    (tmp_path / "multi_10mb.txt.xz").write_bytes(lzma.compress(lines))
    whole, short = (Corpora(tmp_path, quick=quick).find("multi_10mb") for quick in (False, True))
    assert whole
    assert short
    assert whole.path.read_bytes() == lines
    assert short.path.read_bytes() == lines[:1700]


def test_missing_english_is_made_from_the_standard_library(tmp_path: Path) -> None:
    found = Corpora(tmp_path, quick=True).find("en_10mb")
    assert found
    assert found.title.startswith("Python's standard library")
    assert 100_000 < len(found.path.read_bytes().decode()) <= 1_000_000
    assert Corpora(tmp_path).find("multi_10mb") is None


def with_runs(monkeypatch: pytest.MonkeyPatch, ours: list[float], digests: list[str]) -> None:
    """Have a process give made-up times: ours, and twice as many seconds for theirs."""

    def run(tasks: Any, n_runs: int, **_: object) -> list[Runs]:
        return [
            Runs([times * n for n in ours], [0.0] * 3, [n_bytes] * 3, [found] * 3)
            for times, n_bytes, found in zip((1, 2), (10**8, 10**9), digests, strict=True)
        ]

    monkeypatch.setattr(comparing, "run_apart", run)


def test_ratio_is_that_of_the_medians(monkeypatch: pytest.MonkeyPatch) -> None:
    with_runs(monkeypatch, [1.0, 3.0, 2.0], ["same", "same"])
    [row] = rows_of(BAR, Corpora())
    assert (row.ours, row.theirs, row.ratio, row.is_met) == (2.0, 4.0, 2.0, True)
    assert (row.lowest, row.highest, row.our_runs) == (2.0, 2.0, (1.0, 3.0, 2.0))


def test_memory_makes_a_row_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with_runs(monkeypatch, [1.0, 3.0, 2.0], ["same", "same"])
    bar = Bar(
        "a-bar", "train", "json", "", BAR.ours, BAR.theirs, compares_memory=True, aimed_memory=1.0
    )
    _, row = rows_of(bar, Corpora())
    assert (row.ours, row.theirs, row.ratio, row.unit, row.is_met) == (100, 1000, 10, "MB", None)


def test_different_results_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with_runs(monkeypatch, [1.0], ["this", "that"])
    [row] = rows_of(BAR, Corpora())
    assert (row.status, row.note) == ("error", "the results differ: this here, that there")


def test_what_is_not_there_is_skipped_with_a_word(tmp_path: Path) -> None:
    [row] = rows_of(Bar("a", "train", "no_such_peer", "", BAR.ours, BAR.theirs), Corpora())
    assert (row.status, row.note) == ("skipped", "no_such_peer is not installed")
    bar = Bar("a", "train", "json", "multi_10mb", BAR.ours, BAR.theirs)
    [row] = rows_of(bar, Corpora(tmp_path))
    assert (row.status, row.note) == ("skipped", f"no multi_10mb in {tmp_path}")


def test_a_process_tells_times_memory_and_what_came_out(text_file: str) -> None:
    settings = {"path": text_file, "vocab_size": 300}
    [runs] = run_apart([("train_rustbpe", settings)], 2)
    assert len(runs.seconds) == len(runs.getting_ready) == 2
    assert min(runs.peak_bytes) > 5_000_000
    assert set(runs.digests) == {digest(training_works.train_rustbpe, **settings)}
    with pytest.raises(CannotMeasure, match="no work is named"):
        run_apart([("train_nobody", {})])


def test_names_of_bars_are_different() -> None:
    names = [bar.name for bar in bars(2, quick=True)]
    assert len(set(names)) == len(names) > 20


@pytest.mark.parametrize(("status", "code"), [("measured", 0), ("skipped", 0), ("error", 1)])
def test_the_results_are_written_and_errors_end_with_1(
    status: Any, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    row = Row("x", "train", "a text", "peer", status, "s", 1.0, 2.0, 2.0, 1.9, 2.1, 1.5, note="why")
    monkeypatch.setattr(bench, "rows_of", lambda *_: [row])
    monkeypatch.setattr(bench, "_compile_first", lambda: None)
    path = tmp_path / "new" / "results.json"
    options = ["--only", "train-reference", "--json", str(path), "--corpora", str(tmp_path)]
    assert bench.main([*options, "--markdown"]) == code
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["rows"][0]["is_met"] is (True if status == "measured" else None)
    assert written["machine"]["python"]
    assert "| train | a text | peer" in capsys.readouterr().out


def test_an_unknown_name_lists_those_there_are(capsys: Any) -> None:
    assert bench.main(["--only", "no such row"]) == 2
    assert "train-reference" in capsys.readouterr().out
