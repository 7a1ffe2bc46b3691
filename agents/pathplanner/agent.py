"""The path planner: what to learn next and why, foundations first."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.genai import types

from agents.pathplanner.graph import ConceptGraph
from agents.pathplanner.plan import Plan, plan_path, remediation
from agents.pathplanner.skill import PathBrief, StepBrief, keeps_the_plan
from agents.pathplanner.wording import path_reasoning, plan_text
from agents.prompts import from_prompt
from agents.services import Services
from agents.speech import Step
from agents.state import SessionState
from storage.learner_records import ConceptMastery

_UNMASTERED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans from the course's graph and the learner's mastery."""

    services: Services

    async def next_steps(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return plan_path(graph, mastery, goals=state.goals, threshold=state.mastery_threshold)

    async def repair(self, state: SessionState, *, user_id: str) -> Plan:
        graph, mastery = await self._known(state, user_id=user_id)
        return remediation(
            graph,
            mastery,
            topic_concepts=state.topic_concepts,
            gaps=state.prerequisite_gaps,
            threshold=state.mastery_threshold,
        )

    async def graph(self, course: str) -> ConceptGraph:
        syllabus = await self.services.syllabus(course)
        titles = {document.chapter_id: document.title for document in syllabus.documents}
        return ConceptGraph.of(syllabus.concepts, syllabus.relationships, chapter_titles=titles)

    async def _known(self, state: SessionState, *, user_id: str) -> tuple[ConceptGraph, dict[str, float]]:
        rows = await self.services.learners.mastery(user_id, course=state.course)
        return await self.graph(state.course), {row.concept_name: _planned_score(row) for row in rows}


def _planned_score(row: ConceptMastery) -> float:
    """A good score on too little evidence is no mastery, so it does not take a concept off the path."""
    return row.mastery_score if row.mastered else min(row.mastery_score, _UNMASTERED)


class PathPlanner(Step):
    """Due whenever the coordinator hands over to it."""

    def is_due(self, state: SessionState) -> bool:
        return True

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        planner = Planner(services=self.services)
        needs_repair = (
            bool(state.improvement_areas) and state.learning_cycle_count >= self.services.settings.max_cycles
        )
        plan = await (planner.repair if needs_repair else planner.next_steps)(state, user_id=ctx.user_id)
        brief = PathBrief(
            goals=plan.goals,
            steps=tuple(StepBrief(concept=s.concept, chapter=s.title, reason=s.reason) for s in plan.shown),
            message=plan.message,
            draft=plan_text(plan),
        )
        spoken = await self.speak(ctx, brief)
        text = spoken.text if keeps_the_plan(spoken.text, brief) else brief.draft
        if state.pending_question and not state.quiz_paused:
            from agents.coordinator.desk import question_again  # the desk needs this module's planner

            text = f"{text}\n\n---\n\n{question_again(state)}"
        changes = state.changes(
            learning_path=list(plan.concepts),
            next_topic=plan.next_topic,
            path_reasoning=path_reasoning(plan),
            suggestion=plan.next_topic,
        )
        async for event in self.say(ctx, text, changes=changes, usage=spoken.usage):
            yield event


def build_pathplanner(
    *, model: BaseLlm, services: Services, config: types.GenerateContentConfig
) -> PathPlanner:
    return PathPlanner(
        name="pathplanner",
        model=model,
        description="Recommends what to learn next and why.",
        instruction=from_prompt("pathplanner/prompt.md"),
        include_contents="none",
        generate_content_config=config,
        # The next message goes back to the coordinator.
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        services=services,
    )
