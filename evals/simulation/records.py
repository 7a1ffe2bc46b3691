"""What a simulated learner's days at the app leave behind: what was said of them, and what was true."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agents.teaching.values import QuestionKind
from evals.simulation.people import Person

Purpose = Literal["teach", "review"]
Ending = Literal["mastered", "limit", "no quiz", "stuck"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer: what the learner meant to give, and what the app made of it."""

    concept: str
    kind: QuestionKind
    question: str
    expected: str
    said: str
    is_meant_right: bool
    is_marked_right: bool
    was_told: bool  # by an explanation of this topic; a quiz without one counts as told
    was_self_checked: bool
    was_asked_before: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The concepts of one explanation: with something new, what those build on, and their core once more."""

    told: tuple[str, ...] = ()
    foundations: tuple[str, ...] = ()
    retold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """One learning loop from its beginning to its end."""

    person: Person
    purpose: Purpose
    topic: str
    concepts: tuple[str, ...]
    known_before: frozenset[str]
    known_after: frozenset[str]
    explained: tuple[Heard, ...]
    answers: tuple[Answer, ...]
    ending: Ending
    cycles: int
    refused: int = 0  # answers that the app did not take for answers
    offer_taken: bool | None = None  # whether a plain "yes" to the offer at the limit brought a path

    @property
    def gained(self) -> int:
        return len(self.known_after & set(self.concepts)) - len(self.known_before & set(self.concepts))

    @property
    def is_first_teaching(self) -> bool:
        return self.purpose == "teach"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """One diagnostic: what it was about, what the learner lacked, and what it found."""

    person: Person
    scope: tuple[str, ...]
    lacking: frozenset[str]
    found: frozenset[str]
    answers: tuple[Answer, ...]
    has_ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """A greeting after some days: what was mastered, what is gone, and what is offered for review."""

    person: Person
    days: int
    mastered: frozenset[str]
    forgotten: frozenset[str]
    due: frozenset[str]
    is_offered: bool  # the greeting says so


@dataclass(slots=True, kw_only=True)
class Diary:
    """Everything of one learner."""

    person: Person
    loops: list[Loop] = field(default_factory=list)
    diagnoses: list[Diagnosis] = field(default_factory=list)
    mornings: list[Morning] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    turns: int = 0


def order_violations(path: tuple[str, ...], prerequisites: Mapping[str, tuple[str, ...]]) -> int:
    """Steps that come before something they lean on."""
    place = {name: number for number, name in enumerate(path)}
    return sum(place.get(need, -1) > place[name] for name in path for need in prerequisites.get(name, ()))
