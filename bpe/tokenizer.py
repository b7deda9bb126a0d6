"""A tokenizer: one value that holds normalizer, pattern, vocabulary and special tokens."""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bpe.added_tokens import AddedToken, unless_plain
from bpe.base_symbols import SymbolTable, known_symbols
from bpe.compiled_encoding import CompiledEncoding
from bpe.encoder import EncodeStep, encode_steps
from bpe.encoding import Encoding
from bpe.errors import ConfigError, FormatError
from bpe.imported_encoder import imported_pre_tokens
from bpe.imported_reading import ImportedReading
from bpe.imported_symbols import NO_OPTIONS, ImportedSymbols, ModelOptions
from bpe.merge_tree import MergeTree, merge_tree
from bpe.normalizers import check_normalizer, normalize, well_formed
from bpe.pre_tokenizers import PreToken, compile_pattern, pre_tokenize
from bpe.special_tokens import checked_allowed, finder_of
from bpe.text_encoder import Finder, encodings_of, ids_of
from bpe.text_pipeline import PostProcessor, TextPipeline
from bpe.token_decoding import decode_ids, decode_to_bytes
from bpe.vocabulary import Content, MergeRule, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class Tokenizer:
    """Turns text into ids and back; made by `bpe.train` or read from a file.

    `ignore_merges`: a pre-token that is a token as a whole becomes that token, whatever the merge
    rules say (as in Hugging Face tokenizers). `warnings` tell what a file left unsaid.

    A tokenizer.json may say more: `added` tokens with flags, where not all of them are special
    tokens and nothing else; `model_options`; a `pipeline` that rewrites and splits text in place of
    `normalizer` and `pattern`, which then only name it; a `post_processor`, kept for writing.

    >>> import bpe
    >>> low = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    >>> tokenizer = bpe.train(low, base="char", pattern="whitespace", num_merges=7).tokenizer
    >>> tokenizer.encode("lowest newer").tokens
    ['low', 'est', 'n', 'ew', 'e', 'r']
    """

    vocabulary: Vocabulary
    base: Literal["char", "byte"]
    pattern: str = "none"
    normalizer: str | tuple[str, ...] = ()
    unknown_token: str | None = None
    ignore_merges: bool = False
    added: tuple[AddedToken, ...] | None = None
    model_options: ModelOptions = NO_OPTIONS
    pipeline: TextPipeline | None = None
    post_processor: PostProcessor | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normalizer", check_normalizer(self.normalizer))
        if self.pipeline is None:
            compile_pattern(self.pattern)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __getstate__(self) -> dict[str, object]:
        """What a copy or another process gets: the fields, not what was worked out from them."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    # What it is

    @property
    def vocab_size(self) -> int:
        """Highest id + 1."""
        return self.vocabulary.size

    @property
    def n_tokens(self) -> int:
        """How many ids are assigned."""
        return self.vocabulary.n_tokens

    @property
    def base_size(self) -> int:
        """How many base symbols there are, the end-of-word marker among them, specials not."""
        return len(self.vocabulary.base_ids)

    @property
    def special_tokens(self) -> dict[str, int]:
        """Ids of the special tokens."""
        return dict(self.vocabulary.special_tokens)

    @property
    def added_tokens(self) -> tuple[AddedToken, ...]:
        """All tokens that are found in the text itself: special ones, and those that always are."""
        if self.added is not None:
            return self.added
        by_id = sorted(self.vocabulary.special_by_id.items())
        return tuple(AddedToken(content, token_id) for token_id, content in by_id)

    @property
    def merges(self) -> tuple[MergeRule, ...]:
        """The merge rules by rank."""
        return tuple(self.vocabulary.merges)

    @property
    def end_of_word(self) -> str | None:
        """The end-of-word marker, if there is one."""
        return self.vocabulary.end_of_word

    @property
    def is_lossless(self) -> bool:
        """Whether decoding gives back every text: all bytes known, nothing changed or dropped."""
        if self.reading.is_needed or self.normalizer:
            return self.reading.is_lossless
        keeps_everything = compile_pattern(self.pattern).keeps_everything
        return keeps_everything and self.symbol_table.knows_all_bytes

    @cached_property
    def fingerprint(self) -> str:
        """A short name of all that this tokenizer is: equal tokenizers share it (hexadecimal)."""
        from bpe.fingerprints import tokenizer_fingerprint

        return tokenizer_fingerprint(self)

    # Tokens and ids

    def token(self, token_id: int) -> Content:
        """Give the content of an id; raises UnknownIdError."""
        return self.vocabulary.token(token_id)

    def token_id(self, content: Content) -> int:
        """Give the id of a content; raises BPEError where no token has it.

        A str that is a special token means that.
        """
        return self.vocabulary.token_id(content)

    def text_of(self, token_id: int) -> Content:
        """Give the content of an id without the end-of-word marker; raises UnknownIdError."""
        return self.vocabulary.text_of(token_id)

    def ends_word(self, token_id: int) -> bool:
        """Tell whether a token is the end-of-word marker or ends with it."""
        return token_id in self.vocabulary.ends_word

    def rank_of(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token; None for base symbols and special tokens."""
        rule = self.vocabulary.rules_by_token.get(token_id)
        return None if rule is None else rule.rank

    def parents(self, token_id: int) -> tuple[int, int] | None:
        """The two ids whose merge makes a token; None for base symbols and special tokens."""
        rule = self.vocabulary.rules_by_token.get(token_id)
        return None if rule is None else rule.pair

    def merge_tree(self, token_id: int) -> MergeTree:
        """Show how a token was built; raises UnknownIdError."""
        self.token(token_id)
        return merge_tree(self.vocabulary, token_id)

    def with_vocab_size(self, n_tokens: int) -> Tokenizer:
        """Cut the vocabulary to special tokens, base and the first merges, every id as before.

        Equals training to that size. Raises ConfigError below special tokens + base; above the
        top it gives the same tokenizer.

        >>> import bpe
        >>> tokenizer = bpe.train({"low": 5}, base="char", num_merges=2).tokenizer
        >>> tokenizer.with_vocab_size(4).encode("low").tokens
        ['lo', 'w']
        """
        vocabulary = self.vocabulary.cut(n_tokens)
        if vocabulary is self.vocabulary:
            return self
        added = self.added
        if added is not None:
            # As tokens of the model, so that a file gives them their ids whatever was cut off.
            kept = [token for token in added if vocabulary.is_assigned(token.token_id)]
            in_model = [replace(token, in_model=True) for token in kept]
            added = unless_plain(in_model, vocabulary.special_tokens)
        return replace(self, vocabulary=vocabulary, added=added)

    @cached_property
    def symbol_table(self) -> SymbolTable:
        """Writes pre-tokens as ids of base symbols."""
        unknown = self.unknown_token
        unknown_id = None if unknown is None else self.vocabulary.special_tokens.get(unknown)
        if self.reading.is_needed or self.reading.always_found:
            spells_bytes = self.pipeline is not None and self.pipeline.spells_bytes
            given = (self.vocabulary, self.base, unknown_id, self.model_options)
            return ImportedSymbols(*given, spells_bytes, self.reading.beyond_model)
        return SymbolTable(self.vocabulary, self.base, unknown_id)

    # Encoding

    def pre_tokenize(self, text: str) -> list[PreToken]:
        """Normalize a text and cut it into pre-tokens; places are those in the normalized text."""
        if self.reading.is_needed or self.reading.always_found:
            return imported_pre_tokens(self, text)
        return pre_tokenize(self.normalized_text(text), self.pattern)

    def normalized_text(self, text: str) -> str:
        """Give the text that the places of `pre_tokenize` are in.

        Where an imported tokenizer rewrites pre-tokens, that is all of them, joined.
        """
        if self.reading.is_needed or self.reading.always_found:
            return "".join(piece.text for piece in imported_pre_tokens(self, text))
        return normalize(well_formed(text), self.normalizer)

    def encode(self, text: str, *, allowed_special: Collection[str] = ()) -> Encoding:
        """Turn a text into tokens.

        Text that spells a special token is ordinary text unless `allowed_special` names it ("all"
        for every one). Raises UnknownSymbolError for a character without a symbol where there is
        no unknown token, ConfigError for an `allowed_special` that is no special token or a text
        that is no string.
        """
        return encodings_of(self, [text], self._finder(allowed_special))[0]

    def encode_batch(
        self, texts: Iterable[str], *, allowed_special: Collection[str] = ()
    ) -> list[Encoding]:
        """Encode several texts, on all processors where that pays; raises what `encode` raises."""
        if isinstance(texts, str):
            raise ConfigError("the texts to encode are one string: give several, or use encode")
        if not isinstance(texts, Iterable):
            raise ConfigError(f"the texts to encode must be several strings, not {texts!r:.80}")
        return encodings_of(self, list(texts), self._finder(allowed_special))

    def encode_to_numpy(
        self, text: str, *, allowed_special: Collection[str] = ()
    ) -> npt.NDArray[np.int32]:
        """Encode a text to an array of its ids (int32, one dimension); raises as `encode` does."""
        import numpy as np

        return np.asarray(ids_of(self, [text], self._finder(allowed_special))[0], np.int32)

    def encode_steps(self, pre_token: str) -> Iterator[EncodeStep]:
        """Yield the merges that encode one pre-token, in the order in which they apply.

        The pre-token is taken as it is: not normalized, not split. Raises UnknownSymbolError.

        >>> import bpe
        >>> tokenizer = bpe.train({"low": 5}, base="char", num_merges=2).tokenizer
        >>> [(step.rank, step.position) for step in tokenizer.encode_steps("wlow")]
        [(0, 1), (1, 1)]
        """
        return encode_steps(self.symbols(pre_token), self.vocabulary.ranks)

    def symbols(self, pre_token: str) -> list[int]:
        """Give the ids of the base symbols of a pre-token, which merging starts from.

        A token that is always found in texts is a pre-token of one symbol, itself. Raises
        UnknownSymbolError.

        >>> import bpe
        >>> bpe.train({"low": 5}, base="char", num_merges=2).tokenizer.symbols("owl")
        [1, 2, 0]
        """
        sound = well_formed(pre_token)
        whole = self.reading.always_ids.get(pre_token)
        if whole is not None:
            return [whole]
        return known_symbols(self.symbol_table, sound)

    def _finder(self, allowed_special: Collection[str]) -> Finder | None:
        reading = self.reading
        if isinstance(allowed_special, str) and allowed_special == "all":
            found = reading.special
        else:
            found = checked_allowed(self.vocabulary.special_tokens, allowed_special)
        if reading.is_needed:
            return reading.finder(found)
        if reading.always_found:
            found |= reading.always_found
        return finder_of(found) if found else None

    @cached_property
    def found_ids(self) -> dict[str, int]:
        """Ids of all tokens that may be found in the text itself."""
        added = {token.content: token.token_id for token in self.added_tokens}
        return {**self.vocabulary.special_tokens, **added}

    @cached_property
    def reading(self) -> ImportedReading:
        """What an imported tokenizer does with a text beyond pattern and names."""
        # Without a cycle, what the compiled encoder holds is freed with its tokenizer.
        return ImportedReading(weakref.proxy(self))

    @cached_property
    def compiled_encoding(self) -> CompiledEncoding:
        """The compiled encoder, once the texts encoded have been worth one."""
        return CompiledEncoding()

    # Decoding

    def decode(self, ids: Iterable[int], *, errors: str = "replace") -> str:
        """Turn ids back into text; `errors` says what to do with bytes that are not UTF-8.

        An end-of-word marker becomes a space under the whitespace pattern, unless it is the last
        token, and nothing under other patterns. Raises UnknownIdError.

        >>> import bpe
        >>> bpe.train("a", num_merges=0).tokenizer.decode([195, 169, 195])
        'é�'
        """
        return decode_ids(self, ids, errors)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Turn ids back into the text's bytes (UTF-8 in a char base); raises UnknownIdError."""
        return decode_to_bytes(self, ids)

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tokenizer to a file as tokenizer.json; `load` gives an equal one back.

        Raises FormatError, before anything is written, for a file too large to be read again.
        """
        from bpe.file_limits import check_json_size
        from bpe.formats import to_tokenizer_json

        data = to_tokenizer_json(self).encode("utf-8")
        check_json_size(data, f"the file to be written to {os.fsdecode(path)}")
        with open(path, "wb") as file:
            file.write(data)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Tokenizer:
        """Read a tokenizer.json; raises FormatError for a file that cannot be read."""
        from bpe.formats import load_tokenizer_json

        if not isinstance(path, (str, bytes, os.PathLike)):
            raise FormatError(f"the path must be a string or a Path, not {path!r:.80}")
        return load_tokenizer_json(Path(os.fsdecode(path)))
