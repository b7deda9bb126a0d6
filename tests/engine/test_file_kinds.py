"""Files are known by what they hold: alone, together, in a zip, among others, damaged."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

import bpe
from bpe import zip_files
from bpe.file_kinds import load_files
from bpe.file_limits import MAX_FILE_BYTES
from bpe.tiktoken_files import write_ranks
from tests.engine.tokenizer_files import document

JSON = json.dumps(document()).encode()
VOCAB = b'{"a": 0, "b": 1, "ab": 2}'
MERGES = b"#version: 0.2\na b\n"
RANKS = write_ranks([(i, bytes([i])) for i in range(256)]).encode()
CONFIG = b'{"tokenizer_class": "GPT2Tokenizer", "model_max_length": 1024}'
HTML = b"\n<!doctype HTML><html><title>Not found</title></html>"


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("files", "kind", "n_tokens"),
    [
        ({"x": JSON}, "tokenizer_json", 4),
        ({"x": b"\xef\xbb\xbf \n" + JSON}, "tokenizer_json", 4),
        ({"x": VOCAB, "y": MERGES}, "gpt2", 3),
        ({"merges": VOCAB, "vocab": b"a b\r\n"}, "gpt2", 3),
        ({"x": VOCAB, "y": MERGES, "z": b'{"<end>": 7, "a": 0}'}, "gpt2", 4),
        ({"x": RANKS}, "tiktoken", 256),
        ({"tokenizer.json": RANKS.replace(b"\n", b"\r\n")}, "tiktoken", 256),
        ({"x": zipped({"a/v": VOCAB, "a/m": MERGES, "__MACOSX/a/._v": b"\0"})}, "gpt2", 3),
        ({"x": zipped({"v": VOCAB}), "y": MERGES}, "gpt2", 3),
        ({"x": zipped({"v": VOCAB}), "y": zipped({"v": MERGES})}, "gpt2", 3),
    ],
)
def test_files_are_known_by_content(files: dict[str, bytes], kind: str, n_tokens: int) -> None:
    loaded = load_files(files, pattern="none")
    assert (loaded.kind, loaded.tokenizer.n_tokens) == (kind, n_tokens)
    assert loaded.unsaid == loaded.tokenizer.warnings


def test_a_pattern_is_asked_for_where_there_is_none() -> None:
    with pytest.raises(bpe.PatternNeeded, match=r"^my file holds ranks alone, no pattern"):
        load_files({"my file": RANKS})
    assert load_files({"my file": RANKS}, pattern="o200k").tokenizer.pattern == "o200k"
    assert load_files({"x": JSON}, pattern="o200k").tokenizer.pattern == "none"


def test_what_was_left_out_is_said() -> None:
    files = {"t": JSON, "v": VOCAB, "m": MERGES, "c": CONFIG, "r": b"# A model\n\nIt is.\n"}
    loaded = load_files(files)
    assert loaded.kind == "tokenizer_json"
    assert [sentence[:15] for sentence in loaded.unsaid] == [
        *("v was not used:", "m was not used:", "c was not used:", "r was not used:"),
    ]
    assert "a tokenizer_config.json" in loaded.unsaid[2]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no file: give a tokenizer.json, a vocab.json with its merges.txt"),
        ({"x": b""}, "x is empty: give a tokenizer.json"),
        ({"x": b" \n"}, "x is empty"),
        ({"x": VOCAB}, "x is a vocab.json, which holds no merge rules: give the merges.txt"),
        ({"x": MERGES}, "x is a merges.txt, which holds no ids: give the vocab.json"),
        ({"x": b'{"a": 0, "b": "1", "c": 2}', "y": MERGES}, "x: the id of 'b' must be"),
        ({"x": VOCAB, "y": b'{"<s>": 4, "a": 3}', "z": MERGES}, "x and y give two ids to 'a': 0"),
        ({"x": VOCAB, "y": b"a b\nb\n"}, "y: line 2 must be two tokens"),
        ({"x": RANKS + b"YQ 9"}, "x: line 257: 'YQ' is not base64"),
        ({"x": JSON[:-9], "y": MERGES}, "x is not JSON: .* in line 1"),
        ({"x": b"{%- if bos %}"}, "x is not JSON"),
        ({"x": b"[1, 2]"}, "x holds a JSON list, not an object"),
        ({"x": b"{}"}, r"x is JSON without a vocabulary \(its keys: none\)"),
        ({"x": b'{"data": [], "n": "1"}'}, r"x is JSON without a vocabulary .* 'data', 'n'\)"),
        ({"x": CONFIG}, "x is a tokenizer_config.json, which holds no tokens .*tokenizer.json"),
        ({"x": b'{"model_type": "bert", "vocab_size": 9}'}, "x is a config.json of a model"),
        ({"x": b'{"bos_token": "<s>"}'}, "x is a special_tokens_map.json"),
        ({"x": b'{"metadata": {}, "weight_map": {}}'}, "x is a list of a model's weight files"),
        ({"x": HTML}, r"x is an HTML page \(save the file itself"),
        ({"x": b"%PDF-1.7 ..."}, "x is a PDF document"),
        ({"x": b"\x40\0\0\0\0\0\0\0{\"w\":{}}"}, "x is a model's weights .safetensors"),
        ({"x": b"version https://git-lfs.github.com/spec/v1\n"}, "x is a Git LFS pointer"),
        ({"x": b"GGUF\3\0\0\0"}, "x is a GGUF file"),
        ({"x": b"\x1f\x8b\x08"}, "x is compressed with gzip"),
        ({"x": b"\xff\xfe{\0"}, r"x is no text \(not UTF-8: .* looks like UTF-16"),
        ({"x": b"[PAD]\n[UNK]\n[CLS]\nthe\n"}, "x is a vocab.txt of WordPiece; only BPE"),
        ({"x": b"<unk>\t0\n\xe2\x96\x81the\t-3.25\na\t-1e-05\n"}, "x is a list of pieces"),
        ({"x": b'{"config": {"pattern": ""}, "vocab": [{"rank": 0}]}'}, "x is a tekken.json"),
        ({"x": b"Call me Ishmael. Some years ago\n"}, "x is text, and none that a tokenizer's"),
        ({"x": b"\0" * 100}, "x is text"),
        ({"x": JSON, "y": JSON.replace(b"3", b"4")}, "'x' and 'y' are files of the same kind"),
        ({"x": RANKS, "v": VOCAB, "m": MERGES}, "hold several tokenizers: 'x', 'v', 'm'"),
        ({"x": b'{"model": {"type": "Unigram", "vocab": []}}'}, "x: model.type is 'Unigram'"),
        ({"x": zipped({})}, "x is an empty zip archive"),
        ({"x": zipped({"readme": b"Hello"})}, "readme is text"),
        ({"x": zipped({"z": zipped({"v": JSON})})}, "z is a zip archive"),
        ({"x": zipped({"v": VOCAB})[:-30]}, "x is a zip archive that cannot be unpacked"),
        ({"x": zipped({str(i): b"a" for i in range(201)})}, "x holds 201 files; 200 are allowed"),
        ({str(i): HTML for i in range(9)}, "2 is an HTML page .*; and 6 more files: give"),
        ({"x": b"{" + b" " * MAX_FILE_BYTES}, "x has 64,000,001 bytes; .* may have 64,000,000"),
        ({"x": b'{"a": [' + b"[]," * 2_000_001}, "x holds more than 2,000,000 lists"),
        ({"x": b'{"model": ' + b"[" * 100_000}, "x is nested too deeply"),
    ],
)  # fmt: skip
def test_what_holds_no_tokenizer_is_named(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(bpe.FormatError, match=message) as raised:
        load_files(files)
    assert len(str(raised.value)) < 600


def test_what_a_zip_expands_to_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its files together; `test_formats_fuzz` reads a real bomb."""
    monkeypatch.setattr(zip_files, "MAX_EXPANDED_BYTES", 2_000_000)
    few, many = (zipped({str(i): bytes(700_000) for i in range(n)}) for n in (2, 3))
    with pytest.raises(bpe.FormatError, match="0 is text"):
        load_files({"few": few})
    with pytest.raises(bpe.FormatError, match="many expands to more than 2,000,000 bytes"):
        load_files({"many": many})


def test_sizes_that_an_archive_states_are_not_trusted() -> None:
    lying = zipped({"v": VOCAB * 1000}).replace(
        (len(VOCAB) * 1000).to_bytes(4, "little"), (5).to_bytes(4, "little")
    )
    with pytest.raises(bpe.FormatError, match="x is a zip archive that cannot be unpacked"):
        load_files({"x": lying})


def test_an_encrypted_archive_is_refused() -> None:
    data = bytearray(zipped({"v": VOCAB}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(bpe.FormatError, match=r"x is a zip archive that .*encrypted"):
        load_files({"x": bytes(data)})
