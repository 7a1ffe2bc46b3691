"""The coordinator: wiring, and the tool that it may call; its turn is in step.py."""

from collections.abc import Awaitable, Callable, Collection
from time import perf_counter
from typing import TYPE_CHECKING, Any

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import Agent
from google.adk.models.base_llm import BaseLlm
from google.adk.tools.tool_context import ToolContext

from agents.briefing import from_prompt
from agents.services import Services
from agents.state import SessionState
from agents.step_agent import PatientAgent
from storage.errors import InvalidInputError, TutorError

if TYPE_CHECKING:
    from agents.coordinator.step import CoordinatorDesk
    from agents.teaching.values import RetrievalResult
    from rag.index import Scope
    from rag.library import Library

_POOL = 2  # so many passages are looked into for each that is kept

RetrieveContext = Callable[..., Awaitable[dict[str, Any]]]


def retrieve_context_tool(services: Services) -> RetrieveContext:
    async def retrieve_context(
        query: str, tool_context: ToolContext, top_k: int | None = None, threshold: float | None = None
    ) -> dict[str, Any]:
        """Finds passages of the learner's course that answer a question.

        Args:
            query: What to look for, in full words; no pronouns.
            top_k: How many passages, 1 to 10; left out, as many as usual.
            threshold: Leave out passages less similar than this, 0 to 1; left out, as usual.
        """
        from agents.coordinator.visit import Inquiry
        from rag.index import Scope
        from rag.library import error_state
        from rag.retriever import MOST_RESULTS, RetrievalContext, RetrievalToolResponse

        turn, settings, started = (
            services.turns.of(tool_context.invocation_id),
            services.settings,
            perf_counter(),
        )
        inquiry = turn.part(Inquiry)
        course = inquiry.course or SessionState.of(tool_context.state.to_dict()).course
        scope = Scope(course=course or None)
        try:
            if top_k is not None and not 1 <= top_k <= MOST_RESULTS:
                raise InvalidInputError(f"top_k is {top_k}; it must be from 1 to {MOST_RESULTS}.")
            results = await look_up(
                services.library,
                query,
                top_k=settings.top_k if top_k is None else top_k,
                threshold=settings.score_threshold if threshold is None else threshold,
                scope=scope,
                terms=(await services.syllabus(course)).names if course else (),
            )
        except TutorError as err:
            failed = RetrievalToolResponse.failed(
                query, error_state(err), str(err), seconds=perf_counter() - started
            )
            inquiry.failed = failed
            return failed.model_dump(mode="json")
        turn.sources.retrieved(results, query=query)
        found = RetrievalContext(
            query=query, results=tuple(results), retrieved_at=services.now(), filter_applied=scope.prefix
        )
        return RetrievalToolResponse.found(found, seconds=perf_counter() - started).model_dump(mode="json")

    return retrieve_context


async def look_up(
    library: "Library",
    query: str,
    *,
    top_k: int,
    threshold: float = 0.0,
    scope: "Scope",
    terms: Collection[str] = (),
) -> list["RetrievalResult"]:
    """The passages whose paragraphs speak to the question best, in the order in which the search ranks them."""
    from agents.coordinator.offline import is_answerable
    from rag.retriever import MOST_PASSAGES

    pool = await library.retrieve(
        query, top_k=min(MOST_PASSAGES, max(top_k, _POOL * top_k)), threshold=threshold, scope=scope
    )
    best = {each.chunk_id for each in is_answerable(query, pool, terms=terms).supporting[:top_k]}
    # A passage without a paragraph of prose is still one that was found.
    kept = sorted(pool, key=lambda each: (each.chunk_id not in best, each.rank))[:top_k]
    in_order = sorted(kept, key=lambda each: each.rank)
    return [each.model_copy(update={"rank": place}) for place, each in enumerate(in_order, 1)]


def build_coordinator(*, model: BaseLlm, services: Services, sub_agents: list[BaseAgent]) -> Agent:
    def desk(context: CallbackContext) -> "CoordinatorDesk":
        from agents.coordinator.step import CoordinatorDesk

        return CoordinatorDesk(services, context)

    return PatientAgent(
        name="coordinator",
        model=model,
        description="Routes the learner to the right specialist and answers questions about the course.",
        instruction=from_prompt("coordinator/prompt.md"),
        # The conversation goes into the brief: ADK would build it anew for every turn, also where code answers.
        include_contents="none",
        tools=[retrieve_context_tool(services)],
        before_model_callback=lambda callback_context, llm_request: desk(callback_context).before_model(
            llm_request
        ),
        after_model_callback=lambda callback_context, llm_response: desk(callback_context).after_model(
            llm_response
        ),
        on_model_error_callback=lambda callback_context, llm_request, error: desk(
            callback_context
        ).model_failed(),
        after_agent_callback=lambda callback_context: desk(callback_context).after_agent(),
        sub_agents=sub_agents,
        services=services,
    )
