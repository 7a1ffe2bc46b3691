"""Which concept leans on which: what tells it uses a term that an earlier chapter introduced."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from rag.asides import is_left_open
from rag.headings import is_list_of_terms
from rag.sentences import CoursePassage, plain, sentences
from rag.terms import TermFinder, TermKey, term_key, words_of
from storage.course import Concept, Relationship

_MOST_PREREQUISITES = 3
_LEAST_MENTIONS = 2  # in sentences with the concept, of a term that its definition does not use
_LEAST_IN_SECTION = 3  # in the whole section, and once with the concept
_DEFINITION_WEIGHT = 3
# A term that half of the sections use is what the course is about: everything leans on it, and nothing more than the rest.
_EVERYWHERE = 0.5
_FEW_SECTIONS = 10
# 'A pose graph is a network whose nodes are poses' gives the word a meaning of its own in that section.
_OF_ITS_OWN = re.compile(r"\bwhose ([\w-]+) (?:is|are)\b", re.IGNORECASE)
# Words of programs that are words of every sentence too: 'for', 'from'.
_LITTLE_WORDS = frozenset(
    "a all and any as at be but by do for from get has if in into is it let like map not of on or other self set so "
    "that the then this to try up use what when where while with".split()
)
_CLAUSE_END = re.compile(r"[,;:(]")
_CODE = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)

Place = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Use:
    """One sentence and the terms in it, each as often as it is there."""

    chunk_id: str
    sentence: str
    terms: tuple[TermKey, ...]


def find_prerequisites(
    concepts: Mapping[TermKey, Concept], passages: Sequence[CoursePassage], *, subject: str = ""
) -> Iterator[Relationship]:
    """Each concept's few strongest prerequisites, with the sentence that shows each."""
    named = set(words_of(subject.partition(":")[0]))
    finder = TermFinder(key for key in concepts if not (len(key) == 1 and key[0] in _LITTLE_WORDS))
    steps = _teaching_steps(passages)
    uses = _uses(finder, passages)
    sections = Counter(
        term for section in uses.values() for term in {t for use in section for t in use.terms}
    )
    most = max(_FEW_SECTIONS, len(uses) * _EVERYWHERE)
    for key, concept in concepts.items():
        about = _about(key, concept, uses, passages, finder)
        counts = Counter(term for use in about for term in use.terms)
        in_definition = set(finder.find(concept.definition)) | _said_of(key, about, finder)
        around = Counter(term for use in uses[passages[concept.position].section] for term in use.terms)
        is_whole = concept.kind == "heading"
        weights = {
            term: (count + _DEFINITION_WEIGHT * (term in in_definition)) * log(1 + len(uses) / sections[term])
            for term, count in counts.items()
            if term != key
            and sections[term] <= most
            and not named.issuperset(term)
            and (
                term in in_definition
                or around[term] >= _LEAST_IN_SECTION
                or (count >= _LEAST_MENTIONS and not is_whole)
            )
            and steps[concepts[term].position] < steps[concept.position]
        }
        for term in sorted(weights, key=lambda term: (-weights[term], term))[:_MOST_PREREQUISITES]:
            shown = next(use for use in about if term in use.terms)
            yield Relationship(
                prerequisite=concepts[term].name,
                concept=concept.name,
                chunk_id=shown.chunk_id,
                evidence=plain(shown.sentence),
                weight=round(weights[term], 3),
            )


def _about(
    key: TermKey,
    concept: Concept,
    uses: Mapping[Place, Sequence[_Use]],
    passages: Sequence[CoursePassage],
    finder: TermFinder,
) -> Sequence[_Use]:
    """The sentences about a concept: its whole section, or those that name it where others are told there too."""
    passage = passages[concept.position]
    if is_list_of_terms(passage.headings):  # only its own line is about it
        return [_Use(concept.chunk_id, concept.definition, tuple(finder.find(concept.definition)))]
    section = uses[passage.section]
    if concept.kind == "heading":
        return section
    definition = concept.definition[:40]
    return [use for use in section if key in use.terms or plain(use.sentence).startswith(definition)]


def _said_of(key: TermKey, about: Sequence[_Use], finder: TermFinder) -> set[TermKey]:
    """The terms that the first clause of a sentence about the concept uses: 'Loop closure removes drift'."""
    found: set[TermKey] = set()
    for use in about:
        clause = tuple(finder.find(_CLAUSE_END.split(plain(use.sentence), maxsplit=1)[0]))
        if clause[:1] == (key,) and _starts_with(plain(use.sentence), key):
            found.update(clause[1:])
    return found


def _starts_with(sentence: str, key: TermKey) -> bool:
    return term_key(" ".join(sentence.split()[: len(key) + 1]))[: len(key)] == key


def _teaching_steps(passages: Sequence[CoursePassage]) -> list[int]:
    """The step of each passage: its chapter, or its section where the course is one document.

    Edges only ever point to a later step, so there can be no cycle.
    """
    one_document = len({passage.chapter_id for passage in passages}) == 1
    places = [passage.section if one_document else passage.chapter_id for passage in passages]
    step = {place: number for number, place in enumerate(dict.fromkeys(places))}
    return [step[place] for place in places]


def _uses(finder: TermFinder, passages: Sequence[CoursePassage]) -> dict[Place, list[_Use]]:
    """The telling sentences of each section; what is asked of the reader tells nothing."""
    uses: dict[Place, list[_Use]] = {}
    own: dict[Place, set[TermKey]] = {}
    for passage in passages:
        section = uses.setdefault(passage.section, [])
        for sentence in sentences(_CODE.sub("", passage.text)):
            if ("?" in sentence or "___" in sentence) and is_left_open(plain(sentence)):
                continue
            own.setdefault(passage.section, set()).update(map(term_key, _OF_ITS_OWN.findall(sentence)))
            section.append(_Use(passage.chunk_id, sentence, tuple(finder.find(sentence))))
    return {
        place: [_without(use, own[place]) for use in section] if own.get(place) else section
        for place, section in uses.items()
    }


def _without(use: _Use, terms: set[TermKey]) -> _Use:
    return _Use(use.chunk_id, use.sentence, tuple(term for term in use.terms if term not in terms))
