"""A large model behind the limits that hold for all of them: it streams inside, silence ends it, a failure is never words."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

from agents.models.declared import calls_in, declarations, put_in_words

Cause = Literal[
    "none", "busy", "down", "silent", "empty", "blocked", "cut_off", "rejected", "invalid", "ungrounded", "limit"
]  # fmt: skip

PATIENCE = 5.0  # seconds in front of nothing; then there is something of the course to read
_AT_ONCE = 5.0  # seconds: a call that failed sooner is worth another try
_PAUSE = 1.0
_BREATH = 1.0  # seconds between two words that are no silence yet
_CHARS_A_TOKEN = 8  # more than any language takes: a model that never stops is stopped
_THINKING_TOKENS = 512
_BUSY = (408, 429)
_WAITING = "waiting"


class ModelFailureError(Exception):
    """The model did not answer, and why."""

    def __init__(self, cause: Cause, *, detail: str = "") -> None:
        super().__init__(f"{cause}: {detail}" if detail else cause)
        self.cause: Cause = cause


@dataclass(slots=True)
class Silence:
    """How long all models of one turn may still keep the learner waiting."""

    seconds: float

    def take(self, seconds: float) -> None:
        """A wait that is over; the time between two words is none."""
        if seconds >= min(_BREATH, self.seconds):
            self.seconds -= seconds


# Set for each call by the plugin that knows the turn: a request has no room for it.
silence_of_turn: ContextVar[Silence | None] = ContextVar("silence_of_turn", default=None)


def is_waiting(response: LlmResponse) -> bool:
    """Whether this says only that the model has still to begin."""
    return bool((response.custom_metadata or {}).get(_WAITING))


class Voice(BaseLlm):
    """Everything that asks a large model asks through here."""

    inner: BaseLlm = Field(exclude=True)
    silence: float = 30.0  # seconds without a word, in a whole turn
    pause: float = _PAUSE
    clock: Callable[[], float] = Field(default=time.monotonic, exclude=True)
    house_rules: str = ""  # of a school: they stand at the end of every prompt
    is_plain: bool = False  # takes neither a schema nor a thinking budget; found out by asking
    takes_tools: bool = True  # or is told of them in words; found out by asking

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """One try, and another where the first failed at once and nobody has heard a word of it."""
        if self.house_rules:
            llm_request.append_instructions([f"The rules of this house:\n{self.house_rules}"])
        self._leave_room_for_thoughts(llm_request)
        left = silence_of_turn.get() or Silence(self.silence)
        tools = [name for each in declarations(llm_request) if (name := each.name)]
        is_last = False
        while True:
            began, heard = self.clock(), False
            try:
                async for response in self._try(llm_request, left, tools):
                    heard = heard or bool(response.partial)
                    if stream or not response.partial:
                        yield response
                return
            except ModelFailureError as failure:
                if heard and stream:
                    raise
                if failure.cause == "rejected" and self._make_plainer(llm_request):
                    continue
                at_once = self.clock() - began < _AT_ONCE and failure.cause != "silent"
                if is_last or not at_once or failure.cause == "rejected":
                    raise
                is_last = True
            await asyncio.sleep(self.pause)

    async def _try(
        self, llm_request: LlmRequest, left: Silence, tools: list[str]
    ) -> AsyncIterator[LlmResponse]:
        if self.is_plain:
            _without_extras(llm_request)
        if not self.takes_tools:
            put_in_words(llm_request)
        most = (llm_request.config.max_output_tokens or 8192) * _CHARS_A_TOKEN
        said, is_whole, has_told = 0, False, False
        # Words may turn out to be a tool call: then nobody reads them as they come.
        is_hidden = bool(tools) and not self.takes_tools
        stream = self.inner.generate_content_async(llm_request, stream=True)
        try:
            async with aclosing(_patiently(stream, left)) as heard:
                async for response in heard:
                    if response is None:
                        if not (said or has_told):
                            has_told = True
                            yield LlmResponse(custom_metadata={_WAITING: True}, partial=False)
                        continue
                    said += len(text_of(response)) if response.partial else 0
                    if said > most:
                        raise ModelFailureError("cut_off", detail="it does not stop")
                    if response.partial:
                        if not is_hidden:
                            yield response
                    elif said or not _is_nothing(response):  # else a chunk that only carries numbers
                        is_whole = True
                        yield _whole(response, tools if is_hidden else [])
        except ModelFailureError:
            raise
        except Exception as err:
            raise _failure(err) from err
        if not is_whole:
            raise ModelFailureError("cut_off" if said else "empty")

    def _make_plainer(self, llm_request: LlmRequest) -> bool:
        """Take off what simple servers reject, the rarer first; False when nothing is left to take off."""
        if _without_extras(llm_request):
            self.is_plain = True
            return True
        if self.takes_tools and declarations(llm_request):
            self.takes_tools = False
            return True
        return False

    def _leave_room_for_thoughts(self, llm_request: LlmRequest) -> None:
        config = llm_request.config
        # Its thoughts count against the longest answer.
        thinking = _thinking(self.model)
        if thinking and config.thinking_config is None and not self.is_plain:
            config.thinking_config = thinking
            if config.max_output_tokens:
                config.max_output_tokens += _THINKING_TOKENS


def _thinking(model: str) -> types.ThinkingConfig | None:
    """How much it may think; from Gemini 3 on it is told how hard, before that how long."""
    if model.startswith("gemini-2.5"):
        return types.ThinkingConfig(thinking_budget=_THINKING_TOKENS)
    generation = re.match(r"gemini-(\d+)", model)
    if generation and int(generation[1]) >= 3:
        return types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW)
    return None


Item = TypeVar("Item")


async def _patiently(stream: AsyncGenerator[Item, None], left: Silence) -> AsyncGenerator[Item | None, None]:
    """The stream's items; None once it keeps us waiting. Raises when the turn's silence is used up.

    One task drives the stream from its beginning to its end: clients open scopes in it that another could not close.
    """
    queue: asyncio.Queue[tuple[Item | None, Exception | None]] = asyncio.Queue()

    async def drive() -> None:
        try:
            async with aclosing(stream):
                async for item in stream:
                    queue.put_nowait((item, None))
            queue.put_nowait((None, None))
        except Exception as err:
            queue.put_nowait((None, err))

    if left.seconds <= 0:
        await stream.aclose()
        raise ModelFailureError("silent", detail="earlier in this turn")
    task = asyncio.create_task(drive())
    try:
        while True:
            began = time.monotonic()
            is_patient = True
            while True:
                waited = time.monotonic() - began
                seconds = min(left.seconds, PATIENCE) if is_patient else left.seconds
                try:
                    async with asyncio.timeout(max(0.0, seconds - waited)):
                        item, err = await queue.get()
                    break
                except TimeoutError:
                    if not is_patient or left.seconds <= PATIENCE:
                        left.seconds = 0.0
                        raise ModelFailureError("silent") from None
                    is_patient = False
                    yield None
            left.take(time.monotonic() - began)
            if err is not None:
                raise err
            if item is None:
                return
            yield item
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def text_of(response: LlmResponse) -> str:
    """What a response or an event says, without what the model thought."""
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)


def calls_of(response: LlmResponse) -> list[types.FunctionCall]:
    """The tools that a response wants to use."""
    parts = response.content.parts if response.content else None
    return [part.function_call for part in parts or [] if part.function_call]


def words_in(message: types.Content | None) -> str:
    """What a learner has written."""
    parts = message.parts if message else None
    return " ".join(part.text for part in parts or [] if part.text)


def _without_extras(llm_request: LlmRequest) -> bool:
    config = llm_request.config
    had = bool(config.response_schema or config.thinking_config)
    config.response_schema = config.response_mime_type = config.thinking_config = None
    return had


def _whole(response: LlmResponse, tools: list[str]) -> LlmResponse:
    """A complete answer, with the calls that it is where tools were told in words; raises when it is none."""
    if calls := calls_in(text_of(response), names=tools):
        response.content = types.Content(
            role="model", parts=[types.Part(function_call=call) for call in calls]
        )
    _refuse_broken(response)
    return response


def _is_nothing(response: LlmResponse) -> bool:
    is_broken = response.error_code or response.finish_reason not in (None, types.FinishReason.STOP)
    says_nothing = not text_of(response) and not calls_of(response)
    return not is_broken and says_nothing and response.finish_reason is None


def _refuse_broken(response: LlmResponse) -> None:
    reason = response.finish_reason
    if calls_of(response):
        return
    if reason in (types.FinishReason.MAX_TOKENS,) and text_of(response).strip():
        response.error_code = response.error_message = None  # what was said is still worth reading
        return
    if reason not in (None, types.FinishReason.STOP, types.FinishReason.MAX_TOKENS):
        raise ModelFailureError("blocked", detail=str(getattr(reason, "name", reason)))
    if response.error_code:
        raise ModelFailureError("blocked", detail=str(response.error_code))
    if not text_of(response).strip():
        raise ModelFailureError("empty")


def _failure(err: Exception) -> ModelFailureError:
    """What a client's exception means; its text may hold addresses and keys, so only its kind is kept."""
    status: Any = getattr(err, "status_code", None) or getattr(err, "code", None)
    if status in _BUSY:
        return ModelFailureError("busy", detail=str(status))
    if isinstance(status, int) and 400 <= status < 500:
        return ModelFailureError("rejected", detail=str(status))
    return ModelFailureError("down", detail=str(status or type(err).__name__))
