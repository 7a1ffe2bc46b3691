"""What the path planner's model may do."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from google.adk.tools.tool_context import ToolContext

from agents.services import Services
from agents.state import MOST_GOALS

if TYPE_CHECKING:
    from agents.pathplanner.brief import PathPlannerBrief


def plan_path_tool(services: Services) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def plan_path(goals: list[str], tool_context: ToolContext, until: str = "") -> dict[str, Any]:
        """Plans the way to the goals that the learner names, foundations first; what is mastered is left out.

        Args:
            goals: What they want to be able to do or know, in the course's words.
            until: The date and the minutes a day that they named, in their words; empty where they named none.
        """
        # Imported on use: `adk run` shows its prompt before that.
        from agents.study_plan import as_json

        brief = cast("PathPlannerBrief", services.turns.of(tool_context.invocation_id).briefs["pathplanner"])
        named = [goal.strip() for goal in goals if goal.strip()][:MOST_GOALS]
        found = await brief.replan(named, until=until)
        told = as_json(found)
        return {
            "steps": [
                {
                    "concept": step.concept,
                    "taught_in": step.title,
                    "reason": step.reason,
                    "minutes": round(stop.section.minutes),
                    "by": stop.on.isoformat(),
                }
                for step, stop in zip(found.plan.shown, found.days.stops, strict=False)
            ],
            "fits": told["fits"],
            "needed_minutes_a_day": told["needed_minutes_a_day"],
            "note": found.plan.message,
        }

    return plan_path
