"""The named split patterns as tokenizer.json files spell them.

They are those of tiktoken, in what Oniguruma and Rust read alike. The expression of Llama 3 and of
many others looks like cl100k_base's, but white space at the end of a text goes by its line breaks
there, and stays whole in tiktoken.
"""

from __future__ import annotations

_SUFFIX = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SHORT_SUFFIX = "'(?i:[sdmt]|ll|ve|re)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SPACES = r"\s+(?!\S)|\s+"
_GPT2 = rf"| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|{_SPACES}"
_CL100K = rf"\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s++\z|\s*[\r\n]+|{_SPACES}"
_O200K = rf"\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|{_SPACES}"


_ANY_START = r"[^\r\n\p{L}\p{N}]?"

# The expressions this program writes.
PUBLISHED_EXPRESSIONS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)" + _GPT2,
    "cl100k": rf"{_SUFFIX}|{_ANY_START}\p{{L}}+|{_CL100K}",
    "o200k": rf"{_ANY_START}{_UPPER}*{_LOWER}+{_SUFFIX}?"
    rf"|{_ANY_START}{_UPPER}+{_LOWER}*{_SUFFIX}?|{_O200K}",
}

_OTHER_SPELLINGS = {
    "'s|'t|'re|'ve|'m|'ll|'d" + _GPT2: "gpt2",
    rf"{_SHORT_SUFFIX}|{_ANY_START}\p{{L}}+|{_CL100K}": "cl100k",
    rf"{_SHORT_SUFFIX}|{_ANY_START}+\p{{L}}+|{_CL100K}": "cl100k",
}

_NAMES = {**{text: name for name, text in PUBLISHED_EXPRESSIONS.items()}, **_OTHER_SPELLINGS}


def named_expression(expression: str) -> str | None:
    """Give the name of the pattern that an expression is a known spelling of.

    >>> named_expression(PUBLISHED_EXPRESSIONS["gpt2"]), named_expression("a")
    ('gpt2', None)
    """
    return _NAMES.get(expression)


def known_spellings() -> tuple[str, ...]:
    """List the expressions that stand for a named pattern.

    >>> PUBLISHED_EXPRESSIONS["o200k"] in known_spellings()
    True
    """
    return tuple(_NAMES)
