"""What a user should know of a training that went other than asked."""

from __future__ import annotations

from bpe.config import TrainerConfig
from bpe.merge_loop import Learned


def training_warnings(config: TrainerConfig, learned: Learned, blank: bool) -> tuple[str, ...]:
    """Say in words what was not as asked: nothing to learn from, too small a size, an early end.

    >>> from bpe.vocabulary import Vocabulary
    >>> base = Learned((), Vocabulary(("a",)), "no_pairs_left", ())
    >>> training_warnings(TrainerConfig(base="char", vocab_size=0), base, blank=False)[0][:40]
    'a vocabulary of 0 is smaller than the 1 '
    """
    warnings = []
    floor, n_merges = learned.base.size, len(learned.steps)
    if blank:
        warnings.append(
            "the text is blank: all that was learned are runs of white space"
            if n_merges
            else "the text is empty or blank: there is nothing to learn from; give some text"
        )
    if config.vocab_size is not None and config.vocab_size < floor:
        n_special = len(config.special_tokens)
        and_special = f" and {_counted(n_special, 'special token')}" if n_special else ""
        warnings.append(
            f"a vocabulary of {config.vocab_size:,} is smaller than the "
            f"{_counted(floor - n_special, 'base symbol')}"
            f"{and_special} it starts from, so nothing was merged: ask for more than {floor:,}"
        )
    elif not blank and learned.stop_reason in ("no_pairs_left", "min_frequency"):
        warnings.append(_stopped_early(config, learned))
    return tuple(warnings)


def _stopped_early(config: TrainerConfig, learned: Learned) -> str:
    n_merges = len(learned.steps)
    was = "was" if config.num_merges == 1 else "were"
    asked = (
        f"{_counted(config.num_merges or 0, 'merge')} {was} asked for"
        if config.vocab_size is None
        else f"a vocabulary of {config.vocab_size:,} was asked for"
    )
    why = (
        "every word is one token, so no pair is left"
        if learned.stop_reason == "no_pairs_left"
        else f"no pair that is left occurs {config.min_frequency:,} times or more"
    )
    return (
        f"{asked}, but training stopped after {_counted(n_merges, 'merge')} at "
        f"{_counted(learned.base.size + n_merges, 'token')}: {why}"
    )


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
