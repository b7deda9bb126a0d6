"""Texts and tokenizers for the token view's tests: small trainings on what is hard to draw."""

from __future__ import annotations

from functools import lru_cache

import bpe
from bpe import TrainingRun
from bpe.normalizers import well_formed

HOSTILE = "<script>alert(1)</script> <b>b</b> $x$ [a](http://b) constructor __proto__ &amp; `c`"
SCRIPTS = (
    "The quick brown fox\n\tjumps  over — naïve café.\n"
    "👩‍👩‍👧‍👦 and 🇫🇷 1️⃣ 👍🏽\n"
    "مرحبا بالعالم، שלום עולם! می‌خواهم\n"
    "สวัสดีชาวโลก नमस्ते दुनिया e\u0301\n"
    "東京 は 晴れ\n"
)
INVISIBLE = "a\u00a0b\u200dc\u200c\x00d\ufeff\u2028e\u202eabc\u202c\u0301\r\n\n\n  end\u3000x"
# One word a line, so that the text can be cut into blocks anywhere.
LONG = "".join(f"line {n} of the long text, with low lower newest widest\n" for n in range(1, 9001))
PAGE = "".join(
    f"Paragraph {n}: the quick brown fox jumps over the lazy dog. " * 3 + "\n\n"
    for n in range(1, 51)
)

TEXTS = {
    "scripts": SCRIPTS,
    "hostile": HOSTILE,
    "invisible": INVISIBLE,
    "surrogates": "a\ud83d\ude00b\ud800c",
    "long": LONG,
    "page": "".join(
        f"Paragraph {n}: the quick brown fox jumps over the lazy dog. " * 3 + "\n\n"
        for n in range(1, 51)
    ),
    "empty": "",
    "words": "low lower  newest\nwidest zip",
    "upper": "LOW Ünïcode ﬁne ẞ",
    "special": "low<|end|>lower",
}


@lru_cache
def run_for(case: str) -> TrainingRun:
    """Train the tokenizer of a case."""
    if case == "words":
        counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
        return bpe.train(
            counts,
            base="char",
            num_merges=7,
            pattern="whitespace",
            end_of_word="</w>",
            unknown_token="<unk>",
        )
    if case == "upper":
        text = "low lower fine unicode ss"
        return bpe.train(text, vocab_size=266, normalizer=("nfkd", "lowercase"))
    special = ("<|end|>",) if case == "special" else ()
    corpus = well_formed((HOSTILE + " " + SCRIPTS) * 3 + LONG[:3000] + TEXTS["page"][:900])
    return bpe.train(corpus, vocab_size=420, special_tokens=special)
