"""The model that the settings name."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from agents.settings import Settings
from storage.errors import ConfigurationError

DEFAULT_GEMINI = "gemini-2.5-flash"
_LITELLM = "litellm:"

Family = Literal["embedded", "gemini", "litellm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A family of models and the name within it."""

    family: Family
    name: str


def choose_model(settings: Settings) -> ModelChoice:
    """Unset means Gemini where there is a key, and the embedded model otherwise."""
    wanted = settings.model.strip()
    if wanted == "embedded" or (not wanted and settings.google_api_key is None):
        return ModelChoice(family="embedded", name="embedded")
    if wanted.startswith(_LITELLM):
        return _litellm(wanted.removeprefix(_LITELLM))
    if wanted and not wanted.startswith(("gemini", "projects/")):
        raise ConfigurationError(
            f"TUTOR_MODEL is '{wanted}', which is no Gemini model. For other providers write "
            f"'{_LITELLM}{wanted}', or use 'embedded' to work offline."
        )
    if settings.google_api_key is None:
        raise ConfigurationError(
            f"TUTOR_MODEL is '{wanted}' but GOOGLE_API_KEY is not set. Set the key, or TUTOR_MODEL=embedded."
        )
    return ModelChoice(family="gemini", name=wanted or DEFAULT_GEMINI)


def _litellm(name: str) -> ModelChoice:
    if not name:
        raise ConfigurationError("TUTOR_MODEL is 'litellm:' with no model. Write litellm:<provider/model>.")
    if find_spec("litellm") is None:
        raise ConfigurationError(
            'TUTOR_MODEL names a LiteLLM model, but litellm is not installed. Run pip install "mastery-loop[litellm]".'
        )
    return ModelChoice(family="litellm", name=name)
