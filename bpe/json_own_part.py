"""The part of a tokenizer.json that is our own: a vocabulary by ids, where spellings do not do.

Text may spell the end-of-word marker, and a special token may be spelled like a token of text.
The plain format knows tokens by their spelling alone, so such a vocabulary is written by ids.
So is one of ranks (`by_rank`) that no merge rules can say, where no two tokens make a third, and
one whose rules share ranks, so that the leftmost of them applies first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe.byte_alphabet import read_bytes
from bpe.errors import FormatError, as_whole_number
from bpe.file_limits import HIGHEST_ID
from bpe.pattern_readings import others_read_alike
from bpe.pre_tokenizers import PATTERN_NAMES
from bpe.rank_vocabulary import RankVocabulary
from bpe.token_spelling import spell, spelled_tokens
from bpe.tokenizer import Tokenizer
from bpe.vocabulary import Content, MergeRule, Vocabulary

OWN_KEY = "bpe_explorer"
_VERSION = 1


def holds_surrogate(text: str) -> bool:
    """Tell whether a text holds half of a surrogate pair, which is no text in any encoding.

    >>> holds_surrogate("a\\ud83d"), holds_surrogate("a😀")
    (True, False)
    """
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def needs_own_part(tokenizer: Tokenizer) -> bool:
    """Tell whether the plain format cannot hold this vocabulary.

    >>> import bpe
    >>> needs_own_part(bpe.train({"low": 1}, num_merges=1, special_tokens=["lo"]).tokenizer)
    True
    """
    has_marker = tokenizer.end_of_word is not None and not tokenizer.model_options.suffix
    spelled = spelled_tokens(tokenizer)
    is_spelled_twice = len(set(spelled.values())) < len(spelled)
    has_whole = bool(tokenizer.model_options.whole)
    vocabulary = tokenizer.vocabulary
    return (
        has_marker
        or is_spelled_twice
        or has_whole
        or _is_read_otherwise(tokenizer)
        or _is_by_rank(vocabulary)
        or _shares_ranks(vocabulary)
    )


def _is_read_otherwise(tokenizer: Tokenizer) -> bool:
    """Whether other programs would split otherwise by the tokenizer's own expression."""
    pattern = tokenizer.pattern
    is_own = tokenizer.pipeline is None and pattern not in PATTERN_NAMES
    return is_own and not others_read_alike(pattern)


def _is_by_rank(vocabulary: Vocabulary) -> bool:
    return isinstance(vocabulary, RankVocabulary) and not vocabulary.has_all_rules


def _shares_ranks(vocabulary: Vocabulary) -> bool:
    """Whether the rank of a rule is not its place in the list: some rules share one."""
    return any(rule.rank != place for place, rule in enumerate(vocabulary.merges))


def own_part(tokenizer: Tokenizer) -> dict[str, Any]:
    """Give the vocabulary by ids.

    >>> import bpe
    >>> own_part(bpe.train("ab", base="char", num_merges=1, end_of_word="_").tokenizer)["tokens"]
    ['a', 'b', '_', 'ab']
    """
    vocabulary = tokenizer.vocabulary
    more: dict[str, Any] = {}
    if _is_by_rank(vocabulary):
        more["by_rank"] = True
    elif _shares_ranks(vocabulary):
        more["ranks"] = [rule.rank for rule in vocabulary.merges]
    if tokenizer.model_options.whole:
        more["whole"] = list(tokenizer.model_options.whole)
    return {
        "version": _VERSION,
        **more,
        "base": tokenizer.base,
        "end_of_word": tokenizer.end_of_word,
        "ends_word": sorted(vocabulary.ends_word),
        "tokens": [None if token is None else spell(token) for token in vocabulary.contents],
        "merges": [[*rule.pair, rule.token_id] for rule in tokenizer.merges],
    }


def read_own_part(own: Any, base: str, special_tokens: Mapping[str, int], name: str) -> Vocabulary:
    """Read a vocabulary by ids; raises FormatError, which names the part that is damaged.

    >>> part = {"version": 1, "base": "char", "end_of_word": None, "ends_word": [],
    ...         "tokens": ["a", "b", "ab"], "merges": [[0, 1, 2]]}
    >>> read_own_part(part, "char", {}, "the file").contents
    ('a', 'b', 'ab')
    """
    where = f"{name}: {OWN_KEY}"
    if not isinstance(own, dict) or own.get("version") != _VERSION:
        raise FormatError(f"{where} must be an object of version {_VERSION}")
    if own.get("base") != base:
        raise FormatError(
            f"{where}.base is {own.get('base')!r:.80}, but the file is of base {base}"
        )
    contents = _read_tokens(own, base, special_tokens, where)
    end_of_word, ends_word = _read_marker(own, contents, where)
    if own.get("by_rank") is True:
        if base != "byte" or end_of_word is not None:
            raise FormatError(f"{where}.by_rank is for a byte base without a marker")
        return RankVocabulary(contents, dict(special_tokens))
    special_ids = frozenset(special_tokens.values())
    rules = _list_in(own, "merges", where)
    merges = tuple(
        _read_rule(rule, rank, contents, ends_word, special_ids, where)
        for rank, rule in zip(_read_ranks(own, len(rules), where), rules, strict=True)
    )
    return Vocabulary(contents, merges, dict(special_tokens), end_of_word, ends_word)


def read_whole(own: Any, vocab: Mapping[str, int], name: str) -> tuple[str, ...]:
    """Read which tokens are one symbol; none where there is no such part. Raises FormatError.

    >>> read_whole({"whole": ["<sep>"]}, {"<sep>": 7}, "the file"), read_whole(None, {}, "the file")
    (('<sep>',), ())
    """
    whole = own.get("whole", []) if isinstance(own, dict) else []
    if not isinstance(whole, list):
        raise FormatError(f"{name}: {OWN_KEY}.whole must be a list, not {whole!r:.80}")
    for token in whole:
        if not isinstance(token, str) or not token or token not in vocab:
            raise FormatError(f"{name}: {OWN_KEY}.whole: {token!r:.80} is no token")
    return tuple(whole)


def _list_in(own: Mapping[str, Any], key: str, where: str) -> list[Any]:
    found = own.get(key)
    if not isinstance(found, list):
        raise FormatError(f"{where}.{key} must be a list, not {found!r:.80}")
    return found


def _read_tokens(
    own: Mapping[str, Any], base: str, special_tokens: Mapping[str, int], where: str
) -> tuple[Content | None, ...]:
    special_ids = {token_id: content for content, token_id in special_tokens.items()}
    contents: list[Content | None] = []
    for token_id, token in enumerate(_list_in(own, "tokens", where)):
        if token is not None and (not isinstance(token, str) or holds_surrogate(token)):
            raise FormatError(f"{where}.tokens[{token_id}] must be text or null, not {token!r:.80}")
        if special_ids.pop(token_id, token) != token:
            raise FormatError(f"{where}.tokens[{token_id}] {token!r:.80} is not the special token")
        is_spelled = base == "byte" and token is not None and special_tokens.get(token) != token_id
        try:
            contents.append(read_bytes(token or "") if is_spelled else token)
        except KeyError as error:
            raise FormatError(
                f"{where}.tokens[{token_id}] {token!r:.80} is not of the byte-level alphabet"
            ) from error
    for token_id, content in special_ids.items():
        raise FormatError(
            f"{where}.tokens does not hold the special token {content!r} ({token_id})"
        )
    return tuple(contents)


def _read_marker(
    own: Mapping[str, Any], contents: tuple[Content | None, ...], where: str
) -> tuple[str | None, frozenset[int]]:
    marker = own.get("end_of_word")
    if marker is not None and (
        not isinstance(marker, str) or not marker or holds_surrogate(marker)
    ):
        raise FormatError(f"{where}.end_of_word must be text or null, not {marker!r:.80}")
    ids = _list_in(own, "ends_word", where)
    for token_id in ids:
        content = _content(token_id, contents)
        ending = (marker or "").encode("utf-8") if isinstance(content, bytes) else marker
        if content is None or not ending or not content.endswith(ending):  # type: ignore[arg-type]
            raise FormatError(f"{where}.ends_word: {token_id!r:.80} does not end with the marker")
    return marker, frozenset(ids)


def _read_ranks(own: Mapping[str, Any], n_rules: int, where: str) -> Sequence[int]:
    """The rank of each rule: its place, or what the part says, which never falls."""
    if "ranks" not in own:
        return range(n_rules)
    ranks = _list_in(own, "ranks", where)
    are_whole = all(type(rank) is int and 0 <= rank <= HIGHEST_ID for rank in ranks)
    if len(ranks) != n_rules or not are_whole or ranks != sorted(ranks):
        raise FormatError(f"{where}.ranks must be a rising list of ranks, one for each merge")
    return ranks


def _read_rule(
    rule: Any,
    rank: int,
    contents: tuple[Content | None, ...],
    ends_word: frozenset[int],
    special_ids: frozenset[int],
    where: str,
) -> MergeRule:
    if not isinstance(rule, list) or len(rule) != 3:
        raise FormatError(f"{where}.merges[{rank}] must be three ids, not {rule!r:.80}")
    left, right, merged = (_content(token_id, contents) for token_id in rule)
    fits = (
        left is not None
        and type(left) is type(right) is type(merged)
        and left + right == merged  # type: ignore[operator]
        and rule[0] not in ends_word
        and (rule[1] in ends_word) == (rule[2] in ends_word)
        and special_ids.isdisjoint(rule)
    )
    if not fits:
        raise FormatError(f"{where}.merges[{rank}]: {left!r} and {right!r} do not make {merged!r}")
    return MergeRule(rank, (rule[0], rule[1]), rule[2])


def _content(token_id: Any, contents: tuple[Content | None, ...]) -> Content | None:
    number = as_whole_number(token_id)
    return contents[number] if number is not None and 0 <= number < len(contents) else None
