"""From an intent to a decision: an answer of our own, a tool call, or a hand-over."""

from dataclasses import dataclass, field
from typing import Any

from agents.coordinator.desk import SERVERS, Served, Visit
from agents.diagnostic.conclusion import shortcut
from agents.feedback.book import refresh_mastery
from agents.progress.chart import progress_chart
from agents.progress.text import progress_text
from agents.quiz.dispute import dispute
from agents.record import load_record
from agents.syllabus import Topic
from agents.turn import NO_INFORMATION, Status

_LEARNING = ("teach", "change_topic", "quiz_me")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The coordinator says it itself."""

    text: str
    changes: dict[str, Any] = field(default_factory=dict)
    shows_question: bool = False
    status: Status = "success"
    chart: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool, or the hand-over to another agent, does it."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)


Decision = Answer | Call


async def decide(visit: Visit) -> Decision:
    """What to do about one message."""
    action, state = visit.intent.action, visit.state
    if action == "answer":
        return hand_over("learning_loop" if state.learning_phase == "quiz" else "diagnostic")
    if action == "skip" and state.pending_question:
        if state.learning_phase == "quiz":
            return hand_over("learning_loop", changes=state.changes(quiz_command="skip", quiz_paused=False))
        return hand_over("diagnostic", changes=state.changes(diagnostic_command="skip"))
    if action in _LEARNING and _leaves_the_diagnostic(visit):
        return hand_over("diagnostic")
    if action in _LEARNING or (action == "next" and not state.pending_question):
        return await _learn(visit)
    if action == "yes" and _was_offered_a_way_out(visit):
        return hand_over("pathplanner")
    if action == "next":
        return _answer(await SERVERS["show_question_again"](visit))
    if action == "ask":
        return Call(tool="retrieve_context", arguments={"query": visit.message})
    if action == "progress":
        return await _progress(visit)
    if action == "disagree":
        return _answer(await dispute(visit.services, state, user_id=visit.user_id, argument=visit.message))
    if visit.intent.route != "coordinator":
        return await _specialist(visit)
    return _answer(await SERVERS.get(action, SERVERS["unclear"])(visit))


def hand_over(agent_name: str, *, changes: dict[str, Any] | None = None) -> Call:
    return Call(tool="transfer_to_agent", arguments={"agent_name": agent_name}, changes=changes or {})


def _answer(served: Served) -> Answer:
    return Answer(text=served.text, changes=served.changes, shows_question=served.shows_question)


def _leaves_the_diagnostic(visit: Visit) -> bool:
    """“I'm new to this” would ask for a lesson anywhere else; the diagnostic offers it as an answer."""
    state = visit.state
    is_probing = state.pending_question is not None and state.learning_phase != "quiz"
    return is_probing and shortcut(visit.message) == "new"


def _was_offered_a_way_out(visit: Visit) -> bool:
    """After the last cycle without mastery, the feedback asks whether to plan what the topic builds on."""
    state = visit.state
    is_over = state.learning_cycle_count >= visit.services.settings.max_cycles and not state.learning_phase
    return is_over and bool(state.improvement_areas) and not state.suggestion


async def _learn(visit: Visit) -> Decision:
    state = visit.state
    wanted = (
        visit.intent.topic
        or (state.suggestion if visit.intent.action == "next" else "")
        or state.current_topic
    )
    if not wanted:
        record = await load_record(visit.services, visit.user_id, state)
        return Answer(
            text=f"Gladly. Which topic? The course covers: {', '.join(record.topics[:6])}.",
            status="clarification_needed",
        )
    topic = await find_topic(visit, wanted)
    if topic is None:
        syllabus = await visit.services.syllabus(state.course)
        covered = "; ".join(syllabus.topic_names()[:8])
        return Answer(text=f"{NO_INFORMATION} about {wanted} in this course. It covers: {covered}.")
    return hand_over("learning_loop", changes=await _start(visit, topic))


async def find_topic(visit: Visit, wanted: str) -> Topic | None:
    """The topic in the current course, or else in any other."""
    names = [visit.state.course, *(course.name for course in await visit.services.library.courses())]
    for name in dict.fromkeys(names):
        topic = (await visit.services.syllabus(name)).topic(wanted) if name else None
        if topic:
            return topic
    return None


async def _start(visit: Visit, topic: Topic) -> dict[str, Any]:
    """A fresh loop on a topic; a cycle that was open on another one is closed."""
    state, services = visit.state, visit.services
    if state.open_cycle_id is not None:
        await services.learners.close_cycle(
            state.open_cycle_id,
            user_id=visit.user_id,
            quiz_score=state.quiz_score,
            mastery_achieved=False,
            now=services.now(),
        )
    return state.changes(
        course=topic.course,
        current_topic=topic.name,
        topic_concepts=list(topic.concepts),
        # Who asks to be quizzed knows the topic already, or thinks so.
        learning_phase="quiz" if visit.intent.action == "quiz_me" else "explain",
        learning_cycle_count=0,
        open_cycle_id=None,
        quiz_questions=[],
        quiz_responses=[],
        quiz_question_index=0,
        quiz_paused=False,
        self_check_answer="",
        explanation="",
        earlier_explanations=[],
        improvement_areas=[],
        error_patterns=[],
        feedback_text="",
        suggestion="",
        diagnostic_questions=[],
        diagnostic_responses=[],
    )


async def _progress(visit: Visit) -> Answer:
    # Answers of a quiz that is still going on count too.
    await refresh_mastery(
        visit.services,
        user_id=visit.user_id,
        course=visit.state.course,
        threshold=visit.state.mastery_threshold,
    )
    record = await load_record(visit.services, visit.user_id, visit.state)
    return Answer(text=progress_text(record), chart=progress_chart(record) if record.scores else None)


async def _specialist(visit: Visit) -> Decision:
    state, intent = visit.state, visit.intent
    changes: dict[str, Any] = {}
    if intent.route == "diagnostic":
        topic = await find_topic(visit, intent.topic) if intent.topic else None
        changes = state.changes(
            current_topic=topic.name if topic else state.current_topic,
            topic_concepts=list(topic.concepts) if topic else state.topic_concepts,
            diagnostic_complete=False,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            learning_phase="",
        )
    if intent.action == "goal":
        changes = state.changes(goals=[*state.goals, visit.intent.topic or visit.message][-5:])
    return hand_over(intent.route, changes=changes)
