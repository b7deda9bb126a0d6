"""The bars: what is measured, against whom, and how many times as fast it is to be at least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

VOCAB_SIZE = 32_768
ENCODINGS = ("r50k_base", "cl100k_base", "o200k_base")


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work by its name in `training_works` or `encoding_works`, with its settings."""

    work: str
    settings: dict[str, Any] = field(default_factory=dict)
    label: str = ""  # tells it from other ways to do the same

    def on(self, **settings: Any) -> Task:
        """The same work with more settings."""
        return Task(self.work, {**self.settings, **settings}, self.label)


@dataclass(frozen=True, slots=True)
class Bar:
    """One comparison.

    `ours` and `theirs` run by turns; of several `theirs` the fastest on a first run is taken.
    `at_least` is the bar, a ratio of their time to ours, `aim` what would be better still.
    `compares_memory` makes a row of its own of their peak memory to ours, with a bar and an aim
    too. `equal_to` is our side of the check where the timed work reads the text in another way.
    `apart`: every run is a process of its own. `one_thread`: the process is bound to one
    processor. `factor` multiplies their time, where their work is a part of ours.
    """

    name: str
    work: str
    peer: str
    corpus: str
    ours: Task
    theirs: tuple[Task, ...]
    at_least: float | None = None
    aim: float | None = None
    compares_memory: bool = False
    least_memory: float | None = None
    aimed_memory: float | None = None
    equal_to: Task | None = None
    unit: Literal["s", "MB/s"] = "s"
    n_runs: int = 5
    apart: bool = False
    one_thread: bool = False
    factor: float | None = None


def bars(n_cores: int, *, quick: bool) -> Iterator[Bar]:
    """Yield all bars; quick ones have a smaller vocabulary beside their smaller corpora."""
    vocab_size = 4096 if quick else VOCAB_SIZE
    for name in ("en_100mb", "multi_100mb"):
        yield from _large_trainings(name, vocab_size, n_cores)
    yield from _small_trainings()
    for name in ("en_10mb", "multi_10mb"):
        yield from _encodings(name)
    yield from _all_cores()
    yield from _long_pre_tokens(100_000 if quick else 1_000_000)


def _large_trainings(name: str, vocab_size: int, n_cores: int) -> Iterator[Bar]:
    fast_enough = {"en_100mb": (1.0, 10, 4), "multi_100mb": (1.0, 7, 3)}[name]
    work = f"train to {vocab_size:,}"
    settings = {"vocab_size": vocab_size}
    common: dict[str, Any] = {"work": work, "corpus": name, "apart": True}
    as_hugging_face = Task("train_ours", {**settings, "tie_break": "gpt2_byte_ids"})
    by_lines: dict[str, Any] = {
        **common,
        "ours": as_hugging_face,
        "equal_to": Task("train_ours_by_lines", as_hugging_face.settings),
    }
    yield Bar(
        f"train-{name}-gigabpe", peer="gigabpe", at_least=fast_enough[0], aim=1.5,
        theirs=tuple(
            Task("train_gigabpe", {**settings, "threads": n}, f"threads={n}")
            for n in sorted({1, n_cores})
        ),
        compares_memory=True, aimed_memory=1.0, **by_lines,
    )  # fmt: skip
    yield Bar(
        f"train-{name}-tokenizers", peer="tokenizers", at_least=fast_enough[1],
        theirs=(Task("train_hugging_face", settings),),
        compares_memory=True, least_memory=1.0, n_runs=3, **by_lines,
    )  # fmt: skip
    yield Bar(
        f"train-{name}-rustbpe", peer="rustbpe", at_least=fast_enough[2],
        ours=Task("train_ours", {**settings, "tie_break": "lowest_ids"}),
        theirs=(Task("train_rustbpe", settings),), n_runs=3, **common,
    )  # fmt: skip


def _small_trainings() -> Iterator[Bar]:
    settings = {"vocab_size": 4096}
    ours = Task("train_ours", {**settings, "tie_break": "lowest_ids"})
    for peer, at_least in (("rustbpe", 1.5), ("bpeasy", None)):
        yield Bar(
            f"train-tinyshakespeare-{peer}", "train to 4,096", peer, "tinyshakespeare",
            ours, (Task(f"train_{peer}", settings),), at_least, n_runs=9,
        )  # fmt: skip
    settings = {"vocab_size": 256 + 100}
    yield Bar(
        "train-reference", "train to 356", "bpe.reference", "shakespeare_100kb",
        Task("train_ours", {**settings, "tie_break": "lexicographic"}),
        (Task("train_reference", settings),), n_runs=3,
    )  # fmt: skip


def _encodings(name: str) -> Iterator[Bar]:
    peers = {"tiktoken": (6.0 if name == "en_10mb" else 3.0, ENCODINGS)}
    if name == "en_10mb":
        peers["quicktok"] = (1.5, ENCODINGS[1:])  # it has no r50k_base
    for peer, (at_least, encodings) in peers.items():
        for encoding in encodings:
            settings = {"encoding": encoding}
            yield Bar(
                f"encode-{encoding}-{name}-{peer}", f"encode {encoding}, one thread", peer, name,
                Task("encode_ours", settings), (Task(f"encode_{peer}", settings),), at_least,
                unit="MB/s", one_thread=True,
            )  # fmt: skip


def _all_cores() -> Iterator[Bar]:
    for encoding in ENCODINGS:
        settings = {"encoding": encoding}
        ways = tuple(
            Task(work, settings, label)
            for work, label in (
                ("encode_gigatoken", "encode"),
                ("encode_gigatoken_batch", "encode_batch"),
            )
        )
        yield Bar(
            f"encode-{encoding}-en_10mb-gigatoken", f"encode {encoding}, all cores", "gigatoken",
            "en_10mb", Task("encode_ours", settings), ways, 0.5, unit="MB/s", n_runs=9,
        )  # fmt: skip


def _long_pre_tokens(n_letters: int) -> Iterator[Bar]:
    for kind, text in (("random", "random letters"), ("one", "times one letter")):
        settings = {"encoding": "cl100k_base", "letters": kind}
        yield Bar(
            f"long-pre-token-{kind}", f"encode one pre-token: {n_letters:,} {text}",
            f"ourselves, {n_letters // 10:,} letters, times 10", "",
            Task("encode_letters", {**settings, "n_letters": n_letters}),
            (Task("encode_letters", {**settings, "n_letters": n_letters // 10}),),
            round(1 / 1.5, 2), n_runs=9, one_thread=True, factor=10,
        )  # fmt: skip
