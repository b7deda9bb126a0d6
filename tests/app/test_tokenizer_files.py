"""Tokenizers come in from files and go out as files, on any page, as Python makes it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from pages.ui.tokenizer_list import TokenizerEntry
from tests.app.opened import captions, go, messages, one, open_page, press

RUN = bpe.train("low lower lowest <b>" * 9, vocab_size=270, special_tokens=("<|end|>",))
JSON = bpe.to_tokenizer_json(RUN.tokenizer).encode()
RANKS = bpe.to_tiktoken(bpe.train("low lower lowest" * 9, vocab_size=262).tokenizer).encode()
GPT2_RANKS = bpe.to_tiktoken(bpe.load_pretrained("r50k_base")).encode()


def upload(app: AppTest, **files: bytes) -> AppTest:
    """Open the dialog and give it files; in a name, __ stands for a dot."""
    press(app, "Import a tokenizer")
    for name, content in files.items():
        one(app, "file_uploader", "Tokenizer files").upload(name.replace("__", "."), content)
    app.run()
    assert not app.exception
    return app


def current(app: AppTest) -> TokenizerEntry:
    entry: TokenizerEntry = app.session_state["_tokenizers"].current
    return entry


def test_a_tokenizer_json_becomes_current_under_the_name_of_its_file() -> None:
    app = upload(open_page("encode"), my_own__tokenizer__json=JSON)
    entry = current(app)
    assert (entry.name, entry.origin, entry.run) == ("my_own", "imported", None)
    assert entry.tokenizer == RUN.tokenizer
    assert "Imported **my_own** from my_own.tokenizer.json (tokenizer.json)" in messages(app)
    assert not app.get("file_uploader")
    press(app, "Close this message")
    assert "Imported" not in messages(app)


def badge(app: AppTest) -> str:
    """Read the badge in the chip."""
    [found] = [m.value for m in app.markdown if "-badge[" in m.value]
    return found.replace("\\", "")


def test_an_imported_tokenizer_was_held_to_its_library_when_it_was_read() -> None:
    app = upload(open_page("home"), a__json=JSON)
    press(app, "Close this message")
    assert badge(app).startswith(":green-badge[")
    assert "Agrees with Hugging Face tokenizers" in badge(app)


def test_a_bundled_tokenizer_is_held_to_tiktoken_when_that_is_asked_for() -> None:
    app = open_page("home", tokenizer="r50k_base")
    if not any("-badge[" in text.value for text in app.markdown):  # a session before may have
        press(app, "Check against the reference library")
    assert "Agrees with tiktoken" in badge(app)


def test_every_page_works_with_a_tokenizer_that_was_not_trained_here() -> None:
    app = upload(open_page("home"), a__json=JSON)
    for name in ("encode", "compare", "home", "train"):
        go(app, name)
    assert "The training below is not the current tokenizer. That is a." not in captions(app)
    app.session_state["_tokenizers"] = app.session_state["_tokenizers"].chosen("tokenizer-1")
    app.run()
    assert not app.exception
    assert "The training below is not the current tokenizer. That is a." in captions(app)


def test_vocab_and_merges_are_one_tokenizer_and_say_what_they_leave_unsaid() -> None:
    vocab, merges = bpe.to_gpt2(RUN.tokenizer)
    app = upload(open_page("home"), v__json=vocab.encode(), m__txt=merges.encode())
    assert current(app).tokenizer.encode("lowest").ids == RUN.tokenizer.encode("lowest").ids
    told = " ".join(text.value for text in app.markdown).replace("\\", "")
    assert "What its files leave unsaid" in told
    assert "pattern" in told


def test_ranks_need_a_pattern_and_the_dialog_asks_for_it() -> None:
    app = upload(open_page("home"), ranks__tiktoken=RANKS)
    assert "holds ranks alone, no pattern" in messages(app)
    assert "_tokenizers" not in app.session_state
    pattern = one(app, "selectbox", "Pattern of the tokenizer")
    assert pattern.value is None
    assert one(app, "button", "Import with this pattern").disabled
    pattern.select("cl100k").run()
    press(app, "Import with this pattern")
    assert (current(app).name, current(app).tokenizer.pattern) == ("ranks", "cl100k")


def test_the_pattern_of_known_ranks_is_suggested() -> None:
    app = upload(open_page("home"), some__bpe=GPT2_RANKS)
    assert one(app, "selectbox", "Pattern of the tokenizer").value == "gpt2"


def test_an_expression_that_does_not_compile_is_said_and_can_be_mended() -> None:
    app = upload(open_page("home"), ranks__tiktoken=RANKS)
    one(app, "selectbox", "Pattern of the tokenizer").select("custom").run()
    one(app, "text_input", "Expression").set_value("(").run()
    press(app, "Import with this pattern")
    assert app.error
    assert "_tokenizers" not in app.session_state
    one(app, "text_input", "Expression").set_value(r"\w+|\W+").run()
    press(app, "Import with this pattern")
    assert current(app).tokenizer.pattern == r"\w+|\W+"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"model": {"type": "WordPiece", "vocab": {}}}', "WordPiece"),
        (b"<!DOCTYPE html><html><body>Not Found</body></html>", "HTML"),
        (b"", "empty"),
        (b'{"model": ', "JSON"),
    ],
)
def test_a_file_that_is_no_tokenizer_gives_its_message_and_loses_nothing(
    content: bytes, told: str
) -> None:
    app = upload(open_page("home", tokenizer="r50k_base"), a__json=JSON)
    upload(app, broken__json=content)
    assert told in messages(app)
    assert "Nothing was imported" in captions(app)[-1]
    assert current(app).name == "a"


def test_a_name_of_a_file_is_only_text() -> None:
    app = open_page("home")
    press(app, "Import a tokenizer")
    one(app, "file_uploader", "Tokenizer files").upload("<b>x</b> **b** $a$.json", JSON).run()
    assert current(app).name == "<b>x</b> **b** $a$"
    [label] = [box.value for box in app.success]
    assert r"\<b\>x\<\/b\> \*\*b\*\* \$a\$" in label


def test_formats_that_cannot_hold_a_tokenizer_are_refused_with_the_reason() -> None:
    """The lesson has a character base: ranks are of bytes, so tiktoken cannot hold it."""
    app = press(open_page("train"), "More formats")
    buttons = {button.label: button for button in app.get("download_button")}
    assert buttons["tiktoken ranks"].proto.disabled
    assert not buttons["vocab.json + merges.txt"].proto.disabled
    assert "ranks are of bytes, and this is a character base; tokenizer.json" in messages(app)


def test_what_a_format_leaves_unsaid_is_told() -> None:
    app = press(upload(open_page("home"), a__json=JSON), "More formats")
    assert not any(button.proto.disabled for button in app.get("download_button"))
    assert any("special tokens" in caption for caption in captions(app))
