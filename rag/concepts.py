"""The course's concepts and which of them lean on which, read off its text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.asides import is_aside
from rag.headings import (
    concept_name,
    heading_name,
    is_apart,
    is_frame,
    is_list_of_terms,
    lists_chapters,
    names_a_concept,
    teaches,
    tells_again,
)
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
_SENTENCE = re.compile(r"[a-z)]\.(?:\s|$)")
_TABLE_FIRST = re.compile(r"\s*\|")
_NOT_WORDS = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)|^[ \t]*\|[^\n]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptGraph:
    """All of a course's concepts and prerequisite edges."""

    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]


def extract_concepts(passages: Sequence[CoursePassage], *, subject: str = "") -> ConceptGraph:
    """Read the concepts first, then what each one leans on; everything leans on the subject of the course."""
    concepts = _collect(passages)
    return ConceptGraph(
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
        definition=plain(definition),
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
    prose = sentences(_NOT_WORDS.sub("", text))
    return next((each for each in prose if len(each.split()) > 3), first_sentence(text))


def _heads_a_concept(name: str, text: str) -> bool:
    """Whether a heading names what is told below it, rather than the code, the table or the chapters there."""
    words = _NOT_WORDS.sub("", text)
    is_caption = name == name.lower() and bool(_TABLE_FIRST.match(text))
    is_contents = lists_chapters(name) and not _SENTENCE.search(words)
    told = [plain(each) for each in sentences(words)]
    tells = any(map(str.isalpha, words)) and not all(map(is_aside, told))
    is_about_course = any(_ABOUT_THE_COURSE.search(each) for each in told[:1])
    return names_a_concept(name) and tells and not (is_caption or is_contents or is_about_course)
