"""What is stored means the same on both databases."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.tables import clean, to_json

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_cleaned_text_can_be_stored_everywhere(text: str) -> None:
    cleaned = clean(text)

    assert "\x00" not in cleaned
    assert cleaned.encode().decode() == cleaned
    assert len(cleaned) == len(text)


@given(st.lists(ANY_TEXT))
def test_json_can_be_stored_everywhere_and_changes_nothing_else(texts: list[str]) -> None:
    assert json.loads(to_json(texts).encode()) == [clean(text) for text in texts]


@pytest.mark.parametrize("text", ["\\u0000", "\\\\u0000", "\\\\\\u0000", "C:\\u0000 and \\"])
def test_a_text_that_only_looks_like_an_escape_stays(text: str) -> None:
    assert json.loads(to_json([text])) == [text]


def test_a_number_that_json_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"score": float("nan")})
