"""Does mastery mean what it says? Simulated learners work through a topic, and their true state is compared."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import get_args

from agents.teaching.evidence import CHOICES, Evidence
from agents.teaching.mastery import (
    THRESHOLD,
    ConceptMastery,
    Parameters,
    TopicMastery,
    course_mastery,
    topic_mastery,
)
from agents.teaching.thresholds import is_enough
from agents.teaching.values import Difficulty, QuestionKind
from evals.simulation.learners import PROFILES, TRUE_GUESS, Learner

SURE_CHANCE = 0.75  # a master whose true chance is below this was called one too early
_QUIZ = 4
_MOST_CYCLES = 5
_MOST_A_CONCEPT = 3
_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_KINDS: Sequence[QuestionKind] = get_args(QuestionKind)
_DIFFICULTIES: Sequence[Difficulty] = get_args(Difficulty)

Judge = Callable[[Mapping[str, Sequence[Evidence]], datetime], TopicMastery]


@dataclass(slots=True)
class MasteryFigures:
    """What was said and what was true, for every concept at the end of every quiz."""

    said: list[float] = field(default_factory=list)
    true: list[float] = field(default_factory=list)
    master_said: list[float] = field(default_factory=list)  # concepts of topics that were declared mastered
    master_true: list[float] = field(default_factory=list)
    topics: int = 0
    topics_mastered: int = 0
    questions: int = 0  # of the topics that were mastered

    @property
    def mastered_too_early(self) -> float:
        return sum(chance < SURE_CHANCE for chance in self.master_true) / max(1, len(self.master_true))

    @property
    def questions_a_mastered_concept(self) -> float:
        return self.questions / max(1, len(self.master_true))

    def calibration_error(self, *, bins: int = 20) -> float:
        """How far what was said is from what was true, on average over the bins."""
        sums: dict[int, float] = {}
        for said, true in zip(self.said, self.true, strict=True):
            place = min(bins - 1, int(said * bins))
            sums[place] = sums.get(place, 0.0) + said - true
        return sum(map(abs, sums.values())) / max(1, len(self.said))


def run_topics(
    topics: int,
    *,
    concepts: int,
    seed: int,
    judge: Judge | None = None,
    kinds: Sequence[QuestionKind] = _KINDS,
) -> MasteryFigures:
    """Let many learners study one topic each, and compare what was said of them with the truth."""
    rng = random.Random(seed)
    figures = MasteryFigures()
    for number in range(topics):
        profile = PROFILES[number % len(PROFILES)]
        names = [f"concept {place}" for place in range(concepts)]
        known = [name for name in names if rng.random() < profile.knows]
        learner = Learner(profile, rng=rng, known=known)
        _study(learner, names, rng=rng, judge=judge or by_the_model(), kinds=kinds, figures=figures)
    return figures


def by_the_model(parameters: Parameters | None = None) -> Judge:
    """The judgement that opens the gate in the app, with these parameters."""

    def judge(evidence: Mapping[str, Sequence[Evidence]], now: datetime) -> TopicMastery:
        return topic_mastery(course_mastery(evidence, now=now, parameters=parameters), evidence)

    return judge


def plain_share(evidence: Mapping[str, Sequence[Evidence]], now: datetime) -> TopicMastery:
    """What many tutors do, to compare with: the share of right answers, and nothing else."""
    per_concept = {
        name: ConceptMastery(
            score=_share(answers),
            evidence_count=len(answers),
        )
        for name, answers in evidence.items()
    }
    score = _share([answer for answers in evidence.values() for answer in answers])
    return TopicMastery(score=score, weakest="", per_concept=per_concept)


def _share(answers: Sequence[Evidence]) -> float:
    return sum(answer.is_correct for answer in answers) / max(1, len(answers))


def _study(
    learner: Learner,
    names: Sequence[str],
    *,
    rng: random.Random,
    judge: Judge,
    kinds: Sequence[QuestionKind],
    figures: MasteryFigures,
) -> None:
    evidence: dict[str, list[Evidence]] = {name: [] for name in names}
    now = _START
    figures.topics += 1
    for cycle in range(_MOST_CYCLES):
        standing = judge(evidence, now)
        for name in names:
            learner.is_taught(name)
        for name in _quiz(standing.per_concept, rng=rng):
            now += timedelta(minutes=1)
            is_unproven = bool(evidence[name]) and all(each.is_choice for each in evidence[name])
            fitting = [kind for kind in kinds if kind not in CHOICES] if is_unproven else kinds
            answer = _ask(learner, name, now=now, rng=rng, kinds=fitting or kinds)
            evidence[name].append(replace(answer, topic="topic", lesson=str(cycle), round=cycle + 1))
        standing = judge(evidence, now)
        true = [learner.chance(name, guess=TRUE_GUESS["multiple_choice"]) for name in names]
        said = [standing.per_concept[name].score for name in names]
        figures.said += said
        figures.true += true
        if is_enough(standing.score, threshold=THRESHOLD):
            figures.master_said += said
            figures.master_true += true
            figures.topics_mastered += 1
            figures.questions += sum(map(len, evidence.values()))
            return


def _ask(
    learner: Learner, name: str, *, now: datetime, rng: random.Random, kinds: Sequence[QuestionKind]
) -> Evidence:
    kind, difficulty = rng.choice(kinds), rng.choice(_DIFFICULTIES)
    is_correct = learner.answers(name, guess=TRUE_GUESS[kind])
    if not is_correct:
        learner.is_corrected(name)
    return Evidence(is_correct=is_correct, answered_at=now, kind=kind, difficulty=difficulty)


def _quiz(standing: Mapping[str, ConceptMastery], *, rng: random.Random) -> list[str]:
    """Four questions: the weakest concepts first, each at most three times, and everything at least once."""
    unasked = [name for name, concept in standing.items() if concept.evidence_count == 0]
    weakest = sorted(standing, key=lambda name: standing[name].score)
    if unasked:
        asked = [unasked[place % len(unasked)] for place in range(_QUIZ)]
    else:
        weak = [
            name for name in weakest if not is_enough(standing[name].score, threshold=THRESHOLD)
        ] or weakest
        asked = [weak[place % len(weak)] for place in range(min(_QUIZ, _MOST_A_CONCEPT * len(weak)))]
        asked += weakest[-1:] * (_QUIZ - len(asked))
    rng.shuffle(asked)
    return asked
