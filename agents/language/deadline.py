"""Until when and how long a day somebody wants to learn: "by next Friday", "in two weeks", "30 minutes a day"."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from agents.language.due import DUE, parse_due

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60,
    "ninety": 90,
}  # fmt: skip
_COUNT = rf"\d{{1,3}}(?:[.,]\d)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_UNIT = r"(?:minutes?|mins?|min|m|hours?|hrs?|h)"
_EACH_DAY = r"(?:(?:a|per|each|every)\s+(?:day|evening|morning|night)|/\s*day|daily)"
_PACE = re.compile(
    rf"[,;]?\s*\b(?:(?:with|at|for|spending|doing|only|about|just)\s+)*"
    rf"(?:(?P<half>half an hour)|(?P<count>{_COUNT})\s*(?P<unit>{_UNIT})(?P<more>\s+and a half)?)\s*{_EACH_DAY}",
    re.IGNORECASE,
)
_SPAN = re.compile(
    rf"[,;]?\s*\b(?:i(?:'ve| have)(?: got| only)?|(?:with)?in|within|over|during|for|have|got)\s+(?:the\s+)?(?:next\s+|coming\s+|only\s+)?"
    rf"(?:(?P<count>{_COUNT})\s+)?(?P<unit>days?|weeks?|months?)\b(?:\s+time)?",
    re.IGNORECASE,
)
_DUE = re.compile(rf"[,;]?\s*(?:\b(?:is|it is|it's)\s+)?(?<!\w)(?P<due>{DUE})", re.IGNORECASE)
_LEAST, _MOST = 1, 16 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a message says of time, and the message without it."""

    rest: str
    by: date | None = None
    minutes_a_day: int | None = None

    @property
    def are_said(self) -> bool:
        return self.by is not None or self.minutes_a_day is not None


def terms_of(message: str, *, now: datetime) -> Terms:
    """Read until when and how long a day; `now` is in the learner's zone."""
    rest, minutes = _take_pace(message)
    rest, by = _take_date(rest, now=now)
    return Terms(rest=re.sub(r"\s+", " ", rest).strip(" ,;:-–—"), by=by, minutes_a_day=minutes)


def _take_pace(text: str) -> tuple[str, int | None]:
    match = _PACE.search(text)
    if match is None:
        return text, None
    if match["half"]:
        minutes = 30.0
    else:
        minutes = _number(match["count"]) + (0.5 if match["more"] else 0.0)
        minutes *= 60 if match["unit"].lower().startswith("h") else 1
    if not _LEAST <= minutes <= _MOST:
        return text, None
    return f"{text[: match.start()]} {text[match.end() :]}", round(minutes)


def _take_date(text: str, *, now: datetime) -> tuple[str, date | None]:
    """The longest words that say a day to come; "in two weeks" before "two"."""
    found = []
    for match in _SPAN.finditer(text):
        phrase = f"in {_number(match['count'] or 'one'):.0f} {match['unit']}"
        found.append((match.start(), match.end(), phrase))
    found += [(match.start(), match.end(), match["due"]) for match in _DUE.finditer(text)]
    for start, end, phrase in sorted(found, key=lambda each: each[0] - each[1]):
        moment = parse_due(phrase, now=now)
        if moment and moment.date() >= now.date():
            return f"{text[:start]} {text[end:]}", moment.date()
    return text, None


def _number(words: str) -> float:
    return float(_NUMBERS.get(words.lower(), 0) or words.replace(",", "."))
