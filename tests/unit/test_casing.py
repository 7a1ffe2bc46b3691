"""How a term reads in the middle of a sentence."""

import pytest

from agents.teaching.questions.terms import casing_of

CASING = casing_of(
    ["We grow decision trees. In spring the trees of New York are green, and Python code is short."],
    concepts=[],
)


@pytest.mark.parametrize(
    ("start", "inside"),
    [
        ("Decision Trees (DTs) are grown", "decision trees (DTs) are grown"),
        ("The New York trees", "the New York trees"),
        ("Trees Python", "trees Python"),
        ("Python code", "Python code"),
    ],
)
def test_only_names_keep_their_capitals(start: str, inside: str) -> None:
    assert CASING.inside(start) == inside
