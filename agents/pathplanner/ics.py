"""A plan as a calendar file: each section on the day by which it is to be done, each review on its day (RFC 5545)."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from agents.language.words import joined
from agents.pathplanner.offline import length
from agents.study_plan import StudyPlan

_LINE = 75  # octets


def calendar(found: StudyPlan, *, user_id: str, now: datetime) -> str:
    """The file; a calendar that has an earlier one of the same plan moves its days instead of doubling them."""
    days = found.days
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Mastery Loop//Study plan//EN", "CALSCALE:GREGORIAN"]
    for stop in days.stops:
        section = stop.section
        told = f"{joined(section.concepts)}. About {length(section.minutes)}."
        key = (user_id, found.course, section.chapter_id, *section.concepts)
        lines += _event(key, stop.on, f"Learn: {section.title}", told, now=now)
    for review in days.reviews:
        key = (user_id, found.course, "review", review.concept)
        lines += _event(key, review.on, f"Review: {review.concept}", "A few questions.", now=now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(key: tuple[str, ...], on: date, title: str, told: str, *, now: datetime) -> list[str]:
    number = sha256("\n".join(key).encode()).hexdigest()[:32]
    return [
        "BEGIN:VEVENT",
        f"UID:{number}@mastery-loop",
        f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        f"DTSTART;VALUE=DATE:{on:%Y%m%d}",
        f"DTEND;VALUE=DATE:{on + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_escaped(title)}",
        f"DESCRIPTION:{_escaped(told)}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return "\\n".join(text.splitlines())


def _folded(line: str) -> Iterator[str]:
    """No line is longer than 75 octets; what follows begins with a space, and no character is cut."""
    part, size = "", 0
    for sign in line:
        octets = len(sign.encode())
        if size + octets > _LINE:
            yield part
            part, size = " ", 1
        part, size = part + sign, size + octets
    yield part
