"""The course's concepts and which of them lean on which, read off its text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.prerequisites import find_prerequisites
from rag.sentences import CoursePassage, first_sentence, plain, sentences
from rag.terms import TermKey, term_key
from storage.course import Concept, Relationship

ConceptKind = Literal["glossary", "term", "heading"]

_MOST_TERM_WORDS = 5
_BOLD = re.compile(r"\*\*([^*\n]{2,80}?)\*\*")
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?\*\*([^*\n]{2,80}?):?\*\*[ \t]*[:—–][ \t]*(\S[^\n]*)", re.MULTILINE
)
_DEFINES_AFTER = re.compile(
    r"^\*{0,2}\s*(?:\([^)]*\)\s*)?,?\s*(?:is|are|was|were|means?|refers?|describes?|denotes?|consists?|occurs?|or\b)",
    re.IGNORECASE,
)
_DEFINES_BEFORE = re.compile(
    r"(?:called|known as|termed|named|is an?|are|referred to as)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE
)
_NUMBERING = re.compile(
    r"^(?:(?:chapter|module|lesson|part|unit|step|section)\s+)?[\dIVX]+(?:\.\d+)*[.:)]?\s+", re.IGNORECASE
)
_NOT_A_NAME = re.compile(
    r"(?:worked )?examples?\b|how\b|what\b|why\b|when\b|step\b|choosing\b|a procedure\b|try\b", re.IGNORECASE
)
_GENERIC_HEADINGS = (
    "summary, section summary, chapter summary, introduction, overview, glossary, references, footnotes, notes, "
    "exercises, review questions, review question, free response, multiple choice, art connections, conclusion, "
    "further reading, common mistakes, worked example, example, examples, learning objectives, objectives, "
    "key terms, quiz, pre-lecture quiz, post-lecture quiz, pre lecture quiz, post lecture quiz, assignment, "
    "challenge, review self study, review, prerequisites, background, appendix, contents, table of contents, "
    "welcome, preface, acknowledgements, credits, resources, next steps, what you will learn, recap, try it, "
    "exercise, solution, answers, instructions, rubric, readme, index, bibliography, faq, conclusions, motivation"
)
_NOT_CONCEPTS = frozenset(term_key(name) for name in _GENERIC_HEADINGS.split(", "))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptGraph:
    """All of a course's concepts and prerequisite edges."""

    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]


def extract_concepts(passages: Sequence[CoursePassage]) -> ConceptGraph:
    """Read the concepts first, then what each one's own section leans on."""
    concepts = _collect(passages)
    return ConceptGraph(
        concepts=tuple(concepts.values()), relationships=tuple(find_prerequisites(concepts, passages))
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
        definition=plain(definition),
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
    return any(
        "glossary" in heading.lower() or heading.lower() == "key terms" for heading in passage.headings
    )


def _introduced(
    passage: CoursePassage, glossary: dict[TermKey, tuple[tuple[str, str], int]]
) -> Iterator[tuple[str, str, ConceptKind]]:
    """Bold terms of a passage that are in the glossary, or that their own sentence defines."""
    if "**" not in passage.text or _is_glossary(passage):
        return
    for sentence in sentences(passage.text):
        if "**" not in sentence:
            continue
        for match in _BOLD.finditer(sentence):
            name = match.group(1).strip(" .,;:")
            entry = glossary.get(term_key(name))
            if entry:
                yield entry[0][0], entry[0][1], "glossary"
            elif _DEFINES_AFTER.match(sentence[match.end() :]) or _DEFINES_BEFORE.search(
                sentence[: match.start()]
            ):
                yield name, sentence, "term"


def _is_worthy(name: str, key: TermKey) -> bool:
    long_enough = sum(map(len, key)) >= 3
    return (
        long_enough
        and len(key) <= _MOST_TERM_WORDS
        and key not in _NOT_CONCEPTS
        and any(map(str.isalpha, name))
    )


def _add_headings(found: dict[TermKey, Concept], passages: Sequence[CoursePassage]) -> None:
    """A section that introduces no term of its own is a concept by its heading."""
    told = {passages[concept.position].section for concept in found.values()}
    told |= {(chapter, headings[:1]) for chapter, headings in told}
    for position, passage in enumerate(passages):
        if passage.section in told or _is_glossary(passage) or not passage.headings:
            continue
        name = _NUMBERING.sub("", passage.headings[-1]).strip(" .:?")
        key = term_key(name)
        if key and _is_worthy(name, key) and not _NOT_A_NAME.match(name) and key not in found:
            found[key] = _concept(name, first_sentence(passage.text), "heading", passage, position)
