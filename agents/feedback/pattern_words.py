"""How a mistake is named, and what to do about it."""

from collections.abc import Iterable

from agents.feedback.phrases import capital, clipped

_QUOTE = 40
_SAID_SO = ", and saying so was the right thing to do."


def description(clue: str, *, concept: str, other: str, wrote: str, expected: str) -> str:
    """What happened, in one sentence to the learner."""
    said, meant = clipped(wrote.strip(), most=_QUOTE), clipped(expected.strip(), most=_QUOTE)
    sentences = {
        "confusion": f"You answered with {other} where {concept} was meant.",
        "swap": f"You swapped {concept} and {other}: each got the other's place.",
        "missed": f"The idea of {concept} is not quite there yet.",
        "no answer": f"{capital(concept)} is still open{_SAID_SO}",
        "order": f"You have the pieces of {concept}, but not their order yet.",
        "unit": f"Your number for {concept} is right, only the unit is not: {meant}.",
        "conversion": f"Your way to {concept} is right, but a conversion got lost: {meant}, not {said}.",
        "partly": f"Part of your answer on {concept} is right, and something is still missing.",
        "spelling": f"You knew {concept}, only the spelling slipped: {meant}.",
        "digits": f"A number slipped on {concept}: {meant}, not {said}.",
        "quick": f"{capital(concept)} was a quick slip: you have shown before that you know it.",
    }
    return sentences[clue]


def in_a_row(descriptions: Iterable[str]) -> str:
    """Several mistakes one after the other; what was said of the first is not said again."""
    said: list[str] = []
    for each in descriptions:
        repeats = each.endswith(_SAID_SO) and any(earlier.endswith(_SAID_SO) for earlier in said)
        said.append(each.removesuffix(_SAID_SO) + ", too." if repeats else each)
    return " ".join(said)


def remediation(clue: str, *, concept: str, other: str, place: str) -> str:
    """What to do about it, with the passage to read again."""
    where = place or f"the passage on {concept}"
    advice = {
        "confusion": f"Put {concept} and {other} side by side: what does one do that the other doesn't? "
        f"Read {where} again.",
        "missed": f"Read {where} again, then say it in your own words.",
        "no answer": f"Start with {where}, and note one sentence about it.",
        "order": f"Walk through the steps in {where} once more, and ask of each what it needs from the one before.",
        "unit": f"Write the unit next to every number, as {where} does.",
        "conversion": f"Do the calculation in {where} again, with the units written down.",
        "partly": f"Compare your answer with {where}, sentence by sentence.",
        "spelling": "Nothing to study. Just look twice before you send.",
        "digits": "Nothing to study. Just check the number before you send.",
        "quick": "Nothing to study. Take a second breath before you send.",
    }
    return advice[clue]
