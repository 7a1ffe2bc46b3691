"""No model: one that does not answer. The offline way of each agent takes its place, as it does for one that failed."""

from collections.abc import AsyncGenerator

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry

from agents.models.voice import ModelFailureError

NAME = "embedded"


class NoModel(BaseLlm):
    """Stands where a language model would; nobody waits for it."""

    model: str = NAME

    @classmethod
    def supported_models(cls) -> list[str]:
        return [NAME]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        raise ModelFailureError("none")
        yield  # makes it a generator


LLMRegistry.register(NoModel)
