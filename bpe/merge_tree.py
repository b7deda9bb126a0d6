"""How one token was built: the tree of the merges that lead to it."""

from __future__ import annotations

from dataclasses import dataclass

from bpe.vocabulary import Content, Vocabulary


@dataclass(frozen=True, slots=True)
class MergeTree:
    """A token and, if a merge made it, its rank and the trees of its two parts.

    >>> leaf = MergeTree(0, "a", None, None, None)
    >>> leaf.rank is None
    True
    """

    token_id: int
    content: Content
    rank: int | None
    left: MergeTree | None
    right: MergeTree | None


def merge_tree(vocabulary: Vocabulary, token_id: int) -> MergeTree:
    """Build the merge tree of a token; raises UnknownIdError.

    Trees may be as deep as a token is long, so they are built without recursion; a token that
    occurs several times in the tree is one shared node.

    >>> import bpe
    >>> run = bpe.train({"low": 5}, base="char", num_merges=2)
    >>> tree = merge_tree(run.tokenizer.vocabulary, 4)
    >>> tree.content, tree.rank, tree.left.content, tree.left.left.content
    ('low', 1, 'lo', 'l')
    """
    rules = vocabulary.rules_by_token
    done: dict[int, MergeTree] = {}
    waiting = [token_id]
    while waiting:
        current = waiting[-1]
        rule = rules.get(current)
        missing = [part for part in rule.pair if part not in done] if rule else []
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        parts = (done[rule.pair[0]], done[rule.pair[1]]) if rule else (None, None)
        rank = rule.rank if rule else None
        done[current] = MergeTree(current, vocabulary.token(current), rank, *parts)
    return done[token_id]
