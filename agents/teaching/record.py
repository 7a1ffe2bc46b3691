"""What is kept of a learner's answers beside the ledger, so that nothing has to be replayed: by concept, and by course.

It is derived: a replay of the ledger makes the same (`ConceptRecord.of`), which `tutor doctor --replay` checks. What was
forecast of an answer is not: it is a fact of the day on which the answer came, and stands in the ledger with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Self

from fsrs import Card

from agents.teaching.evidence import (
    BEFORE_LESSONS,
    CHOICES,
    REPEAT_WITHIN,
    Evidence,
    LedgerRow,
    counted,
    evidence_of,
    was_shown,
    with_grades,
)
from agents.teaching.mastery import THRESHOLD, CourseStanding, Parameters
from agents.teaching.reviews import reviewed
from agents.teaching.running import NO_ANSWERS, ConceptState, from_json, to_json
from agents.teaching.thresholds import is_enough


@dataclass(frozen=True, kw_only=True)
class ConceptRecord:
    """One concept of one learner, up to the last answer."""

    state: ConceptState = NO_ANSWERS
    review: Mapping[str, Any] | None = None  # the card, as JSON
    was_missed: bool = False
    was_open: bool = False  # asked about in another way than by a choice
    was_taught: bool = False  # answered after an explanation, too
    seen: datetime | None = None  # the last answer, also where it counts for nothing
    shown: Mapping[str, datetime] = field(default_factory=dict)  # questions whose key was, on the last day

    @classmethod
    def of(cls, rows: Iterable[LedgerRow]) -> Self:
        """The replay: all rows of the concept, amendments too."""
        rows = list(rows)
        record = cls()
        for answer, evidence in sorted(counted(rows), key=lambda each: each[1].answered_at):
            record = record.counting(answer, evidence)
        answers = [answer for answer, _ in with_grades(rows)]
        shown = {each.question_id: each.answered_at for each in answers if each.cycle_number > BEFORE_LESSONS}
        seen = max((answer.answered_at for answer in answers), default=None)
        return replace(record, seen=seen, shown=_of_the_last_day(shown, seen=seen))

    def follows(self, answer: LedgerRow) -> bool:
        """Whether it is not older than the answers in here."""
        return self.seen is None or answer.answered_at >= self.seen

    def plus(self, answer: LedgerRow) -> Self:
        """With one more answer, as it was graded first."""
        is_repeat = was_shown(answer, self.shown.get(answer.question_id))
        after = self.counting(answer, evidence_of(answer, answer, is_repeat=is_repeat))
        shown = dict(self.shown)
        if answer.cycle_number > BEFORE_LESSONS:
            shown[answer.question_id] = answer.answered_at
        seen = answer.answered_at
        return replace(after, seen=seen, shown=_of_the_last_day(shown, seen=seen))

    @property
    def is_known_from_the_start(self) -> bool:
        """Whether every answer was right, and came before anything was explained."""
        return bool(self.state.answers) and not (self.was_missed or self.was_taught)

    @cached_property
    def review_due_at(self) -> datetime | None:
        return Card.from_dict(self.review).due if self.review else None  # type: ignore[arg-type]

    def counting(self, answer: LedgerRow, evidence: Evidence) -> Self:
        """With one more answer as it stands now, whenever it was looked at again."""
        card = reviewed(Card.from_dict(self.review) if self.review else None, evidence)  # type: ignore[arg-type]
        return replace(
            self,
            state=self.state.plus(evidence),
            review=dict(card.to_dict()),
            was_missed=self.was_missed or not answer.is_correct,
            was_open=self.was_open or answer.kind not in CHOICES,
            was_taught=self.was_taught or answer.cycle_number > BEFORE_LESSONS,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **to_json(self.state),
            "review": self.review,
            "flags": [self.was_missed, self.was_open, self.was_taught],
            "seen": self.seen.isoformat() if self.seen else None,
            "shown": {question: moment.isoformat() for question, moment in self.shown.items()},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        was_missed, was_open, was_taught = stored["flags"]
        return cls(
            state=from_json(stored),
            review=stored["review"],
            was_missed=was_missed,
            was_open=was_open,
            was_taught=was_taught,
            seen=datetime.fromisoformat(stored["seen"]) if stored["seen"] else None,
            shown={question: datetime.fromisoformat(moment) for question, moment in stored["shown"].items()},
        )


def replayed(rows: Iterable[LedgerRow]) -> dict[str, ConceptRecord]:
    """The replay of one learner's rows of one course, by concept."""
    by_concept: dict[str, list[LedgerRow]] = {}
    for row in rows:
        by_concept.setdefault(row.concept_name, []).append(row)
    return {name: ConceptRecord.of(own) for name, own in by_concept.items()}


_TENTHS = 10
MILLION = 1_000_000
_MOST_POINTS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """The forecasts of one tenth: how many, and the sums of what was said and of what came."""

    count: int = 0
    said: int = 0  # in millionths, so that what is taken off again leaves nothing
    came: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFigures:
    """What the progress page tells of a course."""

    forecasts: tuple[Tenth, ...] = (Tenth(),) * _TENTHS
    # How many concepts were mastered when: as it was told then, thinned where it grows long.
    mastered: tuple[tuple[datetime, int], ...] = ()

    def counting(self, row: LedgerRow, *, times: int = 1) -> Self:
        """With an answer's forecast, or without it again; without one, or void, it counts for nothing."""
        if row.forecast is None or row.action == "void":
            return self
        place = min(int(row.forecast * _TENTHS), _TENTHS - 1)
        tenth = self.forecasts[place]
        after = Tenth(
            count=tenth.count + times,
            said=tenth.said + times * round(row.forecast * MILLION),
            came=tenth.came + times * row.is_correct,
        )
        return replace(self, forecasts=(*self.forecasts[:place], after, *self.forecasts[place + 1 :]))

    def noting(self, mastered: int, *, now: datetime) -> Self:
        """With how many concepts are mastered now, where that is another number than before."""
        if self.mastered and self.mastered[-1][1] == mastered:
            return self
        points = (*self.mastered, (now, mastered))
        if len(points) > _MOST_POINTS:
            points = (*points[:-1:2], points[-1])
        return replace(self, mastered=points)

    @classmethod
    def of(cls, rows: Iterable[LedgerRow]) -> Self:
        """The forecasts by a replay; when what was mastered is not in the ledger."""
        figures = cls()
        for _, graded in with_grades(rows):
            figures = figures.counting(graded)
        return figures

    def to_json(self) -> dict[str, Any]:
        return {
            "forecasts": [[each.count, each.said, each.came] for each in self.forecasts],
            "mastered": [[moment.isoformat(), count] for moment, count in self.mastered],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            forecasts=tuple(
                Tenth(count=count, said=said, came=came) for count, said, came in stored["forecasts"]
            ),
            mastered=tuple((datetime.fromisoformat(moment), count) for moment, count in stored["mastered"]),
        )


def forecast_of(
    concept_name: str,
    states: Mapping[str, ConceptState],
    *,
    now: datetime,
    parameters: Parameters | None = None,
) -> float | None:
    """The chance that the next answer on a concept is right; None before its first, of which nothing was said."""
    if not states.get(concept_name, NO_ANSWERS).answers:
        return None
    return round(CourseStanding(states, now=now, parameters=parameters).concept(concept_name).score, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What would have been told to who learnt before anybody noted it, by the answers as they now stand."""

    forecasts: Mapping[int, float]  # of each answer, by its number
    mastered: tuple[tuple[datetime, int], ...]  # by the usual goal, at some moments


_MOMENTS = 12


def past_of(rows: Sequence[LedgerRow], *, parameters: Parameters | None = None) -> Past:
    """One walk through all rows of a learner in a course."""
    ordered = sorted(counted(rows), key=lambda each: each[1].answered_at)
    if not ordered:
        return Past(forecasts={}, mastered=())
    first, last = ordered[0][1].answered_at, ordered[-1][1].answered_at
    ahead = [first + (last - first) * number / _MOMENTS for number in range(1, _MOMENTS)]
    states: dict[str, ConceptState] = {}
    forecasts: dict[int, float] = {}
    points = [(first, 0)]
    for answer, evidence in ordered:
        name, now = answer.concept_name, evidence.answered_at
        while ahead and ahead[0] < now:
            points.append((ahead[0], _mastered(states, now=ahead.pop(0), parameters=parameters)))
        said = forecast_of(name, states, now=now, parameters=parameters)
        if said is not None:
            forecasts[answer.id] = said
        states[name] = states.get(name, NO_ANSWERS).plus(evidence)
    points.append((last, _mastered(states, now=last, parameters=parameters)))
    return Past(forecasts=forecasts, mastered=tuple(points))


def _mastered(states: Mapping[str, ConceptState], *, now: datetime, parameters: Parameters | None) -> int:
    concepts = CourseStanding(states, now=now, parameters=parameters).concepts()
    return sum(is_enough(each.score, threshold=THRESHOLD) for each in concepts.values())


def _of_the_last_day(shown: Mapping[str, datetime], *, seen: datetime | None) -> dict[str, datetime]:
    """A question that was shown before that is none that was seen already, whenever it comes again."""
    recent = {name: moment for name, moment in shown.items() if seen and seen - moment < REPEAT_WITHIN}
    return dict(sorted(recent.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRecord:
    """What is kept of one learner in one course."""

    concepts: Mapping[str, ConceptRecord] = field(default_factory=dict)
    figures: CourseFigures = CourseFigures()
