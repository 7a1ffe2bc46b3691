"""What a course teaches, as the agents see it: topics, the parts they are taught in, and where they stand."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agents.language.headings import (
    heading_name,
    is_aims,
    is_apart,
    is_list_of_terms,
    is_worked_example,
    teaches,
    tells_again,
)
from agents.language.understanding import language_of
from agents.language.words import TermFinder, TermKey, same_text, term_key
from agents.teaching.evidence import QUANTITATIVE
from agents.teaching.parts import (
    FEWEST_WORDS,
    MOST_WORDS,
    Part,
    Piece,
    cut,
    groups,
    pieces_of,
    without_announcements,
)
from agents.teaching.topics import Match, PageText, key_words, locate
from agents.teaching.values import (
    Concept,
    Passage,
    PassageLike,
    Place,
    Relationship,
    RetrievalResult,
    wanted_part,
)
from rag.index import Scope
from rag.library import Library
from rag.retriever import MOST_RESULTS
from rag.tree import Unit
from storage.corpus import Document

_INTRODUCES = 120  # words; a page as short as this leads on to what stands below it
_PARTS_A_PAGE = 1.5  # from here on a page is a chapter by itself
_EVERYWHERE = 0.5  # of the pages; a word that stands on more says nothing about which is meant
_SHORT = 4  # letters; a shorter word stands in many others
_CONTENT = 60  # words; a page with fewer is a title page


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Something that a learner asked for, in the parts in which it is taught."""

    name: str
    course: str
    place: Place
    parts: tuple[Part, ...]
    begin: int = 1  # the part that is about what was asked for

    @property
    def chapter_id(self) -> str:
        return self.parts[0].pieces[0].passage.chapter_id

    @property
    def concepts(self) -> tuple[str, ...]:
        """The names of all that it teaches, in order."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.names))

    def part_about(self, wanted: str) -> int:
        """The first part that holds most of the words asked for: who asks for chmod is not taught what owners are."""
        words = [word if len(word) > _SHORT else f" {word}" for word in key_words(wanted)]
        texts = (
            "\n".join([*part.names, *(piece.text for piece in part.pieces)]).lower() for part in self.parts
        )
        held = [sum(word in f" {text}" for word in words) for text in texts]
        return held.index(max(held)) + 1

    def first_open(self, mastered: Iterable[str]) -> int:
        """The number of the first part that is not mastered; of the first, when all are."""
        known = set(mastered)
        open_parts = (number for number, part in enumerate(self.parts, 1) if not known.issuperset(part.names))
        return next(open_parts, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    """Pages that belong together under one title."""

    title: str
    chapter_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One page of the course, with the names of what each of its parts teaches."""

    title: str
    parts: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part))


@dataclass(frozen=True, kw_only=True)
class Syllabus:
    """One course at one revision."""

    course: str
    title: str
    revision: int
    documents: tuple[Document, ...]
    concepts: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]
    passages: tuple[Passage, ...]
    units: tuple[PageGroup, ...] = ()
    numbered: tuple[
        tuple[PageGroup, ...], ...
    ] = ()  # chapters as a reader counts them: each whole, then its sections
    apart: frozenset[str] = frozenset()  # pages that teach nothing: title pages, licences, exercises
    quantitative: frozenset[str] = frozenset()  # concepts about which the author asks for numbers

    @cached_property
    def by_key(self) -> dict[TermKey, Concept]:
        return {term_key(concept.name): concept for concept in self.concepts}

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(concept.name for concept in self.concepts)

    @cached_property
    def definitions(self) -> tuple[str, ...]:
        return tuple(concept.definition for concept in self.concepts if concept.definition)

    @cached_property
    def tongue(self) -> str:
        """The language that the course is written in."""
        sample = [
            *(document.title for document in self.documents),
            *(each.definition for each in self.concepts),
        ]
        return language_of(" ".join(sample[:40])) or "en"

    def topic(self, text: str, hits: Sequence[PassageLike] = ()) -> Topic | None:
        """The topic that a learner's words name; without what a search found, only names are known."""
        match = self.match(text, hits)
        return self.topic_at(match.place, name=wanted_part(text)[0]) if match else None

    def match(self, text: str, hits: Sequence[PassageLike] = ()) -> Match | None:
        """The place in the course that teaches what was asked for; the course's own name is its first page."""
        wanted = wanted_part(text)[0]
        taught = [hit for hit in hits if hit.chapter_id not in self.apart]
        found = locate(wanted, self.places, taught or hits, self.pages)
        if self.is_whole(wanted) and (first := self._first_page):
            return Match(place=first, likeness=1.0, score=2.0)
        return found

    def is_whole(self, wanted: str) -> bool:
        """Whether somebody names the course, and nothing that it teaches."""
        words = set(key_words(wanted))
        whole = set(key_words(self.title)) | set(key_words(self.course))
        named_exactly = any(set(key_words(place.name)) == words for place in self.places)
        return bool(words) and words <= whole and not named_exactly

    def named_alone(self, wanted: str) -> str:
        """What was asked for, without what the whole course is about before it: 'topics' of 'ROS 2 topics'."""
        words = wanted.split()
        if same_text(wanted) in self._said:
            return wanted
        for start in range(1, len(words)):
            rest = " ".join(words[start:])
            if same_text(rest) in self._said and all(map(self._is_everywhere, words[:start])):
                return rest
        return wanted

    @cached_property
    def _said(self) -> frozenset[str]:
        return frozenset(same_text(place.name) for place in self.places)

    def _is_everywhere(self, word: str) -> bool:
        told = [page.text for page in self.pages if page.chapter_id not in self.apart]
        return sum(word.lower() in text for text in told) > _EVERYWHERE * len(told)

    def topic_at(self, place: Place, *, name: str = "") -> Topic | None:
        """The parts of a place; a place with too little to read goes on with what comes next."""
        stretch = self._stretch(place)
        if not stretch:
            return None
        parts = self._cut(stretch)
        if place.kind == "term":
            parts = tuple(part for part in parts if place.name in part.names)[:1] or parts[:1]
        shown = place.name if place.name else self._titles[place.chapter_id]
        return Topic(name=shown or name, course=self.course, place=place, parts=parts)

    def lessons(self, chapter_id: str) -> tuple[tuple[tuple[str, ...], int], ...]:
        """The lessons of a page: what each teaches, and how many words it has to be read."""
        if chapter_id not in self._lessons:
            pieces = self._pieces(self._explained(chapter_id))
            parts = self._cut(pieces) if pieces else ()
            self._lessons[chapter_id] = tuple((part.names, part.words) for part in parts)
        return self._lessons[chapter_id]

    def taught_with(self, name: str) -> tuple[str, ...]:
        """What the lesson on a concept teaches, that concept included."""
        concept = self.by_key.get(term_key(name))
        lessons = self.lessons(concept.chapter_id) if concept else ()
        return next((names for names, _ in lessons if name in names), (name,))

    @cached_property
    def _lessons(self) -> dict[str, tuple[tuple[tuple[str, ...], int], ...]]:
        return {}

    def topic_named(self, name: str) -> Topic | None:
        """What has exactly this name: a thing that is taught before the section that is called so."""
        wanted = wanted_part(name)[0]
        exact = [place for place in self.places if same_text(place.name) == same_text(wanted)]
        first = min(exact, key=lambda place: place.kind != "term", default=None)
        return self.topic_at(first) if first else None

    def goes_on(self, answered: Iterable[str], *, mastered: Collection[str]) -> Topic | None:
        """The page where somebody stopped, who answered about these concepts, the newest first; else the first with anything left."""
        known = (concept for name in answered if (concept := self.by_key.get(term_key(name))))
        last = next((concept.chapter_id for concept in known), "")
        first = self._first_page
        begin = [page.chapter_id for page in self.documents].index(first.chapter_id) if first else 0
        pages = [page.chapter_id for page in self.documents[begin:] if page.chapter_id not in self.apart]
        for chapter_id in [*([last] if last else []), *pages]:
            title = Place(name=self._titles[chapter_id], kind="title", chapter_id=chapter_id)
            topic = self.topic_at(title)
            if topic and not set(topic.concepts) <= set(mastered):
                return topic
        return self.topic_at(first) if first else None

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """Everything that there is to learn: page by page, or by units where the pages are shorter than lessons."""
        found: list[Chapter] = []
        taken: set[str] = set(self.apart)
        unit_of = {page: unit for unit in reversed(self.units) for page in unit.chapter_ids}
        for document in self.documents:
            page, unit = document.chapter_id, unit_of.get(document.chapter_id)
            if page in taken:
                continue
            pages = [each for each, own in unit_of.items() if own is unit and each not in taken] or [page]
            together = self._chapter(unit.title, pages) if unit and not self._is_long(pages) else None
            if together is None or len(together.parts) > _PARTS_A_PAGE * len(pages):
                pages, together = [page], self._chapter(document.title, [page])
            taken.update(pages)
            found += [together] if together else []
        return tuple(found)

    def _is_long(self, pages: Sequence[str]) -> bool:
        """Whether these pages are too long for one chapter, however they are cut: no part has twice the words of a lesson."""
        words = sum(len(each.chunk_text.split()) for page in pages for each in self._explained(page))
        return words > 2 * MOST_WORDS * _PARTS_A_PAGE * len(pages)

    def _chapter(self, title: str, pages: Iterable[str]) -> Chapter | None:
        pieces = self._pieces(each for page in pages for each in self._explained(page))
        parts = self._cut(pieces) if pieces else ()
        return Chapter(title=title, parts=tuple(part.names for part in parts)) if parts else None

    def topic_names(self) -> list[str]:
        """Titles of the chapters that teach, in reading order: what the course covers."""
        taught = {concept.chapter_id for concept in self.concepts} - self.apart
        return [each.title for each in self.documents if each.chapter_id in taught] or [
            each.title for each in self.documents
        ]

    def counted_part(self, number: Sequence[int]) -> PageGroup | None:
        """Chapter 4, or section 3.2, as a reader counts: without what stands before the first chapter."""
        chapter, *below = number
        if not 1 <= chapter <= len(self.numbered):
            return None
        whole, *sections = self.numbered[chapter - 1]
        if not below:
            return whole
        return sections[below[0] - 1] if 1 <= below[0] <= len(sections) else None

    def title_in(self, message: str) -> str:
        """The longest title of several words that a message holds, with the part that it asks for."""
        topic, part = wanted_part(message)
        said = f" {same_text(topic)} "
        titles = (each.title for each in self.documents if len(each.title.split()) > 1)
        found = max((each for each in titles if f" {same_text(each)} " in said), key=len, default="")
        return f"{found}, part {part}" if found and part else found

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Everything that can be asked for by name."""
        units = [
            Place(name=unit.title, kind="unit", chapter_id=unit.chapter_ids[0])
            for unit in self.units
            if self._titles[unit.chapter_ids[0]] != unit.title
        ]
        titles = [
            Place(name=each.title, kind="title", chapter_id=each.chapter_id)
            for each in self.documents
            if each.chapter_id in self._by_chapter and each.chapter_id not in self.apart
        ]
        sections = dict.fromkeys(
            (passage.chapter_id, passage.heading_hierarchy)
            for passage in self.passages
            if passage.heading_hierarchy and self._is_taught(passage)
        )
        headings = [
            Place(name=heading_name(path[-1]), kind="heading", chapter_id=chapter, headings=path)
            for chapter, path in sections
            if path[-1] != self._titles.get(chapter)
        ]
        terms = [
            Place(
                name=each.name,
                kind="term",
                chapter_id=each.chapter_id,
                headings=self._sections[self._homes[each.name]],
            )
            for each in self.concepts
            if each.chunk_id in self._sections
        ]
        return (*units, *titles, *headings, *terms)

    @cached_property
    def pages(self) -> tuple[PageText, ...]:
        """The pages in their order, with all that they tell."""
        return tuple(
            PageText(
                chapter_id=each.chapter_id,
                title=heading_name(each.title),
                text="\n".join(passage.chunk_text for passage in self._taught(each.chapter_id)).lower(),
            )
            for each in self.documents
        )

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {each.chapter_id: each.title for each in self.documents}

    @cached_property
    def _sections(self) -> dict[str, tuple[str, ...]]:
        return {passage.chunk_id: passage.heading_hierarchy for passage in self.passages}

    @cached_property
    def _by_chapter(self) -> dict[str, list[Passage]]:
        found: dict[str, list[Passage]] = {}
        for passage in self.passages:
            found.setdefault(passage.chapter_id, []).append(passage)
        return found

    @cached_property
    def _concepts_by_chunk(self) -> dict[str, list[Concept]]:
        found: dict[str, list[Concept]] = {}
        for concept in self.concepts:
            found.setdefault(self._homes[concept.name], []).append(concept)
        return found

    @cached_property
    def _homes(self) -> dict[str, str]:
        """The chunk that teaches each concept: an entry of the glossary is taught where its page speaks of it."""
        repeated = {each.chunk_id for each in self.passages if _is_repeated(each)}
        homes: dict[str, str] = {}
        for concept in self.concepts:
            homes[concept.name] = concept.chunk_id
            if concept.chunk_id in repeated:
                name = concept.name.lower()
                told = (each for each in self._explained(concept.chapter_id) if each.chunk_id not in repeated)
                speaks = (each.chunk_id for each in told if name in each.chunk_text.lower())
                homes[concept.name] = next(speaks, concept.chunk_id)
        return homes

    @property
    def _first_page(self) -> Place | None:
        """Where the course begins to teach: behind title pages and prefaces."""
        for document in self.documents:
            words = sum(len(each.chunk_text.split()) for each in self._taught(document.chapter_id))
            if words >= _CONTENT and document.chapter_id not in self.apart:
                return Place(name=document.title, kind="title", chapter_id=document.chapter_id)
        return None

    def _is_taught(self, passage: Passage) -> bool:
        return teaches(passage.heading_hierarchy, chapter_id=passage.chapter_id)

    def _taught(self, chapter_id: str) -> list[Passage]:
        """The passages of a page that tell something; all of them where it only sets work."""
        every = self._by_chapter.get(chapter_id, [])
        return [passage for passage in every if self._is_taught(passage)] or every

    def _explained(self, chapter_id: str) -> list[Passage]:
        """Of what a page tells, what is told for the first time: its summary and its glossary repeat it."""
        every = self._taught(chapter_id)
        first = [each for each in every if not _is_repeated(each)]
        return first if sum(len(each.chunk_text.split()) for each in first) >= FEWEST_WORDS else every

    def aims(self, chapter_id: str) -> str:
        """What the author says that a reader of the page will be able to do; '' where nothing is said."""
        page = self._by_chapter.get(chapter_id, ())
        return "\n\n".join(each.chunk_text for each in page if any(map(is_aims, each.heading_hierarchy)))

    def recap(self, chapter_id: str) -> tuple[Passage, ...]:
        """What the author of a page sums up."""
        page = self._by_chapter.get(chapter_id, ())
        return tuple(each for each in page if tells_again(each.heading_hierarchy))

    def examples(self, chapter_id: str) -> tuple[Passage, ...]:
        """The examples that a page works through, each whole."""
        page = self._by_chapter.get(chapter_id, ())
        found: dict[tuple[str, ...], list[Passage]] = {}
        for each in page:
            if any(map(is_worked_example, each.heading_hierarchy[1:])):
                found.setdefault(each.heading_hierarchy, []).append(each)
        return tuple(
            replace(parts[0], chunk_text="\n\n".join(part.chunk_text for part in parts))
            for parts in found.values()
        )

    def _cut(self, pieces: Sequence[Piece]) -> tuple[Part, ...]:
        chapters = dict.fromkeys(piece.passage.chapter_id for piece in pieces)
        central = frozenset().union(*(self._promised.get(each, frozenset()) for each in chapters))
        return cut(without_announcements(pieces), central=central)

    @cached_property
    def _promised(self) -> dict[str, frozenset[TermKey]]:
        """The concepts that each page promises in its objectives, or sums up."""
        finder = TermFinder(self.by_key)
        said: dict[str, list[str]] = {}
        for each in self.passages:
            if tells_again(each.heading_hierarchy) or any(map(is_aims, each.heading_hierarchy)):
                said.setdefault(each.chapter_id, []).append(each.chunk_text)
        return {chapter: frozenset(finder.find("\n".join(texts))) for chapter, texts in said.items()}

    def _pieces(self, passages: Iterable[Passage]) -> list[Piece]:
        return pieces_of(list(passages), self._concepts_by_chunk)

    def _stretch(self, place: Place) -> list[Piece]:
        """What a topic is taught from, in the order of the course, and long enough for a lesson."""
        page = self._by_chapter.get(place.chapter_id, [])
        if place.headings:
            inside = [
                each for each in page if each.heading_hierarchy[: len(place.headings)] == place.headings
            ]
            found = self._pieces(inside)
            after = page[page.index(inside[-1]) + 1 :] if inside else page
            first_told = (each for each in after if self._is_taught(each) and not _is_repeated(each))
            found = _longer(found, self._pieces(first_told))
            if _words(found) < FEWEST_WORDS:
                found = self._followed(found, place.chapter_id)
            return found
        chapters = self._chapters(place)
        found = self._pieces(each for chapter in chapters for each in self._explained(chapter))
        return self._followed(found, chapters[-1]) if _words(found) < FEWEST_WORDS else found

    def _chapters(self, place: Place) -> list[str]:
        """A unit is all its pages; a page that only introduces a unit leads on to them."""
        if place.kind == "unit":
            named = (place.name, place.chapter_id)
            pages = next(
                (u.chapter_ids for u in self.units if (u.title, u.chapter_ids[0]) == named), named[1:]
            )
            return [each for each in pages if each not in self.apart] or list(pages)
        words = sum(len(each.chunk_text.split()) for each in self._taught(place.chapter_id))
        if words > _INTRODUCES:
            return [place.chapter_id]
        below = next((unit.chapter_ids for unit in self.units if unit.chapter_ids[0] == place.chapter_id), ())
        return [place.chapter_id, *(each for each in below[1:] if each not in self.apart)]

    def _followed(self, found: list[Piece], chapter_id: str) -> list[Piece]:
        """A short page goes on with the next ones of its unit."""
        order = [document.chapter_id for document in self.documents if document.chapter_id not in self.apart]
        if chapter_id not in order:
            return found
        here = order.index(chapter_id)
        for near in order[here + 1 : here + 4]:
            if _words(found) < FEWEST_WORDS and self._are_together(near, chapter_id):
                found = _longer(found, self._pieces(self._explained(near)))
        return found

    def _are_together(self, one: str, other: str) -> bool:
        if any(one in unit.chapter_ids and other in unit.chapter_ids for unit in self.units):
            return True
        return not self.units and one.rpartition("/")[0] == other.rpartition("/")[0]


def _is_repeated(passage: Passage) -> bool:
    return is_list_of_terms(passage.heading_hierarchy) or tells_again(passage.heading_hierarchy)


def _words(pieces: Iterable[Piece]) -> int:
    return sum(piece.words for piece in pieces)


def _longer(found: list[Piece], more: Sequence[Piece]) -> list[Piece]:
    """As many more blocks as a lesson needs; what belongs together comes together."""
    for group in groups(more):
        if _words(found) >= FEWEST_WORDS:
            break
        found = [*found, *group]
    return found


def _units(root: Unit) -> Iterator[PageGroup]:
    """The course's parts and the pages with others below them, the smallest first."""
    for unit in root.children:
        yield from _units(unit)
        pages = tuple(page.chapter_id for page in unit.pages() if page.chapter_id)
        if unit.kind != "section" and len(pages) > (unit.chapter_id is not None):
            yield PageGroup(title=unit.title, chapter_ids=pages)


def _numbered(root: Unit) -> Iterator[tuple[PageGroup, ...]]:
    """The chapters of the outline: of parts those below them, of pages only what teaches."""
    for unit in root.children:
        pages = [page for page in unit.pages() if page.kind == "content" and page.chapter_id]
        if unit.kind not in ("content", "part") or not pages or is_apart(unit.title):
            continue
        if unit.kind == "part" and any(list(each.pages())[1:] for each in unit.children):
            yield from _numbered(unit)
            continue
        below = [each for each in unit.children if each.kind == "content" and each.chapter_id]
        groups = [(unit.title, pages), *((each.title, list(each.pages())) for each in below)]
        yield tuple(
            PageGroup(title=title, chapter_ids=tuple(page.chapter_id for page in found if page.chapter_id))
            for title, found in groups
        )


async def find_topic(library: Library, syllabus: Syllabus, wanted: str) -> tuple[Match, Topic] | None:
    """Search the course for what a learner wants to be taught."""
    alone = syllabus.named_alone(wanted_part(wanted)[0])
    match = syllabus.match(alone, await hits_for(library, syllabus, alone))
    topic = syllabus.topic_at(match.place, name=wanted_part(wanted)[0]) if match else None
    if not match or not topic:
        return None
    return match, topic if match.is_exact else replace(topic, begin=topic.part_about(alone))


async def hits_for(library: Library, syllabus: Syllabus, wanted: str) -> list[RetrievalResult]:
    """What a search for the learner's words finds in a course."""
    words = wanted_part(wanted)[0].strip()
    scope = Scope(course=syllabus.course)
    return await library.retrieve(words, top_k=MOST_RESULTS, scope=scope) if words else []


async def load_syllabus(library: Library, course: str) -> Syllabus:
    """Read a course's topics from the database."""
    clock = await library.corpus.clock()
    outline = await library.outline(course)
    documents = tuple(await library.corpus.documents(course))
    concepts, relationships = await library.concept_graph(course)
    titles = {found.name: found.title for found in await library.courses()}
    return Syllabus(
        course=course,
        title=titles.get(course, course),
        revision=clock.revision,
        documents=documents,
        units=tuple(_units(outline)),
        numbered=tuple(_numbered(outline)),
        apart=frozenset(
            each.chapter_id for each in documents if each.kind != "content" or is_apart(each.title)
        ),
        concepts=tuple(concepts),
        relationships=tuple(relationships),
        passages=tuple(await library.corpus.passages(course)),
        quantitative=await library.corpus.items.concepts_of(course, kinds=QUANTITATIVE),
    )
