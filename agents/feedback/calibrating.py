"""Calibrating: what was said of this installation's learners against what came, and a better fit where there is one.

The forecast of an answer is made anew from what the ledger held before it. Half of the learners, by a hash of
their names, are fitted on; only what forecasts the other half better than what counts now is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from agents.mastery_book import refresh_everybody
from agents.services import Services
from agents.teaching.calibration import Bin, Quality, bins, fitted, quality
from agents.teaching.evidence import Evidence, replay
from agents.teaching.mastery import CourseStanding, ForecastSignals, Parameters, fewest_right_answers
from agents.teaching.parts import MOST_CONCEPTS
from agents.teaching.running import NO_ANSWERS, ConceptState

FEWEST_ANSWERS = 500  # before anything is fitted
_NOTEWORTHY = 1e-4  # of the log loss; less than that is rounding

Forecast = tuple[ForecastSignals, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """What a fit on half of the learners is worth to the other half, and whether it was taken."""

    fitted_on: int
    before: Quality
    after: Quality
    parameters: Parameters
    fewest_before: int | None  # right answers that master a topic of the most concepts; None: not in one loop
    fewest_after: int | None
    is_taken: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """What was said and what came; the refit is None while there are too few answers."""

    learners: int
    answers: int
    bins: tuple[Bin, ...]
    quality: Quality
    parameters: Parameters  # that the forecasts were made with
    refit: Refit | None


async def calibrate(services: Services) -> CalibrationReport:
    """Compare, and refit where that is better; mastery is then what the new parameters say."""
    parameters = await services.mastery_parameters()
    by_learner: dict[str, list[Forecast]] = {}
    answers = 0
    for user_id, course in await services.ledger.shelves():
        evidence = replay(await services.ledger.of(user_id, course=course))
        answers += sum(map(len, evidence.values()))
        by_learner.setdefault(user_id, []).extend(forecasts(evidence))
    everything = [each for own in by_learner.values() for each in own]
    said, came = _said(everything, parameters), [outcome for _, outcome in everything]
    refit = None
    if answers >= FEWEST_ANSWERS:
        steps = services.settings.max_cycles * services.settings.quiz_questions
        refit = weigh(
            by_learner, parameters, threshold=services.settings.mastery_threshold, most_answers=steps
        )
        if refit.is_taken:
            await services.calibrations.add(asdict(refit.parameters), answers=answers, now=services.now())
            await refresh_everybody(services)
    return CalibrationReport(
        learners=len(by_learner),
        answers=answers,
        bins=tuple(bins(said, came)),
        quality=quality(said, came),
        parameters=parameters,
        refit=refit,
    )


async def undo(services: Services) -> Parameters | None:
    """Bring back the parameters before the last fit; None when there is no fit to undo."""
    undone = await services.calibrations.undo(now=services.now())
    if undone is None:
        return None
    await refresh_everybody(services)
    return await services.mastery_parameters()


def weigh(
    by_learner: Mapping[str, Sequence[Forecast]],
    parameters: Parameters,
    *,
    threshold: float,
    most_answers: int,
) -> Refit:
    """Fit on half of the learners, and decide by the other half."""
    halves: tuple[list[Forecast], list[Forecast]] = ([], [])
    for user_id, own in by_learner.items():
        halves[_half(user_id)].extend(own)
    learnt, held_back = halves
    new = fitted(learnt)
    before, after = (
        quality(_said(held_back, each), [came for _, came in held_back]) for each in (parameters, new)
    )
    fewest_before, fewest_after = (
        fewest_right_answers(MOST_CONCEPTS, most=most_answers, threshold=threshold, parameters=each)
        for each in (parameters, new)
    )
    if not learnt or not held_back:
        reason = "the answers of one half of the learners are needed to check those of the other"
    elif after.log_loss >= before.log_loss - _NOTEWORTHY:
        reason = "it forecasts the learners it was not fitted on no better"
    elif fewest_after is None:
        reason = f"with it, {most_answers} right answers would not master a topic of {MOST_CONCEPTS} concepts"
    else:
        reason = ""
    return Refit(
        fitted_on=len(learnt),
        before=before,
        after=after,
        parameters=new,
        fewest_before=fewest_before,
        fewest_after=fewest_after,
        is_taken=not reason,
        reason=reason,
    )


def forecasts(evidence: Mapping[str, Sequence[Evidence]]) -> list[Forecast]:
    """For each answer but a concept's first, about which nothing was said: what there was to go by, and what came."""
    ordered = sorted(
        ((name, answer) for name, answers in evidence.items() for answer in answers),
        key=lambda each: each[1].answered_at,
    )
    earlier: dict[str, ConceptState] = {}
    found: list[Forecast] = []
    for name, answer in ordered:
        if name in earlier:
            course = CourseStanding(earlier, now=answer.answered_at)
            found.append((course.signals(name), answer.is_correct))
        earlier[name] = earlier.get(name, NO_ANSWERS).plus(answer)
    return found


def _said(found: Sequence[Forecast], parameters: Parameters) -> list[float]:
    return [seen.chance(parameters) for seen, _ in found]


def _half(user_id: str) -> int:
    return sha256(user_id.encode()).digest()[0] % 2
