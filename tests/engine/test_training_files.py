"""Training on files: what is not text is named by file and byte, and so is a file that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import bpe
from bpe import text_files
from bpe.text_files import TextFiles


@pytest.fixture(params=[False, True], ids=["plain", "compiled"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Train in plain Python, then with the compiled kernels, reading a few bytes at a time."""
    monkeypatch.setattr("bpe.trainer.compiled_pays", lambda n_bytes: request.param)
    monkeypatch.setattr(text_files, "PART_BYTES", 7)


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    good = write(tmp_path, "good.txt", b"low " * 9)
    bad = write(tmp_path, "bad.txt", "größer".encode() * 9 + b"\xe6\x97 low")
    with pytest.raises(bpe.ConfigError, match=r"bad\.txt is not valid utf-8 at byte 72: .*errors="):
        bpe.train_from_files([good, bad], num_merges=1)


def test_a_character_cut_off_at_the_end_is_named_too(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", b"\xef\xbb\xbf" + b"low " * 9 + b"\xe6\x97")
    with pytest.raises(bpe.ConfigError, match="at byte 39"):
        bpe.train_from_files([path], num_merges=1)


def test_they_are_replaced_on_demand_with_a_warning(tmp_path: Path) -> None:
    paths = [
        write(tmp_path, "a.txt", b"low \xff low \xfe\xfd low"),
        write(tmp_path, "b.txt", "low \ufffd".encode()),
    ]
    run = bpe.train_from_files(paths, errors="replace", pattern="whitespace", num_merges=2)
    assert dict(run.word_counts) == {"low": 4, "\ufffd": 2, "\ufffd\ufffd": 1}
    [warning] = run.warnings
    assert warning == (
        f"{paths[0]}: 3 byte sequences are not valid utf-8 and were replaced by U+FFFD; "
        "the first is at byte 4"
    )


def test_another_way_to_treat_them_is_refused() -> None:
    with pytest.raises(bpe.ConfigError, match=r"errors must be .*, not 'ignore'"):
        bpe.train_from_files([], errors="ignore", num_merges=1)  # type: ignore[arg-type]


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    paths = [write(tmp_path, name, b"low low low") for name in ("a.txt", "b.txt")]
    files = TextFiles(paths)
    paths[1].unlink()
    with pytest.raises(bpe.ConfigError, match=r"cannot read .*b\.txt: No such file"):
        list(files.pieces(lambda n_bytes: None))


@pytest.mark.parametrize("when", ["before it is opened", "while it is read"])
def test_a_file_that_becomes_shorter_is_named(tmp_path: Path, when: str) -> None:
    path = write(tmp_path, "a.txt", b"low " * 9)
    files = TextFiles([path])
    if when == "before it is opened":
        path.write_bytes(b"low ")
    with pytest.raises(bpe.ConfigError, match=r"a\.txt became shorter .* of 36 bytes only \d+ "):
        list(files.pieces(lambda n_bytes: write(tmp_path, "a.txt", b"low ")))
