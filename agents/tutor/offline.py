"""The lesson by code alone: the author's own paragraphs, whole and in order."""

from dataclasses import dataclass

from agents.citations import above_sources
from agents.said import Said
from agents.teaching.lesson import Lesson, Order, another_way, first_lesson
from agents.teaching.values import RetrievalResult


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPlan:
    """What the tutor explains in this round, and from which passages."""

    order: Order
    cycle: int
    already_said: str
    passages: tuple[RetrievalResult, ...]
    own: int  # so many of the passages are the part itself; the others are from elsewhere


def explanation(brief: LessonPlan) -> Lesson:
    """The lesson of a round."""
    own, elsewhere = brief.passages[: brief.own], brief.passages[brief.own :]
    if brief.cycle > 1:
        return another_way(brief.order, own, elsewhere, already_told=brief.already_said)
    return first_lesson(brief.order, own or elsewhere)


def as_said(lesson: Lesson) -> Said:
    """With what comes after it, and its sources below."""
    said = Said.of(lesson.text).then("way_on", f"\n\n{lesson.way_on}" if lesson.way_on else "")
    return above_sources(said, lesson.sources, with_scores=False)
