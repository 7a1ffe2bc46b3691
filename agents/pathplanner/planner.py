"""A learner's path, from the course's graph and what they have mastered."""

from dataclasses import dataclass

from agents.language.words import bold, clipped, joined
from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS, standing
from agents.teaching.path import ConceptGraph, Diagnosed, PathStep, Plan, plan_path, remediation
from storage.learners import MasteryRow

_UNMASTERED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans from the course's graph and the learner's mastery."""

    services: Services

    async def next_steps(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return plan_path(
            graph,
            mastery,
            goals=state.goals,
            threshold=self.services.threshold(state),
            diagnosed=await self._diagnosed(graph, state, user_id=user_id),
        )

    async def repair(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return remediation(
            graph,
            mastery,
            topic_concepts=state.topic_concepts,
            gaps=state.prerequisite_gaps,
            threshold=self.services.threshold(state),
        )

    async def graph(self, course: str) -> ConceptGraph:
        syllabus = await self.services.syllabus(course)
        titles = {document.chapter_id: document.title for document in syllabus.documents}
        return ConceptGraph.of(syllabus.concepts, syllabus.relationships, chapter_titles=titles)

    async def _known(self, state: SessionState, *, user_id: str) -> tuple[ConceptGraph, dict[str, float]]:
        rows = await self.services.learners.mastery(user_id, course=state.course)
        return await self.graph(state.course), {row.concept_name: _planned_score(row) for row in rows}

    async def _diagnosed(self, graph: ConceptGraph, state: SessionState, *, user_id: str) -> Diagnosed:
        """The gaps of the last diagnostic, with what is open below them, and what was right from the start."""
        gaps = await self.services.learners.gaps(user_id, course=state.course)
        found = [gap for gap in gaps if gap.origin == "diagnostic"]
        newest = max((gap.detected_at for gap in found), default=None)
        latest = graph.closure(gap.concept_name for gap in found if gap.detected_at == newest)
        answers = standing(await self.services.ledger.of(user_id, course=state.course))
        unsettled = {
            row.concept_name for row in answers if not row.is_correct or row.cycle_number > BEFORE_LESSONS
        }
        return Diagnosed(
            gaps=graph.in_teaching_order({gap.concept_name for gap in gaps} & latest),
            shown=frozenset(row.concept_name for row in answers) - unsettled,
        )


def _planned_score(row: MasteryRow) -> float:
    """A good score on too little evidence is no mastery, so it does not take a concept off the path."""
    return row.mastery_score if row.mastered else min(row.mastery_score, _UNMASTERED)


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
