"""The Compare page on tokenizers of the list, as Python makes it."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest

import bpe
from tests.app.opened import HOSTILE, component, go, messages, one, open_page, press, put


def open_lanes(**query: str) -> AppTest:
    return open_page("compare", **{"compare_by": "tokenizers", "tokenizers": "r50k_base", **query})


def lanes(app: AppTest) -> list[tuple[str, list[int]]]:
    """Read name and ids of the lanes of the first sentence."""
    block: dict[str, Any] = json.loads(component(app, "token_view"))["blocks"][0]
    rows = [column["rows"][0] for column in block["columns"]]
    return [(row["name"], row["tokens"][::5]) for row in rows]


def test_a_link_sets_bundled_tokenizers_side_by_side() -> None:
    """Golden: 12345678 is 123 | 45 | 678 in r50k_base, 123 | 456 | 78 in cl100k_base."""
    app = open_lanes(tokenizers="r50k_base,nonsense,cl100k_base")
    put(app, "text_area", "Sentences", "12345678")
    [(gpt2, gpt2_ids), (gpt4, gpt4_ids)] = lanes(app)
    assert (gpt2, gpt4) == ("GPT-2 (r50k_base)", "GPT-4 (cl100k_base)")
    in_pieces = [
        [bpe.load_pretrained(name).token(token_id) for token_id in ids]
        for name, ids in (("r50k_base", gpt2_ids), ("cl100k_base", gpt4_ids))
    ]
    assert in_pieces == [[b"123", b"45", b"678"], [b"123", b"456", b"78"]]
    assert list(app.dataframe[0].value["tokens"]) == [3, 3]
    assert app.query_params["tokenizers"] == "r50k_base,cl100k_base"


def test_ones_own_training_stands_first_but_not_in_the_link() -> None:
    app = open_page("train")
    app.query_params["tokenizers"] = "r50k_base"
    go(app, "compare")
    put(app, "segmented_control", "Compare", "tokenizers")
    put(app, "multiselect", "Tokenizers", ["latest", "r50k_base"])
    put(app, "text_area", "Sentences", "lowest")
    [(latest, _), (gpt2, _)] = lanes(app)
    assert (latest, gpt2) == ("Latest training", "GPT-2 (r50k_base)")
    assert app.query_params["tokenizers"] == "r50k_base"
    press(app, "Delete")
    assert one(app, "multiselect", "Tokenizers").value == ["r50k_base"]


def test_what_a_tokenizer_cannot_encode_is_said() -> None:
    app = open_page("train", unknown_token="false")
    app.query_params["tokenizers"] = "r50k_base"
    go(app, "compare")
    put(app, "segmented_control", "Compare", "tokenizers")
    put(app, "multiselect", "Tokenizers", ["latest"])
    put(app, "text_area", "Sentences", "low\nzip")
    assert "Latest training cannot encode 1 of 2 sentences" in messages(app).replace("**", "")
    assert not any(header.value == "All sentences together" for header in app.header)


def test_without_tokenizers_or_sentences_the_page_says_what_to_do() -> None:
    app = put(open_lanes(), "multiselect", "Tokenizers", [])
    assert "Choose a tokenizer to compare." in messages(app)
    put(app, "multiselect", "Tokenizers", ["r50k_base"])
    put(app, "text_area", "Sentences", "")
    assert "Type a sentence to compare" in messages(app)


def test_text_that_means_something_elsewhere_is_only_text() -> None:
    app = put(open_lanes(), "text_area", "Sentences", "\n".join(HOSTILE))
    assert list(app.dataframe[1].value["sentence"]) == HOSTILE
    assert list(app.dataframe[1].value["round trip"]) == [True] * len(HOSTILE)


def test_the_switch_goes_back_to_the_bases() -> None:
    app = put(open_lanes(compare_corpus="hug", sizes="9"), "segmented_control", "Compare", "bases")
    assert one(app, "selectbox", "Corpus").value == "hug"
    assert "compare_by" not in app.query_params
