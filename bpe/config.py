"""The settings of a training, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from bpe.errors import ConfigError, as_whole_number
from bpe.normalizers import check_normalizer, well_formed
from bpe.pre_tokenizers import compile_pattern

Base: TypeAlias = Literal["char", "byte"]
TieBreak: TypeAlias = Literal[
    "lexicographic", "lexicographic_max", "first_seen", "lowest_ids", "gpt2_byte_ids"
]
BASES: tuple[str, ...] = get_args(Base)
TIE_BREAKS: tuple[str, ...] = get_args(TieBreak)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerConfig:
    """How to train; see `bpe.train` for what each setting means.

    After construction `normalizer` is a tuple of names (empty for "none") and `special_tokens`
    a tuple that starts with the unknown token, when there is one. Raises ConfigError.

    >>> TrainerConfig(base="char", num_merges=7, unknown_token="[UNK]").special_tokens
    ('[UNK]',)
    """

    base: Base = "byte"
    vocab_size: int | None = None
    num_merges: int | None = None
    pattern: str = "gpt2"
    normalizer: str | tuple[str, ...] = "none"
    end_of_word: str | None = None
    unknown_token: str | None = None
    tie_break: TieBreak = "lexicographic"
    min_frequency: int = 1
    special_tokens: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_choice("base", self.base, BASES)
        _check_choice("tie_break", self.tie_break, TIE_BREAKS)
        self._check_target()
        self._set("min_frequency", _check_whole("min_frequency", self.min_frequency, minimum=0))
        self._check_base()
        compile_pattern(self.pattern)
        self._set("normalizer", check_normalizer(self.normalizer))
        for name in ("end_of_word", "unknown_token"):
            if getattr(self, name) is not None:
                self._set(name, _check_text(name, getattr(self, name)))
        self._set("special_tokens", self._all_special_tokens())

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)  # frozen for everyone else

    def _check_target(self) -> None:
        if (self.vocab_size is None) == (self.num_merges is None):
            raise ConfigError(
                "give exactly one of vocab_size and num_merges, not "
                + ("neither" if self.vocab_size is None else "both")
            )
        name = "num_merges" if self.vocab_size is None else "vocab_size"
        self._set(name, _check_whole(name, getattr(self, name), minimum=0))

    def _check_base(self) -> None:
        if self.base == "byte" and self.unknown_token is not None:
            raise ConfigError(
                "unknown_token goes with the char base only: in a byte base nothing is unknown"
            )
        if self.base == "char" and self.tie_break == "gpt2_byte_ids":
            raise ConfigError('tie_break "gpt2_byte_ids" orders bytes: it goes with base="byte"')

    def _all_special_tokens(self) -> tuple[str, ...]:
        if isinstance(self.special_tokens, str) or not isinstance(self.special_tokens, Iterable):
            raise ConfigError(
                f"special_tokens must be a sequence of strings, not {self.special_tokens!r}"
            )
        tokens = [_check_text("special_tokens", token) for token in self.special_tokens]
        if isinstance(self.special_tokens, Set):  # whose order is another one in each process
            tokens.sort()
        duplicate = next((t for i, t in enumerate(tokens) if t in tokens[:i]), None)
        if duplicate is not None:
            raise ConfigError(f"the special token {duplicate!r} is listed twice")
        if self.end_of_word is not None and self.end_of_word in {*tokens, self.unknown_token}:
            raise ConfigError(f"{self.end_of_word!r} cannot be both marker and special token")
        if self.unknown_token is not None:
            tokens = [self.unknown_token, *(t for t in tokens if t != self.unknown_token)]
        return tuple(tokens)


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ConfigError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")


def _check_whole(name: str, value: object, minimum: int) -> int:
    number = as_whole_number(value)
    if number is None or number < minimum:
        raise ConfigError(f"{name} must be a whole number from {minimum} up, not {value!r}")
    return number


def _check_text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{name} must hold non-empty strings, not {value!r}")
    return well_formed(value)
