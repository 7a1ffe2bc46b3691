"""A front end that has a place for answers and one for talk says where a message was typed."""

import pytest
from google.adk.agents.run_config import RunConfig

from agents.coordinator.intents import SaidIn, Situation, understand
from agents.coordinator.visit import situation_of
from agents.language.understanding import OpenQuestion
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.values import QuizQuestion

QUESTION = QuizQuestion(
    question_id="q1", question_text="What is a node?", concept_name="node", difficulty="easy",
    expected_answer="a program", source_context="A node is a program.", kind="multiple_choice",
    options=("a program", "a wire", "a robot"),
)  # fmt: skip
COURSE = Syllabus(course="c", title="C", revision=1, documents=(), concepts=(), relationships=(), passages=())


def at_a_question(said_in: SaidIn, *, is_too_late: bool = False) -> Situation:
    question = OpenQuestion(kind="short_answer", text="What is a node?", options=(), expected="a program")
    return Situation(place="question", question=question, said_in=said_in, is_too_late=is_too_late)


@pytest.mark.parametrize("message", ["can you give me a hint", "what is a topic?", "stop", "a program"])
def test_what_is_typed_where_answers_go_is_the_answer(message: str) -> None:
    assert understand(message, at_a_question("answer")).action == "answer"


@pytest.mark.parametrize("message", ["a program", "a", "true", "+", "a node is a thing that computes"])
@pytest.mark.parametrize("said_in", ["talk", "button"])
def test_what_is_typed_anywhere_else_is_never_one(message: str, said_in: SaidIn) -> None:
    intent = understand(message, at_a_question(said_in))
    assert intent.action != "answer"
    assert "answer" not in dict(intent.alternatives)


def test_without_a_word_from_the_front_end_the_message_is_read_as_before() -> None:
    assert understand("a program", at_a_question("")).action == "answer"


def test_an_answer_to_a_question_that_is_not_open_any_more_is_too_late() -> None:
    assert understand("a program", at_a_question("answer", is_too_late=True)).action == "too_late"


@pytest.mark.parametrize(("meant", "is_too_late"), [("q1", False), ("q0", True), ("", False)])
def test_a_front_end_names_the_question_that_it_shows(meant: str, is_too_late: bool) -> None:
    state = SessionState(learning_phase="quiz", quiz_questions=[QUESTION])
    run = RunConfig(custom_metadata={"said_in": "answer", "question_id": meant})
    situation = situation_of(state, COURSE, run=run)
    assert (situation.said_in, situation.is_too_late) == ("answer", is_too_late)


def test_a_place_that_we_do_not_know_is_no_place() -> None:
    run = RunConfig(custom_metadata={"said_in": "elsewhere"})
    assert situation_of(SessionState(), COURSE, run=run).said_in == ""
