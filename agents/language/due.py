"""What "next Friday at 5" means, for somebody who says it now and here."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
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
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DUE_LEAD = re.compile(
    r"^(?:(?:due(?: date)?|deadline|is|by|on|before|b4|until|till|for|at|from|to|around)(?:\s+|$|(?=:))|[:(]\s*)"
)
_NEEDS_LEAD = re.compile(r"^(?:at|by|before|around)\s+\d{1,2}(?:$|:|\s*[ap]\.?m|\s*o')")
_DUE_CLOCK = re.compile(
    r"(?:^|\s)(?:(?P<at>at|by|before|around)\s+)?(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap])?\.?(?(half)m\.?)"
    r"(?:\s*o'?clock)?(?=$|\s|,)",
    re.IGNORECASE,
)
_DUE_PART = re.compile(
    r"(?:^|\s)(?:in the |at )?(?P<part>morning|afternoon|evening|night|noon|midnight)\b", re.IGNORECASE
)
_SOON = re.compile(
    r"^(?:in\s+)?(?P<amount>\S+(?: an?)?)\s+(?P<unit>minute|min|hour|hr)s?(?:\s+from\s+(?:now|today))?$"
)
_LATER = re.compile(
    r"^(?:in\s+)?(?P<amount>.+?)\s+(?P<unit>day|week|month|year)s?(?:\s+from\s+(?:now|today))?$"
)
_NTH = re.compile(r"^(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)$")
_END = re.compile(
    r"^(?:the )?end of (?:(?P<which>the|this|next) )?(?P<unit>day|week|month|year)$|^this (?P<this>week|month|year)$"
)
_DAY_AND_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{MONTH}|{MONTH} (?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b"
)
_SHORT = {
    "eod": "end of day",
    "eow": "end of week",
    "eom": "end of month",
    "tonite": "tonight",
    "weds": "wednesday",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
}
_AMOUNTS = {"a couple of": "2", "a couple": "2", "a few": "3", "half an": "0.5", "half a": "0.5"}

_MOST_CHARACTERS = 200  # the calendar's reader tries every word in many ways


def parse_due(phrase: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    """The moment that a phrase means, or None when it means none."""
    if len(phrase) > _MOST_CHARACTERS:
        return None
    here = now.astimezone(zone)
    words = _without_lead(phrase.casefold().replace("’", "'").strip(" .!?)"))
    if soon := _SOON.match(words):
        return _in_hours(soon, now=now, zone=zone)
    day_words, clock = _take_time(words)
    day = here.date() if not day_words else _day(day_words, here=here)
    if day is None:
        return None
    if clock is None:
        return datetime.combine(day, END_OF_DAY, tzinfo=zone)
    moment = datetime.combine(day, clock.at, tzinfo=zone)
    return _next_chance(moment, clock=clock, dated=bool(day_words), now=here)


class _Clock:
    """A time of day, and whether its half of the day was only a guess."""

    __slots__ = ("at", "guessed")

    def __init__(self, at: time, *, guessed: bool = False) -> None:
        self.at = at
        self.guessed = guessed


def _without_lead(words: str) -> str:
    while (shorter := _DUE_LEAD.sub("", words, count=1)) != words:
        # A bare 5 is no time, "at 5" is.
        if _NEEDS_LEAD.match(words):
            return words
        words = shorter
    return _SHORT.get(words, words)


def _take_time(words: str) -> tuple[str, _Clock | None]:
    """Split "friday at 5" into the day's words and the time."""
    if match := _DUE_PART.search(words):
        return _cut(words, match), _Clock(_TIMES_OF_DAY[match["part"]])
    for match in _DUE_CLOCK.finditer(words):
        clock = _clock(match)
        if clock is not None:
            return _cut(words, match), clock
    return words, None


def _cut(words: str, match: re.Match[str]) -> str:
    rest = f"{words[: match.start()]} {words[match.end() :]}"
    return _without_lead(re.sub(r"\s+", " ", rest).strip(" ,"))


def _clock(match: re.Match[str]) -> _Clock | None:
    if not (match["at"] or match["minute"] or match["half"]):
        return None
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if hour > (12 if match["half"] else 23) or minute > 59:
        return None
    if match["half"]:
        return _Clock(time(hour % 12 + (12 if match["half"] == "p" else 0), minute))
    # Nobody plans for five in the morning without saying so.
    afternoon = 1 <= hour <= 6 and not match["minute"]
    return _Clock(
        time(hour + 12 if afternoon else hour, minute), guessed=1 <= hour <= 12 and not match["minute"]
    )


def _next_chance(moment: datetime, *, clock: _Clock, dated: bool, now: datetime) -> datetime:
    """A time that has passed today means tonight if it can, and else tomorrow."""
    if moment > now:
        return moment
    if clock.guessed and moment.hour < 12 and moment + timedelta(hours=12) > now:
        return moment + timedelta(hours=12)
    return moment if dated else moment + timedelta(days=1)


def _in_hours(match: re.Match[str], *, now: datetime, zone: tzinfo) -> datetime | None:
    amount = _amount(match["amount"])
    if amount is None:
        return None
    unit = timedelta(minutes=1) if match["unit"].startswith("min") else timedelta(hours=1)
    # In UTC, so that an hour is an hour when the clocks change.
    return (now.astimezone(UTC) + amount * unit).astimezone(zone)


def _amount(words: str) -> float | None:
    number = _AMOUNTS.get(words, words)
    if re.fullmatch(r"[\d.]+", number):
        return float(number)
    names = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return 1.0 if number in {"a", "an"} else names.index(number) + 1.0 if number in names else None


def _day(words: str, *, here: datetime) -> date | None:
    today = here.date()
    weekday = today.weekday()
    sunday = {"weekend": 6, "this weekend": 6, "next weekend": 13}
    if words == "tonight":
        return today
    if (place := sunday.get(words.removeprefix("the "))) is not None:
        return today + timedelta(days=place - weekday)
    if match := _NTH.match(words):
        return _next_nth(int(match["day"]), today=today)
    if match := _END.match(words):
        return _end(match["unit"] or match["this"], today=today, following=match["which"] == "next")
    # To most people next Friday is the one of next week, also on a Wednesday.
    if words.startswith("next ") and (wanted := words.removeprefix("next ")) in _WEEKDAYS:
        return today + timedelta(days=7 - weekday + _WEEKDAYS.index(wanted))
    return _by_library(words, here=here)


def _next_nth(day: int, *, today: date) -> date | None:
    """The next day of that number: the library takes "the 1st" for January."""
    ahead = (today + timedelta(days=days) for days in range(62))
    return next((found for found in ahead if found.day == day), None)


def _end(unit: str, *, today: date, following: bool) -> date:
    if unit == "day":
        return today + timedelta(days=1 if following else 0)
    if unit == "week":
        return today + timedelta(days=(13 if following else 6) - today.weekday())
    if unit == "year":
        return date(today.year + (1 if following else 0), 12, 31)
    month = today.year * 12 + today.month + (1 if following else 0)
    return date(month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _by_library(words: str, *, here: datetime) -> date | None:
    if _NEEDS_LEAD.match(words):
        return None
    # Imported on use: it and its language data take a third of a second.
    import dateparser  # type: ignore[import-untyped, import-not-found, unused-ignore]

    if (match := _LATER.match(words)) and match["amount"] != "next":
        words = f"in {_AMOUNTS.get(match['amount'], match['amount'])} {match['unit']}s"
    settings: dict[str, Any] = {
        "RELATIVE_BASE": here.replace(tzinfo=None),
        "PREFER_DATES_FROM": "future",
    }
    found: datetime | None = dateparser.parse(words, languages=["en"], settings=settings)
    if found is None or not _keeps_day(words, found):
        return None
    return found.date()


def _keeps_day(words: str, found: datetime) -> bool:
    """The library reads "31 February" as some day of 2031."""
    said = _DAY_AND_MONTH.search(words)
    return said is None or int(said["day"] or said["after"]) == found.day
