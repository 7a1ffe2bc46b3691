"""One turn, one AgentResponse: in the state as last_response, and stored as a ConversationTurn; what is old is deleted."""

import logging
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.session import Session
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types
from pydantic import ValidationError

from agents.adk_sessions import forget_before
from agents.conversation import estimated_tokens, kind_word
from agents.models.voice import text_of, words_in
from agents.said import WORDS_KEY
from agents.screen import DRAWN
from agents.services import Services
from agents.state import SessionState
from agents.task_manager.toolset import TASK_TOOLS
from agents.turn import AgentResponse, Clarification, ConversationTurn, Sources, TurnDraft
from storage.files import UtcFormatter

if TYPE_CHECKING:
    from storage.learners import AgentTransition, TurnLog

logger = logging.getLogger(__name__)

_FIRST = "user"
# A container is no agent that anybody is handed to.
_CONTAINERS = {"learning_cycle"}


@dataclass(slots=True)
class HandOvers:
    """Who had the turn last, and what is still to be written."""

    last_agent: str = ""
    unwritten: list["AgentTransition"] = field(default_factory=list)

    def taken(self) -> list["AgentTransition"]:
        """What is to be written, once."""
        waiting, self.unwritten = self.unwritten, []
        return waiting


class TransitionsPlugin(BasePlugin):
    """Notes who hands over to whom, and why; a step that is not due takes no part."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="transitions")
        self._services = services

    async def before_agent_callback(
        self, *, agent: BaseAgent, callback_context: CallbackContext
    ) -> types.Content | None:
        if agent.name in _CONTAINERS:
            return None
        state = SessionState.of(callback_context.state.to_dict())
        turn = self._services.turns.of(callback_context.invocation_id)
        so_far = turn.part(HandOvers)
        if so_far.last_agent == agent.name:
            return None
        from storage.learners import AgentTransition

        before, so_far.last_agent = so_far.last_agent or _FIRST, agent.name
        so_far.unwritten.append(
            AgentTransition(
                session_id=callback_context.session.id,
                from_agent=before,
                to_agent=agent.name,
                reason=_reason(before, agent, state),
                message_excerpt=turn.user_query,
                timestamp=self._services.now(),
                user_id=callback_context.user_id,
            )
        )
        return None


def _reason(before: str, agent: BaseAgent, state: SessionState) -> str:
    if before == _FIRST:
        return "a message came in"
    if before == "coordinator":
        return state.routing_reason or "routed"
    cycle = state.learning_cycle_count + 1
    return {
        "tutor": f"cycle {cycle} begins",
        "quiz": "a question waits for its answer" if state.quiz_questions else "the explanation is given",
        "feedback": f"the quiz of cycle {cycle} is over",
    }.get(agent.name, "next step")


_SHORTEST_SECONDS = 1e-6
WORDLESS = "(no words)"  # an empty message, or only a picture
_FAILED = "FAILED"
_HAND_OVER = "transfer_to_agent"  # ADK's own tool, which every turn uses


def speak_up() -> None:
    """The setting 'verbose': our own log, in full, on standard error; the recorder writes a line a turn."""
    for name in ("agents", "rag", "storage"):
        ours = logging.getLogger(name)
        ours.setLevel(logging.DEBUG)
        if not ours.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(UtcFormatter())
            ours.addHandler(handler)


@dataclass(slots=True)
class _AskedBack:
    """A turn asks back once, however many messages it has."""

    is_counted: bool = False


class RecorderPlugin(BasePlugin):
    """Collects what a turn does, to be written down as it ends."""

    def __init__(self, services: Services, *, model_name: str) -> None:
        super().__init__(name="recorder")
        self._services = services
        self._model_name = model_name

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        turn = self._services.turns.of(invocation_context.invocation_id)
        before = SessionState.of(invocation_context.session.state).turn_number
        turn.turn_id = str(uuid.uuid4())
        turn.turn_number = before + 1
        turn.user_query = words_in(user_message)
        turn.started_at = self._services.now()
        if turn.turn_number % self._services.settings.max_turns == 0:
            turn.notes.append(kind_word(messages=2 * turn.turn_number))
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        asked = invocation_context.user_content
        if asked and not self._services.turns.of(invocation_context.invocation_id).turn_id:
            # An invocation that a client sends again skips on_user_message.
            await self.on_user_message_callback(invocation_context=invocation_context, user_message=asked)
        return None

    async def after_model_callback(
        self, *, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        turn = self._services.turns.of(callback_context.invocation_id)
        brief = turn.briefs.get(callback_context.agent_name)
        if not (llm_response.partial or brief is None or brief.made_by_code(llm_response)):
            turn.model.requests += 1
            if llm_response.usage_metadata:
                turn.model.tokens += llm_response.usage_metadata.total_token_count or 0
        return None

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        if tool.name != _HAND_OVER:
            turn, call_id = self._services.turns.of(tool_context.invocation_id), _call_id(tool_context)
            turn.calls_tool(call_id, tool.name, parameters=tool_args, now=self._services.now())
        return None

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        if tool.name != _HAND_OVER:
            self._services.turns.of(tool_context.invocation_id).tool_returned(_call_id(tool_context), result)
        return None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        """What a model called and there is not has no other end than this; what raised has its answer after it."""
        if tool.name != _HAND_OVER:
            failed = {"error": {"code": "TOOL_ERROR", "message": f"{tool.name} did not work."}}
            self._services.turns.of(tool_context.invocation_id).tool_returned(_call_id(tool_context), failed)
        return None

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        text = text_of(event).strip()
        if event.partial or not text or event.author == "user":
            return None
        turn = self._services.turns.of(invocation_context.invocation_id)
        if not turn.turn_id:  # a reply that is only said again
            return None
        note = ""
        if turn.notes and event.content and event.content.parts is not None:
            note = "\n\n" + "\n".join(turn.notes)
            event.content.parts.append(types.Part(text=note))
            text, turn.notes = f"{text}{note}", []
        self._tell_the_pieces_apart(turn, invocation_context, event, note=note)
        turn.texts.append(text)
        response = self._response(turn, invocation_context.session)
        # On every message, because nobody knows which one is the turn's last.
        turn.tokens_used = response.tokens_used
        event.actions.state_delta["last_response"] = response.model_dump(mode="json")
        event.actions.state_delta |= self._metadata(
            turn, {**invocation_context.session.state, **event.actions.state_delta}
        )
        return event

    def _tell_the_pieces_apart(
        self, turn: TurnDraft, invocation_context: InvocationContext, event: Event, *, note: str
    ) -> None:
        """For a page of ours, which draws the question and the sources itself."""
        brief, run = turn.briefs.get(event.author), invocation_context.run_config
        if brief is None or brief.said is None:
            return
        said, brief.said = brief.said, None
        if ((run and run.custom_metadata) or {}).get(DRAWN) and said.words != str(said):
            event.custom_metadata = {
                **(event.custom_metadata or {}),
                WORDS_KEY: f"{said.words}{note}".strip(),
            }

    def _metadata(self, turn: TurnDraft, state: Mapping[str, Any]) -> dict[str, Any]:
        """What the conversation keeps of the turn's tools, and that it asked back, whoever of us did."""
        changes: dict[str, Any] = {}
        tasks = [call for call in turn.tool_calls if call.tool_name in TASK_TOOLS]
        if tasks:
            changes["last_tool_used"] = tasks[-1].tool_name
            changes["last_tool_parameters"] = dict(tasks[-1].parameters)
        asking = turn.part(_AskedBack)
        if turn.outcome.status == "clarification_needed" and not asking.is_counted:
            asking.is_counted = True
            context = SessionState.of(state).agent_context
            asked = context.model_copy(update={"clarification_count": context.clarification_count + 1})
            changes["agent_context"] = asked.model_dump(mode="json")
        return changes

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        self._services.turns.close(invocation_context.invocation_id)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        self._services.turns.close(invocation_context.invocation_id)

    def log_of(self, turn: TurnDraft, invocation_context: InvocationContext) -> "TurnLog":
        """The turn as it is stored."""
        stored = ConversationTurn(
            turn_id=turn.turn_id,
            user_query=turn.user_query if turn.user_query.strip() else WORDLESS,
            retrieval_results=tuple(turn.sources.results.values()),
            agent_response=self._response(turn, invocation_context.session),
            timestamp=turn.started_at or self._services.now(),
            duration_seconds=max(_SHORTEST_SECONDS, time.perf_counter() - turn.started),
        )
        logger.debug(
            "turn=%s session=%s route=%s intent=%s status=%s error=%s tools=%s tokens=%s seconds=%.3f",
            stored.turn_id,
            invocation_context.session.id,
            turn.route,
            turn.trace.intent,
            turn.outcome.status,
            turn.outcome.error,
            ",".join(call.tool_name for call in turn.tool_calls),
            stored.agent_response.tokens_used,
            stored.duration_seconds,
        )
        return _log(stored, user_id=invocation_context.user_id, turn_number=turn.turn_number)

    def _response(self, turn: TurnDraft, session: Session) -> AgentResponse:
        """The turn as it is recorded; one that breaks a rule of ours is a failure, and the learner has it all the same."""
        try:
            return self._whole_response(turn, session)
        except ValidationError:
            logger.exception("a turn could not be recorded as it was")
            turn.outcome.status, turn.outcome.error, turn.sources = "error", _FAILED, Sources()
            return self._whole_response(turn, session)

    def _whole_response(self, turn: TurnDraft, session: Session) -> AgentResponse:
        citations = tuple(turn.sources.citations.values())
        answer = "\n\n".join(turn.texts)
        is_asking = turn.outcome.status in ("clarification_needed", "confirmation_required")
        return AgentResponse(
            answer=answer,
            status=turn.outcome.status,
            clarification=(turn.outcome.clarification or Clarification(question=answer))
            if is_asking
            else None,
            session_id=session.id,
            is_interactive=bool(session.state.get("is_interactive", True)),
            turn_id=turn.turn_id,
            turn_number=turn.turn_number,
            citations=citations,
            retrieval_performed=bool(turn.sources.results)
            or any(call.tool_name == "retrieve_context" for call in turn.tool_calls),
            retrieval_count=len(turn.sources.results),
            retrieved_sources=tuple(dict.fromkeys(result.source_url for result in citations)),
            grounded=bool(citations),
            tool_calls=turn.tool_calls,
            model_used=self._model_name,
            tokens_used=turn.model.tokens or estimated_tokens(turn.user_query, answer),
            model_calls=tuple(turn.model.calls),
            repairs=tuple(turn.model.repairs),
            execution_time_seconds=round(time.perf_counter() - turn.started, 4),
            reasoning_trace=turn.trace,
            error=turn.outcome.error or (_FAILED if turn.outcome.status == "error" else None),
            timestamp=self._services.now(),
        )


def _call_id(tool_context: ToolContext) -> str:
    return str(tool_context.function_call_id)


def _log(stored: ConversationTurn, *, user_id: str, turn_number: int) -> "TurnLog":
    from storage.learners import TurnLog

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


_EVERY = timedelta(days=1)


class RetentionPlugin(BasePlugin):
    """Looks once a day, at the start of a turn: a server may run for months."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="retention")
        self._services = services
        self._looked_at: datetime | None = None

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        now = self._services.now()
        if self._looked_at is None or now - self._looked_at >= _EVERY:
            self._looked_at = now
            # Imported on use: `adk run` shows its prompt before that.
            from storage.chores import Chores

            try:
                if await Chores(self._services.database).take("retention", every=_EVERY, now=now):
                    await self._forget(invocation_context, now - self._services.retention)
            except Exception:
                # The learner is here for something else; tomorrow it is tried again.
                logger.exception("old conversations could not be deleted")
        return None

    async def _forget(self, invocation_context: InvocationContext, moment: datetime) -> None:
        session = invocation_context.session
        await self._services.sessions.forget_before(moment)
        await self._services.lessons.forget_before(moment)
        await forget_before(
            invocation_context.session_service,
            moment,
            app_name=session.app_name,
            artifacts=invocation_context.artifact_service,
            but=(session.user_id, session.id),
        )
        session.events[:] = [event for event in session.events if event.timestamp >= moment.timestamp()]
