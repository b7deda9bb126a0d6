"""Telling what a file is that holds no tokenizer, by its first bytes."""

from __future__ import annotations

_BEGINNINGS = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "compressed with gzip (unpack it first)",
    b"\xfd7zXZ\x00": "compressed with xz (unpack it first)",
    b"BZh": "compressed with bzip2 (unpack it first)",
    b"\x28\xb5\x2f\xfd": "compressed with zstd (unpack it first)",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive (unpack it first)",
    b"Rar!": "a rar archive (unpack it first)",
    b"GGUF": "a GGUF file, a model's weights for llama.cpp (take the model's tokenizer.json)",
    b"\x89HDF": "an HDF5 file, a model's weights (take the model's tokenizer.json)",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x80\x02": "a Python pickle, as model weights are (take the model's tokenizer.json)",
    b"\x80\x04": "a Python pickle, as model weights are (take the model's tokenizer.json)",
    b"version https://git-lfs": "a Git LFS pointer: the file itself has not been downloaded",
}
_WEIGHTS = "a model's weights (safetensors); take the model's tokenizer.json"


def foreign_kind(data: bytes) -> str | None:
    """Say what a file is that no tokenizer file can be; None where it may be one.

    >>> foreign_kind(b"<!DOCTYPE html>"), foreign_kind(b"IQ== 0")
    ('an HTML page (save the file itself, not the page that shows it)', None)
    """
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data[8:9] == b"{" and int.from_bytes(data[:8], "little") < 1 << 40:
        return _WEIGHTS
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            return kind
    lowered = start.lower()
    if lowered.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "an HTML page (save the file itself, not the page that shows it)"
    if lowered.startswith((b"<?xml", b"<error", b"<svg")):
        return "an XML document"
    return None
