"""Answers from the sample course: the right paragraphs, whole, in a sensible order, each with its source."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.coordinator.offline import GroundedAnswer, answer_question
from agents.coordinator.question import resolve
from agents.teaching.values import RetrievalResult
from evals.answers import course_terms, is_whole, passages_for, quotes_of
from evals.data import sample_library
from evals.metrics.claims import check_citations
from tests.support.answers import TOPICS, body

ABOUT_ISAAC = "How do I use Isaac Sim for synthetic data?"
TOPIC_AND_SERVICE = "What is a topic and how does it differ from a service?"
ANSWERED = (
    "How do I make two nodes talk to each other?",
    "What is a topic?",
    "What is Isaac Sim?",
    ABOUT_ISAAC,
    TOPIC_AND_SERVICE,
    "how does RANSAC work?",
    "How do I calibrate a camera?",
    "What is the difference between a topic and a service?",
    "difference between static and dynamic transforms",
    "Why does visual odometry drift?",
    "Give me an example of a service in Python",
    "What are the joint types in URDF?",
    "Which joint type should I use for a wheel?",
    "a lidar in my sim can't see a glass door, is that a bug?",
    "what are camera intrinsics?",
    "tell me about loop closure",
)
NOT_ANSWERED = ("What's the weather today?", "what is a Kalman filter", "how do I bake bread")

Ask = Callable[..., GroundedAnswer]
Course = tuple[dict[str, list[RetrievalResult]], list[str]]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    async def everything(folder: Path) -> Course:
        async with sample_library(folder) as library:
            terms = await course_terms(library)
            questions = (*ANSWERED, *NOT_ANSWERED)
            found = {each: await passages_for(library, each, terms=terms) for each in questions}
            return found, terms

    return asyncio.run(everything(tmp_path_factory.mktemp("course")))


@pytest.fixture
def ask(course: Course) -> Ask:
    found, terms = course

    def asked(question: str, *, already_said: str = "") -> GroundedAnswer:
        return answer_question(
            question,
            found[question],
            course="Robots",
            course_topics=TOPICS,
            terms=terms,
            already_said=already_said,
        )

    return asked


def test_a_follow_up_is_answered_and_not_the_question_before_it(ask: Ask, course: Course) -> None:
    """The first seed scenario: what is Isaac Sim, then how it is used for synthetic data."""
    first = ask("What is Isaac Sim?")
    history = [("user", "What is Isaac Sim?"), ("assistant", first.text)]
    question = resolve("How do I use it for synthetic data?", history=history, terms=course[1])
    assert question == ABOUT_ISAAC
    second = ask(question)
    assert "synthetic data" in body(second)
    assert body(first) not in second.text


def test_a_question_about_two_things_tells_about_both(ask: Ask, course: Course) -> None:
    """The second seed scenario: 'it' is the topic, within the message."""
    question = resolve(TOPIC_AND_SERVICE, history=[("user", "What is a node?")], terms=course[1])
    assert question == TOPIC_AND_SERVICE
    text = body(ask(question)).lower()
    assert "a topic" in text
    assert "a service" in text


def test_what_is_opens_with_the_definition(ask: Ask) -> None:
    assert body(ask("What is a topic?")).startswith("A **topic** is a named channel")


def test_why_gives_the_reason(ask: Ask) -> None:
    assert "because" in body(ask("Why does visual odometry drift?"))


def test_how_keeps_the_steps_in_their_order_and_whole(ask: Ask) -> None:
    text = body(ask("how does RANSAC work?"))
    assert [int(n) for n in re.findall(r"^(\d)\. ", text, re.MULTILINE)] == [1, 2, 3, 4, 5]
    assert "RANSAC works in these steps [1]:" in text


def test_a_difference_says_what_each_side_is(ask: Ask) -> None:
    text = body(ask("difference between static and dynamic transforms"))
    assert "transform that never changes" in text
    assert "transform that changes over time" in text


def test_an_example_keeps_its_code_whole_with_its_mark_on_the_line_below(ask: Ask) -> None:
    found = ask("Give me an example of a service in Python")
    fence = re.search(r"```python\n.*?\n```", found.text, re.DOTALL)
    assert fence
    assert "self.create_service(SetBool" in fence.group()
    assert found.text[fence.end() :].startswith("\n[1]\n")
    assert any(fence.group() in quote for quote, _ in quotes_of(found))


def test_a_table_is_shown_whole(ask: Ask) -> None:
    text = body(ask("Which joint type should I use for a wheel?"))
    assert len([line for line in text.splitlines() if line.startswith("|")]) == 8
    assert "| continuous | rotation without end |" in text


def test_kinds_are_named(ask: Ask) -> None:
    text = body(ask("What are the joint types in URDF?")).lower()
    assert all(kind in text for kind in ("revolute", "prismatic", "continuous", "fixed"))


def test_a_formula_stays_whole(ask: Ask) -> None:
    assert "$(c_x, c_y)$" in body(ask("what are camera intrinsics?"))


def test_the_footer_has_the_cited_passages_only_the_most_alike_first(ask: Ask) -> None:
    found = ask("What is the difference between a topic and a service?")
    listed = [
        int(number)
        for number in re.findall(r"^\[(\d+)\] ", found.text.split("**Sources:**")[1], re.MULTILINE)
    ]
    cited = {int(number) for number in re.findall(r"\[(\d+)\]", body(found))}
    assert sorted(cited) == listed == list(range(1, len(found.sources) + 1))
    scores = [source.similarity_score for source in found.sources]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("question", ANSWERED)
def test_every_paragraph_is_whole_and_its_citation_checks(ask: Ask, course: Course, question: str) -> None:
    found = ask(question)
    assert found.sources
    assert all(is_whole(quote, text) for quote, text in quotes_of(found))
    assert check_citations(found.text, course[0][question]) == []


@pytest.mark.parametrize("question", ANSWERED)
def test_an_answer_has_a_readable_length(ask: Ask, question: str) -> None:
    found = ask(question)
    prose = re.sub(r"```.*?```", "", body(found), flags=re.DOTALL)
    most = 320 if "differ" in question else 180  # a comparison has two things to tell
    assert 25 <= len(prose.split()) <= most


def test_tell_me_more_does_not_repeat_what_was_said(ask: Ask) -> None:
    first = ask("tell me about loop closure")
    more = ask("tell me about loop closure", already_said=first.text)
    assert more.sources
    assert set(quotes_of(first)).isdisjoint(quotes_of(more))


def test_whoever_has_heard_it_all_is_told_so(ask: Ask) -> None:
    told = ""
    for _ in range(12):
        more = ask("tell me about loop closure", already_said=told)
        told += more.text
    assert more.text.startswith("I don't have information about loop closure beyond what I've told you")


def test_what_the_course_does_not_hold_is_said_plainly_with_what_it_covers(ask: Ask) -> None:
    found = ask("What's the weather today?")
    assert found.text.startswith("I don't have information about the weather today in **Robots**.")
    assert "“ROS 2 basics”" in found.text
    assert found.sources == ()


def test_a_near_miss_names_the_thing_asked_for(ask: Ask) -> None:
    assert "I don't have information about a Kalman filter" in ask("what is a Kalman filter").text
