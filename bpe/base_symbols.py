"""The vocabulary before the first merge, and how a word is written in its ids."""

from __future__ import annotations

from collections.abc import Iterable

from bpe.config import TrainerConfig
from bpe.errors import UnknownSymbolError
from bpe.vocabulary import Content, Vocabulary


def base_vocabulary(config: TrainerConfig, words: Iterable[str]) -> Vocabulary:
    """Number special tokens, then base symbols in sorted order, then the end-of-word marker.

    >>> config = TrainerConfig(base="char", num_merges=0, end_of_word="</w>", unknown_token="?")
    >>> base_vocabulary(config, ["low", "we"]).contents
    ('?', 'e', 'l', 'o', 'w', '</w>')
    """
    symbols: list[Content]
    if config.base == "byte":
        symbols = [bytes([value]) for value in range(256)]
    else:
        seen: set[str] = set()
        for word in words:
            seen.update(word)
        symbols = [*sorted(seen)]
    contents = [*config.special_tokens, *symbols]
    ends_word: frozenset[int] = frozenset()
    if config.end_of_word is not None:
        ends_word = frozenset({len(contents)})
        marker = config.end_of_word
        contents.append(marker.encode("utf-8") if config.base == "byte" else marker)
    special = {content: token_id for token_id, content in enumerate(config.special_tokens)}
    return Vocabulary(tuple(contents), (), special, config.end_of_word, ends_word)


class SymbolTable:
    """Writes a pre-token as ids of base symbols.

    `ids(word)` gives one id a character (char base) or byte (byte base), the marker's id last if
    the vocabulary has one; what has no symbol gives `unknown_id`, which may be None. `byte_ids`
    holds the ids of the 256 bytes, `marker_ids` that of the marker.

    >>> config = TrainerConfig(base="char", num_merges=0)
    >>> SymbolTable(base_vocabulary(config, ["low"]), "char", None).ids("wool")
    [2, 1, 1, 0]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        base: str,
        unknown_id: int | None,
        without: frozenset[int] = frozenset(),
    ) -> None:
        """`without`: ids of tokens that are no symbols, though they may look like some."""
        self._base = base
        self._unknown_id = unknown_id
        self._ids: dict[Content, int] = {}
        apart = vocabulary.ends_word | without
        for token_id in vocabulary.base_ids:
            content = vocabulary.contents[token_id]
            if content is not None and token_id not in apart and len(content) == 1:
                self._ids.setdefault(content, token_id)
        self.byte_ids = [self._ids.get(bytes([value]), unknown_id) for value in range(256)]
        self.knows_all_bytes = all(bytes([value]) in self._ids for value in range(256))
        marker = set(vocabulary.base_ids) & vocabulary.ends_word
        self.marker_ids = sorted(marker)[:1]

    def symbols(self, text: str) -> list[int | None]:
        """Give the ids of the base symbols of a text, no marker; None where one is missing."""
        if self._base == "byte":
            return [self.byte_ids[value] for value in text.encode("utf-8")]
        return [self._ids.get(char, self._unknown_id) for char in text]

    def ids(self, word: str) -> list[int | None]:
        """Give the ids of a word: its base symbols, and the marker if there is one."""
        return [*self.symbols(word), *self.marker_ids]

    def first_unknown(self, word: str) -> int | None:
        """Place of the first character of a word without a symbol; None where all have one."""
        return next((at for at, char in enumerate(word) if None in self.symbols(char)), None)

    def known_ids(self, word: str) -> list[int]:
        """Give the ids of the base symbols of a word of the training corpus: none is missing."""
        found = self.ids(word)
        assert None not in found, word
        return found  # type: ignore[return-value]


def known_symbols(table: SymbolTable, word: str) -> list[int]:
    """Give the ids of the base symbols of a word; raises UnknownSymbolError for the first missing.

    The error's position is the character's place in the word.

    >>> config = TrainerConfig(base="char", num_merges=0)
    >>> known_symbols(SymbolTable(base_vocabulary(config, ["low"]), "char", None), "owl")
    [1, 2, 0]
    """
    symbols = table.ids(word)
    known = [token_id for token_id in symbols if token_id is not None]
    if len(known) < len(symbols):
        at = table.first_unknown(word) or 0
        raise UnknownSymbolError(word[at], at)
    return known
