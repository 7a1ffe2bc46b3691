"""Quiz items written from passages of the course: what is true in them, asked in several ways."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from agents.quiz.distractors import Distractors
from agents.quiz.item_casing import Casing, casing_of
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
from agents.quiz.linter import answers, is_duplicate, lint, lint_set
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
MOST_PER_CONCEPT = 3
_FEWEST_ITEMS = 3  # from here on a quiz rather stays short than strays from its topic
# What is said of one term may hold for another: asked only when nothing surer fits as well.
_LESS_SURE = frozenset({"property", "gap"})
_NUMBERING = re.compile(r"^[\dIVX]+(?:\.\d+)*[.:)]?\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that could be asked, and what it rests on."""

    item: QuizQuestion
    basis: str
    passage: str
    is_told: bool = True  # the lesson said it; without a lesson everything is fair


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
    told: str = "",
    seed: int = 0,
) -> list[QuizQuestion]:
    """Up to so many checked items; fewer rather than bad ones, and none again while others exist.

    With a topic, all are about its concepts: first about those in focus, also again, then about the others.
    `told` is all that the lesson said: what is in it is asked rather than what only the chapter says.
    """
    names = frozenset(concept.name for concept in concepts)
    found = candidates(passages, concepts=concepts, told=told)
    sharp = [each for each in found if each.basis not in PLAIN]
    plain = [each for each in found if each.basis in PLAIN]
    random = Random(seed)
    random.shuffle(sharp)
    random.shuffle(plain)
    chosen: list[Candidate] = []
    for wanted in (focus, topic) if topic else ():
        about = [each for each in (*sharp, *plain) if each.item.concept_name in wanted]
        _choose_fresh_first(about, chosen, count=count, avoid=avoid, difficulties=difficulties, names=names)
    most = min(count, _FEWEST_ITEMS) if topic else count
    for pool in (sharp, plain):
        _choose_fresh_first(
            pool, chosen, count=most, avoid=avoid, difficulties=difficulties, names=names, focus=focus
        )
    return [each.item for each in chosen]


def candidates(
    passages: Sequence[PassageLike], *, concepts: Sequence[Concept], told: str = ""
) -> list[Candidate]:
    """Every item that the passages allow, not yet checked."""
    book = TermBook(concepts)
    distractors = Distractors(book)
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


def _choose_fresh_first(
    found: Sequence[Candidate],
    chosen: list[Candidate],
    *,
    count: int,
    avoid: Collection[str],
    difficulties: Sequence[Difficulty],
    names: Collection[str],
    focus: Sequence[str] = (),
) -> None:
    """What was asked before comes last, and of that what was asked longest ago comes first."""
    order = {question_id: place for place, question_id in enumerate(avoid)}
    fresh = [each for each in found if each.item.question_id not in order]
    again = [each for each in found if each.item.question_id in order and each not in chosen]
    for pool in (fresh, again):
        _choose(pool, chosen, count=count, difficulties=difficulties, focus=focus, names=names, order=order)


def _choose(
    pool: Sequence[Candidate],
    chosen: list[Candidate],
    *,
    count: int,
    difficulties: Sequence[Difficulty],
    focus: Sequence[str],
    names: Collection[str],
    order: Mapping[str, int],
) -> None:
    """Take the best next item again and again; what fails the check gives way to another."""
    left = list(pool)
    while left and len(chosen) < count:
        wanted = difficulties[len(chosen) % len(difficulties)] if difficulties else "easy"
        rank = _ranking(chosen, wanted=wanted, focus=focus, order=order)
        left.sort(key=rank)
        place = next((number for number, each in enumerate(left) if _fits(each, chosen, names=names)), None)
        if place is None:
            return
        chosen.append(left[place])
        # What did not fit beside fewer items does not fit beside more.
        left = left[place + 1 :]


def _ranking(
    chosen: Sequence[Candidate], *, wanted: Difficulty, focus: Sequence[str], order: Mapping[str, int]
) -> Callable[[Candidate], tuple[int, ...]]:
    """Focus first, then concepts asked least, what cannot be guessed, what was not asked of late, and the rest."""
    concepts = Counter(each.item.concept_name for each in chosen)
    kinds = Counter(each.item.kind for each in chosen)
    bases = Counter(each.basis for each in chosen)

    def rank(candidate: Candidate) -> tuple[int, ...]:
        item = candidate.item
        asked = concepts[item.concept_name]
        missed = (item.difficulty != wanted) + (candidate.basis in _LESS_SURE) + 2 * (not candidate.is_told)
        repeated = 2 * kinds[item.kind] + bases[candidate.basis] + int(item.kind == "true_false")
        return (
            int(bool(focus) and item.concept_name not in focus),
            asked,
            int(candidate.basis in PLAIN),
            # Half of all true/false questions are guessed: a concept's only question is another one.
            int(item.kind == "true_false" and not asked),
            order.get(item.question_id, 0),
            3 * missed + repeated,
        )

    return rank


def _fits(candidate: Candidate, chosen: Sequence[Candidate], *, names: Collection[str]) -> bool:
    others = [each.item for each in chosen]
    same_concept = sum(each.concept_name == candidate.item.concept_name for each in others)
    if same_concept >= MOST_PER_CONCEPT or any(answers(candidate.item, other) for other in others):
        return False
    if lint(candidate.item, passage=candidate.passage, concept_names=names, earlier=others):
        return False
    return not lint_set([*others, candidate.item])
