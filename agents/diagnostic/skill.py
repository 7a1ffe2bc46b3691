"""The diagnostic's language skill behind the embedded model, and the brief that every model gets."""

from pydantic import BaseModel

from agents.models.embedded import Reply, Request
from agents.state import LearnerLevel


class DiagnosticBrief(BaseModel):
    """What the questions showed, and how we would tell it ourselves."""

    topic: str
    gaps: tuple[str, ...]
    strong: tuple[str, ...]
    level: LearnerLevel
    recommendations: tuple[str, ...]
    draft: str


def speak(request: Request) -> Reply:
    return Reply(text=DiagnosticBrief.model_validate(request.brief).draft)
