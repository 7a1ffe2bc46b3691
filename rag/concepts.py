"""The course's concepts and which of them lean on which, read off its text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

from agents.language.blocks import one_line, prose, sentences
from agents.language.headings import (
    concept_name,
    heading_name,
    is_apart,
    is_aside,
    is_frame,
    is_left_open,
    is_list_of_terms,
    names_a_concept,
    teaches,
    tells_again,
)
from agents.language.words import TermFinder, TermKey, term_key, words_of
from agents.teaching.values import Concept, Relationship

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePassage:
    """One chunk of the course, in reading order."""

    chunk_id: str
    chapter_id: str
    headings: tuple[str, ...]
    text: str

    @property
    def section(self) -> tuple[str, tuple[str, ...]]:
        return self.chapter_id, self.headings


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
                evidence=one_line(shown.sentence),
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
    return [use for use in section if key in use.terms or one_line(use.sentence).startswith(definition)]


def _said_of(key: TermKey, about: Sequence[_Use], finder: TermFinder) -> set[TermKey]:
    """The terms that the first clause of a sentence about the concept uses: 'Loop closure removes drift'."""
    found: set[TermKey] = set()
    for use in about:
        clause = tuple(finder.find(_CLAUSE_END.split(one_line(use.sentence), maxsplit=1)[0]))
        if clause[:1] == (key,) and _starts_with(one_line(use.sentence), key):
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
            if ("?" in sentence or "___" in sentence) and is_left_open(one_line(sentence)):
                continue
            own.setdefault(passage.section, set()).update(map(term_key, _OF_ITS_OWN.findall(sentence)))
            section.append(_Use(passage.chunk_id, sentence, tuple(finder.find(sentence))))
    return {
        place: [_without(use, own[place]) for use in section] if own.get(place) else section
        for place, section in uses.items()
    }


def _without(use: _Use, terms: set[TermKey]) -> _Use:
    return _Use(use.chunk_id, use.sentence, tuple(term for term in use.terms if term not in terms))


ConceptKind = Literal["glossary", "term", "heading"]

_MOST_TERM_WORDS = 5
_BOLD = re.compile(r"\*\*([^*\n]{2,80}?)\*\*")
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?\*\*([^*\n]{2,80}?):?\*\*[ \t]*[:—–][ \t]*(\S[^\n]*)", re.MULTILINE
)
_DEFINES_AFTER = re.compile(
    r"^\*{0,2}\s*(?:\([^)]*\)\s*)?,?\s*(?:is|are|was|were|means?|meaning|refers?|describes?|denotes?|consists?|occurs?)\b",
    re.IGNORECASE,
)
_OTHER_NAME_AFTER = re.compile(r"^\*{0,2}(?P<comma>,?)\s+or\s+(?P<going_on>\w+ing\b)?", re.IGNORECASE)
_CALLED_BEFORE = re.compile(
    r"\b(?:called|known as|termed|named|referred to as)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE
)
# 'These are **joints**.' names them; 'these are **two** things' and 'these are **not** joints' only stress a word.
_IS_BEFORE = re.compile(r"\b(?:is an?|are)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s+(?!(?:and|or|that|which|who|where|because|when|if|in|of|on|for|to|by|with|from)\b)[a-z]"
)
_STRESSED = frozenset(
    "all always bad both different essential every false free good important many must necessary never new not only "
    "optional required same true very wrong".split()
)
_PAGES_OF_A_FRAME = 3
_ABOUT_THE_COURSE = re.compile(
    r"\b(?:this|the|our|an?) (?:[\w-]+ ){0,4}(?:course|workshop|curriculum|exercises?|tutorial|lesson)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"[A-Z][\w’'-]+(?: (?:v[ao]n|de[nr]?|d[aiu]|al|bin|la))*(?: [A-Z][\w.’'-]*){1,3}")
_LIFE = re.compile(
    r"\b(?:works?|worked|working) (?:at|on|as|in)\b|\bwas born\b|\b(?:PhD|professor|engineer|scientist|researcher|author|developer|"
    r"physicist|biologist|mathematician|philosopher) (?:at|who|and|from|of|in)\b",
    re.IGNORECASE,
)
_TABLE_FIRST = re.compile(r"\s*\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedConcepts:
    """All of a course's concepts and prerequisite edges."""

    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]


def extract_concepts(passages: Sequence[CoursePassage], *, subject: str = "") -> ExtractedConcepts:
    """Read the concepts first, then what each one leans on; everything leans on the subject of the course."""
    concepts = _collect(passages)
    return ExtractedConcepts(
        concepts=tuple(concepts.values()),
        relationships=tuple(find_prerequisites(concepts, passages, subject=subject)),
    )


def _collect(passages: Sequence[CoursePassage]) -> dict[TermKey, Concept]:
    glossary = _glossary(passages)
    found: dict[TermKey, Concept] = {}
    taught = _taught(passages)
    for position, passage in taught:
        for name, definition, kind in _introduced(passage, glossary):
            key = term_key(name)
            if _is_worthy(name, key) and key not in found:
                found[key] = _concept(name, definition, kind, passage, position)
    _add_headings(found, passages, taught)
    for key, (entry, position) in glossary.items():
        name, definition = entry
        if key not in found:
            found[key] = _concept(name, definition, "glossary", passages[position], position)
    return dict(sorted(found.items(), key=lambda item: item[1].position))


def _concept(name: str, definition: str, kind: ConceptKind, passage: CoursePassage, position: int) -> Concept:
    return Concept(
        name=name.strip(),
        definition=one_line(definition),
        kind=kind,
        chapter_id=passage.chapter_id,
        chunk_id=passage.chunk_id,
        position=position,
    )


def _glossary(passages: Sequence[CoursePassage]) -> dict[TermKey, tuple[tuple[str, str], int]]:
    entries: dict[TermKey, tuple[tuple[str, str], int]] = {}
    for position, passage in enumerate(passages):
        if is_list_of_terms(passage.headings):
            for name, definition in _ENTRY.findall(passage.text):
                key = term_key(name)
                if _is_worthy(name, key):
                    entries.setdefault(key, ((name, definition), position))
    return entries


def _introduced(
    passage: CoursePassage, glossary: dict[TermKey, tuple[tuple[str, str], int]]
) -> Iterator[tuple[str, str, ConceptKind]]:
    """Bold terms of a passage that are in the glossary, or that their own sentence defines."""
    if "**" not in passage.text or is_list_of_terms(passage.headings):
        return
    for sentence in sentences(passage.text):
        if "**" not in sentence:
            continue
        for match in _BOLD.finditer(sentence):
            name = match.group(1).strip(" .,;:")
            entry = glossary.get(term_key(name))
            if entry:
                yield entry[0][0], entry[0][1], "glossary"
            elif _is_defined(name, before=sentence[: match.start()], after=sentence[match.end() :]):
                yield name, sentence, "term"


def _is_defined(name: str, *, before: str, after: str) -> bool:
    """Whether its sentence says what the bold word is, rather than stress it."""
    if name.lower() in _STRESSED or is_apart(name) or (_PERSON.fullmatch(name) and _LIFE.search(after)):
        return False
    if _DEFINES_AFTER.match(after) or _CALLED_BEFORE.search(before):
        return True
    if other := _OTHER_NAME_AFTER.match(after):
        # 'cells, or small rooms' and 'personal data or personal information', but not 'images or video'
        return len(term_key(name)) > 1 or bool(other["comma"] and not other["going_on"])
    return bool(_IS_BEFORE.search(before)) and not _GOES_ON.match(after)


def _is_worthy(name: str, key: TermKey) -> bool:
    long_enough = sum(map(len, key)) >= 3
    is_short = len(key) <= _MOST_TERM_WORDS
    return long_enough and is_short and not is_frame(key) and any(map(str.isalpha, name))


def _taught(passages: Sequence[CoursePassage]) -> list[tuple[int, CoursePassage]]:
    """The passages that tell something, with their places; all of them in a course that only sets work."""
    every = list(enumerate(passages))
    return [
        (position, passage)
        for position, passage in every
        if teaches(passage.headings, chapter_id=passage.chapter_id)
    ] or every


def _add_headings(
    found: dict[TermKey, Concept],
    passages: Sequence[CoursePassage],
    taught: Sequence[tuple[int, CoursePassage]],
) -> None:
    """A section that introduces no term of its own is a concept by its heading."""
    told = {passages[concept.position].section for concept in found.values()}
    told |= {(chapter, headings[:1]) for chapter, headings in told}
    frames = _repeated(passages)
    for position, passage in taught:
        is_elsewhere = is_list_of_terms(passage.headings) or tells_again(passage.headings)
        if passage.section in told or is_elsewhere or not passage.headings:
            continue
        told.add(passage.section)  # how a section begins says what it is about
        name = concept_name(passage.headings[-1])
        key = term_key(name)
        is_new = key and key not in found and key not in frames
        if is_new and _is_worthy(name, key) and _heads_a_concept(name, passage.text):
            found[key] = _concept(name, _telling_sentence(passage.text), "heading", passage, position)


def _repeated(passages: Sequence[CoursePassage]) -> set[TermKey]:
    """Headings that one page after the other has: a part of every page, not a thing to learn."""
    places: dict[TermKey, set[str]] = {}
    for passage in passages:
        for heading in passage.headings[1:]:
            places.setdefault(term_key(heading_name(heading)), set()).add(passage.chapter_id)
    return {key for key, chapters in places.items() if len(chapters) >= _PAGES_OF_A_FRAME}


def _telling_sentence(text: str) -> str:
    """The first sentence with enough words to say something."""
    told = sentences(prose(text))
    return next((each for each in told if len(each.split()) > 3), next(iter(sentences(text)), ""))


def _heads_a_concept(name: str, text: str) -> bool:
    """Whether a heading names what is told below it, rather than the code or the table there."""
    words = prose(text)
    is_caption = name == name.lower() and bool(_TABLE_FIRST.match(text))
    told = [one_line(each) for each in sentences(words)]
    tells = any(map(str.isalpha, words)) and not all(map(is_aside, told))
    is_about_course = any(_ABOUT_THE_COURSE.search(each) for each in told[:1])
    return names_a_concept(name) and tells and not (is_caption or is_about_course)
