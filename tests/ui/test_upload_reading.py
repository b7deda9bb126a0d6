"""Uploaded files are read as what they are, part by part; what cannot be is refused by name."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import decode_text
from pages.ui import upload_archives, upload_reading, upload_rows
from pages.ui.upload_archives import UploadRefused
from pages.ui.upload_reading import UploadedFile, UploadedText, read_upload
from pages.ui.upload_text import read_document


def read(name: str, data: bytes, column: str | None = None) -> UploadedText:
    return read_upload([UploadedFile(name, data)], column)


def archive(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members:
            target.writestr(name, data)
    return file.getvalue()


def refusal(name: str, data: bytes) -> str:
    with pytest.raises(UploadRefused) as refused:
        read(name, data)
    return str(refused.value)


# Text


def in_parts(data: bytes, size: int) -> Iterator[bytes]:
    return iter([data[at : at + size] for at in range(0, len(data), size)])


@given(
    st.text("aö東👩\n\ufffd", max_size=30),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    st.sampled_from([b"", b"\xff", b"\xe6\x97", b"\x80\x80"]),
    st.integers(0, 40),
    st.integers(4, 9),
)
def test_reading_in_parts_gives_what_decode_text_gives(
    text: str, encoding: str, bad: bytes, place: int, size: int
) -> None:
    data = text.encode(encoding)
    if encoding.startswith("utf-8"):
        data = data[: place + 3] + bad + data[place + 3 :]
    wanted = decode_text(data)
    for whole in (data, None):
        part, facts = read_document("a.txt", in_parts(data, size), whole)
        assert str(part.data, "utf-8") == wanted.text
        assert (facts.encoding, facts.n_bytes) == (wanted.encoding, len(data))
        assert facts.n_chars == len(wanted.text)
        assert facts.n_lines == len(wanted.text.removesuffix("\n").split("\n")) * bool(wanted.text)
        replaced = [warning for warning in wanted.warnings if "U+FFFD" in warning]
        assert [warning for warning in facts.warnings if "U+FFFD" in warning] == replaced


def test_text_that_is_utf_8_is_not_copied() -> None:
    data = b"\xef\xbb\xbf" + b"low " * 1_000_000
    part = read("a.txt", data).documents.parts[0]
    assert isinstance(part.data, memoryview)
    assert part.data.obj is data


def test_a_fault_far_into_a_file_is_told_with_its_place() -> None:
    data = b"low " * 1_000_000 + b"\xff low"
    [facts] = read("a.txt", data).files
    assert facts.replaced == (1, 4_000_000)
    assert "it is at byte 4,000,000" in facts.warnings[0]


def test_blank_and_empty_files() -> None:
    assert read("a.txt", b" \n").files[0].warnings == (
        "the file is blank: it holds only white space",
    )
    assert refusal("a.txt", b"") == "The file a.txt is empty: choose one with text in it."
    files = [UploadedFile("a.txt", b""), UploadedFile("b.txt", b"low")]
    assert list(read_upload(files).documents) == ["low"]
    with pytest.raises(UploadRefused, match="All of these files are empty"):
        read_upload(files[:1] * 2)


# Compressed files and archives


def test_gzip_is_expanded_whatever_its_name() -> None:
    data = gzip.compress(b"low ") + gzip.compress(b"lower")
    assert list(read("a.txt", data).documents) == ["low lower"]


@pytest.mark.parametrize(
    "data", [gzip.compress(b"low" * 99)[:-9], b"\x1f\x8b", b"\x1f\x8bxxxxxxxx"]
)
def test_damaged_gzip_is_refused(data: bytes) -> None:
    assert refusal("a.gz", data).startswith("The file a.gz is damaged, or no archive")


def test_a_tar_in_gzip_is_refused() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as target:
        target.addfile(tarfile.TarInfo("a.txt"), io.BytesIO())
    assert "a.tar.gz holds a tar archive, not text: unpack it" in refusal(
        "a.tar.gz", file.getvalue()
    )


def test_members_of_a_zip_are_documents_and_what_is_no_text_is_named() -> None:
    data = archive(
        ("./b/", b""),
        ("./b/a.txt", "möwe".encode()),
        ("__MACOSX/a.txt", b"x"),
        (".DS_Store", b"\0"),
        ("a.bin", b"ab\0c"),
        ("a.txt.gz", gzip.compress(b"x")),
        ("wide.txt", "low".encode("utf-16")),
    )
    found = read("a.zip", data)
    assert [facts.name for facts in found.files] == ["a.zip/./b/a.txt", "a.zip/wide.txt"]
    assert list(found.documents) == ["möwe", "low"]
    assert found.left_out == (
        "a.zip/a.bin: it is a binary file, not text",
        "a.zip/a.txt.gz: it is a gzip archive, and archives within archives are not read",
    )
    assert "There is no text in b.zip: b.zip/a.bin: it is a" in refusal(
        "b.zip", archive(("a.bin", b"\0"))
    )


def test_an_encrypted_member_is_left_out_by_name() -> None:
    data = bytearray(archive(("a.txt", b"low"), ("b.txt", b"lower")))
    data[data.find(b"PK\x01\x02") + 8] |= 1  # the flag of the first in the list of members
    found = read("a.zip", bytes(data))
    assert list(found.documents) == ["lower"]
    assert found.left_out == ("a.zip/a.txt: it is encrypted",)


def test_damaged_zips_are_refused() -> None:
    data = archive(("a.txt", b"low" * 99))
    assert "a.zip is damaged" in refusal("a.zip", data[:-30])
    assert "a.zip/a.txt is damaged" in refusal("a.zip", data[:40] + b"xx" + data[42:])
    crc = data.find(b"PK\x01\x02") + 16
    assert "Bad CRC-32" in refusal("a.zip", data[:crc] + b"\1\2\3\4" + data[crc + 4 :])
    method = data.find(b"PK\x01\x02") + 10
    assert "a.zip/a.txt is damaged" in refusal(
        "a.zip", data[:method] + b"\x63\0" + data[method + 2 :]
    )


def test_a_damaged_file_among_others_is_left_out_with_its_reason() -> None:
    """All of it: also the members and columns that were read before its damage was found."""
    good = archive(("a.txt", b"lost"), ("b.png", b"\x89PNG\r\n\x1a\n"), ("c.txt", b"low" * 99))
    place = good.find(b"c.txt", good.find(b"PK\x01\x02")) - 30  # its CRC in the list at the end
    files = [
        UploadedFile("a.zip", good[:place] + b"\1\2\3\4" + good[place + 4 :]),
        UploadedFile("b.txt", b"low"),
        UploadedFile("c.gz", gzip.compress(b"low" * 99)[:-9]),
        UploadedFile("d.jsonl", b"1\n"),
        UploadedFile("e.txt", b""),
        UploadedFile("f.jsonl", b'{"k": "lower"}'),
    ]
    found = read_upload(files)
    assert list(found.documents) == ["low", "lower"]
    assert found.names == ("b.txt", "e.txt", "f.jsonl")
    assert [facts.name for facts in found.files] == ["b.txt", "e.txt", "f.jsonl"]
    assert [reason[:42] for reason in found.left_out] == [
        "the file a.zip/c.txt is damaged, or no arc",
        "the file c.gz is damaged, or no archive of",
        "no line of d.jsonl is a JSON object with t",
    ]
    assert not [reason for reason in found.left_out if reason.endswith(".")]


def test_of_damaged_files_alone_each_is_named() -> None:
    files = [UploadedFile(name, b"\x1f\x8b") for name in ("a.gz", "b.gz")]
    for others, told in (([], "read: "), ([UploadedFile("c.txt", b"")], "and the others are ")):
        with pytest.raises(UploadRefused, match=rf"{told}.*file a\.gz is d.*; the file b\.gz is d"):
            read_upload([*files, *others])


def test_too_much_text_is_refused_though_other_files_are_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upload_reading, "MAX_TEXT_BYTES", 1_000)
    files = [UploadedFile("a.txt", b"low"), UploadedFile("b.gz", gzip.compress(b"a " * 600))]
    with pytest.raises(UploadRefused, match=r"more than 1\.0 KB"):
        read_upload(files)


@pytest.mark.parametrize(
    ("member", "kind"),
    [("[Content_Types].xml", "an office document"), ("META-INF/MANIFEST.MF", "a Java archive")],
)
def test_documents_that_are_zips_by_the_way_are_refused(member: str, kind: str) -> None:
    assert f"a.docx looks binary: it is {kind}" in refusal("a.docx", archive((member, b"x")))


def test_bombs_are_refused_while_they_expand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_reading, "MAX_TEXT_BYTES", 1_000_000)
    text = b"a " * 600_000
    for name, data in (("a.gz", gzip.compress(text)), ("a.zip", archive(("a", text)))):
        assert "hold more than 1.0 MB of text, archives expanded" in refusal(name, data)
    both = archive(("a", text[:600_000]), ("b", text[:600_000]))
    assert "hold more than 1.0 MB" in refusal("a.zip", both)
    monkeypatch.setattr(upload_reading, "available_memory", lambda: 400_000)
    assert "hold more than 100.0 KB" in refusal("a.txt", text)


def test_a_zip_with_too_many_members_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = archive(*((str(number), b"x") for number in range(30)))
    monkeypatch.setattr(upload_archives, "MAX_MEMBERS", 29)
    assert "a.zip holds too many files; at most 29" in refusal("a.zip", data)
    monkeypatch.setattr(upload_archives, "MAX_MEMBERS", 30)
    assert len(read("a.zip", data).files) == 30
    monkeypatch.setattr(upload_archives, "MAX_DIRECTORY_BYTES", 1_000)
    assert "a.zip holds too many files" in refusal("a.zip", data)


# JSON Lines


def rows(*found: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in found)


def test_each_row_is_a_document() -> None:
    data = rows({"id": 1, "text": "low\nlow"}, {"text": "\ud83d\ude00 \ud83d"}, {"text": "größe"})
    found = read("a.JSONL", data.replace(b"\n", b"\r\n\r\n"))
    assert list(found.documents) == ["low\nlow", "😀 \ufffd", "größe"]
    assert (found.files[0].n_documents, found.files[0].warnings) == (3, ())
    assert found.documents.n_chars == sum(map(len, found.documents))


def test_the_column_that_looks_like_text_is_read_or_the_one_that_is_wanted() -> None:
    data = rows({"id": "1", "body": "low lower", "content": None}, {"title": "t", "n": 1})
    found = read("a.jsonl", data)
    assert [(column.name, column.sample) for column in found.columns] == [
        ("id", "1"),
        ("body", "low lower"),
        ("title", "t"),
    ]
    assert (found.column, list(found.documents)) == ("body", ["low lower"])
    assert list(read("a.jsonl", data, "title").documents) == ["t"]
    assert read("a.jsonl", rows({"long": "x" * 99, "text": "low"})).column == "text"
    with pytest.raises(UploadRefused, match=r"No line of a\.jsonl has text under “none”"):
        read("a.jsonl", data, "none")


def test_rows_without_text_are_left_out_and_the_first_is_named() -> None:
    deep = b"[" * 100_000 + b"\n"
    data = rows({"text": "low"}) + b'\n{"text": "cut\n' + deep + rows([1], {"text": 7}, {})
    [facts] = read("a.jsonl", data).files
    assert facts.warnings == (
        "5 of 6 lines were left out; the first is line 3: it is no JSON "
        "(Unterminated string starting at)",
    )
    assert "No line of a.jsonl is a JSON object with text in it" in refusal("a.jsonl", b"[1]\n2")
    assert "Line 1: it is no JSON object such as" in refusal("a.jsonl", b"[1]\n2")


def test_rows_that_reach_over_parts_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_archives, "PART_BYTES", 7)
    texts = ["größer", "東京" * 9, "👩‍🚀"]
    packed = gzip.compress(rows(*({"text": text} for text in texts)))
    assert list(read("a.jsonl.gz", packed).documents) == texts
    assert list(read("a.zip", archive(("b/c.jsonl", rows({"text": "low"})))).documents) == ["low"]


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_rows, "MAX_LINE_CHARS", 1_000)
    monkeypatch.setattr(upload_archives, "PART_BYTES", 100)
    data = rows({"text": "low"}, {"text": "x" * 2_000})
    assert "Line 2 of a.jsonl is longer than 1.0 KB" in refusal("a.jsonl", data)


# Progress


def test_progress_grows_over_all_files_and_can_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe.progress.SECONDS_BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr(upload_archives, "PART_BYTES", 1 << 10)
    text = "".join(map(str, range(9_000))).encode()
    files = [
        UploadedFile("a.txt", text),
        UploadedFile("b.gz", gzip.compress(text)),
        UploadedFile("c.zip", archive(("d", text), ("e", text))),
    ]
    seen: list[tuple[str, int, int]] = []
    read_upload(files, progress=lambda *report: seen.append(report))
    total = sum(len(file.data) for file in files)
    shares = [done for phase, done, whole in seen if phase == "read" and whole == total]
    assert shares == sorted(shares)
    assert len(set(shares)) > 50
    assert shares[-1] <= total
    for stop in ("read", "name"):
        with pytest.raises(bpe.TrainingCancelled):
            read_upload(files, progress=lambda phase, *_, stop=stop: phase != stop)
