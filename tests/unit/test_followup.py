"""Follow-ups that stand on their own afterwards, and questions that are left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.coordinator.question import resolve

TERMS = (
    "topic",
    "service",
    "Isaac Sim",
    "loop closure",
    "static transform",
    "kinematic tree",
    "visual odometry",
)


def after(said: str, question: str, *, answer: str = "", topic: str = "") -> str:
    history = [("user", said)] if said else []
    return resolve(question, history=[*history, ("assistant", answer)], topic=topic, terms=TERMS)


@pytest.mark.parametrize(
    ("said", "question", "expected"),
    [
        (
            "What is Isaac Sim?",
            "How do I use it for synthetic data?",
            "How do I use Isaac Sim for synthetic data?",
        ),
        ("what is a topic?", "and services?", "What is a service?"),
        ("What is a service?", "what about actions?", "What is an action?"),
        ("What does durability mean?", "and reliability?", "What does reliability mean?"),
        ("What is a static transform?", "and a dynamic one?", "What is a dynamic transform?"),
        ("How does loop closure remove drift?", "why?", "Why does loop closure remove drift?"),
        ("What is RANSAC?", "how?", "How does RANSAC work?"),
        ("What is RANSAC?", "how does it work?", "How does RANSAC work?"),
        ("How does loop closure work?", "tell me more", "Tell me more about loop closure."),
        ("What is tf2?", "another example", "Another example for tf2?"),
        ("explain tf2", "show me some code", "Show me some code for tf2."),
        ("What is a joint?", "what types are there?", "What types are there for joint?"),
        ("What is the pinhole model?", "what is its formula?", "What is the pinhole model's formula?"),
        ("What is a topic?", "more", "Tell me more about a topic."),
        ("What is a topic?", "what are the advantages?", "What are the advantages for topic?"),
        ("What is a topic?", "why is that important?", "Why is a topic important?"),
        ("What is a topic?", "how is it related to services?", "How is a topic related to services?"),
        ("What is an action?", "when should I use one?", "When should I use an action?"),
        ("What is a keyframe?", "when is a new one added?", "When is a new keyframe added?"),
        (
            "What is a package?",
            "how is that different from a node?",
            "How is a package different from a node?",
        ),
        ("What is a kinematic tree?", "can they have loops?", "Can a kinematic tree have loops?"),
        ("How do I spawn a robot in Gazebo?", "and in Isaac Sim?", "How do I spawn a robot in Isaac Sim?"),
        (
            "What is the difference between a feature and a descriptor?",
            "what about the second one?",
            "Tell me more about a descriptor.",
        ),
        (
            "difference between visual odometry and VSLAM",
            "which one drifts?",
            "Which one drifts, visual odometry or VSLAM?",
        ),
    ],
)
def test_a_follow_up_says_what_it_is_about(said: str, question: str, expected: str) -> None:
    assert after(said, question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is URDF?",
        "What is a service and how does it differ from an action?",
        "What's the weather today?",
        "Is it raining?",
        "Is it possible to have two publishers?",
        "What time is it?",
        "How does a node know when it is stopped?",
        "If a topic has two publishers, do they conflict?",
        "What is the node that publishes transforms called?",
        "Does the subscriber need its own thread?",
        "can I have more than one?",
        "thanks",
        "ok",
        "teach me URDF",
        "",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert after("What is a topic?", question) == question


@pytest.mark.parametrize(
    "question", ["Is it raining?", "why?", "and services?", "tell me more", "the second one?"]
)
def test_without_anything_before_it_nothing_is_rewritten(question: str) -> None:
    assert resolve(question, history=[], topic="") == question


def test_the_current_topic_stands_in_for_a_conversation() -> None:
    assert (
        resolve("why does it drift?", history=[], topic="visual odometry")
        == "Why does visual odometry drift?"
    )


def test_a_chain_of_follow_ups_keeps_its_subject() -> None:
    history = [("user", "What is visual odometry?"), ("assistant", "…"), ("user", "why does it drift?")]
    assert (
        resolve("how can I reduce it?", history=history, topic="", terms=TERMS)
        == "How can I reduce visual odometry?"
    )


def test_small_talk_does_not_change_the_subject() -> None:
    history = [("user", "What is a topic?"), ("assistant", "…"), ("user", "thanks"), ("assistant", "…")]
    assert (
        resolve("does it get an answer?", history=history, topic="", terms=TERMS)
        == "Does a topic get an answer?"
    )


def test_an_ordinal_picks_from_the_list_in_the_last_answer() -> None:
    answer = "RANSAC works in these steps [1]:\n\n1. Draw a small sample.\n2. Compute the motion.\n\n---\n**Sources:**\n[1] x"
    assert (
        after("how does RANSAC work?", "explain the second step", answer=answer)
        == "Explain Compute the motion."
    )


def test_a_term_mistyped_by_one_letter_is_read_as_the_term() -> None:
    assert (
        resolve("what is a kinematik tree", history=[], topic="", terms=TERMS) == "what is a kinematic tree"
    )
    assert resolve("what is a mode", history=[], topic="", terms=("node",)) == "what is a mode"


def test_what_was_not_answered_is_not_what_a_pronoun_means() -> None:
    history = [
        ("user", "What is a topic?"),
        ("assistant", "A topic is a named channel [1]."),
        ("user", "what is a mortgage?"),
        ("assistant", "I don't have information about a mortgage in this course."),
    ]
    assert resolve("does it get an answer?", history=history, terms=TERMS) == "Does a topic get an answer?"


@settings(max_examples=200, deadline=None)
@given(question=st.text(max_size=120), said=st.text(max_size=120), topic=st.text(max_size=30))
def test_any_conversation_gives_a_question(question: str, said: str, topic: str) -> None:
    history = [("user", said), ("assistant", said)]
    resolved = resolve(question, history=history, topic=topic, terms=TERMS)
    assert bool(resolved.strip()) == bool(question.strip())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("WHAT IS A TOPIC???", "what is a topic???"),
        ("WHAT IS ISAAC SIM?", "what is isaac sim?"),
        ("haha ok. what is a topic?", "what is a topic?"),
        ("what is a topic? I keep forgetting", "what is a topic?"),
        ("sorry I'm new here, how does loop closure work?", "how does loop closure work?"),
        ("I use a Mac. What is a service?", "What is a service?"),
        (
            "waht is the diffrence betwen a topic and a service",
            "what is the difference between a topic and a service",
        ),
    ],
)
def test_shouting_asides_and_slips_do_not_change_what_is_asked(typed: str, meant: str) -> None:
    assert after("", typed) == meant


@pytest.mark.parametrize(
    "question",
    [
        "What is SLAM?",
        "My robot spins. Why?",
        "I changed the frame, why does nothing move?",
        "I use a Mac. How do I install Isaac Sim?",
        "What is a topic, and what is a service?",
        "Which dose of noise is right?",
    ],
)
def test_what_the_question_needs_is_not_taken_for_an_aside(question: str) -> None:
    assert after("", question) == question


def test_a_shouted_question_is_remembered_in_a_normal_voice() -> None:
    assert after("WHAT IS A TOPIC?", "tell me more") == "Tell me more about a topic."


def test_what_the_lesson_is_about_is_no_form_of_telling() -> None:
    assert after("", "what is a list?", topic="Python lists") == "what is a list?"
    assert after("", "what is an example?", topic="Python lists") == "What is an example for Python lists?"
