"""Finding the words that say when: "by Friday", "next week at 5", "in two weeks"."""

import re

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
