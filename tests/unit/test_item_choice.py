"""Which of the possible items a quiz asks: nothing that can be guessed by itself, and first what the lesson said."""

from collections.abc import Sequence
from dataclasses import replace

from agents.teaching.evidence import CHOICES
from agents.teaching.questions.writing import FEWEST_QUESTIONS, candidates, write_items
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import passage

NODE = "A node is a named unit of a ROS 2 program that does one job and communicates with other nodes."
TOPIC = "A topic is a named channel over which nodes exchange messages of one type."
WHY = "A topic has one message type, because sender and receiver must agree on what the bytes mean."
PASSAGE = passage(f"{NODE}\n\n{TOPIC}\n\n{WHY}")
CONCEPTS = [
    Concept(
        name=name,
        definition=definition,
        kind="glossary",
        chapter_id="module/chapter",
        chunk_id="chunk-1",
        position=position,
    )
    for position, (name, definition) in enumerate(
        [
            ("node", "A named unit of a ROS 2 program that does one job and communicates with other nodes."),
            ("topic", "A named channel over which nodes exchange messages of one type."),
            ("service", "A channel for one request and one reply."),
            ("action", "A channel for long tasks that report on their way."),
            ("package", "A folder of code that is built as one unit."),
        ]
    )
]


def quiz(
    *, count: int, told: str = "", missed: tuple[str, ...] = (), seed: int = 0
) -> Sequence[QuizQuestion]:
    return write_items(
        [PASSAGE],
        concepts=CONCEPTS,
        count=count,
        topic=("node", "topic"),
        focus=("node", "topic"),
        missed=missed,
        told=told,
        seed=seed,
    )


def test_a_concept_is_asked_about_again_before_another_is_asked_about_twice() -> None:
    every = candidates([PASSAGE], concepts=CONCEPTS)
    about_node = [each.item.question_id for each in every if each.item.concept_name == "node"]
    for seed in range(20):
        asked = write_items(
            [PASSAGE],
            concepts=CONCEPTS,
            count=2,
            topic=("node", "topic"),
            focus=("topic", "node"),
            avoid=about_node,
            seed=seed,
        )
        assert {item.concept_name for item in asked} == {"node", "topic"}


def test_who_has_only_picked_answers_is_asked_for_one_of_their_own() -> None:
    for seed in range(20):
        asked = write_items(
            [PASSAGE],
            concepts=CONCEPTS,
            count=2,
            topic=("node", "topic"),
            focus=("node", "topic"),
            unproven=("node", "topic"),
            seed=seed,
        )
        assert {item.concept_name for item in asked} == {"node", "topic"}
        assert not {item.kind for item in asked} & CHOICES


def test_what_the_lesson_said_is_asked_before_what_only_the_chapter_says() -> None:
    for seed in range(20):
        told = {item.source_context for item in quiz(count=2, told=f"{NODE} [1] {WHY} [1]", seed=seed)}
        assert told == {NODE, WHY}
        told = {item.source_context for item in quiz(count=2, told=f"{NODE} [1] {TOPIC} [1]", seed=seed)}
        assert told == {NODE, TOPIC}


def test_without_a_lesson_everything_is_fair() -> None:
    asked = {item.source_context for seed in range(20) for item in quiz(count=3, seed=seed)}
    assert asked == {NODE, TOPIC, WHY}


def test_what_was_missed_is_asked_about_twice_and_not_more_while_another_concept_waits() -> None:
    for seed in range(20):
        asked = [item.concept_name for item in quiz(count=3, missed=("topic",), seed=seed)]
        assert sorted(asked) == ["node", "topic", "topic"]


def test_a_round_that_told_little_still_has_a_quiz() -> None:
    """A review explains only what was missed again; two questions are no quiz, so the topic's other text fills it up."""
    first = PASSAGE.chunk_text.split(". ")[0]
    assert len(quiz(count=4, told=first)) >= min(FEWEST_QUESTIONS, len(quiz(count=4)))


def test_a_question_counts_for_what_it_names_and_for_nothing_else() -> None:
    text = "A **gripper** is a tool that holds an object. A **driver** is a program that a node starts for each motor."
    topic = [concept for concept in CONCEPTS if concept.name == "node"]
    found = candidates([passage(text)], concepts=topic, topic=["node"])
    booked = {each.item.expected_answer: each.item.concept_name for each in found}
    assert "gripper" not in booked, "its sentence names nothing that the course teaches"
    assert booked["driver"] == "node"
    kept = candidates([passage(text)], concepts=topic, topic=["node"], elsewhere=["driver"])
    assert not any(each.item.expected_answer == "driver" for each in kept), "another chapter teaches it"


def test_what_names_nothing_counts_for_the_section_that_it_stands_in() -> None:
    text = "Every part of a robot gets thinner in the end, because nothing that moves against something else lasts."
    here = replace(CONCEPTS[0], name="Wear", kind="heading", chunk_id="another")
    for headings, expected in ((("Robots", "Wear"), {"Wear"}), (("Robots", "Motors"), set())):
        found = candidates([passage(text, headings=headings)], concepts=[here], topic=["Wear"])
        assert {each.item.concept_name for each in found} == expected
