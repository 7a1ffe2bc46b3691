"""How a large model is asked: what never changes first, then the brief; it streams inside, silence ends it, a failure is never words."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import BaseModel, Field, ValidationError

Task = Literal[
    "intent", "answer", "lesson", "quiz", "judge", "feedback", "plan", "diagnosis", "tasks", "mend"
]
Shape = TypeVar("Shape", bound=BaseModel)

_THINKING_TOKENS = 512
_JSON_TOKENS = 8192
_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_JSON_ONLY = "Answer with one JSON object of this schema, and nothing else:\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consultation:
    """What to ask for, and how freely it may be answered."""

    task: Task
    system: str  # the same for every learner, so that a provider's cache holds it
    brief: str
    schema: type[BaseModel] | None = None
    temperature: float = 0.0
    max_tokens: int = _JSON_TOKENS

    @property
    def tokens(self) -> int:
        """About how long the whole request is."""
        return (len(self.system) + len(self.brief)) // 4

    def shape(self, llm_request: LlmRequest, *, model: str) -> None:
        """Make this the request: nothing of the conversation, no tools, no transcripts of other agents."""
        thinks = model.startswith("gemini-2.5")  # whose thoughts count against the longest answer
        llm_request.contents = [types.Content(role="user", parts=[types.Part(text=self.brief)])]
        config = llm_request.config
        config.system_instruction = self._instruction()
        config.tools = config.response_schema = config.response_mime_type = None
        config.temperature = self.temperature
        config.max_output_tokens = self.max_tokens + (_THINKING_TOKENS if thinks else 0)
        config.thinking_config = types.ThinkingConfig(thinking_budget=_THINKING_TOKENS) if thinks else None
        if self.schema:
            llm_request.set_output_schema(self.schema)

    def request(self, *, model: str) -> LlmRequest:
        request = LlmRequest(model=model)
        self.shape(request, model=model)
        return request

    def _instruction(self) -> str:
        """Also in words: not every model takes a schema."""
        if self.schema is None:
            return self.system
        return f"{self.system}\n\n{_JSON_ONLY}{json.dumps(_slim(self.schema.model_json_schema()))}"


def read_json(text: str, schema: type[Shape]) -> Shape | None:
    """The object in a reply, out of its code fence or from between other words; None when there is none."""
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1]):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError:
            continue
    return None


def _slim(schema: object) -> object:
    """A schema without its titles, which only cost tokens."""
    if isinstance(schema, dict):
        return {
            key: _slim(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str)) and key != "default"
        }
    return [_slim(each) for each in schema] if isinstance(schema, list) else schema


Cause = Literal["busy", "down", "silent", "empty", "blocked", "cut_off", "rejected", "invalid", "ungrounded"]

_AT_ONCE = 5.0  # seconds: a call that failed sooner is worth another try
_PAUSE = 1.0
_CHARS_A_TOKEN = 8  # more than any language takes: a model that never stops is stopped
_BUSY = (408, 429)


class ModelFailureError(Exception):
    """The model did not answer, and why."""

    def __init__(self, cause: Cause, *, detail: str = "") -> None:
        super().__init__(f"{cause}: {detail}" if detail else cause)
        self.cause: Cause = cause


class Voice(BaseLlm):
    """A large model behind our limits; everything that asks one asks through here."""

    inner: BaseLlm = Field(exclude=True)
    silence: float = 30.0  # seconds without a word
    pause: float = _PAUSE
    clock: Callable[[], float] = Field(default=time.monotonic, exclude=True)
    house_rules: str = ""  # of a school: they stand at the end of every prompt
    is_plain: bool = False  # takes neither a schema nor a thinking budget; found out by asking

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """One try, and another where the first failed at once and nobody has heard a word of it."""
        if self.house_rules:
            llm_request.append_instructions([f"The rules of this house:\n{self.house_rules}"])
        for is_last in (False, True):
            began, heard = self.clock(), False
            try:
                async for response in self._try(llm_request):
                    heard = heard or bool(response.partial)
                    if stream or not response.partial:
                        yield response
                return
            except ModelFailureError as failure:
                at_once = self.clock() - began < _AT_ONCE and failure.cause != "silent"
                if is_last or not at_once or (heard and stream):
                    raise
                if failure.cause == "rejected" and not self._make_plain(llm_request):
                    raise
            await asyncio.sleep(self.pause)

    async def _try(self, llm_request: LlmRequest) -> AsyncIterator[LlmResponse]:
        if self.is_plain:
            self._make_plain(llm_request)
        most = (llm_request.config.max_output_tokens or 8192) * _CHARS_A_TOKEN
        said, is_whole = 0, False
        stream = self.inner.generate_content_async(llm_request, stream=True)
        try:
            while True:
                try:
                    async with asyncio.timeout(self.silence):
                        response = await anext(stream, None)
                except TimeoutError:
                    raise ModelFailureError("silent", detail=f"{self.silence:g} s") from None
                if response is None:
                    break
                _keep_words(response)
                said += len(text_of(response)) if response.partial else 0
                if said > most:
                    raise ModelFailureError("cut_off", detail="it does not stop")
                if not response.partial:
                    if not said and _is_nothing(response):
                        continue  # a chunk that only carries numbers
                    _refuse_broken(response)
                    is_whole = True
                yield response
        except ModelFailureError:
            raise
        except Exception as err:
            raise _failure(err) from err
        finally:
            await stream.aclose()
        if not is_whole:
            raise ModelFailureError("cut_off" if said else "empty")

    def _make_plain(self, llm_request: LlmRequest) -> bool:
        """Take off what simple servers reject; False when there was nothing of the kind."""
        config = llm_request.config
        had = bool(config.response_schema or config.thinking_config)
        config.response_schema = config.response_mime_type = config.thinking_config = None
        self.is_plain = self.is_plain or had
        return had


def text_of(response: LlmResponse) -> str:
    """What a response or an event says, without what the model thought."""
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)


def words_in(message: types.Content | None) -> str:
    """What a learner has written."""
    parts = message.parts if message else None
    return " ".join(part.text for part in parts or [] if part.text)


def _keep_words(response: LlmResponse) -> None:
    """A model that was given no tools may call none, whatever it tries."""
    if response.content and response.content.parts:
        response.content.parts = [part for part in response.content.parts if part.text]


def _is_nothing(response: LlmResponse) -> bool:
    is_broken = response.error_code or response.finish_reason not in (None, types.FinishReason.STOP)
    return not is_broken and not text_of(response) and response.finish_reason is None


def _refuse_broken(response: LlmResponse) -> None:
    reason = response.finish_reason
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
