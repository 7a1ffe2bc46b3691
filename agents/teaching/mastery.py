"""Mastery: the chance that a learner gets the next question on a concept right. What is mastered is a comparison.

What the number means. It is a forecast about the next ordinary question (medium, of any kind) on the
concept, made only from the learner's own graded answers. It begins with a belief in three parts:

- *known*: how likely it is that the learner has the idea. Every answer moves it by Bayes' rule: a right
  answer by how much likelier it is from somebody who knows (slips are rare) than from somebody who guesses
  (half of all true/false questions can be guessed), a wrong answer the other way round. Questions teach a
  little (LEARN), another explanation teaches more (LESSON), and nothing is ever certain (DOUBT), so later
  answers count more than earlier ones. What was learnt fades with time, slowly: bringing it back in time is
  the business of the reviews.
- *care*: how rarely this learner slips on what they know. Somebody new slips once in SLIPS_ONE_IN answers;
  right answers pile up to less, and a wrong one halves the pile.
- *misses*: how rarely they are lucky with what they do not know. Somebody new guesses one in GUESSES_ONE_IN;
  wrong answers pile up to less, and to less learnt from each; a right one halves the pile.

    chance = luck + known · (1 - slip - luck)

All three, and the tally beside them, are folded answer by answer into a small state (agents.teaching.running).

Both piles have no end: with right answers alone the chance comes as near to 1 as anybody likes, with wrong
ones as near to 0. In public logs of 16,000 students so many wrong answers in a row are followed by a right one:
1 49%, 2 36%, 4 21%, 8 12%, 15 6%, 28 4%.

What counts less: what can be guessed (GUESS, by kind), a right answer after hints, one that the learner marked
themselves or that nobody was sure of, the same question again (all in `weight`, see agents.teaching.evidence),
a near miss, and what is old. What counts more: "I don't know", which is no guess.

What mastered means. `is_enough`: the chance reaches the threshold, and nothing else. That evidence is thin is in
the chance: nobody knows yet how often this learner slips, so three right answers are at most .84; care on other
concepts vouches for no more than the concept's own answers do, so one right answer stays below .83; and what can
only be picked (CHOICES) shows that the idea is there with at most MOST_BY_CHOICE, so choices alone stay below .85.
Where the course's author asks for numbers (QUANTITATIVE), right words leave open whether the learner can work it out:
until the first right number that is as likely as before any answer, and the chance at most .69.
A topic is as good as its weakest concept, and one that was not answered yet is at 0.

It calibrates itself. An installation's own answers may say that its learners slip more, or guess better, than
was assumed. `fit` finds Parameters with which the belief, the share of right answers, the share of late, their
numbers and the last run are weighed together (a logistic); without any, the belief stands as it is. No weight
is below zero and every signal rises with a right answer, so no right answer ever lowers the chance and no wrong
one raises it, wherever in the series it stands, fitted or not. (Before the first answer, when a fit has a weight
of its own, the chance is kept between those after a wrong and after a right one. An answer that turns out to be the
first after an explanation says one thing more: when that was.)
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

from agents.teaching.belief import PRIOR, Belief, after, from_log_odds, log_odds
from agents.teaching.evidence import Evidence, lesson_key
from agents.teaching.running import MOST_SHARED, NO_ANSWERS, ConceptState, Tally
from agents.teaching.thresholds import HIGHEST, MOST_COUNTED, is_enough

THRESHOLD = 0.85

# Concepts of one topic are taught together, so answers on one say something about the others.
SHARED = 1.0  # of the others' evidence

_OUTVOTES_A_FIT = 20.0  # right answers in a row: from then on they say more than what others have answered

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


UNFITTED = Parameters()
WEIGHED = tuple(each.name for each in fields(Parameters) if each.name != "bias")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastSignals:
    """What a forecast is made from; all but the last rise with a right answer and fall with a wrong one."""

    least: float  # that so many right answers in a row, and
    most: float  # that so few answers allow to be said, whatever was fitted
    belief: float  # the log odds of the chance that the belief gives
    recent: float  # the share of right answers, where the latest count most, around zero
    share: float
    right: float  # how many, in logarithms
    wrong: float
    run: float  # of right answers at the end
    misses: float  # wrong ones at the end
    unasked: float  # 1 before the first answer, which is often another matter than the later ones

    def chance(self, parameters: Parameters) -> float:
        weighed = (getattr(parameters, name) * getattr(self, name) for name in WEIGHED)
        said = from_log_odds(parameters.bias + math.fsum(weighed))
        return min(HIGHEST, self.most, max(self.least, said))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptMastery:
    """Where a learner stands with one concept."""

    score: float
    evidence_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMastery:
    """Where a learner stands with a topic: as good as with its weakest concept."""

    score: float
    weakest: str
    per_concept: Mapping[str, ConceptMastery]


UNASKED = ConceptMastery(score=0.0, evidence_count=0)  # nothing was shown yet, whatever the forecast


def next_answer_probability(outcomes: Sequence[bool], *, parameters: Parameters | None = None) -> float:
    """The chance that the next answer is right, after these (oldest first)."""
    course = CourseStanding.of({"": _undated(outcomes)}, now=_LONG_AGO)
    return course.signals("").chance(parameters or UNFITTED)


def is_mastered(
    outcomes: Sequence[bool], *, threshold: float = THRESHOLD, parameters: Parameters | None = None
) -> bool:
    """Whether that chance reaches the threshold."""
    return is_enough(next_answer_probability(outcomes, parameters=parameters), threshold=threshold)


def fit(series: Sequence[Sequence[bool]]) -> Parameters:
    """The parameters that forecast these series best, each one learner's answers on one concept, oldest first."""
    from agents.teaching.calibration import fitted  # numpy only where something is fitted

    return fitted([forecast for outcomes in series for forecast in walk(outcomes)])


def concept_mastery(
    evidence: Sequence[Evidence], *, now: datetime, parameters: Parameters | None = None
) -> ConceptMastery:
    """Where a learner stands with a concept, from the answers on it alone."""
    return CourseStanding.of({"": evidence}, now=now, parameters=parameters).concept("")


def course_mastery(
    evidence: Mapping[str, Sequence[Evidence]], *, now: datetime, parameters: Parameters | None = None
) -> dict[str, ConceptMastery]:
    """Every concept that was asked about, each among those that shared a topic with it."""
    course = CourseStanding.of(evidence, now=now, parameters=parameters)
    return {name: course.concept(name) for name in evidence}


def topic_mastery(mastery: Mapping[str, ConceptMastery], names: Iterable[str]) -> TopicMastery:
    """A topic of these concepts, by what the course's mastery says of each: it counts as its weakest."""
    per_concept = {name: mastery.get(name, UNASKED) for name in names}
    weakest = min(per_concept, key=lambda name: (per_concept[name].score, name), default="")
    score = per_concept.get(weakest, UNASKED).score
    return TopicMastery(score=score, weakest=weakest, per_concept=per_concept)


def right_answers_to_go(
    evidence: Mapping[str, Sequence[Evidence]],
    names: Iterable[str],
    *,
    now: datetime,
    threshold: float = THRESHOLD,
    topic: str = "",
    round: int | None = None,
    parameters: Parameters | None = None,
) -> int | None:
    """How many ordinary questions answered right, always on the weakest, bring all these concepts to the threshold.

    They come after the explanation of that round on the topic, or after none. None: more than anybody counts.
    """
    course = CourseStanding.of(evidence, now=now, parameters=parameters)
    return course.to_go(names, threshold=threshold, topic=topic, round=round)


def fewest_right_answers(
    concepts: int, *, most: int, threshold: float = THRESHOLD, parameters: Parameters | None = None
) -> int | None:
    """How many right answers to ordinary questions master a topic of so many concepts; None if so many do not."""
    names, now = [str(place) for place in range(concepts)], _LONG_AGO
    found = right_answers_to_go({}, names, now=now, threshold=threshold, topic="topic", parameters=parameters)
    return found if found is not None and found <= most else None


def walk(outcomes: Sequence[bool]) -> Iterator[tuple[ForecastSignals, bool]]:
    """What there was to go by before each answer of a bare series, and how it came out."""
    belief, tally = Belief(PRIOR), Tally()
    for answer in _undated(outcomes):
        yield _signals(tally, belief), answer.is_correct
        belief, tally = after(belief, answer), tally.plus(answer)


def _signals(tally: Tally, belief: Belief, *, more_care: float = 0.0) -> ForecastSignals:
    most = 1 - belief.slip(more_care=more_care)
    if tally.asks_more and not tally.worked_out:
        most = replace(belief, known=PRIOR).chance(more_care=more_care)
    return ForecastSignals(
        least=min(most, tally.run / (tally.run + _OUTVOTES_A_FIT)),
        most=most,
        belief=log_odds(belief.chance(more_care=more_care)),
        recent=tally.recent - 0.5,
        share=(tally.right + 1) / (tally.right + tally.wrong + 2) - 0.5,
        right=math.log1p(tally.right),
        wrong=-math.log1p(tally.wrong),
        run=math.log1p(tally.run),
        misses=-math.log1p(tally.misses),
        unasked=float(not tally.right and not tally.wrong),
    )


class CourseStanding:
    """Where a learner stands with every concept of a course at one moment, by what is kept of their answers."""

    def __init__(
        self, states: Mapping[str, ConceptState], *, now: datetime, parameters: Parameters | None = None
    ) -> None:
        self._states = {name: state for name, state in states.items() if state.answers}
        self._now = now
        self._parameters = parameters or UNFITTED
        self._of_topic: dict[str, list[str]] = {}
        for name, state in self._states.items():
            for topic in state.topics:
                self._of_topic.setdefault(topic, []).append(name)
        self._alone: dict[str, _Neighbour] = {}
        self._together: dict[frozenset[str], _Neighbour] = {}
        self._found: dict[str, ConceptMastery] = {}

    @classmethod
    def of(
        cls,
        evidence: Mapping[str, Sequence[Evidence]],
        *,
        now: datetime,
        parameters: Parameters | None = None,
    ) -> "CourseStanding":
        """The same by a replay of the answers."""
        states = {name: ConceptState.of(answers) for name, answers in evidence.items()}
        return cls(states, now=now, parameters=parameters)

    def concepts(self) -> dict[str, ConceptMastery]:
        """Every concept that was asked about."""
        return {name: self.concept(name) for name in self._states}

    def concept(self, name: str) -> ConceptMastery:
        state = self._states.get(name, NO_ANSWERS)
        if not state.answers:
            return UNASKED
        if name not in self._found:
            score = self.signals(name).chance(self._parameters)
            self._found[name] = ConceptMastery(score=score, evidence_count=state.answers)
        return self._found[name]

    def signals(self, name: str) -> ForecastSignals:
        """What the answers on a concept say, with some weight lent by those on the others."""
        return self._signals(self._states.get(name, NO_ANSWERS), self._beside(name))

    def _signals(self, state: ConceptState, beside: "_Neighbour") -> ForecastSignals:
        belief = state.belief(_lent(beside), now=self._now)
        return _signals(state.tally_at(self._now), belief, more_care=beside.care)

    def to_go(
        self,
        names: Iterable[str],
        *,
        threshold: float = THRESHOLD,
        topic: str = "",
        round: int | None = None,
    ) -> int | None:
        """How many more right answers it takes until all of these are at the threshold; see `right_answers_to_go`."""
        names = list(dict.fromkeys(names))
        if len(names) == 1:
            return self._one_to_go(names[0], threshold=threshold, topic=topic, round=round)
        ahead = CourseStanding(self._states, now=self._now, parameters=self._parameters)
        return ahead.answered_up_to(names, threshold=threshold, topic=topic, round=round)

    def _one_to_go(self, name: str, *, threshold: float, topic: str, round: int | None) -> int | None:
        """What the others lend to the one will not change meanwhile, so only that is followed."""
        beside = self._beside(name)
        state = self._states.get(name, NO_ANSWERS).narrowed(_lent(beside))
        for count in range(MOST_COUNTED + 1):
            score = self._signals(state, beside).chance(self._parameters) if state.answers else UNASKED.score
            if is_enough(score, threshold=threshold):
                return count
            if threshold > HIGHEST:
                break
            state = state.plus(self._right_answer(state, topic=topic, round=round))
        return None

    def answered_up_to(
        self, names: Sequence[str], *, threshold: float, topic: str, round: int | None
    ) -> int | None:
        """Take right answers to the weakest of these until all are at the threshold; how many it took."""
        for count in range(MOST_COUNTED + 1):
            found = topic_mastery({name: self.concept(name) for name in names}, names)
            if is_enough(found.score, threshold=threshold):
                return count
            if not names or threshold > HIGHEST:
                break
            own = self._states.get(found.weakest, NO_ANSWERS)
            self._states[found.weakest] = own.plus(self._right_answer(own, topic=topic, round=round))
            self._alone.pop(found.weakest, None)
            self._together.clear()
            self._found.clear()
            if topic and found.weakest not in (of_topic := self._of_topic.setdefault(topic, [])):
                of_topic.append(found.weakest)
        return None

    def _right_answer(self, own: ConceptState, *, topic: str, round: int | None) -> Evidence:
        """To an ordinary question that is asked now."""
        lesson = lesson_key(topic, round) if round is not None else min(own.lessons, default="")
        return Evidence(is_correct=True, answered_at=self._now, topic=topic, lesson=lesson, round=round or 1)

    def _beside(self, name: str) -> "_Neighbour":
        """What the concepts show together that were asked about in a topic with this one."""
        topics = self._states.get(name, NO_ANSWERS).topics
        if not topics:
            return _NOBODY
        if topics not in self._together:
            names = {other for topic in topics for other in self._of_topic[topic]}
            shown = [self._shown(other) for other in names]
            self._together[topics] = _Neighbour(
                math.fsum(each.lends for each in shown), math.fsum(each.care for each in shown)
            )
        own, all_ = self._shown(name), self._together[topics]
        return _Neighbour(all_.lends - own.lends, max(0.0, all_.care - own.care))

    def _shown(self, name: str) -> "_Neighbour":
        if name not in self._alone:
            belief = self._states[name].belief(now=self._now)
            self._alone[name] = _Neighbour(log_odds(belief.known) - log_odds(PRIOR), belief.care)
        return self._alone[name]


@dataclass(frozen=True, slots=True)
class _Neighbour:
    """What the answers on a concept, or on several, say about others."""

    lends: float  # in log odds
    care: float


_NOBODY = _Neighbour(0.0, 0.0)


def _lent(beside: _Neighbour) -> float:
    return max(-MOST_SHARED, min(MOST_SHARED, SHARED * beside.lends))


def _undated(outcomes: Sequence[bool]) -> list[Evidence]:
    return [Evidence(is_correct=outcome, answered_at=_LONG_AGO) for outcome in outcomes]
