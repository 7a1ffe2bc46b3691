"""One turn, one AgentResponse: in the state as last_response, and stored as a ConversationTurn."""

import time
import uuid
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.services import Services
from agents.turn import AgentResponse, ConversationTurn, ToolCall
from agents.turns import TurnDraft
from storage.session_records import TurnLog

_SHORTEST_SECONDS = 1e-6
_MOST_CHARACTERS = 16_000
_SHORTENED = f"(Your message was very long: I read its first {_MOST_CHARACTERS:,} characters.)"


class RecorderPlugin(BasePlugin):
    """Collects what a turn does and writes it down as it ends."""

    def __init__(self, services: Services, *, model_name: str) -> None:
        super().__init__(name="recorder")
        self._services = services
        self._model_name = model_name

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        turn = self._services.turns.of(invocation_context.invocation_id)
        before = invocation_context.session.state.get("last_response") or {}
        turn.turn_id = str(uuid.uuid4())
        turn.turn_number = int(before.get("turn_number", 0)) + 1
        turn.user_query = " ".join(part.text for part in user_message.parts or [] if part.text)
        turn.started_at = self._services.now()
        if len(turn.user_query) <= _MOST_CHARACTERS:
            return None
        turn.user_query, turn.notes = turn.user_query[:_MOST_CHARACTERS], [_SHORTENED]
        return types.Content(role=user_message.role, parts=[types.Part(text=turn.user_query)])

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        if not llm_response.partial:
            turn = self._services.turns.of(callback_context.invocation_id)
            turn.model_calls += 1
            if llm_response.usage_metadata:
                turn.tokens_used += llm_response.usage_metadata.total_token_count or 0
        return None

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        if tool.name != "transfer_to_agent":
            turn = self._services.turns.of(tool_context.invocation_id)
            failed = result.get("error")
            turn.tool_calls.append(
                ToolCall(
                    tool_name=tool.name,
                    parameters=tool_args,
                    result=result,
                    error=str(failed) if failed else None,
                    invoked_at=self._services.now(),
                )
            )
        return None

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        text = _text(event)
        if event.partial or not text or event.author == "user":
            return None
        turn = self._services.turns.of(invocation_context.invocation_id)
        if turn.notes and event.content and event.content.parts is not None:
            note = "\n\n" + "\n".join(turn.notes)
            event.content.parts.append(types.Part(text=note))
            text, turn.notes = f"{text}{note}", []
        turn.texts.append(text)
        response = self._response(turn, session_id=invocation_context.session.id)
        # On every message, because nobody knows which one is the turn's last.
        event.actions.state_delta["last_response"] = response.model_dump(mode="json")
        return event

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        turn = self._services.turns.close(invocation_context.invocation_id)
        if turn is None or not turn.texts:
            return
        stored = ConversationTurn(
            turn_id=turn.turn_id,
            user_query=turn.user_query,
            retrieval_results=tuple(turn.retrieved_results.values()),
            agent_response=self._response(turn, session_id=invocation_context.session.id),
            timestamp=turn.started_at or self._services.now(),
            duration_seconds=max(_SHORTEST_SECONDS, time.perf_counter() - turn.started),
        )
        await self._services.sessions.add_turn(
            _log(stored, user_id=invocation_context.user_id, turn_number=turn.turn_number)
        )

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        self._services.turns.close(invocation_context.invocation_id)

    def _response(self, turn: TurnDraft, *, session_id: str) -> AgentResponse:
        citations = tuple(turn.citations.values())
        return AgentResponse(
            answer="\n\n".join(turn.texts),
            status=turn.status,
            session_id=session_id,
            turn_id=turn.turn_id,
            turn_number=turn.turn_number,
            citations=citations,
            retrieval_performed=bool(turn.retrieved_results)
            or any(call.tool_name == "retrieve_context" for call in turn.tool_calls),
            retrieval_count=len(turn.retrieved_results),
            retrieved_sources=tuple(dict.fromkeys(r.source_url for r in turn.retrieved_results.values())),
            grounded=bool(citations),
            tool_calls=tuple(turn.tool_calls),
            model_used=self._model_name,
            tokens_used=turn.tokens_used,
            model_calls=tuple(turn.calls),
            repairs=tuple(turn.repairs),
            execution_time_seconds=round(time.perf_counter() - turn.started, 4),
            reasoning_trace=turn.trace,
            error=turn.error,
            timestamp=turn.started_at or self._services.now(),
        )


def _log(stored: ConversationTurn, *, user_id: str, turn_number: int) -> TurnLog:
    return TurnLog(
        turn_id=stored.turn_id,
        user_id=user_id,
        session_id=stored.agent_response.session_id,
        turn_number=turn_number,
        user_query=stored.user_query,
        status=stored.agent_response.status,
        agent_response=stored.agent_response.model_dump(mode="json"),
        retrieval_results=tuple(result.model_dump(mode="json") for result in stored.retrieval_results),
        timestamp=stored.timestamp,
        duration_seconds=stored.duration_seconds,
    )


def _text(event: Event) -> str:
    parts = event.content.parts if event.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought).strip()
