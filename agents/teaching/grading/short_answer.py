"""An answer in the learner's own words: clear cases by rule, the rest by the fitted model."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agents.language.words import joined
from agents.teaching.grading.measures import SLIP, Comparison, Measurement, measure
from agents.teaching.grading.words import content, tokens_of
from agents.teaching.values import Grade, right, wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Weights by measure, and the probabilities at which an answer passes or is beyond doubt."""

    bias: float
    weights: Mapping[str, float]
    border: float
    surely_right: float
    surely_wrong: float

    def probability(self, numbers: Mapping[str, float]) -> float:
        total = self.bias + sum(weight * numbers[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    def judge(self, numbers: Mapping[str, float]) -> tuple[float, bool]:
        """How far up the scale it is, where .5 and more is right, and whether that is beyond doubt."""
        p = self.probability(numbers)
        above = 0.5 + 0.5 * (p - self.border) / (1 - self.border)
        score = above if p >= self.border else 0.5 * p / self.border
        return score, p >= self.surely_right or p <= self.surely_wrong


@cache
def fitted() -> Model:
    """The model that evals/fit_grading.py wrote."""
    text = files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return Model(**json.loads(text)["model"])


_TERM_WORDS = 3  # references up to so many words are terms: they are met word by word
_SHOWN = 4


def grade_short_answer(
    answer: str,
    *,
    question: str,
    references: Sequence[str],
    model: Model | None = None,
) -> Grade:
    """Judge by meaning and wording together, and say what was seen in the learner's own words."""
    measured = measure(answer, question=question, references=references)
    ruled = _contradiction(measured) or _echo(measured, question) or _term(measured, references)
    if ruled is not None:
        return ruled
    score, is_sure = (model or fitted()).judge(measured.numbers)
    is_correct, confident = score >= 0.5, is_sure and not _is_shotgun(measured)
    reason = _reason(measured, is_correct=is_correct, confident=confident)
    return Grade(is_correct=is_correct, score=score, reason=reason, confident=confident)


def _contradiction(measured: Measurement) -> Grade | None:
    """All the words of a reference, but one of them turned round, and no other reference met."""
    turned = [each for each in measured.compared if _is_turned_round(each, len(measured.answer.content))]
    if not turned or max(each.numbers["met"] for each in measured.compared) > 0.85:
        return None
    words = _quoted(measured, turned[0].opposed)
    return wrong(f"Your answer says the opposite of what is expected about {words}.", score=0.2)


def _is_turned_round(comparison: Comparison, said: int) -> bool:
    weights = [token.weight for token in comparison.reference.content]
    seen = sum(weight for weight, match in zip(weights, comparison.matches, strict=True) if match.is_seen)
    return bool(comparison.opposed) and seen >= 0.85 * sum(weights) and said <= len(weights) + 3


def _echo(measured: Measurement, question: str) -> Grade | None:
    """Only the question's own words: nothing is answered yet."""
    numbers = measured.numbers
    asked = {token.stem for token in content(tokens_of(question))}
    said = {token.stem for token in measured.answer.content}
    if len(said) < 3 or not said <= asked or len(said) < 0.6 * len(asked) or numbers["complete"]:
        return None
    return wrong("That repeats the question; say in your own words what the answer is.")


def _term(measured: Measurement, references: Sequence[str]) -> Grade | None:
    """Where the expected answer is a term, a short answer that has it is right."""
    said = len(measured.answer.content)
    if (
        any(len(content(tokens_of(reference))) > _TERM_WORDS for reference in references)
        or said > 2 * _TERM_WORDS
    ):
        return None
    met = measured.numbers["met"]
    if met < SLIP or measured.numbers["both_sides"]:
        return None
    if said > len(measured.best.matches) and _is_open(measured):
        return wrong(
            "I see the expected words, but not that you settle on them; say which it is.",
            score=0.4,
            confident=False,
        )
    return right(
        "That is the expected answer." if met == 1 else "That is the expected answer; mind the spelling.",
        score=met,
    )


def _is_open(measured: Measurement) -> bool:
    """One thing or another; or a negation that the reference does not have."""
    negated = [
        any(token.negated for token in text.tokens) for text in (measured.answer, measured.best.reference)
    ]
    return negated[0] > negated[1] or " or " in measured.answer.clean


def _is_shotgun(measured: Measurement) -> bool:
    """Both sides of a matter, or so many words that some had to hit."""
    numbers = measured.numbers
    longer = len(measured.answer.content) / max(1, len(measured.best.matches))
    return numbers["both_sides"] > 0 or (longer > 4 and numbers["precision"] < 0.35)


def _reason(measured: Measurement, *, is_correct: bool, confident: bool) -> str:
    met = _quoted(measured, measured.best.met)
    against = _quoted(measured, measured.best.opposed)
    if is_correct and confident:
        return (
            f"Your answer covers what is expected: {met}." if met else "Your answer means what is expected."
        )
    if is_correct:
        return (
            f"I see {met} of the expected answer and think it is right, but I am not sure."
            if met
            else "It may mean what is expected, but I am not sure."
        )
    doubt = "" if confident else "; I am not sure, so compare it yourself"
    if against:
        return f"What you say about {against} goes against the expected answer{doubt}."
    if met:
        return f"I see {met}, but something that matters is missing{doubt}."
    return f"I do not find the expected idea in your answer{doubt}."


def _quoted(measured: Measurement, places: Sequence[int]) -> str:
    """Words of the learner's own; never the reference's."""
    by_place = {token.place: token.text.replace("_", " ") for token in measured.answer.content}
    words = dict.fromkeys(by_place[place] for place in sorted(places) if place in by_place)
    return joined([f"‘{word[:40]}’" for word in words][:_SHOWN])
