"""A learner's plan with its days: what is left, at their own pace, up to the date of their goal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from agents.glance import once
from agents.language.deadline import Terms
from agents.learner_record import Planner, goals_of
from agents.mastery_book import kept_mastery
from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.evidence import LedgerRow
from agents.teaching.path import PathStep, Plan
from agents.teaching.schedule import Pace, PlannedSection, Promise, Review, Schedule, TimedRound, schedule
from storage.learners import LearningCycle

_ROUNDS = 40  # the last ones say how fast somebody is now
_ANSWERS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """The steps, the day of each, and the pace by which they were reckoned."""

    course: str
    title: str
    plan: Plan
    days: Schedule
    pace: Pace
    minutes_a_day: int | None = None  # as the learner chose

    @property
    def promise(self) -> Promise:
        return Promise.made(self.days, minutes_a_day=self.minutes_a_day)


async def study_plan(
    services: Services,
    state: SessionState,
    *,
    user_id: str,
    plan: Plan | None = None,
    terms: Terms | None = None,
    is_new_goal: bool = False,
) -> StudyPlan:
    """The plan as it is today; a date and minutes that are not said are those of the plan before.

    A goal that is new has a date of its own, or none.
    """
    course = state.course
    syllabus = await services.syllabus(course)
    if plan is None:
        aims = state.model_copy(update={"goals": await goals_of(services, state, user_id=user_id)})
        plan = await Planner(services=services).next_steps(aims, user_id=user_id)
    before = await last_promise(services, user_id, course=course)
    pace = await pace_of(services, user_id)
    minutes_a_day = (terms and terms.minutes_a_day) or before.minutes_a_day
    rows = await kept_mastery(services, user_id, course=course, state=state)
    days = schedule(
        sections_of(plan, syllabus, pace),
        today=services.now().astimezone(services.zone).date(),
        by=(terms and terms.by) or (None if is_new_goal else before.by),
        minutes_a_day=minutes_a_day,
        reviews=[
            Review(concept=row.concept_name, on=row.review_due_at.astimezone(services.zone).date())
            for row in rows
            if row.mastered and row.review_due_at
        ],
        before=Promise() if is_new_goal else before,
    )
    return StudyPlan(
        course=course, title=syllabus.title, plan=plan, days=days, pace=pace, minutes_a_day=minutes_a_day
    )


async def keep(services: Services, found: StudyPlan, *, user_id: str) -> None:
    """Remember what the learner is told, to say later what of it has moved."""
    promise, now = found.promise.to_json(), services.now()
    await services.books.attempt(
        "a plan",
        lambda: services.learners.keep_plan(user_id, course=found.course, promise=promise, now=now),
    )


async def last_promise(services: Services, user_id: str, *, course: str) -> Promise:
    stored = await services.learners.plan(user_id, course=course)
    return Promise.from_json(stored) if stored else Promise()


async def pace_of(services: Services, user_id: str) -> Pace:
    """How fast somebody learns, by their last rounds in whatever course."""

    async def read() -> Pace:
        cycles = [each for each in await services.learners.cycles(user_id) if each.completed_at]
        answers = await services.ledger.newest(user_id, most=_ANSWERS)
        return Pace.of(rounds_of(cycles[-_ROUNDS:], answers))

    return await once(("pace", user_id), read)


def rounds_of(cycles: Iterable[LearningCycle], answers: Sequence[LedgerRow]) -> list[TimedRound]:
    """The finished rounds with the answers that were given in them; one whose answers are too long ago says nothing."""
    found = []
    for cycle in cycles:
        assert cycle.completed_at is not None  # it is finished
        given = [
            row.time_taken_seconds
            for row in answers
            if row.action == "answer"
            and row.topic == cycle.topic
            and cycle.started_at <= row.answered_at <= cycle.completed_at
        ]
        if given:
            found.append(
                TimedRound(
                    topic=cycle.topic,
                    seconds=(cycle.completed_at - cycle.started_at).total_seconds(),
                    answering=sum(given),
                    answers=len(given),
                    is_first=cycle.cycle_number == 1,
                )
            )
    return found


def sections_of(plan: Plan, syllabus: Syllabus, pace: Pace) -> list[PlannedSection]:
    """The steps with the time that their lessons take; one that two steps share is halved between them."""
    wanted = {name for step in plan.steps for name in step.concepts}
    return [
        PlannedSection(
            title=step.title,
            chapter_id=step.chapter_id,
            concepts=step.concepts,
            minutes=_minutes(step, syllabus, pace, wanted=wanted),
        )
        for step in plan.steps
    ]


def _minutes(step: PathStep, syllabus: Syllabus, pace: Pace, *, wanted: set[str]) -> float:
    own, minutes, taught = set(step.concepts), 0.0, set[str]()
    for names, words in syllabus.lessons(step.chapter_id):
        here = own.intersection(names) - taught
        if here:
            minutes += pace.minutes(words) * len(here) / len(wanted.intersection(names) - taught)
            taught |= set(names)
    alone = own - taught  # only named in a heading, or taught on another page
    return minutes + (pace.minutes(0) if alone else 0.0)


def as_json(found: StudyPlan) -> dict[str, object]:
    """The plan for other programs."""
    days = found.days
    return {
        "course": found.course,
        "goals": list(found.plan.goals),
        "by": _iso(days.by),
        "fits": days.fits,
        "ends": _iso(days.ends if days.stops else None),
        "minutes": round(days.minutes),
        "minutes_a_day": days.minutes_a_day,
        "needed_minutes_a_day": days.needed_a_day or None,
        "share_done": round(found.plan.share_done, 4),
        "steps": [
            {
                "title": step.title,
                "chapter_id": step.chapter_id,
                "concepts": list(step.concepts),
                "reason": step.reason,
                "minutes": round(stop.section.minutes),
                "on": _iso(stop.on),
            }
            for step, stop in zip(found.plan.steps, days.stops, strict=True)
        ],
        "reviews": [{"concept": each.concept, "on": _iso(each.on)} for each in days.reviews],
        "moved": [{"title": each.title, "was": _iso(each.was), "on": _iso(each.on)} for each in days.moved],
        "message": found.plan.message,
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
