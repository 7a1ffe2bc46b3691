"""A sentence that says what a name in code does or is, with the name left out, to be chosen among others of the lesson."""

import re
from collections import Counter
from collections.abc import Iterator

from agents.language.blocks import local_names
from agents.language.words import content_set
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.grammar import AUXILIARIES, VERBS, is_adverb, is_third_person

_NAME = re.compile(r"`+([A-Za-z_][\w.:!?<>&']{1,28}(?:\(\))?)`+")
# What a sentence is about stands at its beginning; anywhere else a name is only mentioned.
_SUBJECT = re.compile(
    r"^(?:(?:The|An?|Der|Die|Das) )?(?:[\w-]+ )?`+(?P<name>[A-Za-z_][\w.:!?<>&']{1,28}(?:\(\))?)`+(?: (?P<sort>[a-z]+))?"
    r"(?:(?P<colon>:) | )(?P<said>\S.+)$"
)
_IS = re.compile(r"(?:is|are|was|were) ")
_WHAT = re.compile(r"(?:an?(?! (?:bit|little)\b)|the|one|\w+ed|\w+al)\b")
_FEWEST_OTHERS, _MOST_OTHERS = 2, 3
_FEWEST_STEMS = 5


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    local = local_names(reading.lesson)
    names = Counter(name for name in _NAME.findall(reading.lesson) if name not in local)
    # One spelling of each: nobody can choose between `NaN` and `Nan`.
    usual = {name.lower(): name for name, _ in reversed(names.most_common())}
    for sentence in reading.thoughts:
        found = _SUBJECT.match(sentence.text)
        if found is None or found["name"] in local or not _says_what_it_does(found):
            continue
        name = found["name"]
        told = {each.lower() for each in _NAME.findall(sentence.text)}
        others = [usual[key] for key in reversed(usual) if key not in told and _alike(usual[key], name)]
        gapped = re.sub(rf"`+{re.escape(name)}`+", "____", sentence.text).rstrip(".")
        gapped = re.sub(r"\b([Aa])n? ____", r"\1(n) ____", gapped)
        rest = content_set(gapped)
        if (
            gapped.count("____") == 1
            and len(others) >= _FEWEST_OTHERS
            and len(rest) >= _FEWEST_STEMS
            and not content_set(name) & rest
        ):
            yield DraftQuestion(
                kind="multiple_choice",
                difficulty="medium",
                text=f"Which name completes this sentence: “{gapped}”?",
                answer=f"`{name}`",
                concept=reading.concept_of(sentence.text),
                source=sentence.source,
                options=tuple(f"`{each}`" for each in (name, *others[:_MOST_OTHERS])),
                about=f"{name} {reading.headed}",
            )


def _says_what_it_does(found: re.Match[str]) -> bool:
    if found["colon"]:
        return True
    if (is_said := _IS.match(found["said"])) and not _WHAT.match(found["said"][is_said.end() :]):
        return False  # what it is like is beside the point
    words = [word.lower() for word in found["said"].split()[:3] if not is_adverb(word)]
    if found["sort"] and (is_third_person(found["sort"]) or found["sort"] in AUXILIARIES):
        return True
    return bool(words) and (is_third_person(words[0]) or words[0] in AUXILIARIES or words[0] in VERBS)


def _alike(one: str, other: str) -> bool:
    """Names of the same look: types with types, calls with calls."""
    return bool(one and other) and one[0].isupper() == other[0].isupper() and ("(" in one) == ("(" in other)


KIND = Kind(name="name_in_code", write=write)
