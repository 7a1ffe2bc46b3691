"""What a question asks for, read off its form, and what is looked up for it."""

import pytest

from agents.coordinator.lookup import search_queries
from agents.coordinator.question import understand
from rag.results import merged
from tests.support.pumps import passage


@pytest.mark.parametrize(
    ("question", "kind", "focus"),
    [
        ("What is a node?", "definition", ("node",)),
        ("hey, can you please explain what a node is?", "definition", ("node",)),
        ("Why split a robot into nodes?", "why", ()),
        ("How do I build a package?", "how", ()),
        ("topic vs message", "difference", ("topic", "message")),
        ("How does a package differ from a node?", "difference", ("package", "node")),
        ("When should I use an action?", "choice", ()),
        ("Is ROS 2 an operating system?", "yesno", ()),
        ("What are the types of joints?", "list", ()),
        ("Show me an example of a publisher", "example", ("publisher",)),
        ("How many joints are there?", "quantity", ()),
        ("What is check_urdf for?", "purpose", ("check_urdf",)),
    ],
)
def test_the_kind_of_a_question_is_read_off_its_form(
    question: str, kind: str, focus: tuple[str, ...]
) -> None:
    asked = understand(question)
    assert (asked.kind, asked.focus) == (kind, focus)


def test_each_side_of_a_comparison_is_looked_up_as_well() -> None:
    assert search_queries("difference between topic and service") == (
        "difference between topic and service",
        "What is topic?",
        "What is service?",
    )
    assert search_queries("What is a topic?") == ("What is a topic?",)


def test_results_of_several_searches_are_merged_once_each() -> None:
    first, second = passage("One."), passage("Two.", number=2)
    assert [result.rank for result in merged([[first, second], [second, first]])] == [1, 2]
