"""Which of the possible items a quiz asks, one after the other."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.state import Difficulty, QuizQuestion
from agents.teaching.evidence import CHOICES
from agents.teaching.questions.kinds import kind_of, preference
from agents.teaching.questions.linter import answers, is_duplicate, lint, lint_set

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
    """New questions about each concept in focus, two about what was missed; one that was asked before rather than none."""
    for name in wishes.focus:
        own = [each for each in found if each.item.concept_name == name]
        wanted = _TWICE if name in wishes.missed else 1
        before = len(chosen)
        for pool in _by_age(own, chosen, wishes):
            if len(chosen) == before:
                _choose(pool, chosen, min(count, before + wanted), wishes)
                wanted = 1


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
    candidate: Candidate, *, names: Collection[str] = (), earlier: Sequence[QuizQuestion] = ()
) -> bool:
    """Whether anything is wrong with a candidate, by its kind's own rules or by those for any question."""
    kind = kind_of(candidate.item)
    if kind and kind.lint and candidate.item.written_as:
        return not kind.lint(candidate.item) or any(is_duplicate(candidate.item, other) for other in earlier)
    found = lint(candidate.item, passage=candidate.passage, concept_names=names, earlier=earlier)
    # What our own questions are about, the lesson's own concepts, need not be named in them.
    return any(each.code != "off_concept" for each in found)
