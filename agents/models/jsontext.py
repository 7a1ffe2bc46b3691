"""JSON in what a model says, out of its code fence or from between other words."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Shape = TypeVar("Shape", bound=BaseModel)

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)


def read_json(text: str, schema: type[Shape]) -> Shape | None:
    """The object in a reply; None when there is none."""
    for candidate in _candidates(text):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError:
            continue
    return None


def objects_in(text: str) -> list[dict[str, Any]]:
    """The objects that a reply consists of: one, a list of them, or one a line."""
    for candidate in (*_candidates(text), f"[{','.join(text.split(chr(10)))}]"):
        try:
            found = json.loads(candidate)
        except ValueError:
            continue
        listed = found if isinstance(found, list) else [found]
        return [each for each in listed if isinstance(each, dict)]
    return []


def _candidates(text: str) -> tuple[str, ...]:
    fenced = _FENCE.match(text)
    text = fenced[1] if fenced else text
    return text, text[text.find("{") : text.rfind("}") + 1]
