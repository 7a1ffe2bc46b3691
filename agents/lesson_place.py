"""Where a learner is in each lesson that is not over: kept with every turn, found again by any door and in any session.

The session has its own copy, which serves as long as nobody goes on elsewhere. What counts is taken from our own record
here as there: the questions with their keys, and under the name of their quiz the answers.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import ValidationError

from agents.glance import once
from agents.lesson_material import close_cycle, current_part
from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Topic
from agents.teaching import loop
from agents.teaching.values import QuizQuestion
from storage.lessons import LessonPlace, OpenLesson


async def place_of(services: Services, state: SessionState, *, user_id: str, session_id: str) -> LessonPlace:
    """How far the lesson under way is, with the questions that we asked in it."""
    asked = await services.books.asked(user_id, session_id=session_id, kind="quiz")
    shown = {each.question_id for each in state.quiz_questions}
    is_ours = asked is not None and shown <= {str(each.get("question_id")) for each in asked.questions}
    ours = asked if shown and is_ours else None
    return LessonPlace(
        user_id=user_id,
        **place_key(state),
        topic=state.current_topic,
        session_id=session_id,
        lesson=state.lesson,
        asking=ours.asking if ours else None,
        threshold=ours.threshold if ours else await services.threshold(user_id, state),
        questions=ours.questions if ours else (),
        kept_at=services.now(),
    )


async def leave(services: Services, state: SessionState, *, user_id: str, session_id: str) -> None:
    """Whatever comes next in this session, the place in the lesson under way is kept."""
    if state.learning_phase:
        place = await place_of(services, state, user_id=user_id, session_id=session_id)
        # The session knows it too, and the next turn that changes anything keeps it again.
        await services.books.attempt("the place in a lesson", lambda: services.lessons.keep_place(place))


async def break_off(services: Services, state: SessionState, *, user_id: str) -> None:
    """The lesson is given up: its round ends with what was reached."""
    reached = loop.score(state.quiz_responses, total=len(state.quiz_questions))
    await close_cycle(services, state, user_id=user_id, quiz_score=reached, is_mastered=False)
    await end(services, state, user_id=user_id)


async def end(services: Services, state: SessionState, *, user_id: str) -> None:
    """The lesson is over: nobody comes back to it."""
    over = partial(services.lessons.leave_place, user_id, **place_key(state))
    await services.books.surely("the end of a lesson", over)


async def left(services: Services, *, user_id: str, course: str = "") -> Sequence[LessonPlace]:
    """The lessons that are not over, the one that the learner was in last first."""
    return await services.lessons.places(user_id, course=course or None)


async def moved_on(
    services: Services, state: SessionState, *, user_id: str, session_id: str
) -> LessonPlace | None:
    """Where the session's lesson is by now, when another session has gone on with it."""
    if not state.learning_phase:
        return None
    key = elsewhere_key(state, user_id=user_id, session_id=session_id)
    place = await once(key, lambda: services.lessons.place(user_id, **place_key(state)))
    return place if place and place.session_id != session_id else None


async def of_topic(services: Services, topic: Topic, *, user_id: str, part: int = 0) -> LessonPlace | None:
    """Where the learner left a topic, or the part of it that is wanted."""
    places = await left(services, user_id=user_id, course=topic.course)
    return next((place for place in places if is_of(SessionState.of(place.lesson), topic, part=part)), None)


def is_of(lesson: SessionState, topic: Topic, *, part: int = 0) -> bool:
    """Whether a lesson is on this topic, by whichever of its names it was asked for, and on the part that is wanted."""
    if lesson.course != topic.course:
        return False
    if lesson.topic_place == topic.place:
        return part in (0, lesson.topic_part)
    taught = set(lesson.topic_concepts)
    if topic.place.kind == "term":
        return topic.place.name in taught
    wanted = topic.parts[part - 1 : part] if part else topic.parts
    return any(set(each.names) == taught for each in wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class WayBack:
    """What brings a session back into a lesson, and what there is to say about it."""

    changes: dict[str, Any]
    remark: str = ""


QUIZ_IS_GONE = (
    "The course has changed since you left this quiz, so I begin the questions of this round afresh."
)


async def back_to(
    services: Services, state: SessionState, place: LessonPlace, *, session_id: str
) -> WayBack | None:
    """Back into a lesson, at the question where it was left; None when the course does not have the lesson any more."""
    lesson = SessionState.of(place.lesson)
    if not lesson.is_practice:
        part = current_part(lesson, await services.syllabus(lesson.course))
        if part is None or list(part.names) != lesson.topic_concepts:
            return None
    if not lesson.quiz_questions:
        return WayBack(changes=state.with_lesson(place.lesson))
    questions = await _askable(services, lesson, place)
    if not questions:
        afresh = {**loop.no_quiz(), "self_check_answer": "", "hints_given": 0}
        return WayBack(changes=state.with_lesson(place.lesson, **afresh), remark=QUIZ_IS_GONE)
    await services.books.ask(
        OpenLesson(
            user_id=place.user_id,
            session_id=session_id,
            kind="quiz",
            asking=place.asking or "",
            course=lesson.course,
            topic=lesson.current_topic,
            cycle_number=lesson.learning_cycle_count + 1,
            threshold=place.threshold,
            questions=place.questions,
            asked_at=services.now(),
        )
    )
    again = {**loop.shorten(questions), "question_asked_at": services.now()}
    return WayBack(changes=state.with_lesson(place.lesson, **again))


async def _askable(services: Services, lesson: SessionState, place: LessonPlace) -> list[QuizQuestion]:
    """The quiz by our own record; nothing when what is still to be asked is not ours, or its passage is gone."""
    try:
        ours = {each.question_id: each for each in map(QuizQuestion.model_validate, place.questions)}
    except ValidationError:  # of an earlier version, whose questions were different
        return []
    questions = [ours[each.question_id] for each in lesson.quiz_questions if each.question_id in ours]
    if len(questions) < len(lesson.quiz_questions):
        return []
    ahead = {each.chunk_id for each in questions[lesson.quiz_question_index :] if each.chunk_id}
    found = await services.library.corpus.chunks_by_id(list(ahead))
    return questions if len(found) == len(ahead) else []


def elsewhere_key(state: SessionState, *, user_id: str, session_id: str) -> Hashable:
    """Under which name a turn knows where its lesson was gone on with."""
    return ("elsewhere", user_id, session_id, *place_key(state).values())


def place_key(state: SessionState) -> dict[str, Any]:
    """Which lesson the session is in, as its place is kept."""
    place = state.topic_place.key if state.topic_place else state.current_topic
    return {"course": state.course, "place": place, "part": state.topic_part}
