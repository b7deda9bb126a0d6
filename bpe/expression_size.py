"""How large a regular expression becomes when it is compiled, told before that is tried.

`regex` writes a repeat such as (ab){1000} out, and repeats in repeats multiply: a dozen characters
can ask for all memory.
"""

from __future__ import annotations

import re

_MAX_CHARS = 10_000  # the longest expression of a known model has two thousand
_MAX_PARTS = 100_000  # about 40 MB and a third of a second

# An escape, a set (without sets in it, good enough to count), a repeat, or any character.
_PART = re.compile(r"\\[xupP]\{[^}]*\}|\\.|\[\]?[^\]]*\]|\{(\d{1,9})(?:,\d*)?\}|(.)", re.DOTALL)


def size_fault(expression: str) -> str | None:
    """Say what makes an expression too large to compile; None where nothing does.

    >>> size_fault("((a{100}){100}){100}")
    'its repeats in repeats write out to 1,000,000 parts, more than 100,000'
    >>> size_fault(" ?[^\\\\s]{1,3}")
    """
    if len(expression) > _MAX_CHARS:
        return f"it has {len(expression):,} characters, more than {_MAX_CHARS:,}"
    n_parts = _n_parts(expression)
    if n_parts > _MAX_PARTS:
        return f"its repeats in repeats write out to {n_parts:,} parts, more than {_MAX_PARTS:,}"
    return None


def _n_parts(expression: str) -> int:
    open_groups = [0]  # parts so far in each open group
    last = 0  # parts of what a repeat would repeat
    for found in _PART.finditer(expression):
        if found[2] == "(":
            open_groups.append(0)
            last = 0
        elif found[2] == ")" and len(open_groups) > 1:
            last = open_groups.pop()
            open_groups[-1] += last
        elif found[1]:
            more = last * max(int(found[1]) - 1, 0)
            open_groups[-1] += more
            last += more
        elif found[2] is None or found[2] not in "*+?|":
            last = 1
            open_groups[-1] += 1
    return sum(open_groups)
