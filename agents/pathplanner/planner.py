"""A learner's path, from the course's graph and what they have mastered."""

from dataclasses import dataclass

from agents.services import Services
from agents.state import SessionState
from agents.teaching.evidence import BEFORE_LESSONS, standing
from agents.teaching.path import ConceptGraph, Diagnosed, Plan, plan_path, remediation
from storage.learner_records import ConceptMastery

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


def _planned_score(row: ConceptMastery) -> float:
    """A good score on too little evidence is no mastery, so it does not take a concept off the path."""
    return row.mastery_score if row.mastered else min(row.mastery_score, _UNMASTERED)
