"""Why a step is on the path, and what to say when there is no plain path."""

from collections.abc import Sequence
from typing import Protocol

from agents.feedback.phrases import bold, capital, joined
from storage.course import Relationship

_MOST_CHAPTERS = 6


class Reason(Protocol):
    """Says why to learn these concepts now, in one sentence."""

    def __call__(
        self, concepts: Sequence[str], *, used_by: Relationship | None, goals: Sequence[str]
    ) -> str: ...


def reason(concepts: Sequence[str], *, used_by: Relationship | None, goals: Sequence[str]) -> str:
    """On the way to a goal."""
    if goals and used_by:
        return f"You asked for it, and {_needs(concepts, used_by)}."
    if goals:
        return "This is what you are after."
    if used_by:
        return f"{capital(_needs(concepts, used_by))}."
    return "It comes next in the course."


def repair(concepts: Sequence[str], *, used_by: Relationship | None, goals: Sequence[str]) -> str:
    """On the way back to what would not stick."""
    if goals:
        return "This is what we come back to."
    if used_by:
        return f"{capital(_needs(concepts, used_by))}."
    return "Your answers showed a gap here."


def _needs(concepts: Sequence[str], used_by: Relationship) -> str:
    return f"{used_by.concept} builds on {'it' if len(concepts) == 1 else used_by.prerequisite}"


def unknown_goal(goal: str, *, similar: Sequence[str], chapters: Sequence[str]) -> str:
    """Say that the course has no such thing, and what it has."""
    start = f"I can't find “{goal}” in this course."
    if similar:
        return f"{start} Did you mean {joined(bold(similar), word='or')}?"
    if not chapters:
        return f"{start} There is nothing in it yet: add material with `tutor ingest`."
    titles = [title.split(":")[0] for title in chapters]
    return f"{start} It covers {joined(titles, most=_MOST_CHAPTERS)}. Which of these comes closest?"


def all_mastered(goals: Sequence[str]) -> str:
    """Nothing is left to do."""
    if goals:
        return f"You have already mastered {joined(bold(goals))}, and what it takes to get there."
    return "You have mastered every concept of this course. A short review now and then will keep it fresh."


def circle(concepts: Sequence[str], *, first: str) -> str:
    """Concepts that lean on each other have no natural first."""
    return (
        f"In this course {joined(bold(concepts))} lean on each other, so there is no natural first. "
        f"I start with **{first}**, as the course does."
    )


def one_step_back(*, missed: Sequence[str], foundations: Sequence[str]) -> str:
    """After many tries: it is the foundations, not the learner."""
    if not missed:
        return "There is nothing to repair here. Pick any topic and we go on."
    if not foundations:
        return (
            f"{capital(joined(missed))} {'needs' if len(missed) == 1 else 'need'} nothing that you don't have. "
            f"Let's take {'it' if len(missed) == 1 else 'them'} in smaller pieces, one question at a time."
        )
    return (
        f"When {joined(missed)} won't stick after several tries, the ground below is usually the reason. "
        f"Let's first make {joined(bold(foundations))} safe, and then come back."
    )
