"""Which of a course's terms a learner may take for one another: the wrong options."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat

from agents.teaching.questions.terms import TermBook, bare_name, is_proper, is_quality, is_term, name_stems
from agents.teaching.words import content_set, content_stems, likeness
from storage.course import Concept

_SAME_THING = 0.6
_SOME_LIKENESS = 0.12
_SHORT_STEM = 4
_MOST_RANKED = 14


class Distractors:
    """Finds confusable terms, and remembers them while a quiz is written."""

    def __init__(self, book: TermBook) -> None:
        self._book = book
        self._rivals: dict[str, Sequence[Concept]] = {}

    def confusable(self, concept: Concept, *, beside: str, names_only: bool = True) -> list[Concept]:
        """Other terms, the most alike first; none that the text beside them names, or that means the same."""
        named = content_set(beside) if names_only else frozenset()
        return [
            other
            for other in self._rivals_of(concept)
            if not (named and name_stems(other) <= named) and likeness(other.definition, beside) < _SAME_THING
        ]

    def _rivals_of(self, concept: Concept) -> Sequence[Concept]:
        if concept.name not in self._rivals:
            own = name_stems(concept)
            found = [other for other in self._book.neighbours(concept) if _is_rival(concept, other)]
            found.sort(key=lambda other: (-_closeness(concept, other, own), other.name))
            self._rivals[concept.name] = _apart(found[:_MOST_RANKED])
        return self._rivals[concept.name]


def could_be_meant_too(concept: Concept, other: Concept) -> bool:
    """Whether what is said of one term may hold for another: they share what kind of thing they are."""
    own, theirs = content_stems(bare_name(concept.name)), content_stems(bare_name(other.name))
    if not own or not theirs:
        return True
    head, their_head = own[-1], theirs[-1]
    return (
        head.endswith(their_head)
        or their_head.endswith(head)
        or head in {*theirs, *content_stems(other.definition)[:6]}
        or their_head in content_stems(concept.definition)[:6]
    )


def are_alike(concept: Concept, other: Concept) -> bool:
    """Whether two terms have enough in common to be taken for each other."""
    return bool(
        name_stems(concept) & name_stems(other)
        or _genus(concept) & _genus(other)
        or likeness(concept.definition, other.definition) >= _SOME_LIKENESS
    )


def _is_rival(concept: Concept, other: Concept) -> bool:
    return (
        is_term(other)
        and (other.kind != "heading" or (concept.kind == "heading" and " " in other.name))
        and is_quality(other) == is_quality(concept)
        and not _related(concept, other)
    )


def _related(concept: Concept, other: Concept) -> bool:
    """Whether one is a kind of the other, or both are the same thing: then both could be right."""
    one, two = name_stems(concept), name_stems(other)
    return (
        one <= two
        or two <= one
        or likeness(concept.definition, other.definition) >= _SAME_THING
        or _genus_names(concept.definition, two)
        or _genus_names(other.definition, one)
        or _is_longer_name(one, two)
        or _is_longer_name(two, one)
        or _is_acronym(concept.name, other.name)
        or _is_acronym(other.name, concept.name)
    )


def _is_longer_name(one: frozenset[str], two: frozenset[str]) -> bool:
    """'deoxyribonucleic acid' is a 'nucleic acid'."""
    for right in two:
        if len(right) > _SHORT_STEM and right not in one and any(map(str.endswith, one, repeat(right))):
            return True
    return False


def _genus_names(definition: str, name: frozenset[str]) -> bool:
    return bool(name) and name <= set(content_stems(definition)[:3])


def _genus(concept: Concept) -> frozenset[str]:
    """What kind of thing a term is: the first words of its meaning."""
    return frozenset(content_stems(concept.definition)[:4])


def _is_acronym(short: str, long: str) -> bool:
    return len(short) > 1 and short.lower() == _initials(long)


@lru_cache(maxsize=16384)
def _initials(name: str) -> str:
    return "".join(word[0] for word in re.findall(r"[a-z0-9]+", name.lower()))


def _closeness(concept: Concept, other: Concept, own: frozenset[str]) -> float:
    theirs = name_stems(other)
    words = abs(len(concept.name.split()) - len(other.name.split()))
    return (
        3.0 * (other.chapter_id == concept.chapter_id)
        + 2.0 * bool(own & theirs)
        + 1.5 * likeness(concept.definition, other.definition)
        + 1.2 * min(2, len(_genus(concept) & _genus(other)))
        + 1.0 * (is_proper(other.name) == is_proper(concept.name))
        + 0.5 * (other.kind == concept.kind)
        - 0.5 * words
        - 0.05 * abs(len(concept.name) - len(other.name))
    )


def _apart(concepts: Sequence[Concept]) -> list[Concept]:
    """Leave out what means the same as one already taken."""
    kept: list[Concept] = []
    for concept in concepts:
        if not any(_related(concept, other) for other in kept):
            kept.append(concept)
    return kept
