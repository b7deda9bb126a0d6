"""Where text spells the end-of-word marker, two pairs may look alike; counts still lead right."""

from __future__ import annotations

import bpe

# Found by a search: before merge 2 the pair (a, ab) stands for a + "ab" (17) and for a + marker.
WORDS = {"ababb": 8, "baabab": 7, "a_bb_": 4, "abaaa": 9, "b": 4, "_a_a": 8}


def test_the_highest_pair_is_the_one_that_is_merged() -> None:
    run = bpe.train(WORDS, base="byte", end_of_word="ab", num_merges=12)
    for step in run.steps:
        counts = run.pair_counts(step.rank)
        assert next(iter(counts.items())) == ((step.left, step.right), step.count)
        assert list(counts.values()) == sorted(counts.values(), reverse=True)
        assert list(run.pair_counts(step.rank, top=3).items()) == list(counts.items())[:3]
