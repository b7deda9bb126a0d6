"""Whether a tokenizer agrees with the reference library for it, and what is said where not."""

from __future__ import annotations

import importlib
import io
import json
from typing import Any
from unittest.mock import patch

import pytest
import sentencepiece

import bpe
from bpe.agreement import Agreement, check_agreement
from bpe.agreement_texts import agreement_texts
from bpe.reference_libraries import NotChecked, guarded
from bpe.samples import SAMPLES


def trained(**settings: Any) -> bpe.Tokenizer:
    text = SAMPLES["languages"].load()
    assert isinstance(text, str)
    return bpe.train(text[:20_000], num_merges=300, **settings).tokenizer


@pytest.mark.parametrize("name", ["r50k_base", "o200k_base"])
def test_the_bundled_encodings_agree_with_tiktoken(name: str) -> None:
    agreement = check_agreement(bpe.load_pretrained(name))
    assert (agreement.library, agreement.agrees, agreement.reason) == ("tiktoken", True, None)
    assert (agreement.n_different, agreement.first_difference) == (0, None)
    assert agreement.n_texts > 800
    assert agreement.checked_on.startswith(f"{agreement.n_texts} strings: 49 sentences")
    assert agreement.version


@pytest.mark.parametrize(
    ("settings", "library"),
    [
        ({"pattern": "gpt2", "special_tokens": ["<|end|>", "<s>"]}, "tiktoken"),
        ({"pattern": "o200k"}, "tiktoken"),
        ({"pattern": r"\w+"}, "tiktoken"),
        ({"pattern": "cl100k", "normalizer": "nfkc"}, "tokenizers"),
        ({"base": "char", "pattern": "gpt2"}, "tokenizers"),
        ({"base": "char", "pattern": "gpt2", "unknown_token": "[UNK]"}, "tokenizers"),
    ],
)
def test_trained_tokenizers_agree(settings: dict[str, Any], library: str) -> None:
    agreement = check_agreement(trained(**settings))
    assert (agreement.library, agreement.agrees) == (library, True), agreement.first_difference


def test_a_tokenizer_that_differs_from_its_file_does_not_agree() -> None:
    """The file has one merge rule less."""
    tokenizer = trained()
    document = json.loads(bpe.to_tokenizer_json(tokenizer))
    assert check_agreement(tokenizer, kind="tokenizer_json").agrees
    document["model"]["merges"].pop(0)
    original = json.dumps(document).encode()
    agreement = check_agreement(tokenizer, kind="tokenizer_json", original=original)
    assert agreement.agrees is False
    assert 0 < agreement.n_different < agreement.n_texts
    assert "from token" in (agreement.first_difference or "")
    assert "in tokenizers" in (agreement.first_difference or "")


def test_the_first_difference_says_where_it_is() -> None:
    tokenizer = trained(pattern="none")
    with_other_pattern = json.loads(bpe.to_tokenizer_json(trained()))
    with_other_pattern["model"] = json.loads(bpe.to_tokenizer_json(tokenizer))["model"]
    with_other_pattern["model"]["vocab"]["zz"] = 1000
    with_other_pattern["model"]["merges"].append(["z", "z"])
    original = json.dumps(with_other_pattern).encode()
    found = check_agreement(tokenizer, kind="tokenizer_json", original=original, texts=["a", "azz"])
    z = tokenizer.token_id(b"z")
    assert found == Agreement(
        "tokenizers",
        found.version,
        2,
        1,
        f"'azz': from token 1 on, the ids are {z} {z} here and 1000 in tokenizers",
        "2 texts given",
        None,
    )


def test_a_text_that_is_refused_is_a_difference() -> None:
    tokenizer = bpe.train("ab", base="char", num_merges=0, pattern="none").tokenizer
    agreement = check_agreement(tokenizer, texts=["ab", "az"])
    assert agreement.n_different == 1
    assert (agreement.first_difference or "").startswith("'az' is refused here")


@pytest.mark.parametrize(
    ("library", "kind"),
    [("tiktoken", None), ("tokenizers", "tokenizer_json"), ("sentencepiece", "sentencepiece")],
)
def test_a_library_that_is_absent_is_named(library: str, kind: Any) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}")

    with patch("bpe.reference_libraries.import_module", absent):
        agreement = check_agreement(trained(), kind=kind, original=b"")
    assert (agreement.library, agreement.agrees, agreement.n_texts) == (library, None, 0)
    assert f"{library} is not installed" in (agreement.reason or "")


@pytest.mark.parametrize("original", [b"", b"{}", b"\xff\x00", b'{"model": {"type": "BPE"}}'])
@pytest.mark.parametrize("kind", ["tokenizer_json", "sentencepiece"])
def test_a_file_that_the_library_refuses_is_no_error(original: bytes, kind: Any) -> None:
    agreement = check_agreement(trained(), kind=kind, original=original)
    assert agreement.agrees is None
    assert "refuses it" in (agreement.reason or "")


def test_what_no_library_can_hold_is_said() -> None:
    agreement = check_agreement(trained(end_of_word="</w>"))
    assert (agreement.agrees, agreement.n_texts) == (None, 0)
    assert "only here" in (agreement.reason or "")


def test_a_model_of_sentencepiece_is_the_reference_for_itself() -> None:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["low lower lowest newest widest"] * 9),
        model_writer=model,
        model_type="bpe",
        vocab_size=30,
        minloglevel=2,
    )
    tokenizer = bpe.load_sentencepiece(model.getvalue())
    agreement = check_agreement(tokenizer, kind="sentencepiece", original=model.getvalue())
    assert (agreement.agrees, agreement.library) == (True, "sentencepiece")
    other = trained()
    assert check_agreement(other, kind="sentencepiece", original=model.getvalue()).agrees is False
    assert check_agreement(tokenizer, kind="sentencepiece").agrees is None


def test_the_texts_are_the_same_each_time_and_hold_no_surrogates() -> None:
    tokenizer = trained(base="char", special_tokens=["<s>"])
    texts, phrase = agreement_texts(tokenizer, with_special=True)
    assert (texts, phrase) == agreement_texts(tokenizer, with_special=True)
    assert "with special tokens" in phrase
    assert "without characters" in phrase
    for text in texts:
        assert text.encode("utf-8").decode("utf-8") == text
        assert tokenizer.decode(tokenizer.encode(text, allowed_special="all").ids) == text


def test_what_goes_wrong_in_a_library_is_told_but_an_interrupt_is_one() -> None:
    class PanicException(BaseException):
        """What a library in Rust raises when it panics."""

    def fail(error: BaseException) -> None:
        raise error

    for error in (PanicException("index out of bounds"), RuntimeError("index out of bounds")):
        with pytest.raises(NotChecked, match="tiktoken refuses it: index out of bounds"):
            guarded("tiktoken", fail, error)
    with pytest.raises(KeyboardInterrupt):
        guarded("tiktoken", fail, KeyboardInterrupt())


def test_the_libraries_are_loaded_only_when_asked_for() -> None:
    """Each of them may be absent, so nothing may import them along with these modules."""
    for name in ("bpe.agreement", "bpe.reference_libraries", "bpe.agreement_texts"):
        module = importlib.import_module(name)
        assert not {"tiktoken", "tokenizers", "sentencepiece"} & set(vars(module))
