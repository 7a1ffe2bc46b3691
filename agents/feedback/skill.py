"""The feedback's language skill behind the embedded model, and the brief that every model gets."""

from pydantic import BaseModel

from agents.models.embedded import Reply, Request
from agents.state import ErrorPattern


class FeedbackBrief(BaseModel):
    """How a quiz went and what happens next, all decided, and how we would tell it ourselves."""

    topic: str
    right: int
    total: int
    mastery: float
    is_mastered: bool
    is_last_cycle: bool
    patterns: tuple[ErrorPattern, ...]
    next_topic: str
    draft: str
    score_line: str
    what_comes_next: str


def speak(request: Request) -> Reply:
    return Reply(text=FeedbackBrief.model_validate(request.brief).draft)
