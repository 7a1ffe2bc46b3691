"""A question to a large model beside ADK's flow: for what is asked in the background or in the middle of an answer."""

import time

from google.adk.models.base_llm import BaseLlm

from agents.models.asking import Consultation
from agents.models.voice import ModelFailureError, text_of
from agents.turn import ModelCall


async def ask_directly(model: BaseLlm, asked: Consultation, *, calls: list[ModelCall]) -> str:
    """The model's whole reply; the call is noted, also when it fails."""
    began, text, usage = time.perf_counter(), "", None
    outcome = "ok"
    try:
        async for response in model.generate_content_async(asked.request(model=model.model)):
            if not response.partial:
                text, usage = text + text_of(response), response.usage_metadata or usage
    except ModelFailureError as failure:
        outcome = failure.cause
        raise
    finally:
        calls.append(
            ModelCall(
                task=asked.task,
                outcome=outcome,
                seconds=round(time.perf_counter() - began, 3),
                prompt_tokens=(usage.prompt_token_count or 0) if usage else 0,
                output_tokens=(usage.candidates_token_count or 0) if usage else 0,
            )
        )
    return text
