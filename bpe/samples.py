"""Texts to start with: corpora to train on, and sentences to compare tokenizers by.

The corpora are files of `bpe/data/samples`, read when they are asked for; where they come from and
their licences stand in `bpe/data/README.md`. Ids are part of links and stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal


@dataclass(frozen=True, slots=True)
class Sample:
    """A corpus to train on: a text, or words with their counts.

    `max_bytes` cuts the file at the last line end within that many bytes.
    """

    id: str
    title: str
    description: str
    kind: Literal["text", "word_counts"]
    file_name: str = ""
    max_bytes: int | None = None
    word_counts: tuple[tuple[str, int], ...] = field(default=(), repr=False)

    def load(self) -> str | dict[str, int]:
        """Return the text, or for the kind "word_counts" a dict from word to count.

        >>> SAMPLES["hug"].load()
        {'hug': 10, 'pug': 5, 'pun': 12, 'bun': 4, 'hugs': 5}
        >>> len(SAMPLES["shakespeare"].load())
        1115394
        """
        if self.kind == "word_counts":
            return dict(self.word_counts)
        data = (files("bpe") / "data" / "samples" / self.file_name).read_bytes()
        if self.max_bytes is not None and len(data) > self.max_bytes:
            data = data[: data.rindex(b"\n", 0, self.max_bytes) + 1]
        return data.decode("utf-8")


_ALL_SAMPLES = (
    Sample(
        "lowest",
        "low, lower, newest, widest",
        "The four words of the paper that brought byte pair encoding to words: small enough to "
        "follow every merge by hand.",
        "word_counts",
        word_counts=(("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)),
    ),
    Sample(
        "hug",
        "hug, pug, pun, bun, hugs",
        "Five short words. The pair in second place is overtaken once the first merge is made.",
        "word_counts",
        word_counts=(("hug", 10), ("pug", 5), ("pun", 12), ("bun", 4), ("hugs", 5)),
    ),
    Sample(
        "overlaps",
        "aaabdaaabac",
        "One word with runs of a: pairs that overlap are counted, but cannot all be replaced.",
        "text",
        "overlaps.txt",
    ),
    Sample(
        "seaside",
        "She sells sea shells",
        "Six sentences in which the same few syllables return: good to watch.",
        "text",
        "seaside.txt",
    ),
    Sample(
        "shakespeare_100kb",
        "Shakespeare, the first 100 KB",
        "The start of the plays: a second or two of training.",
        "text",
        "shakespeare.txt",
        max_bytes=100_000,
    ),
    Sample(
        "shakespeare",
        "Shakespeare, 1.1 MB",
        "The plays known as tinyshakespeare, a common first corpus for language models.",
        "text",
        "shakespeare.txt",
    ),
    Sample(
        "udhr_english",
        "Human rights, English",
        "The Universal Declaration of Human Rights: 10 KB of formal English.",
        "text",
        "udhr_english.txt",
    ),
    Sample(
        "languages",
        "Human rights, 12 languages",
        "The same articles in English, Spanish, Russian, Greek, Turkish, Arabic, Hindi, Thai, "
        "Chinese, Japanese, Korean and Swahili: nine scripts share one vocabulary.",
        "text",
        "languages.txt",
    ),
    Sample(
        "code",
        "Code in four languages",
        "Python, JavaScript, C and SQL: indentation, names_with_parts, camelCase and brackets.",
        "text",
        "code.txt",
    ),
)

SAMPLES: dict[str, Sample] = {sample.id: sample for sample in _ALL_SAMPLES}

_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"  # four people, one picture

# Sentences to encode, by preset; "mixed" is the one to show first.
SENTENCES: dict[str, tuple[str, ...]] = {
    "mixed": (
        "The newest tokenizers are lower than the widest ones.",
        "Der Straßenbahnfahrer überprüfte die Kühlwassertemperatur.",
        "Все люди рождаются свободными и равными.",
        "人人生而自由,在尊严和权利上一律平等。",
        "सभी मनुष्य स्वतंत्र पैदा होते हैं।",
        "يولد جميع الناس أحرارًا متساوين.",
        "for (let i = 0; i < items.length; i += 1) { total += items[i].price; }",
        "In 2024, 1,234,567 people paid 19.99 on 31/12 at 23:59.",
        f"A family {_FAMILY}, a flag 🇳🇴, a thumb 👍🏽 and a café ☕.",
    ),
    "scripts": (
        "Hello, how are you today?",
        "¡Hola! ¿Cómo estás hoy?",
        "Γειά σου, τι κάνεις σήμερα;",
        "Привет, как у тебя дела сегодня?",
        "שלום, מה שלומך היום?",
        "مرحبًا، كيف حالك اليوم؟",
        "नमस्ते, आज आप कैसे हैं?",
        "สวัสดี วันนี้เป็นอย่างไรบ้าง",
        "你好,你今天好吗?",
        "こんにちは、お元気ですか。",
        "안녕하세요, 오늘 어떻게 지내세요?",
        "Xin chào, hôm nay bạn thế nào?",
    ),
    "code": (
        "def mean(values):\n    return sum(values) / len(values)",
        "const total = items.reduce((sum, item) => sum + item.price, 0);",
        "SELECT name, COUNT(*) FROM orders WHERE paid = TRUE GROUP BY name;",
        "for (size_t i = 0; i < length; i++) { sum += values[i]; }",
        '{"id": 42, "tags": ["new", "blue"], "price": 9.5}',
        '<a href="https://example.org/search?q=bpe&page=2">next</a>',
        'if [ -f "$HOME/.profile" ]; then\n\tsource "$HOME/.profile"\nfi',
    ),
    "numbers": (
        "7 77 777 7777 77777 777777",
        "12345 + 67890 = 80235",
        "3.14159265358979 and 2.71828182845905",
        "1,000,000 or 1.000.000 or 1 000 000",
        "2024-02-29T23:59:59Z",
        "0xDEADBEEF 0b101010 6.022e23",
        "+44 20 7946 0958",
        "٣٫١٤ and ३.१४ and Ⅻ and ½",
    ),
    "emoji": (
        "I ❤️ tokens 😀",
        "👍 👍🏻 👍🏽 👍🏿",
        f"The family {_FAMILY} is at home 🏡",
        "🇫🇷 🇯🇵 🇧🇷 🇳🇴",
        "👩‍💻 writes code, 👨‍🚀 flies, 🧑‍🍳 cooks",
        "🏳️‍🌈 🏴‍☠️ 1️⃣ ©️ ™️",
    ),
    "spaces_and_case": (
        "hello Hello HELLO hElLo",
        "one two  three   four    five",
        " leading and trailing ",
        "tab\tand\tnew\nline\n\nand blank line",
        "iPhone XMLHttpRequest snake_case_name kebab-case-name",
        "don't DON'T we'll WE'LL it’s",
        "non\u00a0breaking\u2003wide\u3000spaces",
    ),
}
