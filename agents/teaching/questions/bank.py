"""Which of the questions that a course keeps a quiz asks: its author's first, then what else was found to be good."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.language.words import TermFinder, flat, term_key
from agents.teaching.evidence import CHOICES, QUANTITATIVE
from agents.teaching.questions.writing import MOST_PER_CONCEPT, is_duplicate
from agents.teaching.values import Difficulty, Item, PassageLike, QuizQuestion

_ORIGINS = ("author", "teacher", "model", "code")  # whose questions are asked rather
_MOST_OF_A_KIND = 3  # in how many questions one of a kind is enough, where there are others


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a quiz should be like."""

    count: int
    topic: Sequence[str] = ()  # the names of what it is about
    focus: Sequence[str] = ()  # concepts to ask about first
    missed: Sequence[str] = ()  # concepts that were answered wrong
    unproven: Sequence[str] = ()  # concepts that were answered by choices only
    difficulties: Sequence[Difficulty] = ("easy", "medium", "hard")  # in turn
    avoid: Sequence[str] = ()  # what was asked before, by id, the oldest first
    never: Collection[str] = ()  # what a teacher has taken out

    @property
    def asked(self) -> dict[str, int]:
        """How far back each question was asked, the oldest first."""
        return {question_id: place for place, question_id in enumerate(self.avoid, 1)}


Fill = Callable[[Sequence[QuizQuestion]], Sequence[QuizQuestion]]


def compose(
    bank: Sequence[Item], passages: Sequence[PassageLike], *, wanted: Wanted, fill: Fill
) -> list[QuizQuestion]:
    """A quiz: what the bank has for it, and where that is too little, what is written beside it.

    What was asked before waits until everything else was, whoever wrote it.
    """
    first = kept(bank, passages, wanted=wanted)
    if len(first) == wanted.count:
        return first
    quiz, asked = fill(first), wanted.asked
    fresh = [each for each in quiz if each.question_id not in asked]
    again = pick(here(bank, passages, wanted=wanted), wanted=wanted, taken=fresh)
    return list({each.question_id: each for each in (*again, *quiz)}.values())[: wanted.count]


def weighed(
    questions: Sequence[QuizQuestion],
    bank: Sequence[Item],
    passages: Sequence[PassageLike],
    *,
    wanted: Wanted,
) -> list[QuizQuestion]:
    """A quiz as it is asked: what is about words shows a part only, where the author asks for numbers too."""
    counted = _counted(each.question for each in here(bank, passages, wanted=wanted))
    return [
        each.model_copy(update={"shows_part": True})
        if each.concept_name in counted and each.kind not in QUANTITATIVE
        else each
        for each in questions
    ]


def _counted(questions: Iterable[QuizQuestion]) -> frozenset[str]:
    """The concepts about which there are questions for a number or a formula."""
    return frozenset(each.concept_name for each in questions if each.kind in QUANTITATIVE)


def kept(bank: Sequence[Item], passages: Sequence[PassageLike], *, wanted: Wanted) -> list[QuizQuestion]:
    """Of a quiz, what the bank has that was not asked yet."""
    asked = wanted.asked
    ready = here(bank, passages, wanted=wanted)
    first = pick([each for each in ready if each.question.question_id not in asked], wanted=wanted)
    if wanted.unproven and all(each.kind in CHOICES for each in first):
        return first[: wanted.count - 1]  # who has only picked answers so far is asked for one of their own
    return first


def here(bank: Sequence[Item], passages: Sequence[PassageLike], *, wanted: Wanted) -> list[Item]:
    """The items that can be asked after these passages, each about a concept of the topic.

    A passage may be shown in part; what the rest of it answers belongs to another lesson, unless its concept is taught
    in this one. Chapters may call different things alike: a concept of that name elsewhere is another one.
    """
    chapters = {passage.chapter_id for passage in passages}
    shown = {passage.chunk_id: flat(passage.chunk_text) for passage in passages}
    found: list[Item] = []
    for item in bank:
        question = item.question
        is_here = question.chunk_id in shown and flat(question.source_context) in shown[question.chunk_id]
        is_askable = not item.trouble and question.question_id not in wanted.never
        is_taught = question.concept_name in wanted.topic and item.chapter_id in chapters
        if is_askable and (is_here or is_taught):
            found.append(_booked(item, wanted.topic))
    return found


def _booked(item: Item, topic: Sequence[str]) -> Item:
    """A question of a section counts for what its lesson teaches: what it names, else what comes first there."""
    question = item.question
    if not topic or question.concept_name in topic:
        return item
    by_key = {key: name for name in topic if (key := term_key(name))}
    named = TermFinder(by_key).find(f"{question.question_text}\n{question.expected_answer}")
    concept = next((by_key[key] for key in named), topic[0])
    return replace(item, question=question.model_copy(update={"concept_name": concept}))


def pick(bank: Sequence[Item], *, wanted: Wanted, taken: Sequence[QuizQuestion] = ()) -> list[QuizQuestion]:
    """What was taken, and the best of a bank, in the bank's order, as far as the quiz has room.

    The parts of an exercise stay together. A concept whose author asks for numbers is asked for one.
    """
    picking = _Picking(wanted=wanted, asked=wanted.asked, taken=list(taken))
    exercises: dict[str, list[tuple[int, QuizQuestion]]] = {}
    for place, item in enumerate(bank):
        exercises.setdefault(item.exercise_id, []).append((place, item.question))
    left = list(exercises.values())
    counted = _counted(item.question for item in bank)
    while left and picking.has_room:
        best = min(left, key=lambda parts: picking.rank([each for _, each in parts], counted=counted))
        left.remove(best)
        picking.take(best)
    return [*taken, *(question for _, question in sorted(picking.picked, key=lambda each: each[0]))]


@dataclass(slots=True, kw_only=True)
class _Picking:
    """A quiz while it is picked."""

    wanted: Wanted
    asked: Mapping[str, int]
    taken: list[QuizQuestion]
    picked: list[tuple[int, QuizQuestion]] = field(default_factory=list)  # with their places in the bank

    @property
    def items(self) -> list[QuizQuestion]:
        return [*self.taken, *(question for _, question in self.picked)]

    @property
    def has_room(self) -> bool:
        return len(self.taken) + len(self.picked) < self.wanted.count

    def take(self, parts: Sequence[tuple[int, QuizQuestion]]) -> None:
        """As many parts of an exercise as there is room for, from the first on."""
        for place, question in parts:
            items = self.items
            about = sum(each.concept_name == question.concept_name for each in items)
            if not self.has_room or about >= MOST_PER_CONCEPT:
                return
            if not any(is_duplicate(question, each) for each in items):
                self.picked.append((place, question))

    def rank(self, parts: Sequence[QuizQuestion], *, counted: Collection[str]) -> tuple[int, ...]:
        """What was asked least lately, whose it is, what is in focus, numbers where they are due, concepts asked least, what cannot be guessed, and the rest."""
        wanted, items, first = self.wanted, self.items, parts[0]
        name = first.concept_name
        about = sum(each.concept_name == name for each in items)
        has_number = any(each.concept_name == name and each.kind in QUANTITATIVE for each in items)
        lacks_number = name in counted and not has_number
        kinds: Mapping[str, int] = Counter(each.kind for each in items)
        is_frequent = kinds[first.kind] * _MOST_OF_A_KIND >= max(_MOST_OF_A_KIND, len(items))
        difficulty = wanted.difficulties[len(items) % len(wanted.difficulties)]
        return (
            max(self.asked.get(each.question_id, 0) for each in parts),
            _ORIGINS.index(first.origin),
            int(bool(wanted.focus) and name not in wanted.focus),
            int(lacks_number and not any(each.kind in QUANTITATIVE for each in parts)),
            about - 2 if name in wanted.missed and about < 2 else about,
            int(first.kind in CHOICES and name in wanted.unproven),
            3 * (first.difficulty != difficulty) + 2 * is_frequent,
        )
