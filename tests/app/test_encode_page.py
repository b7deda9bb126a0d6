"""The Encode page as Python makes it: text, size, figures, table, and its messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bpe
from pages.ui import state
from pages.ui.tokenizer_list import TokenizerList

ROOT = Path(__file__).parents[2]
LESSON = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
HOSTILE = "<script>alert(1)</script> <b>b</b> $x$ [a](http://b) constructor __proto__"


def lesson(**settings: Any) -> bpe.TrainingRun:
    """Train on the lesson's words: ten letters, seven merges."""
    return bpe.train(LESSON, base="char", pattern="whitespace", num_merges=7, **settings)


def open_encode(run: bpe.TrainingRun | None = None, text: str | None = None) -> AppTest:
    """Open the page, with a training of this session's own if there is a run."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    if run is not None:
        app.session_state["_tokenizers"] = TokenizerList().with_latest(run, "a corpus")
    if text is not None:
        app.session_state[state.ENCODE_TEXT] = text
    app.run()
    app.switch_page("pages/encode.py").run()
    assert not app.exception
    return app


def figures(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def sent(app: AppTest) -> dict[str, Any]:
    """Read what the token view was sent."""
    [view] = [c for c in app.get("bidi_component") if c.proto.component_name == "token_view"]
    found: dict[str, Any] = json.loads(view.proto.bytes)
    return found


def sent_ids(app: AppTest) -> list[int]:
    [block] = sent(app)["blocks"]
    ids: list[int] = block["columns"][0]["rows"][0]["tokens"][::5]
    return ids


def messages(app: AppTest) -> str:
    return " ".join(box.value for box in (*app.error, *app.warning, *app.success, *app.info))


def test_without_a_tokenizer_the_page_uses_a_sample_and_says_so() -> None:
    app = open_encode()
    assert any("uses a sample" in caption.value for caption in app.caption)
    assert (app.slider[0].min, app.slider[0].max, app.slider[0].value) == (256, 1024, 1024)
    assert "Round trip holds" in messages(app)


def test_the_default_text_is_shown_with_its_tokens() -> None:
    app = open_encode()
    text = app.text_area[0].value
    assert text == state.default(state.ENCODE_TEXT)
    segments = sent(app)["blocks"][0]["columns"][0]["rows"][0]["segments"]
    assert "".join(s if isinstance(s, str) else s[0] for s in segments) == text


def test_the_figures_are_those_of_the_text() -> None:
    """low, est and n, ew, e, r: 6 tokens of 12 characters in 2 words."""
    app = open_encode(lesson(), "lowest newer")
    assert figures(app) == {
        "Tokens": "6",
        "Characters": "12",
        "Bytes": "12",
        "Bytes per token": "2.00",
        "Characters per token": "2.00",
        "Tokens per word": "3.00",
    }
    assert sent_ids(app) == lesson().tokenizer.encode("lowest newer").ids


def test_the_slider_cuts_the_same_training_shorter() -> None:
    """With 11 tokens, one merge: only e and s are joined. Nothing is trained again."""
    run = lesson()
    app = open_encode(run, "lowest")
    app.slider[0].set_value(11).run()
    assert sent_ids(app) == run.tokenizer.with_vocab_size(11).encode("lowest").ids
    assert figures(app)["Tokens"] == "5"
    assert app.session_state["_tokenizers"].current.run.fingerprint == run.fingerprint


def test_the_size_comes_from_the_address() -> None:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    app.session_state["_tokenizers"] = TokenizerList().with_latest(lesson(), "a corpus")
    app.run()
    app.query_params[state.ENCODE_VOCAB_SIZE] = "12"
    app.switch_page("pages/encode.py").run()
    assert app.slider[0].value == 12


def test_the_size_has_another_name_than_that_of_training() -> None:
    assert state.ENCODE_VOCAB_SIZE != state.VOCAB_SIZE


def test_another_tokenizer_starts_at_its_own_top() -> None:
    app = open_encode(lesson(), "lowest")
    app.slider[0].set_value(12).run()
    bigger = bpe.train("low lower newest widest low", vocab_size=262)
    app.session_state["_tokenizers"] = TokenizerList().with_latest(bigger, "another")
    app.run()
    assert not app.exception
    assert (app.slider[0].min, app.slider[0].max, app.slider[0].value) == (256, 262, 262)


def test_a_tokenizer_without_merges_has_no_slider() -> None:
    app = open_encode(bpe.train("low", num_merges=0), "low")
    assert not app.slider
    assert figures(app)["Tokens"] == "3"


def test_reset_settings_keeps_the_text() -> None:
    app = open_encode(lesson(), "lowest")
    app.slider[0].set_value(11).run()
    next(button for button in app.button if button.label == "Reset settings").click().run()
    assert app.slider[0].value == 17
    assert app.text_area[0].value == "lowest"


def test_an_empty_text_offers_samples() -> None:
    app = open_encode(lesson(unknown_token="[UNK]"), "")
    assert "Type or paste a text" in messages(app)
    assert not app.metric
    next(button for button in app.button if button.label == "Emoji").click().run()
    assert not app.exception
    assert "😀" in app.text_area[0].value
    assert app.metric


@pytest.mark.parametrize("text", [" ", "\n\n", "\t \u2028"])
def test_a_blank_text_has_figures_too(text: str) -> None:
    app = open_encode(lesson(), text)
    assert figures(app)["Tokens"] == "0"
    assert figures(app)["Bytes per token"] == "–"


def test_an_unseen_character_is_named_with_its_place_and_the_remedy() -> None:
    app = open_encode(lesson(), "low\nzip")
    [error] = app.error
    assert "“z” (U+007A LATIN SMALL LETTER Z) at position 4, in line 2" in error.value
    assert "unknown token" in error.value
    assert "byte base" in error.value
    assert app.text_area[0].value == "low\nzip"


def test_an_unknown_token_is_counted_and_explained() -> None:
    app = open_encode(lesson(unknown_token="[UNK]"), "zip")
    assert figures(app)["Unknown"] == "2"
    [warning] = app.warning
    assert "2 characters were never seen in training" in warning.value
    assert app.code[0].value == "[UNK]i[UNK]"


def test_special_tokens_are_text_until_they_are_allowed() -> None:
    run = bpe.train("low low", num_merges=1, special_tokens=("<|end|>",))
    app = open_encode(run, "<|end|>")
    assert figures(app)["Tokens"] == "7"
    app.toggle[0].set_value(True).run()
    assert sent_ids(app) == [run.tokenizer.special_tokens["<|end|>"]]


def open_bundled(text: str, name: str = "o200k_base", **query: str) -> AppTest:
    """Open the page as a link with a bundled tokenizer does."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.session_state[state.ENCODE_TEXT] = text
    for key, value in {"tokenizer": name, **query}.items():
        app.query_params[key] = value
    app.run()
    app.switch_page("pages/encode.py").run()
    assert not app.exception
    return app


def test_a_link_opens_a_bundled_tokenizer_with_its_ids_and_parents() -> None:
    """Golden: the ids that tiktoken gives; the parents of a token join to it."""
    app = open_bundled("Tokenization turns text into integers.")
    assert sent_ids(app) == [4421, 2860, 18304, 2201, 1511, 54912, 13]
    faces = {face["id"]: face for face in sent(app)["faces"][0]}
    left, right = faces[4421]["left"], faces[4421]["right"]
    assert faces[left]["text"] + faces[right]["text"] == "Token"
    assert faces[4421]["rank"] == 4421 - 256


def test_a_bundled_tokenizer_is_cut_to_any_size() -> None:
    tokenizer = bpe.load_pretrained("r50k_base")
    app = open_bundled("Tokenization", "r50k_base")
    slider = app.slider[0]
    assert (slider.min, slider.max, slider.value, slider.step) == (257, 50_257, 50_257, 50)
    slider.set_value(1_007).run()
    assert sent_ids(app) == tokenizer.with_vocab_size(1_007).encode("Tokenization").ids
    [exact] = [box for box in app.number_input if box.label == "Exact size"]
    exact.set_value(258).run()
    assert app.slider[0].value == 258
    assert sent_ids(app) == tokenizer.with_vocab_size(258).encode("Tokenization").ids


def test_another_tokenizer_starts_at_its_top_though_the_address_had_a_size() -> None:
    app = open_bundled("Tokenization", "r50k_base", encode_vocab_size="1007")
    assert app.slider[0].value == 1_007
    [current] = [box for box in app.selectbox if box.label == "Current tokenizer"]
    current.select("p50k_base").run()
    assert app.slider[0].value == 50_281
    assert "encode_vocab_size" not in app.query_params


def test_a_link_with_a_tokenizer_that_is_none_is_ignored() -> None:
    app = open_bundled("low", "<img>")
    assert any("uses a sample" in caption.value for caption in app.caption)
    assert "tokenizer" not in app.query_params


def test_special_tokens_are_counted_as_spelled_and_as_taken() -> None:
    """Of two special tokens the text has one twice and one once; then only one is allowed."""
    run = bpe.train("low low", num_merges=1, special_tokens=("<s>", "<e>"))
    app = open_encode(run, "<s>low<s><e>")
    assert "Special tokens" not in figures(app)
    [told] = [c.value.replace("\\", "") for c in app.caption if "not allowed" in c.value]
    assert "**<s>** × 2, **<e>** × 1" in told
    app.toggle[0].set_value(True).run()
    assert figures(app)["Special tokens"] == "3"
    assert not [c for c in app.caption if "not allowed" in c.value]
    app.multiselect[0].set_value(["<e>"]).run()
    assert figures(app)["Special tokens"] == "1"
    assert sent_ids(app)[-1] == run.tokenizer.special_tokens["<e>"]
    assert [c for c in app.caption if "not allowed" in c.value]


def test_an_unknown_character_is_no_special_token_that_was_taken() -> None:
    app = open_encode(lesson(unknown_token="[UNK]"), "zip [UNK]")
    app.toggle[0].set_value(True).run()
    assert figures(app)["Special tokens"] == "1"


def test_without_special_tokens_there_is_no_switch() -> None:
    assert not open_encode(lesson(), "low").toggle


def test_hostile_text_is_sent_as_text() -> None:
    app = open_encode(None, HOSTILE)
    segments = sent(app)["blocks"][0]["columns"][0]["rows"][0]["segments"]
    assert "".join(s if isinstance(s, str) else s[0] for s in segments) == HOSTILE
    assert "Round trip holds" in messages(app)


def test_hostile_special_tokens_are_not_read_as_markdown() -> None:
    run = bpe.train("low low", num_merges=1, special_tokens=("[a](http://b)", ":red[x]"))
    help_text = open_encode(run, "low").toggle[0].help
    assert "[a](http" not in help_text
    assert r"\[a\]\(http" in help_text


def test_the_table_lists_every_token_with_its_place() -> None:
    """é is two bytes and one character: both its tokens stand for the character from 3 to 4."""
    app = open_encode(bpe.train("low low", num_merges=2), "lowé")
    [table] = app.dataframe
    frame = table.value
    assert list(frame["token"]) == ["low", "<c3>", "<a9>"]
    assert list(frame["bytes"]) == ["6c6f77", "c3", "a9"]
    places = ["byte_start", "byte_end", "char_start", "char_end"]
    assert frame[places].to_numpy().tolist() == [[0, 3, 0, 3], [3, 4, 3, 4], [4, 5, 3, 4]]
    assert frame["rank"].fillna(-1).tolist() == [1, -1, -1]
    assert frame["count"].fillna(-1).tolist() == [2, -1, -1]
