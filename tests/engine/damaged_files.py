"""Tokenizer files with something wrong in them, and a process of little memory that reads them.

Run as a program it reads many, with a limit of memory for all and of time for each, and prints how
many were read and refused; whatever else happens ends it.
"""

from __future__ import annotations

import base64
import io
import json
import random
import shutil
import signal
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import sentencepiece

import bpe
from bpe.byte_alphabet import spell_bytes
from bpe.file_kinds import LoadedTokenizer, load_files
from bpe.file_limits import MAX_FILE_BYTES

Files = dict[str, bytes]

SECONDS = 5  # of processor time for one file; then the process ends
MEMORY_BYTES = 1 << 30
_JUNK_LINES = [
    *(b"", b" ", b"a", b"a b", b"a  b", b"#version: 0.2", b"YQ== 0", b"YQ== 99999999", b"YWI= 300"),
    *(b"YQ 1", b"!!!! 5", b"\xff\xfe", b"\xe2\x80\xa8 a", b"\xc2\x85", b"= 7", b"AA== -1", b"\r"),
    *(b"<html>", b"\x00" * 20, b"YQ== " + b"9" * 5000, b"a" * 3000 + b" b", b"{", b"}", b'"x": 1,'),
]


def whole_files() -> list[Files]:
    """Undamaged files of every kind."""
    words = {"low": 5, "lower": 2, "newest": 6, "é日": 3, " a": 4}
    chars = bpe.train(words, base="char", pattern="none", num_merges=6, special_tokens=["<s>"])
    some_bytes = bpe.train(words, num_merges=9, special_tokens=["<s>"])
    found: list[Files] = []
    for run in (chars, some_bytes):
        found.append({"t": bpe.to_tokenizer_json(run.tokenizer).encode()})
    gpt2 = bpe.to_gpt2(some_bytes.tokenizer)
    found += [dict(zip("vm", map(str.encode, gpt2), strict=True))] * 2
    vocab = {"a": 0, "b": 1, "ab": 2, "<unk>": 3, "日": 4, "日a": 5}
    found.append({"v": json.dumps(vocab).encode(), "m": "#version: 0.2\na b\n日 a\n".encode()})
    found += [{"r": bpe.to_tiktoken(some_bytes.tokenizer).encode()}] * 3
    found += [{"s": sentencepiece_model()}] * 2
    return [*found, {"z": zipped(found[2])}, {"z": zipped(found[0])}]


def sentencepiece_model() -> bytes:
    """A model with a rewriting rule and pieces of all types."""
    written, rule = io.BytesIO(), Path(tempfile.mkdtemp(), "rule.tsv")
    rule.write_text("C9\tE9\n65 301\tE9\n20 20\t20\n", encoding="utf-8")
    lines = ["low lower newest widest é日 low", "the lowest of the widest"] * 9
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, model_type="bpe", vocab_size=310,
        normalization_rule_tsv=str(rule), byte_fallback=True, user_defined_symbols=["<sep>"],
        hard_vocab_limit=False, minloglevel=3,
    )  # fmt: skip
    shutil.rmtree(rule.parent)
    return written.getvalue()


def zipped(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def with_other_bytes(data: bytes, dice: random.Random) -> bytes:
    """Some bytes are others, missing or doubled, or the end is cut off."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(changed) or 1)
        kind = dice.choice(["flip", "cut", "tail", "repeat"])
        if kind == "flip" and changed:
            changed[at] = dice.choice([dice.randrange(256), *b'"{}[],:0 \n='])
        elif kind == "cut":
            del changed[at : at + dice.randint(1, 20)]
        elif kind == "repeat":
            changed[at:at] = changed[at : at + dice.randint(1, 20)]
        elif dice.random() < 0.2:
            del changed[at:]
    return bytes(changed)


def with_other_lines(data: bytes, dice: random.Random) -> bytes:
    """Some lines are gone, doubled, exchanged, junk, or end otherwise."""
    lines = data.split(b"\n")
    for _ in range(dice.randint(1, 3)):
        at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        kind = dice.choice(["junk", "junk", "cut", "repeat", "exchange", "end"])
        if kind == "junk":
            lines[at] = dice.choice(_JUNK_LINES)
        elif kind == "cut" and len(lines) > 1:
            del lines[at]
        elif kind == "repeat":
            lines.insert(other, lines[at])
        elif kind == "exchange":
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines[at] += b"\r"
    return (b"\r\n" if dice.random() < 0.1 else b"\n").join(lines)


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [with_other_bytes, with_other_lines]


def damaged(files: Files, dice: random.Random) -> Files:
    """The files with one of them damaged, and now and then one missing or one too many."""
    name = dice.choice(list(files))
    found = {**files, name: dice.choice(DAMAGES)(files[name], dice)}
    if len(found) > 1 and dice.random() < 0.05:
        del found[name]
    if dice.random() < 0.05:
        found["more"] = dice.choice([b"", b"{}", b"# Read me", *files.values()])
    return found


def check_use(loaded: LoadedTokenizer, files: Files) -> None:
    """Any tokenizer that comes out works, and holds what its file says."""
    tokenizer = loaded.tokenizer
    for text in ("low é日a a\n", "<s> newest\ud800"):
        try:
            encoding = tokenizer.encode(text, allowed_special="all")
        except bpe.UnknownSymbolError:
            continue
        assert len(encoding.spans) == len(encoding.ids)
        tokenizer.decode(encoding.ids)
    assert bpe.load_tokenizer_json(bpe.to_tokenizer_json(tokenizer)) == tokenizer
    assert all(10 < len(sentence) < 1000 for sentence in loaded.unsaid)
    contents = {
        i: token for i, token in enumerate(tokenizer.vocabulary.contents) if token is not None
    }
    if "more" in files:  # which may be what was read
        return
    if loaded.kind == "tiktoken":
        rows = [line.split() for line in files["r"].removeprefix(b"\xef\xbb\xbf").splitlines()]
        assert contents == {
            int(rank): base64.b64decode(token) for token, rank in filter(None, rows)
        }
    elif loaded.kind == "gpt2" and "v" in files:
        spelled = {spell_bytes(t) if isinstance(t, bytes) else t: i for i, t in contents.items()}
        assert spelled == json.loads(files["v"])


def read_many(n_files: int, seed: str) -> dict[str, int]:
    """Read damaged files, each within the limit of time; gives how many were read and refused."""
    dice = random.Random(seed)
    kinds = whole_files()
    counts = {"refused": 0}
    for number in range(n_files):
        files = damaged(kinds[number % len(kinds)], dice)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            loaded = load_files(files, pattern="gpt2")
            check_use(loaded, files)
            counts[loaded.kind] = counts.get(loaded.kind, 0) + 1
        except bpe.FormatError as error:
            counts["refused"] += 1
            if len(str(error)) > 1000:
                raise ValueError(f"a message too long to read: {error}") from error
        except BaseException:
            print(files, file=sys.stderr)
            raise
        signal.setitimer(signal.ITIMER_PROF, 0)
    return counts


def hostile_files() -> Iterator[bytes]:
    """Files made to fill the memory."""
    nearly_all = MAX_FILE_BYTES - 100
    yield zipped({"x": bytes(130_000_000)})
    yield zipped({str(i): b"a" for i in range(5_000)})
    yield b'{"model": ' + b"[" * nearly_all
    yield b'{"model": [' + b"{}," * (nearly_all // 3)
    yield b'{"model": {}, "more": [' + b'"aa",' * (nearly_all // 5) + b"1]}"
    yield b'{"a": 0, "b": 100000000, "c": 10000001}'
    yield b"YQ== 100000000\n" * 100
    yield b"YQ== " + b"9" * nearly_all
    yield b"a" * nearly_all + b" b\n"
    yield b"\n" * nearly_all + b"a"


def read_hostile() -> dict[str, int]:
    """Read them, each within the limit of time; gives how many were refused."""
    n_refused = 0
    for data in hostile_files():
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            load_files({"x": data}, pattern="gpt2")
        except bpe.FormatError:
            n_refused += 1
        signal.setitimer(signal.ITIMER_PROF, 0)
    return {"refused": n_refused}


if __name__ == "__main__":
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    counts = read_many(int(sys.argv[1]), sys.argv[2]) if len(sys.argv) > 2 else read_hostile()
    print(json.dumps(counts))
