"""merges.txt: one merge rule a line, its two parts with a space between, in the order learned.

A line ends at LF, or CR LF, and nowhere else, and only a plain space parts the two: U+0085, U+2028,
U+3000 and U+001C, at which Python's `splitlines` and `split` cut, are characters like any other.
Written by openai/gpt-2, Hugging Face tokenizers and subword-nmt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from bpe.errors import FormatError

HEADER = "#version: 0.2"
HEADER_START = "#version"


def read_merges(
    text: str, name: str, vocab: Collection[str] = ()
) -> Iterator[tuple[int, str, str]]:
    """Yield (line number from 1, left, right).

    The header counts as such in the first line only; blank lines are allowed at the end. Where only
    some lines end in CR LF, a CR is part of a token that is in `vocab`. Raises FormatError.

    >>> list(read_merges("#version: 0.2\\n# #\\na b", "merges.txt"))
    [(2, '#', '#'), (3, 'a', 'b')]
    """
    lines = text.split("\n")
    while lines and lines[-1] in ("", "\r"):
        lines.pop()
    all_end_in_cr = all(line.endswith("\r") for line in lines[:-1])
    for number, line in enumerate(lines, start=1):
        if number == 1 and line.startswith(HEADER_START):
            if "\r" in line.removesuffix("\r"):
                raise FormatError(f"{name}: lines end in CR alone: save it with LF, or CR LF")
            continue
        parts = line.split(" ")
        if len(parts) == 2 and (all_end_in_cr or parts[1] not in vocab):
            parts[1] = parts[1].removesuffix("\r")
        if len(parts) != 2 or not all(parts):
            raise FormatError(
                f"{name}: line {number} must be two tokens with a space between, not {line!r:.80}"
            )
        yield number, parts[0], parts[1]


def write_merges(pairs: Iterable[tuple[str, str]]) -> str:
    """Write the pairs of the merge rules, by rank.

    >>> write_merges([("a", "b")])
    '#version: 0.2\\na b\\n'
    """
    return "".join(f"{line}\n" for line in [HEADER, *(f"{a} {b}" for a, b in pairs)])


def why_not_a_line(left: str, right: str) -> str | None:
    """Say why a merge rule cannot stand in the file; None where it can.

    >>> why_not_a_line("a", "\\n"), why_not_a_line("a", "b")
    ('it holds a line end', None)
    """
    if " " in left + right:
        return "it holds a space, which parts the two tokens of a line"
    if "\n" in left + right or right.endswith("\r"):
        return "it holds a line end"
    if left.startswith(HEADER_START):
        return "its line would be taken for the header"
    return None
