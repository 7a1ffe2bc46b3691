"""What "next Friday at 5" means, for somebody who says it now and here."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT_WEEKDAY = r"(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY_NUMBER = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:,?\s+(?:19|20)\d\d)?"
_AMOUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half an?|a couple(?: of)?|a few|\d{1,3})\s+"
    r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)"
)
_DAYS = "|".join(
    (
        r"(?:the\s+)?day after tomorrow",
        r"tomorrow|tmrw|tmr|tomorow|today|tonight|tonite",
        r"tues|weds|thurs|fri",
        rf"(?:(?:this|next|coming|this coming)\s+)?{_WEEKDAY}",
        rf"(?:on|by|next|this|until|till)\s+{_SHORT_WEEKDAY}",
        r"(?:this|next)\s+(?:week|month|year|weekend)|(?:the\s+)?weekend",
        r"(?:the\s+)?end of (?:(?:the|this|next)\s+)?(?:day|week|month|year)|eod|eow|eom",
        rf"in\s+{_AMOUNT}|{_AMOUNT}\s+from\s+(?:now|today)",
        rf"{_DAY_NUMBER}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{_YEAR}",
        rf"{MONTH}\s+{_DAY_NUMBER}(?:st|nd|rd|th)?{_YEAR}",
        rf"(?:on |by |until |till )?the\s+{_DAY_NUMBER}(?:st|nd|rd|th)|(?:on|by)\s+{_DAY_NUMBER}(?:st|nd|rd|th)",
        r"20\d\d-\d\d-\d\d",
        r"(?<!\d)\d{1,2}/\d{1,2}(?:/(?:20)?\d\d)?|\d{1,2}\.\d{1,2}\.(?:20\d\d)?",
    )
)
_CLOCK = r"\d{1,2}(?::\d\d)?\s*[ap]\.?m\b\.?|\d{1,2}:\d\d|noon|midnight"
_TIMES = rf"(?:at|by|before|around)\s+(?:{_CLOCK}|\d{{1,2}}(?:\s*o'?clock)?)|{_CLOCK}"
_PART = r"(?:in the\s+)?(?:morning|afternoon|evening|night)"
_LEAD = r"(?:\(?\b(?:due(?: date)?|deadline)\b\s*(?:is\s+)?:?\s*)?(?:\b(?:by|on|before|b4|until|till|for|at|from|to)\s+)?"
# Not "Monday's lecture" and not "3 March 1917" with a year that the pattern did not take.
_STOP = r"(?!['’]s\b|[\w-]|\s+\d{4}\b)"

DUE = rf"{_LEAD}(?:(?:{_DAYS})(?:,?\s+(?:{_TIMES}|{_PART}))?|(?:{_TIMES})(?:,?\s+(?:on\s+)?(?:{_DAYS}))?){_STOP}\)?"
_AT_END = re.compile(rf"(?:^|(?P<before>\S+?),?(?:\s*[-–—]\s*|\s+))(?P<due>{DUE})\s*[.!?]*$", re.IGNORECASE)
_AT_START = re.compile(
    rf"^(?P<due>{DUE})\s*(?:,|:|-|–|—|\bto\b|\bthat\b)?\s+(?P<rest>\S.*)$", re.IGNORECASE | re.DOTALL
)
_ALONE = re.compile(rf"^\s*(?P<due>{DUE})\s*[.!?]*$", re.IGNORECASE)
# "the news of 3 March", "since Friday": a date that belongs to the thing itself.
_BELONGS = re.compile(
    r"^(?:about|of|from|since|between|after|and|the|than|vs\.?|or|like|every|each|not)$", re.IGNORECASE
)
_LONGEST = 90  # characters that saying when can take, with the word before it
_EDGES = " \t\n,;:-–—"


def split_due(text: str) -> tuple[str, str | None]:
    """A text without the words at its end or start that say when it is due, and those words."""
    if match := _AT_END.search(text, max(0, len(text) - _LONGEST)):
        rest = text[: match.start("due")].strip(_EDGES)
        if rest and not _BELONGS.match(match["before"] or ""):
            return rest, match["due"].strip(" ()")
    if match := _AT_START.match(text):
        return match["rest"].strip(_EDGES), match["due"].strip(" ()")
    return text, None


def is_due(text: str) -> bool:
    """Whether a text says when, and nothing else."""
    return bool(_ALONE.match(text))


def is_when(text: str) -> bool:
    """The same, and "two days" too."""
    return is_due(text) or bool(re.fullmatch(_AMOUNT, text.strip(" .!?"), re.IGNORECASE))


# A day without a time lasts to its end; that is also how a task shows that no time was said.
END_OF_DAY = time(23, 59)

_TIMES_OF_DAY = {
    "morning": time(9),
    "noon": time(12),
    "afternoon": time(15),
    "evening": time(19),
    "night": END_OF_DAY,
    "midnight": END_OF_DAY,
}
_DUE_LEAD = re.compile(
    r"^(?:(?:due(?: date)?|deadline|is|by|on|before|b4|until|till|for|at|from|to|around)(?:\s+|$|(?=:))|[:(]\s*)"
)
_NEEDS_LEAD = re.compile(r"^(?:at|by|before|around)\s+\d{1,2}(?:$|:|\s*[ap]\.?m|\s*o')")
_DUE_CLOCK = re.compile(
    r"(?:^|\s)(?:(?P<at>at|by|before|around)\s+)?(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d))?\s*(?P<half>[ap])?\.?(?(half)m\.?)"
    r"(?:\s*o'?clock)?(?=$|\s|,)"
)
_DUE_PART = re.compile(r"(?:^|\s)(?:in the |at )?(?P<part>morning|afternoon|evening|night|noon|midnight)\b")
_HOURS = re.compile(r"\b(?:minute|min|hour|hr)s?$")
_NTH = re.compile(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)")
_NAMED = re.compile(
    rf"(?:(?P<next>next)|this|coming|this coming)? ?(?P<day>{_WEEKDAY}|{_SHORT_WEEKDAY}|weds)"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_END = re.compile(r"(?:the )?end of (?:(?:the|this|(?P<next>next)) )?(?P<unit>day|week|month|year)")
# What the calendar's reader does not know.
_SPOKEN = {
    r"eod": "end of day",
    r"eow|this week|(?:the |this )?(?<!next )weekend": "end of week",
    r"eom|this month": "end of month",
    r"this year": "end of year",
    r"next weekend": "end of next week",
    r"tmrw|tmr|tomorow": "tomorrow",
    r"tonight|tonite": "today",
    r"a couple(?: of)?": "2",
    r"a few": "3",
    r"half an?": "0.5",
    r" from (?:now|today)": "",
}

_MOST_CHARACTERS = 200  # the calendar's reader tries every word in many ways


def parse_due(phrase: str, *, now: datetime) -> datetime | None:
    """The moment that a phrase means to somebody whose clock shows `now`, or None when it means none."""
    if len(phrase) > _MOST_CHARACTERS:
        return None
    words = phrase.casefold().replace("’", "'").strip(" .!?)")
    for said, plain in _SPOKEN.items():
        words = re.sub(rf"\b(?:{said})\b", plain, words)
    words = _without_lead(words)
    if _HOURS.search(words):
        # In UTC, so that an hour is an hour when the clocks change.
        moment = _by_library(words, now=now.astimezone(UTC))
        return moment and moment.replace(tzinfo=UTC).astimezone(now.tzinfo)
    day_words, clock, is_guess = _take_time(words)
    day = _day(day_words, now=now) if day_words else now.date()
    if day is None:
        return None
    moment = datetime.combine(day, clock or END_OF_DAY, tzinfo=now.tzinfo)
    # A time that has passed today means tonight if it can, and else tomorrow.
    if clock is None or moment > now:
        return moment
    if is_guess and moment.hour < 12 and moment + timedelta(hours=12) > now:
        return moment + timedelta(hours=12)
    return moment if day_words else moment + timedelta(days=1)


def _without_lead(words: str) -> str:
    while (shorter := _DUE_LEAD.sub("", words, count=1)) != words:
        # A bare 5 is no time, "at 5" is.
        if _NEEDS_LEAD.match(words):
            return words
        words = shorter
    return words


def _take_time(words: str) -> tuple[str, time | None, bool]:
    """Split "friday at 5" into the day's words and the time; is the half of the day only a guess?"""
    if match := _DUE_PART.search(words):
        return _cut(words, match), _TIMES_OF_DAY[match["part"]], False
    for match in _DUE_CLOCK.finditer(words):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        if match["half"]:
            return _cut(words, match), time(hour % 12 + (12 if match["half"] == "p" else 0), minute), False
        if match["minute"]:
            return _cut(words, match), time(hour, minute), False
        if match["at"]:
            # Nobody plans for five in the morning without saying so.
            return _cut(words, match), time(hour + 12 if 1 <= hour <= 6 else hour), 1 <= hour <= 12
    return words, None, False


def _cut(words: str, match: re.Match[str]) -> str:
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    return _without_lead(re.sub(r"\s+", " ", rest).strip(" ,"))


def _day(words: str, *, now: datetime) -> date | None:
    today, weekday = now.date(), now.weekday()
    if match := _NTH.fullmatch(words):
        # The library takes "the 1st" for January.
        ahead = (today + timedelta(days=days) for days in range(62))
        return next((found for found in ahead if found.day == int(match["day"])), None)
    if match := _END.fullmatch(words):
        return _end(match["unit"], today=today, following=bool(match["next"]))
    if match := _NAMED.fullmatch(words):
        # To most people next Friday is the one of next week, also on a Wednesday.
        days = _WEEKDAYS.index(match["day"][:3]) - weekday
        return today + timedelta(days=days + 7 if match["next"] else days % 7 or 7)
    found = None if _NEEDS_LEAD.match(words) else _by_library(words, now=now)
    return found and found.date()


def _end(unit: str, *, today: date, following: bool) -> date:
    if unit == "day":
        return today + timedelta(days=following)
    if unit == "week":
        return today + timedelta(days=(13 if following else 6) - today.weekday())
    if unit == "year":
        return date(today.year + following, 12, 31)
    month = today.year * 12 + today.month + following
    return date(month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _by_library(words: str, *, now: datetime) -> datetime | None:
    # Imported on use: it and its language data take a third of a second.
    import dateparser  # type: ignore[import-untyped, import-not-found, unused-ignore]

    settings: dict[str, Any] = {
        "RELATIVE_BASE": now.replace(tzinfo=None),
        "PREFER_DATES_FROM": "future",
        "REQUIRE_PARTS": ["day"],  # or it reads "32 March" as some day of 2032
    }
    found: datetime | None = dateparser.parse(words, languages=["en"], settings=settings)
    return found
