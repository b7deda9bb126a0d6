"""What the user trains on: a sample, pasted text, typed word counts or an upload.

Pure values and readers; the widgets are in `corpus_controls` and `upload_controls`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from bpe.documents import Documents
from bpe.normalizers import well_formed
from bpe.samples import SAMPLES
from pages.ui.upload_reading import UploadedText
from pages.ui.upload_text import FileFacts

MAX_PASTE_CHARACTERS: Final = 200_000
MOST_WARNINGS: Final = 3
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
    content: str | Mapping[str, int] | Documents
    warnings: tuple[str, ...] = ()
    upload: UploadedText | None = None

    @cached_property
    def n_bytes(self) -> int:
        """Size in bytes of UTF-8; for word counts that of the words, each once."""
        if isinstance(self.content, Documents):
            return self.content.n_bytes
        words = [self.content] if isinstance(self.content, str) else self.content
        return sum(len(well_formed(word).encode("utf-8")) for word in words)

    @property
    def is_small(self) -> bool:
        """Whether training on it takes no time that anyone would notice."""
        return self.n_bytes <= SMALL_BYTES

    @cached_property
    def key(self) -> str:
        """A short name of the content (sha256, hexadecimal)."""
        if self.upload is not None:
            return self.upload.key
        if isinstance(self.content, str):
            data = well_formed(self.content).encode("utf-8")
        else:
            data = repr(list(_counts(self.content).items())).encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()[:32]

    def facts(self) -> str:
        """Say what was read, in one line.

        >>> CorpusChoice("Pasted text", "to be\\nor not").facts()
        '12 bytes, 12 characters, 2 lines'
        """
        if self.upload is not None:
            return _facts_of_files(self.upload.files)
        if isinstance(self.content, str):
            n_lines = self.content.count("\n") + (not self.content.endswith("\n"))
            sizes = self.n_bytes, len(self.content), n_lines if self.content else 0
            return _sizes_in_words(*sizes)
        counts = _counts(self.content)
        return f"{_n(len(counts), 'word')}, {_n(sum(counts.values()), 'occurrence')} in all"


def _counts(content: object) -> Mapping[str, int]:
    assert isinstance(content, Mapping)  # documents come by upload only
    return content


def _facts_of_files(files: Sequence[FileFacts]) -> str:
    totals = [
        sum(getattr(file, name) for file in files) for name in ("n_bytes", "n_chars", "n_lines")
    ]
    n_documents = sum(file.n_documents for file in files)
    encodings = ", ".join(dict.fromkeys(file.encoding for file in files))
    parts = [_n(len(files), "file")] if len(files) > 1 else []
    parts += [_n(n_documents, "document")] if n_documents > len(files) else []
    return ", ".join([*parts, encodings, _sizes_in_words(*totals)])


def _sizes_in_words(n_bytes: int, n_chars: int, n_lines: int) -> str:
    return f"{_n(n_bytes, 'byte')}, {_n(n_chars, 'character')}, {_n(n_lines, 'line')}"


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


def uploaded_corpus(names: Sequence[str], read: UploadedText, *, replace: bool) -> CorpusChoice:
    """Take an upload as it was read; `names` are those of the uploaded files.

    Raises CorpusRefused, which names the file and the byte, where something is no text in its
    encoding and is not to be replaced.

    >>> from pages.ui.upload_reading import UploadedFile, read_upload
    >>> read = read_upload([UploadedFile("a.txt", b"\\xef\\xbb\\xbfhi")])
    >>> list(uploaded_corpus(["a.txt"], read, replace=True).content)
    ['hi']
    """
    name = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
    for file in read.files:
        if file.replaced is not None and not replace:
            raise CorpusRefused(
                f"{file.name} is not valid {file.encoding} at byte {file.replaced[1]:,}: save it "
                "as UTF-8, or let what is not valid be replaced."
            )
    return CorpusChoice(name, read.documents, _upload_warnings(names, read), read)


def _upload_warnings(names: Sequence[str], read: UploadedText) -> tuple[str, ...]:
    """Name what was left out, then what was noticed in each file; the rest is in the table."""
    noticed = [
        warning if [file.name] == list(names) else f"in {file.name}: {warning}"
        for file in read.files
        for warning in file.warnings
    ]
    if len(noticed) > MOST_WARNINGS:
        n_more = len(noticed) - MOST_WARNINGS
        more = f"{_n(n_more, 'more warning')}: see the table of files"
        noticed = [*noticed[:MOST_WARNINGS], more]
    if not read.left_out:
        return tuple(noticed)
    n_more = len(read.left_out) - MOST_WARNINGS
    more = f"; and {n_more:,} more" if n_more > 0 else ""
    return (f"left out: {'; '.join(read.left_out[:MOST_WARNINGS])}{more}", *noticed)


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
