"""A sentence about code with one of its names left out, to be chosen among the other names of the lesson."""

import re
from collections import Counter
from collections.abc import Iterator

from agents.language.blocks import local_names
from agents.language.words import content_set
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading

_NAME = re.compile(r"`([A-Za-z_][\w.:!?<>&']{1,28}(?:\(\))?)`")
_FEWEST_OTHERS, _MOST_OTHERS = 2, 3
_FEWEST_STEMS = 4


def write(reading: PassageReading) -> Iterator[DraftQuestion]:
    local = local_names(reading.lesson)
    names = Counter(name for name in _NAME.findall(reading.lesson) if name not in local)
    # One spelling of each: nobody can choose between `NaN` and `Nan`.
    usual = {name.lower(): name for name, _ in reversed(names.most_common())}
    for sentence in reading.thoughts:
        inside = [name for name in _NAME.findall(sentence.text) if name not in local]
        name = max(inside, key=lambda each: names[each], default="")
        told = {each.lower() for each in inside}
        others = [usual[key] for key in reversed(usual) if key not in told and _alike(usual[key], name)]
        gapped = sentence.text.replace(f"`{name}`", "____").replace("`____`", "____").rstrip(".")
        gapped = re.sub(r"\b([Aa])n? ____", r"\1(n) ____", gapped)
        rest = content_set(gapped)
        if (
            name
            and gapped.count("____") == 1
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
            )


def _alike(one: str, other: str) -> bool:
    """Names of the same look: types with types, calls with calls."""
    return bool(one and other) and one[0].isupper() == other[0].isupper() and ("(" in one) == ("(" in other)


KIND = Kind(name="name_in_code", write=write)
