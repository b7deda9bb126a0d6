"""The texts on which a tokenizer is held to its reference library: hard ones, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bpe.errors import BPEError, UnknownSymbolError
from bpe.samples import SENTENCES

if TYPE_CHECKING:
    from bpe.tokenizer import Tokenizer

# What has told tokenizers apart: white space of all kinds and its runs, contractions in any case,
# the long s, digits of other scripts, marks without a letter, long runs, characters of several
# parts, composed and decomposed, controls.
HARD_TEXTS = (
    "",
    " ",
    "  ",
    " \n",
    "\n \n\n  x",
    "a\r\nb\r\n\r\nc",
    "\t\tif x:\n\t\t\treturn  y   \n",
    "a\u00a0b\u2003c\u3000d\u0085e\u2028f\u200bg\u200dh\ufeffi",
    " \u3000 x\u3000\u3000y",
    "I'm you'll we've they're he'd it's don't 's 'T 'LL O'Neill ’s 'ſ",
    "HTTPServer iPhone McDonald ALLCAPS camelCaseWords ǅungla",
    "1 12 123 1234 12345 1234567890 3.14 1,000 ١٢٣٤٥ १२३ ⅫⅣ ½²",
    "x86_64 a1b2c3 v1.2.3-rc4+build",
    "e\u0301 é \u0301 a\u0300\u0301\u0302\u0303 ñ n\u0303 \u1e9b\u0323",
    "\u0915\u094d\u0937\u0947 क्षे 한글 \u1112\u1161\u11ab\u1100\u1173\u11af ᄒ",
    "ﬁ ﬂ ﷺ ß ẞ İ ı ς Σ σ ΟΔΟΣ ΟΔΟΣ. Å \u212b",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 👍🏽 🇳🇴🇯🇵 1\ufe0f\u20e3 ☕\ufe0f",
    "שָׁלוֹם عَرَبِيّ فارسی‌زبان ไทยไม่มีช่องว่าง မြန်မာ",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 \U0001f600\U0010ffff",
    "\x00\x01\x1f\x7f\x80\x9f",
    "!!! ... ??? --- ___ === ~~~ ^^^ ***",
    "(a)[b]{c}<d>\"e\"'f'`g`$h%i&j@k#l/m\\n|",
    "https://example.org/a/b?c=d&e=f#g user@example.com",
    "<html>\n  <p class='x'>&amp;</p>\n</html>",
    "a" * 300,
    " " * 130 + "x" + " " * 70,
    "\n" * 60,
    "_" * 130 + "=" * 70 + "-" * 40,
    "ab" * 120,
    "antidisestablishmentarianism Donaudampfschifffahrtsgesellschaft",
)

N_RANDOM = 400
N_OF_TOKENS = 400
MOST_SPECIAL = 20

_GAPS = ("", "", " ", " ", " ", "  ", "\n", "\n\n", "\t", "\u3000", "\r\n")
_RANGES = ((0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x250), (0x370, 0x600), (0x900, 0xE80))
_WIDE_RANGES = ((0x1E00, 0x2190), (0x3040, 0x3100), (0x4E00, 0x5000), (0xAC00, 0xAD00))
_RANGES_OF_PICTURES = ((0x1F300, 0x1F650), (0x10000, 0x10100))


def agreement_texts(tokenizer: Tokenizer, *, with_special: bool) -> tuple[list[str], str]:
    """Give the texts for a tokenizer, the same at each call, and a phrase that says what they are.

    No text holds halves of surrogate pairs, nor a character that the tokenizer refuses.

    >>> import bpe
    >>> texts, phrase = agreement_texts(bpe.train("a", num_merges=0).tokenizer, with_special=False)
    >>> len(texts) > 800, phrase[:30]
    (True, '49 sentences in many scripts, ')
    """
    choose = random.Random(20)
    sentences = [sentence for preset in SENTENCES.values() for sentence in preset]
    texts = [*sentences, *HARD_TEXTS]
    texts += [_random_text(choose) for _ in range(N_RANDOM)]
    of_tokens = list(_texts_of_tokens(tokenizer, choose))
    phrase = (
        f"{len(sentences)} sentences in many scripts, code, numbers and emoji, "
        f"{len(HARD_TEXTS)} strings known to be hard, {N_RANDOM} random ones"
        f"{f' and {len(of_tokens)} put together from its tokens' if of_tokens else ''}"
    )
    texts += of_tokens
    special = list(tokenizer.special_tokens)[:MOST_SPECIAL] if with_special else []
    if special:
        texts += [f"a {token} b{token}{token}\n{token}" for token in special]
        phrase += f", and {len(special)} with special tokens"
    known = [_without_unknown(tokenizer, text) for text in texts]
    if known != texts:
        phrase += ", all without characters that it has no token for"
    return known, phrase


def _random_text(choose: random.Random) -> str:
    ranges = (*_RANGES, *_WIDE_RANGES, *_RANGES_OF_PICTURES)
    parts = []
    for _ in range(choose.randint(1, 8)):
        first, stop = choose.choice(ranges)
        length = choose.choice((1, 2, 3, 5, 8, 20))
        parts.append("".join(chr(choose.randrange(first, stop)) for _ in range(length)))
        parts.append(choose.choice(_GAPS))
    return "".join(parts)


def _texts_of_tokens(tokenizer: Tokenizer, choose: random.Random) -> Iterator[str]:
    """Put tokens of the vocabulary side by side, where they may merge in other ways."""
    special = tokenizer.vocabulary.special_by_id
    contents = tokenizer.vocabulary.contents
    ids = [i for i, token in enumerate(contents) if token is not None and i not in special]
    for _ in range(N_OF_TOKENS if ids else 0):
        chosen = choose.choices(ids, k=choose.randint(1, 12))
        yield tokenizer.decode_bytes(chosen).decode("utf-8", "replace")


def _without_unknown(tokenizer: Tokenizer, text: str) -> str:
    """Remove the characters that the tokenizer refuses to encode."""
    while True:
        try:
            tokenizer.encode(text)
        except UnknownSymbolError as error:
            text = text.replace(text[error.char_position], "")
        except BPEError:  # an expression that takes too long: the comparison tells it
            return text
        else:
            return text
