"""The examiner's language skill behind the embedded model, and the briefs that every model gets."""

from pydantic import BaseModel

from agents.teaching.questions.writing import write_items
from agents.teaching.values import Difficulty, QuizQuestion
from rag.results import RetrievalResult
from storage.course import Concept


class WriteBrief(BaseModel):
    """Which questions to write, from which passages."""

    concepts: tuple[Concept, ...]
    count: int
    difficulties: tuple[Difficulty, ...]
    topic: tuple[str, ...]
    focus: tuple[str, ...]
    missed: tuple[str, ...]
    unproven: tuple[str, ...]
    avoid: tuple[str, ...]
    never: tuple[str, ...] = ()  # taken out by a teacher
    told: str
    elsewhere: tuple[str, ...] = ()
    seed: int
    passages: tuple[RetrievalResult, ...]


def own_items(brief: WriteBrief) -> list[QuizQuestion]:
    """The questions that the embedded model writes."""
    return write_items(**dict(brief))
