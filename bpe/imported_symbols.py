"""How the models of tokenizer.json files write a word in base symbols.

Beside one symbol a character they know: a prefix of symbols that do not begin a word (`##b`), a
suffix of the one that ends it (`b</w>`), the bytes of a character as tokens (`<0xE2>`), one unknown
token for a run of unknown characters, and tokens that are one symbol. Names and meaning are those
of the BPE model of Hugging Face tokenizers (Apache 2.0), the last of SentencePiece's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bpe.base_symbols import SymbolTable
from bpe.byte_alphabet import read_bytes, spell_bytes
from bpe.special_tokens import SpecialTokenFinder
from bpe.vocabulary import Content, Vocabulary


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What a BPE model of a tokenizer.json may do beside merging; by default nothing.

    `byte_fallback`: a character without a symbol becomes the tokens of its bytes, if all are there.
    `fuse_unknown`: a run of unknown characters in a word is one unknown token.
    `whole`: tokens that are one symbol wherever a word holds them, the longest at a place, and
    are never merged (the user-defined symbols of SentencePiece).

    >>> ModelOptions(suffix="</w>") == ModelOptions()
    False
    """

    byte_fallback: bool = False
    fuse_unknown: bool = False
    prefix: str = ""
    suffix: str = ""
    whole: tuple[str, ...] = ()


NO_OPTIONS = ModelOptions()


def byte_token(value: int) -> str:
    """Give the spelling of a byte as a token.

    >>> byte_token(0xE2)
    '<0xE2>'
    """
    return f"<0x{value:02X}>"


class ImportedSymbols(SymbolTable):
    """Writes a pre-token as ids of base symbols, as an imported model does.

    >>> vocabulary = Vocabulary(("a", "<0xC3>", "<0xA9>", "##a"))
    >>> ImportedSymbols(vocabulary, "char", None, ModelOptions(True, prefix="##")).ids("aaé")
    [0, 3, None]
    >>> ImportedSymbols(vocabulary, "char", None, ModelOptions(True)).ids("aé")
    [0, 1, 2]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        base: str,
        unknown_id: int | None,
        options: ModelOptions,
        spells_bytes: bool = False,
        without: frozenset[int] = frozenset(),
    ) -> None:
        """`spells_bytes`: words come with their bytes spelled in the byte alphabet.

        `without` are ids of tokens that the model does not have.
        """
        super().__init__(vocabulary, base, unknown_id, without)
        self._takes_bytes = base == "byte" and not spells_bytes
        self._spells_bytes = spells_bytes
        self._options = options
        self._whole = SpecialTokenFinder(options.whole) if options.whole else None
        self._spelled: dict[str, int] = {}
        # A special token of one character is a symbol too, where a text does not mean the token.
        for token_id in (*vocabulary.base_ids, *vocabulary.special_tokens.values()):
            content = vocabulary.contents[token_id]
            if content is not None and token_id not in without:
                self._spelled.setdefault(_spelling(content), token_id)
        tokens = [self._spelled.get(byte_token(value)) for value in range(256)]
        self._byte_tokens = tokens if options.byte_fallback else [None] * 256
        self.marker_ids = []
        self.knows_all_bytes = self.knows_all_bytes and not (options.prefix or options.suffix)

    def symbols(self, text: str) -> list[int | None]:
        """Give the ids of the base symbols of a text that stands alone."""
        return self.ids(text)

    def ids(self, word: str) -> list[int | None]:
        """Give the ids of a word; None where there is no symbol and no unknown token."""
        if not (self._options.prefix or self._options.suffix or self._options.whole):
            chars = spell_bytes(word.encode("utf-8")) if self._takes_bytes else word
            plain = list(map(self._spelled.get, chars))
            if None not in plain:
                return plain
        return [token_id for token_id, _ in self.sized_ids(word)]

    def content(self, word: str) -> Content:
        """Give the content of a token that is spelled like this word."""
        if self._base == "char":
            return word
        return read_bytes(word) if self._spells_bytes else word.encode("utf-8")

    def first_unknown(self, word: str) -> int | None:
        """Place of the first character of a word that has no symbol and no unknown token."""
        for number, (spelled, _) in enumerate(self._units(word)):
            if self._known(spelled) is None:
                return _char_of_byte(word, number) if self._takes_bytes else number
        return None

    def sized_ids(self, word: str) -> list[tuple[int | None, int]]:
        """Give the ids of a word, each with how many bytes of the text it stands for.

        As in the library, unknown characters come after bytes of characters that follow them.
        """
        found: list[tuple[int | None, int]] = []
        waiting = 0  # bytes of unknown characters whose token is not among the found ones yet
        for spelled, n_bytes in self._units(word):
            known = self._known(spelled)
            if known is None and self._unknown_id is None:
                found.append((None, n_bytes))
            elif known is None:
                if waiting and not self._options.fuse_unknown:
                    found.append((self._unknown_id, waiting))
                    waiting = 0
                waiting += n_bytes
            else:
                if waiting and spelled in self._spelled:
                    found.append((self._unknown_id, waiting))
                    waiting = 0
                found.extend(_shared_out(known, n_bytes))
        return [*found, (self._unknown_id, waiting)] if waiting else found

    def _known(self, spelled: str) -> Sequence[int] | None:
        token_id = self._spelled.get(spelled)
        if token_id is not None:
            return (token_id,)
        tokens = [self._byte_tokens[value] for value in spelled.encode("utf-8")]
        known = [token for token in tokens if token is not None]
        return known if len(known) == len(tokens) else None

    def _units(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield what each symbol of a word is spelled as, and how many bytes of text it is."""
        chars = self._chars(word)
        last = len(chars) - 1
        prefix, suffix = self._options.prefix, self._options.suffix
        for number, char in enumerate(chars):
            n_bytes = 1 if self._takes_bytes else len(char.encode("utf-8"))
            yield (prefix if number else "") + char + (suffix if number == last else ""), n_bytes

    def _chars(self, word: str) -> Sequence[str]:
        if self._takes_bytes:
            return spell_bytes(word.encode("utf-8"))
        if self._whole is None:
            return word
        found: list[str] = []
        for start, end, is_whole in self._whole.split(word):
            found += [word[start:end]] if is_whole else word[start:end]
        return found


def _shared_out(tokens: Sequence[int], n_bytes: int) -> Iterator[tuple[int, int]]:
    """Give one token all the bytes, several one each as far as there are (a suffix is no text)."""
    if len(tokens) == 1:
        yield tokens[0], n_bytes
        return
    for number, token_id in enumerate(tokens):
        yield token_id, int(number < n_bytes)


def _spelling(content: Content) -> str:
    return spell_bytes(content) if isinstance(content, bytes) else content


def _char_of_byte(text: str, byte: int) -> int:
    return len(text.encode("utf-8")[:byte].decode("utf-8", "ignore"))
