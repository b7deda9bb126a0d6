"""Character classes of Unicode 16, the version the published split patterns follow.

Python's own tables are of another version on every Python, and so are those of `regex`; a letter
that one version knows and another does not would split differently. So the classes are data
(`data/unicode_16.txt`), read on first use and written out as ranges.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

LETTERS = ("Lu", "Ll", "Lt", "Lm", "Lo")
END_OF_UNICODE = 0x110000

Ranges = list[tuple[int, int]]


@lru_cache(maxsize=4)
def class_ranges(file_name: str = "unicode_16.txt") -> dict[str, Ranges]:
    """Return for each class of a data file its code points, as ascending ranges, ends included.

    Classes of the default are the general categories Lu, Ll, Lt, Lm, Lo, M and N, and White_Space.

    >>> class_ranges()["Lt"][0]
    (453, 453)
    """
    source = (files("bpe") / "data" / file_name).read_text(encoding="ascii")
    lines = (line.split() for line in source.splitlines() if not line.startswith("#"))
    return {name: [_range(item) for item in items] for name, *items in lines}


def escaped_class(*names: str, below: int = END_OF_UNICODE) -> str:
    r"""Write classes together as the inside of a character set of `re`.

    Only the code points under `below`; "L" stands for all letters.

    >>> escaped_class("Nothing", "N", below=0x80)
    Traceback (most recent call last):
    KeyError: 'Nothing'
    >>> escaped_class("N", "White_Space", below=0x80)
    '\\U00000009-\\U0000000d\\U00000020-\\U00000020\\U00000030-\\U00000039'
    """
    spelled = [part for name in names for part in (LETTERS if name == "L" else (name,))]
    ranges = joined_ranges(sorted(pair for name in spelled for pair in class_ranges()[name]))
    return "".join(
        f"\\U{first:08x}-\\U{min(last, below - 1):08x}" for first, last in ranges if first < below
    )


def _range(item: str) -> tuple[int, int]:
    first, _, last = item.partition("-")
    return int(first, 16), int(last or first, 16)


def joined_ranges(ranges: Ranges) -> Ranges:
    """Join ascending ranges that touch: a shorter set is a faster one.

    >>> joined_ranges([(1, 2), (3, 5), (9, 9)])
    [(1, 5), (9, 9)]
    """
    joined: Ranges = []
    for first, last in ranges:
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined
