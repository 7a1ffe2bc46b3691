"""What the conversation knows that a message does not say."""

import re
from typing import cast

from agents.coordinator.intents import Awaiting, Situation
from agents.language.understanding import OpenQuestion
from agents.state import Choice, SessionState
from agents.syllabus import Syllabus

_STEP = re.compile(r"^\d+\. \*\*(.+?)\*\*", re.MULTILINE)


def situation_of(state: SessionState, syllabus: Syllabus) -> Situation:
    """The place of a message: an open question, an offer, a choice, a course."""
    question = state.pending_question
    is_open = question is not None and not state.quiz_paused
    return Situation(
        place="question" if is_open else "lesson" if state.explanation else "idle",
        question=OpenQuestion(
            kind="short_answer" if question.kind == "recall" else question.kind,
            text=question.question_text,
            options=question.options,
            expected=question.expected_answer,
        )
        if question and is_open
        else None,
        is_paused=question is not None and state.quiz_paused,
        awaiting=_awaiting(state),
        doubtful=state.doubtful_message,
        choices=tuple(state.choices) or _plan_steps(state),
        topic_names=(*syllabus.topic_names(), *syllabus.names),
        tongue=syllabus.tongue,
    )


def _awaiting(state: SessionState) -> Awaiting:
    if state.pending_task:
        return cast("Awaiting", f"task_{state.pending_task.waiting_for}")
    if state.doubtful_message:
        return "doubt"
    if state.self_check_answer and state.pending_question and not state.quiz_paused:
        return "comparison"
    return "suggestion" if state.suggestion else ""


def _plan_steps(state: SessionState) -> tuple[Choice, ...]:
    """The steps of a plan that was just shown: 'start with the second one' picks from them."""
    if state.last_routed_to != "pathplanner" or state.pending_question:
        return ()
    steps = _STEP.findall(str(state.last_response.get("answer", "")))
    return tuple(Choice(label=step, action="teach", topic=step) for step in steps)


def last_exchange(state: SessionState) -> list[tuple[str, str]]:
    """What 'it' and 'the second one' can point at: the last question about the course, and its answer."""
    if not state.last_question:
        return []
    return [("user", state.last_question), ("assistant", str(state.last_response.get("answer", "")))]
