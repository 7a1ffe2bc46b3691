"""How a plan is told without a large model."""

from pydantic import BaseModel

from agents.language.phrases import bold, clipped, joined
from agents.teaching.path import PathStep, Plan

_QUOTED_STEPS = 3  # a passage for each step would bury the plan
_QUOTE_CHARS = 140


def plan_text(plan: Plan, *, may_begin: bool = True) -> str:
    """The plan with its reasons, and how to begin; who has a question open finishes that first."""
    if not plan.steps:
        return plan.message or "There is nothing to plan yet. Tell me what you would like to be able to do."
    lines = [f"{number}. {_line(step)}" for number, step in enumerate(plan.shown, 1)]
    for place, step in enumerate(plan.shown[:_QUOTED_STEPS]):
        lines[place] += _quote(step)
    more = len(plan.steps) - len(plan.shown)
    if more:
        lines.append(f"… and {more} more {'step' if more == 1 else 'steps'} after that.")
    parts = [plan.message, _opening(plan), "\n".join(lines), _invitation(plan) if may_begin else ""]
    return "\n\n".join(part for part in parts if part)


def path_reasoning(plan: Plan) -> str:
    """Why the next topic is next, in one line."""
    if not plan.steps:
        return plan.message
    first = plan.steps[0]
    return f"{first.concept} first. {first.reason}"


def _opening(plan: Plan) -> str:
    if len(plan.steps) == 1:
        return "One step is left:"
    if plan.goals:
        return f"Your way to {joined(bold(plan.goals))}, foundations first:"
    return "What is still ahead of you, foundations first:"


def _line(step: PathStep) -> str:
    if len(step.concepts) > 1:
        return f"**{step.title}**: {joined(step.concepts)}. {step.reason}"
    return f"**{step.concept}** ({step.title}): {step.reason}"


def _quote(step: PathStep) -> str:
    return f"\n   > {clipped(step.evidence, most=_QUOTE_CHARS)}" if step.evidence else ""


def _invitation(plan: Plan) -> str:
    return f"Shall we begin with **{plan.next_topic}**?"


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
