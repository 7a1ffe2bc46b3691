"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.coordinator.desk import Visit, question_again
from agents.coordinator.followup import resolve
from agents.coordinator.followup_forms import ASKS_MORE
from agents.coordinator.in_context import in_context, names_own_task
from agents.coordinator.intents import Intent, RoutingContext, classify
from agents.coordinator.lookup import search_queries
from agents.coordinator.question import bare
from agents.coordinator.routing import Answer, Call, Decision, decide
from agents.coordinator.skill import CoordinatorBrief, grounded_answer
from agents.history import FORGOTTEN, conversation, window
from agents.prompts import fence
from agents.record import restore
from agents.services import Services
from agents.sources import with_sources
from agents.speech import trouble
from agents.state import SessionState
from agents.turn import NO_INFORMATION, ReasoningTrace
from agents.tutor.citations import check_citations, cited_results
from rag.retriever import MOST_RESULTS

logger = logging.getLogger(__name__)

_SURE = 0.6
_LEARNING = ("teach", "quiz_me", "change_topic")


class Coordinator:
    """The callbacks of the coordinator agent."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """Serve or route what code can decide; what is left goes to the model with its brief."""
        try:
            return await self._before_model(callback_context, llm_request)
        except Exception as err:
            logger.exception("coordinator failed")
            turn = self._services.turns.of(callback_context.invocation_id)
            turn.status, turn.error = "error", type(err).__name__
            return LlmResponse(content=_words(trouble(err)))

    async def _before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        state = await self._state(callback_context)
        if _just_retrieved(llm_request):
            llm_request.append_instructions([fence(await self._brief(callback_context, state))])
            return None
        intent = await self._understand(callback_context, state)
        if intent.confidence < _SURE and self._services.has_large_model:
            llm_request.append_instructions([fence(await self._brief(callback_context, state))])
            return None
        visit = Visit(
            services=self._services,
            state=state,
            user_id=callback_context.user_id,
            message=self._message(callback_context),
            intent=intent,
        )
        return await self._carry_out(await decide(visit), callback_context, state, intent)

    async def after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        """An answer leaves with true citations and its sources, or says that there is no information."""
        text = _text(llm_response)
        if llm_response.partial or not text:
            return None
        state = SessionState.of(callback_context.state.to_dict())
        turn = self._services.turns.of(callback_context.invocation_id)
        passages = tuple(turn.retrieved_results.values())
        if passages or NO_INFORMATION in text:
            text = await self._checked(callback_context, state, text)
            turn.cite(cited_results(text, passages))
        if turn.was_cut:
            text = f"{text}\n\n{FORGOTTEN}"
        said = _with_question(text, state)
        return llm_response.model_copy(update={"content": _words(said)})

    async def after_agent(self, callback_context: CallbackContext) -> types.Content | None:
        """A chart goes out by itself: adk web shows an event's picture in the place of its text."""
        chart = self._services.turns.of(callback_context.invocation_id).chart
        if chart:
            await callback_context.save_artifact(
                "progress.png", types.Part.from_bytes(data=chart, mime_type="image/png")
            )
        return None

    async def _state(self, callback_context: CallbackContext) -> SessionState:
        """The session's state; a new session of a known learner gets what the database remembers."""
        await self._services.ready()
        state = SessionState.of(callback_context.state.to_dict())
        if state.user_id == callback_context.user_id:
            return state
        changes = await restore(
            self._services, state, user_id=callback_context.user_id, session_id=callback_context.session.id
        )
        callback_context.state.update(changes)
        return SessionState.of(callback_context.state.to_dict())

    async def _understand(self, callback_context: CallbackContext, state: SessionState) -> Intent:
        syllabus = await self._services.syllabus(state.course)
        names = [*syllabus.topic_names(), *(concept.name for concept in syllabus.concepts)]
        intent = classify(
            self._message(callback_context),
            question_pending=state.pending_question is not None and not state.quiz_paused,
            context=_routing_context(state, names),
        )
        message = self._message(callback_context)
        intent = in_context(intent, message, state)
        if await names_own_task(self._services, intent, message, user_id=callback_context.user_id):
            intent = replace(
                intent, action="tasks", route="task_manager", reason="names a task of the learner"
            )
        turn = self._services.turns.of(callback_context.invocation_id)
        turn.trace = ReasoningTrace(
            intent=intent.action,
            confidence=intent.confidence,
            alternatives=intent.alternatives,
            reason=intent.reason,
        )
        return intent

    async def _carry_out(
        self, decision: Decision, callback_context: CallbackContext, state: SessionState, intent: Intent
    ) -> LlmResponse:
        route = (
            decision.arguments.get("agent_name", "coordinator")
            if isinstance(decision, Call)
            else "coordinator"
        )
        # Whoever speaks of something else meanwhile does not mean our question with a later yes.
        pending_task = state.pending_task if route == "task_manager" else None
        noted = state.changes(last_routed_to=route, routing_reason=intent.reason, pending_task=pending_task)
        callback_context.state.update({**decision.changes, **noted})
        turn = self._services.turns.of(callback_context.invocation_id)
        if state.open_cycle_id is not None and "open_cycle_id" in decision.changes:
            turn.closed_cycles.append("left")
        if isinstance(decision, Answer):
            now_state = SessionState.of(callback_context.state.to_dict())
            turn.status, turn.chart = decision.status, decision.chart
            return LlmResponse(
                content=_words(_with_question(decision.text, now_state, always=decision.shows_question))
            )
        uses = [dict(decision.arguments)]
        if decision.tool == "retrieve_context":
            history = _about_the_course(
                conversation(callback_context.session, since_turn=state.history_reset_turn)
            )
            syllabus = await self._services.syllabus(state.course)
            asked = resolve(
                self._message(callback_context),
                history=history,
                topic=state.current_topic,
                terms=tuple(concept.name for concept in syllabus.concepts),
            )
            turn.queries = search_queries(asked)
            uses = [{"query": query, "top_k": MOST_RESULTS} for query in turn.queries]
        calls = [types.Part(function_call=types.FunctionCall(name=decision.tool, args=args)) for args in uses]
        return LlmResponse(content=types.Content(role="model", parts=calls))

    async def _brief(self, callback_context: CallbackContext, state: SessionState) -> CoordinatorBrief:
        syllabus = await self._services.syllabus(state.course)
        turn = self._services.turns.of(callback_context.invocation_id)
        # ADK runs several calls at once, so the first to come back may be any of them.
        asked = turn.queries or tuple(turn.found)
        history = window(
            conversation(callback_context.session, since_turn=state.history_reset_turn),
            most_messages=self._services.settings.max_history,
        )
        turn.was_cut = history.was_cut
        return CoordinatorBrief(
            history=history.messages,
            question=asked[0] if asked and asked[0] else turn.user_query,
            passages=tuple(turn.retrieved_results.values()),
            course_topics=tuple(syllabus.topic_names()),
            terms=tuple(concept.name for concept in syllabus.concepts),
            already_said=_told(history.messages) if ASKS_MORE.match(bare(turn.user_query)) else "",
        )

    async def _checked(self, callback_context: CallbackContext, state: SessionState, text: str) -> str:
        """A large model's answer as it is when every claim is cited and true; else our own."""
        brief = await self._brief(callback_context, state)
        if NO_INFORMATION in text:
            return text
        if check_citations(text, brief.passages):
            return grounded_answer(brief).text
        return with_sources(text, brief.passages, query=brief.question)

    def _message(self, callback_context: CallbackContext) -> str:
        return self._services.turns.of(callback_context.invocation_id).user_query


def _routing_context(state: SessionState, names: Sequence[str]) -> RoutingContext:
    question = state.pending_question
    awaiting = ""
    if state.pending_task:
        awaiting = f"task_{state.pending_task.waiting_for}"
    elif state.suggestion:
        awaiting = "suggestion"
    return RoutingContext(
        question_kind=question.kind if question else None,
        question_text=question.question_text if question else "",
        options=question.options if question else (),
        quiz_paused=state.quiz_paused,
        awaiting=awaiting,  # type: ignore[arg-type]
        topic_names=tuple(names),
        tasks_listed=bool(state.task_references),
        tasks_in_hand=state.last_routed_to == "task_manager",
    )


def _about_the_course(history: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without commands: nobody means 'hint' or 'skip' with a later 'it'."""
    return [
        (role, text)
        for role, text in history
        if role != "user" or classify(text).action in ("ask", "answer", *_LEARNING)
    ]


def _told(history: Sequence[tuple[str, str]]) -> str:
    return "\n".join(text for role, text in history if role != "user")


def _just_retrieved(llm_request: LlmRequest) -> bool:
    last = llm_request.contents[-1] if llm_request.contents else None
    return any(part.function_response for part in (last.parts or [])) if last else False


def _with_question(text: str, state: SessionState, *, always: bool = False) -> str:
    if state.pending_question is None or (state.quiz_paused and not always):
        return text
    return f"{text}\n\n---\n\n{question_again(state)}"


def _text(response: LlmResponse) -> str:
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought).strip()


def _words(text: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=text)])
