"""The coordinator: code routes what it is sure of; the model answers questions about the material."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.conversation import FORGOTTEN, conversation, last_message, window
from agents.coordinator.agent import look_up
from agents.coordinator.desk import COURSE_KEY, usual_course
from agents.coordinator.intents import Intent, understand
from agents.coordinator.large_model import ENOUGH_WORDS, LargeModel, is_doubtful
from agents.coordinator.offline import CoordinatorBrief, GroundedAnswer, grounded_answer, is_answerable
from agents.coordinator.question import resolve, search_queries, subject_of
from agents.coordinator.routing import decide
from agents.coordinator.visit import Decision, HandOver, Inquiry, LookUp, Visit, last_exchange, situation_of
from agents.language.understanding import language_of
from agents.learner_record import restore
from agents.models.embedded import prepare
from agents.models.voice import text_of
from agents.quiz.offline import with_question
from agents.services import Services
from agents.state import SessionState
from agents.step_agent import Meanwhile, trouble, unable
from agents.turn import NO_INFORMATION, Clarification, ReasoningTrace, error_code
from rag.index import Scope
from rag.retriever import checked_query, merged
from storage.errors import TutorError

logger = logging.getLogger(__name__)

_WELL_ANSWERED = 0.95  # no other course is asked from here on
_OWN_COURSE = 0.01  # what an answer of this one is ahead
# An offer outlives these; whoever speaks of something else does not mean it with a later yes.
_BESIDE_AN_OFFER = ("thanks", "small_talk", "unclear", "empty", "progress", "help", "tasks")


class CoordinatorDesk:
    """The callbacks of one turn of the coordinator."""

    def __init__(self, services: Services, context: CallbackContext) -> None:
        self._services = services
        self._context = context
        self._turn = services.turns.of(context.invocation_id)
        self._large_model = LargeModel(services, context)

    async def before_model(self, llm_request: LlmRequest) -> LlmResponse | None:
        """Serve or route what code can decide; what is left goes to the model with its brief."""
        try:
            return await self._before_model(llm_request)
        except Exception as err:
            return self._failed(err)

    def _failed(self, err: Exception) -> LlmResponse:
        """A failure is told as one, and the turn's record names it."""
        if isinstance(err, TutorError):  # expected, and told: a traceback would only frighten
            logger.warning("coordinator failed: %s", error_code(err))
        else:
            logger.exception("coordinator failed")
        turn = self._turn
        turn.outcome.status, turn.outcome.error, turn.model.asking = "error", error_code(err), None
        self._context.state.update({"last_routed_to": "coordinator", "routing_reason": "it failed"})
        return LlmResponse(content=types.ModelContent(trouble(err)))

    async def _before_model(self, llm_request: LlmRequest) -> LlmResponse | None:
        state = await self._state()
        if _just_retrieved(llm_request):
            return self._look_up_failed(state) or await self._ask_for_answer(llm_request, state)
        intent = await self._understand(state)
        if self._services.has_large_model and is_doubtful(intent, self._turn.meant):
            await self._large_model.ask_for_intent(llm_request, state, intent)
            return None
        return await self._decide(state, intent)

    async def _decide(self, state: SessionState, intent: Intent, *, query: str = "") -> LlmResponse:
        visit = Visit(
            services=self._services,
            invocation=self._context.get_invocation_context(),
            state=state,
            user_id=self._context.user_id,
            message=query or self._turn.meant,
            intent=intent,
            is_repeated=self._turn.meant == last_message(self._context.session),
        )
        return await self._carry_out(await decide(visit), state, intent)

    def _look_up_failed(self, state: SessionState) -> LlmResponse | None:
        """What could not be looked up is not what the course does not have."""
        turn = self._turn
        failed = turn.part(Inquiry).failed
        if failed is None:
            return None
        turn.outcome.status, turn.outcome.error = "error", failed.error
        is_theirs = failed.error == "INVALID_INPUT"
        text = failed.message or ""
        return LlmResponse(
            content=types.ModelContent(with_question(text if is_theirs else unable(text), state))
        )

    async def _ask_for_answer(self, llm_request: LlmRequest, state: SessionState) -> LlmResponse | None:
        brief = await self._brief(state)
        own = grounded_answer(brief)
        if not self._services.has_large_model:
            self._turn.part(Inquiry).answer = own
            prepare(own.text)
            return None
        instead = await self._large_model.ask_for_answer(llm_request, state, brief, own)
        return self._answered(state, instead) if instead else None

    async def after_model(self, llm_response: LlmResponse) -> LlmResponse | None:
        """What a model said becomes a decision or a checked answer; what it failed to say is code's to say."""
        try:
            return await self._after_model(llm_response)
        except Exception as err:
            return self._failed(err)

    async def _after_model(self, llm_response: LlmResponse) -> LlmResponse | None:
        turn = self._turn
        text = text_of(llm_response).strip()
        asking = turn.model.asking
        if llm_response.partial:
            draft = turn.part(Inquiry).draft
            shown = draft.feed(text_of(llm_response)) if draft else ""
            turn.part(Meanwhile).has_begun = bool(draft and draft.raw)
            is_ours = asking is not None
            return LlmResponse(content=types.ModelContent(shown), partial=True) if is_ours else None
        if not text and asking is None:
            return None
        state = SessionState.of(self._context.state.to_dict())
        turn.model.asking = None
        if asking is None:
            prepared = turn.part(Inquiry).answer or GroundedAnswer(text=text)
            return self._answered(state, replace(prepared, text=text))
        if asking.task == "intent":
            intent, query = await self._large_model.meant(state, text)
            return await self._decide(state, intent, query=query)
        brief = await self._brief(state)
        said = await self._large_model.grounded(state, brief, text)
        return self._answered(state, said)

    def model_failed(self) -> LlmResponse | None:
        """No answer: the offline way, which after_model takes for an empty text."""
        if self._turn.model.asking is None:
            return None
        return LlmResponse(content=types.Content(role="model", parts=[]), partial=False)

    def _answered(self, state: SessionState, answer: GroundedAnswer) -> LlmResponse:
        """An answer leaves with its sources, what belongs before and after it, and the open question."""
        turn = self._turn
        # Whole, however much of them a model was shown.
        turn.sources.cite(turn.sources.results[source.chunk_id] for source in answer.sources)
        text = answer.text
        if not turn.sources.citations and NO_INFORMATION not in text:
            text = f"{NO_INFORMATION} about that in this course. {text}"
        inquiry = turn.part(Inquiry)
        if inquiry.lead:
            text = f"{inquiry.lead}\n\n{text}"
        if inquiry.was_cut:
            text = f"{text}\n\n{FORGOTTEN}"
        return LlmResponse(content=types.ModelContent(with_question(text, state)))

    async def after_agent(self) -> types.Content | None:
        """A chart goes out by itself: adk web shows an event's picture in the place of its text."""
        chart = self._turn.part(Inquiry).chart
        if chart:
            await self._context.save_artifact(
                "progress.png", types.Part.from_bytes(data=chart, mime_type="image/png")
            )
        return None

    async def _state(self) -> SessionState:
        """The session's state; a new session of a known learner gets what the database remembers."""
        await self._services.ready()
        values = self._context.state.to_dict()
        state = SessionState.of(values)
        if healing := SessionState.healing(values):
            logger.warning("healed %s of session %s", ", ".join(healing), self._context.session.id)
            self._context.state.update(healing)
        if state.user_id == self._context.user_id:
            if not state.course or (await self._services.syllabus(state.course)).documents:
                return state
            # A teacher has removed the course since: its lesson is over, and another one may be there.
            self._context.state.update(state.without_lesson(course=""))
            state = SessionState.of(self._context.state.to_dict())
        user_id = self._context.user_id
        remembered = state.course or str(self._context.state.get(COURSE_KEY) or "")
        course = await usual_course(self._services, user_id, remembered=remembered)
        state = state.model_copy(update={"course": course})
        changes = await restore(self._services, state, user_id=user_id, session_id=self._context.session.id)
        self._context.state.update(changes)
        return SessionState.of(self._context.state.to_dict())

    async def _understand(self, state: SessionState) -> Intent:
        syllabus = await self._services.syllabus(state.course)
        message = self._turn.meant
        intent = understand(message, situation_of(state, syllabus, run=self._context.run_config))
        spoken = intent.language or language_of(message)
        if spoken and spoken != state.language and len(message.split()) >= ENOUGH_WORDS:
            self._context.state.update(state.changes(language=spoken))
        turn = self._turn
        turn.kept_message = intent.kept
        turn.trace = ReasoningTrace(
            intent=intent.action,
            confidence=intent.confidence,
            alternatives=intent.alternatives,
            reason=intent.reason,
        )
        return intent

    async def _carry_out(self, decision: Decision, state: SessionState, intent: Intent) -> LlmResponse:
        route = decision.agent_name if isinstance(decision, HandOver) else "coordinator"
        turn = self._turn
        # What was offered is gone with the next message that is about something else.
        kept = {} if intent.action in _BESIDE_AN_OFFER else {"suggestion": ""}
        pending_task = state.pending_task if route == "task_manager" else None
        noted = state.changes(
            last_routed_to=route,
            routing_reason=intent.reason,
            pending_task=pending_task,
            doubtful_message="",
            choices=[],
            **kept,
        )
        self._context.state.update({**noted, **decision.changes})
        if state.open_cycle_id is not None and "open_cycle_id" in decision.changes:
            turn.closed_cycles.append("left")
        if isinstance(decision, LookUp):
            return await self._look_up(decision, state)
        if isinstance(decision, HandOver):
            return _calls("transfer_to_agent", [{"agent_name": decision.agent_name}])
        turn.outcome.status, turn.outcome.error = decision.status, decision.error
        turn.part(Inquiry).chart = decision.chart
        turn.sources.retrieved(decision.sources)
        turn.sources.cite(decision.sources)
        now_state = SessionState.of(self._context.state.to_dict())
        labels = tuple(choice.label for choice in now_state.choices)
        turn.outcome.clarification = Clarification(question=decision.text, options=decision.options or labels)
        text = with_question(decision.text, now_state) if decision.shows_question else decision.text
        return LlmResponse(content=types.ModelContent(text))

    async def _look_up(self, decision: LookUp, state: SessionState) -> LlmResponse:
        """Ask the course that has the answer: this one, or else another, and then say which."""
        turn = self._turn
        inquiry = turn.part(Inquiry)
        terms = (await self._services.syllabus(state.course)).names
        asked = checked_query(decision.question)
        if asked == self._turn.meant:
            asked = resolve(asked, history=last_exchange(state), topic=state.current_topic, terms=terms)
        queries = search_queries(asked)
        # ADK runs the calls at once, so the first to come back may be any of them.
        turn.sources.found = dict.fromkeys(queries, ())
        if decision.already_said:
            inquiry.already_said = self._told(state)
        inquiry.course = await self._answering_course(queries, state)
        inquiry.lead = "" if self._services.has_large_model else decision.lead
        if state.course and inquiry.course != state.course:
            title = (await self._services.syllabus(inquiry.course)).title
            inquiry.lead = f"{inquiry.lead} This is from another course, **{title}**.".strip()
        subject = subject_of(asked, terms=(await self._services.syllabus(inquiry.course)).names)
        self._context.state.update(
            state.changes(last_question=asked, last_subject=subject or state.last_subject)
        )
        return _calls("retrieve_context", [{"query": query} for query in queries])

    def _told(self, state: SessionState) -> str:
        """What the learner has heard by now, as far back as anybody remembers."""
        heard = conversation(self._context.session, since_turn=state.history_reset_turn)
        recent = heard[-self._services.settings.max_history :]
        return "\n".join([state.explanation, *(text for role, text in recent if role != "user")])

    async def _answering_course(self, queries: Sequence[str], state: SessionState) -> str:
        """This course where it answers well, else the one that answers best; this one when none does."""
        others = [course.name for course in await self._services.library.courses()]
        best, most = state.course or next(iter(others), ""), 0.0
        for name in dict.fromkeys([state.course, *others] if state.course else others):
            settings, names = self._services.settings, (await self._services.syllabus(name)).names
            found = [
                await look_up(
                    self._services.library,
                    query,
                    top_k=settings.top_k,
                    threshold=settings.score_threshold,
                    scope=Scope(course=name),
                    terms=names,
                )
                for query in queries
            ]
            grounding = is_answerable(queries[0], merged(found), terms=names)
            is_here = name == state.course
            if is_here and grounding.answerable and grounding.confidence >= _WELL_ANSWERED:
                return name
            worth = grounding.confidence + (_OWN_COURSE if is_here else 0.0)
            if grounding.answerable and worth > most:
                best, most = name, worth
        return best

    async def _brief(self, state: SessionState) -> CoordinatorBrief:
        turn = self._turn
        inquiry = turn.part(Inquiry)
        syllabus = await self._services.syllabus(inquiry.course or state.course)
        history = window(
            conversation(self._context.session, since_turn=state.history_reset_turn),
            most_messages=self._services.settings.max_history,
        )
        inquiry.was_cut = history.was_cut
        return CoordinatorBrief(
            question=next(iter(turn.sources.found), "") or turn.meant,
            passages=tuple(turn.sources.results.values()),
            course_topics=tuple(syllabus.topic_names()),
            terms=syllabus.names,
            already_said=inquiry.already_said,
        )


def _just_retrieved(llm_request: LlmRequest) -> bool:
    last = llm_request.contents[-1] if llm_request.contents else None
    return any(part.function_response for part in (last.parts or [])) if last else False


def _calls(tool: str, uses: Sequence[dict[str, Any]]) -> LlmResponse:
    parts = [types.Part(function_call=types.FunctionCall(name=tool, args=use)) for use in uses]
    return LlmResponse(content=types.Content(role="model", parts=parts))
