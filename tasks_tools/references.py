"""Which task a learner means, from what this conversation has shown and spoken of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks_tools.positions import MOST_CHARACTERS, positions, without_fillers
from tasks_tools.titles import KnownTask, match_titles

__all__ = [
    "KnownTask",
    "Reference",
    "match_titles",
    "read_reference",
    "resolve_many",
    "resolve_task_reference",
]

_EVERYTHING = re.compile(
    r"\b(?:all(?: of)? (?:them|those|these)|(?:them|it) all|everything|every (?:task|item|one|single one)|"
    r"all (?:of )?(?:my |the |these |those )?(?:tasks|items|to-?dos|reminders)|"
    r"(?:clear|empty|wipe|delete|erase|remove) (?:my |the )?(?:whole |entire )?(?:to-?do |task )?list)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:it|that|this|that's|it's|same)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a text points at: positions of the last list, all of it, or the task last spoken of."""

    positions: tuple[int, ...] = ()
    everything: bool = False
    last_spoken_of: bool = False


def read_reference(text: str, *, count: int) -> Reference:
    """Read what a text points at; `count` is how many tasks the last list had."""
    text = text[:MOST_CHARACTERS]
    if _EVERYTHING.search(text) or text.casefold().strip(" .!") == "all":
        return Reference(everything=True)
    # Of three tasks nobody means "both".
    if count == 2 and re.search(r"\bboth\b", text, re.IGNORECASE):
        return Reference(everything=True)
    found = positions(text, count=count)
    if found:
        return Reference(positions=tuple(found))
    said = set(without_fillers(text)) - {"and"}
    return Reference(last_spoken_of=bool(_POINTING.search(text)) and not said)


def resolve_task_reference(metadata: Mapping[str, Any], text: str) -> int | None:
    """The id of the one task that a text means, or None: of several, none is guessed."""
    shown = _shown(metadata)
    reference = read_reference(text, count=len(shown))
    if reference.last_spoken_of:
        return _last(metadata)
    if reference.everything:
        return next(iter(shown.values())) if len(shown) == 1 else None
    return shown.get(reference.positions[0]) if len(reference.positions) == 1 else None


def resolve_many(metadata: Mapping[str, Any], text: str) -> list[int]:
    """The ids of all tasks that a text means; positions that the last list did not have are left out."""
    shown = _shown(metadata)
    reference = read_reference(text, count=len(shown))
    if reference.everything:
        return list(shown.values())
    if reference.last_spoken_of:
        last = _last(metadata)
        return [] if last is None else [last]
    return [shown[place] for place in reference.positions if place in shown]


def _shown(metadata: Mapping[str, Any]) -> dict[int, int]:
    """Position to id, in the order of the list; what is not a position is left alone."""
    references = metadata.get("task_references") or {}
    return {int(place): references[place] for place in sorted(filter(_is_position, references), key=int)}


def _is_position(key: Any) -> bool:
    return isinstance(key, str) and key.isascii() and key.isdigit()


def _last(metadata: Mapping[str, Any]) -> int | None:
    """The task that was last spoken of, or else that the last tool call was about."""
    task_id = metadata.get("task_spoken_of") or (metadata.get("last_tool_parameters") or {}).get("task_id")
    return task_id if isinstance(task_id, int) else None
