"""What a question asks about, and what is looked up for it."""

import pytest

from agents.coordinator.question import search_queries, understand
from rag.retriever import merged
from tests.support.pumps import passage


def test_words_that_name_things_weigh_more_than_words_of_asking() -> None:
    weights = understand("hey, can you please explain how I get the camera to work?").weights
    assert weights["camera"] > 2 * max(weights["work"], weights["get"])
    assert "pleas" not in weights


def test_a_name_of_two_words_weighs_as_much_as_one() -> None:
    weights = understand("What is Isaac Sim?", ["Isaac Sim"]).weights
    assert sum(weights.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("topic vs message", ("topic", "message")),
        ("How does a package differ from a node?", ("package", "node")),
        ("What is a topic and how does it differ from a service?", ("topic", "service")),
        ("difference between static and dynamic transforms", ("static transforms", "dynamic transforms")),
        ("In Rust and C, what is the difference between a list and a tuple?", ("list", "tuple")),
        ("What is a node and who needs it?", ()),
        ("compare", ()),
    ],
)
def test_the_two_sides_of_a_comparison_are_found(question: str, sides: tuple[str, ...]) -> None:
    assert understand(question).sides == sides


def test_each_side_of_a_comparison_is_looked_up_as_well() -> None:
    assert search_queries("difference between topic and service") == (
        "difference between topic and service",
        "What is topic?",
        "What is service?",
    )
    assert search_queries("What is a topic?") == ("What is a topic?",)


def test_an_example_is_looked_up_among_worked_examples() -> None:
    assert "worked example" in search_queries("Show me an example of a publisher")[1]


def test_results_of_several_searches_are_merged_once_each() -> None:
    first, second = passage("One."), passage("Two.", number=2)
    assert [result.rank for result in merged([[first, second], [second, first]])] == [1, 2]
