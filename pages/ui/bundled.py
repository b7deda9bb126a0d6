"""The bundled encodings as the app's list shows them: what each is called, and what it is for."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from bpe.pretrained import PRETRAINED_NAMES

# The engine's name, public in links, -> the name a reader knows it by.
BUNDLED: Final = MappingProxyType(
    {
        "r50k_base": "GPT-2 (r50k_base)",
        "p50k_base": "Codex (p50k_base)",
        "cl100k_base": "GPT-4 (cl100k_base)",
        "o200k_base": "GPT-4o (o200k_base)",
    }
)
BUNDLED_SOURCE: Final = "OpenAI's published ranks; it comes with the app"
assert {*BUNDLED} == {*PRETRAINED_NAMES}
