"""The topic in a request, as the learner or the course spells it."""

import pytest
from agents.coordinator.language.topics import clean_topic, known_topic

from agents.coordinator.intents import RoutingContext, classify

NAMES = ("ROS 2 topics", "URDF", "Loop closure", "Visual odometry")


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("please teach me about ROS 2 topics!", "ROS 2 topics"),
        ("I'd like to learn the basics of URDF, please", "URDF"),
        ("quiz me on p-values", "p-values"),
        ("change topic to genetics", "genetics"),
        ("am I ready for SLAM?", "SLAM"),
        ("give me a learning path to VSLAM", "VSLAM"),
        ("I know nothing about tf2, help me learn it", "tf2"),
        ("teach me how visual odometry works", "visual odometry"),
        ("could we go over transforms again, because I forgot them?", "transforms"),
        ("enséñame URDF", "URDF"),
        ("teach me", ""),
        ("teach me something new", ""),
    ],
)
def test_the_topic_is_what_the_request_is_about(message: str, topic: str) -> None:
    assert classify(message).topic == topic


def test_a_topic_is_given_the_courses_own_name() -> None:
    context = RoutingContext(topic_names=NAMES)

    assert classify("teach me loop closur", context=context).topic == "Loop closure"
    assert classify("teach me the ros 2 topic", context=context).topic == "ROS 2 topics"


def test_a_topic_the_course_lacks_is_left_as_it_was_said() -> None:
    assert (
        classify("teach me Quantum Computing", context=RoutingContext(topic_names=NAMES)).topic
        == "Quantum Computing"
    )


def test_a_question_has_no_topic_of_its_own() -> None:
    assert classify("what is a topic?").topic == ""


@pytest.mark.parametrize("word", ["optics", "nodal"])
def test_another_word_is_not_taken_for_a_slip(word: str) -> None:
    assert known_topic(word, ("Topics", "Nodes")) == ""


def test_a_topic_is_cut_to_a_readable_length() -> None:
    assert len(clean_topic("word " * 200).split()) == 12


@pytest.mark.parametrize(
    ("message", "topic"),
    [("teach me topic", "topic"), ("quiz me on topic", "topic"), ("teach me a topic", "")],
)
def test_a_concept_may_be_called_topic(message: str, topic: str) -> None:
    context = RoutingContext(topic_names=("topic", "node"))
    assert classify(message, context=context).topic == topic


@pytest.mark.parametrize(
    ("message", "action", "topic"),
    [
        ("I have an exam on Friday, can you test me on URDF?", "quiz_me", "URDF"),
        ("I want to understand loop closure, make me a plan", "plan", "loop closure"),
        ("I want to learn URDF. Make me a plan", "plan", "URDF"),
    ],
)
def test_what_is_asked_for_counts_more_than_what_is_said_before_it(
    message: str, action: str, topic: str
) -> None:
    intent = classify(message)

    assert (intent.action, intent.topic) == (action, topic)


@pytest.mark.parametrize(
    ("message", "topic"),
    [
        ("teach me what I don't know", ""),
        ("teach me only what I don't know yet", ""),
        ("teach me what I don't know about tf2", "tf2"),
        ("find my gaps", ""),
        ("find my gaps in URDF", "URDF"),
    ],
)
def test_what_somebody_does_not_know_has_to_be_found_out_first(message: str, topic: str) -> None:
    intent = classify(message)
    assert (intent.action, intent.topic) == ("diagnose", topic)


def test_what_a_thing_is_is_no_gap() -> None:
    assert classify("teach me what a node is").action != "diagnose"
