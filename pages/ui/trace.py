"""The trace of a training: all that the stage needs to play a window of its merges.

Everything in it comes from a replay of the run by the engine; the browser only applies it. The
format is read by `components/stage/trace_model.js`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from bpe import PreToken, Tokenizer, TrainingRun
from bpe.normalizers import normalize, well_formed
from bpe.progress import Progress, Ticker
from bpe.replay import ReplayedMerge, replay_from
from bpe.training_run import MergeStep
from bpe.word_measures import count_by_number, most_frequent, word_by_number
from pages.ui.view_models import TokenFace, faces, unknown_id

WINDOW: Final = 1_000  # merges a trace holds
N_WORDS: Final = 60  # most frequent words, always shown
N_ALSO: Final = 24  # further words that hold the pair being merged
N_BARS: Final = 10
N_TIES: Final = 8
N_WHY: Final = 5
# Tokens of one word that a trace holds: those that start in so many tokens at the window's start.
WORD_LIMIT: Final = 1_000
ALSO_LIMIT: Final = 60
LABEL_LIMIT: Final = 40  # characters of a word in a label
FACE_LIMIT: Final = 300  # characters of a token

TIE_RULES: Final = {
    "lexicographic": "the pair that sorts first, capitals before small letters, goes first",
    "lexicographic_max": "the pair that sorts last, capitals before small letters, goes first",
    "first_seen": "the pair that comes first in the corpus goes first",
    "lowest_ids": "the pair with the lower ids goes first",
    "gpt2_byte_ids": "the pair that comes first in GPT-2's order of bytes goes first",
}


def trace_json(run: TrainingRun, start: int = 0, progress: Progress | None = None) -> bytes:
    """Give the trace of a window as JSON, as the stage takes it; see `build_trace`."""
    trace = build_trace(run, start, progress=progress)
    return json.dumps(trace, ensure_ascii=False, separators=(",", ":")).encode()


def window_start(step: int) -> int:
    """First merge of the window that shows a step: windows lie side by side.

    >>> window_start(999), window_start(1000), window_start(1001)
    (0, 0, 1000)
    """
    return max(0, step - 1) // WINDOW * WINDOW


def build_trace(
    run: TrainingRun, start: int = 0, size: int = WINDOW, progress: Progress | None = None
) -> dict[str, Any]:
    """Replay merges `start` to `start + size` of a run and note what the stage shows of them.

    `progress` is told of the phase "trace", as in training. Raises ConfigError for a start the
    run does not have, TrainingCancelled.

    >>> import bpe
    >>> run = bpe.train({"hug": 10, "pug": 5}, base="char", num_merges=1)
    >>> trace = build_trace(run)
    >>> trace["words"], trace["steps"][0]["at"]
    ([['hug', 10, [1, 3, 0]], ['pug', 5, [2, 3, 0]]], [[0, 1], [1, 1]])
    """
    stop = min(start + size, len(run.steps))
    return _TraceBuilder(run, start, stop, Ticker(progress)).build()


class _TraceBuilder:
    """Replays one window and collects the ids it mentions."""

    def __init__(self, run: TrainingRun, start: int, stop: int, ticker: Ticker) -> None:
        self._run = run
        self._start, self._stop = start, stop
        self._ticker = ticker
        self._replay = replay_from(run, start, lambda _: ticker.tick("trace", 0, stop - start))
        self._text_of = word_by_number(run.word_counts)
        self._labels: dict[int, str] = {}  # a word may be as long as the corpus
        self._weight_of = count_by_number(run.word_counts)
        by_count = most_frequent(run.word_counts, N_WORDS)
        self._slots = {word: slot for slot, word in enumerate(by_count)}
        self._used: set[int] = set()

    def build(self) -> dict[str, Any]:
        run, tokens_at_start = self._run, self._replay.n_tokens
        words = [self._word(word) for word in self._slots]
        bars, steps = [self._bars()], []
        for done in range(self._stop - self._start):
            self._ticker.tick("trace", done, self._stop - self._start)
            leading = bars[-1]
            steps.append(self._step(self._replay.advance(), leading))
            bars.append(self._bars())
        n_bytes, n_characters = run.corpus_size
        return {
            "sig": f"{run.fingerprint}:{self._start}:{self._stop}",
            "n_steps": len(run.steps),
            "start": self._start,
            "stop": self._stop,
            "base_size": run.tokenizer.vocab_size - len(run.steps),
            "n_bytes": n_bytes,
            "n_characters": n_characters,
            "tokens_at_start": tokens_at_start,
            "n_words": len(run.word_counts),
            "tied_merges": [step.rank + 1 for step in run.steps if step.tied > 1],
            "tie_rule": TIE_RULES[run.config.tie_break],
            "words": words,
            "steps": steps,
            "bars": bars,
            "sentence": None,
            "faces": [_short(face) for face in faces(run.tokenizer, self._used, run)],
        }

    def _word(self, word: int) -> list[Any]:
        ids = self._replay.word_ids(word, WORD_LIMIT)
        self._used.update(ids)
        entry = [*self._told(word), ids]
        n_hidden = self._replay.word_size(word) - len(ids)
        return [*entry, n_hidden] if n_hidden else entry

    def _bars(self) -> list[list[int]]:
        leading = self._replay.leading(N_BARS)
        self._used.update(token_id for pair, _ in leading for token_id in pair)
        return [[*pair, count] for pair, count in leading]

    def _step(self, merge: ReplayedMerge, leading: list[list[int]]) -> dict[str, Any]:
        step = merge.step
        self._used.update((*step.pair, step.token_id))
        # The words that are always shown have the highest counts, so they come first here too.
        heaviest = merge.heaviest(N_WORDS + N_ALSO)
        shown = [word for word in heaviest if word in self._slots]
        further = [word for word in heaviest if word not in self._slots][:N_ALSO]
        return {
            "pair": list(step.pair),
            "token": step.token_id,
            "count": step.count,
            "replaced": merge.n_replaced,
            "tied": step.tied,
            "ties": _other_ties(step, leading),
            "at": [
                [self._slots[word], *merge.in_word(word, WORD_LIMIT).positions] for word in shown
            ],
            "also": [self._also(merge, word) for word in further],
            "n_words": merge.n_words,
            "why": self._why(merge),
        }

    def _also(self, merge: ReplayedMerge, word: int) -> list[Any]:
        seen = merge.in_word(word, ALSO_LIMIT)
        self._used.update(seen.ids_before)
        whole = self._replay.word_size(word) + merge.replaced_in(word)
        n_hidden = whole - len(seen.ids_before)
        entry = [*self._told(word), list(seen.ids_before), list(seen.positions)]
        return [*entry, n_hidden] if n_hidden > 0 else entry

    def _why(self, merge: ReplayedMerge) -> list[list[Any]]:
        """The words that add most to the pair's count: text, occurrences, count of the word."""
        found = merge.most_replaced(N_WHY)
        if merge.step.pair[0] == merge.step.pair[1]:  # occurrences may overlap: ask word by word
            most = [word for word, _ in merge.most_replaced(4 * N_WHY)]
            counted = [(word, merge.in_word(word, WORD_LIMIT).n_counted) for word in most]
            counted.sort(key=lambda item: (-item[1] * self._weight_of(item[0]), item[0]))
            found = counted[:N_WHY]
        return [[self._label(word), n, self._weight_of(word)] for word, n in found]

    def _told(self, word: int) -> list[Any]:
        return [self._label(word), self._weight_of(word)]

    def _label(self, word: int) -> str:
        if word not in self._labels:
            self._labels[word] = label(self._text_of(word))
        return self._labels[word]


def _short(face: TokenFace) -> TokenFace:
    """Cut what a face tells of a very long token: a window may name thousands of them."""
    text, in_hex = face["text"], face["hex"]
    if isinstance(text, str) and len(text) > FACE_LIMIT:
        text = f"{text[:FACE_LIMIT]}…"
    if isinstance(in_hex, str):
        in_hex = in_hex[: 2 * FACE_LIMIT]
    return {**face, "text": text, "hex": in_hex}


def _other_ties(step: MergeStep, leading: Iterable[list[int]]) -> list[list[int]]:
    """Other pairs that had the same count, as far as the bars show them."""
    ties = [pair for *pair, count in leading if count == step.count and tuple(pair) != step.pair]
    return ties[:N_TIES]


def label(word: str) -> str:
    """Give a word as a label, cut where it is long.

    >>> label("low"), label("a" * 50)[-3:]
    ('low', 'aa…')
    """
    return word if len(word) <= LABEL_LIMIT else f"{word[: LABEL_LIMIT - 1]}…"


def sentence_trace(run: TrainingRun, text: str) -> dict[str, Any]:
    """Show how a sentence is tokenized at every step: its base symbols and the merges on them.

    Raises UnknownSymbolError where the tokenizer has no symbol for a character.

    >>> import bpe
    >>> run = bpe.train({"low": 2}, base="char", pattern="whitespace", num_merges=2)
    >>> sentence = sentence_trace(run, "low wool")
    >>> sentence["pre_tokens"], sentence["gaps"], sentence["events"]
    ([[0, 1, 2], [2, 1, 1, 0]], ['', ' ', ''], [[0, 0, 0], [1, 0, 0]])
    """
    tokenizer = run.tokenizer
    tokenizer.encode(text)  # raises for the first symbol that is missing
    pieces = tokenizer.pre_tokenize(text)
    symbols = [[i for i in tokenizer.symbol_table.ids(p.text) if i is not None] for p in pieces]
    events = [
        [step.rank, number, step.position]
        for number, piece in enumerate(pieces)
        for step in tokenizer.encode_steps(piece.text)
    ]
    events.sort(key=lambda event: event[0])  # stable: of one rank in the order of the text
    made = {run.steps[rank].token_id for rank, _, _ in events}
    return {
        "text": text,
        "pre_tokens": symbols,
        "unseen": [_unseen(tokenizer, piece.text) for piece in pieces],
        "gaps": _gaps(normalize(well_formed(text), tokenizer.normalizer), pieces),
        "events": events,
        "faces": faces(tokenizer, made.union(*symbols), run),
    }


def _unseen(tokenizer: Tokenizer, pre_token: str) -> list[str]:
    """The characters of a pre-token that become the unknown token, in order."""
    unknown = unknown_id(tokenizer)
    if unknown is None:
        return []
    return [char for char in pre_token if tokenizer.symbol_table.symbols(char) == [unknown]]


def _gaps(text: str, pieces: Sequence[PreToken]) -> list[str]:
    """What stands before, between and after the pre-tokens and belongs to none."""
    ends = [0, *(piece.char_end for piece in pieces)]
    starts = [*(piece.char_start for piece in pieces), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]
