"""Which courses there are, which one this is, and how to get into another."""

from collections.abc import Sequence

from rapidfuzz import fuzz

from agents.coordinator.visit import Answer, Decision, Server, Visit, numbered
from agents.lesson_material import leave_cycle
from agents.services import Services
from agents.state import Choice
from rag.terms import words_of
from storage.course import CourseSummary

_LINES = 12  # of a list; then "more"
_ALIKE = 80
COURSE_KEY = "user:course"  # ADK keeps what begins with user: over all sessions of a learner


async def courses(visit: Visit) -> Decision:
    """The courses and the topics of this one, twelve lines at a time."""
    return await _page(visit, start=0)


async def more(visit: Visit) -> Decision:
    """On with the list that was shown last; otherwise, more of what was explained."""
    from agents.coordinator.lesson_desk import reexplain

    return await (_page(visit, start=visit.state.listed_to) if visit.state.listed_to else reexplain(visit))


async def _page(visit: Visit, *, start: int) -> Answer:
    found = await visit.services.library.courses()
    syllabus = await visit.services.syllabus(visit.state.course)
    lines = [f"- **{course.title}** ({course.documents} chapters)" for course in found]
    if visit.state.course:
        lines += [f"  - {title}" for title in syllabus.topic_names()]
    shown, left = lines[start : start + _LINES], len(lines) - start - _LINES
    heading = "Here is what I can teach:" if not start else "And further:"
    if visit.state.course and not start:
        heading += f" (the topics are those of **{syllabus.title}**)"
    tail = ["", f"… and {left} more: say **more**."] if left > 0 else []
    return Answer(
        text="\n".join([heading, "", *shown, *tail]),
        changes=visit.state.changes(listed_to=start + _LINES if left > 0 else 0),
    )


async def which_course(visit: Visit) -> Decision:
    found = await visit.services.library.courses()
    here = next((course for course in found if course.name == visit.state.course), None)
    if here is None:
        return await ask_for_course(visit)
    syllabus = await visit.services.syllabus(here.name)
    mastery = await visit.services.learners.mastery(visit.user_id, course=here.name)
    others = [course.title for course in found if course is not here]
    also = f" Besides it there is {_named(others)}: say **switch to** one of them." if others else ""
    return Answer(
        text=f"This is **{here.title}**: {here.documents} chapters, {len(syllabus.concepts)} concepts, of which you have "
        f"mastered {sum(row.mastered for row in mastery)}.{also}"
    )


async def switch_course(visit: Visit) -> Decision:
    """Into the course that is meant, by any part of its name."""
    found = await visit.services.library.courses()
    others = [course for course in found if course.name != visit.state.course]
    wanted, wish = visit.intent.topic, visit.intent.wish
    fitting = matching(found, wanted) if wanted else others
    if wish and wish.course:
        fitting = [course for course in found if course.name == wish.course]
    if len(fitting) == 1:
        return await enter(visit, fitting[0])
    if not others:
        return Answer(
            text=f"There is only one course here, **{found[0].title if found else 'none yet'}**. {ADDING}"
        )
    opening = f"There is no course called “{wanted}” here." if wanted and not fitting else "Which one?"
    return await ask_for_course(visit, opening=opening, among=fitting or others)


async def enter(visit: Visit, course: CourseSummary) -> Answer:
    """Leave what is under way, and begin in another course."""
    state, services = visit.state, visit.services
    if course.name == state.course:
        return Answer(text=f"You are in **{course.title}** already.")
    await leave_cycle(services, state, user_id=visit.user_id)
    topics = (await services.syllabus(course.name)).topic_names()
    first = topics[0] if topics else ""
    asked = f" It begins with **{first}**. Shall we start there?" if first else ""
    return Answer(
        text=f"We are in **{course.title}** now.{asked}",
        changes={**state.without_lesson(course=course.name, suggestion=first), COURSE_KEY: course.name},
    )


async def ask_for_course(
    visit: Visit,
    *,
    opening: str = "Which course shall it be?",
    among: Sequence[CourseSummary] | None = None,
) -> Answer:
    found = among or await visit.services.library.courses()
    choices = [Choice(label=course.title, action="switch_course", topic=course.name) for course in found]
    return Answer(
        text=f"{opening}\n\n{numbered(choices[:_LINES])}\n\nSay a number or a name.",
        changes=visit.state.changes(choices=choices[:_LINES]),
        status="clarification_needed",
    )


async def add_material(visit: Visit) -> Decision:
    return Answer(text=ADDING)


ADDING = (
    "To learn from material of your own, run `tutor ingest FOLDER` in a terminal (Markdown, text, HTML, PDF or Word files; "
    "`--course NAME` names it). It works while I run: afterwards say **switch to** and its name."
)


def matching(found: Sequence[CourseSummary], wanted: str) -> list[CourseSummary]:
    """The courses that a part of a name fits: exactly, by all its words, or nearly."""
    words = set(words_of(wanted)) - {"course", "the"}
    exact = [
        course for course in found if words_of(wanted) in (words_of(course.name), words_of(course.title))
    ]
    if exact or not words:
        return exact
    named = [course for course in found if words <= set(words_of(f"{course.name} {course.title}"))]
    if named:
        return named
    near = [
        course
        for course in found
        if max(fuzz.ratio(wanted.lower(), each.lower()) for each in (course.name, course.title)) >= _ALIKE
    ]
    return near[:1]


async def usual_course(services: Services, user_id: str, *, remembered: str = "") -> str:
    """The course that this learner used last; the only one there is; or none, and they will be asked."""
    names = [course.name for course in await services.library.courses()]
    answers = await services.ledger.of(user_id)
    used = [remembered, *(answer.course for answer in reversed(answers))]
    known = next((name for name in used if name in names), "")
    return known or (names[0] if len(names) == 1 else "")


def _named(titles: Sequence[str]) -> str:
    shown = [f"**{title}**" for title in titles[:5]]
    return ", ".join(shown) + (f" and {len(titles) - 5} more" if len(titles) > 5 else "")


SERVERS: dict[str, Server] = {
    "courses": courses,
    "more": more,
    "which_course": which_course,
    "switch_course": switch_course,
    "add_material": add_material,
}
