"""What a course teaches, as the agents see it: topics, their concepts, and where they stand."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agents.language.tongue import language_of
from rag.library import Library
from rag.terms import TermKey, term_key, words_of
from storage.course import Concept, Document, Relationship

_FEWEST_CONCEPTS, _MOST_CONCEPTS = 3, 4  # one explanation holds as many: what was not explained is not asked
_SPELLING = 0.82
_FILLER = {"the", "a", "an", "of", "in", "on", "about", "and", "to", "for", "with", "some", "more", "basic"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that can be taught in one loop: a few concepts that belong together."""

    name: str
    course: str
    chapter_id: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Syllabus:
    """One course at one revision."""

    course: str
    title: str
    revision: int
    documents: tuple[Document, ...]
    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]
    sections: dict[str, tuple[str, ...]]

    @cached_property
    def by_key(self) -> dict[TermKey, Concept]:
        return {term_key(concept.name): concept for concept in self.concepts}

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(concept.name for concept in self.concepts)

    @cached_property
    def tongue(self) -> str:
        """The language that the course is written in."""
        sample = [
            *(document.title for document in self.documents),
            *(each.definition for each in self.concepts),
        ]
        return language_of(" ".join(sample[:40])) or "en"

    @cached_property
    def titles(self) -> dict[TermKey, Document]:
        return {term_key(document.title): document for document in self.documents}

    def topic(self, text: str) -> Topic | None:
        """The topic that a learner's words name; None when the course does not have it."""
        key = term_key(text)
        if not key:
            return None
        chapter = self.titles.get(key)
        if key not in self.by_key and chapter and self._teaches(chapter):
            return self.chapter_topic(chapter)
        concept = self.by_key.get(key) or self._contained(key) or self._misspelt(text)
        if concept:
            return self.section_topic(concept)
        document = self._titled(key)
        return self.chapter_topic(document) if document else None

    def section_topic(self, concept: Concept) -> Topic:
        """The concept with those that its own section introduces beside it."""
        chapter = [other for other in self.concepts if other.chapter_id == concept.chapter_id]
        section = self.sections.get(concept.chunk_id)
        beside = [other for other in chapter if self.sections.get(other.chunk_id) == section]
        # A section with few concepts of its own goes on with what the chapter introduces next, or just before.
        here = chapter.index(concept)
        near = [other for other in (*chapter[here:], *chapter[:here][::-1]) if other not in beside]
        fill = near[: max(0, _FEWEST_CONCEPTS - len(beside))]
        names = list(dict.fromkeys(other.name for other in [concept, *beside, *fill]))[:_MOST_CONCEPTS]
        in_order = tuple(other.name for other in chapter if other.name in names)
        return Topic(name=concept.name, course=self.course, chapter_id=concept.chapter_id, concepts=in_order)

    def chapter_topic(self, document: Document, *, known: Sequence[str] = ()) -> Topic:
        """The first concepts of a chapter that are not known yet."""
        names = [concept.name for concept in self.concepts if concept.chapter_id == document.chapter_id]
        new = [name for name in names if name not in known] or names
        return Topic(
            name=document.title,
            course=self.course,
            chapter_id=document.chapter_id,
            concepts=tuple(new[:_MOST_CONCEPTS]),
        )

    def chapter_of(self, concept_name: str) -> str:
        concept = self.by_key.get(term_key(concept_name))
        return concept.chapter_id if concept else ""

    def topic_names(self) -> list[str]:
        """Titles of the chapters, in reading order: what the course covers."""
        return [document.title for document in self.documents if self._teaches(document)]

    def _teaches(self, document: Document) -> bool:
        return any(concept.chapter_id == document.chapter_id for concept in self.concepts)

    def _contained(self, key: TermKey) -> Concept | None:
        """'ROS 2 topics' is the concept 'topic' where the other words only say in which part of the course."""
        ends = {candidate: _end_of(candidate, key) for candidate in self.by_key}
        fitting = [
            candidate
            for candidate, end in ends.items()
            if end and set(key) - set(candidate) - _FILLER <= self._words_around(self.by_key[candidate])
        ]
        # The last noun of an English phrase is what it is about.
        best = max(fitting, key=lambda candidate: (ends[candidate], len(candidate)), default=None)
        return self.by_key[best] if best else None

    def _words_around(self, concept: Concept) -> set[str]:
        document = next((each for each in self.documents if each.chapter_id == concept.chapter_id), None)
        around = [self.title, self.course, concept.chapter_id.replace("/", " ").replace("-", " ")]
        if document:
            around += [document.title, document.module_name]
        return set(words_of(" ".join(around))) | {word for key in self.by_key for word in key}

    def _titled(self, key: TermKey) -> Document | None:
        wanted = set(key) - _FILLER
        for title, document in self.titles.items():
            if (
                wanted
                and (wanted <= set(title) or set(title) - _FILLER <= wanted)
                and self._teaches(document)
            ):
                return document
        return None

    def _misspelt(self, text: str) -> Concept | None:
        names = {concept.name.lower(): concept for concept in self.concepts}
        near = difflib.get_close_matches(text.lower().strip(), names, n=1, cutoff=_SPELLING)
        return names[near[0]] if near else None


async def load_syllabus(library: Library, course: str) -> Syllabus:
    """Read a course's topics from the database."""
    clock = await library.corpus.clock()
    documents = await library.corpus.documents(course)
    concepts, relationships = await library.concept_graph(course)
    passages = await library.corpus.chunks_by_id(list({concept.chunk_id for concept in concepts}))
    titles = {found.name: found.title for found in await library.courses()}
    return Syllabus(
        course=course,
        title=titles.get(course, course),
        revision=clock.revision,
        documents=tuple(documents),
        concepts=tuple(concepts),
        relationships=tuple(relationships),
        sections={passage.chunk_id: tuple(passage.heading_hierarchy) for passage in passages},
    )


def _end_of(part: TermKey, key: TermKey) -> int:
    """Where the last occurrence of a term ends within a phrase; 0 when it is not there."""
    starts = range(len(key) - len(part), -1, -1)
    return next((start + len(part) for start in starts if key[start : start + len(part)] == part), 0)
