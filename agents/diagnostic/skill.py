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


def keeps_the_findings(text: str, brief: DiagnosticBrief) -> bool:
    """Whether a model's words name the gaps that were found first."""
    return bool(text) and all(gap.lower() in text.lower() for gap in brief.gaps[:2])
