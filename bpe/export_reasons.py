"""Why vocab.json + merges.txt, or a tiktoken rank file, cannot hold a tokenizer."""

from __future__ import annotations

from collections.abc import Iterator

from bpe.byte_alphabet import ALPHABET, spell_bytes
from bpe.merges_text import why_not_a_line
from bpe.rank_vocabulary import RankVocabulary
from bpe.token_spelling import spell
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content, Vocabulary


def gpt2_reasons(tokenizer: Tokenizer) -> Iterator[str]:
    """Yield the reasons against vocab.json + merges.txt: none if these hold the tokenizer.

    >>> import bpe
    >>> list(gpt2_reasons(bpe.train({"a\\n": 2}, base="char", num_merges=1).tokenizer))
    ["the merge rule 'a' + '\\\\n' cannot be a line of merges.txt: it holds a line end"]
    """
    yield from _shared_reasons(tokenizer)
    vocabulary = tokenizer.vocabulary
    if not vocabulary.n_tokens:
        yield "it has no tokens"
    yield from _spelling_reasons(vocabulary)
    if tokenizer.base == "byte" and not tokenizer.symbol_table.knows_all_bytes:
        yield "some bytes have no token, so that its tokens would be read as characters"
    if tokenizer.base == "char" and _looks_like_bytes(vocabulary):
        yield "its characters are those that such files spell bytes with"
    yield from _unmade_reasons(vocabulary)
    for rule in vocabulary.merges:
        left, right = (spell(vocabulary.token(part)) for part in rule.pair)
        reason = why_not_a_line(left, right)
        if reason is not None:
            yield (
                f"the merge rule {left!r:.40} + {right!r:.40} cannot be a line of merges.txt: "
                f"{reason}"
            )
            return


def tiktoken_reasons(tokenizer: Tokenizer) -> Iterator[str]:
    """Yield the reasons against a rank file: none if it holds the tokenizer.

    >>> import bpe
    >>> list(tiktoken_reasons(bpe.train("low low", num_merges=2).tokenizer))
    []
    """
    if tokenizer.base == "char":
        yield "its ranks are of bytes, and this is a character base"
        return
    yield from _shared_reasons(tokenizer)
    if not tokenizer.symbol_table.knows_all_bytes:
        yield "some bytes have no token, and tiktoken needs all 256"
        return
    if not isinstance(tokenizer.vocabulary, RankVocabulary):
        yield from _rank_reasons(tokenizer.vocabulary)


def _shared_reasons(tokenizer: Tokenizer) -> Iterator[str]:
    if tokenizer.end_of_word is not None:
        yield f"it has no end-of-word marker, and this one has {tokenizer.end_of_word!r:.40}"
    if tokenizer.reading.is_needed:
        yield "it has no steps that rewrite and split text, which this one was imported with"
    if tokenizer.normalizer:
        yield f"it has no normalizer, and this one has {'+'.join(tokenizer.normalizer)}"


def _spelling_reasons(vocabulary: Vocabulary) -> Iterator[str]:
    seen: set[str] = set()
    for token_id, content in enumerate(vocabulary.contents):
        if content is None:
            continue
        spelled = spell(content)
        if spelled in seen:
            yield f"two of its tokens are spelled {spelled!r:.40}, and it knows them by spelling"
            return
        seen.add(spelled)
        if len(spelled) == 1 and token_id in vocabulary.special_by_id:
            yield f"the special token {spelled!r} would be read as a plain character"
            return


def _looks_like_bytes(vocabulary: Vocabulary) -> bool:
    tokens = {content for content in vocabulary.contents if isinstance(content, str)}
    tokens -= vocabulary.special_tokens.keys()
    if tokens >= set(ALPHABET):
        return True
    marks = {spell_bytes(b" "), spell_bytes(b"\n")}
    return bool(marks & tokens) and set().union(*tokens) <= set(ALPHABET)


def _unmade_reasons(vocabulary: Vocabulary) -> Iterator[str]:
    """A token of several symbols that no merge makes would be read as a special one."""
    known = {rule.token_id for rule in vocabulary.merges} | vocabulary.special_by_id.keys()
    for token_id, content in enumerate(vocabulary.contents):
        if content is not None and len(content) > 1 and token_id not in known:
            yield f"no merge makes its token {spell(content)!r:.40}"
            return


def _rank_reasons(vocabulary: Vocabulary) -> Iterator[str]:
    """Ranks join any two tokens that spell a third: is that what the merge rules do?"""
    unmade = next(_unmade_reasons(vocabulary), None)
    if unmade is not None:
        yield f"{unmade}, so its rank would not say what does"
        return
    special = vocabulary.special_by_id
    contents: tuple[Content | None, ...] = tuple(
        None if token_id in special else content
        for token_id, content in enumerate(vocabulary.contents)
    )
    of_ranks = RankVocabulary(contents, {})
    rules = [(rule.pair, rule.token_id) for rule in vocabulary.merges]
    if rules != [(rule.pair, rule.token_id) for rule in of_ranks.merges]:
        yield "its merge rules are not those that the order of its ids gives"
