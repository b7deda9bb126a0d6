"""What would not fit in memory is refused before it starts, and says what to do."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import bpe
from bpe import memory
from bpe.documents import Documents
from bpe.trainer import train_compiled
from tests.engine.test_documents import kept

ONE_LINE = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz", k=3_000))
TRAINERS = [bpe.train_with, train_compiled]


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Say how much memory is free: `free(1_000)`."""
    return lambda n_bytes: monkeypatch.setattr(memory, "available_memory", lambda: n_bytes)


@pytest.mark.parametrize("train", TRAINERS)
@pytest.mark.parametrize("corpus", [ONE_LINE, [ONE_LINE], kept([ONE_LINE])])
def test_a_line_that_would_not_fit_is_refused(
    train: Callable[..., bpe.TrainingRun],
    corpus: str | list[str] | Documents,
    free: Callable[[int | None], None],
) -> None:
    config = bpe.TrainerConfig(pattern="none", num_merges=10)
    phases: list[str] = []
    free(30_000)
    with pytest.raises(bpe.ConfigError, match=r"takes about .* KB of memory, .* less text, or a p"):
        train(corpus, config, lambda phase, *_: phases.append(phase))
    assert "merge" not in phases
    free(None)
    assert len(train(corpus, config).steps) == 10


@pytest.mark.parametrize("train", TRAINERS)
def test_the_same_word_again_takes_no_more(
    train: Callable[..., bpe.TrainingRun], free: Callable[[int | None], None]
) -> None:
    free(30_000)
    config = bpe.TrainerConfig(pattern="whitespace", num_merges=2)
    assert len(train("low lower " * 10_000, config).steps) == 2


@pytest.mark.parametrize("train", TRAINERS)
def test_tokens_that_grow_without_end_are_refused_with_the_merge(
    train: Callable[..., bpe.TrainingRun], free: Callable[[int | None], None]
) -> None:
    """Where all pairs of one long word occur once, each merge lengthens the first token by one."""

    def config(num_merges: int) -> bpe.TrainerConfig:
        return bpe.TrainerConfig(pattern="none", num_merges=num_merges)

    total = sum(len(step.merged) for step in train(ONE_LINE, config(3_000)).steps)
    assert total > 30 * len(ONE_LINE)
    free(5 * total)
    with pytest.raises(bpe.ConfigError, match="fewer merges than that") as refused:
        train(ONE_LINE, config(3_000))
    merge = int(str(refused.value).partition("from merge ")[2].split()[0].replace(",", ""))
    assert len(train(ONE_LINE, config(merge - 1)).steps) == merge - 1
    with pytest.raises(bpe.ConfigError, match="fewer merges than that"):
        train(ONE_LINE, config(merge))


def test_tokens_have_a_limit_where_memory_has_none(
    free: Callable[[int | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    free(None)
    monkeypatch.setattr(memory, "MOST_TOKEN_BYTES", 1_000)
    with pytest.raises(bpe.ConfigError, match=r"take over 1\.0 KB from merge \d+ on"):
        bpe.train(ONE_LINE, pattern="none", num_merges=3_000)


def test_a_shortage_that_comes_all_the_same_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bpe.merge_loop.learn", fail)
    with pytest.raises(bpe.ConfigError, match="takes more memory than there is: give less text"):
        bpe.train("low", num_merges=1)


def test_the_smallest_limit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 900 kB free, a group may use 500,000 bytes; 400,000 are used, 50,000 of them by files."""
    files = {
        "proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 900 kB\n",
        "proc/self/cgroup": "4:memory,cpu:/shop\n3:cpuset:/\n0::/unit\n",
        "groups/unit/memory.max": "max\n",
        "groups/unit/memory.current": "1\n",
        "groups/memory/shop/memory.limit_in_bytes": "500000\n",
        "groups/memory/shop/memory.usage_in_bytes": "400000\n",
        "groups/memory/shop/memory.stat": "cache 1\ntotal_inactive_file 50000\n",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(memory, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path / "groups")
    assert memory.available_memory() == 150_000
    (tmp_path / "groups/unit/memory.max").write_text("100\n", encoding="utf-8")
    (tmp_path / "groups/unit/memory.stat").write_text("inactive_file 1\n", encoding="utf-8")
    assert memory.available_memory() == 100
    (tmp_path / "groups/unit/memory.current").write_text("300\n", encoding="utf-8")
    assert memory.available_memory() == 0
