"""Letters that stand for something: which one is asked about, and where a text says it."""

import pytest

from agents.language.symbols import best_said, said_of, symbol_in

LAW = (
    "The first law is $\\Delta U = Q - W$, where $Q$ is the heat that comes in. Here $W$ is the work that is done. "
    "The gas constant, R, has units. A river forms a delta where W turns."
)


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("What does the W stand for in delta U = Q - W", "W"),
        ("what does the p in pH mean", "p"),
        ("what is ΔH", "ΔH"),
        ("which units does k have", "k"),
        ("what does K_a represent?", "K_a"),
        ("What is a trait?", ""),
        ("what does it mean", ""),
        ("why am I so slow", ""),
        ("what is Rust", ""),
        ("what do Q and W stand for", ""),
    ],
)
def test_a_question_is_about_one_letter_or_none(question: str, symbol: str) -> None:
    assert symbol_in(question) == symbol


@pytest.mark.parametrize(("symbol", "says"), [("Q", "heat"), ("W", "work"), ("R", "gas constant")])
def test_the_sentence_that_says_it_is_found(symbol: str, says: str) -> None:
    assert says in said_of(symbol, LAW)[1]


def test_a_letter_that_only_occurs_is_not_explained() -> None:
    assert best_said("U", [LAW]) == (-1, "")
    assert best_said("W", ["A river W.", LAW])[0] == 1


@pytest.mark.parametrize(
    "question", ["and how is it different from DDS?", "what units does URDF use", "what is RANSAC?"]
)
def test_an_acronym_is_no_letter(question: str) -> None:
    assert symbol_in(question) == ""
