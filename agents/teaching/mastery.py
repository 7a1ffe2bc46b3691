"""Mastery: the chance that a learner gets the next question on a concept right.

What the number means. It is a forecast about the next ordinary question (medium, of any kind) on the
concept, made only from the learner's own graded answers. It begins with a belief in two parts:

- *known*: how likely it is that the learner has the idea. Every answer moves it by Bayes' rule: a right
  answer by how much likelier it is from somebody who knows (slips are rare) than from somebody who guesses
  (half of all true/false questions can be guessed), a wrong answer the other way round. Questions teach a
  little (LEARN), another explanation teaches more (LESSON), and nothing is ever certain (DOUBT), so later
  answers count more than earlier ones. What was learnt fades with time, slowly: bringing it back in time is
  the business of the reviews.
- *care*: how rarely this learner slips on what they know. Somebody new slips once in SLIPS_ONE_IN answers;
  right answers pile up to less, and a wrong one halves the pile.

    chance = guess + known · (1 - slip - guess)

What counts less: what can be guessed (GUESS, by kind), a right answer after hints, one that the learner marked
themselves or that nobody was sure of, the same question again (all in `weight`, see agents.teaching.evidence),
a near miss, and what is old.

What mastered means. The chance reaches the threshold, there are two answers on this very concept and one of
them is not a choice, and with those on the concepts taught beside it there are four: three right in a row are
too often luck. A concept with one right answer looks good, and is not mastered. A miss that takes the chance
below the threshold, which is how what was forgotten shows, begins the count anew: two right answers after it,
whatever was right before. A topic is mastered when all its concepts are.

It calibrates itself. An installation's own answers may say that its learners slip more, or guess better, than
was assumed. `fit` finds Parameters with which the belief, the share of right answers, the share of late, their
numbers and the last run are weighed together (a logistic); without any, the belief stands as it is. No weight
is below zero and every signal rises with a right answer, so no right answer ever lowers the chance and no wrong
one raises it, wherever in the series it stands, fitted or not. (Before the first answer, when a fit has a weight
of its own, the chance is kept between those after a wrong and after a right one.)

Why four right answers may say .85 and more. On public logs of 16,000 students four right in a row were
followed by 77-81% right, and eight by 79-81%: the run stops mattering early, and what remains is slips and
items that ask for more than one skill. Our items ask for one concept, come from a passage that the learner
can read, and lose their weight when a learner disputes them with reason, so we assume fewer slips; the shape
is the same, four are nearly as good as eight. It is an assumption, and `python -m evals learners` and
`python -m evals mastery` say where it stops being true: of learners who slip in every fifth answer, as in those
logs, it says too much before a fit. `tutor calibrate` compares what was said with what came.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from agents.teaching.evidence import Evidence
from agents.teaching.values import Difficulty, QuestionKind

PRIOR = 0.5  # has the idea, before any answer
LEARN = 0.08  # of the ignorant, who get it from one question and its correction
LESSON = 0.2  # of the ignorant, who get it from one more explanation
DOUBT = 0.02  # taken off after each answer, so that no history is beyond correction
SLIPS_ONE_IN = 8.0
HALF_LIFE = timedelta(days=365)  # of what was learnt, without any further answer

# A slip costs more than it should by the simulated rates (.05 to .15): better asked once too often.
SLIP: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.06, "hard": 0.09}
GUESS: Mapping[QuestionKind, float] = {
    "true_false": 0.5,
    "multiple_choice": 0.25,
    "cloze": 0.2,
    "short_answer": 0.15,
    "ordering": 0.15,
    "output": 0.15,
    "recall": 0.3,  # nobody checks what the learner says of their own answer
}
ANY_GUESS = 0.25  # of the next question, whose kind nobody knows yet
# Easy questions are sometimes got right without the idea, hard ones hardly ever.
EASE: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.0, "hard": -0.05}


@dataclass(frozen=True, slots=True)
class Belief:
    """How likely the idea is there, and how rarely who has it slips."""

    known: float
    care: float = 0.0  # right answers of somebody who knows, halved by each wrong one

    def chance(self, *, more_care: float = 0.0) -> float:
        slip = 1 / (SLIPS_ONE_IN + self.care + more_care)
        return ANY_GUESS + self.known * (1 - slip - ANY_GUESS)


def believe(evidence: Sequence[Evidence], *, now: datetime, start: float = PRIOR) -> Belief:
    """What a concept's answers, in any order, amount to now."""
    belief, since, lesson = Belief(start), None, ""
    for answer in sorted(evidence, key=lambda answer: answer.answered_at):
        belief = _faded(belief, answer.answered_at - since if since else timedelta(), floor=start)
        if since and answer.lesson != lesson:
            belief = _taught(belief)
        belief, since, lesson = after(belief, answer), answer.answered_at, answer.lesson
    return _faded(belief, now - since if since else timedelta(), floor=start)


def after(belief: Belief, answer: Evidence) -> Belief:
    """What to believe after one more answer."""
    slip, luck = SLIP[answer.difficulty], guess(answer)
    before = belief.known
    if answer.is_correct:
        known = max(before, _settled(_bayes(before, ratio=(1 - slip) / luck, weight=answer.weight)))
        return Belief(known, belief.care + answer.weight * known)
    # A near miss costs half as much as an answer that is wholly beside the point.
    weight = answer.weight * (1 - answer.score / 2)
    known = min(before, _settled(_bayes(before, ratio=slip / (1 - luck), weight=weight)))
    return Belief(known, belief.care * math.exp2(-weight))


def _taught(belief: Belief) -> Belief:
    """What was missed was explained again, so what was answered before says less about now."""
    return Belief(belief.known + (1 - belief.known) * LESSON, belief.care)


def _bayes(known: float, *, ratio: float, weight: float) -> float:
    odds = known / (1 - known) * math.pow(ratio, weight)
    return odds / (1 + odds)


def _settled(known: float) -> float:
    """A question and its correction teach a little, and nothing is certain."""
    return (known + (1 - known) * LEARN) * (1 - DOUBT)


def guess(answer: Evidence) -> float:
    """The chance of a right answer without the idea."""
    return (GUESS[answer.kind] if answer.kind else ANY_GUESS) + EASE[answer.difficulty]


def _faded(belief: Belief, elapsed: timedelta, *, floor: float) -> Belief:
    if belief.known <= floor or elapsed <= timedelta():
        return belief
    kept = math.exp2(-(elapsed / HALF_LIFE))
    return Belief(floor + (belief.known - floor) * kept, belief.care)


def log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def from_log_odds(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


THRESHOLD = 0.85
MINIMUM_EVIDENCE = 4  # answers, on the concept and on those taught beside it
MINIMUM_OF_ITS_OWN = 2  # of them on the concept itself, one of which is no choice

# Concepts of one topic are taught together, so answers on one say something about the others.
SHARED = 0.7  # of the others' evidence
MOST_SHARED = 2.0  # in log odds, so that nobody is a master of what they were never asked

RECENT = 0.3  # of the share of late, by each answer
_LONGEST_RUN = 8.0
# In log odds, by an answer of medium difficulty whose kind nobody knows.
_SAID_BY_RIGHT = math.log((1 - SLIP["medium"]) / ANY_GUESS)
_SAID_BY_WRONG = math.log((1 - ANY_GUESS) / SLIP["medium"])

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How much each signal weighs, in log odds; as they stand here, the belief alone counts."""

    bias: float = 0.0
    belief: float = 1.0
    recent: float = 0.0
    share: float = 0.0
    right: float = 0.0
    wrong: float = 0.0
    run: float = 0.0
    misses: float = 0.0
    unasked: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastSignals:
    """What a forecast is made from; all but the last rise with a right answer and fall with a wrong one."""

    belief: float  # the log odds of the chance that the belief gives
    recent: float  # the share of right answers, where the latest count most, around zero
    share: float
    right: float  # how many, in logarithms
    wrong: float
    run: float  # of right answers at the end, in roots
    misses: float  # wrong ones at the end
    unasked: float  # 1 before the first answer, which is often another matter than the later ones

    def chance(self, parameters: Parameters) -> float:
        weighed = (getattr(parameters, each.name) * getattr(self, each.name) for each in fields(self))
        return from_log_odds(parameters.bias + math.fsum(weighed))


UNFITTED = Parameters()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptMastery:
    """Where a learner stands with one concept."""

    probability: float
    evidence_count: int
    mastered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMastery:
    """Where a learner stands with a topic: as good as with its weakest concept."""

    score: float
    weakest: str
    mastered: bool
    per_concept: Mapping[str, ConceptMastery]


def next_answer_probability(outcomes: Sequence[bool], *, parameters: Parameters | None = None) -> float:
    """The chance that the next answer is right, after these (oldest first)."""
    return concept_mastery(_undated(outcomes), now=_LONG_AGO, parameters=parameters).probability


def is_mastered(
    outcomes: Sequence[bool], *, threshold: float = THRESHOLD, parameters: Parameters | None = None
) -> bool:
    """Whether these answers on one concept are enough, and good enough."""
    answers = _undated(outcomes)
    return concept_mastery(answers, now=_LONG_AGO, threshold=threshold, parameters=parameters).mastered


def fit(series: Sequence[Sequence[bool]]) -> Parameters:
    """The parameters that forecast these series best, each one learner's answers on one concept, oldest first."""
    from agents.teaching.calibration import fitted  # numpy only where something is fitted

    return fitted([forecast for outcomes in series for forecast in walk(outcomes)])


def concept_mastery(
    evidence: Sequence[Evidence],
    *,
    now: datetime,
    threshold: float = THRESHOLD,
    parameters: Parameters | None = None,
) -> ConceptMastery:
    """Where a learner stands with a concept, from the answers on it alone."""
    alone = {"": [*evidence]}
    return _standing(alone, "", others=(), now=now, threshold=threshold, parameters=parameters)


def course_mastery(
    evidence: Mapping[str, Sequence[Evidence]],
    *,
    now: datetime,
    threshold: float = THRESHOLD,
    parameters: Parameters | None = None,
) -> dict[str, ConceptMastery]:
    """Every concept that was asked about, each among those that shared a topic with it."""
    others = relatives(evidence)
    return {
        name: _standing(
            evidence, name, others=others[name], now=now, threshold=threshold, parameters=parameters
        )
        for name in evidence
    }


def topic_mastery(mastery: Mapping[str, ConceptMastery], names: Iterable[str]) -> TopicMastery:
    """A topic of these concepts, by what the course's mastery says of each: it counts as its weakest."""
    unasked = ConceptMastery(probability=Belief(PRIOR).chance(), evidence_count=0, mastered=False)
    per_concept = {name: mastery.get(name, unasked) for name in names}
    if not per_concept:
        return TopicMastery(score=unasked.probability, weakest="", mastered=False, per_concept={})
    weakest = min(
        per_concept, key=lambda name: (per_concept[name].mastered, per_concept[name].probability, name)
    )
    return TopicMastery(
        score=min(concept.probability for concept in per_concept.values()),
        weakest=weakest,
        mastered=all(concept.mastered for concept in per_concept.values()),
        per_concept=per_concept,
    )


def fewest_right_answers(
    concepts: int, *, most: int, threshold: float = THRESHOLD, parameters: Parameters | None = None
) -> int | None:
    """How many right answers, in turns over a topic's concepts, make it mastered; None if so many do not."""
    evidence: dict[str, list[Evidence]] = {str(place): [] for place in range(concepts)}
    for number in range(most):
        now = _LONG_AGO + timedelta(minutes=number)
        evidence[str(number % concepts)].append(Evidence(is_correct=True, answered_at=now, topic="topic"))
        course = course_mastery(evidence, now=now, threshold=threshold, parameters=parameters)
        if topic_mastery(course, evidence).mastered:
            return number + 1
    return None


def relatives(evidence: Mapping[str, Sequence[Evidence]]) -> dict[str, set[str]]:
    """For each concept the others that were asked about in a topic with it."""
    topics: dict[str, set[str]] = {}
    for name, answers in evidence.items():
        for answer in answers:
            topics.setdefault(answer.topic, set()).add(name)
    topics.pop("", None)
    found: dict[str, set[str]] = {name: set() for name in evidence}
    for names in topics.values():
        for name in names:
            found[name] |= names - {name}
    return found


def signals(
    evidence: Mapping[str, Sequence[Evidence]], name: str, *, others: Iterable[str] = (), now: datetime
) -> ForecastSignals:
    """What the answers on a concept say, with some weight lent by those on the others."""
    beside = [believe(evidence[other], now=now) for other in others]
    lent = SHARED * math.fsum(log_odds(each.known) - log_odds(PRIOR) for each in beside)
    start = from_log_odds(log_odds(PRIOR) + max(-MOST_SHARED, min(MOST_SHARED, lent)))
    answers = sorted(evidence[name], key=lambda answer: answer.answered_at)
    chance = believe(answers, now=now, start=start).chance(more_care=math.fsum(each.care for each in beside))
    tally = _Tally()
    for answer in answers:
        tally = tally.plus(answer, age=now - answer.answered_at)
    return tally.signals(chance)


def walk(outcomes: Sequence[bool]) -> Iterator[tuple[ForecastSignals, bool]]:
    """What there was to go by before each answer of a bare series, and how it came out."""
    belief, tally = Belief(PRIOR), _Tally()
    for answer in _undated(outcomes):
        yield tally.signals(belief.chance()), answer.is_correct
        belief, tally = after(belief, answer), tally.plus(answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """Answers so far, each by how much it says."""

    recent: float = 0.5
    right: float = 0.0
    wrong: float = 0.0
    run: float = 0.0
    misses: float = 0.0

    def plus(self, answer: Evidence, *, age: timedelta = timedelta()) -> "_Tally":
        amount = _amount(answer) * math.exp2(-(max(timedelta(), age) / HALF_LIFE))
        recent = self.recent + min(1.0, RECENT * amount) * (answer.is_correct - self.recent)
        if answer.is_correct:
            return _Tally(recent=recent, right=self.right + amount, wrong=self.wrong, run=self.run + amount)
        return _Tally(recent=recent, right=self.right, wrong=self.wrong + amount, misses=self.misses + amount)

    def signals(self, chance: float) -> ForecastSignals:
        return ForecastSignals(
            belief=log_odds(chance),
            recent=self.recent - 0.5,
            share=(self.right + 1) / (self.right + self.wrong + 2) - 0.5,
            right=math.log1p(self.right),
            wrong=-math.log1p(self.wrong),
            run=math.sqrt(min(_LONGEST_RUN, self.run)),
            misses=-math.sqrt(min(_LONGEST_RUN, self.misses)),
            unasked=float(not self.right and not self.wrong),
        )


def _amount(answer: Evidence) -> float:
    """How much an answer says, where an ordinary one says 1."""
    slip, luck = SLIP[answer.difficulty], guess(answer)
    if answer.is_correct:
        return answer.weight * math.log((1 - slip) / luck) / _SAID_BY_RIGHT
    return answer.weight * (1 - answer.score / 2) * math.log((1 - luck) / slip) / _SAID_BY_WRONG


def _standing(
    evidence: Mapping[str, Sequence[Evidence]],
    name: str,
    *,
    others: Iterable[str],
    now: datetime,
    threshold: float,
    parameters: Parameters | None,
) -> ConceptMastery:
    own, others = sorted(evidence[name], key=lambda answer: answer.answered_at), sorted(others)

    def chance(answers: Sequence[Evidence]) -> float:
        found = signals({**evidence, name: answers}, name, others=others, now=now)
        return found.chance(parameters or UNFITTED)

    seen = len(own) + sum(len(evidence[other]) for other in others)
    is_enough = (
        len(own) >= MINIMUM_OF_ITS_OWN
        and seen >= MINIMUM_EVIDENCE
        and any(not answer.is_choice for answer in own)
    )
    right_of_late = sum(1 for _ in takewhile(lambda answer: answer.is_correct, reversed(own)))
    if is_enough and right_of_late < MINIMUM_OF_ITS_OWN and right_of_late < len(own):
        is_enough = chance(own[: len(own) - right_of_late]) >= threshold
    probability = chance(own)
    return ConceptMastery(
        probability=probability, evidence_count=len(own), mastered=is_enough and probability >= threshold
    )


def _undated(outcomes: Sequence[bool]) -> list[Evidence]:
    return [Evidence(is_correct=outcome, answered_at=_LONG_AGO) for outcome in outcomes]
