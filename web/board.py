"""Where a learner stands: what the start, the map and the progress page are made of."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Literal

from agents.feedback.calibrating import forecasts
from agents.pathplanner.planner import Planner
from agents.record import said
from agents.services import Services
from agents.state import SessionState
from agents.syllabus import Syllabus
from agents.teaching.calibration import Bin, bins
from agents.teaching.evidence import replay, standing
from agents.teaching.mastery import Parameters, course_mastery
from storage.learner_records import ConceptMastery
from storage.ledger import Evidence
from storage.tasks import Task, Tasks

Status = Literal["done", "due", "some", "new"]
_MOST_DUE = 6
_MOST_ANSWERS = 12
_MOST_OPEN = 300  # concepts; a larger course shows those of one part at a time
_MOMENTS = 12
_FEWEST_FORECASTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseCard:
    """One course on the start page."""

    name: str
    title: str
    concepts: int
    mastered: int
    begun: int
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A mastered concept that should be refreshed by now."""

    concept: str
    course: str
    course_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What the start page shows."""

    courses: tuple[CourseCard, ...]
    due: tuple[Review, ...]
    more_due: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapConcept:
    """One concept on the map."""

    name: str
    status: Status
    score: float
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChapter:
    """One chapter on the map."""

    chapter_id: str
    title: str
    unit: str
    total: int
    mastered: int
    is_here: bool
    concepts: tuple[MapConcept, ...]
    is_open: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MapUnit:
    """The chapters of one part of the course; a large course opens one part at a time."""

    title: str
    chapters: tuple[MapChapter, ...]
    is_open: bool

    @property
    def total(self) -> int:
        return sum(chapter.total for chapter in self.chapters)

    @property
    def mastered(self) -> int:
        return sum(chapter.mastered for chapter in self.chapters)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptDetail:
    """Everything known about one concept of a learner."""

    name: str
    chapter: str
    chunk_id: str
    status: Status
    score: float
    due_at: datetime | None
    answers: tuple[tuple[Evidence, str], ...]
    builds_on: tuple[MapConcept, ...]
    needed_for: tuple[MapConcept, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseMap:
    """A course as chapters and concepts, by mastery."""

    course: str
    title: str
    units: tuple[MapUnit, ...]
    total: int
    mastered: int
    here: str
    next_topic: str = ""
    next_reason: str = ""
    detail: ConceptDetail | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day's answers."""

    day: date
    right: int
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressBoard:
    """What the progress page shows."""

    mastered: int
    concepts: int
    answers: int
    over_time: tuple[tuple[datetime, int], ...]
    week: tuple[Day, ...]
    forecasts: tuple[Bin, ...]
    forecast_count: int
    tasks: tuple[Task, ...] = field(default=())


async def start_board(services: Services, user_id: str, *, current: str) -> Start:
    """Courses with their progress, and what is due."""
    now = services.now()
    rows = await services.learners.mastery(user_id)
    courses = await services.library.courses()
    titles = {course.name: course.title for course in courses}
    due = [
        Review(concept=row.concept_name, course=row.course, course_title=titles[row.course])
        for row in rows
        if row.course in titles and status_of(row, now) == "due"
    ]
    today = datetime.combine(now.astimezone(services.zone).date(), time.max, tzinfo=services.zone)
    tasks = await Tasks(services.database).list(user_id, now=now, status="pending")
    return Start(
        courses=tuple(
            CourseCard(
                name=course.name,
                title=course.title,
                concepts=course.concepts,
                mastered=min(course.concepts, sum(row.mastered for row in rows if row.course == course.name)),
                begun=sum(
                    not row.mastered and row.evidence_count > 0 for row in rows if row.course == course.name
                ),
                is_current=course.name == current,
            )
            for course in courses
        ),
        due=tuple(due[:_MOST_DUE]),
        more_due=max(0, len(due) - _MOST_DUE),
        tasks=tuple(task for task in tasks if task.due_at is None or task.due_at <= today)[:_MOST_DUE],
    )


async def course_map(
    services: Services,
    user_id: str,
    *,
    course: str,
    state: SessionState,
    chapter: str = "",
    concept: str = "",
) -> CourseMap:
    """A course with the learner's mastery on it, what comes next, and one concept in detail."""
    syllabus = await services.syllabus(course)
    mastery = {row.concept_name: row for row in await services.learners.mastery(user_id, course=course)}
    is_here = state.course == course
    here = frozenset(state.topic_concepts if is_here else ())
    place = state.topic_place.chapter_id if is_here and state.topic_place else ""
    plan = await Planner(services=services).next_steps(
        state.model_copy(update={"course": course}), user_id=user_id
    )
    step = plan.steps[0] if plan.steps else None
    now = services.now()
    detail = None
    if concept:
        rows = await services.ledger.of(user_id, course=course, concept_name=concept)
        detail = _detail(syllabus, concept, mastery, rows, now=now, here=here)
    opened = chapter or (_chapter_of(syllabus, concept) if concept else place)
    return CourseMap(
        course=course,
        title=syllabus.title,
        units=units_of(_chapters(syllabus, mastery, now=now, here=here, place=place), opened=opened),
        total=len(syllabus.concepts),
        mastered=sum(mastery[name].mastered for name in syllabus.names if name in mastery),
        here=state.topic_label if is_here else "",
        next_topic=step.concept if step else "",
        next_reason=step.reason if step else plan.message,
        detail=detail,
    )


async def progress_board(services: Services, user_id: str) -> ProgressBoard:
    """Mastery over time, this week's answers, and what was forecast against what came."""
    now = services.now()
    rows = await services.ledger.of(user_id)
    parameters = await services.mastery_parameters()
    courses = {course.name: course.concepts for course in await services.library.courses()}
    mastery = await services.learners.mastery(user_id)
    over_time, said_and_came = await asyncio.to_thread(
        _history, rows, now=now, threshold=services.settings.mastery_threshold, parameters=parameters
    )
    return ProgressBoard(
        mastered=sum(row.mastered for row in mastery),
        concepts=sum(courses.values()),
        answers=len(standing(rows)),
        over_time=tuple((moment.astimezone(services.zone), count) for moment, count in over_time),
        week=_week(standing(rows), today=now.astimezone(services.zone).date(), services=services),
        forecasts=tuple(bins(*said_and_came)) if len(said_and_came[0]) >= _FEWEST_FORECASTS else (),
        forecast_count=len(said_and_came[0]),
        tasks=tuple(await Tasks(services.database).list(user_id, now=now, status="pending")),
    )


def status_of(row: ConceptMastery | None, now: datetime) -> Status:
    """How a concept stands: mastered and fresh, mastered and due, begun, or new."""
    if row is None or not row.evidence_count:
        return "new"
    if not row.mastered:
        return "some"
    return "due" if row.review_due_at and row.review_due_at <= now else "done"


def _concept(
    name: str, mastery: Mapping[str, ConceptMastery], *, now: datetime, here: Iterable[str]
) -> MapConcept:
    row = mastery.get(name)
    return MapConcept(
        name=name,
        status=status_of(row, now),
        score=row.mastery_score if row else 0.0,
        is_here=name in here,
    )


def _chapters(
    syllabus: Syllabus,
    mastery: Mapping[str, ConceptMastery],
    *,
    now: datetime,
    here: frozenset[str],
    place: str,
) -> list[MapChapter]:
    by_chapter: dict[str, list[str]] = {}
    for concept in syllabus.concepts:
        by_chapter.setdefault(concept.chapter_id, []).append(concept.name)
    return [
        MapChapter(
            chapter_id=each.chapter_id,
            title=each.title,
            unit=each.module_name,
            total=len(names),
            mastered=sum(mastery[name].mastered for name in names if name in mastery),
            is_here=each.chapter_id == place,
            concepts=tuple(_concept(name, mastery, now=now, here=here) for name in names),
        )
        for each in syllabus.documents
        if (names := by_chapter.get(each.chapter_id))
    ]


def units_of(chapters: Sequence[MapChapter], *, opened: str) -> tuple[MapUnit, ...]:
    """Neighbours under one title; of a large course only the part with the opened chapter, else the first, is open."""
    opens_all = sum(chapter.total for chapter in chapters) <= _MOST_OPEN
    if opened not in {chapter.chapter_id for chapter in chapters}:
        opened = chapters[0].chapter_id if chapters else ""
    units = []
    for title, neighbours in groupby(chapters, key=lambda each: each.unit):
        group = tuple(neighbours)
        if sum(chapter.total for chapter in group) > _MOST_OPEN:
            group = tuple(replace(each, is_open=each.chapter_id == opened) for each in group)
        is_open = opens_all or any(chapter.chapter_id == opened for chapter in group)
        units.append(MapUnit(title=title, chapters=group, is_open=is_open))
    return tuple(units)


def _chapter_of(syllabus: Syllabus, concept: str) -> str:
    return next((each.chapter_id for each in syllabus.concepts if each.name == concept), "")


def _detail(
    syllabus: Syllabus,
    name: str,
    mastery: Mapping[str, ConceptMastery],
    rows: Sequence[Evidence],
    *,
    now: datetime,
    here: frozenset[str],
) -> ConceptDetail | None:
    concept = next((each for each in syllabus.concepts if each.name == name), None)
    if concept is None:
        return None
    row = mastery.get(name)
    titles = {each.chapter_id: each.title for each in syllabus.documents}
    below = dict.fromkeys(link.prerequisite for link in syllabus.relationships if link.concept == name)
    above = dict.fromkeys(link.concept for link in syllabus.relationships if link.prerequisite == name)
    answers = [answer for answer in standing(rows) if answer.grader != "skipped"]
    return ConceptDetail(
        name=name,
        chapter=titles.get(concept.chapter_id, ""),
        chunk_id=concept.chunk_id,
        status=status_of(row, now),
        score=row.mastery_score if row else 0.0,
        due_at=row.review_due_at if row and row.mastered else None,
        answers=tuple((answer, said(answer)) for answer in answers[::-1][:_MOST_ANSWERS]),
        builds_on=tuple(_concept(each, mastery, now=now, here=here) for each in below),
        needed_for=tuple(_concept(each, mastery, now=now, here=here) for each in above),
    )


def _history(
    rows: Sequence[Evidence], *, now: datetime, threshold: float, parameters: Parameters
) -> tuple[tuple[tuple[datetime, int], ...], tuple[list[float], list[bool]]]:
    """How many concepts were mastered at some moments up to now; and every forecast with what came of it."""
    if not rows:
        return (), ([], [])
    begin = min(row.answered_at for row in rows)
    courses = sorted({row.course for row in rows})
    said_before: list[float] = []
    came: list[bool] = []
    for course in courses:
        for signals, outcome in forecasts(replay(row for row in rows if row.course == course)):
            said_before.append(signals.chance(parameters))
            came.append(outcome)
    step = (now - begin) / _MOMENTS
    moments = [begin + step * number for number in range(1, _MOMENTS)] + [now]
    points = [(begin, 0)]
    for moment in moments:
        count = 0
        for course in courses:
            known = [row for row in rows if row.course == course and row.answered_at <= moment]
            found = course_mastery(replay(known), now=moment, threshold=threshold, parameters=parameters)
            count += sum(each.mastered for each in found.values())
        points.append((moment, count))
    return tuple(points), (said_before, came)


def _week(rows: Sequence[Evidence], *, today: date, services: Services) -> tuple[Day, ...]:
    days = [today - timedelta(days=back) for back in range(6, -1, -1)]
    by_day: dict[date, list[bool]] = {day: [] for day in days}
    for row in rows:
        day = row.answered_at.astimezone(services.zone).date()
        if day in by_day:
            by_day[day].append(row.is_correct)
    return tuple(Day(day=day, right=sum(came), wrong=len(came) - sum(came)) for day, came in by_day.items())
