"""What the cases of tests/data/cases_engine.jsonl expect, one function a key of `expect`.

Checks that a value stands in the outcome fail by themselves where the operation made none.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import bpe
from tests.engine.case_operations import Outcome
from tests.engine.trained import as_bytes, digest_of_merges, merges_of

Check = Callable[[Outcome, Any], None]


def spelled(content: str | bytes, base: str) -> str:
    """A token as a case writes it: text in a char base, hexadecimal in a byte base."""
    return as_bytes(content).hex() if base == "byte" else str(content)


def run_of(outcome: Outcome) -> bpe.TrainingRun:
    assert outcome.run is not None
    return outcome.run


def tokenizer_of(outcome: Outcome) -> bpe.Tokenizer:
    tokenizer = outcome.tokenizer or run_of(outcome).tokenizer
    assert tokenizer is not None
    return tokenizer


def encoding_of(outcome: Outcome) -> bpe.Encoding:
    assert outcome.encoding is not None
    return outcome.encoding


def check_merges(outcome: Outcome, expected: list[list[str]]) -> None:
    tokenizer = tokenizer_of(outcome)
    parts = [[tokenizer.token(part) for part in rule.pair] for rule in tokenizer.merges]
    assert [[spelled(part, tokenizer.base) for part in pair] for pair in parts] == expected


def check_merges_by_ids(outcome: Outcome, expected: list[list[str]]) -> None:
    assert outcome.retrain is not None
    found = merges_of(outcome.retrain(tie_break="lowest_ids"))
    assert [list(pair) for pair in found] == expected


def merged_under(tie_break: str) -> Check:
    def check(outcome: Outcome, expected: list[str]) -> None:
        assert outcome.retrain is not None
        steps = outcome.retrain(tie_break=tie_break).steps
        assert [as_bytes(step.merged).decode() for step in steps] == expected

    return check


def check_pairs(outcome: Outcome, expected: list[list[Any]]) -> None:
    counts = run_of(outcome).pair_counts(0)
    assert [[*pair, count] for pair, count in counts.items()] == expected


def check_vocab(outcome: Outcome, expected: list[str]) -> None:
    tokenizer = tokenizer_of(outcome)
    assert [tokenizer.token(i) for i in range(tokenizer.vocab_size)] == expected


def check_every_run(outcome: Outcome, expected: bool) -> None:
    here = [list(pair) for pair in merges_of(run_of(outcome))]
    assert outcome.runs_elsewhere == [here] * 4


def check_warns(outcome: Outcome, expected: bool) -> None:
    assert outcome.error is None
    assert run_of(outcome).warnings


def check_first_ten(outcome: Outcome, expected: list[list[str]]) -> None:
    found = [[as_bytes(part).decode() for part in pair] for pair in merges_of(run_of(outcome))]
    assert found[:10] == expected


def check_special_is_whole(outcome: Outcome, special: str) -> None:
    """No merged token holds any part that only the special token could have given."""
    run = run_of(outcome)
    assert not any(char in word for word in run.word_counts for char in special)
    assert all(set(as_bytes(step.merged)).isdisjoint(special.encode()) for step in run.steps)


def check_offsets(outcome: Outcome, expected: list[dict[str, list[int]]]) -> None:
    spans = encoding_of(outcome).spans
    found = [
        {"byte": [span.byte_start, span.byte_end], "char": [span.char_start, span.char_end]}
        for span in spans
    ]
    assert found == expected


def check_same_after_loading(outcome: Outcome, expected: bool) -> None:
    assert outcome.encoding_loaded is not None
    assert encoding_of(outcome).ids == outcome.encoding_loaded.ids
    assert encoding_of(outcome).tokens == outcome.encoding_loaded.tokens
    assert outcome.loaded == outcome.tokenizer


def check_marker_is_not_text(outcome: Outcome, expected: bool) -> None:
    """Decoding gives the text back, and no token that ends a word lies inside one."""
    encoding = encoding_of(outcome)
    text = "a literal </w> in the text"
    assert outcome.text == text
    ends = [tokenizer_of(outcome).ends_word(i) for i in encoding.ids]
    assert sum(ends) == len(text.split())
    assert all(
        span.char_end == len(text) or text[span.char_end] == " "
        for span, is_end in zip(encoding.spans, ends, strict=True)
        if is_end
    )


def check_error(outcome: Outcome, expected: bool | str) -> None:
    """The error is one of a file; a case may say what its message holds."""
    assert isinstance(outcome.error, bpe.FormatError)
    assert expected is True or str(expected) in str(outcome.error)


def check_error_or_warning(outcome: Outcome, expected: bool | str) -> None:
    """One of the two; a case may say what it holds."""
    said = [str(outcome.error)] if outcome.error else []
    said += outcome.run.warnings if outcome.run else []
    assert any(expected is True or str(expected) in sentence for sentence in said)


def check_error_or_round_trip(outcome: Outcome, expected: bool) -> None:
    assert outcome.error is not None or outcome.loaded == outcome.tokenizer


def check_never(outcome: Outcome, expected: str) -> None:
    """What must not come of a case: a guess, a crash, a file that cannot be read back."""
    assert isinstance(outcome.error, bpe.FormatError) or outcome.loaded == outcome.tokenizer


def check_error_names(outcome: Outcome, expected: list[str]) -> None:
    assert all(name in str(outcome.error) for name in expected)


def check_alternative_is_told(outcome: Outcome, expected: str | bool) -> None:
    """Where an honest refusal would do too, the value is given, and a warning says why."""
    assert outcome.error is None
    if expected == "duplicate merge":
        assert ["twice" in warning for warning in tokenizer_of(outcome).warnings] == [True]


def check_merges_are_pairs(outcome: Outcome, expected: str) -> None:
    assert expected == "pairs"
    assert outcome.exported is not None
    merges = json.loads(outcome.exported)["model"]["merges"]
    assert all(isinstance(merge, list) and len(merge) == 2 for merge in merges)


def equals(find: Callable[[Outcome], Any]) -> Check:
    """A check that what `find` gives is what the case says."""

    def check(outcome: Outcome, expected: Any) -> None:
        assert find(outcome) == expected

    return check


CHECKS: dict[str, Check] = {
    "pairs": check_pairs,
    "merges": check_merges,
    "counts": equals(lambda o: [step.count for step in run_of(o).steps]),
    "vocab_size": equals(lambda o: tokenizer_of(o).vocab_size),
    "base_size": equals(lambda o: tokenizer_of(o).base_size),
    "vocab": check_vocab,
    "n_merges": equals(lambda o: len(tokenizer_of(o).merges)),
    "id_ties_merges": check_merges_by_ids,
    "merged_tokens": merged_under("lexicographic"),
    "id_ties_merged_tokens": merged_under("lowest_ids"),
    "hf_bytelevel_merged_tokens": merged_under("gpt2_byte_ids"),
    "identical_every_run": check_every_run,
    "clear_message": check_warns,
    "no_exception_trace": equals(lambda o: o.error is None),
    "no_error": equals(lambda o: o.error is None),
    "no_crash": equals(lambda o: o.error is None),
    "first_merge": equals(lambda o: [as_bytes(c).hex() for c in merges_of(run_of(o))[0]]),
    "no_merge_inside_or_across": check_special_is_whole,
    "sha256_of_merge_lines": equals(lambda o: digest_of_merges(merges_of(run_of(o)))),
    "merge_line": equals(
        lambda o: "hex(left) SPACE hex(right) of the UTF-8 bytes, joined by LF, no LF at the end"
    ),
    "first_10": check_first_ten,
    "first_10_counts": equals(lambda o: [step.count for step in run_of(o).steps[:10]]),
    "last_count": equals(lambda o: run_of(o).steps[-1].count),
    "tokens": equals(lambda o: encoding_of(o).tokens),
    "ids": equals(lambda o: encoding_of(o).ids),
    "n_tokens": equals(lambda o: len(encoding_of(o))),
    "offsets": check_offsets,
    "char_offsets": equals(lambda o: [[s.char_start, s.char_end] for s in encoding_of(o).spans]),
    "text": equals(lambda o: o.text),
    "decoded": equals(lambda o: o.text),
    "pieces": equals(lambda o: o.pieces),
    "text_without_marker_confusion": check_marker_is_not_text,
    "tokens_before_equal_tokens_after": check_same_after_loading,
    "same_ids_before_and_after": check_same_after_loading,
    "one_token": equals(lambda o: next(t for t in encoding_of(o).tokens if isinstance(t, str))),
    "pretokenizer_after": equals(lambda o: o.loaded and o.loaded.pattern),
    "normalizer_after": equals(lambda o: o.loaded and "+".join(o.loaded.normalizer)),
    "clear_error": check_error,
    "names": check_error_names,
    "clear_error_or_warning": check_error_or_warning,
    "clear_error_or_byte_mapping": check_error_or_round_trip,
    "never": check_never,
    "asks_for_pattern": equals(lambda o: isinstance(o.error, bpe.PatternNeeded)),
    "or_clear_error": check_alternative_is_told,
    "hf_loads": equals(lambda o: o.hf_tokens is not None),
    "hf_tokens": equals(lambda o: o.hf_tokens),
    "merges_written_as": check_merges_are_pairs,
}
