"""What the coordinator's model may do, and the search that other agents have too: thin functions over the same code that serves a message."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, cast

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext

from agents.services import Services
from agents.speaking import TRANSFER
from agents.state import SessionState

if TYPE_CHECKING:
    from agents.coordinator.brief import CoordinatorBrief
    from agents.coordinator.intents import Action

Verb = Callable[..., Awaitable[dict[str, Any]]]


def retrieve_context_tool(services: Services) -> Verb:
    async def retrieve_context(
        query: str, tool_context: ToolContext, top_k: int | None = None, threshold: float | None = None
    ) -> dict[str, Any]:
        """Finds passages of the learner's course that answer a question.

        Args:
            query: What to look for, in full words; no pronouns.
            top_k: How many passages, 1 to 10; left out, as many as usual.
            threshold: Leave out passages less similar than this, 0 to 1; left out, as usual.
        """
        from agents.coordinator.brief import CoordinatorBrief
        from agents.coordinator.search import search
        from rag.index import Scope
        from rag.retriever import MOST_PASSAGES, MOST_RESULTS

        turn, settings = services.turns.of(tool_context.invocation_id), services.settings
        brief = turn.briefs.get(tool_context.agent_name)
        elsewhere = brief.course if isinstance(brief, CoordinatorBrief) else ""
        course = elsewhere or SessionState.of(tool_context.state.to_dict()).course
        found = await search(
            services.library,
            query,
            top_k=settings.top_k if top_k is None else top_k,
            most=MOST_PASSAGES if top_k is None else MOST_RESULTS,
            threshold=settings.score_threshold if threshold is None else threshold,
            scope=Scope(course=course or None),
            terms=(await services.syllabus(course)).names if course else (),
        )
        if not found.response.is_error:
            turn.sources.retrieved(found.ranked, query=query)
        # A model that asked for nothing is told so, and may ask again.
        elif isinstance(brief, CoordinatorBrief) and (
            brief.is_looking_up or found.response.error != "INVALID_INPUT"
        ):
            brief.failed = found.response
        return found.response.model_dump(mode="json")

    return retrieve_context


About = Literal[
    "progress", "mistakes", "reviews", "recap", "remaining", "why", "courses", "which_course", "help"
]
Help = Literal["hint", "rephrase", "show_question_again", "skip", "give_up", "disagree"]
Pace = Literal["next", "pause", "resume", "stop", "short_time"]


def verbs(services: Services) -> list[Verb]:
    """The tools of the coordinator's model beside its search."""

    async def act(tool_context: ToolContext, action: str, **about: str) -> dict[str, Any]:
        brief = cast("CoordinatorBrief", services.turns.of(tool_context.invocation_id).briefs["coordinator"])
        return await brief.act(cast("Action", action), tool_context, **about)

    async def start_topic(
        topic: str, tool_context: ToolContext, only_questions: bool = False
    ) -> dict[str, Any]:
        """Starts the lesson on a topic, with its questions; the learner asked to be taught or quizzed.

        Args:
            topic: The topic in the course's words.
            only_questions: True when they want to be quizzed without the lesson.
        """
        return await act(tool_context, "quiz_me" if only_questions else "teach", topic=topic)

    async def take_as_answer(tool_context: ToolContext) -> dict[str, Any]:
        """Takes the learner's message as their answer to the open question, well or badly answered."""
        return await act(tool_context, "answer")

    async def help_with_question(kind: Help, tool_context: ToolContext) -> dict[str, Any]:
        """Serves a wish about the open question, or about the last mark.

        Args:
            kind: hint; rephrase, they do not understand it; show_question_again; skip; give_up, they do not know;
                disagree, with the last mark.
        """
        return await act(tool_context, kind)

    async def set_pace(kind: Pace, tool_context: ToolContext) -> dict[str, Any]:
        """Goes on, pauses or stops; or makes it a short round.

        Args:
            kind: next; pause; resume, where they stopped; stop; short_time, they have little time.
        """
        return await act(tool_context, kind)

    async def show_record(about: About, tool_context: ToolContext) -> dict[str, Any]:
        """Shows the learner what is on record; the app shows it, do not repeat it.

        Args:
            about: progress; mistakes, what they got wrong; reviews, what is due; recap, what they learnt;
                remaining, how much is left; why, what the last thing said rests on; courses, what can be learnt;
                which_course; help, what they can say.
        """
        return await act(tool_context, about)

    async def set_goal(goal: str, tool_context: ToolContext) -> dict[str, Any]:
        """Keeps a goal that the learner named, and plans the way to it.

        Args:
            goal: The goal in their words.
        """
        return await act(tool_context, "goal", topic=goal)

    async def switch_course(name: str, tool_context: ToolContext) -> dict[str, Any]:
        """Goes on in another course.

        Args:
            name: Its name, or any part of it.
        """
        return await act(tool_context, "switch_course", topic=name)

    return [start_topic, take_as_answer, help_with_question, set_pace, show_record, set_goal, switch_course]


_HANDED_OVER: dict[str, str] = {
    "diagnostic": "diagnose",
    "pathplanner": "plan",
    "task_manager": "tasks",
    "learning_loop": "next",
}


def transfers(services: Services) -> Callable[..., Awaitable[dict[str, Any] | None]]:
    """A hand-over by the model is prepared as one by code is; one that leads nowhere is refused, with a reason."""

    async def before_tool(
        tool: BaseTool, args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        brief = cast("CoordinatorBrief", services.turns.of(tool_context.invocation_id).briefs["coordinator"])
        if tool.name != TRANSFER or brief.hands_over_itself:
            return None
        action = _HANDED_OVER.get(str(args.get("agent_name")))
        if action is None:
            return {"error": f"There is no such agent. There are: {', '.join(_HANDED_OVER)}."}
        if action == "next" and brief.state.is_asking:
            action = "answer"
        return await brief.act(cast("Action", action), tool_context)

    return before_tool
