"""From text, documents or given counts to words: unique pre-tokens with how often each occurs.

Words stand in the order in which they first occur in the corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from bpe.config import TrainerConfig
from bpe.documents import Documents
from bpe.errors import ConfigError, as_whole_number
from bpe.normalizers import normalize, well_formed
from bpe.pre_tokenizers import Splitter, compile_pattern
from bpe.progress import Ticker
from bpe.special_tokens import SpecialTokenFinder

Corpus: TypeAlias = "str | Iterable[str] | Mapping[str, int]"


def count_words(corpus: Corpus, config: TrainerConfig, ticker: Ticker) -> dict[str, int]:
    """Count the unique pre-tokens of a corpus; a mapping is taken as counted already.

    Text is made well formed (halves of surrogates become U+FFFD), special tokens are cut out of
    it, and what is left is normalized and split by the pattern. Raises ConfigError for a corpus
    that is none of the three kinds, and TrainingCancelled.

    >>> config = TrainerConfig(num_merges=1, pattern="whitespace")
    >>> count_words("low lower low", config, Ticker(None))
    {'low': 2, 'lower': 1}
    """
    if isinstance(corpus, Mapping):
        return _checked_counts(corpus)
    counter = _Counter(config, ticker)
    if isinstance(corpus, str):
        counter.add(corpus, total=len(corpus))
    else:
        total = corpus.n_chars if isinstance(corpus, Documents) else 0
        for document in _checked_documents(corpus):
            counter.add(document, total)
    return counter.counts


def is_blank(corpus: Corpus, counts: Mapping[str, int]) -> bool:
    """Tell whether there is nothing in the corpus but white space, or nothing at all.

    >>> is_blank("  ", {"  ": 1}), is_blank("a", {"a": 1})
    (True, False)
    """
    if isinstance(corpus, str) and corpus and not corpus.isspace():
        return False
    return not any(word.strip() for word in counts)


class _Counter:
    """Counts the words of one document after another."""

    def __init__(self, config: TrainerConfig, ticker: Ticker) -> None:
        self.counts: dict[str, int] = {}
        self._config = config
        self._ticker = ticker
        self._splitter: Splitter = compile_pattern(config.pattern)
        self._finder = SpecialTokenFinder(config.special_tokens)
        self._chars_before = 0

    def add(self, document: str, total: int) -> None:
        """Count one document; `total` is the length of the whole corpus, 0 where not known."""
        text = well_formed(document)
        for start, end, is_special in self._finder.split(text):
            if not is_special:
                piece = normalize(text[start:end], self._config.normalizer)
                self._add_piece(piece, self._chars_before + start, total)
        self._chars_before += len(document)
        self._ticker.tick("count", self._chars_before, total or self._chars_before)

    def _add_piece(self, text: str, chars_before: int, total: int) -> None:
        counts = self.counts
        since_tick = 0
        for start, end in self._splitter.split(text):
            word = text[start:end]
            counts[word] = counts.get(word, 0) + 1
            since_tick += 1
            if since_tick == 4096:
                since_tick = 0
                done = chars_before + end
                self._ticker.tick("count", done, max(total, done))


def _checked_counts(corpus: Mapping[str, int]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word, count in corpus.items():
        if not isinstance(word, str):
            raise ConfigError(f"a word of the corpus must be a string, not {word!r}")
        number = as_whole_number(count)
        if number is None or number < 0:
            raise ConfigError(
                f"the count of the word {word!r} must be a whole number from 0 up, not {count!r}"
            )
        if word and number:
            word = well_formed(word)
            counts[word] = counts.get(word, 0) + number
    return counts


def _checked_documents(corpus: Iterable[str]) -> Iterator[str]:
    if isinstance(corpus, (bytes, bytearray)) or not isinstance(corpus, Iterable):
        raise ConfigError(
            f"the corpus must be text, several texts, or a mapping of word to count, "
            f"not {type(corpus).__name__}"
            + (
                ": decode it first (bpe.decode_text)"
                if isinstance(corpus, (bytes, bytearray))
                else ""
            )
        )
    for number, document in enumerate(corpus):
        if not isinstance(document, str):
            raise ConfigError(f"document {number} of the corpus must be a string, not {document!r}")
        yield document
