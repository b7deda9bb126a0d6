"""The interview exercise: BPE on words of letters with an end-of-word marker, in three methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bpe.config import TrainerConfig
from bpe.encoder import merge_ids
from bpe.errors import BPEError, ConfigError
from bpe.normalizers import well_formed
from bpe.trainer import train_with

MARKER = "</w>"


class BPETokenizer:
    """Learns merges from words and turns words into tokens and back.

    Every word ends with the marker `</w>`, which is a symbol of its own. Characters never seen in
    training stay as they are.

    >>> tokenizer = BPETokenizer()
    >>> tokenizer.train(["low"] * 5 + ["lower"] * 2 + ["newest"] * 2 + ["widest"], 3)
    >>> tokenizer.merges
    [('l', 'o'), ('lo', 'w'), ('low', '</w>')]
    >>> tokenizer.encode("lower newest")
    ['low', 'e', 'r', '</w>', 'n', 'e', 'w', 'e', 's', 't', '</w>']
    >>> tokenizer.decode(tokenizer.encode("lower newest"))
    'lower newest'
    """

    def __init__(self) -> None:
        self.merges: list[tuple[str, str]] = []
        self._ranks: dict[tuple[str, str], tuple[int, str]] = {}

    def train(self, corpus: list[str], num_merges: int) -> None:
        """Learn at most `num_merges` merges from the words of a corpus, cut at white space.

        Training again starts afresh. Raises ConfigError for a corpus that is not a list of
        strings, a word that contains the marker, or a number below 0.
        """
        config = TrainerConfig(
            base="char", pattern="whitespace", end_of_word=MARKER, num_merges=num_merges
        )
        run = train_with(Counter(_words(corpus)), config)
        self.merges = [(str(step.left), str(step.right)) for step in run.steps]
        self._ranks = {pair: (rank, pair[0] + pair[1]) for rank, pair in enumerate(self.merges)}

    def encode(self, text: str) -> list[str]:
        """Turn the words of a text, cut at white space, into tokens."""
        return [
            token
            for word in well_formed(text).split()
            for token in merge_ids([*word, MARKER], self._ranks)
        ]

    def decode(self, tokens: list[str]) -> str:
        """Join tokens; each that is or ends with the marker ends a word.

        Raises BPEError for a token that is not a string.
        """
        if not isinstance(tokens, Iterable):
            raise BPEError(f"give a list of tokens, not {tokens!r:.80}")
        text = ""
        for token in tokens:
            if not isinstance(token, str):
                raise BPEError(f"a token must be a string, not {token!r}")
            text += token.removesuffix(MARKER) + " " if token.endswith(MARKER) else token
        return text.rstrip(" ")


def _words(corpus: Iterable[str]) -> list[str]:
    if isinstance(corpus, str):
        raise ConfigError("the corpus must be a list of strings, not one string: put it in a list")
    if not isinstance(corpus, Iterable):
        raise ConfigError(f"the corpus must be a list of strings, not {corpus!r:.80}")
    words: list[str] = []
    for number, text in enumerate(corpus):
        if not isinstance(text, str):
            raise ConfigError(f"item {number} of the corpus must be a string, not {text!r}")
        words += text.split()
    marked = next((word for word in words if MARKER in word), None)
    if marked is not None:
        raise ConfigError(
            f"the word {marked!r} contains the end-of-word marker {MARKER}: take it out, for "
            "decoding could not tell it from the end of a word"
        )
    return words
