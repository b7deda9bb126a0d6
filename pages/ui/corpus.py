"""What the user trains on: a sample, pasted text, typed word counts or an upload.

Pure values and readers; the widgets are in `corpus_controls`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bpe import decode_text
from bpe.normalizers import well_formed
from bpe.samples import SAMPLES

MAX_UPLOAD_MB: Final = 20
MAX_PASTE_CHARACTERS: Final = 200_000
MOST_SYMBOLS: Final = 2**53 - 1
# Up to this size a training is done before anyone would look for a progress bar.
SMALL_BYTES: Final = 100_000

_WORD_AND_COUNT = re.compile(r"(?P<word>\S(?:.*\S)?)[ \t]+(?P<count>\S+)")


class CorpusRefused(ValueError):
    """A corpus cannot be used; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True)
class CorpusChoice:
    """A corpus with its name and what was noticed when it was read."""

    name: str
    content: str | Mapping[str, int]
    warnings: tuple[str, ...] = ()
    encoding: str = ""
    n_file_bytes: int | None = None  # of an upload; its text may have another size in UTF-8

    @cached_property
    def n_bytes(self) -> int:
        """Size in bytes of UTF-8; for word counts that of the words, each once."""
        words = [self.content] if isinstance(self.content, str) else self.content
        return sum(len(well_formed(word).encode("utf-8")) for word in words)

    @property
    def is_small(self) -> bool:
        """Whether training on it takes no time that anyone would notice."""
        return self.n_bytes <= SMALL_BYTES

    @cached_property
    def key(self) -> str:
        """A short name of the content (sha256, hexadecimal)."""
        if isinstance(self.content, str):
            data = well_formed(self.content).encode("utf-8")
        else:
            data = repr(list(self.content.items())).encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()[:32]

    def facts(self) -> str:
        """Say what was read, in one line.

        >>> CorpusChoice("Pasted text", "to be\\nor not").facts()
        '12 bytes, 12 characters, 2 lines'
        """
        if not isinstance(self.content, str):
            total = sum(self.content.values())
            return f"{_n(len(self.content), 'word')}, {_n(total, 'occurrence')} in all"
        n_lines = self.content.count("\n") + (not self.content.endswith("\n"))
        size = self.n_bytes if self.n_file_bytes is None else self.n_file_bytes
        parts = [_n(size, "byte"), _n(len(self.content), "character")]
        parts.append(_n(n_lines if self.content else 0, "line"))
        return ", ".join([self.encoding, *parts] if self.encoding else parts)


def _n(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sample_corpus(sample_id: str) -> CorpusChoice:
    """Load one of the samples."""
    sample = SAMPLES[sample_id]
    return CorpusChoice(sample.title, sample.load())


def pasted_corpus(text: str) -> CorpusChoice:
    """Take text as it was pasted.

    >>> pasted_corpus("low").name
    'Pasted text'
    """
    return CorpusChoice("Pasted text", well_formed(text))


def uploaded_corpus(file_name: str, data: bytes) -> CorpusChoice:
    """Read an uploaded text file; raises CorpusRefused when it is empty, too large or not text.

    >>> uploaded_corpus("a.txt", b"\\xef\\xbb\\xbfhi").content
    'hi'
    """
    if not data:
        raise CorpusRefused(f"The file {file_name} is empty: choose one with text in it.")
    if len(data) > MAX_UPLOAD_MB * 1_000_000:
        raise CorpusRefused(
            f"The file {file_name} has {len(data) / 1e6:,.1f} MB; the limit is {MAX_UPLOAD_MB} MB: "
            "choose a smaller file, or cut it."
        )
    decoded = decode_text(data)
    return CorpusChoice(
        file_name, decoded.text, decoded.warnings, decoded.encoding, n_file_bytes=len(data)
    )


def parse_word_counts(text: str) -> dict[str, int]:
    """Read words with counts, one a line as `low 5`; equal words are added up.

    Raises CorpusRefused, which names the line.

    >>> parse_word_counts("low 5\\nlower 2\\n\\nlow 1")
    {'low': 6, 'lower': 2}
    """
    counts: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            word, count = _parse_line(line.strip(), number)
            counts[word] = counts.get(word, 0) + count
    if sum(len(word) * count for word, count in counts.items()) > MOST_SYMBOLS:
        raise CorpusRefused(
            f"The counts are too large: words times their lengths may add up to {MOST_SYMBOLS:,}, "
            "beyond which a browser cannot show every number exactly. Make the counts smaller."
        )
    return counts


def spaced_words(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Warn of words with a space in them, which most patterns would have cut.

    >>> spaced_words({"low": 5, "New York": 3})
    ('the word “New York” holds a space and is taken as one word; write one word a line',)
    """
    spaced = [word for word in counts if len(word.split()) > 1]
    if not spaced:
        return ()
    more = f" (and {len(spaced) - 1:,} more)" if len(spaced) > 1 else ""
    told = f"the word “{spaced[0][:40]}”{more} holds a space and is taken as one word"
    return (f"{told}; write one word a line",)


def _parse_line(line: str, number: int) -> tuple[str, int]:
    found = _WORD_AND_COUNT.fullmatch(line)
    if found is None:
        raise CorpusRefused(f"Line {number} “{line[:40]}”: write a word, a space and its count.")
    count = found["count"].replace(",", "")
    if not (count.isascii() and count.isdigit()) or not 1 <= len(count) <= 18 or int(count) == 0:
        raise CorpusRefused(
            f"Line {number} “{line[:40]}”: the count “{found['count'][:20]}” must be a whole "
            "number from 1 up, with at most 18 digits."
        )
    return found["word"], int(count)
