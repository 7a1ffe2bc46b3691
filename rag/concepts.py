"""The course's concepts and which of them lean on which, read off its text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.terms import TermFinder, TermKey, term_key
from storage.course import Concept, Relationship

ConceptKind = Literal["glossary", "term", "heading"]

_MOST_PREREQUISITES = 6
_MOST_TERM_WORDS = 5
_MOST_DEFINITION = 400
_BOLD = re.compile(r"\*\*([^*\n]{2,80}?)\*\*")
_ENTRY = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?\*\*([^*\n]{2,80}?):?\*\*[ \t]*[:—–][ \t]*(\S[^\n]*)", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]?\s+(?=[\"'“‘(*]*[A-Z0-9])|\n\s*\n")
_DEFINES_AFTER = re.compile(
    r"^\*{0,2}\s*(?:\([^)]*\)\s*)?,?\s*(?:is|are|was|were|means?|refers?|describes?|denotes?|consists?|occurs?|or\b)",
    re.IGNORECASE,
)
_DEFINES_BEFORE = re.compile(r"(?:called|known as|termed|named|is an?|are|referred to as)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_NUMBERING = re.compile(r"^(?:(?:chapter|module|lesson|part|unit|step|section)\s+)?[\dIVX]+(?:\.\d+)*[.:)]?\s+", re.IGNORECASE)
_NOT_CONCEPTS = frozenset(
    term_key(name)
    for name in (
        "summary, section summary, chapter summary, introduction, overview, glossary, references, footnotes, notes, "
        "exercises, review questions, review question, free response, multiple choice, art connections, conclusion, "
        "further reading, common mistakes, worked example, example, examples, learning objectives, objectives, "
        "key terms, quiz, pre-lecture quiz, post-lecture quiz, pre lecture quiz, post lecture quiz, assignment, "
        "challenge, review self study, review, prerequisites, background, appendix, contents, table of contents, "
        "welcome, preface, acknowledgements, credits, resources, next steps, what you will learn, recap, try it, "
        "exercise, solution, answers, instructions, rubric, readme, index, bibliography, faq, conclusions, motivation"
    ).split(", ")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePassage:
    """One chunk of the course as the extractor reads it, in reading order."""

    chunk_id: str
    chapter_id: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptGraph:
    """All of a course's concepts and prerequisite edges."""

    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]


def extract_concepts(passages: Sequence[CoursePassage]) -> ConceptGraph:
    """Read the concepts first, then what each one's own section leans on."""
    concepts = _collect(passages)
    return ConceptGraph(
        concepts=tuple(concepts.values()), relationships=tuple(_prerequisites(concepts, passages))
    )


def _collect(passages: Sequence[CoursePassage]) -> dict[TermKey, Concept]:
    glossary = _glossary(passages)
    found: dict[TermKey, Concept] = {}
    for position, passage in enumerate(passages):
        for name, definition, kind in _introduced(passage, glossary):
            key = term_key(name)
            if _is_worthy(name, key) and key not in found:
                found[key] = _concept(name, definition, kind, passage, position)
    _add_headings(found, passages)
    for key, (entry, position) in glossary.items():
        name, definition = entry
        if key not in found:
            found[key] = _concept(name, definition, "glossary", passages[position], position)
    return dict(sorted(found.items(), key=lambda item: item[1].position))


def _concept(name: str, definition: str, kind: ConceptKind, passage: CoursePassage, position: int) -> Concept:
    return Concept(
        name=name.strip(),
        definition=_plain(definition)[:_MOST_DEFINITION],
        kind=kind,
        chapter_id=passage.chapter_id,
        chunk_id=passage.chunk_id,
        position=position,
    )


def _glossary(passages: Sequence[CoursePassage]) -> dict[TermKey, tuple[tuple[str, str], int]]:
    entries: dict[TermKey, tuple[tuple[str, str], int]] = {}
    for position, passage in enumerate(passages):
        if _is_glossary(passage):
            for name, definition in _ENTRY.findall(passage.text):
                key = term_key(name)
                if _is_worthy(name, key):
                    entries.setdefault(key, ((name, definition), position))
    return entries


def _is_glossary(passage: CoursePassage) -> bool:
    return any("glossary" in heading.lower() or heading.lower() == "key terms" for heading in passage.headings)


def _introduced(
    passage: CoursePassage, glossary: dict[TermKey, tuple[tuple[str, str], int]]
) -> Iterator[tuple[str, str, ConceptKind]]:
    """Bold terms of a passage that are in the glossary, or that their own sentence defines."""
    if "**" not in passage.text or _is_glossary(passage):
        return
    for sentence in _SENTENCE_END.split(passage.text):
        if "**" not in sentence:
            continue
        for match in _BOLD.finditer(sentence):
            name = match.group(1).strip(" .,;:")
            entry = glossary.get(term_key(name))
            if entry:
                yield entry[0][0], entry[0][1], "glossary"
            elif _DEFINES_AFTER.match(sentence[match.end() :]) or _DEFINES_BEFORE.search(sentence[: match.start()]):
                yield name, sentence, "term"


def _is_worthy(name: str, key: TermKey) -> bool:
    long_enough = sum(map(len, key)) >= 3
    return long_enough and len(key) <= _MOST_TERM_WORDS and key not in _NOT_CONCEPTS and any(map(str.isalpha, name))


def _add_headings(found: dict[TermKey, Concept], passages: Sequence[CoursePassage]) -> None:
    for position, passage in enumerate(passages):
        if _is_glossary(passage):
            continue
        name = _NUMBERING.sub("", passage.headings[-1]).strip(" .:?") if passage.headings else ""
        key = term_key(name)
        if key and _is_worthy(name, key) and key not in found:
            found[key] = _concept(name, _first_sentence(passage.text), "heading", passage, position)


def _first_sentence(text: str) -> str:
    return next((part for part in _SENTENCE_END.split(text) if part and part.strip()), "")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("**", "").replace("*", "")).strip()


def _prerequisites(concepts: dict[TermKey, Concept], passages: Sequence[CoursePassage]) -> Iterator[Relationship]:
    order = _teaching_order(passages)
    finder = TermFinder(concepts)
    sections = _sections(passages)
    occurrences = {place: _occurrences(finder, passages, sections[place]) for place in sections}
    rarity = Counter(key for counts in occurrences.values() for key in counts)
    for key, concept in concepts.items():
        home = passages[concept.position]
        place = (home.chapter_id, home.headings)
        needed = _leans_on(
            key, concept, counts=occurrences[place], concepts=concepts, order=order, finder=finder, rarity=rarity
        )
        for other, weight in needed:
            shown = _evidence(finder, other, [concept.position, *sections[place]], passages)
            if shown:
                chunk_id, sentence = shown
                yield Relationship(
                    prerequisite=concepts[other].name,
                    concept=concept.name,
                    chunk_id=chunk_id,
                    evidence=sentence,
                    weight=round(weight, 3),
                )


def _teaching_order(passages: Sequence[CoursePassage]) -> list[int]:
    """The step of each passage: its chapter, or its section where the course is one document.

    Edges only ever point to a later step, so there can be no cycle.
    """
    one_document = len({passage.chapter_id for passage in passages}) == 1
    places = [(passage.chapter_id, passage.headings if one_document else ()) for passage in passages]
    step = {place: number for number, place in enumerate(dict.fromkeys(places))}
    return [step[place] for place in places]


def _sections(passages: Sequence[CoursePassage]) -> dict[tuple[str, tuple[str, ...]], list[int]]:
    sections: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for position, passage in enumerate(passages):
        sections.setdefault((passage.chapter_id, passage.headings), []).append(position)
    return sections


def _occurrences(finder: TermFinder, passages: Sequence[CoursePassage], members: Iterable[int]) -> Counter[TermKey]:
    return Counter(key for member in members for key in finder.find(passages[member].text))


def _leans_on(
    key: TermKey,
    concept: Concept,
    *,
    counts: Counter[TermKey],
    concepts: dict[TermKey, Concept],
    order: Sequence[int],
    finder: TermFinder,
    rarity: Counter[TermKey],
) -> list[tuple[TermKey, float]]:
    """The few earlier terms that this concept's definition or section leans on most."""
    in_definition = set(finder.find(concept.definition))
    weighed: list[tuple[TermKey, float]] = []
    for other, count in counts.items():
        earlier = order[concepts[other].position] < order[concept.position]
        if other == key or not earlier or (other not in in_definition and count < 2):
            continue
        weight = (count + 3 * (other in in_definition)) / rarity[other] ** 0.5
        weighed.append((other, weight))
    weighed.sort(key=lambda pair: (-pair[1], pair[0]))
    return weighed[:_MOST_PREREQUISITES]


def _evidence(
    finder: TermFinder, wanted: TermKey, positions: Iterable[int], passages: Sequence[CoursePassage]
) -> tuple[str, str] | None:
    """The sentence that names the earlier term, from the defining passage if it does so there."""
    for position in positions:
        passage = passages[position]
        if wanted not in set(finder.find(passage.text)):
            continue
        for sentence in _SENTENCE_END.split(passage.text):
            if sentence and wanted in set(finder.find(sentence)):
                return passage.chunk_id, _plain(sentence)[:_MOST_DEFINITION]
        return passage.chunk_id, _plain(passage.text)[:_MOST_DEFINITION]
    return None
