"""The model that was chosen on the page or with `tutor model`, kept in the data folder with its key, for its owner only."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "chosen-model.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """A model as TUTOR_MODEL names it, where it is served, and the key that was given for it."""

    model: str
    url: str = ""
    key: str = ""


def read_choice(data_dir: Path) -> ChosenModel | None:
    """None where nobody has chosen, or what is there cannot be read."""
    try:
        kept = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
        return ChosenModel(model=str(kept["model"]), url=str(kept["url"]), key=str(kept["key"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_choice(data_dir: Path, chosen: ChosenModel) -> None:
    """Write it in one piece, readable by its owner only."""
    data_dir.mkdir(parents=True, exist_ok=True)
    file, new = data_dir / FILE_NAME, data_dir / f"{FILE_NAME}.new"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump({"model": chosen.model, "url": chosen.url, "key": chosen.key}, out)
    new.replace(file)


def chosen_at(data_dir: Path) -> int:
    """Tells one choice from the next, for whoever follows it; 0 where there is none."""
    try:
        return (data_dir / FILE_NAME).stat().st_mtime_ns
    except OSError:
        return 0
