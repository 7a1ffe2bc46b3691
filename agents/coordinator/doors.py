"""Into lessons, out of them and back: which one is wanted, whether another is under way, and where it was left."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agents import lesson_place
from agents.coordinator.desk import COURSE_KEY, enter, matching, ways
from agents.coordinator.intents import Wish
from agents.coordinator.offline import covers, no_information
from agents.coordinator.question import named_in_list
from agents.coordinator.visit import Decision, HandOver, Say, Visit, before_leaving
from agents.language.spans import topic_span
from agents.language.words import bold, joined, same_text
from agents.learner_record import load_record
from agents.mastery_book import kept_mastery
from agents.state import MOST_GOALS, Choice, SessionState
from agents.syllabus import Topic
from agents.syllabus import find_topic as search_topic
from agents.teaching import loop
from agents.teaching.questions.ahead import is_said
from agents.teaching.values import part_label, wanted_part
from agents.turn import TurnDraft
from rag.index import Scope
from rag.retriever import MOST_RESULTS
from storage.lessons import LessonPlace

_LOOKED_BACK = 200  # answers
_NEAR = 0.3  # how similar a passage is that may be what was meant
_ANSWER_ONLY = "Only look it up, and stay here"
_READ_IT_AGAIN = "Say **explain it again** to read the lesson once more."
_OR_DIFFERENTLY = (
    "Say **explain it differently** to have it in another way, or **explain it again** to read it once more."
)
_LESSON_IS_GONE = "The course has changed since you left this lesson, so it begins again."


async def learn(visit: Visit) -> Decision:
    """Into the lesson that a message asks for, or on with the one that it means."""
    state, intent = visit.state, visit.intent
    if intent.wish and intent.wish.course:
        return await _by_button(visit, intent.wish)
    wanted, later = intent.topic, list[str]()
    if intent.action in ("next", "resume") and not wanted:
        wanted = state.suggestion
        if not wanted and intent.action == "resume" and (back := await _newest(visit)):
            return back
        wanted = wanted or await _unfinished(visit)
        if not wanted and state.current_topic:
            return HandOver(agent_name="pathplanner")
    elif not wanted and intent.action != "change_topic":
        wanted = state.current_topic
    if intent.topic and state.course:
        # Who says a whole title means that, not a term that happens to be in it.
        syllabus = await visit.services.syllabus(state.course)
        several = named_in_list(visit.message, (*syllabus.topic_names(), *syllabus.names))
        if title := syllabus.title_in(visit.message):
            wanted = title
        elif several:
            wanted, *later = several
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
    is_course = (await visit.services.syllabus(topic.course)).is_whole(name)
    return await _into(visit, topic, part=part, later=later, is_course=is_course)


async def _unfinished(visit: Visit) -> str:
    """What the learner is at, else what was planned next; nothing where all of that is mastered."""
    state = visit.state
    rows = await kept_mastery(visit.services, visit.user_id, course=state.course, state=state)
    mastered = {row.concept_name for row in rows if row.mastered}
    is_done = bool(state.topic_concepts) and mastered.issuperset(state.topic_concepts)
    planned = "" if state.next_topic in mastered else state.next_topic
    here = "" if is_done else state.current_topic
    return here or planned if visit.intent.action == "resume" else planned or here


async def _by_button(visit: Visit, wish: Wish) -> Decision:
    """What a button names, in its course and nowhere else; without a topic, where the learner stopped there or it begins."""
    syllabus = await visit.services.syllabus(wish.course)
    if wish.topic:
        named = syllabus.topic_named(wish.topic)
        found = None if named else await search_topic(visit.services.library, syllabus, wish.topic)
        topic = named or (found[1] if found else None)
    else:
        if back := await _newest(visit, course=wish.course):
            return back
        answers = await visit.services.ledger.newest(visit.user_id, course=wish.course, most=_LOOKED_BACK)
        rows = await kept_mastery(visit.services, visit.user_id, course=wish.course)
        topic = syllabus.goes_on(
            [row.concept_name for row in reversed(answers)],
            mastered={row.concept_name for row in rows if row.mastered},
        )
    if topic is None:
        return await _unknown_topic(visit, wish.topic or syllabus.title)
    return await _into(visit, topic, part=wanted_part(wish.topic)[1])


async def _into(
    visit: Visit, topic: Topic, *, part: int = 0, later: Sequence[str] = (), is_course: bool = False
) -> Decision:
    """On with this lesson where the learner is in it or has left it, else its beginning; out of another only after a yes."""
    state, services = visit.state, visit.services
    lesson = state.open_lesson
    place = await lesson_place.of_topic(services, topic, user_id=visit.user_id, part=part)
    if is_course:  # who names a course goes on in it where they were
        places = await lesson_place.left(services, user_id=visit.user_id, course=topic.course)
        place = next(iter(places), None)
    if lesson and lesson_place.is_of(lesson, topic, part=part):
        if not _skips_the_lesson(visit):
            return _here(visit, lesson)
        part, place = lesson.topic_part, None
    elif asked := _before_another(visit, topic, part=part, place=place):
        return asked
    goals = await keep_goals(visit, later) if later else {}
    if later:
        _turn(visit).notes.append(f"{joined(bold(later))} will follow: I have noted that.")
    if place:
        if back := await _back(visit, place):
            return replace(back, changes={**back.changes, **goals})
        _turn(visit).lead = _LESSON_IS_GONE
        await lesson_place.break_off(services, SessionState.of(place.lesson), user_id=visit.user_id)
    session_id = visit.invocation.session.id
    await lesson_place.leave(services, state, user_id=visit.user_id, session_id=session_id)
    return HandOver(agent_name="learning_loop", changes={**await _start(visit, topic, part=part), **goals})


def _skips_the_lesson(visit: Visit) -> bool:
    """“I know this” before the first answer: straight to the questions, and no work is lost."""
    lesson = visit.state.open_lesson
    is_untouched = (
        lesson and lesson.explanation and not (lesson.quiz_responses or lesson.learning_cycle_count)
    )
    return bool(is_untouched) and visit.intent.action == "quiz_me"


def _before_another(visit: Visit, topic: Topic, *, part: int, place: LessonPlace | None) -> Say | None:
    label = part_label(topic.name, part, len(topic.parts)) if part else topic.name
    [choice] = ways(visit.intent.action if visit.intent.action == "quiz_me" else "teach", topic=label)
    if place:
        left = SessionState.of(place.lesson)
        choice = choice.model_copy(update={"label": f"Go on with {left.topic_label}: {left.whereabouts}"})
    instead = Choice(label=_ANSWER_ONLY, action="ask", topic=label)
    return before_leaving(visit, choice, instead, asked=f"Shall I leave it for **{label}**?")


def _here(visit: Visit, lesson: SessionState) -> Decision:
    """The lesson that was asked for is the one under way."""
    state = visit.state
    back = state.with_lesson(state.lesson_aside) if state.lesson_aside else {}
    if lesson.pending_question is None:
        return HandOver(agent_name="learning_loop", changes=back)
    return Say(
        text=f"That is the lesson you are in: {lesson.whereabouts}. {_OR_DIFFERENTLY}",
        changes=back or state.changes(**loop.pause(is_paused=False)),
    )


async def _newest(visit: Visit, *, course: str = "") -> HandOver | Say | None:
    """Back into the lesson that was left last, here or in the course that is named."""
    course = course or visit.state.course
    places = await lesson_place.left(visit.services, user_id=visit.user_id, course=course)
    for place in places:
        if back := await _back(visit, place):
            return back
    return None


async def _back(visit: Visit, place: LessonPlace) -> HandOver | Say | None:
    """Into a lesson that was left; None when the course does not have it any more."""
    session_id = visit.invocation.session.id
    await lesson_place.leave(visit.services, visit.state, user_id=visit.user_id, session_id=session_id)
    way = await lesson_place.back_to(visit.services, visit.state, place, session_id=session_id)
    if way is None:
        return None
    changes = {**way.changes, COURSE_KEY: place.course}
    after = SessionState.of({**visit.state.model_dump(mode="json"), **changes})
    if after.pending_question is None:
        _turn(visit).lead = way.remark
        return HandOver(agent_name="learning_loop", changes=changes)
    # A question may ask for what its lesson is called.
    is_secret = is_said(after.pending_question, after.topic_label)
    name = "where you left it" if is_secret else f"**{after.topic_label}**"
    return Say(
        text=f"Back to {name}: {after.whereabouts}. {_READ_IT_AGAIN}",
        changes=changes,
    )


async def _start(visit: Visit, topic: Topic, *, part: int = 0) -> dict[str, Any]:
    """A fresh loop on a topic, at its first part that is not mastered."""
    rows = await kept_mastery(visit.services, visit.user_id, course=topic.course)
    number = min(part, len(topic.parts)) or topic.first_open(row.concept_name for row in rows if row.mastered)
    number = topic.begin if not part and topic.begin > 1 else number
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


async def keep_goals(visit: Visit, goals: Sequence[str]) -> dict[str, Any]:
    """Keep what somebody wants to learn, now and for later sessions."""
    services, state = visit.services, visit.state
    for goal in goals:
        stated = partial(
            services.learners.add_goal, visit.user_id, course=state.course, goal=goal, now=services.now()
        )
        await services.books.surely("a goal", stated)
    return state.changes(goals=[*(each for each in state.goals if each not in goals), *goals][-MOST_GOALS:])


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


async def left_lesson(visit: Visit, *, by_title: bool = False) -> str:
    """The lesson that a message names, of those that are not over; `by_title` only by all words of a longer name."""
    places = await lesson_place.left(visit.services, user_id=visit.user_id)
    said = f" {same_text(visit.message)} "
    for place in places:
        if f" {same_text(place.topic)} " in said and (" " in place.topic or not by_title):
            return place.topic
    named = topic_span(visit.message) if places and not by_title else ""
    topic = await find_topic(visit, named) if named else None
    is_left = topic and await lesson_place.of_topic(visit.services, topic, user_id=visit.user_id)
    return named if is_left else ""


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
    syllabus = await visit.services.syllabus(visit.state.course)
    titles = syllabus.topic_names()
    passages = await visit.services.library.retrieve(
        wanted, top_k=MOST_RESULTS, scope=Scope(course=visit.state.course or None)
    )
    # What the ranking puts before a near one is meant as well: other words may say the same.
    last = max((place for place, each in enumerate(passages, 1) if each.similarity_score >= _NEAR), default=0)
    near = [each.title for each in passages[:last] if each.title in titles]
    if not near:
        return Say(text=f"{no_information(wanted, course=syllabus.title)} {covers(titles)}".strip())
    unknown = no_information(f"“{wanted}” under that name", course=syllabus.title)
    first, *others = dict.fromkeys(near)
    nothing = f"{unknown} What comes nearest is **{first}**."
    [choice] = ways("teach", topic=first)
    instead = Choice(label=_ANSWER_ONLY, action="ask", topic=first)
    if asked := before_leaving(visit, choice, instead, asked=f"{nothing} Shall I leave this for it?"):
        return asked
    more = f" **{others[0]}** may fit too." if others else ""
    return Say(
        text=f"{nothing} Shall we take that?{more}",
        changes=visit.state.changes(suggestion=first),
        status="clarification_needed",
        options=(first, *others[:1]),
    )


def _turn(visit: Visit) -> TurnDraft:
    return visit.services.turns.of(visit.invocation.invocation_id)
