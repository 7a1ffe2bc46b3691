"""What `tutor doctor --model` found out about a model, kept beside the data."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.models.choice import choose_model
from agents.settings import Settings

_FILE = "model.json"
SLOW_FROM = 10.0  # seconds to the first word of a lesson's brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One model on this machine."""

    model: str
    first_word_seconds: float
    tokens_a_second: float


def remember(settings: Settings, found: Measured) -> None:
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
