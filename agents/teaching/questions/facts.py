"""When something happened and who did it: in some courses that is the point."""

import re
from collections import Counter
from collections.abc import Iterator

from agents.language.words import content_set, word_count
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import PAST_FORMS, is_adverb
from agents.teaching.questions.sentences import leans, points_outside

_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})"
_WHEN = (
    re.compile(rf"^In {_YEAR}, (?P<what>[^;:]+)$"),
    re.compile(rf"^(?P<what>[^;:]+?) in {_YEAR}$"),
)
_ANY_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")
# A person is known by what authors put behind the name: the years of a life, or of a work.
_PERSON = re.compile(
    r"\b(?P<name>[A-Z][\w’'-]+)(?:’s|'s)? \(\D{0,20}\d{4}(?:\s?[–-]\s?(?:\d{2,4})?)?\)|\((?P<cited>[A-Z][\w’'-]+),? \d{4}[a-z]?\)"
)
_COUNTS = re.compile(
    r"(?:there|about|some|nearly|only|more than|\W*\d)\b", re.IGNORECASE
)  # a figure of that year, no event
_CITED = re.compile(r"\s*\([^()]*\b\d{4}[a-z]?\)")
_NAMED = re.compile(r"^(?P<name>(?:[A-Z][\w.’'-]+ ){1,4})(?:\([^()]*\) )?(?P<said>.+)$")
_DOER = 4  # words, in which it is said who or what did it
_LEAST_OF_A_DOER = 2.0  # what a heading or the author's own word on the lesson names
_FEWEST_SAID = 5  # words with a meaning, that say which event or whose deed
_MOST_WORDS = 30


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    people = _people(reading.lesson)
    for sentence in reading.thoughts:
        body = _CITED.sub("", sentence.text).removesuffix(".")
        if word_count(body) > _MOST_WORDS or points_outside(body) or leans(body):
            continue
        dated = next((found for pattern in _WHEN if (found := pattern.match(body))), None)
        asked = answer = ""
        if dated and len(_ANY_YEAR.findall(body)) == 1 and _is_event(dated["what"], reading):
            what = dated["what"]
            asked, answer = f"In which year did this happen: “{what[:1].upper()}{what[1:]}”?", dated["year"]
        elif (found := _NAMED.match(body)) and _last(found["name"]) in people and _is_deed(found["said"]):
            asked, answer = f"Who {found['said']}?", found["name"].strip()
        said = asked.replace(answer, "") if answer else ""
        if len(content_set(said)) >= _FEWEST_SAID and not content_set(answer) & content_set(said):
            yield DraftQuestion(
                kind="short_answer",
                difficulty="medium",
                text=asked,
                answer=answer,
                concept=reading.concept_of(sentence.text),
                source=sentence.source,
                about=f"{answer} {said}",
            )


def _is_event(what: str, reading: PassageReading) -> bool:
    """Whether it is about what the lesson is about: other years are beside the point."""
    doer = " ".join(what.split()[:_DOER])
    return reading.centre.weight(doer) >= _LEAST_OF_A_DOER and not _COUNTS.match(what)


def _people(lesson: str) -> Counter[str]:
    found = ((each["name"] or each["cited"]) for each in _PERSON.finditer(lesson))
    return Counter(name.removesuffix("’s").removesuffix("'s") for name in found)


def _last(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1]


def _is_deed(said: str) -> bool:
    """Whether it goes on with what the person did."""
    words = [word for word in said.lower().split()[:2] if not is_adverb(word)]
    return bool(words) and (words[0].endswith("ed") or words[0] in PAST_FORMS)


KIND = Kind(name="facts", write=write)
