"""The benchmark itself, on a small text: it compares like with like. No time is judged."""

from __future__ import annotations

import json

import pytest

from tests.benchmarks import bench


def test_both_trainers_make_the_same_merges() -> None:
    text = bench.first_bytes(3000)
    merges = bench.train_fast(text, 30)
    assert len(merges) == 30
    assert merges == bench.train_reference(text, 30)


def test_different_merges_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "train_reference", lambda text, n_merges: [(b"!", b"?")] * n_merges)
    with pytest.raises(RuntimeError, match="merge 0 differs"):
        bench.compare(1000, 3, 1, 1)


def test_the_text_is_the_first_hundred_thousand_bytes() -> None:
    assert len(bench.first_bytes(100_000).encode()) == 100_000


def test_the_result_can_be_read_by_a_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = bench.compare(1000, 3, 1, 1)
    monkeypatch.setattr(bench, "compare", lambda: small)
    bench.main(["--json"])
    assert json.loads(capsys.readouterr().out)["n_merges"] == 3
    bench.main([])
    assert "times faster" in capsys.readouterr().out
