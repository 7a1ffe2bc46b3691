"""What the tutor says in its own words around the course's sentences."""

import re
from collections.abc import Sequence

from agents.state import LearnerLevel
from agents.tutor.teaching import Role

_ARTICLE = re.compile(r"^(?P<article>an?|the)\s+", re.IGNORECASE)


def opening(names: Sequence[str], *, level: LearnerLevel, cycle: int, topic: str) -> str:
    """One line on what the learner will be able to do."""
    things = listed(names)
    if cycle >= 2:
        again = (
            "This time we look only at what slipped"
            if cycle == 2
            else "Let's take what is left, one piece at a time"
        )
        return f"{again}: {things}."
    if level == "advanced":
        return f"Here is the short version: by the end you can explain {things}, and give the reasons."
    if level == "beginner":
        return f"Let's take {topic} step by step: by the end you can explain {things} in your own words."
    return f"By the end of this you can explain {things}."


def closing(*, cycle: int) -> str:
    """One line that leads to the quiz."""
    if cycle <= 1:
        return "Now a few questions on this."
    return "Let's try again, with new questions on just this."


def try_it(name: str) -> str:
    """Something to do before the next questions; saying it oneself shows what is still missing."""
    return f"Try this first: put {name} into one sentence of your own, then compare it with the text above."


def once_more(name: str, *, foundation: str = "", neighbour: str = "", is_first: bool = True) -> str:
    """How a concept begins that the course has said everything about."""
    if foundation:
        return f"Let's build {name} from the ground up, starting with {foundation}."
    if neighbour:
        return f"Let's hold {name} against {neighbour}."
    return f"Let's go over the core of {name} once more." if is_first else f"Here is the core of {name}, too."


def but_the_other(name: str) -> str:
    return f"Here is {name} for comparison."


def reread(name: str, *, place: str, marker: str) -> str:
    """What is left to say when the course has said everything."""
    return f"You have read all that the course says about {name}. Let's go back to the source: read “{place}” once more, slowly {marker}."


def turn_to(name: str, *, role: Role, partner: str = "") -> str:
    """How another way of teaching a concept begins."""
    if role in ("contrast", "mistake"):
        if partner:
            return f"Let's put {name} next to {partner}, since the two are easy to mix up."
        return f"Let's clear up what often goes wrong with {name}."
    return {
        "reason": f"Let's look at the reasons behind {name}.",
        "example": f"Here is {name} in a concrete case.",
        "wording": f"Here is {name} in other words.",
    }.get(role, f"Let's look at {name} from another side.")


def with_article(name: str, sentence: str) -> str:
    """'a topic', 'the ROS graph', 'DDS': as the course's own sentence has it."""
    found = _ARTICLE.match(sentence)
    return (
        f"{found['article'].lower()} {name}"
        if found and re.match(rf"{re.escape(name)}(?!\w)", sentence[found.end() :], re.IGNORECASE)
        else name
    )


def listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
