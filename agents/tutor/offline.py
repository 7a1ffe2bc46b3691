"""The tutor's language skill behind the embedded model, and the brief that every model gets."""

from dataclasses import dataclass, replace

from agents.teaching.lesson import Lesson, Order, another_way, first_lesson
from agents.teaching.values import RetrievalResult
from agents.tutor.citations import sources_footer


@dataclass(frozen=True, slots=True, kw_only=True)
class TutorBrief:
    """What the tutor explains in this round, and from which passages."""

    order: Order
    cycle: int
    already_said: str
    passages: tuple[RetrievalResult, ...]
    own: int  # so many of the passages are the part itself; the others are from elsewhere


def explanation(brief: TutorBrief) -> Lesson:
    """The lesson that the embedded model gives to a brief, with its sources below it."""
    own, elsewhere = brief.passages[: brief.own], brief.passages[brief.own :]
    if brief.cycle > 1:
        lesson = another_way(brief.order, own, elsewhere, already_told=brief.already_said)
    else:
        lesson = first_lesson(brief.order, own or elsewhere)
    return replace(lesson, text=f"{lesson.text}\n{sources_footer(brief.order.topic, lesson.sources)}")
