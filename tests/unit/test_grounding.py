"""Does the tutor know what it does not know? On real passages of the sample course."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.coordinator.offline import WEIGHTS, is_answerable, judged
from agents.teaching.values import RetrievalResult
from evals.answers import course_terms, passages_for
from evals.data import sample_library
from tests.support.passages import retrieved

ANSWERABLE = (
    "What is ROS 2?",
    "how does loop closure fix drift?",
    "difference between topic and service",
    "why should a service finish quickly?",
    "Which joint type should I use for a wheel?",
    "Is ROS 2 an operating system?",
    "what happens when the queue is full",
    "How many joints does a kinematic tree with n links have?",
    "who makes Isaac Sim?",
)
FAR = (
    "What's the weather today?",
    "who won the world cup",
    "how do I bake bread",
    "what is the capital of France",
    "why is the sky blue?",
    "recipe for pancakes",
)
NEAR = (
    "what is a Kalman filter",
    "How do I write a publisher in Rust?",
    "Who invented ROS?",
    "What is inverse kinematics?",
    "how does the A* planner find a path",
    "What is the difference between ROS 2 Humble and Jazzy?",
)

Search = Callable[[str], tuple[list[RetrievalResult], list[str]]]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Search:
    """Real search results for the questions of this file, and the course's terms."""

    async def everything(folder: Path) -> tuple[dict[str, list[RetrievalResult]], list[str]]:
        async with sample_library(folder) as library:
            terms = await course_terms(library)
            questions = (*ANSWERABLE, *FAR, *NEAR)
            found = {each: await passages_for(library, each, terms=terms) for each in questions}
            return found, terms

    found, terms = asyncio.run(everything(tmp_path_factory.mktemp("course")))
    return lambda question: (found[question], terms)


def passage(
    text: str, *, headings: tuple[str, ...] = ("Pumps", "How pumps work"), chapter: str = "module-1/pumps"
) -> RetrievalResult:
    return retrieved(
        text,
        similarity_score=0.4,
        chunk_id=text,
        title=headings[0],
        course="pumps",
        chapter_id=chapter,
        heading_hierarchy=headings,
    )


@pytest.mark.parametrize("question", ANSWERABLE)
def test_a_question_that_the_course_answers_is_answerable(search: Search, question: str) -> None:
    results, terms = search(question)
    grounding = is_answerable(question, results, terms=terms)
    assert grounding.answerable
    assert grounding.supporting


@pytest.mark.parametrize("question", FAR)
def test_a_question_from_another_world_is_not(search: Search, question: str) -> None:
    results, terms = search(question)
    grounding = is_answerable(question, results, terms=terms)
    assert not grounding.answerable


@pytest.mark.parametrize("question", NEAR)
def test_a_question_that_only_sounds_like_the_course_is_not(search: Search, question: str) -> None:
    results, terms = search(question)
    assert not is_answerable(question, results, terms=terms).answerable


def test_the_best_passage_comes_first_among_the_supporting(search: Search) -> None:
    results, terms = search("why should a service finish quickly?")
    best = is_answerable("why should a service finish quickly?", results, terms=terms).supporting[0]
    assert "service should finish quickly" in best.chunk_text


def test_what_the_passages_hardly_touch_is_not_answered() -> None:
    valve = passage(
        "The valve closes when the pressure falls.", headings=("Valves",), chapter="module-1/valves"
    )
    paint = passage("Red paint protects the housing.", headings=("Paint",), chapter="module-2/paint")
    assert is_answerable("When does the valve close?", [valve, paint]).answerable
    assert not is_answerable("Which screw holds the valve?", [valve, paint]).answerable
    assert not is_answerable("What is a manometer?", [valve, paint]).answerable


def test_an_answer_that_holds_more_of_the_question_is_surer() -> None:
    some, all_of_it = passage("The valve is red."), passage("The valve closes when the pressure falls.")
    question = "When does the valve close?"
    assert is_answerable(question, [some]).confidence < is_answerable(question, [all_of_it]).confidence


@pytest.mark.parametrize("question", ["", "   ", "???", "🙂🙂", "why?", "what is it?"])
def test_a_question_without_a_subject_is_not_answerable(question: str) -> None:
    assert not is_answerable(question, [passage("A pump moves water.")]).answerable


def test_every_measure_has_its_fitted_weight() -> None:
    grounding = is_answerable("What is a pump?", [passage("A pump moves water.")])
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert {"bias", *grounding.candidates[0].measures} == set(stored["ranking"])
    assert {"bias", *judged(grounding.asked, grounding.candidates)} == set(stored["answerable"])
    assert 0.3 <= stored["border"] <= 0.7


def test_without_passages_nothing_is_answerable() -> None:
    assert is_answerable("What is a pump?", []).confidence == 0.0


@settings(max_examples=150, deadline=None)
@given(question=st.text(max_size=200), text=st.text(max_size=300).filter(str.strip))
def test_any_text_is_judged_without_an_error(question: str, text: str) -> None:
    grounding = is_answerable(question, [passage(text)])
    assert 0.0 <= grounding.confidence <= 1.0
    assert grounding.supporting or not grounding.answerable
