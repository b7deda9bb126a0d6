"""What the badge says of a check, in words that hold without its colour."""

from __future__ import annotations

from bpe.agreement import Agreement
from pages.ui.agreement_badge import badge_of


def test_agreement_names_library_version_and_texts() -> None:
    badge = badge_of(Agreement("tiktoken", "0.14.0", 884, 0, None, "884 strings: many", None))
    assert badge.label.replace("\\", "") == "Agrees with tiktoken 0.14.0"
    assert badge.color == "green"
    assert badge.told.replace("\\", "") == "Checked on 884 strings: many."


def test_a_difference_is_told_with_its_first_text_as_text() -> None:
    told = "'<b>*a*</b>': from token 0 on"
    badge = badge_of(Agreement("tokenizers", "0.23", 10, 3, told, "10 strings", None))
    assert badge.label.replace("\\", "") == "Differs from Hugging Face tokenizers 0.23 on 3 of 10"
    assert badge.color == "red"
    assert r"\<b\>\*a\*\<\/b\>" in badge.told


def test_what_was_not_checked_claims_nothing() -> None:
    absent = Agreement("tiktoken", None, 0, 0, None, "", "tiktoken is not installed")
    badge = badge_of(absent)
    assert (badge.label, badge.color) == ("Not checked here", "grey")
    assert badge.told.replace("\\", "") == "Tiktoken is not installed."
