"""The learning loop as a reducer, and that nobody else changes its keys."""

import ast
from pathlib import Path

import pytest

from agents.state import SessionState
from agents.teaching import loop
from agents.teaching.values import QuizQuestion, QuizResponse

AGENTS = Path(__file__).parents[2] / "agents"
QUESTIONS = [
    QuizQuestion(
        question_id=name,
        question_text=f"What is {name}?",
        concept_name=name,
        difficulty="easy",
        expected_answer=name,
        source_context=name,
    )
    for name in ("one", "two")
]


def answer(number: int, *, is_correct: bool) -> QuizResponse:
    return QuizResponse(
        question_id=QUESTIONS[number].question_id,
        learner_answer="x",
        is_correct=is_correct,
        time_taken_seconds=1,
        attempt_number=1,
    )


def after(state: SessionState, changes: loop.Changes) -> SessionState:
    return SessionState.of({**state.model_dump(mode="json"), **state.changes(**changes)})


def test_a_round_goes_from_the_lesson_through_every_question_to_the_feedback() -> None:
    state = after(SessionState(), loop.start(with_quiz=False))
    assert state.learning_phase == "explain"
    state = after(state, loop.explain(cycle_id=7))
    state = after(state, loop.ask(QUESTIONS, cycle_id=7))
    assert state.pending_question == QUESTIONS[0]
    state = after(state, loop.mark(QUESTIONS, [answer(0, is_correct=True)], index=1))
    assert (state.pending_question, state.quiz_score) == (QUESTIONS[1], 0.5)
    both = [answer(0, is_correct=True), answer(1, is_correct=False)]
    state = after(state, loop.mark(QUESTIONS, both, index=2))
    assert (state.learning_phase, state.pending_question, state.quiz_score) == ("feedback", None, 0.5)
    assert state.open_cycle_id == 7
    state = after(after(state, loop.close(cycle=1, goes_on=True)), loop.explain(cycle_id=8))
    assert after(state, loop.ask(QUESTIONS, cycle_id=8)).quiz_score == 0.5, (
        "the score of the quiz that is over"
    )
    assert after(state, loop.start(with_quiz=True)).quiz_score == 0.0


@pytest.mark.parametrize(("goes_on", "phase"), [(True, "explain"), (False, "")])
def test_a_closed_round_counts_and_leads_on_or_out(goes_on: bool, phase: str) -> None:
    state = after(SessionState(open_cycle_id=7), loop.close(cycle=2, goes_on=goes_on))
    assert (state.learning_phase, state.learning_cycle_count, state.open_cycle_id) == (phase, 2, None)


def test_a_mark_that_is_looked_at_again_changes_the_score_and_nothing_else() -> None:
    changes = loop.mark_again([answer(0, is_correct=False)], total=2)
    assert changes.keys() == {"quiz_responses", "quiz_score", "quiz_command"}
    assert changes["quiz_score"] == 0.0


def test_whoever_goes_aside_keeps_the_round_open() -> None:
    assert after(SessionState(open_cycle_id=7), loop.set_aside()).open_cycle_id == 7
    assert after(SessionState(open_cycle_id=7), loop.leave()).open_cycle_id is None


def test_only_the_reducer_names_the_keys_that_it_changes() -> None:
    """A key with two writers is a key that two places must agree on."""
    writers = {"changes", "without_lesson", "with_lesson_aside", "with_lesson"}
    named = [
        f"{file.relative_to(AGENTS)}:{call.lineno} {keyword.arg}"
        for file in sorted(AGENTS.rglob("*.py"))
        if file != AGENTS / "state.py"
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in writers
        for keyword in call.keywords
        if keyword.arg in loop.KEYS
    ]
    assert named == []
