"""What the questions showed, and how it is told without a large model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.language.words import bold, joined
from agents.teaching.diagnosis import ProbeState
from agents.teaching.values import MOST_PROBES, LearnerLevel

NOT_COUNTED = "I can't judge that answer for sure, so it doesn't count, for or against you."

_MOST_NAMED = 3


def opening(topic: str, *, most: int = MOST_PROBES) -> str:
    """Say what is coming, and that it can be left."""
    questions = "one quick question" if most == 1 else f"up to {most} quick questions"
    return (
        f"Before we start on **{topic}**, {questions}, so that I don't tell you what you know. "
        "A guess is fine. If this is all new to you, say “I'm new to this”, or “skip” to go straight on."
    )


def recommendations(
    *, foundations: Sequence[str], own: Sequence[str], strong: Sequence[str]
) -> tuple[str, ...]:
    """What to do, the most important first."""
    said: list[str] = []
    if foundations:
        said.append(f"Begin with {joined(foundations, most=_MOST_NAMED)}: the topic leans on it.")
    if own:
        said.append(
            f"{'Then take' if foundations else 'Take'} {joined(own, most=_MOST_NAMED)} one at a time."
        )
    if strong:
        said.append(f"Pass quickly over {joined(strong, most=_MOST_NAMED)}: you have that.")
    if not foundations and not own:
        said.append("Go straight to the questions: there may be nothing left to explain.")
    return tuple(said)


def result_text(result: "Conclusion", *, topic: str, is_course: bool) -> str:
    """What the questions showed, in a few sentences: first what is there."""
    if result.level == "unknown":
        return result.recommendations[0]
    gaps, foundations = result.gaps, result.foundations
    parts = [f"You are at home with {_named(result.strong)}."] if result.strong else []
    new = f"{_named(gaps)} {_is(gaps)} new"
    if not gaps and is_course:
        parts.append(
            f"I found no gaps in what I asked about **{topic}**. Let's go on with what I did not ask about."
        )
    elif not gaps:
        parts.append("I found no gaps in what I asked about.")
    elif foundations:
        parts.append(
            f"{_named(foundations)} {_is(foundations)} worth a look first, "
            f"because **{topic}** leans on {'it' if len(foundations) == 1 else 'them'}."
        )
    elif is_course:
        parts.append(f"{new}, so that is where we begin.")
    else:
        parts.append(f"I found nothing missing before **{topic}**. {new}, so that is what we learn.")
    return " ".join([*parts, *_rests_on(result)])


def _rests_on(result: "Conclusion") -> list[str]:
    """How much was asked, and of what nothing is concluded."""
    if not result.asked:
        return []
    count = len(result.asked)
    said = [f"That rests on {count} {'question' if count == 1 else 'questions'}."]
    if result.open:
        said.append(f"I did not ask enough to say anything about {_named(result.open)}.")
    return said


def _named(names: Sequence[str]) -> str:
    return joined(bold(names), most=_MOST_NAMED)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


Shortcut = Literal["new", "skip"]

_GAP_BELOW = 0.5
STRONG_FROM = 0.7  # a concept is there already, or enough of a topic to be advanced in it
_BEGINNER_BELOW = 0.5  # of what the topic leans on is known

_NEW = re.compile(
    r"\b(?:(?:i'?m|i am|we'?re|am) (?:\w+ ){0,2}new\b|(?:complete|total|absolute)? ?beginner|"
    r"(?:know|knew) (?:nothing|none)|(?:don'?t|do not) know (?:anything|any of)|from (?:scratch|zero)|"
    r"no (?:experience|knowledge)|start (?:at|from) the beginning)",
    re.IGNORECASE,
)
# With a question on the table these speak of that question only.
_NEW_TO_IT = re.compile(
    r"\b(?:never (?:heard|seen|done|used|studied|learn\w*)|no (?:idea|clue)|first time)", re.IGNORECASE
)
_SKIP = re.compile(
    r"^\W*(?:(?:please|can we|let'?s|i(?:'d| would)? (?:want|like) to|just) )*(?:skip|no (?:test|questions|diagnostic|probe)s?|"
    r"(?:go|get) (?:straight|right) to|start (?:teaching|now|right away)|just (?:teach|start|begin))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """Where a learner stands with a topic, and what to do about it."""

    gaps: tuple[str, ...]  # foundations first
    level: LearnerLevel
    recommendations: tuple[str, ...]
    foundations: tuple[str, ...] = ()  # the gaps that the topic leans on, as against the topic itself
    strong: tuple[str, ...] = ()  # what was asked about, and is there already
    open: tuple[
        str, ...
    ] = ()  # what was not asked about, or not often enough to tell: neither known nor a gap
    asked: tuple[str, ...] = ()  # what the questions were about, one each


def conclude(state: ProbeState) -> Conclusion:
    """Judge every concept as it most likely is."""
    known = state.known
    gaps = tuple(concept for concept in state.concepts if known[concept] < _GAP_BELOW)
    asked = set(state.asked)
    strong = tuple(each for each in state.concepts if each in asked and known[each] >= STRONG_FROM)
    return _result(state, gaps=gaps, strong=strong, level=_level(state))


def conclude_new(state: ProbeState) -> Conclusion:
    """'I'm new to this': believed, without a question."""
    return _result(state, gaps=state.concepts, strong=(), level="beginner")


def conclude_nothing(topic: str, *, was_asked: bool, was_skipped: bool) -> Conclusion:
    """Without an answer that anybody could judge there is nothing to conclude; say why."""
    if was_skipped:
        said = "No questions, then. I start at the beginning of the topic and go by your answers from there."
    else:
        why = (
            "I could not judge any of your answers for sure"
            if was_asked
            else f"The course gives me nothing to ask about **{topic}** before its lesson"
        )
        said = (
            f"{why}, so I conclude nothing about what you know. The lesson goes by your answers from there."
        )
    return Conclusion(gaps=(), level="unknown", recommendations=(said,))


def shortcut(message: str, *, is_asked: bool = False) -> Shortcut | None:
    """Whether a message, perhaps one that follows a question, asks to be spared the questions, and how."""
    if _SKIP.search(message):
        return "skip"
    is_new = _NEW.search(message) or (not is_asked and _NEW_TO_IT.search(message))
    return "new" if is_new else None


def _result(
    state: ProbeState, *, gaps: tuple[str, ...], strong: tuple[str, ...], level: LearnerLevel
) -> Conclusion:
    foundations = tuple(concept for concept in gaps if concept not in state.topic)
    own = tuple(concept for concept in gaps if concept in state.topic)
    return Conclusion(
        gaps=gaps,
        level=level,
        recommendations=recommendations(foundations=foundations, own=own, strong=strong),
        foundations=foundations,
        strong=strong,
        open=tuple(each for each in state.concepts if each not in {*gaps, *strong}),
        asked=state.asked,
    )


def _level(state: ProbeState) -> LearnerLevel:
    known = state.known
    topic = [known[concept] for concept in state.concepts if concept in state.topic]
    below = [known[concept] for concept in state.concepts if concept not in state.topic] or topic
    if topic and sum(topic) / len(topic) >= STRONG_FROM:
        return "advanced"
    if not below or sum(below) / len(below) < _BEGINNER_BELOW:
        return "beginner"
    return "intermediate"
