"""What all of a learner's answers on one concept amount to, small enough to be kept: one more needs none of them again.

An answer is folded into the state before it, in the order of time. The one thing that a fold cannot know is what the
answers on other concepts will say later: a belief begins with what they lend (see agents.teaching.mastery). So it is
kept from several STARTS, and between two of them it is read off. Whoever began at none of them is told at most .016
another chance than a replay from that very start would tell, .0005 on average (measured on 1,500 random histories).
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, Self

from agents.teaching.belief import (
    ANY_GUESS,
    HALF_LIFE,
    SLIP,
    Belief,
    after,
    faded,
    from_log_odds,
    guess,
    log_odds,
)
from agents.teaching.evidence import Evidence

# Raised with every change of what an answer does to a state: what was kept by another version is made anew.
VERSION = 2

MOST_SHARED = 3.5  # in log odds, so that nobody is a master of what they were never asked
# What the others may have lent, in log odds; in the middle nothing, which has to be exact.
STARTS = tuple(MOST_SHARED * (place / 4 - 1) for place in range(9))

RECENT = 0.3  # of the share of late, by each answer
# In log odds, by an answer of medium difficulty whose kind nobody knows.
_SAID_BY_RIGHT = math.log((1 - SLIP["medium"]) / ANY_GUESS)
_SAID_BY_WRONG = math.log((1 - ANY_GUESS) / SLIP["medium"])

_FLOORS = {start: from_log_odds(start) for start in STARTS}  # as probabilities
_FRESH = tuple(number for floor in _FLOORS.values() for number in (floor, 0.0, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Answers so far, each by how much it says."""

    recent: float = 0.5  # the share of right ones, where the latest count most
    right: float = 0.0
    wrong: float = 0.0
    run: float = 0.0  # of right answers at the end
    misses: float = 0.0  # wrong ones at the end
    asks_more: bool = False  # there is something to work out, beside what was only said
    worked_out: bool = False  # and somebody did, or there is nothing of the kind

    def faded(self, elapsed: timedelta) -> "Tally":
        """What is left of it after some time."""
        if elapsed <= timedelta():
            return self
        kept = math.exp2(-(elapsed / HALF_LIFE))
        return replace(
            self,
            recent=0.5 + (self.recent - 0.5) * kept,
            right=self.right * kept,
            wrong=self.wrong * kept,
            run=self.run * kept,
            misses=self.misses * kept,
        )

    def plus(self, answer: Evidence) -> "Tally":
        amount = _amount(answer)
        recent = self.recent + min(1.0, RECENT * amount) * (answer.is_correct - self.recent)
        asks_more = self.asks_more or answer.shows_part
        worked_out = self.worked_out or (answer.is_correct and not answer.shows_part)
        changed = replace(self, recent=recent, asks_more=asks_more, worked_out=worked_out)
        if answer.is_correct:
            return replace(changed, right=self.right + amount, run=self.run + amount, misses=0.0)
        return replace(changed, wrong=self.wrong + amount, run=0.0, misses=self.misses + amount)


def _amount(answer: Evidence) -> float:
    """How much an answer says, where an ordinary one says 1."""
    slip, luck = SLIP[answer.difficulty], guess(answer)
    if answer.is_correct:
        return answer.weight * math.log((1 - slip) / luck) / _SAID_BY_RIGHT
    return answer.weight * (1 - answer.score / 2) * math.log((1 - luck) / slip) / _SAID_BY_WRONG


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptState:
    """The answers on one concept up to the last of them."""

    answers: int = 0
    last: datetime | None = None
    starts: tuple[float, ...] = STARTS  # in log odds, rising
    # The belief of who began there, three numbers each: read far more often than they are needed as beliefs.
    beliefs: tuple[float, ...] = _FRESH
    tally: Tally = Tally()
    lessons: frozenset[str] = frozenset()  # the explanations that were followed by an answer
    topics: frozenset[str] = frozenset()  # in which it was asked about

    @classmethod
    def of(cls, evidence: Iterable[Evidence]) -> Self:
        """The replay: answers in any order."""
        state = cls()
        for answer in sorted(evidence, key=attrgetter("answered_at")):
            state = state.plus(answer)
        return state

    def plus(self, answer: Evidence) -> Self:
        """With one more answer, which is not older than the last."""
        elapsed = self._elapsed(answer.answered_at)
        is_taught = answer.lesson not in self.lessons
        return replace(
            self,
            answers=self.answers + 1,
            last=max(self.last, answer.answered_at) if self.last else answer.answered_at,
            beliefs=tuple(
                number
                for place, floor in enumerate(map(_FLOORS.__getitem__, self.starts))
                for number in _numbers(
                    after(
                        faded(self._kept(place), elapsed, floor=floor),
                        answer,
                        is_taught=is_taught,
                        start=floor,
                    )
                )
            ),
            tally=self.tally.faded(elapsed).plus(answer),
            lessons=self.lessons | {answer.lesson} if is_taught else self.lessons,
            topics=self.topics | {answer.topic} if answer.topic else self.topics,
        )

    def belief(self, lent: float = 0.0, *, now: datetime) -> Belief:
        """What to believe now of who began with so much lent, in log odds."""
        place = min(max(bisect_right(self.starts, lent) - 1, 0), len(self.starts) - 2)
        share = (lent - self.starts[place]) / (self.starts[place + 1] - self.starts[place])
        low = self._faded(place, now=now)
        if share == 0:
            return low
        high = self._faded(place + 1, now=now)
        if share == 1:
            return high
        return Belief(
            from_log_odds(_between(log_odds(low.known), log_odds(high.known), share=share)),
            _between(low.care, high.care, share=share),
            _between(low.misses, high.misses, share=share),
        )

    def narrowed(self, lent: float) -> Self:
        """Only what is needed for those who began with so much lent."""
        place = min(max(bisect_right(self.starts, lent) - 1, 0), len(self.starts) - 2)
        starts, beliefs = self.starts[place : place + 2], self.beliefs[3 * place : 3 * place + 6]
        return replace(self, starts=starts, beliefs=beliefs)

    def tally_at(self, now: datetime) -> Tally:
        return self.tally.faded(self._elapsed(now))

    def _kept(self, place: int) -> Belief:
        return Belief(*self.beliefs[3 * place : 3 * place + 3])

    def _faded(self, place: int, *, now: datetime) -> Belief:
        return faded(self._kept(place), self._elapsed(now), floor=_FLOORS[self.starts[place]])

    def _elapsed(self, now: datetime) -> timedelta:
        return max(timedelta(), now - self.last) if self.last else timedelta()


NO_ANSWERS = ConceptState()


def _numbers(belief: Belief) -> tuple[float, float, float]:
    return belief.known, belief.care, belief.misses


def _between(low: float, high: float, *, share: float) -> float:
    return low + (high - low) * share


def to_json(state: ConceptState) -> dict[str, Any]:
    """As it is stored: numbers come back as they were, to the last bit."""
    tally = state.tally
    return {
        "answers": state.answers,
        "last": state.last.isoformat() if state.last else None,
        "beliefs": list(state.beliefs),
        "tally": [tally.recent, tally.right, tally.wrong, tally.run, tally.misses],
        "asks_more": tally.asks_more,
        "worked_out": tally.worked_out,
        "lessons": sorted(state.lessons),
        "topics": sorted(state.topics),
    }


def from_json(stored: Mapping[str, Any]) -> ConceptState:
    recent, right, wrong, run, misses = stored["tally"]
    return ConceptState(
        answers=stored["answers"],
        last=datetime.fromisoformat(stored["last"]) if stored["last"] else None,
        beliefs=tuple(stored["beliefs"]),
        tally=Tally(
            recent=recent,
            right=right,
            wrong=wrong,
            run=run,
            misses=misses,
            asks_more=stored["asks_more"],
            worked_out=stored["worked_out"],
        ),
        lessons=frozenset(stored["lessons"]),
        topics=frozenset(stored["topics"]),
    )
