"""The plan in words, with its reasons, as it is told without a large model and behind what one says."""

from agents.language.words import bold, clipped, joined
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
    invitation = f"Shall we begin with **{plan.next_topic}**?" if may_begin else ""
    parts = [plan.message, _opening(plan), "\n".join(lines), invitation]
    return "\n\n".join(part for part in parts if part)


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
