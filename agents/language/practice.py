"""Which questions somebody wants to practise with: how many, about what, of which kind.

What a message wants is read elsewhere; of one that may want questions, only these parts are found here.
"""

import re
from dataclasses import dataclass
from typing import Literal

Range = Literal["", "part", "seen", "missed", "all"]  # empty: a topic that is named, or what is being learnt

_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fifteen": 15, "twenty": 20, "couple": 2, "few": 3, "another": 1, "a": 1, "an": 1, "single": 1,
}  # fmt: skip
_ITEM = r"(?:questions?|problems?|exercises?|tasks?|calculations?|ones?)"
_COUNT = re.compile(
    rf"\b(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+(?:(?!{_ITEM}\b)[\w-]+\s+){{0,3}}?(?P<item>{_ITEM})\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\ba (couple|few)(?: of)?\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:test|quiz|drill|examine|practi[sc]e|practi[sc]ing|exercise|question)s?\b|\b(?:problems?|exercises|questions)\b",
    re.IGNORECASE,
)
_MINUTES = re.compile(
    rf"\b(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})[\s-]+(?:minutes?|mins?)\b", re.IGNORECASE
)
_KIND = re.compile(r"\b(?:numbers|numerical|numeric|calculat\w+|computations?|computing)\b", re.IGNORECASE)
_MISSED = re.compile(
    r"\b(?:got|get|getting|had|answered)\b[^.?!]{0,30}\bwrong\b|\bmistakes?\b|\bmissed\b|\bfailed\b|\berrors?\b|"
    r"\bwrong (?:answers?|ones|questions?)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:only|just|again|redo|repeat|retry|retake|re-?test|practi[sc]e|test|quiz|drill|exercise|try|work on)\b",
    re.IGNORECASE,
)
_SEEN = re.compile(
    r"\b(?:so far|(?:up )?(?:to|till|until) now|already)\b|"
    r"\b(?:i|we)(?:'ve|’ve| have)? (?:\w+ )?(?:done|covered|learn(?:ed|t)|studied|seen|finished|had|went through)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:the |this )?(?:whole|entire|complete) (?:thing|course|book|text|material|lot)\b|\b(?:everything|all chapters|all topics|anything)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?P<kind>chapter|section|unit|module|part|lesson|ch\.?|sec\.?)\s*(?P<number>\d{1,3})(?:\.(?P<below>\d{1,3}))?\b",
    re.IGNORECASE,
)
MOST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """The questions that are wanted."""

    count: int = 0  # 0: as many as usual
    range: Range = ""
    part: tuple[int, ...] = ()  # (4,) is chapter 4, (3, 2) section 3.2
    part_kind: str = ""  # what the learner calls it
    is_numeric: bool = False

    @property
    def is_special(self) -> bool:
        """Whether it is anything else than the usual quiz on a topic."""
        return bool(self.count or self.range or self.is_numeric)


def practice_in(message: str) -> Practice:
    """The parts of a message that say which questions."""
    part = _PART.search(message)
    numbers = tuple(int(each) for each in (part["number"], part["below"]) if each) if part else ()
    found = "part" if part else _range(message)
    return Practice(
        count=_count(message, part=part),
        range=found,
        part=numbers,
        part_kind=part["kind"].lower() if part else "",
        is_numeric=bool(_KIND.search(message)),
    )


def length_in(message: str) -> int:
    """How many questions fit into what somebody is ready for: "three questions", "five minutes"; 0 where they name nothing."""
    minutes = _MINUTES.search(message)
    if minutes is None:
        return _count(message, part=_PART.search(message))
    word = minutes["count"].lower()
    return int(word) if word.isdigit() else _NUMBERS[word]


def asks_for_questions(message: str) -> bool:
    """Whether it speaks of being asked, or of doing again what went wrong."""
    return bool(_ASKS.search(message)) or is_about_misses(message)


def is_about_misses(message: str) -> bool:
    """“Only what I got wrong” wants it again; “what did I get wrong?” wants to see it."""
    return bool(_MISSED.search(message) and _AGAIN.search(message))


def _range(message: str) -> Range:
    if is_about_misses(message):
        return "missed"
    if _SEEN.search(message):
        return "seen"
    return "all" if _ALL.search(message) else ""


def _count(message: str, *, part: re.Match[str] | None) -> int:
    for match in _COUNT.finditer(_SEVERAL.sub(r"\1", message)):
        is_of_the_part = part is not None and part.start() <= match.start("count") < part.end()
        word = match["count"].lower()
        number = int(word) if word.isdigit() else _NUMBERS[word]
        is_one = match["item"].lower().rstrip("s") == match["item"].lower()
        # "a problem" is one; "a few problems" and "a couple of them" are not.
        if not is_of_the_part and (number != 1 or is_one):
            return number
    return 0
