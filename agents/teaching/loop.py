"""The learning loop as a reducer: explain, quiz, feedback, and again or out.

Each function is one step of the loop and returns how its keys change; nothing else says so (tests/unit/test_loop.py).
What a step changes besides goes with it into `SessionState.changes`.
"""

from collections.abc import Sequence
from typing import Any

from agents.teaching.values import QuizQuestion, QuizResponse

KEYS = frozenset(
    "learning_phase learning_cycle_count open_cycle_id quiz_questions quiz_responses quiz_question_index quiz_score "
    "quiz_command quiz_paused".split()
)
Changes = dict[str, Any]


def due(phase: str, *, command: str) -> str:
    """The step of the loop that is next; empty when the learner is."""
    if command == "dispute":
        return "quiz"
    return {"explain": "tutor", "quiz": "quiz", "feedback": "feedback"}.get(phase, "")


def start(*, with_quiz: bool) -> Changes:
    """A new topic; who asks to be quizzed knows it already, or thinks so."""
    return {"learning_phase": "quiz" if with_quiz else "explain", "quiz_score": 0.0}


def no_quiz() -> Changes:
    """No question is written yet; the score is the last quiz's until this one has an answer."""
    return {"quiz_questions": [], "quiz_responses": [], "quiz_question_index": 0}


def explain(*, cycle_id: int | None) -> Changes:
    """The lesson was told: its questions come next."""
    return {"learning_phase": "quiz", "quiz_paused": False, "open_cycle_id": cycle_id, **no_quiz()}


def ask(questions: Sequence[QuizQuestion], *, cycle_id: int | None) -> Changes:
    """The first question is asked."""
    fresh = {"quiz_responses": [], "quiz_question_index": 0}
    return {"open_cycle_id": cycle_id, "quiz_questions": _unanswered(questions), **fresh}


def _unanswered(questions: Sequence[QuizQuestion]) -> list[QuizQuestion]:
    """A session is read by clients: what is told after the answer stays in our own record."""
    return [each.unanswered() for each in questions]


def mark(questions: Sequence[QuizQuestion], responses: Sequence[QuizResponse], *, index: int) -> Changes:
    """An answer was marked, and the question at the index is asked; behind the last one comes the feedback."""
    return {
        "quiz_questions": [*questions[:index], *_unanswered(questions[index:])],
        "quiz_question_index": index,
        "learning_phase": "feedback" if index >= len(questions) else "quiz",
        **mark_again(responses, total=len(questions)),
    }


def compare(questions: Sequence[QuizQuestion], asked: QuizQuestion, *, index: int, answer: str) -> Changes:
    """The answer is in and the learner judges it, by what is told after an answer."""
    ahead = questions[index + 1 :]
    return {"quiz_questions": [*questions[:index], asked, *ahead], "self_check_answer": answer}


def mark_again(responses: Sequence[QuizResponse], *, total: int) -> Changes:
    """A mark was looked at once more."""
    return {"quiz_responses": list(responses), "quiz_score": score(responses, total=total), **done()}


def score(responses: Sequence[QuizResponse], *, total: int) -> float:
    """The share of a quiz's questions that were answered right."""
    return sum(each.is_correct for each in responses) / max(1, total)


def command(name: str) -> Changes:
    """What the learner wants of the open question: to skip it, to give it up, to have the last mark looked at."""
    return {"quiz_command": name}


def done() -> Changes:
    """That was carried out."""
    return {"quiz_command": ""}


def shorten(questions: Sequence[QuizQuestion]) -> Changes:
    """Fewer questions than were written."""
    return {"quiz_questions": _unanswered(questions)}


def pause(*, is_paused: bool = True) -> Changes:
    """The open question waits, or is asked again."""
    return {"quiz_paused": is_paused}


def stop_asking() -> Changes:
    """There is nothing more to ask: the feedback is next."""
    return {"learning_phase": "feedback", **done()}


def close(*, cycle: int, goes_on: bool) -> Changes:
    """A round ended; another one begins with an explanation, or the loop is left."""
    return {**leave(), "learning_cycle_count": cycle, **({"learning_phase": "explain"} if goes_on else {})}


def leave() -> Changes:
    """Out of the loop."""
    return {**set_aside(), "open_cycle_id": None}


def set_aside() -> Changes:
    """Something else comes first; the round is still open."""
    return {"learning_phase": ""}
