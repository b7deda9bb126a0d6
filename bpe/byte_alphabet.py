"""GPT-2's alphabet: one printable character for each of the 256 bytes.

Source: openai/gpt-2, `bytes_to_unicode`; used by byte-level tokenizer.json and vocab.json files.
"""

from __future__ import annotations

from bpe.tie_rules import prints_in_gpt2


def _make_alphabet() -> str:
    shifted = 256
    chars = []
    for byte in range(256):
        if prints_in_gpt2(byte):
            chars.append(chr(byte))
        else:
            chars.append(chr(shifted))
            shifted += 1
    return "".join(chars)


ALPHABET = _make_alphabet()
_BYTES = {char: byte for byte, char in enumerate(ALPHABET)}


def spell_bytes(data: bytes) -> str:
    """Write bytes as printable characters.

    >>> spell_bytes(b" how")
    'Ġhow'
    """
    return "".join(ALPHABET[byte] for byte in data)


def read_bytes(spelling: str) -> bytes:
    """Read printable characters as bytes; raises KeyError for a character not of the alphabet.

    >>> read_bytes("Ġhow")
    b' how'
    """
    return bytes(_BYTES[char] for char in spelling)
