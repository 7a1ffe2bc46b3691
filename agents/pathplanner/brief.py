"""The path planner's turn: what to learn next and why, foundations first, and on which day."""

from collections.abc import Sequence

from agents.briefing import fenced, learner_block
from agents.language.deadline import terms_of
from agents.learner_record import Planner
from agents.pathplanner.offline import day, length, plan_text
from agents.pathplanner.to_dos import put_on_list
from agents.quiz.offline import with_question
from agents.speaking import Comment, Move
from agents.state import Choice
from agents.study_plan import StudyPlan, keep, study_plan
from agents.teaching.path import Plan


class PathPlannerBrief(Comment):
    """Code makes the plan; the model may ask for another, and says why it is a good one."""

    prompt = "pathplanner/prompt.md"
    task = "plan"

    async def prepare(self) -> Move | None:
        self.goals = self.state.goals
        here = self.services.now().astimezone(self.services.zone)
        self.terms = terms_of(self.turn.meant, now=here)
        self.found = await self._planned()
        if self.state.plan_command == "to_dos":
            return self._reply(await put_on_list(self.services, self.ctx, self.found))
        return None if self.plan.steps else self._reply(self._draft_text)

    @property
    def plan(self) -> Plan:
        return self.found.plan

    async def replan(self, goals: Sequence[str], *, until: str = "") -> StudyPlan:
        """The way to other goals, which the learner has just named, or up to another date."""
        self.goals = list(goals) or self.goals
        if until:
            here = self.services.now().astimezone(self.services.zone)
            said = terms_of(f"by {until}", now=here), terms_of(until, now=here)
            self.terms = next((each for each in said if each.are_said), self.terms)
        self.found = await self._planned()
        return self.found

    async def told(self) -> Sequence[str]:
        block = await learner_block(self.services, self.state, self.ctx.session, user_id=self.ctx.user_id)
        return [block, f"The next steps:\n{fenced(steps_of(self.found))}"]

    async def offline(self) -> Move:
        return self._reply(self._draft_text)

    async def heard(self, text: str) -> Move:
        self.after = self._draft_text
        return self._reply(self.around(text))

    @property
    def known(self) -> str:
        return f"{super().known} {steps_of(self.found)} {self.turn.meant}"

    @property
    def _draft_text(self) -> str:
        is_back = self._is_way_back
        return plan_text(self.plan if is_back else self.found, may_begin=not self.state.is_asking)

    @property
    def _is_way_back(self) -> bool:
        """After cycles without success; it is walked now, and has no days."""
        state = self.state
        at_limit = bool(state.improvement_areas) and state.learning_cycle_count >= state.max_cycles
        return at_limit and not self.terms.are_said

    async def _planned(self) -> StudyPlan:
        planner, user_id = Planner(services=self.services), self.ctx.user_id
        aims = self.state.model_copy(update={"goals": self.goals})
        plan = await (planner.repair if self._is_way_back else planner.next_steps)(aims, user_id=user_id)
        found = await study_plan(self.services, aims, user_id=user_id, plan=plan, terms=self.terms)
        if not self._is_way_back and plan.steps:
            await keep(self.services, found, user_id=user_id)
        return found

    def _reply(self, text: str) -> Move:
        plan, state = self.plan, self.state
        return Move(
            text=with_question(text, state),
            changes=state.changes(
                **plan.keys,
                suggestion="" if state.is_asking else plan.next_topic,
                goals=self.goals,
                plan_command="",
                choices=[] if state.is_asking else _to_begin_with(plan),
            ),
        )


def _to_begin_with(plan: Plan) -> list[Choice]:
    """The steps that are shown, by their numbers: “start with the second one”."""
    names = [step.title if len(step.concepts) > 1 else step.concept for step in plan.shown]
    return [Choice(label=name, action="teach", topic=name) for name in names]


def steps_of(found: StudyPlan) -> str:
    """The steps, a line each."""
    return "\n".join(
        f"- {step.concept} ({step.title}, about {length(stop.section.minutes)}, by {day(stop.on)}): {step.reason}"
        for step, stop in zip(found.plan.shown, found.days.stops, strict=False)
    )
