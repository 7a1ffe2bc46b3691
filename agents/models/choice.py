"""The model that the settings name, and how it is made."""

import json
import os
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from google.adk.models.base_llm import BaseLlm

from agents.models.none import NoModel
from agents.settings import Settings
from storage.errors import ConfigurationError

DEFAULT_GEMINI = "gemini-3.5-flash"  # what ADK itself takes where nobody says which
_OLLAMA = "http://127.0.0.1:11434/v1"
_OPENAI = "https://api.openai.com/v1"

Family = Literal["embedded", "gemini", "litellm", "openai"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A family of models, the name within it, and where it is served."""

    family: Family
    name: str
    url: str = ""


def choose_model(settings: Settings) -> ModelChoice:
    """Unset means Gemini where there is a key, and the embedded model otherwise."""
    wanted = settings.model.strip()
    if wanted == "embedded" or (not wanted and settings.google_api_key is None):
        return ModelChoice(family="embedded", name="embedded")
    provider, _, name = wanted.partition(":")
    if provider in ("litellm", "ollama", "openai"):
        return _of_provider(provider, name.strip(), settings)
    if wanted and not wanted.startswith(("gemini", "projects/")):
        raise ConfigurationError(
            f"TUTOR_MODEL is '{wanted}', which is no Gemini model. Write 'ollama:{wanted}' for a model of your own, "
            f"'openai:{wanted}' with TUTOR_MODEL_URL for a server, 'litellm:<provider/model>' for any other "
            "provider, or 'embedded' to work offline."
        )
    if settings.google_api_key is None:
        raise ConfigurationError(
            f"TUTOR_MODEL is '{wanted}' but GOOGLE_API_KEY is not set. Set the key, or TUTOR_MODEL=embedded."
        )
    return ModelChoice(family="gemini", name=wanted or DEFAULT_GEMINI)


def _of_provider(provider: str, name: str, settings: Settings) -> ModelChoice:
    if not name:
        raise ConfigurationError(f"TUTOR_MODEL is '{provider}:' with no model. Write {provider}:<name>.")
    url = settings.model_url.strip()
    if url and not url.startswith(("http://", "https://")):
        raise ConfigurationError(
            f"TUTOR_MODEL_URL is '{url}', which is no address. It begins with http:// or https:// and mostly ends in /v1."
        )
    if provider == "litellm":
        if find_spec("litellm") is None:
            raise ConfigurationError(
                'TUTOR_MODEL names a LiteLLM model, but litellm is not installed. Run pip install "mastery-loop[litellm]".'
            )
        return ModelChoice(family="litellm", name=name, url=url)
    if provider == "openai" and not url and settings.openai_api_key is None:
        raise ConfigurationError(
            f"TUTOR_MODEL is 'openai:{name}' but neither TUTOR_MODEL_URL nor OPENAI_API_KEY is set. "
            "Set the address of your server, or the key."
        )
    return ModelChoice(family="openai", name=name, url=url or (_OLLAMA if provider == "ollama" else _OPENAI))


_FILE = "model.json"
SLOW_FROM = 10.0  # seconds to the first word of a lesson's brief


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredModel:
    """One model on this machine."""

    model: str
    first_word_seconds: float
    tokens_a_second: float


def remember(settings: Settings, found: MeasuredModel) -> None:
    path = _path(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(found)), encoding="utf-8")


def is_slow(settings: Settings) -> bool:
    """Whether this model was found slow: then it gets less to read."""
    try:
        found = json.loads(_path(settings).read_text(encoding="utf-8"))
        is_this = found["model"] == choose_model(settings).name
        return is_this and float(found["first_word_seconds"]) >= SLOW_FROM
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _path(settings: Settings) -> Path:
    return settings.data_dir / _FILE


def build_model(settings: Settings) -> BaseLlm:
    """No model, or a large one behind the limits that hold for all of them."""
    choice = choose_model(settings)
    if choice.family == "embedded":
        return NoModel()
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
        os.environ["GOOGLE_API_KEY"] = settings.google_api_key.get_secret_value()
    return Gemini(model=choice.name)
