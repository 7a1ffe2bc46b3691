"""From an intent to a decision: an answer of our own, a look into the course, or another agent."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agents.coordinator import desk, lesson_desk
from agents.coordinator.desk import COURSE_KEY, ask_for_course, enter, matching, was_looked_up
from agents.coordinator.intents import Intent, Wish
from agents.coordinator.question import named_in_list
from agents.coordinator.visit import Decision, HandOver, LookUp, Say, Server, Visit
from agents.diagnostic.offline import shortcut
from agents.language.spans import topic_span
from agents.language.words import bold, joined
from agents.learner_record import load_record, progress_chart, progress_text
from agents.lesson_material import leave_cycle
from agents.mastery_book import refresh_mastery
from agents.state import MOST_GOALS
from agents.syllabus import Topic
from agents.syllabus import find_topic as search_topic
from agents.teaching import loop
from agents.teaching.values import wanted_part
from agents.turn import NO_INFORMATION
from rag.index import Scope
from rag.retriever import MOST_RESULTS

_NEAR = 0.3  # how similar a passage is that may be what was meant
_HARDLY = 0.3  # so unlikely an answer, a message that names a topic asks for it
_LEARNING = ("teach", "change_topic", "quiz_me")
# These make sense only in a course; who has several and none chosen is asked first.
_IN_A_COURSE = (
    *_LEARNING, "next", "diagnose", "plan", "goal", "greet", "progress", "recap", "mistakes", "reviews", "remaining",
    "short_time", "which_course",
)  # fmt: skip


# What these are told does not depend on the course.
_SAME_FOR_ALL = ("add_material", "help", "small_talk")

# After a round that a crash or a leaving client cut short, these go on with it.
_GOES_ON = ("next", "resume", "yes", "show_question_again", "unclear")


async def decide(visit: Visit) -> Decision:
    """What to do about one message."""
    visit = replace(visit, intent=await _with_the_course_in_view(visit))
    action, state = visit.intent.action, visit.state
    if action == "answer":
        return HandOver(
            agent_name="learning_loop" if state.learning_phase == "quiz" else "diagnostic",
            changes=state.changes(confirmed_answer=visit.intent.kept),
        )
    if state.is_interrupted and (visit.is_repeated or action in _GOES_ON):
        return HandOver(agent_name="learning_loop")
    names_one = visit.intent.topic or (visit.intent.wish and visit.intent.wish.course)
    if not state.course and action in _IN_A_COURSE and not names_one:
        return await ask_for_course(visit)
    if action == "next" and state.pending_question:
        action = "resume" if state.quiz_paused else "show_question_again"
    if action == "resume" and not state.pending_question:
        action = "next"
    if action in ("yes", "next") and not state.suggestion and was_looked_up(state):
        return await lesson_desk.reexplain(replace(visit, intent=replace(visit.intent, manner="deeper")))
    if action in ("yes", "next") and _path_is_offered(visit):
        return HandOver(agent_name="pathplanner")
    if _leaves_the_diagnostic(visit):
        return HandOver(agent_name="diagnostic")
    if action in _LEARNING or action == "next":
        return await _learn(visit)
    if action == "ask":
        return LookUp(question=visit.message)
    if action == "disagree":
        return HandOver(agent_name="learning_loop", changes=state.changes(**loop.command("dispute")))
    if action in ("yes", "no") and visit.intent.route == "task_manager":
        return HandOver(agent_name="task_manager")
    serve = _SERVERS.get(action)
    return await serve(visit) if serve else await _specialist(visit)


async def _with_the_course_in_view(visit: Visit) -> Intent:
    """A doubtful message that likely asks for a lesson does so where the course has what it names under that name.

    So does “explain threads instead” in a lesson on something else. And what is close to a question and gets the same
    words in every course is a question where this one answers it: “how do I add a token to the vocabulary”.
    """
    intent = visit.intent
    if intent.action == "reexplain" and not intent.wish:
        named = await _taught_elsewhere(visit, topic_span(visit.message))
        reason = "names what another page teaches"
        return (
            replace(intent, action="teach", route="learning_loop", topic=named, reason=reason)
            if named
            else intent
        )
    chances = dict(intent.alternatives)
    if intent.action in _SAME_FOR_ALL and "ask" in chances and not intent.wish:
        is_about_it = await desk.is_answered(visit)
        return replace(intent, action="ask", reason="the course answers it") if is_about_it else intent
    is_hardly_an_answer = chances.pop("answer", 0.0) <= _HARDLY
    is_doubtful = intent.action == "unsure" and bool(intent.topic) and is_hardly_an_answer
    if not is_doubtful or next(iter(chances), "") not in ("teach", "change_topic"):
        return intent
    syllabus = await visit.services.syllabus(visit.state.course)
    found = await search_topic(visit.services.library, syllabus, intent.topic)
    if not found or not found[0].is_sure:
        return intent
    return replace(intent, action="teach", route="learning_loop", reason="names what the course teaches")


async def _taught_elsewhere(visit: Visit, named: str) -> str:
    """What is named, where the course has it under that name on another page than the one that is being taught."""
    here = visit.state.topic_place
    if not named or not visit.state.course:
        return ""
    syllabus = await visit.services.syllabus(visit.state.course)
    found = await search_topic(visit.services.library, syllabus, named)
    is_another = found and found[0].is_sure and not (here and here.chapter_id == found[1].place.chapter_id)
    return named if is_another else ""


def _path_is_offered(visit: Visit) -> bool:
    """Whether the loop on this topic ended at its limit, where the feedback offers the way out."""
    state = visit.state
    is_over = not (state.pending_question or state.pending_task or state.suggestion)
    at_limit = state.learning_cycle_count >= state.max_cycles
    return is_over and at_limit and bool(state.improvement_areas)


def _leaves_the_diagnostic(visit: Visit) -> bool:
    """“I'm new to this” would ask for a lesson anywhere else; the diagnostic offers it as an answer."""
    state = visit.state
    is_probing = state.pending_question is not None and state.learning_phase != "quiz"
    return is_probing and shortcut(visit.message, is_asked=True) == "new"


async def _learn(visit: Visit) -> Decision:
    state, intent = visit.state, visit.intent
    wanted, goals = intent.topic, {}
    if intent.wish and intent.wish.course:
        return await _begin(visit, intent.wish)
    if not wanted and intent.action == "resume":
        wanted = state.suggestion or await _left_open(visit) or state.next_topic
    if not wanted and intent.action == "next":
        wanted = state.suggestion or state.next_topic
    if not wanted and intent.action != "change_topic":
        wanted = state.current_topic
    if intent.topic and state.course:
        # Who says a whole title means that, not a term that happens to be in it.
        syllabus = await visit.services.syllabus(state.course)
        several = named_in_list(visit.message, (*syllabus.topic_names(), *syllabus.names))
        if title := syllabus.title_in(visit.message):
            wanted = title
        elif several:
            wanted, *later = several
            goals = await _goals(visit, later)
            turn = visit.services.turns.of(visit.invocation.invocation_id)
            turn.notes.append(f"{joined(bold(later))} will follow: I have noted that.")
    if not wanted:
        return await _ask_for_topic(visit, "Gladly.")
    name, part = wanted_part(wanted)
    name = name or state.current_topic
    topic = None
    if name == state.current_topic and state.topic_place:  # the very place, whatever else has that name
        topic = (await visit.services.syllabus(state.course)).topic_at(state.topic_place)
    topic = topic or await find_topic(visit, name)
    if topic is None:
        return await _unknown_topic(visit, wanted)
    return HandOver(agent_name="learning_loop", changes={**await _start(visit, topic, part=part), **goals})


async def _goals(visit: Visit, goals: Sequence[str]) -> dict[str, Any]:
    """Keep what somebody wants to learn, now and for later sessions."""
    services, state = visit.services, visit.state
    for goal in goals:
        stated = partial(
            services.learners.add_goal, visit.user_id, course=state.course, goal=goal, now=services.now()
        )
        await services.books.surely("a goal", stated)
    return state.changes(goals=[*(each for each in state.goals if each not in goals), *goals][-MOST_GOALS:])


async def _left_open(visit: Visit) -> str:
    """The topic that was begun and not mastered."""
    state = visit.state
    rows = await visit.services.learners.mastery(visit.user_id, course=state.course)
    mastered = {row.concept_name for row in rows if row.mastered}
    is_done = bool(state.topic_concepts) and mastered.issuperset(state.topic_concepts)
    return "" if is_done else state.current_topic


async def _begin(visit: Visit, wish: Wish) -> Decision:
    """What a button names, in its course and nowhere else; without a topic, where the learner stopped there or it begins."""
    syllabus = await visit.services.syllabus(wish.course)
    if wish.topic:
        named = syllabus.topic_named(wish.topic)
        found = None if named else await search_topic(visit.services.library, syllabus, wish.topic)
        topic = named or (found[1] if found else None)
    else:
        answers = [row for row in await visit.services.ledger.of(visit.user_id) if row.course == wish.course]
        rows = await visit.services.learners.mastery(visit.user_id, course=wish.course)
        topic = syllabus.goes_on(
            [row.concept_name for row in reversed(answers)],
            mastered={row.concept_name for row in rows if row.mastered},
        )
    if topic is None:
        return await _unknown_topic(visit, wish.topic or syllabus.title)
    part = wanted_part(wish.topic)[1]
    return HandOver(agent_name="learning_loop", changes=await _start(visit, topic, part=part))


async def _ask_for_topic(visit: Visit, opening: str) -> Say:
    record = await load_record(visit.services, visit.user_id, visit.state)
    return Say(
        text=f"{opening} Which topic? The course covers: {'; '.join(record.topics[:6])}.",
        status="clarification_needed",
        options=record.topics[:6],
    )


async def _unknown_topic(visit: Visit, wanted: str) -> Say:
    """No topic has that name: perhaps a course has; else offer what comes nearest, or say what there is."""
    fitting = matching(await visit.services.library.courses(), wanted)
    if len(fitting) == 1:
        return await enter(visit, fitting[0])
    titles = (await visit.services.syllabus(visit.state.course)).topic_names()
    passages = await visit.services.library.retrieve(
        wanted, top_k=MOST_RESULTS, scope=Scope(course=visit.state.course or None)
    )
    near = [each.title for each in passages if each.similarity_score >= _NEAR and each.title in titles]
    if not near:
        covered = "; ".join(titles[:8])
        return Say(text=f"{NO_INFORMATION} about {wanted} in this course. It covers: {covered}.")
    first, *others = dict.fromkeys(near)
    if visit.state.pending_question:
        return Say(
            text=f"{NO_INFORMATION} about “{wanted}” under that name. What comes nearest is **{first}**: say "
            f"**change topic to {first}** to leave this quiz for it."
        )
    more = f" **{others[0]}** may fit too." if others else ""
    return Say(
        text=f"{NO_INFORMATION} about “{wanted}” under that name. What comes nearest is **{first}**. "
        f"Shall we take that?{more}",
        changes=visit.state.changes(suggestion=first),
        status="clarification_needed",
        options=(first, *others[:1]),
    )


async def find_topic(visit: Visit, wanted: str) -> Topic | None:
    """The topic in the current course, or else in the one whose names come nearest."""
    here = visit.state.course
    others = [course.name for course in await visit.services.library.courses() if course.name != here]
    best: tuple[float, Topic] | None = None
    for name in [here, *others] if here else others:
        found = await search_topic(visit.services.library, await visit.services.syllabus(name), wanted)
        if found and found[0].is_sure and name == here:
            return found[1]
        if found and (best is None or found[0].score > best[0]):
            best = found[0].score, found[1]
    return best[1] if best else None


async def _start(visit: Visit, topic: Topic, *, part: int = 0) -> dict[str, Any]:
    """A fresh loop on a topic, at its first part that is not mastered; a cycle that was open elsewhere is closed."""
    rows = await visit.services.learners.mastery(visit.user_id, course=topic.course)
    number = min(part, len(topic.parts)) or topic.first_open(row.concept_name for row in rows if row.mastered)
    number = topic.begin if not part and topic.begin > 1 else number
    await leave_cycle(visit.services, visit.state, user_id=visit.user_id)
    visit.services.writing.leave(visit.state.session_id)
    changes = visit.state.without_lesson(
        course=topic.course,
        current_topic=topic.name,
        topic_concepts=list(topic.parts[number - 1].names),
        topic_place=topic.place,
        topic_part=number,
        topic_parts=len(topic.parts),
        **loop.start(with_quiz=visit.intent.action == "quiz_me"),
        last_question="",
    )
    return {**changes, COURSE_KEY: topic.course}


async def _progress(visit: Visit) -> Decision:
    # Answers of a quiz that is still going on count too.
    services, state = visit.services, visit.state
    await refresh_mastery(services, user_id=visit.user_id, course=state.course, state=state)
    record = await load_record(services, visit.user_id, state)
    text = progress_text(record)
    if state.topic_parts > 1:
        text += f"\n\nYou are at **{state.topic_label}**."
    chart = progress_chart(record, threshold=services.threshold(state)) if record.scores else None
    return Say(text=text, chart=chart)


async def _specialist(visit: Visit) -> Decision:
    state, intent = visit.state, visit.intent
    changes: dict[str, Any] = {}
    topic = await find_topic(visit, intent.topic) if intent.topic else None
    if intent.route == "diagnostic":
        changes = state.with_lesson_aside(
            course=topic.course if topic else state.course,
            current_topic=topic.name if topic else state.current_topic,
            topic_concepts=list(topic.concepts) if topic else state.topic_concepts,
            topic_place=topic.place if topic else state.topic_place,
            diagnostic_complete=False,
            diagnostic_questions=[],
            diagnostic_responses=[],
            diagnostic_command="",
            **loop.set_aside(),
            suggestion="",
        )
    goal = intent.topic if intent.action == "plan" and topic else ""
    if intent.action == "goal":
        changes = await _goals(visit, [intent.topic or visit.message])
    elif goal:
        changes = state.changes(goals=[*(each for each in state.goals if each != goal), goal][-MOST_GOALS:])
    return HandOver(agent_name=intent.route, changes=changes)


_SERVERS: dict[str, Server] = {
    **desk.SERVERS,
    **lesson_desk.SERVERS,
    "progress": _progress,
}
