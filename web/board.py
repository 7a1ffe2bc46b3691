"""Where a learner stands: the start, the map and the progress page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup, escape

from agents.learner_record import Planner, goals_of, said
from agents.mastery_book import Reckoning, reckon, reckon_all
from agents.services import Services
from agents.state import SessionState
from agents.study_plan import StudyPlan, study_plan
from agents.syllabus import Syllabus
from agents.teaching.calibration import Bin
from agents.teaching.evidence import LedgerRow, standing
from agents.teaching.record import MILLION, CourseFigures
from agents.teaching.values import Concept
from storage.tasks import Tasks
from web.caller import TEMPLATES, Someone
from web.courses import course_view, in_order
from web.models import offered
from web.study import ConceptChip, chip, question_of
from web.uploads import MOST_BYTES
from web.whereabouts import Whereabouts, whereabouts

_WIDTH, _HEIGHT = 560, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 12, 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day's answers."""

    day: date
    right: int
    wrong: int


def over_time(points: Sequence[tuple[datetime, int]], *, label: str) -> Markup:
    """A line of how many concepts were mastered when; nothing where nobody has answered yet."""
    if not points:
        return Markup()
    most = max(4, *(count for _, count in points))
    begin, end = points[0][0], points[-1][0]
    spread = (end - begin).total_seconds() or 1.0
    places = [(_x((moment - begin).total_seconds() / spread), _y(count / most)) for moment, count in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    last_x, last_y = places[-1]
    area = f"{_LEFT},{_y(0)} {line} {last_x:.1f},{_y(0)}"
    style = "%d %b" if begin.date() != end.date() else "%H:%M"
    body = [
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>',
        f'<circle class="dot" cx="{last_x:.1f}" cy="{last_y:.1f}" r="4"/>',
        _text(_LEFT, f"{begin:{style}}", anchor="start"),
        _text(_WIDTH - _RIGHT, f"{end:{style}}", anchor="end"),
    ]
    return _svg([*_scale(most), *body], label)


def week(days: Sequence[Day], *, label: str) -> Markup:
    """A bar a day: right answers below, the others on top of them."""
    most = max(4, *(day.right + day.wrong for day in days))
    width = _x(0.64 / len(days)) - _LEFT
    body = _scale(most)
    for place, day in enumerate(days):
        left = _x((place + 0.18) / len(days))
        right, all_ = day.right / most, (day.right + day.wrong) / most
        body += [_bar("ok", left, width, 0.0, right), _bar("no", left, width, right, all_)]
        body.append(_text(left + width / 2, f"{day.day:%a}"))
    return _svg(body, label)


def forecast(found: Sequence[Bin], *, label: str) -> Markup:
    """For each tenth what was said, and beside it what came; nothing where too little was forecast yet."""
    if not found:
        return Markup()
    width = _x(0.33 / len(found)) - _LEFT
    body = _scale(100, unit="%")
    for place, each in enumerate(found):
        left = _x((place + 0.15) / len(found))
        body += [
            _bar("said", left, width, 0.0, each.said),
            _bar("ok", left + width + 2, width, 0.0, each.came),
        ]
        body.append(_text(left + width, f"{each.count}×"))
    return _svg(body, label)


def _svg(body: Sequence[str], label: str) -> Markup:
    inner = "".join(body)
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">{inner}</svg>'
    )


def _scale(most: int, *, unit: str = "") -> list[str]:
    """Lines at the bottom, in the middle and at the top."""
    return [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(share) + 4:.1f}" text-anchor="end">{round(most * share)}{unit}</text>'
        for share in (0.0, 0.5, 1.0)
    ]


def _bar(kind: str, left: float, width: float, low: float, high: float) -> str:
    return (
        f'<rect class="{kind}" x="{left:.1f}" y="{_y(high):.1f}" width="{width:.1f}" '
        f'height="{_y(low) - _y(high):.1f}"/>'
    )


def _text(x: float, words: str, *, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{words}</text>'


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


router = APIRouter()

_MOST_DUE = 6
_MOST_ANSWERS = 12
_MOST_TODAY = 300  # answers
_MOST_EARLIER = 60  # answers
_MOST_OPEN = 300  # concepts; a larger course shows those of one part at a time
_DAYS = 7
_FEWEST_FORECASTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseCard:
    """A course, and how far the learner is in it."""

    name: str
    title: str
    concepts: int
    mastered: int
    begun: int
    threshold: float  # a score from here on is mastery
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChapter:
    """One chapter on the map."""

    chapter_id: str
    title: str
    unit: str
    is_here: bool
    concepts: tuple[ConceptChip, ...]
    is_open: bool = True

    @property
    def total(self) -> int:
        return len(self.concepts)

    @property
    def mastered(self) -> int:
        return sum(concept.is_mastered for concept in self.concepts)


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

    concept: ConceptChip
    chapter: str
    chunk_id: str
    due_at: datetime | None
    to_go: int | None  # right answers until it is mastered
    answers: Sequence[tuple[LedgerRow, str]]  # newest first, each with what the learner said
    builds_on: Sequence[ConceptChip]
    needed_for: Sequence[ConceptChip]


@router.get("/", response_class=HTMLResponse)
async def start(caller: Someone) -> Response:
    """Courses, what is due, and where to go on; to a newcomer one sentence and one button."""
    services, now = caller.services, caller.services.now()
    state = await caller.talk.state(caller.user_id)
    records = await reckon_all(services, user_id=caller.user_id, state=state)
    courses = await course_cards(services, records, caller.user_id, state)
    first = courses[0] if courses else None
    is_waiting = first is not None and not (first.is_current or first.begun or first.mastered)
    titles = {course.name: course.title for course in courses}
    rows = [row for course, record in records.items() if course in titles for row in record.rows()]
    due = [row for row in rows if row.is_due(now)]
    today = datetime.combine(now.astimezone(services.zone).date(), time.max, tzinfo=services.zone)
    tasks = await Tasks(services.database).list(caller.user_id, now=now, status="pending")
    has_begun = any(course.begun or course.mastered for course in courses)
    return caller.page(
        "start.html",
        courses=courses,
        titles=titles,
        is_first=not state.current_topic and not has_begun,
        newest=await course_view(caller, first.name) if first and is_waiting else None,
        place=await _place(services, state) if state.course in titles else None,
        where=_where(state),
        due=due[:_MOST_DUE],
        more_due=max(0, len(due) - _MOST_DUE),
        tasks=[task for task in tasks if task.due_at is None or task.due_at <= today][:_MOST_DUE],
        most_bytes=MOST_BYTES,
        offered=offered(caller),
    )


async def course_cards(
    services: Services, records: Mapping[str, Reckoning], user_id: str, state: SessionState
) -> list[CourseCard]:
    """The courses with how much of each a learner has mastered."""
    thresholds = await services.thresholds(user_id)
    cards = []
    begun_in = [name for name, record in records.items() if record.asked]
    known = in_order(
        await services.library.courses(), current=state.course, begun=begun_in, last_visit=state.last_turn_at
    )
    for course in known:
        record = records.get(course.name)
        mastered, begun = (len(record.mastered), len(record.mastery)) if record else (0, 0)
        cards.append(
            CourseCard(
                name=course.name,
                title=course.title,
                concepts=course.concepts,
                mastered=min(course.concepts, mastered),
                begun=begun - mastered,
                threshold=thresholds.of(course.name, asked=state.threshold_asked),
                is_current=course.name == state.course,
            )
        )
    return cards


async def _place(services: Services, state: SessionState) -> Whereabouts | None:
    """The lesson that is open, by its headings."""
    if not state.current_topic:
        return None
    return whereabouts(await services.syllabus(state.course), state).without(state.pending_question)


def _where(state: SessionState) -> str:
    question = question_of(state)
    if question is None:
        return "Lesson" if state.learning_phase else "Choose what comes next"
    if question.is_probe:
        return f"Finding out what you know: question {question.number}"
    return f"Round {state.learning_cycle_count + 1}, question {question.number} of {question.total}"


@router.get("/map", response_class=HTMLResponse)
async def course_map(caller: Someone, course: str = "", chapter: str = "", concept: str = "") -> Response:
    """A course as chapters and concepts with the learner's mastery, what comes next, and one concept in detail."""
    services, user_id = caller.services, caller.user_id
    state = await caller.talk.state(user_id)
    courses = await services.library.courses()
    names = [each.name for each in courses]
    course = next((name for name in (course, state.course, *names) if name in names), "")
    if not course:
        return caller.page("map.html", course="")
    syllabus = await services.syllabus(course)
    planned = state.model_copy(update={"course": course})
    record = await reckon(services, user_id=user_id, course=course, state=planned)
    mastery = {row.concept_name: row for row in record.rows()}
    is_here = state.course == course
    place = state.topic_place.chapter_id if is_here and state.topic_place else ""
    here = state.topic_concepts if is_here else ()
    concepts = {
        name: chip(name, mastery.get(name), now=services.now(), is_here=name in here)
        for name in syllabus.names
    }
    detail, opened = None, chapter or place
    if introduced := next((each for each in syllabus.concepts if each.name == concept), None):
        answers = await services.ledger.newest(
            user_id, course=course, concept_names=[concept], most=_MOST_ANSWERS
        )
        detail = _detail(syllabus, introduced, concepts, record, answers=standing(answers))
        opened = chapter or introduced.chapter_id
    return caller.page(
        "map.html",
        course=course,
        courses=courses,
        title=syllabus.title,
        units=units_of(_chapters(syllabus, concepts, place=place), opened=opened),
        label=whereabouts(syllabus, state).without(state.pending_question).label if is_here else "",
        plan=await Planner(services=services, known=record.record).next_steps(planned, user_id=user_id),
        detail=detail,
        goal=record.threshold,
    )


@router.get("/earlier", response_class=HTMLResponse)
async def earlier(caller: Someone) -> Response:
    """The way back: the last lessons, and the last answers with how they were marked and what they rest on."""
    services = caller.services
    titles = {course.name: course.title for course in await services.library.courses()}
    rows = standing(await services.ledger.newest(caller.user_id, most=_MOST_EARLIER))
    mine = [row for row in reversed(rows) if row.course in titles]
    passages = await services.library.corpus.chunks_by_id([row.chunk_id for row in mine if row.chunk_id])
    return caller.page(
        "earlier.html",
        titles=titles,
        lessons=list(dict.fromkeys((row.course, row.topic) for row in mine)),
        answers=[(row, said(row)) for row in mine],
        places={each.chunk_id: each.place for each in passages},
    )


@router.get("/today", response_class=HTMLResponse)
async def today(caller: Someone) -> Response:
    """The end of a session: what was done today, what is known now, and what comes back when."""
    services, now = caller.services, caller.services.now()
    state = await caller.talk.state(caller.user_id)
    titles = {course.name: course.title for course in await services.library.courses()}
    rows = standing(await services.ledger.newest(caller.user_id, most=_MOST_TODAY))
    here = now.astimezone(services.zone).date()
    done = [row for row in rows if row.answered_at.astimezone(services.zone).date() == here]
    records = await reckon_all(services, user_id=caller.user_id, state=state)
    asked = dict.fromkeys((row.course, row.concept_name) for row in done if row.course in titles)
    kept = [
        row
        for course in dict.fromkeys(course for course, _ in asked)
        for row in records[course].rows_of([name for each, name in asked if each == course])
    ]
    return caller.page(
        "today.html",
        titles=titles,
        right=sum(row.is_correct for row in done),
        answers=len(done),
        known=[row for row in kept if row.mastered],
        begun=[row for row in kept if not row.mastered],
        place=await _place(services, state) if state.course in titles else None,
    )


@router.get("/progress", response_class=HTMLResponse)
async def progress(caller: Someone) -> Response:
    """How it went: mastery over time, this week's answers, and what was forecast against what came."""
    state = await caller.talk.state(caller.user_id)
    return caller.page("progress.html", **await progress_of(caller.services, caller.user_id, state))


async def progress_of(services: Services, user_id: str, state: SessionState) -> dict[str, Any]:
    """What the page and the file about somebody's progress show."""
    now = services.now()
    records = await reckon_all(services, user_id=user_id, state=state)
    here = now.astimezone(services.zone)
    first = datetime.combine(here.date() - timedelta(days=_DAYS - 1), time.min, tzinfo=services.zone)
    answers = await services.ledger.since(user_id, first)
    mastered = sum(len(record.mastered) for record in records.values())
    points = [(moment.astimezone(services.zone), count) for moment, count in _history(records, now=now)]
    days = _week(answers, now=here)
    right, wrong = sum(day.right for day in days), sum(day.wrong for day in days)
    tenths = _tenths([record.record.figures for record in records.values()])
    found = tenths if sum(each.count for each in tenths) >= _FEWEST_FORECASTS else ()
    return {
        "mastered": mastered,
        "goals": sorted({record.threshold for record in records.values()}),
        "answers": sum(record.answers for record in records.values()),
        "right": right,
        "wrong": wrong,
        "over_time": over_time(points, label=f"Concepts mastered over time, now {mastered}"),
        "week": week(days, label=f"Answers this week: {right} right, {wrong} not yet"),
        "forecast": forecast(found, label="What was forecast, and what came"),
        "way": await _plan_made(services, state, user_id=user_id),
        "tasks": await Tasks(services.database).list(user_id, now=now, status="pending"),
    }


async def progress_file(services: Services, user_id: str) -> str:
    """The same as one page that needs nothing else, to be sent or printed."""
    state = SessionState(user_id=user_id)
    shown = await progress_of(services, user_id, state)
    records = await reckon_all(services, user_id=user_id, state=state)
    courses = await course_cards(services, records, user_id, state)
    return str(
        TEMPLATES.env.get_template("progress_file.html").render(
            **shown,
            user_id=user_id,
            courses=[each for each in courses if each.begun or each.mastered],
            now=services.now(),
            zone=services.zone,
            style=Markup((Path(__file__).parent / "static" / "page.css").read_text(encoding="utf-8")),
        )
    )


async def _plan_made(services: Services, state: SessionState, *, user_id: str) -> StudyPlan | None:
    """Theirs, once they have asked for one or named a goal."""
    if not state.course:
        return None
    goals = await goals_of(services, state, user_id=user_id)
    if not goals and await services.learners.plan(user_id, course=state.course) is None:
        return None
    return await study_plan(services, state, user_id=user_id)


@router.post("/progress/done")
async def done(caller: Someone, task_id: Annotated[int, Form()]) -> Response:
    """Tick off the to-do that was pressed: by its number, because two may have one title."""
    await Tasks(caller.services.database).complete(task_id, user_id=caller.user_id, now=caller.services.now())
    return RedirectResponse("/progress", status_code=303)


def _chapters(syllabus: Syllabus, concepts: Mapping[str, ConceptChip], *, place: str) -> list[MapChapter]:
    by_chapter: dict[str, list[ConceptChip]] = {}
    for concept in syllabus.concepts:
        by_chapter.setdefault(concept.chapter_id, []).append(concepts[concept.name])
    return [
        MapChapter(
            chapter_id=each.chapter_id,
            title=each.title,
            unit=each.module_name,
            is_here=each.chapter_id == place,
            concepts=tuple(found),
        )
        for each in syllabus.documents
        if (found := by_chapter.get(each.chapter_id))
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


def _detail(
    syllabus: Syllabus,
    introduced: Concept,
    concepts: Mapping[str, ConceptChip],
    record: Reckoning,
    *,
    answers: Sequence[LedgerRow],
) -> ConceptDetail:
    name = introduced.name
    row = next((row for row in record.rows() if row.concept_name == name), None)
    titles = {each.chapter_id: each.title for each in syllabus.documents}
    below = dict.fromkeys(link.prerequisite for link in syllabus.relationships if link.concept == name)
    above = dict.fromkeys(link.concept for link in syllabus.relationships if link.prerequisite == name)
    return ConceptDetail(
        concept=concepts[name],
        chapter=titles.get(introduced.chapter_id, ""),
        chunk_id=introduced.chunk_id,
        due_at=row.review_due_at if row else None,
        to_go=record.to_go([name]),
        answers=[(answer, said(answer)) for answer in answers[::-1]],
        builds_on=[concepts[each] for each in below if each in concepts],
        needed_for=[concepts[each] for each in above if each in concepts],
    )


def _history(records: Mapping[str, Reckoning], *, now: datetime) -> list[tuple[datetime, int]]:
    """How many concepts were mastered when, over all courses: as it was told then, and as it is now."""
    told = sorted(
        (moment, course, count)
        for course, record in records.items()
        for moment, count in record.record.figures.mastered
    )
    latest: dict[str, int] = {}
    points: list[tuple[datetime, int]] = []
    for moment, course, count in told:
        latest[course] = count
        points.append((moment, sum(latest.values())))
    if not records:
        return []
    first = points[0][0] if points else now
    return [(first, 0), *points, (now, sum(len(record.mastered) for record in records.values()))]


def _tenths(figures: Sequence[CourseFigures]) -> list[Bin]:
    """The forecasts of all courses with what came of them, by tenths, without the empty ones."""
    found = []
    for place, tenths in enumerate(zip(*(each.forecasts for each in figures), strict=True)):
        count = sum(each.count for each in tenths)
        if count:
            said = sum(each.said for each in tenths) / MILLION
            came = sum(each.came for each in tenths)
            found.append(
                Bin(low=place / len(figures[0].forecasts), count=count, said=said / count, came=came / count)
            )
    return found


def _week(rows: Sequence[tuple[datetime, bool]], *, now: datetime) -> list[Day]:
    answers = Counter((moment.astimezone(now.tzinfo).date(), is_correct) for moment, is_correct in rows)
    days = [now.date() - timedelta(days=back) for back in range(_DAYS - 1, -1, -1)]
    return [Day(day=day, right=answers[day, True], wrong=answers[day, False]) for day in days]
