"""The lesson by code alone: the author's own paragraphs, whole and in order."""

from dataclasses import dataclass, replace

from agents.teaching.lesson import Lesson, Order, another_way, first_lesson
from agents.teaching.values import RetrievalResult
from rag.retriever import sources_footer


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPlan:
    """What the tutor explains in this round, and from which passages."""

    order: Order
    cycle: int
    already_said: str
    passages: tuple[RetrievalResult, ...]
    own: int  # so many of the passages are the part itself; the others are from elsewhere


def explanation(brief: LessonPlan) -> Lesson:
    """The lesson of a round, with its sources below it."""
    own, elsewhere = brief.passages[: brief.own], brief.passages[brief.own :]
    if brief.cycle > 1:
        lesson = another_way(brief.order, own, elsewhere, already_told=brief.already_said)
    else:
        lesson = first_lesson(brief.order, own or elsewhere)
    return replace(lesson, text=f"{lesson.text}\n{sources_footer(lesson.sources, with_scores=False)}")
