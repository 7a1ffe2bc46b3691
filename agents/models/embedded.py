"""The embedded language model: deterministic, offline, and speaking the same protocol as Gemini."""

import re
from collections.abc import AsyncGenerator
from contextvars import ContextVar

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types

NAME = "embedded"
_CHARS_A_TOKEN = 4
_PIECE = re.compile(r"(?:\S+\s*|\s+){1,12}")
_NOTHING_PREPARED = "I have nothing to say to that without a larger language model."

# What code has written for the request under way. Beside the request, which holds text only: whoever asks has the
# lesson, the answer or the plan as an object, and would have to read it back out of its own prompt.
_PREPARED: ContextVar[str] = ContextVar("prepared", default="")


def prepare(text: str) -> None:
    """Say what the model answers to the next request of this turn."""
    _PREPARED.set(text)


class EmbeddedLlm(BaseLlm):
    """Says what code has prepared, as a model would."""

    model: str = NAME

    @classmethod
    def supported_models(cls) -> list[str]:
        return [NAME]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        text = _PREPARED.get() or _NOTHING_PREPARED
        _PREPARED.set("")
        for piece in _PIECE.findall(text) if stream else ():
            yield LlmResponse(content=types.ModelContent(piece), partial=True, model_version=NAME)
        yield LlmResponse(
            content=types.ModelContent(text),
            partial=False,
            finish_reason=types.FinishReason.STOP,
            usage_metadata=_usage(llm_request, text),
            model_version=NAME,
        )


def _usage(llm_request: LlmRequest, said: str) -> types.GenerateContentResponseUsageMetadata:
    asked = len(str(llm_request.config.system_instruction or "")) + sum(
        len(part.text or "") for content in llm_request.contents for part in content.parts or []
    )
    prompt, output = asked // _CHARS_A_TOKEN + 1, len(said) // _CHARS_A_TOKEN + 1
    return types.GenerateContentResponseUsageMetadata(
        prompt_token_count=prompt, candidates_token_count=output, total_token_count=prompt + output
    )


LLMRegistry.register(EmbeddedLlm)
