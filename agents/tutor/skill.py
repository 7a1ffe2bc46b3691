"""The tutor's language skill behind the embedded model, and the brief that every model gets."""

from pydantic import BaseModel

from agents.models.embedded import Reply, Request
from agents.state import LearnerLevel
from agents.tutor.explain import Explanation, explain
from rag.results import RetrievalResult
from storage.course import Concept


class TutorBrief(BaseModel):
    """What the tutor explains, to whom, and from which passages."""

    topic: str
    level: LearnerLevel
    cycle: int
    concepts: tuple[Concept, ...]
    missed: tuple[str, ...]
    foundations: dict[str, tuple[str, ...]]
    already_said: str
    passages: tuple[RetrievalResult, ...]


def explanation(brief: TutorBrief) -> Explanation:
    """The explanation that the embedded model gives to a brief."""
    return explain(
        brief.topic,
        brief.passages,
        concepts=brief.concepts,
        level=brief.level,
        cycle=brief.cycle,
        focus=brief.missed,
        foundations=brief.foundations,
        already_explained=brief.already_said,
    )


def speak(request: Request) -> Reply:
    return Reply(text=explanation(TutorBrief.model_validate(request.brief)).text)
