"""What the open kinds have in common: answered in own words, compared with the author's point by point.

A model judges them, or the learner does; they are asked where nothing sharper can be, and count less as evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from agents.language.headings import is_aside
from agents.teaching.questions.base import DraftQuestion, Kind, PassageReading
from agents.teaching.questions.centre import Centre
from agents.teaching.questions.points import points_of

# What only shows a thing at one place, or speaks of the lesson itself, is none of the points that are to be known of it.
_ILLUSTRATES = re.compile(
    r"\b(?:for (?:example|instance)|e\.g\.|such as when|imagine|suppose|say you|zum beispiel|let['’]?s|let us|i|we['’](?:ll|re|ve)|"
    r"we|us|our|ours|students?|learners?|wir|uns|unser\w*)\b|\?$",
    re.IGNORECASE,
)
_CITED = re.compile(r"\s*\([^()]*\b\d{4}[a-z]?\)")
# A year, a sum of money, a share or a great number: how things stood at one time.
_AT_ONE_TIME = re.compile(
    r"\b(?:1[0-9]{3}|20[0-9]{2})\b|[$€£]\s?\d|\d\s?(?:%|percent\b|Prozent\b)|\d (?:million|billion|Millionen|Milliarden)\b"
)
_FULL_NAME = re.compile(
    r"(?<=[\w,;:)] )[A-Z][\w’'-]+(?: (?:of|for|the|on|and) [A-Z][\w’'-]+| [A-Z][\w’'-]+)+"
)
HOW_TO_ANSWER = "Two or three sentences in your own words, without looking; then you compare them with the course, point by point."


def kind(name: str, write: Callable[[PassageReading], Iterator[DraftQuestion]]) -> Kind:
    return Kind(name=name, write=write, how_to_answer=HOW_TO_ANSWER)


def draft(
    text: str, said: Sequence[str], concept: str, *, about: str = "", points: Sequence[str] = ()
) -> DraftQuestion:
    """A question whose answer is to be compared with these sentences of the author's, point by point."""
    shown = "\n\n".join(said)
    return DraftQuestion(
        kind="recall",
        difficulty="hard",
        text=text,
        answer=shown,
        concept=concept,
        source=shown,
        about=about,
        points=tuple(points) or points_of(shown),
    )


def is_no_point(sentence: str) -> bool:
    """Whether a sentence announces, asks, shows an example or speaks of the lesson instead of saying what there is to know."""
    is_said = sentence.endswith((".", "!")) and not is_aside(sentence)
    return not is_said or bool(_ILLUSTRATES.search(sentence))


def is_particular(sentence: str, *, centre: Centre) -> bool:
    """Whether a sentence tells how things stood once, or of somebody whom the lesson is not about: it shows the point, and is not it."""
    said = _CITED.sub("", sentence)
    names = (found[0] for found in _FULL_NAME.finditer(said))
    return bool(_AT_ONE_TIME.search(said)) or not all(map(centre.knows, names))
