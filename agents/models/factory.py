"""Builds the language model that the settings name."""

import os

from google.adk.models.base_llm import BaseLlm

from agents.models.choice import ModelChoice, choose_model
from agents.models.embedded import EmbeddedLlm
from agents.settings import Settings


def build_model(settings: Settings) -> BaseLlm:
    """The embedded model, or a large one behind the limits that hold for all of them."""
    choice = choose_model(settings)
    if choice.family == "embedded":
        return EmbeddedLlm()
    from agents.models.voice import Voice

    inner = _large_model(choice, settings)
    return Voice(
        model=choice.name,
        inner=inner,
        silence=settings.model_timeout,
        house_rules=settings.system_prompt.strip(),
    )


def _large_model(choice: ModelChoice, settings: Settings) -> BaseLlm:
    if choice.family == "openai":
        from agents.models.openai import OpenAiLlm

        return OpenAiLlm(model=choice.name, url=choice.url, key=settings.openai_api_key)
    if choice.family == "litellm":
        # Its table of prices would be fetched from the network at the import.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        from google.adk.models.lite_llm import LiteLlm

        return LiteLlm(model=choice.name, num_retries=0, **({"api_base": choice.url} if choice.url else {}))
    from google.adk.models.google_llm import Gemini

    if settings.google_api_key:
        # The client reads the key itself; a key from .env would not reach it otherwise.
        os.environ.setdefault("GOOGLE_API_KEY", settings.google_api_key.get_secret_value())
    return Gemini(model=choice.name)
