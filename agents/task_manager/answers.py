"""What learners answer when we ask what a task command lacks: their words are the value, unless they clearly want something else."""

import re
from dataclasses import asdict, replace

from agents.language.due import is_when
from agents.state import Lacking
from agents.task_manager.reading import Entities, frames, pieces, read_entities, tidy, titled

_IT = r"(?:it|this|that)"
# "to …", "call it …", "it should say …": what follows is the new title, or the new date.
_INTO = re.compile(
    rf"(?:to|{_IT} (?:should|must) (?:say|be|read)|(?:call|name) {_IT}|rename(?: {_IT}(?: (?:to|as))?| (?:to|as))|"
    rf"(?:change|update|edit|set|make|turn|move)(?: {_IT})? (?:to(?: say| read| be)?|into|say))\s+(?=\S)",
    re.IGNORECASE,
)
_FIELDS: dict[str, Lacking] = {
    "title": "no_title", "name": "no_title", "text": "no_title", "description": "no_note", "detail": "no_note",
    "note": "no_note", "date": "no_date", "deadline": "no_date", "time": "no_date",
}  # fmt: skip
_FIELD = re.compile(
    rf"(?:(?:change|set|update|edit|add|put|make)\s+)?(?:(?:the|its|a|new|due)\s+)*(?P<field>{'|'.join(_FIELDS)})s?\W*?"
    r"(?:\s*(?::|=|,|\bto\b|\binto\b|\bis\b|\bshould (?:be|say)\b)\s*(?P<value>\S.*))?",
    re.IGNORECASE,
)


def read_change(message: str) -> Entities | Lacking | None:
    """What an answer to "What shall I change?" says in so many words, or names without a value; None for bare words."""
    first, *later = (piece for piece, _ in pieces(tidy(message), verbs=()))
    also = [read for piece in later if isinstance(read := _read_one(piece), Entities)]
    if not later or len(also) < len(later):
        return _read_one(tidy(message))
    found = _read_one(first) or titled(first)
    if isinstance(found, Entities):
        for read in also:
            found = replace(found, **{name: value for name, value in asdict(read).items() if value})
    return found


def read_value(message: str, *, lacks: Lacking) -> Entities:
    """An answer as the value that was asked for."""
    text = tidy(message)
    match lacks:
        case "no_date":
            return Entities(due=text.removeprefix("to "))
        case "no_note":
            return Entities(description=message.strip())
        case "no_task":
            return Entities(reference=message)
        case "no_title":
            return _titled(text)
        case _:
            change = read_change(message)
            return change if isinstance(change, Entities) else titled(text)


def _titled(text: str) -> Entities:
    """A title as it was given; "remind me to …" and "I need to …" stand before one."""
    framed = next(frames(text, "told"), None)
    return read_entities(text, intent="create") if framed and framed.start == 0 else titled(text)


def _read_one(text: str) -> Entities | Lacking | None:
    if match := _FIELD.fullmatch(text):
        lacks = _FIELDS[match["field"].lower()]
        return read_value(match["value"], lacks=lacks) if match["value"] else lacks
    if match := _INTO.match(text):
        return _new(text[match.end() :])
    if is_when(text):
        return _new(text)
    frame = next(frames(text, "update"), None)
    said = read_entities(text, intent="update")
    if said.clear_due and (said.reference or "").lower() == "it":
        return replace(said, reference=None)
    if frame is None or frame.start > 0:
        return None
    after = text[frame.end :].strip()
    if is_when(after):
        return _new(after)
    if not re.match(rf"{_IT}\b", after, re.IGNORECASE):
        return None
    said = replace(said, reference=None)
    return said if said != Entities() else "no_change"


def _new(words: str) -> Entities:
    return Entities(due=words.removeprefix("to ")) if is_when(words) else titled(words)
