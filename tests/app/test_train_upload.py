"""Uploads on the Train page: files of several kinds, and what is wrong with them in words."""

from __future__ import annotations

import copy
import gzip
import io
import json
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from pages.ui import upload_controls, upload_reading
from pages.ui.training_job import Progress
from pages.ui.upload_reading import UploadedText
from tests.app.opened import (
    captions,
    current_run,
    messages,
    one,
    press,
    put,
    run_until_trained,
    training_threads,
    wait_until_stopped,
)
from tests.app.test_train_bad_input import LAST_STAYS, assert_lesson_stays
from tests.app.test_train_page import open_train


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    if one(app, "segmented_control", "Corpus").value != "upload":
        put(app, "segmented_control", "Corpus", "upload")
    several = [(name, data, "text/plain") for name, data in files]
    one(app, "file_uploader", "Text files").set_value(several).run()
    assert not app.exception
    return app


def test_a_byte_order_mark_is_dropped_and_said_nothing_of() -> None:
    app = upload(open_train(), ("mine.txt", b"\xef\xbb\xbflow low lower"))
    assert current_run(app).word_counts == {"low": 2, "lower": 1}
    assert messages(app).count("utf-8") == 0


def test_a_file_in_utf_16_with_its_mark_is_read() -> None:
    app = upload(open_train(), ("mine.txt", "naïve naïve".encode("utf-16")))
    assert current_run(app).word_counts == {"naïve": 2}
    assert any("utf-16" in caption for caption in captions(app))


def test_a_file_that_is_not_utf_8_is_read_with_a_warning() -> None:
    app = upload(open_train(), ("mine.txt", "café und café".encode("latin-1")))
    assert "2 byte sequences are not valid utf-8" in messages(app)
    assert "the first is at byte 3" in messages(app)
    assert list(current_run(app).word_counts) == ["caf\ufffd", "und"]
    put(app, "checkbox", "Replace what is not valid", False)
    assert "mine.txt is not valid utf-8 at byte 3: save it as UTF-8" in messages(app)
    assert LAST_STAYS in captions(app)
    put(app, "checkbox", "Replace what is not valid", True)
    assert list(current_run(app).word_counts) == ["caf\ufffd", "und"]


def test_a_binary_file_is_said_to_look_like_one() -> None:
    assert "looks binary" in messages(upload(open_train(), ("image.png", bytes(range(256)) * 4)))


def test_an_empty_file_is_refused_and_the_next_one_taken() -> None:
    app = upload(open_train(), ("<b>.txt", b""))
    assert "The file <b>.txt is empty: choose one with text in it." in messages(app)
    assert_lesson_stays(app)
    upload(app, ("mine.txt", b"low low"))
    assert current_run(app).word_counts == {"low": 2}


def test_files_over_the_limit_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_reading, "MAX_TEXT_BYTES", 2_000_000)
    app = upload(open_train(), ("mine.txt", b"a b " * 500_001))
    assert "The files hold more than 2.0 MB of text" in messages(app)
    assert_lesson_stays(app)
    bomb = gzip.compress(b"a " * 1_500_000)
    assert "hold more than 2.0 MB" in messages(upload(app, ("bomb.gz", bomb)))


def test_an_upload_is_kept_when_one_leaves_the_page() -> None:
    app = upload(open_train(), ("kept.txt", b"low low lower"))
    app.switch_page("pages/home.py").run()
    app.switch_page("pages/train.py").run()
    assert not app.exception
    assert "In use: kept.txt" in captions(app)
    assert current_run(app).word_counts == {"low": 2, "lower": 1}


ROWS = [{"id": "a1", "text": "low low"}, {"id": "b2", "text": "lower"}, {"id": "c3", "text": 7}]


def json_lines() -> bytes:
    return "\n".join(map(json.dumps, ROWS)).encode()


def archive(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(name.replace("_", "."), data)
    return file.getvalue()


def test_files_of_every_kind_make_one_corpus() -> None:
    files = [
        ("a.txt", b"low low"),
        ("b.txt.gz", gzip.compress("möwe".encode())),
        ("c.zip", archive(d_txt=b"lower", e_png=b"\x89PNG\r\n", f_zip=archive(g_txt=b"x"))),
        ("h.jsonl", json_lines()),
    ]
    app = upload(open_train(), *files)
    assert current_run(app).word_counts == {"low": 4, "möwe": 1, "lower": 2}
    assert "4 files, 5 documents, utf-8, 29 bytes, 28 characters, 6 lines" in captions(app)
    told = messages(app)
    assert "Left out: c.zip/e.png: it is a PNG picture, not text; c.zip/f.zip: it is a ZIP" in told
    assert "In h.jsonl: 1 of 3 lines was left out; the first is line 3: it has no text" in told
    [table] = [frame.value for frame in app.dataframe if "documents" in frame.value]
    assert list(table["file"]) == ["a.txt", "b.txt.gz", "c.zip/d.txt", "h.jsonl"]
    assert list(table["documents"]) == [1, 1, 1, 2]


def test_no_merge_crosses_two_files() -> None:
    app = open_train(pattern="none")
    upload(app, ("a.txt", b"ab"), ("b.txt", b"ab"))
    assert current_run(app).word_counts == {"ab": 2}


def test_another_column_of_json_lines_can_be_chosen() -> None:
    app = upload(open_train(), ("rows.jsonl", json_lines()))
    column = one(app, "selectbox", "Column")
    assert (column.value, column.options) == ("text", ["id: a1", "text: low low"])
    put(app, "selectbox", "Column", "id")
    assert current_run(app).word_counts == {"a1": 1, "b2": 1, "c3": 1}
    assert one(app, "selectbox", "Column").value == "id"
    put(app, "text_input", "Your sentence", "other")
    assert one(app, "selectbox", "Column").value == "id"


def test_reading_can_be_cancelled_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it reads, the page shows the last training; cancelled, it does not start by itself."""

    def read_forever(files: object, column: object, progress: Progress) -> UploadedText:
        while progress("read", 1, 2):
            pass
        raise bpe.TrainingCancelled("reading was cancelled")

    monkeypatch.setattr(upload_controls, "read_upload", read_forever)
    monkeypatch.setattr("pages.ui.background._PATIENCE_SECONDS", 0.1)
    app = upload(open_train(), ("mine.txt", b"low low"))
    assert len(training_threads()) == 1
    assert one(app, "button", "Train").disabled
    press(app, "Cancel")
    wait_until_stopped()
    app.run()
    assert "Reading was cancelled. Press Read again" in messages(app).replace("*", "")
    assert_lesson_stays(app)
    assert training_threads() == []
    monkeypatch.undo()
    press(app, "Read again")
    assert current_run(app).word_counts == {"low": 2}


def test_a_training_that_fails_leaves_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_train(pattern="none")
    monkeypatch.setattr("bpe.memory.available_memory", lambda: 1_000)
    upload(app, ("mine.txt", b"abcdefghij" * 100))
    assert "The limit" not in messages(app)
    assert "Training on this corpus takes about 160.0 KB of memory" in messages(app)
    assert LAST_STAYS in captions(app)
    assert current_run(app).word_counts["newest"] == 6
    monkeypatch.undo()
    press(app, "Train")
    run_until_trained(app)
    assert list(current_run(app).word_counts.values()) == [1]


def test_an_uploaded_file_is_not_copied_in_every_run() -> None:
    """Streamlit copies the values of widgets deeply, which took a second for 400 MB."""
    app = upload(open_train(), ("mine.txt", b"low low"))
    held = app.session_state["upload"][0]
    copied = copy.deepcopy(held)
    assert (copied.name, copied.file_id, copied.size) == ("mine.txt", held.file_id, 7)
    assert copied.getvalue() is held.getvalue()
    part = app.session_state["_uploaded"].content.parts[0]
    assert part.data.obj is held.getvalue()
