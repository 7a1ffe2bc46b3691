"""Somewhere in a course, and which part of what is taught there; light, because the session's state names it."""

import re
from dataclasses import dataclass

_PART = re.compile(r"[,:]?\s*\(?\bpart\s+(\d{1,3})(?:\s+of\s+\d{1,3})?\)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere in a course that a learner can name: a unit, a page, or a section of one."""

    name: str
    kind: str  # title, heading, term or unit
    chapter_id: str
    headings: tuple[str, ...] = ()  # of a section; empty for a whole page


def wanted_part(text: str) -> tuple[str, int]:
    """'Ownership, part 2 of 3' is the topic and the part; no part is 0."""
    found = _PART.search(text)
    return (text[: found.start()].strip(), int(found.group(1))) if found else (text.strip(), 0)


def part_label(topic: str, part: int, parts: int) -> str:
    """A topic, and which part of it; what is taught in one go has no parts."""
    return f"{topic}, part {part} of {parts}" if parts > 1 else topic
