"""How a large model is asked: it streams inside, silence ends it, a failure is a failure and never words."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any, Literal

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

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
    """What a response says, without what the model thought."""
    parts = response.content.parts if response.content else None
    return "".join(part.text for part in parts or [] if part.text and not part.thought)


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
