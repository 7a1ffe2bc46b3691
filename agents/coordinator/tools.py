"""The coordinator's tool: passages of the course for a question."""

from collections.abc import Awaitable, Callable
from typing import Any

from google.adk.tools.tool_context import ToolContext

from agents.services import Services
from agents.state import SessionState

RetrieveContext = Callable[..., Awaitable[dict[str, Any]]]


def retrieve_context_tool(services: Services) -> RetrieveContext:
    async def retrieve_context(
        query: str, tool_context: ToolContext, top_k: int = 5, threshold: float = 0.0
    ) -> dict[str, Any]:
        """Finds passages of the learner's course that answer a question.

        Args:
            query: What to look for, in full words; no pronouns.
            top_k: How many passages, 1 to 10.
            threshold: Leave out passages less similar than this, 0 to 1.
        """
        from rag.index.port import Scope

        turn = services.turns.of(tool_context.invocation_id)
        course = turn.course or SessionState.of(tool_context.state.to_dict()).course
        response = await services.library.retrieve_context(
            query, top_k=top_k, threshold=threshold, scope=Scope(course=course or None)
        )
        if response.error is None:
            # Served from the retriever's memory: the same query was answered a moment ago.
            results = await services.library.retrieve(
                query, top_k=top_k, threshold=threshold, scope=Scope(course=course or None)
            )
            turn.retrieved(results, query=query)
        return response.model_dump(mode="json")

    return retrieve_context
