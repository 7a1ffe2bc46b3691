"""The path planner's turn: what to learn next and why, foundations first."""

from collections.abc import Sequence

from agents.briefing import fenced, learner_block
from agents.learner_record import Planner
from agents.pathplanner.offline import plan_text
from agents.quiz.offline import with_question
from agents.speaking import Comment, Move
from agents.teaching.path import Plan


class PathPlannerBrief(Comment):
    """Code makes the plan; the model may ask for another, and says why it is a good one."""

    prompt = "pathplanner/prompt.md"
    task = "plan"

    async def prepare(self) -> Move | None:
        self.goals = self.state.goals
        self.plan = await self._planned()
        return None if self.plan.steps else self._reply(self._draft_text)

    async def replan(self, goals: Sequence[str]) -> Plan:
        """The way to other goals, which the learner has just named."""
        self.goals = list(goals)
        self.plan = await self._planned()
        return self.plan

    async def told(self) -> Sequence[str]:
        block = await learner_block(self.services, self.state, self.ctx.session, user_id=self.ctx.user_id)
        return [block, f"The next steps:\n{fenced(steps_of(self.plan))}"]

    async def offline(self) -> Move:
        return self._reply(self._draft_text)

    async def heard(self, text: str) -> Move:
        self.after = self._draft_text
        return self._reply(self.around(text))

    @property
    def known(self) -> str:
        return f"{super().known} {steps_of(self.plan)} {self.turn.meant}"

    @property
    def _draft_text(self) -> str:
        return plan_text(self.plan, may_begin=not self.state.is_asking)

    async def _planned(self) -> Plan:
        planner, state = Planner(services=self.services), self.state
        needs_repair = bool(state.improvement_areas) and state.learning_cycle_count >= state.max_cycles
        aims = state.model_copy(update={"goals": self.goals})
        return await (planner.repair if needs_repair else planner.next_steps)(aims, user_id=self.ctx.user_id)

    def _reply(self, text: str) -> Move:
        plan, state = self.plan, self.state
        return Move(
            text=with_question(text, state),
            changes=state.changes(
                **plan.keys,
                suggestion="" if state.is_asking else plan.next_topic,
                goals=self.goals,
            ),
        )


def steps_of(plan: Plan) -> str:
    """The steps, a line each."""
    return "\n".join(f"- {step.concept} ({step.title}): {step.reason}" for step in plan.shown)
