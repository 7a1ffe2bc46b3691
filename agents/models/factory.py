"""Builds the language model that the settings name."""

import os

from google.adk.models.base_llm import BaseLlm
from google.genai import types

from agents.models.choice import choose_model
from agents.models.embedded import EmbeddedLlm
from agents.settings import Settings

_ATTEMPTS = 3
_RETRIED = [408, 429, 500, 502, 503, 504]


def build_model(settings: Settings) -> BaseLlm:
    """Gemini, a LiteLLM model, or the embedded one; all go through the same path from here on."""
    choice = choose_model(settings)
    if choice.family == "embedded":
        return EmbeddedLlm()
    if choice.family == "litellm":
        from google.adk.models.lite_llm import LiteLlm

        return LiteLlm(model=choice.name, num_retries=_ATTEMPTS - 1)
    from google.adk.models.google_llm import Gemini

    if settings.google_api_key:
        # The client reads the key itself; a key from .env would not reach it otherwise.
        os.environ.setdefault("GOOGLE_API_KEY", settings.google_api_key.get_secret_value())
    retry = types.HttpRetryOptions(
        attempts=_ATTEMPTS, initial_delay=0.5, exp_base=2, http_status_codes=_RETRIED
    )
    return Gemini(model=choice.name, retry_options=retry)


def generation_config(settings: Settings) -> types.GenerateContentConfig:
    """How freely and how long a large model may speak."""
    return types.GenerateContentConfig(
        temperature=settings.temperature, max_output_tokens=settings.max_tokens
    )
