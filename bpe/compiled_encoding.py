"""The compiled encoder of a tokenizer: made when it pays, and led around special tokens."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bpe.acceleration import encoding_is_ready, encoding_pays
from bpe.normalizers import well_formed
from bpe.rank_vocabulary import RankVocabulary

if TYPE_CHECKING:
    from bpe.fast_encoding import FastEncoder, Ids
    from bpe.special_tokens import SpecialTokenFinder
    from bpe.tokenizer import Tokenizer

_MAKING = threading.Lock()  # one encoder at a time: two of the same would be work for nothing


class CompiledEncoding:
    """Holds the compiled encoder of one tokenizer, once its texts have been worth one.

    All the text that the tokenizer has met counts, so that many short texts get an encoder too,
    and a tokenizer that is made for one sentence gets none. One that is cut from an encoding whose
    rules are known gets its own at once: that is quicker than the plain way. Threads may share it.

    >>> import bpe
    >>> tokenizer = bpe.train("low", base="char", num_merges=1).tokenizer
    >>> CompiledEncoding().encoder(tokenizer, 10**9) is None  # the kernels are for bytes
    True
    """

    def __init__(self) -> None:
        self._n_chars = 0
        self._is_made = False
        self._encoder: FastEncoder | None = None

    def encoder(self, tokenizer: Tokenizer, n_chars: int) -> FastEncoder | None:
        """Give the encoder for so many characters of text, None where the plain way is to be taken.

        `tokenizer` is the one that this belongs to.
        """
        if self._is_made or tokenizer.base != "byte":
            return self._encoder
        self._n_chars += n_chars
        vocabulary = tokenizer.vocabulary
        is_prepared = isinstance(vocabulary, RankVocabulary) and vocabulary.knows_parts
        if not encoding_pays(self._n_chars, vocabulary.size, is_prepared=is_prepared):
            return None
        with _MAKING:
            if not self._is_made:
                from bpe.fast_encoding import FastEncoder

                self._encoder = FastEncoder.from_tokenizer(tokenizer)
                self._is_made = True
                encoding_is_ready()
        return self._encoder


def encode_around_special_tokens(
    encoder: FastEncoder,
    texts: Sequence[str],
    finder: SpecialTokenFinder,
    special_ids: Mapping[str, int],
) -> list[Ids]:
    """Encode texts in which special tokens count; `special_ids` are those of the finder's tokens.

    All that stands between them is encoded in one go.
    """
    import numpy as np

    whole = [well_formed(text) for text in texts]
    cut = [list(finder.split(text)) for text in whole]
    ordinary = [
        text[start:end]
        for text, stretches in zip(whole, cut, strict=True)
        for start, end, is_special in stretches
        if not is_special
    ]
    found = iter(encoder.encode_batch(ordinary))
    nothing = np.empty(0, np.int32)
    return [
        np.concatenate(
            [
                np.array([special_ids[text[start:end]]], np.int32) if is_special else next(found)
                for start, end, is_special in stretches
            ]
            or [nothing]
        )
        for text, stretches in zip(whole, cut, strict=True)
    ]
