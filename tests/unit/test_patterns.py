"""Error patterns: what kind of mistake a wrong answer is, from the evidence alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.mistakes import History, find_patterns, improvement_areas
from agents.teaching.values import Concept, ErrorPattern, QuizQuestion, QuizResponse

DEFINITIONS = {
    "node": "A named unit of a ROS 2 program that does one job and communicates with other nodes.",
    "topic": "A named channel over which nodes exchange messages of one type.",
    "publisher": "The part of a node that sends messages to a topic.",
    "subscriber": "The part of a node that receives messages from a topic.",
    "workspace": "A directory in which one or more packages are built together.",
    "publishing rate": "The number of messages that a publisher sends per second, measured in hertz.",
    "camera intrinsics": "The numbers that describe how a camera projects points to pixels.",
    "camera extrinsics": "The pose of a camera in another frame.",
}
CONCEPTS = [
    Concept(name=name, definition=text, kind="glossary", chapter_id="ch1", chunk_id=name, position=place)
    for place, (name, text) in enumerate(DEFINITIONS.items())
]
PLACES = {"chunk of publisher": "Topics › Publishers"}
MISSED = "The idea of {} is not quite there yet."
USUAL = History(seconds=(20.0, 22.0, 18.0, 25.0))


def question(concept: str, *, asks: str = "What is it?", expected: str = "", **details: Any) -> QuizQuestion:
    return QuizQuestion(
        question_id=details.pop("question_id", "q1"),
        question_text=asks,
        concept_name=concept,
        difficulty="medium",
        expected_answer=expected or DEFINITIONS[concept],
        source_context="",
        chunk_id=f"chunk of {concept}",
        **details,
    )


def wrong(answer: str, *, seconds: float = 20.0, score: float = 0.0, question_id: str = "q1") -> QuizResponse:
    return QuizResponse(
        question_id=question_id,
        learner_answer=answer,
        is_correct=False,
        time_taken_seconds=seconds,
        attempt_number=1,
        score=score,
    )


def right(question_id: str = "q1") -> QuizResponse:
    return wrong("yes", question_id=question_id).model_copy(update={"is_correct": True})


def pattern(asked: QuizQuestion, given_answer: QuizResponse, *, history: History = USUAL) -> ErrorPattern:
    [found] = find_patterns([asked], [given_answer], history=history, concepts=CONCEPTS, places=PLACES)
    return found


def test_naming_another_concept_is_a_confusion() -> None:
    asked = question("subscriber", asks="Which part receives messages?", expected="subscriber")

    assert "with publisher where" in pattern(asked, wrong("the publisher")).description
    assert pattern(asked, wrong("Publishers")).pattern_type == "conceptual"
    assert "publisher where subscriber was meant" in pattern(asked, wrong("publisher")).description


@pytest.mark.parametrize("answer", ["b", "B)", "2", "option 2", "publisher"])
def test_picking_an_option_that_is_another_concept_is_a_confusion(answer: str) -> None:
    asked = question(
        "subscriber",
        expected="subscriber",
        kind="multiple_choice",
        options=("subscriber", "publisher", "a clock", "a file"),
    )

    assert "with publisher where" in pattern(asked, wrong(answer)).description


def test_describing_another_concept_is_a_confusion() -> None:
    asked = question("publisher", asks="What does a publisher do?")

    assert (
        "with subscriber where"
        in pattern(asked, wrong("It is the part that receives messages from a topic")).description
    )


def test_similar_names_of_two_concepts_are_a_confusion_and_no_misspelling() -> None:
    asked = question("camera intrinsics", expected="camera intrinsics")

    assert "with camera extrinsics where" in pattern(asked, wrong("camera extrinsics")).description


def test_a_concept_that_the_question_itself_names_is_no_confusion() -> None:
    asked = question("publisher", asks="What does a publisher send to a topic?", expected="messages")

    assert pattern(asked, wrong("the topic")).description == MISSED.format("publisher")


def test_both_directions_of_a_confusion_are_one_pattern() -> None:
    first = question("publisher", expected="publisher")
    second = question("subscriber", expected="subscriber", question_id="q2")
    patterns = find_patterns(
        [first, second],
        [wrong("subscriber"), wrong("publisher", question_id="q2")],
        history=USUAL,
        concepts=CONCEPTS,
    )

    assert [found.affected_questions for found in patterns] == [("q1", "q2")]
    assert patterns[0].description == "You swapped publisher and subscriber: each got the other's place."


@pytest.mark.parametrize(
    "answer", ["", "?", "I don't know", "no idea", "idk", "Sorry, I really don’t know", "pass"]
)
def test_no_answer_leaves_the_concept_open(answer: str) -> None:
    assert pattern(question("node"), wrong(answer)).description.startswith("Node is still open")


def test_an_answer_beside_the_point_is_an_idea_missed() -> None:
    found = pattern(question("node"), wrong("something about cooking pasta"))

    assert found.pattern_type == "conceptual"
    assert found.description == "The idea of node is not quite there yet."


def test_a_misspelt_answer_is_careless() -> None:
    asked = question("subscriber", expected="subscriber")

    assert pattern(asked, wrong("subcsriber")).pattern_type == "careless"


def test_steps_in_the_wrong_order_are_procedural() -> None:
    asked = question("workspace", expected="create, build, source", kind="ordering")

    assert pattern(asked, wrong("build, create, source")).pattern_type == "procedural"


def test_a_partly_right_answer_is_procedural() -> None:
    found = pattern(question("topic"), wrong("it has got a name", score=0.5))

    assert found.pattern_type == "procedural"
    assert found.description.startswith("Part of your answer on topic is right")


def test_a_quick_wrong_answer_on_something_known_is_careless() -> None:
    known = History(chances={"node": 0.9}, seconds=USUAL.seconds)

    assert pattern(question("node"), wrong("a process", seconds=4), history=known).pattern_type == "careless"


@pytest.mark.parametrize(
    ("history", "seconds"),
    [
        (History(chances={"node": 0.9}, seconds=USUAL.seconds), 19.0),  # not quick
        (History(chances={"node": 0.4}, seconds=USUAL.seconds), 4.0),  # not known
        (History(chances={"node": 0.9}, seconds=(20.0,)), 4.0),  # too few times to say what is usual
    ],
)
def test_a_slip_needs_both_haste_and_knowledge(history: History, seconds: float) -> None:
    found = pattern(question("node"), wrong("a process", seconds=seconds), history=history)

    assert found.description == MISSED.format("node")


def test_the_passage_to_read_again_is_named() -> None:
    found = pattern(question("publisher"), wrong("something about cooking pasta"))

    assert "Topics › Publishers" in found.suggested_remediation
    assert "the passage on node" in pattern(question("node"), wrong("pasta")).suggested_remediation


def test_right_answers_make_no_pattern() -> None:
    assert find_patterns([question("node")], [right()], history=USUAL, concepts=CONCEPTS) == []


def test_only_the_last_attempt_counts() -> None:
    asked = question("node")

    assert find_patterns([asked], [wrong("pasta"), right()], history=USUAL) == []


def test_an_answer_to_a_question_that_is_gone_is_passed_over() -> None:
    assert find_patterns([question("node")], [wrong("pasta", question_id="q9")], history=USUAL) == []


def test_deep_mistakes_come_before_slips() -> None:
    asked = [
        question("subscriber", expected="subscriber"),
        question("workspace", kind="ordering", question_id="q2"),
        question("node", question_id="q3"),
    ]
    given_answers = [
        wrong("subcsriber"),
        wrong("b, a", question_id="q2"),
        wrong("pasta", question_id="q3"),
    ]
    patterns = find_patterns(asked, given_answers, history=USUAL, concepts=CONCEPTS)

    assert [found.pattern_type for found in patterns] == ["conceptual", "procedural", "careless"]
    assert improvement_areas(patterns, asked) == ["node", "workspace", "subscriber"]


def test_what_was_missed_most_often_needs_work_first() -> None:
    asked = [question("node"), question("topic", question_id="q2"), question("topic", question_id="q3")]
    given_answers = [wrong("pasta"), wrong("pasta", question_id="q2"), wrong("pasta", question_id="q3")]
    patterns = find_patterns(asked, given_answers, history=USUAL, concepts=CONCEPTS)

    assert improvement_areas(patterns, asked) == ["topic", "node"]


def test_equal_needs_go_by_the_lower_chance() -> None:
    asked = [question("node"), question("topic", question_id="q2")]
    given_answers = [wrong("pasta"), wrong("pasta", question_id="q2")]
    patterns = find_patterns(asked, given_answers, history=USUAL, concepts=CONCEPTS)

    assert improvement_areas(patterns, asked, chances={"node": 0.6, "topic": 0.3}) == ["topic", "node"]


@given(
    st.text(max_size=80),
    st.text(max_size=40),
    st.sampled_from(["short_answer", "multiple_choice", "ordering"]),
)
def test_any_wrong_answer_has_exactly_one_pattern(answer: str, expected: str, kind: str) -> None:
    asked = question("node", expected=expected or "x", kind=kind, options=("node", "topic"))
    found = pattern(asked, wrong(answer))

    assert found.affected_questions == ("q1",)
    assert found.description
    assert found.suggested_remediation


def test_a_wrong_true_or_false_names_no_other_concept() -> None:
    """'true' is also a word of somebody's definition."""
    odd = Concept(
        name="outlier",
        definition="A match that is not true.",
        kind="term",
        chapter_id="ch1",
        chunk_id="x",
        position=9,
    )
    asked = question(
        "topic", asks="True or false: a topic is a message.", expected="False", kind="true_false"
    )
    [found] = find_patterns([asked], [wrong("true")], history=USUAL, concepts=[*CONCEPTS, odd])

    assert found.description == MISSED.format("topic")


def test_what_all_answers_speak_against_is_worked_on_after_what_was_missed_last() -> None:
    asked = question("topic")
    missed = find_patterns([asked], [wrong("a bag")], history=USUAL, concepts=CONCEPTS)
    chances = {"topic": 0.7, "node": 0.5, "publisher": 0.3, "subscriber": 0.9}

    assert improvement_areas(missed, [asked], chances=chances) == ["topic", "publisher", "node"]
