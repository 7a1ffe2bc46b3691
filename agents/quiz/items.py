"""Quiz items written from passages of the course: what is true in them, asked in several ways."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from random import Random

from agents.quiz.distractors import Distractors
from agents.quiz.item_casing import Casing, casing_of
from agents.quiz.item_choice import Candidate, Wishes, choose
from agents.quiz.item_contrasts import contrast_items
from agents.quiz.item_definitions import definition_items
from agents.quiz.item_details import detail_items
from agents.quiz.item_draft import Draft, Reading, finish, read_sentence
from agents.quiz.item_lists import list_items
from agents.quiz.item_plain import PLAIN, plain_items
from agents.quiz.item_properties import property_items
from agents.quiz.item_reasons import reason_items
from agents.quiz.item_tables import step_items, table_items
from agents.quiz.item_terms import TermBook
from agents.quiz.item_text import PassageLike, is_example, standalone_sentences
from agents.quiz.linter import answers, is_duplicate, lint
from agents.state import Difficulty, LearnerLevel, QuizQuestion
from agents.tutor.wording import flat
from storage.course import Concept

__all__ = ["Candidate", "candidates", "difficulties_for", "replace_rejected", "write_items"]

Writer = Callable[[Reading], Iterator[Draft]]

_WRITERS: tuple[Writer, ...] = (
    definition_items,
    reason_items,
    contrast_items,
    detail_items,
    property_items,
    table_items,
    list_items,
)
_MIX: dict[LearnerLevel, tuple[Difficulty, ...]] = {
    "unknown": ("easy", "medium", "hard"),
    "beginner": ("easy", "easy", "medium", "hard"),
    "intermediate": ("medium", "hard", "easy"),
    "advanced": ("hard", "medium", "hard"),
}
_FEWEST_ITEMS = 3  # from here on a quiz rather stays short than strays from its topic
_NUMBERING = re.compile(r"^[\dIVX]+(?:\.\d+)*[.:)]?\s+")


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
    told: str = "",
    seed: int = 0,
) -> list[QuizQuestion]:
    """Up to so many checked items; fewer rather than bad ones, and none again while others exist.

    With a topic, all are about its concepts: first about those in focus, also again, then about the others.
    What was missed before is asked about twice.
    `told` is all that the lesson said: what is in it is asked rather than what only the chapter says.
    """
    found = candidates(passages, concepts=concepts, told=told)
    sharp = [each for each in found if each.basis not in PLAIN]
    plain = [each for each in found if each.basis in PLAIN]
    random = Random(seed)
    random.shuffle(sharp)
    random.shuffle(plain)
    wishes = Wishes(
        difficulties=difficulties,
        focus=focus,
        missed=missed,
        avoid=avoid,
        names=frozenset(concept.name for concept in concepts),
    )
    chosen: list[Candidate] = []
    for wanted in (focus, topic) if topic else ():
        choose([each for each in (*sharp, *plain) if each.item.concept_name in wanted], chosen, count, wishes)
    for pool in (sharp, plain):
        choose(pool, chosen, min(count, _FEWEST_ITEMS) if topic else count, wishes)
    return [each.item for each in chosen]


def candidates(
    passages: Sequence[PassageLike], *, concepts: Sequence[Concept], told: str = ""
) -> list[Candidate]:
    """Every item that the passages allow, not yet checked."""
    book, distractors = _terms(tuple(concepts))
    casing = casing_of([each.chunk_text for each in passages], concepts=concepts)
    said = flat(told)
    readings = [_read(passage, book=book, distractors=distractors, casing=casing) for passage in passages]
    sharp = [(reading, draft) for reading in readings for draft in _drafts(reading)]
    taken = {draft.source for _, draft in sharp}
    plain = [(reading, draft) for reading in readings for draft in plain_items(reading, taken=taken)]
    found: dict[str, Candidate] = {}
    for reading, draft in [*sharp, *plain]:
        item = finish(draft, chunk_id=reading.passage.chunk_id)
        candidate = Candidate(
            item=item,
            basis=draft.basis,
            passage=reading.passage.chunk_text,
            is_told=not said or flat(draft.source) in said,
        )
        found.setdefault(item.question_id, candidate)
    return list(found.values())


@lru_cache(maxsize=16)
def _terms(concepts: tuple[Concept, ...]) -> tuple[TermBook, Distractors]:
    """Kept, because the quizzes of a chapter ask again and again which of its terms are alike."""
    book = TermBook(concepts)
    return book, Distractors(book)


def replace_rejected(
    items: Sequence[QuizQuestion],
    *,
    passages: Sequence[PassageLike],
    concepts: Sequence[Concept],
    avoid: Collection[str] = (),
    seed: int = 0,
) -> list[QuizQuestion]:
    """Keep a model's items that may be asked, and put our own in the place of the others."""
    texts = {passage.chunk_id: passage.chunk_text for passage in passages}
    names = frozenset(concept.name for concept in concepts)
    kept: list[QuizQuestion] = []
    for item in items:
        passage = texts.get(item.chunk_id, "\n\n".join(texts.values()))
        if not lint(item, passage=passage, concept_names=names, earlier=kept):
            kept.append(item)
    if len(kept) == len(items):
        return kept
    wanted = [item.concept_name for item in items if item not in kept]
    spare = write_items(
        passages, concepts=concepts, count=len(items) * 2, avoid=avoid, focus=wanted, seed=seed
    )
    for item in spare:
        if len(kept) >= len(items):
            break
        if not any(is_duplicate(item, other) or answers(item, other) for other in kept):
            kept.append(item)
    return kept


def _read(passage: PassageLike, *, book: TermBook, distractors: Distractors, casing: Casing) -> Reading:
    found = [] if is_example(passage) else standalone_sentences(passage.chunk_text)
    return Reading(
        passage=passage,
        sentences=[read_sentence(each, book=book, chapter_id=passage.chapter_id) for each in found],
        book=book,
        distractors=distractors,
        casing=casing,
        section=_section(passage, book),
    )


def _section(passage: PassageLike, book: TermBook) -> Concept | None:
    """The concept that a section is by its heading, the innermost first."""
    for heading in reversed(passage.heading_hierarchy):
        found = book.find(_NUMBERING.sub("", heading))
        if found and found.kind == "heading":
            return found
    return None


def _drafts(reading: Reading) -> Iterator[Draft]:
    if not is_example(reading.passage):
        for writer in _WRITERS:
            yield from writer(reading)
    yield from step_items(reading)
