"""Questions written from the passages that a lesson showed, and the few of them that a quiz asks."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from agents.teaching.evidence import CHOICES
from agents.teaching.questions.base import DraftQuestion, Reading, ReadSentence, finish, read_sentence
from agents.teaching.questions.kinds import KINDS, kind_of, preference
from agents.teaching.questions.linter import answers, is_duplicate, is_said, lint, lint_set
from agents.teaching.questions.meaning import local_terms
from agents.teaching.questions.sentences import PassageLike, is_example, standalone_sentences, whole_thoughts
from agents.teaching.questions.terms import Distractors, TermBook, casing_of
from agents.teaching.values import Difficulty, LearnerLevel, QuizQuestion
from rag.headings import heading_name
from rag.terms import term_key
from storage.course import Concept

MOST_PER_CONCEPT = 3

_TWICE = 2  # questions about what was missed, before one about anything else
_UNTOLD = 2  # as bad as two other flaws: it is unfair to ask what the lesson did not say


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that could be asked, and what it rests on."""

    item: QuizQuestion
    passage: str
    is_told: bool = True  # the lesson said it; without a lesson everything is fair

    @property
    def is_last_resort(self) -> bool:
        kind = kind_of(self.item)
        return kind is not None and kind.is_last_resort


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a quiz should be like."""

    difficulties: Sequence[Difficulty]  # in turn
    focus: Sequence[str]  # concepts to ask about first
    missed: Sequence[str]  # concepts that were answered wrong
    unproven: Collection[str]  # concepts that were answered by choices only
    avoid: Collection[str]  # ids of questions that were asked before, the oldest first
    names: frozenset[str]  # of all concepts


def cover(found: Sequence[Candidate], chosen: list[Candidate], count: int, wishes: Wishes) -> None:
    """A new question about each concept in focus; one that was asked before rather than none."""
    for name in wishes.focus:
        own = [each for each in found if each.item.concept_name == name]
        before = len(chosen)
        for pool in _by_age(own, chosen, wishes):
            if len(chosen) == before:
                _choose(pool, chosen, min(count, before + 1), wishes)


def cover_again(found: Sequence[Candidate], chosen: list[Candidate], count: int, wishes: Wishes) -> None:
    """A second new question about what was missed."""
    for name in wishes.missed:
        own = [each for each in found if each.item.concept_name == name]
        if sum(each.item.concept_name == name for each in chosen) < _TWICE:
            new, _ = _by_age(own, chosen, wishes)
            _choose(new, chosen, min(count, len(chosen) + 1), wishes)


def choose(found: Sequence[Candidate], chosen: list[Candidate], count: int, wishes: Wishes) -> None:
    """Fill up to the count; what was asked before comes last, and of that what was asked longest ago comes first."""
    for pool in _by_age(found, chosen, wishes):
        _choose(pool, chosen, count, wishes)


def _by_age(
    found: Sequence[Candidate], chosen: Sequence[Candidate], wishes: Wishes
) -> tuple[list[Candidate], list[Candidate]]:
    """What is new, and what was asked before."""
    left = [each for each in found if each not in chosen]
    asked = frozenset(wishes.avoid)
    return (
        [each for each in left if each.item.question_id not in asked],
        [each for each in left if each.item.question_id in asked],
    )


def _choose(pool: Sequence[Candidate], chosen: list[Candidate], count: int, wishes: Wishes) -> None:
    """Take the best next item again and again; what fails the check gives way to another."""
    left = list(pool)
    order = {question_id: place for place, question_id in enumerate(wishes.avoid)}
    while left and len(chosen) < count:
        left.sort(key=_ranking(chosen, wishes, order=order))
        fitting = (number for number, each in enumerate(left) if _fits(each, chosen, names=wishes.names))
        place = next(fitting, None)
        if place is None:
            return
        chosen.append(left[place])
        # What did not fit beside fewer items does not fit beside more.
        left = left[place + 1 :]


def _ranking(
    chosen: Sequence[Candidate], wishes: Wishes, *, order: Mapping[str, int]
) -> Callable[[Candidate], tuple[int, ...]]:
    """Focus first, then concepts asked least, what cannot be guessed, what was not asked of late, and the rest."""
    concepts = Counter(each.item.concept_name for each in chosen)
    kinds = Counter(each.item.kind for each in chosen)
    ways = Counter(each.item.written_as for each in chosen)
    turns = wishes.difficulties or ("easy",)
    wanted = turns[len(chosen) % len(turns)]
    shown = [_letters(each.item.source_context) for each in chosen]

    def rank(candidate: Candidate) -> tuple[int, ...]:
        item = candidate.item
        asked = concepts[item.concept_name]
        is_due = item.concept_name in wishes.missed and asked < _TWICE
        flaws = (item.difficulty != wanted) + _UNTOLD * (not candidate.is_told)
        repeated = 2 * kinds[item.kind] + 2 * ways[item.written_as] + int(item.kind == "true_false")
        return (
            int(bool(wishes.focus) and item.concept_name not in wishes.focus),
            asked - _TWICE if is_due else asked,
            # Who has only picked answers so far is asked for one of their own.
            int(item.kind in CHOICES and item.concept_name in wishes.unproven),
            # What stood in the key of another question is no question any more.
            int(candidate.is_last_resort and any(_letters(item.source_context) in text for text in shown)),
            preference(item),
            # Half of all true/false questions are guessed: a concept's only question is another one.
            int(item.kind == "true_false" and not asked),
            order.get(item.question_id, 0),
            3 * flaws + repeated,
        )

    return rank


def _fits(candidate: Candidate, chosen: Sequence[Candidate], *, names: Collection[str]) -> bool:
    others = [each.item for each in chosen]
    same_concept = sum(each.concept_name == candidate.item.concept_name for each in others)
    if same_concept >= MOST_PER_CONCEPT or any(answers(candidate.item, other) for other in others):
        return False
    return not problems(candidate, names=names, earlier=others) and not lint_set([*others, candidate.item])


def problems(
    candidate: Candidate,
    *,
    names: Collection[str] = (),
    earlier: Sequence[QuizQuestion] = (),
    beside: str = "",
) -> bool:
    """Whether anything is wrong with a candidate, by its kind's own rules or by those for any question."""
    item, kind = candidate.item, kind_of(candidate.item)
    if kind and kind.lint and item.written_as:
        return (
            not kind.lint(item)
            or any(is_duplicate(item, other) for other in earlier)
            or is_said(item, beside)
        )
    found = lint(item, passage=candidate.passage, concept_names=names, earlier=earlier, beside=beside)
    # What our own questions are about, the lesson's own concepts, need not be named in them.
    return any(each.code != "off_concept" for each in found)


__all__ = [
    "FEWEST_QUESTIONS",
    "MOST_QUESTIONS",
    "Candidate",
    "candidates",
    "difficulties_for",
    "write_items",
]

_MIX: dict[LearnerLevel, tuple[Difficulty, ...]] = {
    "unknown": ("easy", "medium", "hard"),
    "beginner": ("easy", "easy", "medium", "hard"),
    "intermediate": ("medium", "hard", "easy"),
    "advanced": ("hard", "medium", "hard"),
}
MOST_QUESTIONS = 10
FEWEST_QUESTIONS = 3  # of a quiz; with fewer there is none


def difficulties_for(level: LearnerLevel) -> tuple[Difficulty, ...]:
    """The difficulties that a quiz goes through in turn."""
    return _MIX[level]


def write_items(
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    count: int,
    difficulties: Sequence[Difficulty] = ("easy", "medium", "hard"),
    avoid: Collection[str] = (),
    never: Collection[str] = (),
    focus: Sequence[str] = (),
    topic: Sequence[str] = (),
    missed: Sequence[str] = (),
    unproven: Sequence[str] = (),
    told: str = "",
    elsewhere: Sequence[str] = (),
    seed: int = 0,
) -> list[QuizQuestion]:
    """Up to so many checked questions; fewer rather than bad ones, and of a concept none again while others exist.

    With a topic, those about its concepts come first: each in focus, then a second one about what was missed before,
    then the others. What was answered by choices only (unproven) is asked about openly, if need be from memory.
    `told` is all that the lesson said: as far as it goes, only that is asked about. `elsewhere` names what other
    chapters teach: a passage may define it in passing, but its question counts for nothing here. What a teacher has
    taken out (`never`, by id) is not asked at all.
    """
    found = candidates(passages, concepts=concepts, told=told, topic=topic, elsewhere=elsewhere)
    found = [each for each in found if each.item.question_id not in never]
    found = _of_topic(found, passages, concepts=concepts, topic=topic) if topic else found
    Random(seed).shuffle(found)
    untold = [each for each in found if not each.is_told]
    found = [each for each in found if each.is_told] or found
    open_ones = {
        each.item.concept_name for each in found if not each.is_last_resort and each.item.kind not in CHOICES
    }
    needed = set(unproven) - open_ones
    sharp = [each for each in found if not each.is_last_resort or each.item.concept_name in needed]
    recall = sorted(
        (each for each in found if each.is_last_resort), key=lambda each: each.item.concept_name not in focus
    )
    wishes = Wishes(
        difficulties=difficulties,
        focus=focus,
        missed=missed,
        unproven=unproven,
        avoid=avoid,
        names=frozenset(concept.name for concept in concepts),
    )
    chosen: list[Candidate] = []
    if topic:
        cover(sharp, chosen, count, wishes)
        # Every concept is asked about, if need be from memory, before any of them is asked about again.
        asked = {each.item.concept_name for each in chosen}
        cover([each for each in recall if each.item.concept_name not in asked], chosen, count, wishes)
        cover_again(sharp, chosen, count, wishes)
    for wanted in (focus, topic) if topic else ():
        choose([each for each in sharp if each.item.concept_name in wanted], chosen, count, wishes)
    choose(sharp, chosen, count, wishes)
    choose(recall, chosen, count, wishes)
    # A second round that told two sentences is too little for a quiz: the rest of the topic's text fills it up.
    choose(untold, chosen, min(count, FEWEST_QUESTIONS), wishes)
    return [each.item for each in chosen]


def _of_topic(
    found: Sequence[Candidate],
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    topic: Collection[str],
) -> list[Candidate]:
    """Of what another chapter says, such as the glossary, only what is about the topic."""
    chapters = {concept.chapter_id for concept in concepts if concept.name in topic}
    near = {passage.chunk_id for passage in passages if passage.chapter_id in chapters}
    return [each for each in found if each.item.chunk_id in near or each.item.concept_name in topic] or [
        *found
    ]


def candidates(
    passages: Sequence[PassageLike],
    *,
    concepts: Sequence[Concept],
    told: str = "",
    topic: Sequence[str] = (),
    elsewhere: Sequence[str] = (),
) -> list[Candidate]:
    """Every question that the passages allow, not yet checked."""
    others = {term_key(name) for name in elsewhere}
    known = {concept.name for concept in concepts}
    book, distractors = _terms((*concepts, *_local(passages, concepts)))
    casing = casing_of([each.chunk_text for each in passages], concepts=concepts)
    said = _letters(told)
    lesson = "\n\n".join(passage.chunk_text for passage in passages)
    found: dict[str, Candidate] = {}
    for passage in passages:
        about = _about(passage, concepts, topic)
        reading = Reading(
            passage=passage,
            sentences=_sentences(passage, book),
            thoughts=[] if is_example(passage) else whole_thoughts(passage.chunk_text),
            book=book,
            distractors=distractors,
            casing=casing,
            lesson=lesson,
            about=about,
        )
        for name, draft in _drafts(reading):
            credited = _credited(draft, known, about)
            if credited.concept not in known or term_key(draft.concept) in others:
                continue
            item = finish(credited, kind=name, chunk_id=passage.chunk_id)
            candidate = Candidate(
                item=item,
                passage=passage.chunk_text,
                is_told=not said or all(_letters(text) in said for text in item.source_context.split("\n\n")),
            )
            found.setdefault(item.question_id, candidate)
    return list(found.values())


def _local(passages: Sequence[PassageLike], concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    taken = {term_key(concept.name) for concept in concepts}
    found = {term_key(each.name): each for passage in passages for each in local_terms(passage)}
    return tuple(each for key, each in found.items() if key not in taken)


def _credited(draft: DraftQuestion, known: Collection[str], about: Sequence[Concept]) -> DraftQuestion:
    """An answer about a term that is no concept of the course counts for what the passage teaches."""
    if draft.concept in known or not about:
        return draft
    return replace(draft, concept=about[0].name)


def _about(passage: PassageLike, concepts: Sequence[Concept], topic: Sequence[str]) -> list[Concept]:
    """The concepts that a passage teaches: of the topic, where there is one."""
    pool = [concept for concept in concepts if not topic or concept.name in topic]
    own = [concept for concept in pool if concept.chunk_id == passage.chunk_id]
    text = passage.chunk_text
    named = [concept for concept in pool if concept not in own and _names(text, concept)]
    headings = {heading_name(heading).lower() for heading in passage.heading_hierarchy}
    headed = [concept for concept in pool if concept.name.lower() in headings]
    return list(dict.fromkeys([*own, *headed, *named])) or (pool if topic else [])


def _names(text: str, concept: Concept) -> bool:
    if concept.name.lower() not in text.lower():
        return False
    name = re.escape(concept.name)
    return bool(re.search(rf"(?<!\w){name}(?:e?s)?(?!\w)", text, re.IGNORECASE))


@lru_cache(maxsize=16)
def _terms(concepts: tuple[Concept, ...]) -> tuple[TermBook, Distractors]:
    """Kept, because the quizzes of a chapter ask again and again which of its terms are alike."""
    book = TermBook(concepts)
    return book, Distractors(book)


def _sentences(passage: PassageLike, book: TermBook) -> list[ReadSentence]:
    found = [] if is_example(passage) else standalone_sentences(passage.chunk_text)
    return [read_sentence(each, book=book, chapter_id=passage.chapter_id) for each in found]


def _drafts(reading: Reading) -> Iterator[tuple[str, DraftQuestion]]:
    for kind in KINDS:
        for draft in kind.write(reading):
            yield kind.name, draft


@lru_cache(maxsize=4096)
def _letters(text: str) -> str:
    """Only letters and digits, so that marks and markup do not hide what was said."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d{1,3}\]", "", text)).lower()
