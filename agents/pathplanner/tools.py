"""What the path planner's model may do."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from google.adk.tools.tool_context import ToolContext

from agents.services import Services
from agents.state import MOST_GOALS

if TYPE_CHECKING:
    from agents.pathplanner.brief import PathPlannerBrief


def plan_path_tool(services: Services) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def plan_path(goals: list[str], tool_context: ToolContext) -> dict[str, Any]:
        """Plans the way to the goals that the learner names, foundations first; what is mastered is left out.

        Args:
            goals: What they want to be able to do or know, in the course's words.
        """
        brief = cast("PathPlannerBrief", services.turns.of(tool_context.invocation_id).briefs["pathplanner"])
        plan = await brief.replan([goal.strip() for goal in goals if goal.strip()][:MOST_GOALS])
        return {
            "steps": [
                {"concept": step.concept, "taught_in": step.title, "reason": step.reason}
                for step in plan.shown
            ],
            "note": plan.message,
        }

    return plan_path
