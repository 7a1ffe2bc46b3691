"""The examiner's language skill behind the embedded model, and the briefs that every model gets."""

from typing import Literal

from pydantic import BaseModel

from agents.models.embedded import Reply, Request
from agents.state import Difficulty, QuizQuestion
from agents.teaching.questions.writing import write_items
from rag.results import RetrievalResult
from storage.course import Concept


class OwnQuiz(BaseModel):
    """What the embedded model answers to a WriteBrief."""

    items: list[QuizQuestion]


class WriteBrief(BaseModel):
    """Which questions to write, from which passages."""

    task: Literal["write"] = "write"
    concepts: tuple[Concept, ...]
    count: int
    difficulties: tuple[Difficulty, ...]
    topic_concepts: tuple[str, ...]
    focus: tuple[str, ...]
    missed: tuple[str, ...]
    unproven: tuple[str, ...]
    avoid: tuple[str, ...]
    told: str
    seed: int
    passages: tuple[RetrievalResult, ...]


def own_items(brief: WriteBrief) -> list[QuizQuestion]:
    """The questions that the embedded model writes."""
    return write_items(
        brief.passages,
        concepts=brief.concepts,
        count=brief.count,
        difficulties=brief.difficulties,
        avoid=brief.avoid,
        focus=brief.focus,
        topic=brief.topic_concepts,
        missed=brief.missed,
        unproven=brief.unproven,
        told=brief.told,
        seed=brief.seed,
    )


def speak(request: Request) -> Reply:
    items = own_items(WriteBrief.model_validate(request.brief))
    return Reply(data={"items": [item.model_dump(mode="json") for item in items]})
