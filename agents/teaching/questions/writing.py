"""Questions written from the passages that a lesson showed, and the few of them that a quiz asks."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from random import Random

from agents.state import Difficulty, LearnerLevel, QuizQuestion
from agents.teaching.evidence import CHOICES
from agents.teaching.questions.base import Draft, Reading, ReadSentence, finish, read_sentence
from agents.teaching.questions.casing import casing_of
from agents.teaching.questions.choice import Candidate, Wishes, choose, cover
from agents.teaching.questions.distractors import Distractors
from agents.teaching.questions.kinds import KINDS
from agents.teaching.questions.meanings import local_terms
from agents.teaching.questions.sentences import PassageLike, is_example, standalone_sentences, whole_thoughts
from agents.teaching.questions.terms import TermBook
from rag.headings import heading_name
from rag.terms import term_key
from storage.course import Concept

__all__ = [
    "FEWEST_QUESTIONS",
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
FEWEST_QUESTIONS = 2  # of a quiz; with fewer there is none


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
    focus: Sequence[str] = (),
    topic: Sequence[str] = (),
    missed: Sequence[str] = (),
    unproven: Sequence[str] = (),
    told: str = "",
    seed: int = 0,
) -> list[QuizQuestion]:
    """Up to so many checked questions; fewer rather than bad ones, and of a concept none again while others exist.

    With a topic, those about its concepts come first: each in focus, also again, then the others.
    What was missed before is asked about twice; what was answered by choices only (unproven) is asked about
    openly, if need be from memory. `told` is all that the lesson said: only that is asked about.
    """
    found = candidates(passages, concepts=concepts, told=told, topic=topic)
    found = [each for each in found if each.is_told] or found
    found = _of_topic(found, passages, concepts=concepts, topic=topic) if topic else found
    Random(seed).shuffle(found)
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
    for wanted in (focus, topic) if topic else ():
        choose([each for each in sharp if each.item.concept_name in wanted], chosen, count, wishes)
    choose(sharp, chosen, count, wishes)
    asked = {each.item.concept_name for each in chosen}
    unasked = [each for each in recall if each.item.concept_name in set(topic) - asked]
    choose(unasked, chosen, count, wishes)
    choose(recall, chosen, count, wishes)
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
    passages: Sequence[PassageLike], *, concepts: Sequence[Concept], told: str = "", topic: Sequence[str] = ()
) -> list[Candidate]:
    """Every question that the passages allow, not yet checked."""
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
            if credited.concept not in known:
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


def _credited(draft: Draft, known: Collection[str], about: Sequence[Concept]) -> Draft:
    """An answer about a term that is no concept of the course counts for what the passage teaches."""
    if draft.concept in known or not about:
        return draft
    return Draft(
        kind=draft.kind,
        difficulty=draft.difficulty,
        text=draft.text,
        answer=draft.answer,
        concept=about[0].name,
        source=draft.source,
        options=draft.options,
    )


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


def _drafts(reading: Reading) -> Iterator[tuple[str, Draft]]:
    for kind in KINDS:
        for draft in kind.write(reading):
            yield kind.name, draft


def _letters(text: str) -> str:
    """Only letters and digits, so that marks and markup do not hide what was said."""
    return re.sub(r"[\W_]+", "", re.sub(r"\[\d{1,3}\]", "", text)).lower()
