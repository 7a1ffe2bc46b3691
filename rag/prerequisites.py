"""Which concept leans on which: a section uses a term that an earlier chapter introduced."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rag.sentences import CoursePassage, plain, sentences
from rag.terms import TermFinder, TermKey, term_key
from storage.course import Concept, Relationship

_MOST_PREREQUISITES = 5
_LEAST_MENTIONS = 2  # of a term that the definition itself does not use
_DEFINITION_WEIGHT = 3
# 'A pose graph is a network whose nodes are poses' gives the word a meaning of its own in that section.
_OF_ITS_OWN = re.compile(r"\bwhose ([\w-]+) (?:is|are)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Uses:
    """The terms that a section uses, how often, and the first sentence that does so."""

    counts: Counter[TermKey] = field(default_factory=Counter)
    shown: dict[TermKey, tuple[str, str]] = field(default_factory=dict)


def find_prerequisites(
    concepts: Mapping[TermKey, Concept], passages: Sequence[CoursePassage]
) -> Iterator[Relationship]:
    """Each concept's few strongest prerequisites, with the sentence that shows each."""
    finder = TermFinder(concepts)
    steps = _teaching_steps(passages)
    uses = _uses(finder, passages)
    sections = Counter(term for section in uses.values() for term in section.counts)
    for key, concept in concepts.items():
        section = uses[passages[concept.position].section]
        in_definition = set(finder.find(concept.definition))
        weights = {
            term: (count + _DEFINITION_WEIGHT * (term in in_definition)) / sections[term] ** 0.5
            for term, count in section.counts.items()
            if term != key
            and (term in in_definition or count >= _LEAST_MENTIONS)
            and steps[concepts[term].position] < steps[concept.position]
        }
        for term in sorted(weights, key=lambda term: (-weights[term], term))[:_MOST_PREREQUISITES]:
            chunk_id, sentence = section.shown[term]
            yield Relationship(
                prerequisite=concepts[term].name,
                concept=concept.name,
                chunk_id=chunk_id,
                evidence=plain(sentence),
                weight=round(weights[term], 3),
            )


def _teaching_steps(passages: Sequence[CoursePassage]) -> list[int]:
    """The step of each passage: its chapter, or its section where the course is one document.

    Edges only ever point to a later step, so there can be no cycle.
    """
    one_document = len({passage.chapter_id for passage in passages}) == 1
    places = [passage.section if one_document else passage.chapter_id for passage in passages]
    step = {place: number for number, place in enumerate(dict.fromkeys(places))}
    return [step[place] for place in places]


def _uses(finder: TermFinder, passages: Sequence[CoursePassage]) -> dict[tuple[str, tuple[str, ...]], _Uses]:
    uses: dict[tuple[str, tuple[str, ...]], _Uses] = {}
    own: set[tuple[tuple[str, tuple[str, ...]], TermKey]] = set()
    for passage in passages:
        section = uses.setdefault(passage.section, _Uses())
        for sentence in sentences(passage.text):
            own |= {(passage.section, term_key(name)) for name in _OF_ITS_OWN.findall(sentence)}
            for term in finder.find(sentence):
                section.counts[term] += 1
                section.shown.setdefault(term, (passage.chunk_id, sentence))
    for place, term in own:
        del uses[place].counts[term]
    return uses
