"""adk.yaml and the environment, checked once and handed down as one frozen value."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AliasChoices, Field, PrivateAttr, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from agents.chosen_model import ChosenModel, read_choice
from storage.errors import ConfigurationError

CONFIG_NAME = "adk.yaml"
_PREFIX = "TUTOR_"
_PACKAGE = Path(__file__).parent
SAMPLE_COURSE = _PACKAGE.parent / "rag" / "courses" / "physical-ai"

_Secret = Annotated[SecretStr, Field(min_length=1)]


def _known_as(name: str) -> Any:
    """A setting whose variable has no TUTOR_ in front."""
    return Field(validation_alias=AliasChoices(name.upper(), name.lower()))


def _secret(name: str) -> Any:
    return Field(default=None, validation_alias=name)


class Settings(BaseSettings):
    """Defaults are in adk.yaml, not here, so that there is one place to look."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    model: str
    model_url: str
    find_models: bool
    model_timeout: Annotated[float, Field(ge=0.1, le=3600)]
    temperature: Annotated[float, Field(ge=0, le=2)]
    max_tokens: Annotated[int, Field(ge=1, le=4096)]
    max_llm_calls: Annotated[int, Field(ge=1, le=500)]
    max_history: Annotated[int, Field(ge=1, le=100)]
    max_turns: Annotated[int, Field(ge=1, le=1000)]
    system_prompt: str
    verbose: bool

    data_dir: Path
    database_url: str
    retention_days: Annotated[int, Field(ge=1, le=3650)]

    course_dir: str
    embedder: Literal["auto", "wordllama", "cohere"]
    top_k: Annotated[int, Field(ge=1, le=20)]
    score_threshold: Annotated[float, Field(ge=0, le=1)]
    qdrant_url: str = _known_as("QDRANT_URL")
    qdrant_collection: Annotated[str, Field(min_length=1)]
    qdrant_replicas: Annotated[int, Field(ge=1, le=9)]

    mastery_threshold: Annotated[float, Field(ge=0, le=1)]
    max_cycles: Annotated[int, Field(ge=1, le=20)]
    quiz_questions: Annotated[int, Field(ge=3, le=10)]

    tasks_url: str
    tasks_timeout: Annotated[float, Field(ge=0.1, le=300)]

    proxy_header: str
    proxy_addresses: str

    bench_data: Path

    google_api_key: _Secret | None = _secret("GOOGLE_API_KEY")
    openai_api_key: _Secret | None = _secret("OPENAI_API_KEY")
    cohere_api_key: _Secret | None = _secret("COHERE_API_KEY")
    qdrant_api_key: _Secret | None = _secret("QDRANT_API_KEY")
    tasks_token: _Secret | None = _secret("TUTOR_TASKS_TOKEN")

    _model_is_set: bool = PrivateAttr(default=False)

    @property
    def model_is_set(self) -> bool:
        """Whether the environment names the model, which nobody on a page can change."""
        return self._model_is_set

    def note_model(self, *, is_set: bool) -> None:
        """Said once, by whoever has read the environment."""
        self._model_is_set = is_set

    @property
    def looks_for_models(self) -> bool:
        """Whether to look for one on this machine: only where nobody has said which."""
        return self.find_models and not self.model and self.google_api_key is None

    @property
    def database(self) -> str:
        """The database's address, with the default filled in."""
        from storage.engines import url_of_file  # SQLAlchemy is no part of the start

        return self.database_url or url_of_file(self.data_dir / "tutor.db")

    @property
    def course(self) -> Path:
        """The material of the first run."""
        return Path(self.course_dir) if self.course_dir else SAMPLE_COURSE

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # The files' values come in as arguments and are the weakest.
        return env_settings, dotenv_settings, init_settings


def load_settings(folder: Path | None = None) -> Settings:
    """Read the shipped adk.yaml, the one in the working folder, .env and the environment."""
    here = folder or Path.cwd()
    values = {**_read(_shipped()), **_read(here / CONFIG_NAME)}
    _refuse_misspelt_variables(os.environ)
    try:
        settings = Settings(**{"_env_file": here / ".env", **values})
    except ValidationError as err:
        raise ConfigurationError(_explain(err)) from None
    # The environment is the strongest: what it names stays, whatever a file or a page would have.
    settings.note_model(
        is_set=_model_of(here, values, file_says="a") == _model_of(here, values, file_says="b")
    )
    chosen = read_choice(settings.data_dir)
    return with_choice(settings, chosen) if chosen else settings


def _model_of(here: Path, values: Mapping[str, Any], *, file_says: str) -> str:
    return Settings(**{"_env_file": here / ".env", **values, "model": file_says}).model


def with_choice(settings: Settings, chosen: ChosenModel) -> Settings:
    """The settings with the model that was chosen on the page; a key goes only where it was given for."""
    if settings.model_is_set:
        return settings
    key = SecretStr(chosen.key) if chosen.key else None
    keys: dict[str, SecretStr | None] = {}
    if chosen.model.startswith(("openai:", "ollama:")):
        keys["openai_api_key"] = key if chosen.url or key else settings.openai_api_key
    elif key:
        keys["google_api_key"] = key
    return settings.model_copy(update={"model": chosen.model, "model_url": chosen.url, **keys})


def _shipped() -> Path:
    """Beside the package in a checkout, inside it in a wheel."""
    inside = _PACKAGE / CONFIG_NAME
    return inside if inside.exists() else _PACKAGE.parent / CONFIG_NAME


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, ValueError, yaml.YAMLError):
        raise ConfigurationError(
            f"{CONFIG_NAME} is not readable as YAML. Mend it, or remove it to use the defaults."
        ) from None
    if not isinstance(values, dict):
        raise ConfigurationError(f"{CONFIG_NAME} must be lines of 'name: value'.")
    for name in values:
        if name not in _file_names():
            raise ConfigurationError(
                f"{CONFIG_NAME} has an unknown setting '{name}'.{_nearest(str(name), _file_names())}"
            )
    return values


def _file_names() -> list[str]:
    """Secrets belong in the environment, so no file names them."""
    return [name for name, field in Settings.model_fields.items() if field.default is not None]


def variable(name: str) -> str:
    """The environment variable of a setting."""
    alias = Settings.model_fields[name].validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[0])
    return alias if isinstance(alias, str) else f"{_PREFIX}{name.upper()}"


def _refuse_misspelt_variables(environment: Mapping[str, str]) -> None:
    known = [variable(name) for name in Settings.model_fields]
    for name in environment:
        if name.startswith(_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                raise ConfigurationError(f"The variable {name} is unknown. Did you mean {near[0]}?")


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f" Did you mean '{near[0]}'?" if near else f" Known settings: {', '.join(known)}."


def _explain(err: ValidationError) -> str:
    return " ".join(_explain_one(dict(problem)) for problem in err.errors(include_url=False))


def _explain_one(problem: Mapping[str, Any]) -> str:
    name = str(problem["loc"][0]).lower().removeprefix(_PREFIX.lower())
    field = Settings.model_fields.get(name)
    if field is None:
        return f"The setting '{name}' is unknown.{_nearest(name, Settings.model_fields)}"
    if problem["type"] == "missing":
        return f"The setting {name} is missing. Add it to {CONFIG_NAME} or set {variable(name)}."
    shown = "(hidden)" if name.endswith(("_key", "_token")) else repr(problem["input"])
    return f"{name} is {shown}, but it must be {_allowed(field)}. Set it in {CONFIG_NAME} or as {variable(name)}."


def _allowed(field: FieldInfo) -> str:
    bounds = {
        key: getattr(item, key) for item in field.metadata for key in ("ge", "le") if hasattr(item, key)
    }
    kind = "a whole number" if field.annotation is int else "a number"
    if {"ge", "le"} <= bounds.keys():
        return f"{kind} from {bounds['ge']} to {bounds['le']}"
    if field.annotation is bool:
        return "true or false"
    choices = getattr(field.annotation, "__args__", ())
    if choices and all(isinstance(choice, str) for choice in choices):
        return "one of " + ", ".join(choices)
    return "a text that is not empty"
