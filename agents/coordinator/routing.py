"""From an intent to a decision: an answer of our own, a tool call, or a hand-over."""

from dataclasses import dataclass, field
from typing import Any

from agents.coordinator.desk import SERVERS, Served, Visit
from agents.coordinator.plain_question import names_nothing
from agents.diagnostic.conclusion import shortcut
from agents.feedback.book import refresh_mastery
from agents.lesson import leave_cycle
from agents.progress.chart import progress_chart
from agents.progress.text import progress_text
from agents.record import load_record
from agents.state import MOST_GOALS
from agents.syllabus import Topic
from agents.turn import NO_INFORMATION, Status
from rag.index.port import Scope
from rag.retriever import MOST_RESULTS

_NEAR = 0.3  # how similar a passage is that may be what was meant
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
    if action in ("yes", "next") and _path_is_offered(visit):
        return hand_over("pathplanner")
    if action in _LEARNING and _leaves_the_diagnostic(visit):
        return hand_over("diagnostic")
    if action in _LEARNING or (action == "next" and not state.pending_question):
        return await _learn(visit)
    if action == "next":
        return _answer(await SERVERS["show_question_again"](visit))
    if action == "ask":
        return Call(tool="retrieve_context", arguments={"query": visit.message})
    if action == "progress":
        return await _progress(visit)
    if action == "disagree":
        return hand_over("learning_loop", changes=state.changes(quiz_command="dispute"))
    if action == "goal" and names_nothing(visit.message):
        return await _ask_for_topic(visit, "Then let's get you ready.")
    if visit.intent.route != "coordinator":
        return await _specialist(visit)
    return _answer(await SERVERS.get(action, SERVERS["unclear"])(visit))


def _path_is_offered(visit: Visit) -> bool:
    """Whether the loop on this topic ended at its limit, where the feedback offers the way out."""
    state = visit.state
    is_over = not (state.pending_question or state.pending_task or state.suggestion)
    at_limit = state.learning_cycle_count >= state.max_cycles
    return is_over and at_limit and bool(state.improvement_areas)


def hand_over(agent_name: str, *, changes: dict[str, Any] | None = None) -> Call:
    return Call(tool="transfer_to_agent", arguments={"agent_name": agent_name}, changes=changes or {})


def _answer(served: Served) -> Answer:
    return Answer(text=served.text, changes=served.changes, shows_question=served.shows_question)


def _leaves_the_diagnostic(visit: Visit) -> bool:
    """“I'm new to this” would ask for a lesson anywhere else; the diagnostic offers it as an answer."""
    state = visit.state
    is_probing = state.pending_question is not None and state.learning_phase != "quiz"
    return is_probing and shortcut(visit.message, is_asked=True) == "new"


async def _learn(visit: Visit) -> Decision:
    state = visit.state
    wanted = (
        visit.intent.topic
        or (state.suggestion if visit.intent.action == "next" else "")
        or state.current_topic
    )
    if not wanted:
        return await _ask_for_topic(visit, "Gladly.")
    topic = await find_topic(visit, wanted)
    if topic is None:
        return await _unknown_topic(visit, wanted)
    return hand_over("learning_loop", changes=await _start(visit, topic))


async def _ask_for_topic(visit: Visit, opening: str) -> Answer:
    record = await load_record(visit.services, visit.user_id, visit.state)
    return Answer(
        text=f"{opening} Which topic? The course covers: {'; '.join(record.topics[:6])}.",
        status="clarification_needed",
    )


async def _unknown_topic(visit: Visit, wanted: str) -> Answer:
    """No topic has that name: offer what comes nearest in meaning, or say what there is."""
    syllabus = await visit.services.syllabus(visit.state.course)
    titles = syllabus.topic_names()
    passages = await visit.services.library.retrieve(
        visit.message, top_k=MOST_RESULTS, scope=Scope(course=visit.state.course)
    )
    near = [each.title for each in passages if each.similarity_score >= _NEAR and each.title in titles]
    if not near:
        covered = "; ".join(titles[:8])
        return Answer(text=f"{NO_INFORMATION} about {wanted} in this course. It covers: {covered}.")
    first, *others = dict.fromkeys(near)
    more = f" **{others[0]}** may fit too." if others else ""
    if visit.state.pending_question:
        return Answer(
            text=f"{NO_INFORMATION} about “{wanted}” under that name. What comes nearest is **{first}**: say "
            f"**change topic to {first}** to leave this quiz for it."
        )
    return Answer(
        text=f"{NO_INFORMATION} about “{wanted}” under that name. What comes nearest is **{first}**. "
        f"Shall we take that?{more}",
        changes=visit.state.changes(suggestion=first),
        status="clarification_needed",
    )


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
    await leave_cycle(services, state, user_id=visit.user_id)
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
            suggestion="",
        )
    if intent.action == "plan" and intent.topic and await find_topic(visit, intent.topic):
        changes = state.changes(goals=[*state.goals, intent.topic][-5:])
    if intent.action == "goal":
        goal = visit.intent.topic or visit.message
        await visit.services.learners.add_goal(
            visit.user_id, course=state.course, goal=goal, now=visit.services.now()
        )
        changes = state.changes(goals=[*(each for each in state.goals if each != goal), goal][-MOST_GOALS:])
    return hand_over(intent.route, changes=changes)
