"""Mastery: the chance that a learner gets the next question on a concept right.

What the number means. It is a forecast about the next ordinary question (medium, of any kind) on the
concept, made only from the learner's own graded answers. It is a belief in two parts:

- *known*: how likely it is that the learner has the idea. Every answer moves it by Bayes' rule: a right
  answer by how much likelier it is from somebody who knows (slips are rare) than from somebody who guesses
  (half of all true/false questions can be guessed), a wrong answer the other way round. Questions teach a
  little (LEARN), another explanation teaches more (LESSON), and nothing is ever certain (DOUBT), so later
  answers count more than earlier ones. What was learnt fades with time, slowly: bringing it back in time is
  the business of the reviews.
- *care*: how rarely this learner slips on what they know. Somebody new slips once in SLIPS_ONE_IN answers;
  right answers pile up to less, and a wrong one halves the pile.

    chance = guess + known · (1 - slip - guess)

Why four right answers may say .85 and more. On public logs of 16,000 students four right in a row were
followed by 77-81% right, and eight by 79-81%: the run stops mattering early, and what remains is slips and
items that ask for more than one skill. Our items ask for one concept, come from a passage that the learner
can read, and lose their weight when a learner disputes them with reason, so we assume fewer slips; the shape
is the same, four are nearly as good as eight. `python -m evals learners` checks it: of learners who slip in
5 to 15% of their answers it says .89-.90 when it calls them masters, .90 is true, and at most 3% of them would
really score below .75. It is an assumption: of learners who slip in every fifth answer, as in those logs, it
says the same, and .80 is true.

No right answer ever lowers the chance and no wrong one raises it, wherever in the series it stands.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agents.feedback.evidence import Evidence, replay
from agents.state import Difficulty, QuestionKind

__all__ = [
    "ConceptMastery",
    "Evidence",
    "TopicMastery",
    "concept_mastery",
    "course_mastery",
    "is_mastered",
    "next_answer_probability",
    "replay",
    "topic_mastery",
]

THRESHOLD = 0.85
MINIMUM_EVIDENCE = 4  # answers; three right in a row are too often luck

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
    "recall": 0.3,  # nobody checks what the learner says of their own answer
}
ANY_GUESS = 0.25  # of the next question, whose kind nobody knows yet
# Easy questions are sometimes got right without the idea, hard ones hardly ever.
EASE: Mapping[Difficulty, float] = {"easy": 0.05, "medium": 0.0, "hard": -0.05}

# Concepts of one topic are taught together, so answers on one say something about the others.
SHARED = 0.7  # of the others' evidence
MOST_SHARED = 2.0  # in log odds, so that nobody is a master of what they were never asked

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


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


@dataclass(frozen=True, slots=True)
class _Belief:
    known: float
    care: float = 0.0  # right answers of somebody who knows, halved by each wrong one

    def chance(self, *, more_care: float = 0.0) -> float:
        slip = 1 / (SLIPS_ONE_IN + self.care + more_care)
        return ANY_GUESS + self.known * (1 - slip - ANY_GUESS)


def next_answer_probability(outcomes: Sequence[bool]) -> float:
    """The chance that the next answer is right, after these (oldest first)."""
    return _believe(_undated(outcomes), now=_LONG_AGO).chance()


def is_mastered(outcomes: Sequence[bool], *, threshold: float = THRESHOLD) -> bool:
    """Whether these answers on one concept are enough, and good enough."""
    return len(outcomes) >= MINIMUM_EVIDENCE and next_answer_probability(outcomes) >= threshold


def concept_mastery(
    evidence: Sequence[Evidence], *, now: datetime, threshold: float = THRESHOLD
) -> ConceptMastery:
    """Where a learner stands with a concept, from the answers on it alone."""
    chance = _believe(evidence, now=now).chance()
    enough = len(evidence) >= MINIMUM_EVIDENCE
    return ConceptMastery(
        probability=chance, evidence_count=len(evidence), mastered=enough and chance >= threshold
    )


def topic_mastery(
    evidence: Mapping[str, Sequence[Evidence]], *, now: datetime, threshold: float = THRESHOLD
) -> TopicMastery:
    """A topic counts as its weakest concept; answers on the others lend it some of their weight.

    Four right answers pass a topic of up to four concepts, all of which were asked about: that is as much
    evidence about the topic as four right answers are about one concept.
    """
    relatives = {name: evidence.keys() - {name} for name in evidence}
    per_concept = _together(evidence, relatives=relatives, now=now, threshold=threshold)
    if not per_concept:
        return TopicMastery(score=_Belief(PRIOR).chance(), weakest="", mastered=False, per_concept={})
    weakest = min(per_concept, key=lambda name: (per_concept[name].probability, name))
    return TopicMastery(
        score=per_concept[weakest].probability,
        weakest=weakest,
        mastered=all(concept.mastered for concept in per_concept.values()),
        per_concept=per_concept,
    )


def course_mastery(
    evidence: Mapping[str, Sequence[Evidence]], *, now: datetime, threshold: float = THRESHOLD
) -> dict[str, ConceptMastery]:
    """Every concept that was asked about, each among those that shared a topic with it."""
    topics: dict[str, set[str]] = {}
    for name, answers in evidence.items():
        for answer in answers:
            topics.setdefault(answer.topic, set()).add(name)
    topics.pop("", None)
    relatives = {name: {name} for name in evidence}
    for names in topics.values():
        for name in names:
            relatives[name] |= names
    others = {name: names - {name} for name, names in relatives.items()}
    return _together(evidence, relatives=others, now=now, threshold=threshold)


def _together(
    evidence: Mapping[str, Sequence[Evidence]],
    *,
    relatives: Mapping[str, Iterable[str]],
    now: datetime,
    threshold: float,
) -> dict[str, ConceptMastery]:
    alone = {name: _believe(answers, now=now) for name, answers in evidence.items()}
    found: dict[str, ConceptMastery] = {}
    for name, answers in evidence.items():
        others = list(relatives[name])  # in any order: fsum does not mind
        lent = SHARED * math.fsum(_log_odds(alone[other].known) - _log_odds(PRIOR) for other in others)
        start = _from_log_odds(_log_odds(PRIOR) + max(-MOST_SHARED, min(MOST_SHARED, lent)))
        belief = _believe(answers, now=now, start=start)
        chance = belief.chance(more_care=math.fsum(alone[other].care for other in others))
        seen = len(answers) + sum(len(evidence[other]) for other in others)
        found[name] = ConceptMastery(
            probability=chance,
            evidence_count=len(answers),
            mastered=bool(answers) and seen >= MINIMUM_EVIDENCE and chance >= threshold,
        )
    return found


def _believe(evidence: Sequence[Evidence], *, now: datetime, start: float = PRIOR) -> _Belief:
    belief, since, lesson = _Belief(start), None, ""
    for answer in sorted(evidence, key=lambda answer: answer.answered_at):
        belief = _faded(belief, answer.answered_at - since if since else timedelta(), floor=start)
        if since and answer.lesson != lesson:
            belief = _taught(belief)
        belief, since, lesson = _after(belief, answer), answer.answered_at, answer.lesson
    return _faded(belief, now - since if since else timedelta(), floor=start)


def _after(belief: _Belief, answer: Evidence) -> _Belief:
    """What to believe after one more answer."""
    slip, guess = SLIP[answer.difficulty], _guess(answer)
    before = belief.known
    if answer.is_correct:
        known = max(before, _settled(_bayes(before, ratio=(1 - slip) / guess, weight=answer.weight)))
        return _Belief(known, belief.care + answer.weight * known)
    # A near miss costs half as much as an answer that is wholly beside the point.
    weight = answer.weight * (1 - answer.score / 2)
    known = min(before, _settled(_bayes(before, ratio=slip / (1 - guess), weight=weight)))
    return _Belief(known, belief.care * math.exp2(-weight))


def _taught(belief: _Belief) -> _Belief:
    """What was missed was explained again, so what was answered before says less about now."""
    return _Belief(belief.known + (1 - belief.known) * LESSON, belief.care)


def _bayes(known: float, *, ratio: float, weight: float) -> float:
    odds = known / (1 - known) * math.pow(ratio, weight)
    return odds / (1 + odds)


def _settled(known: float) -> float:
    """A question and its correction teach a little, and nothing is certain."""
    return (known + (1 - known) * LEARN) * (1 - DOUBT)


def _guess(answer: Evidence) -> float:
    return (GUESS[answer.kind] if answer.kind else ANY_GUESS) + EASE[answer.difficulty]


def _faded(belief: _Belief, elapsed: timedelta, *, floor: float) -> _Belief:
    if belief.known <= floor or elapsed <= timedelta():
        return belief
    kept = math.exp2(-(elapsed / HALF_LIFE))
    return _Belief(floor + (belief.known - floor) * kept, belief.care)


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))


def _from_log_odds(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _undated(outcomes: Sequence[bool]) -> list[Evidence]:
    return [Evidence(is_correct=outcome, answered_at=_LONG_AGO) for outcome in outcomes]
