"""The path planner: what to learn next and why, foundations first."""

from collections.abc import AsyncGenerator

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.briefing import fenced, learner_block, words_request
from agents.learner_record import Planner
from agents.pathplanner.offline import path_reasoning, plan_text
from agents.quiz.offline import with_question
from agents.state import SessionState
from agents.step_agent import Step
from agents.teaching.path import Plan


class PathPlanner(Step):
    """Due whenever the coordinator hands over to it."""

    def is_due(self, state: SessionState) -> bool:
        return True

    async def act(self, ctx: InvocationContext, state: SessionState) -> AsyncGenerator[Event, None]:
        planner = Planner(services=self.services)
        needs_repair = bool(state.improvement_areas) and state.learning_cycle_count >= state.max_cycles
        plan = await (planner.repair if needs_repair else planner.next_steps)(state, user_id=ctx.user_id)
        text, was_streamed = "", False
        async for each in self._told(ctx, state, plan, draft=plan_text(plan, may_begin=not state.is_asking)):
            if isinstance(each, Event):
                was_streamed = True
                yield each
            else:
                text = each
        changes = state.changes(
            learning_path=list(plan.concepts),
            next_topic=plan.next_topic,
            path_reasoning=path_reasoning(plan),
            suggestion="" if state.is_asking else plan.next_topic,
        )
        async for event in self.say(
            ctx, with_question(text, state), changes=changes, was_streamed=was_streamed
        ):
            yield event

    async def _told(
        self, ctx: InvocationContext, state: SessionState, plan: Plan, *, draft: str
    ) -> AsyncGenerator[Event | str, None]:
        if not self.services.has_large_model or not plan.steps:
            yield draft if self.services.has_large_model else await self.speak(ctx, draft)
            return
        block = await learner_block(self.services, state, ctx.session, user_id=ctx.user_id)
        steps = "\n".join(f"- {step.concept} ({step.title}): {step.reason}" for step in plan.shown)
        asked = words_request(
            self.services, "plan", "pathplanner/prompt.md", [block, f"The next steps:\n{fenced(steps)}"]
        )
        async for each in self.comment(ctx, asked, before="", after=draft, otherwise=draft):
            yield each
