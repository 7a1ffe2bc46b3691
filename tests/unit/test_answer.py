"""Answers from the sample course: the right sentences, whole, in a sensible order, each with its source."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.coordinator.answer import GroundedAnswer, answer_question
from agents.tutor.citations import check_citations
from evals.answers import course_terms, look_up
from evals.data import sample_library
from rag.results import RetrievalResult
from tests.support.answers import TOPICS, body, letters

ASKED = (
    "How do I make two nodes talk to each other?",
    "What is a topic?",
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
    "What's the weather today?",
    "what is a Kalman filter",
    "How do I print from a robot?",
)

Ask = Callable[..., GroundedAnswer]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[RetrievalResult]], list[str]]:
    async def everything(folder: Path) -> tuple[dict[str, list[RetrievalResult]], list[str]]:
        async with sample_library(folder) as library:
            found = {question: await look_up(library, question) for question in ASKED}
            return found, await course_terms(library)

    return asyncio.run(everything(tmp_path_factory.mktemp("course")))


@pytest.fixture
def ask(course: tuple[dict[str, list[RetrievalResult]], list[str]]) -> Ask:
    found, terms = course

    def asked(question: str, *, already_said: str = "") -> GroundedAnswer:
        return answer_question(
            question, found[question], course_topics=TOPICS, terms=terms, already_said=already_said
        )

    return asked


def test_what_is_opens_with_the_definition(ask: Ask) -> None:
    assert body(ask("What is a topic?")).startswith(
        "A topic is a named channel over which nodes exchange messages of one type [1]."
    )


def test_why_opens_with_the_reason(ask: Ask) -> None:
    first = body(ask("Why does visual odometry drift?")).split("[1].")[0]
    assert "because" in first


def test_how_keeps_the_steps_in_their_order_and_whole(ask: Ask) -> None:
    text = body(ask("how does RANSAC work?"))
    assert [int(n) for n in re.findall(r"^(\d)\. ", text, re.MULTILINE)] == [1, 2, 3, 4, 5]
    assert "RANSAC works in these steps [1]:" in text


def test_a_difference_gives_both_definitions_and_the_contrast(ask: Ask) -> None:
    text = body(ask("difference between static and dynamic transforms"))
    static = text.index("A static transform is a transform that never changes")
    dynamic = text.index("A dynamic transform is a transform that changes over time")
    assert static < dynamic < text.index("whereas")


def test_an_example_keeps_its_code_whole(ask: Ask) -> None:
    found = ask("Give me an example of a service in Python")
    fence = re.search(r"```python\n.*?```", found.text, re.DOTALL)
    assert fence
    assert "self.create_service(SetBool" in fence.group()
    assert any(fence.group() in quote for citation in found.citations for quote in citation.quotes)


def test_a_list_is_shown_as_the_table_that_it_is(ask: Ask) -> None:
    text = body(ask("What are the joint types in URDF?"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 8
    assert "prismatic" in text


def test_a_choice_shows_only_the_row_that_decides(ask: Ask) -> None:
    text = body(ask("Which joint type should I use for a wheel?"))
    assert "continuous" in text
    assert "planar" not in text


def test_a_formula_stays_whole(ask: Ask) -> None:
    assert "$(c_x, c_y)$" in body(ask("what are camera intrinsics?"))


def test_a_sentence_that_leans_on_another_comes_with_it(ask: Ask) -> None:
    text = body(ask("a lidar in my sim can't see a glass door, is that a bug?"))
    assert text.index("Ray tracing follows the paths of light") < text.index(
        "can therefore miss a glass door"
    )


def test_the_footer_has_the_cited_passages_only_in_their_order(ask: Ask) -> None:
    found = ask("What is the difference between a topic and a service?")
    listed = [
        int(number)
        for number in re.findall(r"^\[(\d+)\] ", found.text.split("**Sources:**")[1], re.MULTILINE)
    ]
    cited = dict.fromkeys(int(number) for number in re.findall(r"\[(\d+)\]", body(found)))
    assert list(cited) == listed == [citation.number for citation in found.citations]


@pytest.mark.parametrize("question", ASKED[:-3])
def test_every_quote_is_verbatim_and_nothing_else_is_claimed(
    ask: Ask, course: tuple[dict[str, list[RetrievalResult]], list[str]], question: str
) -> None:
    found = ask(question)
    texts = {result.chunk_id: result.chunk_text for result in course[0][question]}
    quotes = [
        (c.chunk_id, line) for c in found.citations for quote in c.quotes for line in quote.splitlines()
    ]
    assert found.grounded
    assert all(letters(line) in letters(texts[chunk]) for chunk, line in quotes)
    assert check_citations(found.text, course[0][question]) == []


@pytest.mark.parametrize("question", ASKED[:-3])
def test_an_answer_has_a_readable_length(ask: Ask, question: str) -> None:
    prose = re.sub(r"```.*?```", "", body(ask(question)), flags=re.DOTALL)
    assert 15 <= len(prose.split()) <= 170


def test_tell_me_more_does_not_repeat_what_was_said(ask: Ask) -> None:
    first = ask("tell me about loop closure")
    more = ask("tell me about loop closure", already_said=first.text)
    quotes = {quote for citation in first.citations for quote in citation.quotes}
    assert more.grounded
    assert not quotes & {quote for citation in more.citations for quote in citation.quotes}


def test_whoever_has_heard_it_all_is_told_so(ask: Ask) -> None:
    told = ""
    for _ in range(12):
        more = ask("tell me about loop closure", already_said=told)
        told += more.text
    assert more.text.startswith("I don't have information about loop closure beyond what I've told you")


def test_filler_words_do_not_choose_the_sentences_of_an_answer(ask: Ask) -> None:
    found = ask("How do I make two nodes talk to each other?")
    assert "communicates with other nodes" in found.text
    assert "odom" not in found.text


def test_sentences_that_share_little_with_a_how_to_are_no_answer(ask: Ask) -> None:
    assert not ask("How do I print from a robot?").grounded


def test_what_the_course_does_not_hold_is_said_plainly_with_what_it_covers(ask: Ask) -> None:
    found = ask("What's the weather today?")
    assert found.text.startswith("I don't have information about the weather today in this course.")
    assert "“ROS 2 basics”" in found.text
    assert not found.grounded
    assert found.citations == ()


def test_a_near_miss_names_the_thing_asked_for(ask: Ask) -> None:
    assert "I don't have information about a Kalman filter" in ask("what is a Kalman filter").text
