"""When the steps of a plan are done: how long each takes this learner, and the days up to a date.

Nothing here is a promise kept elsewhere: a schedule is made anew from what is left, and compared with the one before it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from statistics import median
from typing import Any, Self

USUAL_MINUTES = 30  # a day, where nobody said how many
FEWEST_MINUTES, MOST_MINUTES = 10, 120  # a day, that a plan asks of somebody by itself
REVIEW_MINUTES = 3.0
_WORDS = 250  # of a part, between the fewest and the most that a lesson has
_LONG = 3  # times the usual: from here on somebody was away from the screen
_FAR = 3650  # days that a plan looks ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRound:
    """One finished round of a lesson: how long it took in all, of that for answers, and how many there were."""

    topic: str
    seconds: float
    answering: float
    answers: int
    is_first: bool  # of its part


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast somebody learns: what was measured of them, as far as there is enough of it, else what is usual."""

    reading: float = 110.0  # seconds a round, for a part of the usual length
    answering: float = 35.0  # seconds an answer
    answers: float = 4.5  # a round
    rounds: float = 2.8  # a part, until it is mastered or left: as in `python -m evals learners`
    measured: int = 0  # rounds

    @classmethod
    def of(cls, rounds: Sequence[TimedRound]) -> Self:
        """The pace of somebody with these rounds; what was much too long was no learning."""
        usual = cls()
        if not rounds:
            return usual
        an_answer = _plain([each.answering / each.answers for each in rounds if each.answers])
        reading = _plain([max(0.0, each.seconds - each.answering) for each in rounds])
        parts = sum(each.is_first for each in rounds)
        return cls(
            reading=_weighed(reading, usual.reading),
            answering=_weighed(an_answer, usual.answering),
            answers=_weighed([float(each.answers) for each in rounds], usual.answers),
            rounds=(len(rounds) + _USUAL_COUNTS * usual.rounds) / (parts + _USUAL_COUNTS),
            measured=len(rounds),
        )

    def minutes(self, words: int) -> float:
        """How long a part of so many words takes until it is mastered."""
        a_round = self.reading * max(0.4, words / _WORDS) + self.answers * self.answering
        return self.rounds * a_round / 60


_USUAL_COUNTS = 2.0  # rounds, so much is known of anybody before the first


def _weighed(measured: Sequence[float], usual: float) -> float:
    return (sum(measured) + _USUAL_COUNTS * usual) / (len(measured) + _USUAL_COUNTS)


def _plain(seconds: Sequence[float]) -> list[float]:
    """Without what was so long that somebody must have been away."""
    most = _LONG * median(seconds) if seconds else 0.0
    return [each for each in seconds if each <= most]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSection:
    """A stretch of the course that is still to be learnt, and how long it takes."""

    title: str
    chapter_id: str
    concepts: tuple[str, ...]
    minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Something mastered that is to be refreshed on a day."""

    concept: str
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A section, and the day on which it is done."""

    section: PlannedSection
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A section that was to be done by now and is not, and its new day."""

    title: str
    was: date
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The days of a plan."""

    stops: tuple[Stop, ...] = ()
    reviews: tuple[Review, ...] = ()  # on the way, no earlier than today
    moved: tuple[Moved, ...] = ()
    by: date | None = None  # when it was to be done
    minutes_a_day: int = USUAL_MINUTES  # by which the days were reckoned
    needed_a_day: int = 0  # minutes, for the date to hold
    is_chosen: bool = False  # the learner said how many minutes a day
    today: date = date.min

    @property
    def minutes(self) -> float:
        """All that is left to learn, without the reviews."""
        return sum(stop.section.minutes for stop in self.stops)

    @property
    def ends(self) -> date:
        return self.stops[-1].on if self.stops else self.today

    @property
    def is_past(self) -> bool:
        """Whether the date was over before the plan was."""
        return self.by is not None and self.by < self.today and bool(self.stops)

    @property
    def fits(self) -> bool:
        """Whether all of it is done by the date; without one it always is."""
        return self.by is None or not self.stops or self.ends <= self.by

    @property
    def in_time(self) -> tuple[Stop, ...]:
        """What is done by the date."""
        return tuple(stop for stop in self.stops if self.by is None or stop.on <= self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a learner was told last: the date of their goal, their minutes a day, and each section's day."""

    by: date | None = None
    minutes_a_day: int | None = None
    days: tuple[tuple[str, tuple[str, ...], date], ...] = ()  # chapter, its concepts, the day

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by.isoformat() if self.by else None,
            "minutes_a_day": self.minutes_a_day,
            "days": [[chapter, list(concepts), day.isoformat()] for chapter, concepts, day in self.days],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            by=date.fromisoformat(stored["by"]) if stored["by"] else None,
            minutes_a_day=stored["minutes_a_day"],
            days=tuple(
                (chapter, tuple(concepts), date.fromisoformat(day))
                for chapter, concepts, day in stored["days"]
            ),
        )

    @classmethod
    def made(cls, schedule: Schedule, *, minutes_a_day: int | None) -> Self:
        return cls(
            by=schedule.by,
            minutes_a_day=minutes_a_day,
            days=tuple((stop.section.chapter_id, stop.section.concepts, stop.on) for stop in schedule.stops),
        )


NO_PROMISE = Promise()


def schedule(
    sections: Sequence[PlannedSection],
    *,
    today: date,
    by: date | None = None,
    minutes_a_day: int | None = None,
    reviews: Sequence[Review] = (),
    before: Promise = NO_PROMISE,
) -> Schedule:
    """The day of each section in its order: at the pace that was chosen, else evenly up to the date.

    Reviews come first on their day. What does not fit goes on behind the date, and `fits` says so.
    """
    due = [Review(concept=each.concept, on=max(each.on, today)) for each in reviews]
    needed = _needed(sections, due, today=today, by=by)
    if minutes_a_day is None:
        wanted = needed if by is not None and by >= today else USUAL_MINUTES
        a_day = min(max(wanted, FEWEST_MINUTES), MOST_MINUTES)
    else:
        a_day = max(1, minutes_a_day)
    ends = _days(sections, due, today=today, a_day=a_day)
    stops = tuple(Stop(section=section, on=on) for section, on in zip(sections, ends, strict=True))
    last = max([by or today, *ends])
    return Schedule(
        stops=stops,
        reviews=tuple(sorted((each for each in due if each.on <= last), key=lambda each: each.on)),
        moved=_moved(stops, before, today=today),
        by=by,
        minutes_a_day=a_day,
        needed_a_day=needed,
        is_chosen=minutes_a_day is not None,
        today=today,
    )


def _days(
    sections: Sequence[PlannedSection], reviews: Sequence[Review], *, today: date, a_day: int
) -> list[date]:
    """The day on which each section ends, where every day has room for so many minutes."""
    busy: dict[date, float] = {}
    for each in reviews:
        busy[each.on] = busy.get(each.on, 0.0) + REVIEW_MINUTES
    day, room = today, max(0.0, a_day - busy.get(today, 0.0))
    ends = []
    for section in sections:
        left = section.minutes
        while left > room + 1e-6 and (day - today).days < _FAR:
            left -= room
            day += timedelta(days=1)
            room = max(0.0, a_day - busy.get(day, 0.0))
        room -= left
        ends.append(day)
    return ends


def _needed(
    sections: Sequence[PlannedSection], reviews: Sequence[Review], *, today: date, by: date | None
) -> int:
    """The fewest minutes a day with which all is done by the date; without one, or after it, none."""
    if by is None or by < today or not sections:
        return 0

    def is_enough(a_day: int) -> bool:
        return _days(sections, reviews, today=today, a_day=a_day)[-1] <= by

    most = ceil(sum(each.minutes for each in sections) + REVIEW_MINUTES * len(reviews)) + 1
    return _fewest(is_enough, most=most)


def _fewest(is_enough: Callable[[int], bool], *, most: int) -> int:
    low, high = 1, max(1, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low


def _moved(stops: Sequence[Stop], before: Promise, *, today: date) -> tuple[Moved, ...]:
    """What was to be done by yesterday and still has something in it that is not."""
    found = []
    for stop in stops:
        days = [
            day
            for chapter, concepts, day in before.days
            if chapter == stop.section.chapter_id and not set(concepts).isdisjoint(stop.section.concepts)
        ]
        if days and max(days) < today:
            found.append(Moved(title=stop.section.title, was=max(days), on=stop.on))
    return tuple(found)
