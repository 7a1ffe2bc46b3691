"""The path planner's language skill behind the embedded model, and the brief that every model gets."""

from pydantic import BaseModel

from agents.models.embedded import Reply, Request


class StepBrief(BaseModel):
    """One step of a plan."""

    concept: str
    chapter: str
    reason: str


class PathBrief(BaseModel):
    """A decided plan, and how we would tell it ourselves."""

    goals: tuple[str, ...]
    steps: tuple[StepBrief, ...]
    message: str
    draft: str


def speak(request: Request) -> Reply:
    return Reply(text=PathBrief.model_validate(request.brief).draft)
