"""What was taken for what: a wrong answer that names or describes another concept of the course."""

import re
from collections.abc import Mapping, Sequence

from agents.state import QuizQuestion
from rag.terms import TermFinder, term_key, words_of
from storage.course import Concept

_SHORT = 4  # words beside the small ones: an answer this short is a name, not a description
_FITS = 0.6  # of the answer's words are in the other concept's definition
_FITS_BETTER = 0.2
_SMALL = frozenset(
    words_of(
        "a an the of to in on at by for from with and or but is are was be been it its this that these those "
        "which who what when where how as than then there not no can may will do does has have i you we they one "
        "some any each every all both part thing kind type so if only also just more most"
    )
)
_LETTER = re.compile(r"^\W*([a-h])\W*$", re.IGNORECASE)
_POSITION = re.compile(r"^\W*(?:option\s+|number\s+)?(\d)\W*$", re.IGNORECASE)


def chosen_option(answer: str, options: Sequence[str]) -> str:
    """The option that a letter or a number stands for; otherwise the answer as it is."""
    if answer in options:
        return answer
    letter, position = _LETTER.match(answer), _POSITION.match(answer)
    place = (
        ord(letter.group(1).lower()) - ord("a") if letter else int(position.group(1)) - 1 if position else -1
    )
    return options[place] if 0 <= place < len(options) else answer


def confused_with(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """The concept that the answer is about instead; None when it shows no other."""
    if question.kind == "true_false":
        return None
    said = chosen_option(answer, question.options)
    asked = term_key(question.concept_name)
    given = set(_names(f"{question.question_text} {question.expected_answer}", concepts)) | {asked}
    others = [key for key in _names(said, concepts) if key not in given]
    names = {term_key(name): name for name in concepts}
    if others and len(_content(said)) <= _SHORT:
        return names[others[0]]
    return _described(question, said, concepts=concepts)


def _names(text: str, concepts: Mapping[str, Concept]) -> list[tuple[str, ...]]:
    return list(TermFinder(key for name in concepts if (key := term_key(name))).find(text))


def _described(question: QuizQuestion, answer: str, *, concepts: Mapping[str, Concept]) -> str | None:
    """Another concept whose definition the answer fits clearly better than the one that was asked for."""
    words = _content(answer) - _content(question.concept_name)
    own = concepts.get(question.concept_name)
    right = _content(f"{question.expected_answer} {own.definition if own else ''}")
    if not words:
        return None
    fits = {
        name: len(words & _content(concept.definition)) / len(words)
        for name, concept in concepts.items()
        if name != question.concept_name and words & _content(concept.definition) - right
    }
    best = max(fits, key=lambda name: fits[name], default=None)
    if best is None or fits[best] < max(_FITS, len(words & right) / len(words) + _FITS_BETTER):
        return None
    return best


def _content(text: str) -> set[str]:
    return set(words_of(text)) - _SMALL
