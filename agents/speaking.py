"""How an agent speaks, in ADK's own hooks: code does what must be exact, the model speaks, code checks and records.

before_agent_callback    prepares: marks, stores, picks; what is said without a model ends the agent here
instruction              the agent's prompt and this turn's brief
before_model_callback    the request without transcripts of other agents; what the tools have decided meanwhile
on_model_error_callback  the same brief answered by code: no model, down, silent and over its limit are one thing
after_model_callback     checks, also while the words come, and records
"""

import logging
from abc import ABC
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.briefing import ask, fitting, passages_text, prompt
from agents.models.none import NoModel
from agents.models.voice import Cause, ModelFailureError, calls_of, is_waiting, text_of, words_in
from agents.repair import Draft, mend
from agents.said import Said, one_after_another
from agents.services import Services
from agents.state import SessionState
from agents.teaching.values import RetrievalResult
from agents.turn import error_code
from storage.errors import CohereAPIError, InvalidInputError, QdrantConnectionError, TutorError

logger = logging.getLogger(__name__)

TRANSFER, SEARCH = "transfer_to_agent", "retrieve_context"
_FOUND_TOKENS = 800  # for what a model looks up by itself
Calls = Sequence[tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What comes of an agent's turn: words with their state changes, a hand-over, or tools to use first."""

    text: str | Said = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    escalate: bool = False  # out of the loop: the learner is next
    hand_over: str = ""  # to the agent of this name
    calls: Calls = ()
    chart: bytes | None = None

    @property
    def uses(self) -> Calls:
        """The tools to call; handing over is one."""
        return [(TRANSFER, {"agent_name": self.hand_over})] if self.hand_over else self.calls


class Brief(ABC):
    """One agent's turn. It lives as long as the turn, and nobody else writes to it."""

    prompt: str
    temperature: float | None = None  # where it is not the agent's usual one
    task: str  # what the model is asked for, in the record of its calls
    found_tokens: int = _FOUND_TOKENS  # of what is looked up
    instead: str = ""  # "My language model did not answer, so …"

    def __init__(self, services: Services, ctx: InvocationContext) -> None:
        self.services, self.ctx = services, ctx
        self.turn = services.turns.of(ctx.invocation_id)
        self.state = SessionState.of(ctx.session.state)
        self.passages: list[RetrievalResult] = []  # as they are numbered for the model
        self.request: LlmRequest | None = None
        self.contents: Sequence[types.Content] = ()  # of the request that is due
        self.decided: Move | None = None  # no model is asked any more
        self.steps = 0  # requests that were due so far, whoever answered them
        self.forgets = False  # what the model said before in this turn is not for its next request
        self.hands_over_itself = False  # a hand-over that code has decided needs nobody's leave
        self.said: Said | None = None  # what this turn's reply is made of, until it is out
        self._by_code: LlmResponse | None = None
        self._draft: Draft | None = None
        self._told: str | None = None

    async def prepare(self) -> Move | None:
        """Do what must be exact; a reply where no model is wanted."""
        return None

    async def told(self) -> Sequence[str]:
        """What the model is told of this turn, behind its prompt and the passages."""
        return ()

    @property
    def message(self) -> str:
        """What the model is to answer."""
        return self.turn.meant

    @property
    def known(self) -> str:
        """What a text may take numbers and names from although no passage has them."""
        return self._told or ""

    async def offline(self) -> Move | None:
        """The turn by code alone: words, or tools to use."""
        raise NotImplementedError

    async def go_on(self) -> Move | None:
        """After the model's tools: what is decided by now; None lets it speak."""
        self.take_found()
        return None

    def take_found(self) -> None:
        """What the tools have found since joins the passages, as far as there is room."""
        known = {passage.chunk_id for passage in self.passages}
        found = (each for query, results in self.turn.sources.found.items() if query for each in results)
        new = {each.chunk_id: each for each in found if each.chunk_id not in known}
        self.passages += fitting(
            tuple(new.values()), tokens=self.found_tokens // (2 if self.services.model_is_slow else 1)
        )
        self._draft = None

    def read(self, text: str) -> Calls:
        """The tool calls that a model wrote as words."""
        return ()

    async def heard(self, text: str) -> Move:
        """Check what the model said; raises ModelFailureError where it is of no use."""
        raise NotImplementedError

    async def meanwhile(self) -> str:
        """What there is to read while the model has still to begin."""
        return ""

    def feed(self, piece: str) -> str:
        """What of the model's words may be shown as they come."""
        return self.draft.feed(piece)

    def apologise(self, err: Exception) -> Move:
        return Move(text=trouble(err), escalate=True)

    def without_tools(self) -> Move:
        """Code wants to use a tool that is not there now."""
        return self.apologise(RuntimeError("a tool is missing"))

    @property
    def draft(self) -> Draft:
        """The model's words so far, sentence by sentence."""
        if self._draft is None:
            self._draft = Draft(self.passages, known=self.known)
        return self._draft

    def finished(self, text: str) -> Draft:
        """All of the model's words; a front end that does not stream brings them at once."""
        draft = self.draft
        if not draft.raw:
            draft.feed(text)
        draft.finish()
        return draft

    async def again(self, said: str, remark: str) -> str:
        """Let the model try once more, in the same conversation."""
        assert self.request is not None  # it has just answered it
        request = self.request.model_copy(
            update={
                "contents": [*self.request.contents, types.ModelContent(said), types.UserContent(remark)],
                "config": self.request.config.model_copy(),
            }
        )
        call = await ask(self.services.model, request, task=self.task, calls=self.turn.model.calls)
        self.turn.model.made(self.turn.model.calls[-1:])
        return call

    async def mended(self, draft: Draft) -> None:
        """Leave nothing wrong in a draft."""
        await mend(draft, ask=lambda remark: self.again(draft.raw, remark))
        self.turn.model.repairs += draft.repairs

    def commented(self, text: str) -> str:
        """The model's words, of which a sentence with a figure that the brief does not have goes."""
        draft = self.finished(text)
        draft.mend()
        self.turn.model.repairs += draft.repairs
        if not draft.text:
            raise ModelFailureError("empty")
        return draft.text

    async def instruction(self) -> str:
        self.take_found()
        if self._told is None:
            self._told = "\n\n".join(part for part in await self.told() if part)
        shown = passages_text(self.passages) if self.passages else ""
        return "\n\n".join(part for part in (prompt(self.prompt), shown, self._told) if part)

    def made_by_code(self, response: LlmResponse) -> bool:
        return response is self._by_code

    def respond(self, context: CallbackContext, reply: Move) -> LlmResponse:
        """A reply as a model would give it, with everything that it changes."""
        if reply.uses:
            parts = [types.Part.from_function_call(name=name, args=dict(args)) for name, args in reply.uses]
            content = types.Content(role="model", parts=parts)
        else:
            self.said = Said.of(reply.text)
            content = types.ModelContent(str(self.said))
        self.hands_over_itself = bool(reply.hand_over)
        record(context, reply, hands_over=False)
        self._by_code = LlmResponse(content=content, partial=False)
        return self._by_code

    def lead(self, cause: Cause) -> str:
        """The one sentence that tells of a model's failure; nobody misses a model that is not there."""
        return (
            f"My language model did not answer, so {self.instead}."
            if self.instead and cause != "none"
            else ""
        )

    async def instead_of_the_model(self, failure: ModelFailureError) -> Move | None:
        """The offline way, and a word about why it is taken."""
        if failure.cause != "none":
            self.turn.model.replaced(failure.cause)
        self.turn.model.failure = failure.cause
        reply = await self.offline()
        lead = self.lead(failure.cause) if reply and not reply.uses else ""
        if reply is None or not lead:
            return reply
        return Move(
            text=one_after_another(lead, reply.text),
            changes=reply.changes,
            escalate=reply.escalate,
            chart=reply.chart,
        )


class Comment(Brief):
    """A model's words between what code says before and after them."""

    instead = "here it is in short"

    def __init__(self, services: Services, ctx: InvocationContext) -> None:
        super().__init__(services, ctx)
        self.before = self.after = ""
        self._has_begun = False

    def feed(self, piece: str) -> str:
        shown = super().feed(piece)
        lead = f"{self.before}\n\n" if shown and self.before and not self._has_begun else ""
        self._has_begun = self._has_begun or bool(shown)
        return f"{lead}{shown}"

    def around(self, text: str) -> str:
        return "\n\n".join(part for part in (self.before, self.commented(text), self.after) if part)


def record(context: CallbackContext, reply: Move, *, hands_over: bool = True) -> None:
    """Everything that a reply changes besides what is said."""
    context.state.update(dict(reply.changes))
    if reply.escalate:
        context.actions.escalate = True
    if reply.hand_over and hands_over:
        context.actions.transfer_to_agent = reply.hand_over


class Hooks:
    """The callbacks of one agent; its brief's module is imported with its first turn: `adk run` shows its prompt before that."""

    def __init__(self, services: Services, load: Callable[[], type[Brief]]) -> None:
        self._services = services
        self._load = load

    def _brief(self, context: ReadonlyContext) -> Brief:
        brief: Brief = self._services.turns.of(context.invocation_id).briefs[context.agent_name]
        return brief

    async def before_agent(self, callback_context: CallbackContext) -> types.Content | None:
        await self._services.ready()
        brief = self._load()(self._services, callback_context.get_invocation_context())
        brief.turn.briefs[callback_context.agent_name] = brief
        reply = await _surely(brief, brief.prepare())
        if reply is None:
            return None
        if reply.chart or (reply.uses and not reply.hand_over):
            # A picture goes out by itself: adk web shows it in the place of the text.
            brief.decided = reply
            await _save(callback_context, reply)
            return None
        record(callback_context, reply)
        if reply.hand_over:
            return None
        brief.said = Said.of(reply.text)
        return types.ModelContent(str(brief.said))

    async def instruction(self, context: ReadonlyContext) -> str:
        brief = self._brief(context)
        # Nobody is told anything where nobody listens.
        is_heard = not isinstance(self._services.model, NoModel)
        return await brief.instruction() if is_heard else prompt(brief.prompt)

    async def before_model(
        self, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        brief = self._brief(callback_context)
        brief.steps += 1
        brief.contents = llm_request.contents
        if brief.decided is None and brief.steps > 1:
            before = await self.instruction(callback_context)
            brief.decided = await _surely(brief, brief.go_on())
            # ADK has filled in the instruction by now, for the step as it was before the tools came back.
            told, now = llm_request.config.system_instruction, await self.instruction(callback_context)
            if isinstance(told, str) and now != before:
                llm_request.config.system_instruction = told.replace(before, now)
        if brief.decided is not None:
            reply, brief.decided = brief.decided, None
            if any(name not in llm_request.tools_dict for name, _ in reply.uses):
                reply = brief.without_tools()
            return brief.respond(callback_context, reply)
        if len(brief.turn.model.calls) >= self._services.settings.max_llm_calls:
            return await self._instead(callback_context, ModelFailureError("limit"))
        kept = [] if brief.forgets else [_slim(each) for each in llm_request.contents if _is_of_tools(each)]
        llm_request.contents = [types.UserContent(brief.message or " "), *kept]
        if brief.temperature is not None:
            llm_request.config.temperature = brief.temperature
        # Kept apart: whoever answers it writes into it.
        brief.request = llm_request.model_copy(
            update={"contents": list(llm_request.contents), "config": llm_request.config.model_copy()}
        )
        return None

    async def after_model(
        self, callback_context: CallbackContext, llm_response: LlmResponse
    ) -> LlmResponse | None:
        brief = self._brief(callback_context)
        if brief.made_by_code(llm_response):
            return None
        if is_waiting(llm_response):
            text = await brief.meanwhile()
            return LlmResponse(content=types.ModelContent(text), partial=False) if text else LlmResponse()
        if llm_response.partial:
            shown = brief.feed(text_of(llm_response))
            return LlmResponse(content=types.ModelContent(shown) if shown else None, partial=True)
        if calls := calls_of(llm_response):
            return _only_calls(llm_response, calls)
        text = text_of(llm_response).strip()
        if read := brief.read(text):
            return brief.respond(callback_context, Move(calls=read))
        try:
            reply = await brief.heard(text)
        except ModelFailureError as failure:
            return await self._instead(callback_context, failure)
        except Exception as err:
            reply = _failed(brief, err)
        return _in_place_of(llm_response, brief.respond(callback_context, reply))

    async def on_model_error(
        self, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception
    ) -> LlmResponse | None:
        failure = error if isinstance(error, ModelFailureError) else ModelFailureError("down")
        return await self._instead(callback_context, failure)

    async def _instead(self, context: CallbackContext, failure: ModelFailureError) -> LlmResponse:
        brief = self._brief(context)
        reply = await _surely(brief, brief.instead_of_the_model(failure)) or _failed(brief, failure)
        await _save(context, reply)
        return brief.respond(context, reply)


def hooks(services: Services, load: Callable[[], type[Brief]]) -> dict[str, Any]:
    """What makes an LlmAgent speak by a brief."""
    made = Hooks(services, load)
    return {
        "instruction": made.instruction,
        "before_agent_callback": made.before_agent,
        "before_model_callback": made.before_model,
        "after_model_callback": made.after_model,
        "on_model_error_callback": made.on_model_error,
    }


async def _surely(brief: Brief, work: Awaitable[Move | None]) -> Move | None:
    """Whatever breaks, the learner is told, the state is as it was, and the next turn works."""
    try:
        return await work
    except Exception as err:
        return _failed(brief, err)


def _failed(brief: Brief, err: Exception) -> Move:
    if isinstance(err, TutorError):  # expected, and told: a traceback would only frighten
        logger.warning("%s failed: %s", type(brief).__name__, error_code(err))
    else:
        logger.exception("%s failed", type(brief).__name__, exc_info=err)
    brief.turn.outcome.status, brief.turn.outcome.error = "error", error_code(err)
    return brief.apologise(err)


async def _save(context: CallbackContext, reply: Move) -> None:
    if reply.chart:
        await context.save_artifact(
            "progress.png", types.Part.from_bytes(data=reply.chart, mime_type="image/png")
        )


def _is_of_tools(content: types.Content) -> bool:
    """Whether it is a call of this agent's own, or what came back; ADK tells what other agents did in words."""
    return any(part.function_call or part.function_response for part in content.parts or [])


def _slim(content: types.Content) -> types.Content:
    """What a search has found stands in the instruction, numbered and once."""
    parts = []
    for part in content.parts or []:
        told = part.function_response
        if told and told.name == SEARCH and told.response and not told.response.get("error"):
            found = {"total": told.response.get("total"), "passages": "numbered in your instruction"}
            told = told.model_copy(update={"response": found})
            parts.append(types.Part(function_response=told))
        else:
            parts.append(part)
    return types.Content(role=content.role, parts=parts)


def _only_calls(response: LlmResponse, calls: Sequence[types.FunctionCall]) -> LlmResponse:
    """What a model says beside its calls is about its calls, and nobody's to read."""
    parts = (
        [part for part in (response.content.parts or []) if part.function_call] if response.content else []
    )
    response.content = types.Content(role="model", parts=parts)
    return response


def _in_place_of(response: LlmResponse, ours: LlmResponse) -> LlmResponse:
    """Our words with what the model's response knows of its making."""
    ours.usage_metadata, ours.model_version = response.usage_metadata, response.model_version
    ours.finish_reason = response.finish_reason
    return ours


def trouble(err: Exception) -> str:
    """What a learner hears when something failed: the cause where it is theirs to mend, and what to do."""
    if isinstance(err, InvalidInputError):
        return str(err)
    if isinstance(err, QdrantConnectionError | CohereAPIError):
        return unable(str(err))
    cause = f"{err} " if isinstance(err, TutorError) else ""
    return f"Something went wrong on my side. {cause}Nothing is lost: say that again, or ask something else."


def unable(cause: str) -> str:
    """An outage of the index or of an embedder, which says nothing about what the course holds."""
    return f"Unable to retrieve content. {cause} Nothing is lost: ask again in a moment."


def message_of(ctx: InvocationContext) -> str:
    """The text of the message that this turn answers."""
    return words_in(ctx.user_content)
