"""One message at the coordinator, and the ways in which it can be served."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.run_config import RunConfig

from agents.coordinator.intents import ABOUT_A_QUESTION, Action, Awaiting, Intent, SaidIn, Situation, Wish
from agents.language.understanding import OpenQuestion
from agents.said import Said
from agents.services import Services
from agents.state import Choice, SessionState
from agents.syllabus import Syllabus
from agents.teaching.values import RetrievalResult
from agents.turn import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One message, and everything that is known around it."""

    services: Services
    invocation: InvocationContext
    state: SessionState
    user_id: str
    message: str
    intent: Intent
    is_repeated: bool = False  # word for word the learner's last message


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """The coordinator says it itself."""

    text: str | Said
    changes: dict[str, Any] = field(default_factory=dict)
    shows_question: bool = True  # where one is open
    status: Status = "success"
    options: tuple[str, ...] = ()  # of a question back, where they are no numbered choices
    error: str | None = None
    chart: bytes | None = None
    sources: tuple[RetrievalResult, ...] = ()  # the passages that its marks name, in their order


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """Passages of the course answer it."""

    question: str
    passages: tuple[RetrievalResult, ...] = ()  # where they are known already
    instead: Say | None = None  # what code says itself
    lead: str = ""  # said before the answer in the course's own words
    already_said: bool = False  # what was told before should not come again
    otherwise: tuple[Choice, ...] = ()  # what may have been meant, where nothing answers
    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """Another agent serves it."""

    agent_name: str
    changes: dict[str, Any] = field(default_factory=dict)


Decision = Say | LookUp | HandOver
Server = Callable[[Visit], Awaitable[Decision]]


def before_leaving(visit: Visit, choice: Choice, *instead: Choice, asked: str) -> Say | None:
    """The question back before a lesson under way is left; None where nothing is, or a yes or a button has agreed."""
    lesson = visit.state.open_lesson
    if lesson is None or visit.intent.is_agreed or choice in visit.state.choices:
        return None
    choices = [choice, *instead]
    ways = f"\n\n{numbered(choices)}" if instead else ""
    return Say(
        text=f"You are in the middle of **{lesson.topic_label}** ({lesson.whereabouts}). {asked} Your place is kept."
        f"{ways}\n\nSay **yes**{' for the first' if instead else ''}, or just go on.",
        changes=visit.state.changes(choices=choices, doubtful_message=visit.message),
        shows_question=False,  # a yes or a no would seem to answer it
        status="clarification_needed",
    )


def numbered(choices: Sequence[Choice]) -> str:
    """Ways on as they are shown; a number picks one."""
    return "\n".join(f"{place}. {choice.label}" for place, choice in enumerate(choices, 1))


# What a button may stand for; an answer is given where answers are given.
_BUTTONS: frozenset[Action] = frozenset(
    {"teach", "quiz_me", "switch_course", "diagnose", "plan", "next", "resume", "reexplain", "hint", "give_up", "skip", "disagree"}
)  # fmt: skip
# What a front end may say of a message, in the run's metadata.
SAID_IN_KEY, QUESTION_KEY, WISH_KEY = "said_in", "question_id", "wish"


def situation_of(state: SessionState, syllabus: Syllabus, *, run: RunConfig | None = None) -> Situation:
    """The place of a message: an open question, an offer, a choice, a course; and what its front end knows."""
    question = state.pending_question
    told = (run.custom_metadata if run else None) or {}
    said_in, meant = str(told.get(SAID_IN_KEY, "")), told.get(QUESTION_KEY)
    is_open = question is not None and not state.quiz_paused
    return Situation(
        place="question" if is_open else "lesson" if state.explanation else "idle",
        question=OpenQuestion(
            kind=question.kind,
            text=question.question_text,
            options=question.options,
            expected=question.expected_answer,
        )
        if question and is_open
        else None,
        is_paused=question is not None and state.quiz_paused,
        points=len(question.points) if question else 0,
        awaiting=_awaiting(state),
        doubtful=state.doubtful_message,
        choices=tuple(state.choices),
        topic_names=(*syllabus.topic_names(), *syllabus.names),
        definitions=syllabus.definitions,
        lesson=state.explanation,
        tongue=syllabus.tongue,
        is_about_tasks=state.last_routed_to == "task_manager",
        said_in=cast("SaidIn", said_in) if said_in in get_args(SaidIn) else "",
        is_too_late=bool(meant) and meant != (question.question_id if question else ""),
        wish=_wish(told.get(WISH_KEY)),
        impossible=_impossible(state),
    )


def _impossible(state: SessionState) -> frozenset[str]:
    """What nobody can mean now: help with a question where none is open, once more what was never said or marked."""
    found: set[str] = set()
    if state.pending_question is None:
        found |= ABOUT_A_QUESTION
    if not (state.explanation or state.last_subject):
        found |= {"reexplain", "more"}
    if not (state.quiz_responses or state.diagnostic_responses or state.learning_cycle_count):
        found.add("disagree")
    return frozenset(found)


def _wish(told: object) -> Wish | None:
    """What a button says that it is for; anything else is no wish."""
    if not isinstance(told, dict) or told.get("action") not in _BUTTONS:
        return None
    return Wish(
        action=told["action"], topic=str(told.get("topic") or ""), course=str(told.get("course") or "")
    )


def _awaiting(state: SessionState) -> Awaiting:
    if state.pending_task:
        return cast("Awaiting", f"task_{state.pending_task.waiting_for}")
    if state.doubtful_message:
        return "doubt"
    is_open = state.is_asking
    if is_open:  # what was offered beside it waits: a "d" or "no idea" is about the question
        return "comparison" if state.self_check_answer and not state.is_probing else ""
    return "suggestion" if state.suggestion else ""


def last_exchange(state: SessionState) -> list[tuple[str, str]]:
    """What 'it' and 'the second one' can point at: the last question about the course, and its answer."""
    if not state.last_question:
        return []
    return [("user", state.last_question), ("assistant", str(state.last_response.get("answer", "")))]
