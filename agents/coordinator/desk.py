"""The front desk: what the coordinator serves itself, in plain code and plain words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from agents.coordinator.intents import Action, Intent
from agents.coordinator.introduction import asks_who, introduction
from agents.coordinator.verdicts import MARKING, why_marked, why_unmarked
from agents.lesson import leave_cycle
from agents.quiz.item_render import render_question
from agents.quiz.marking import comparison
from agents.record import LearnerRecord, load_record
from agents.services import Services
from agents.state import SessionState
from agents.task_manager.study import for_reviews
from agents.task_manager.study_desk import tend
from agents.tutor.hints import hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One message at the desk."""

    services: Services
    state: SessionState
    user_id: str
    message: str
    intent: Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What the learner hears, and what it changes."""

    text: str
    changes: dict[str, Any] = field(default_factory=dict)
    shows_question: bool = False


Server = Callable[[Visit], Awaitable[Served]]

HELP = (
    "I teach from your own course and don't stop until you master it. You can say:\n\n"
    "- **teach me** a topic, and I explain it and quiz you\n"
    "- **find my gaps** in a topic, and I find out what you already know\n"
    "- **quiz me** on a topic, for questions without the lesson\n"
    "- **what should I learn next?**, and I plan the way\n"
    "- any question about the material\n"
    "- **remind me to …**, **show my tasks**\n"
    "- during a quiz: **hint**, **skip**, **pause**, **stop**, **I disagree**\n"
    "- **progress**, **why do you think so?** (what I base it on), **reset**"
)


async def greet(visit: Visit) -> Served:
    services, course = visit.services, visit.state.course
    record = await load_record(services, visit.user_id, visit.state)
    mastery = await services.learners.mastery(visit.user_id, course=course)
    noted = await tend(
        services, user_id=visit.user_id, course=course, wanted=for_reviews(mastery, now=services.now())
    )
    return Served(text=greeting(record, noted=noted))


def greeting(record: LearnerRecord, *, noted: str = "") -> str:
    """Somebody new hears what there is; somebody known hears what we remember, and what we noted for them."""
    if not record.is_known:
        start = record.topics[0] if record.topics else "the first chapter"
        return (
            f"Welcome. I'm your tutor for **{record.course_title}**. I explain, ask questions, and go on until you "
            f"master a topic. Say **teach me …** for anything in the course (it begins with “{start}”), "
            "or **find my gaps** if you know some of it already."
        )
    parts = ["Welcome back."]
    if record.mastered:
        parts.append(f"You have mastered {_listed(record.mastered)}.")
    if record.open_topic and record.open_topic not in record.mastered:
        parts.append(
            f"You were working on **{record.open_topic}**: say **teach me {record.open_topic}** to go on."
        )
    if record.gaps:
        parts.append(f"Still shaky: {_listed(record.gaps)}.")
    if record.due:
        parts.append(f"Due for a short review: {_listed(record.due)}. Say **quiz me on {record.due[0]}**.")
    if noted:
        parts.append(noted)
    if len(parts) == 1 or not record.open_topic:
        parts.append("What would you like to learn?")
    return " ".join(parts)


async def help_(visit: Visit) -> Served:
    return Served(text=HELP)


async def courses(visit: Visit) -> Served:
    found = await visit.services.library.courses()
    lines = [f"- **{course.title}** ({course.documents} chapters)" for course in found]
    syllabus = await visit.services.syllabus(visit.state.course)
    topics = [f"  - {title}" for title in syllabus.topic_names()]
    return Served(
        text="\n".join(["Here is what I can teach:", "", *lines, "", f"In {syllabus.title}:", *topics])
    )


async def thanks(visit: Visit) -> Served:
    return Served(text="You're welcome.")


async def small_talk(visit: Visit) -> Served:
    if asks_who(visit.message):
        return Served(text=introduction((await visit.services.syllabus(visit.state.course)).title))
    return Served(text="I'm glad to chat a little, but I'm best at the course. What shall we look at?")


async def unclear(visit: Visit) -> Served:
    if visit.state.pending_question:
        return Served(text="I couldn't read that as an answer, so nothing was graded.")
    return Served(
        text="I didn't get that. Ask something about the course, say **teach me** and a topic, or **help**."
    )


async def empty(visit: Visit) -> Served:
    return Served(text="Your message came through empty. Write a few words, or say **help**.")


async def reset(visit: Visit) -> Served:
    turn = int(visit.state.last_response.get("turn_number", 0))
    return Served(
        text="Done: I've put our conversation so far out of my mind. What you have learned stays recorded.",
        changes=visit.state.changes(history_reset_turn=turn + 1),
    )


async def pause(visit: Visit) -> Served:
    if not visit.state.pending_question:
        return Served(text="There is no quiz to pause. Say **teach me** and a topic when you're ready.")
    return Served(
        text="Paused. Your place is kept; ask whatever you like, and say **resume** to go on.",
        changes=visit.state.changes(quiz_paused=True),
    )


async def resume(visit: Visit) -> Served:
    if not visit.state.pending_question:
        return Served(text=f"Nothing is waiting. {await _way_on(visit)}")
    return Served(
        text="Welcome back to the quiz.",
        changes=visit.state.changes(quiz_paused=False, question_asked_at=visit.services.now()),
        shows_question=True,
    )


async def stop(visit: Visit) -> Served:
    state, services = visit.state, visit.services
    if not state.learning_phase and not state.diagnostic_questions:
        return Served(text="Alright. Whatever you did is saved; come back whenever you like.")
    await leave_cycle(services, state, user_id=visit.user_id)
    changes = state.changes(
        learning_phase="",
        quiz_questions=[],
        quiz_responses=[],
        quiz_question_index=0,
        quiz_paused=False,
        self_check_answer="",
        open_cycle_id=None,
        diagnostic_questions=[],
        diagnostic_responses=[],
    )
    again = f"teach me {state.current_topic}" if state.current_topic else "find my gaps"
    return Served(
        text=f"Stopped. Your answers are saved. Say **{again}** to take it up again, or name another topic.",
        changes=changes,
    )


async def give_hint(visit: Visit) -> Served:
    question = visit.state.pending_question
    if question is None:
        return Served(text="There is no open question to hint at. Say **teach me** and a topic.")
    number = visit.state.hints_given + 1
    return Served(
        text=hint(question, number=number, passage=question.source_context),
        changes=visit.state.changes(hints_given=number),
        shows_question=True,
    )


async def show_question(visit: Visit) -> Served:
    if visit.state.pending_question is None:
        return Served(text=f"No question is open right now. {await _way_on(visit)}")
    return Served(
        text="Here it is again.", changes=visit.state.changes(quiz_paused=False), shows_question=True
    )


async def why(visit: Visit) -> Served:
    """Right after an answer the learner means what became of it; otherwise, what we believe of them."""
    state = visit.state
    if state.last_intent == "answer" and (reason := why_unmarked(state)):
        return Served(text=reason, shows_question=not state.self_check_answer)
    if state.last_intent in MARKING and (reason := await why_marked(visit.services, state, visit.user_id)):
        return Served(text=reason)
    record = await load_record(visit.services, visit.user_id, visit.state)
    return Served(text=record.evidence_text())


async def _way_on(visit: Visit) -> str:
    """What somebody can say who has lost the thread."""
    record = await load_record(visit.services, visit.user_id, visit.state)
    if record.open_topic:
        return (
            f"You were working on **{record.open_topic}**: say **teach me {record.open_topic}** to go on, "
            "or name another topic."
        )
    return "Say **teach me** and a topic, or **what should I learn next?**"


async def nothing_suggested(visit: Visit) -> Served:
    return Served(text="Alright. Name a topic, ask a question, or say **what should I learn next?**")


SERVERS: dict[Action, Server] = {
    "greet": greet,
    "help": help_,
    "courses": courses,
    "thanks": thanks,
    "small_talk": small_talk,
    "unclear": unclear,
    "empty": empty,
    "reset": reset,
    "pause": pause,
    "resume": resume,
    "stop": stop,
    "hint": give_hint,
    "show_question_again": show_question,
    "why": why,
    "yes": nothing_suggested,
    "no": nothing_suggested,
}


def question_again(state: SessionState) -> str:
    """The pending question as it was shown, for the end of a message that interrupted it."""
    question = state.pending_question
    if question is None:
        return ""
    if question in state.quiz_questions:
        number, total = state.quiz_question_index + 1, len(state.quiz_questions)
    else:
        number, total = len(state.diagnostic_responses) + 1, len(state.diagnostic_questions)
    shown = render_question(question, number=number, total=total)
    return (
        f"{shown}\n\n{comparison(question, answer=state.self_check_answer)}"
        if state.self_check_answer
        else shown
    )


def _listed(names: tuple[str, ...]) -> str:
    shown = [f"**{name}**" for name in names[:4]]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    if len(shown) > 1 and not more:
        return f"{', '.join(shown[:-1])} and {shown[-1]}"
    return ", ".join(shown) + more
