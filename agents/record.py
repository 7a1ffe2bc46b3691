"""What we know of a learner, read from the database at a glance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.pathplanner.planner import Planner
from agents.services import Services
from agents.state import MOST_GOALS, SessionState
from agents.syllabus import Chapter, Syllabus
from agents.teaching.evidence import standing
from agents.teaching.grading.choices import in_words
from agents.teaching.values import LearnerLevel
from storage.learner_records import LearningCycle
from storage.ledger import Evidence
from storage.study_tasks import StudyTask, StudyTasks

_SHOWN_ANSWERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerRecord:
    """One learner in one course."""

    course_title: str
    topics: tuple[str, ...]
    level: LearnerLevel
    scores: dict[str, float]
    mastered: tuple[str, ...]
    gaps: tuple[str, ...]
    due: tuple[str, ...]
    open_topic: str
    cycles: tuple[tuple[str, int, float | None], ...]
    answers: tuple[Evidence, ...]
    study_tasks: tuple[StudyTask, ...] = ()
    promising: tuple[str, ...] = ()  # every answer right so far, but too few of them
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
            return "I have no answers of yours yet, so I believe nothing about what you know. Say **teach me** a topic."
        lines = ["This is what I base it on, newest first:", ""]
        for answer in reversed(self.answers[-_SHOWN_ANSWERS:]):
            verdict = "right" if answer.is_correct else "wrong"
            lines.append(
                f"- **{answer.concept_name}**: “{answer.question_text}” You said “{said(answer)}”: {verdict}. "
                f"(answer {answer.id}, judged by {answer.grader})"
            )
        lines += [
            "",
            *(
                f"- {name}: {score:.0%} likely to get the next one right"
                for name, score in self.scores.items()
            ),
        ]
        return "\n".join(lines)


def said(answer: Evidence) -> str:
    """What the learner answered, an option by its words."""
    is_option = answer.kind == "multiple_choice"
    return in_words(answer.learner_answer, answer.options) if is_option else answer.learner_answer


async def load_record(services: Services, user_id: str, state: SessionState) -> LearnerRecord:
    """Read a learner's record for the current course."""
    syllabus = await services.syllabus(state.course)
    mastery = await services.learners.mastery(user_id, course=state.course)
    cycles = await services.learners.cycles(user_id)
    diagnostics = await services.learners.diagnostics(user_id)
    gaps = await services.learners.gaps(user_id, course=state.course)
    answers = await services.ledger.of(user_id, course=state.course)
    now = services.now()
    standing_answers = standing(answers)
    missed = {row.concept_name for row in standing_answers if not row.is_correct}
    mastered = tuple(row.concept_name for row in mastery if row.mastered)
    return LearnerRecord(
        course_title=syllabus.title,
        topics=tuple(syllabus.topic_names()),
        level=diagnostics[-1].learner_level if diagnostics else state.learner_level,
        scores={row.concept_name: row.mastery_score for row in mastery},
        mastered=mastered,
        promising=tuple(
            dict.fromkeys(
                row.concept_name for row in standing_answers if row.concept_name not in {*missed, *mastered}
            )
        ),
        gaps=tuple(gap.concept_name for gap in gaps),
        due=tuple(
            row.concept_name
            for row in mastery
            if row.mastered and row.review_due_at and row.review_due_at <= now
        ),
        open_topic=_left_open(cycles, syllabus),
        cycles=tuple((cycle.topic, cycle.cycle_number, cycle.quiz_score) for cycle in cycles),
        answers=tuple(answers),
        chapters=syllabus.chapters,
        study_tasks=tuple(await StudyTasks(services.database).of(user_id, course=state.course)),
    )


def _left_open(cycles: Sequence[LearningCycle], syllabus: Syllabus) -> str:
    """The topic of the last round that did not end in mastery, if this course has it."""
    last = cycles[-1] if cycles else None
    is_open = last is not None and not last.mastery_achieved and syllabus.topic_named(last.topic) is not None
    return last.topic if last and is_open else ""


async def restore(
    services: Services, state: SessionState, *, user_id: str, session_id: str
) -> dict[str, Any]:
    """What a new session starts with: every key, and the learner's level, gaps, open topic and path from the database."""
    course = state.course
    record = await load_record(services, user_id, state)
    stated = await services.learners.goals(user_id, course=course)
    rules = _rules(services, state)
    goals = list(state.goals or stated[-MOST_GOALS:])
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
    chosen = {
        name: getattr(state, name) if name in state.model_fields_set else value
        for name, value in usual.items()
    }
    return {**chosen, "mastery_threshold": services.threshold(state)}


async def _below(services: Services, topic: str, gaps: Sequence[str], *, course: str) -> list[str]:
    """The gaps that a topic can build on; its own concepts are what it is about to teach."""
    found = (await services.syllabus(course)).topic(topic) if topic else None
    return [gap for gap in gaps if found is None or gap not in found.concepts]


async def _path(services: Services, state: SessionState, *, user_id: str) -> dict[str, Any]:
    """The learner's path, planned anew from what they have mastered by now."""
    plan = await Planner(services=services).next_steps(state, user_id=user_id)
    return {"learning_path": list(plan.concepts), "next_topic": plan.next_topic}
