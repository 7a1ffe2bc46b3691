"""Which section of the course answers a question, and which of its concepts the question is about.

A question inside a section belongs to it. One at the end of a page, or under a heading that only sets work, belongs to
the section of its page whose text answers it, and one on a page of nothing but questions to such a section of its unit.
Which text answers is found by words: BM25 of the question with its key and solution over the passages and over whole
sections. Which page it is, the choices say too, by half of their words: of 1,121 questions of a biology book, with only
their chapter known, .914 come to the right one of 4.6 pages (.891 without). Vectors add about .01, which is not worth
embedding every question.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import log
from types import MappingProxyType

from agents.language.blocks import split_blocks
from agents.language.headings import heading_name, is_about_the_book, is_list_of_terms, teaches, tells_again
from agents.language.words import STOP, TermFinder, content_set, stem, term_key
from agents.teaching.values import Concept, Item
from rag.concepts import CoursePassage
from rag.exercises.quiz_links import Place
from rag.tree import Unit
from storage.items import ItemChanges

_K, _B = 1.2, 0.75  # BM25's usual ones
_SECTION = 0.7  # how much the whole section counts beside the passage
_NEAR = 0.1  # what standing in its section counts, at the end of a page
_CHOICE = 0.5  # how much a word counts that only the choices have
_WORD = re.compile(r"[^\W_]+")
_DEFINED = 0.5  # what sharing all words with a concept's definition counts, beside being named


class _Words:
    """BM25 over a few texts."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._lengths = [len(text) for text in texts]
        self._mean = sum(self._lengths) / max(1, len(texts)) or 1.0
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, text in enumerate(texts):
            for word, times in Counter(text).items():
                self._postings.setdefault(word, []).append((number, times))

    def shares(self, query: Mapping[str, float]) -> list[float]:
        """The score of each text, every word with its weight, as a share of the best one's."""
        scores = [0.0] * len(self._lengths)
        for word, weight in query.items():
            postings = self._postings.get(word, ())
            rarity = log(1 + (len(scores) - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, times in postings:
                length = 1 - _B + _B * self._lengths[number] / self._mean
                scores[number] += weight * rarity * times * (_K + 1) / (times + _K * length)
        best = max(scores, default=0.0)
        return [score / best for score in scores] if best > 0 else scores


class _Stretch:
    """Some passages of a course in their order, to be searched."""

    def __init__(self, passages: Sequence[CoursePassage]) -> None:
        self._passages = passages
        stems = [_stems("\n".join([*each.headings, each.text])) for each in passages]
        sections: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for passage, words in zip(passages, stems, strict=True):
            sections.setdefault(passage.section, []).extend(words)
        self._sections = {section: number for number, section in enumerate(sections)}
        self._by_passage, self._by_section = _Words(stems), _Words(list(sections.values()))

    def best(self, item: Item, *, near: tuple[str, ...] = ()) -> CoursePassage | None:
        """The passage that answers a question, rather near where it stands; the last one where no word tells.

        A summary may show which page it is, but the passage is the one that tells it in full.
        """
        meant = dict.fromkeys(_stems(_meant(item)), 1.0)
        scored = self._scored(dict.fromkeys(_stems(said(item)), _CHOICE) | meant, near=near)
        if not scored:
            return None
        # Wrong choices are of the same page as the right one, but of its other sections.
        page = self._passages[max(scored)[1]].chapter_id
        here = [each for each in self._scored(meant, near=near) if self._passages[each[1]].chapter_id == page]
        first = [each for each in here if not _tells_again(self._passages[each[1]])]
        return self._passages[max(first or here)[1]]

    def _scored(self, words: Mapping[str, float], *, near: tuple[str, ...]) -> list[tuple[float, int]]:
        """How well each passage answers, with its number."""
        passages, sections = self._by_passage.shares(words), self._by_section.shares(words)
        return [
            (
                score
                + _SECTION * sections[self._sections[passage.section]]
                + _NEAR * (bool(near) and passage.headings[: len(near)] == near),
                number,
            )
            for number, (passage, score) in enumerate(zip(self._passages, passages, strict=True))
        ]


def _meant(item: Item) -> str:
    """What it asks, and what is right."""
    asked = item.question
    return "\n".join([asked.question_text, asked.expected_answer, asked.solution])


def _stems(text: str) -> list[str]:
    """The words of a text in any alphabet; English ones by their stems."""
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in STOP]


def said(item: Item) -> str:
    """All that is told of a question: what it asks, its choices, its key and its solution."""
    asked = item.question
    return "\n".join([asked.question_text, *asked.options, asked.expected_answer, asked.solution])


class Attacher:
    """A course as it is now, for its questions to find their places in."""

    def __init__(
        self,
        passages: Sequence[CoursePassage],
        *,
        concepts: Sequence[Concept],
        root: Unit,
        homes: Mapping[Place, str] = MappingProxyType({}),
    ) -> None:
        self._homes = homes
        own: dict[str, list[CoursePassage]] = {}
        for passage in passages:
            own.setdefault(passage.chapter_id, []).append(passage)
        telling = {chapter: told for chapter, page in own.items() if (told := _telling(page))}
        self._pages = telling or own  # a course of nothing but questions keeps them where they stand
        self._near = _nearest(root, self._pages)
        self._stretches: dict[tuple[tuple[str, ...], tuple[str, ...]], _Stretch] = {}
        self._by_chunk: dict[str, list[Concept]] = {}
        for concept in concepts:
            self._by_chunk.setdefault(concept.chunk_id, []).append(concept)

    def attached(self, item: Item) -> Item:
        """The question with the section that answers it, and what it is about."""
        passage = self._answering(item)
        if passage is None:
            question = item.question.model_copy(update={"concept_name": _by_heading(item.headings)})
            return replace(item, question=question)
        news = {
            "chunk_id": passage.chunk_id,
            "concept_name": self._about(item, passage),
            "source_context": _block(passage, said(item)),
        }
        return replace(item, question=item.question.model_copy(update=news))

    def _answering(self, item: Item) -> CoursePassage | None:
        home = self._homes.get((item.chapter_id, item.headings))
        if home in self._pages:
            return self._stretch((home,)).best(item)
        page = self._pages.get(item.chapter_id)
        if page is None:
            near = self._near.get(item.chapter_id) or tuple(self._pages)
            return self._stretch(near).best(item)
        told = [each for each in page if not _tells_again(each)] or page
        around = next(
            (
                item.headings[:depth]
                for depth in range(len(item.headings), 0, -1)
                if any(each.headings[:depth] == item.headings[:depth] for each in told)
            ),
            (),
        )
        # What stands at the end of a page may be about all of it, whatever the last heading is.
        if any(last.headings[: len(around)] == around for last in (page[-1], told[-1])):
            return self._stretch((item.chapter_id,)).best(item, near=around)
        return self._stretch((item.chapter_id,), around).best(item)

    def _stretch(self, chapters: tuple[str, ...], below: tuple[str, ...] = ()) -> _Stretch:
        key = (chapters, below)
        if key not in self._stretches:
            whole = [each for name in chapters for each in self._pages[name]]
            self._stretches[key] = _Stretch([each for each in whole if each.headings[: len(below)] == below])
        return self._stretches[key]

    def _about(self, item: Item, passage: CoursePassage) -> str:
        """The one of the section's concepts that the question names, or whose definition is likest to it."""
        section = [each for each in self._pages[passage.chapter_id] if each.section == passage.section]
        taught = [concept for each in section for concept in self._by_chunk.get(each.chunk_id, ())]
        if not taught:
            return _by_heading(passage.headings)
        asked = item.question
        named = Counter(TermFinder([term_key(each.name) for each in taught]).find(said(item)))
        key = TermFinder([term_key(each.name) for each in taught])
        named.update(
            key.find(f"{asked.question_text}\n{asked.expected_answer}")
        )  # more than its wrong choices
        words = content_set(said(item))

        def fit(concept: Concept) -> tuple[float, bool]:
            defined = content_set(concept.definition)
            shared = len(defined & words) / len(defined) if defined else 0.0
            is_here = concept.chunk_id == passage.chunk_id
            return named[term_key(concept.name)] + _DEFINED * shared, is_here

        return max(taught, key=fit).name


def item_changes(
    before: Sequence[Item],
    reread: Mapping[str, Sequence[Item]],
    *,
    gone: Collection[str],
    passages: Sequence[CoursePassage],
    concepts: Sequence[Concept],
    root: Unit,
    homes: Mapping[Place, str] = MappingProxyType({}),
) -> ItemChanges:
    """What changes among a course's questions, with these pages read anew and those gone.

    All find their places again, because a section or a concept may have come or gone; what stays as it is costs no
    write. What code or a model wrote from a passage goes with it.
    """
    chunks = {passage.chunk_id for passage in passages}
    now = {each.question.question_id: each for page in reread.values() for each in page}
    for item in before:
        question = item.question
        if question.origin == "author":
            stays = item.chapter_id not in reread and item.chapter_id not in gone
        else:
            stays = question.origin == "teacher" or question.chunk_id in chunks
        if stays:
            now.setdefault(question.question_id, item)
    attacher = Attacher(passages, concepts=concepts, root=root, homes=homes)
    # A teacher has said what their own question is about; it moves only where its section is gone.
    placed = [
        attacher.attached(each)
        if each.question.origin == "author" or each.question.chunk_id not in chunks
        else each
        for each in now.values()
    ]
    known = {each.question.question_id: each for each in before}
    return ItemChanges(
        kept=tuple(each for each in placed if known.get(each.question.question_id) != each),
        removed=tuple(question_id for question_id in known if question_id not in now),
    )


def _telling(page: Sequence[CoursePassage]) -> list[CoursePassage]:
    """The passages of a page that tell something; the words that open a page of questions do not."""
    return [each for each in page if teaches(each.headings, chapter_id=each.chapter_id)]


def _tells_again(passage: CoursePassage) -> bool:
    return tells_again(passage.headings) or is_list_of_terms(passage.headings)


def _nearest(root: Unit, pages: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """For each page that tells nothing itself, those of the smallest unit around it that do."""
    found: dict[str, tuple[str, ...]] = {}

    def walk(unit: Unit) -> tuple[list[str], list[str]]:
        telling: list[str] = []
        waiting: list[str] = []
        if unit.chapter_id and unit.kind != "section":
            (telling if unit.chapter_id in pages else waiting).append(unit.chapter_id)
        for child in unit.children:
            if child.kind != "section":
                more, left = walk(child)
                telling += more
                waiting += left
        if telling:
            found.update(dict.fromkeys(waiting, tuple(telling)))
            waiting = []
        return telling, waiting

    walk(root)
    return found


def _by_heading(headings: Sequence[str]) -> str:
    return next((name for each in reversed(headings) if (name := heading_name(each))), "")


def _block(passage: CoursePassage, text: str) -> str:
    """The paragraph of a passage that is likest to a question."""
    words = content_set(text)
    blocks = [
        block
        for kind, block in split_blocks(passage.text)
        if kind in ("paragraph", "list") and not is_about_the_book(block)
    ]
    return max(blocks, key=lambda block: len(content_set(block) & words), default=passage.text)
