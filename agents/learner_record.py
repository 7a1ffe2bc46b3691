"""What we know of a learner, read from the database at a glance, the path that follows from it, and how both are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from agents.bookkeeping import course_record
from agents.language.words import in_short
from agents.mastery_book import Reckoning, kept_mastery, reckon
from agents.services import Services
from agents.state import MOST_GOALS, SessionState
from agents.syllabus import Chapter, Syllabus
from agents.task_manager.study_tasks import summary
from agents.teaching.evidence import LedgerRow
from agents.teaching.grading.rules import in_words
from agents.teaching.path import ConceptGraph, Diagnosed, Plan, plan_path, remediation
from agents.teaching.record import CourseRecord
from agents.teaching.thresholds import Thresholds, exactly, goal, percent, to_go
from agents.teaching.values import LearnerLevel
from storage.learners import LearningCycle
from storage.tasks import StudyTask, StudyTasks

_SHOWN_ANSWERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerRecord:
    """One learner in one course."""

    course_title: str
    topics: tuple[str, ...]
    level: LearnerLevel
    threshold: float  # from which on something is mastered
    scores: dict[str, float]
    mastered: tuple[str, ...]
    to_go: dict[str, int | None]  # right answers until each of the others is
    gaps: tuple[str, ...]
    due: tuple[str, ...]
    open_topic: str
    left: SessionState | None  # the lesson of this course that is not over, the last of several
    cycles: tuple[tuple[str, int, float | None], ...]
    answers: tuple[LedgerRow, ...]  # the newest
    study_tasks: tuple[StudyTask, ...] = ()
    chapters: tuple[Chapter, ...] = ()  # of the whole course

    @property
    def concepts(self) -> set[str]:
        """All that there is to master: what the chapters teach, and what else was asked about."""
        return {*self.scores, *(name for chapter in self.chapters for name in chapter.names)}

    @property
    def is_known(self) -> bool:
        return bool(self.answers or self.cycles or self.gaps)

    def evidence_text(self) -> str:
        """Why we believe what we believe: the answers it rests on."""
        if not self.answers:
            return "You haven't answered anything yet, so I can't say what you know. Say **teach me** and a topic."
        lines = ["This is what I base it on, newest first:", ""]
        for answer in reversed(self.answers[-_SHOWN_ANSWERS:]):
            verdict = "right" if answer.is_correct else "wrong"
            lines.append(
                f"- **{answer.concept_name}**: “{in_short(answer.question_text)}” You said “{said(answer)}”: {verdict}. "
                f"(answer {answer.id}, judged by {answer.grader})"
            )
        lines += [
            "",
            *(
                f"- {name}: {percent(score)} likely to get the next one right"
                for name, score in self.scores.items()
            ),
        ]
        return "\n".join(lines)


def said(answer: LedgerRow) -> str:
    """What the learner answered, an option by its words."""
    is_option = answer.kind in ("multiple_choice", "several")
    return in_words(answer.learner_answer, answer.options) if is_option else answer.learner_answer


async def load_record(
    services: Services, user_id: str, state: SessionState, *, known: Reckoning | None = None
) -> LearnerRecord:
    """Read a learner's record for the current course, unless it is known what the ledger says."""
    syllabus = await services.syllabus(state.course)
    known = known or await reckon(services, user_id=user_id, course=state.course, state=state)
    rows, now = known.rows(), services.now()
    cycles = await services.learners.cycles(user_id)
    diagnostics = await services.learners.diagnostics(user_id)
    gaps = await services.learners.gaps(user_id, course=state.course)
    places = await services.lessons.places(user_id, course=state.course)
    left = SessionState.of(places[0].lesson) if places else None
    return LearnerRecord(
        course_title=syllabus.title,
        topics=tuple(syllabus.topic_names()),
        level=diagnostics[-1].learner_level if diagnostics else state.learner_level,
        threshold=known.threshold,
        scores={row.concept_name: row.mastery_score for row in rows},
        mastered=tuple(row.concept_name for row in rows if row.mastered),
        to_go={row.concept_name: known.to_go([row.concept_name]) for row in rows if not row.mastered},
        gaps=tuple(gap.concept_name for gap in gaps),
        due=tuple(row.concept_name for row in rows if row.is_due(now)),
        open_topic=left.current_topic if left else _left_open(cycles, syllabus),
        left=left,
        cycles=tuple((cycle.topic, cycle.cycle_number, cycle.quiz_score) for cycle in cycles),
        answers=tuple(await services.ledger.newest(user_id, course=state.course, most=_SHOWN_ANSWERS)),
        chapters=syllabus.chapters,
        study_tasks=tuple(await StudyTasks(services.database).of(user_id, course=state.course)),
    )


def _left_open(cycles: Sequence[LearningCycle], syllabus: Syllabus) -> str:
    """The topic of the last round that did not end in mastery, if this course has it."""
    last = cycles[-1] if cycles else None
    is_open = last is not None and not last.mastery_achieved and syllabus.topic_named(last.topic) is not None
    return last.topic if last and is_open else ""


async def goals_of(services: Services, state: SessionState, *, user_id: str) -> list[str]:
    """The goals of the session, or those that the learner stated last in its course."""
    return state.goals or list(await services.learners.goals(user_id, course=state.course))[-MOST_GOALS:]


async def restore(
    services: Services, state: SessionState, *, user_id: str, session_id: str
) -> dict[str, Any]:
    """What a new session starts with: every key, and the learner's level, gaps, open topic and path from the database."""
    course = state.course
    record = await load_record(services, user_id, state)
    goals = await goals_of(services, state, user_id=user_id)
    rules = _rules(services, state)
    restored = state.model_copy(update={**rules, "goals": goals})
    path = await _path(services, restored, user_id=user_id) if record.is_known or goals else {}
    topic = state.current_topic or record.open_topic
    known = {
        "user_id": user_id,
        "session_id": session_id,
        "course": course,
        "learner_level": record.level,
        "prerequisite_gaps": await _below(services, topic, record.gaps, course=course),
        "current_topic": topic,
        "goals": goals,
        **rules,
        **path,
    }
    return restored.changes(**{**dict(restored), **known})


def _rules(services: Services, state: SessionState) -> dict[str, Any]:
    """The rules of the loop: the client's, where the session came with some, else the settings'."""
    usual = {"max_cycles": services.settings.max_cycles, "quiz_length": services.settings.quiz_questions}
    return {
        name: getattr(state, name) if name in state.model_fields_set else value
        for name, value in usual.items()
    }


def threshold_given(thresholds: Thresholds, state: SessionState) -> tuple[dict[str, Any], str]:
    """What a session's threshold is to be, and what its client hears that asked for less; empty where all stands."""
    asked, usual = state.threshold_asked, thresholds.of(state.course)
    counts = thresholds.of(state.course, asked=asked)
    wrote = state.threshold_given if state.threshold_given is not None else usual
    note = ""
    if asked is not None and asked < min(usual, wrote):
        note = (
            f"This session asks for mastery from {exactly(asked)} on. That was not taken ({goal(counts)}): a session "
            "may only ask for more, so that no client decides what counts as mastered. Learners choose theirs on "
            "their page “Yours”, teachers for a course, and who runs the tutor by TUTOR_MASTERY_THRESHOLD."
        )
    if (state.mastery_threshold, state.threshold_given) == (counts, usual):
        return {}, note
    return state.changes(mastery_threshold=counts, threshold_given=usual), note


async def _below(services: Services, topic: str, gaps: Sequence[str], *, course: str) -> list[str]:
    """The gaps that a topic can build on; its own concepts are what it is about to teach."""
    found = (await services.syllabus(course)).topic(topic) if topic else None
    return [gap for gap in gaps if found is None or gap not in found.concepts]


async def _path(services: Services, state: SessionState, *, user_id: str) -> dict[str, Any]:
    """The learner's path, planned anew from what they have mastered by now."""
    return (await Planner(services=services).next_steps(state, user_id=user_id)).keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans from the course's graph and the learner's mastery."""

    services: Services
    known: CourseRecord | None = None  # of the learner and the course, where that was read already

    async def next_steps(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return plan_path(
            graph,
            mastery,
            goals=state.goals,
            taught_with=(await self.services.syllabus(state.course)).taught_with,
            threshold=await self.services.threshold(user_id, state),
            diagnosed=await self._diagnosed(graph, state, user_id=user_id),
        )

    async def repair(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return remediation(
            graph,
            mastery,
            topic_concepts=state.topic_concepts,
            gaps=state.prerequisite_gaps,
            threshold=await self.services.threshold(user_id, state),
        )

    async def graph(self, course: str) -> ConceptGraph:
        syllabus = await self.services.syllabus(course)
        titles = {document.chapter_id: document.title for document in syllabus.documents}
        return ConceptGraph.of(syllabus.concepts, syllabus.relationships, chapter_titles=titles)

    async def _known(self, state: SessionState, *, user_id: str) -> tuple[ConceptGraph, dict[str, float]]:
        rows = await kept_mastery(self.services, user_id, course=state.course)
        return await self.graph(state.course), {row.concept_name: row.mastery_score for row in rows}

    async def _diagnosed(self, graph: ConceptGraph, state: SessionState, *, user_id: str) -> Diagnosed:
        """The gaps of the last diagnostic, with what is open below them, and what was right from the start."""
        gaps = await self.services.learners.gaps(user_id, course=state.course)
        found = [gap for gap in gaps if gap.origin == "diagnostic"]
        newest = max((gap.detected_at for gap in found), default=None)
        latest = graph.closure(gap.concept_name for gap in found if gap.detected_at == newest)
        known = self.known
        if known is None:
            shelves = await self.services.ledger.shelves_of(user_id, course=state.course)
            known = course_record(shelves.get(state.course))
        return Diagnosed(
            gaps=graph.in_teaching_order({gap.concept_name for gap in gaps} & latest),
            shown=frozenset(name for name, each in known.concepts.items() if each.is_known_from_the_start),
        )


_WIDTH, _ROW, _MARGIN, _LABEL = 760, 28, 24, 230
_INK, _DONE, _OPEN, _GROUND, _LINE = "#1f2937", "#15803d", "#2563eb", "#e5e7eb", "#9ca3af"
_MOST_ROWS = 12
_WORDS = 170  # of the width, for a word beside a bar


def progress_chart(record: LearnerRecord) -> bytes:
    """A PNG of bars; the line is the threshold."""
    concepts = sorted(record.scores.items(), key=lambda item: -item[1])[:_MOST_ROWS]
    cycles = [
        (f"{topic}, cycle {number}", score) for topic, number, score in record.cycles if score is not None
    ]
    height = 2 * _MARGIN + _ROW * (len(concepts) + len(cycles[-_MOST_ROWS:]) + (3 if cycles else 1))
    image = Image.new("RGB", (_WIDTH, height), "white")
    draw = ImageDraw.Draw(image)
    y = _section(draw, "Mastery by concept", _MARGIN)
    for name, score in concepts:
        y = _bar(
            draw, name, score, y, color=_DONE if name in record.mastered else _OPEN, line=record.threshold
        )
    if cycles:
        y = _section(draw, "Quiz score by cycle", y + _ROW // 2)
    for name, score in cycles[-_MOST_ROWS:]:
        y = _bar(draw, name, score, y, color=_OPEN)
    out = BytesIO()
    image.save(out, format="PNG", optimize=True)
    return out.getvalue()


def status_chart(title: str, rows: Sequence[tuple[str, str, float]]) -> bytes:
    """A PNG with a row for each name: a bar from none to full, and the word for it."""
    height = 2 * _MARGIN + _ROW * (len(rows) + 1)
    image = Image.new("RGB", (_WIDTH, height), "white")
    draw = ImageDraw.Draw(image)
    y = _section(draw, title, _MARGIN)
    left, right = _MARGIN + _LABEL, _WIDTH - _MARGIN - _WORDS
    for name, word, share in rows:
        draw.text((_MARGIN, y + 4), name[:32], fill=_INK, font=_font(14))
        draw.rectangle((left, y + 5, right, y + _ROW - 7), fill=_GROUND)
        if share:
            color = _DONE if share == 1.0 else _OPEN
            draw.rectangle((left, y + 5, left + round((right - left) * share), y + _ROW - 7), fill=color)
        draw.text((right + 8, y + 4), word, fill=_INK, font=_font(14))
        y += _ROW
    out = BytesIO()
    image.save(out, format="PNG", optimize=True)
    return out.getvalue()


def _section(draw: ImageDraw.ImageDraw, title: str, y: int) -> int:
    draw.text((_MARGIN, y), title, fill=_INK, font=_font(17))
    return y + _ROW


def _bar(
    draw: ImageDraw.ImageDraw, name: str, score: float, y: int, *, color: str, line: float | None = None
) -> int:
    left, right = _MARGIN + _LABEL, _WIDTH - _MARGIN - 56
    draw.text((_MARGIN, y + 4), name[:32], fill=_INK, font=_font(14))
    draw.rectangle((left, y + 5, right, y + _ROW - 7), fill=_GROUND)
    draw.rectangle((left, y + 5, left + round((right - left) * score), y + _ROW - 7), fill=color)
    if line is not None:
        at = left + round((right - left) * line)
        draw.line((at, y + 2, at, y + _ROW - 4), fill=_LINE, width=2)
    draw.text((right + 8, y + 4), percent(score), fill=_INK, font=_font(14))
    return y + _ROW


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


_BAR = 10
_MOST_CONCEPTS = 12


def progress_text(record: LearnerRecord) -> str:
    """Mastery by concept as bars, then gaps, reviews and study tasks."""
    if not record.scores:
        nothing = (
            "You haven't answered anything yet, so there is nothing to show. "
            "Say **teach me** and a topic, or **find my gaps**."
        )
        return f"{nothing}\n{summary(record.study_tasks)}".rstrip()
    ordered = sorted(record.scores.items(), key=lambda item: -item[1])
    lines = [
        f"**{len(record.mastered)} of {len(record.concepts)}** concepts mastered in {record.course_title} "
        f"({goal(record.threshold)}).",
        "",
        *_chapters(record),
        "",
    ]
    lines += [
        "```",
        *(bar(name, score, mark=_mark(name, record)) for name, score in ordered[:_MOST_CONCEPTS]),
        "```",
    ]
    if len(ordered) > _MOST_CONCEPTS:
        lines.append(f"… and {len(ordered) - _MOST_CONCEPTS} more.")
    if record.gaps:
        lines.append(f"Still shaky: {', '.join(record.gaps[:6])}.")
    if record.due:
        lines.append(f"Due for review: {', '.join(record.due[:6])}.")
    if record.study_tasks:
        lines.append(summary(record.study_tasks))
    lines.append(
        "A bar is the chance that you get the next question on that concept right. From "
        f"{exactly(record.threshold)} on it is mastered; what can be guessed, or took a hint, counts less."
    )
    return "\n".join(lines)


def _chapters(record: LearnerRecord) -> list[str]:
    """Chapter by chapter, with its parts where it has several; what was not begun yet is only counted."""
    begun = [chapter for chapter in record.chapters if not record.scores.keys().isdisjoint(chapter.names)]
    lines = [f"- {_chapter(chapter, record)}" for chapter in begun]
    untouched = len(record.chapters) - len(begun)
    if untouched:
        noun = "chapter" if untouched == 1 else "chapters"
        lines.append(f"- {untouched} {'other ' if begun else ''}{noun} not begun yet")
    return lines


def _chapter(chapter: Chapter, record: LearnerRecord) -> str:
    mastered = set(record.mastered)
    done = sum(name in mastered for name in chapter.names)
    said = f"**{chapter.title}**: {done} of {len(chapter.names)} concepts"
    if len(chapter.parts) > 1:
        said += f", {sum(mastered.issuperset(part) for part in chapter.parts)} of {len(chapter.parts)} parts"
    return f"{said} mastered"


def bar(name: str, score: float, *, mark: str) -> str:
    full = round(score * _BAR)
    return f"{name[:24]:<24} {'█' * full}{'░' * (_BAR - full)} {percent(score):>4} {mark}".rstrip()


def _mark(name: str, record: LearnerRecord) -> str:
    """Mastered, or how much more it takes."""
    return "✓" if name in record.mastered else to_go(record.to_go[name], threshold=record.threshold)
