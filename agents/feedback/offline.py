"""What the feedback says without a large model, and the outcome that it tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agents.language.words import bold, capital, joined, pick
from agents.teaching.mastery import THRESHOLD, TopicMastery
from agents.teaching.mistakes import in_a_row
from agents.teaching.thresholds import goal, in_words, is_enough, to_go
from agents.teaching.values import Difficulty, ErrorPattern, QuizQuestion, QuizResponse
from agents.turn import CycleOutcome

MOST_WORDS = 120

_MOST_NAMED = 3
_MOST_PATTERNS = 2
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# What somebody can do who gets questions of a difficulty right, on one concept and on several.
_ABILITY: Mapping[Difficulty, tuple[str, str]] = {
    "easy": ("say what {} means", "say what {} mean"),
    "medium": ("work with {}", "work with {}"),
    "hard": ("explain the why behind {}", "explain the why behind {}"),
}
_HARDEST_FIRST: Sequence[Difficulty] = ("hard", "medium", "easy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One finished quiz, with everything there is to say about it."""

    topic: str
    questions: Sequence[QuizQuestion]
    responses: Sequence[QuizResponse]
    mastery: TopicMastery
    threshold: float = THRESHOLD
    to_go: int | None = 0  # right answers until it is mastered
    patterns: Sequence[ErrorPattern] = ()
    areas: Sequence[str] = ()  # concepts to work on, most needed first
    gaps: Sequence[str] = ()  # of them, what was missed; the others only want another answer
    cycle: int = 1
    max_cycles: int = 5
    next_topic: str = ""
    left: str = ""  # where another lesson was left, if that is what comes next
    places: Mapping[str, str] = field(default_factory=dict)  # chunk id -> 'title › heading'

    @property
    def is_mastered(self) -> bool:
        return is_enough(self.mastery.score, threshold=self.threshold)

    @property
    def outcome(self) -> CycleOutcome:
        if self.is_mastered:
            return "mastered"
        return "limit" if self.cycle >= self.max_cycles else "repeated"

    @property
    def right(self) -> list[QuizQuestion]:
        correct = {response.question_id: response.is_correct for response in self.responses}
        return [question for question in self.questions if correct.get(question.question_id)]

    @property
    def held(self) -> list[str]:
        """The concepts on which nothing was missed."""
        right = [question.concept_name for question in self.right]
        missed = {question.concept_name for question in self.questions if question not in self.right}
        return [name for name in dict.fromkeys(right) if name not in missed]

    @property
    def to_study(self) -> list[QuizQuestion]:
        """The questions whose mistakes are more than slips."""
        asked = {question.question_id: question for question in self.questions}
        names = [
            name
            for pattern in self.patterns
            if pattern.pattern_type != "careless"
            for name in pattern.affected_questions
        ]
        return [asked[name] for name in names if name in asked]


def feedback_text(finished: Round) -> str:
    """Warm, concrete and short; the same round always gets the same words."""
    text = _told(finished, most=_MOST_PATTERNS)
    return text if len(text.split()) <= MOST_WORDS else _told(finished, most=1)


def practice_text(
    questions: Sequence[QuizQuestion], responses: Sequence[QuizResponse], *, places: Mapping[str, str]
) -> str:
    """How practice went, where what was missed is taught, and the way to do it again."""
    asked = {each.question_id: each for each in questions}
    right = sum(each.is_correct for each in responses)
    missed = [
        asked[each.question_id] for each in responses if not each.is_correct and each.question_id in asked
    ]
    score = f"**{right} of {len(responses)} right.** That was the practice; it counts like any answer."
    if not missed:
        return f"{score} Say **more practice** or name a topic to go on."
    shown = list(dict.fromkeys(_taught_in(each, places) for each in missed))[:_MOST_NAMED]
    return f"{score} To read again: {joined(shown)}. Say **only what I got wrong** to try those once more."


def _taught_in(question: QuizQuestion, places: Mapping[str, str]) -> str:
    place = places.get(question.chunk_id)
    return f"**{question.concept_name}** ({place})" if place else f"**{question.concept_name}**"


def score_line(finished: Round) -> str:
    """The figures, which no model words."""
    right, asked = len(finished.right), len(finished.questions)
    return f"**{right} of {asked} right.** {_standing(finished)}".rstrip()


def what_comes_next(finished: Round) -> str:
    says = {"mastered": _next_topic, "limit": _remediation_offer, "repeated": _next_round}
    return says[finished.outcome](finished)


def _told(finished: Round, *, most: int) -> str:
    if finished.outcome == "mastered":
        shown = [_praise(finished), _slip(finished)]
    elif finished.outcome == "limit":
        shown = [_confusions(finished, most=1), _standing(finished)]
    else:
        shown = [_confusions(finished, most=most), _read_again(finished, most=most), _standing(finished)]
    return " ".join(part for part in (_score(finished), *shown, what_comes_next(finished)) if part)


def _score(finished: Round) -> str:
    """What was right, first."""
    right, asked = len(finished.right), len(finished.questions)
    names = bold(finished.held)
    if asked == 1:
        return "That was right." if right else "Not this time, and that is useful: now we know where to look."
    if not right:
        return _say(
            finished,
            f"None of the {_number(asked)} this time, and that is useful: now we know where to look.",
            f"That was a hard round, {_number(asked)} misses. Good that it shows here and not later.",
        )
    if right == asked:
        return _say(
            finished,
            f"{capital(_number(right))} of {_number(asked)}: every answer right.",
            f"All {_number(asked)} right.",
            f"A clean round: {_number(right)} of {_number(asked)}.",
        )
    if not names:
        return f"{capital(_number(right))} of {_number(asked)} right, so a part of it is there."
    named, is_one = joined(names, most=_MOST_NAMED), len(names) == 1
    return _say(
        finished,
        f"You got {_number(right)} of {_number(asked)}, and {named} {'sits' if is_one else 'sit'} well.",
        f"{capital(_number(right))} of {_number(asked)} right: your answers on {named} were good.",
        f"{named} {'is' if is_one else 'are'} in place, {_number(right)} of {_number(asked)} right.",
    )


def _praise(finished: Round) -> str:
    """What the learner can do now, by the hardest question that each concept was got right on."""
    best: dict[str, Difficulty] = {}
    for question in finished.right:
        before = best.get(question.concept_name, "easy")
        best[question.concept_name] = min(before, question.difficulty, key=_HARDEST_FIRST.index)
    shown = sorted(best, key=lambda name: _HARDEST_FIRST.index(best[name]))[:_MOST_NAMED]
    deeds = []
    for difficulty in _HARDEST_FIRST:
        names = bold([name for name in shown if best[name] == difficulty])
        if names:
            deeds.append(_ABILITY[difficulty][len(names) > 1].format(joined(names)))
    odds = f"about {_number(min(9, round(finished.mastery.score * 10)))} in ten"
    chance = f"I'd expect {odds} of your next answers on it to be right."
    return f"You can now {', and '.join(deeds)}. {chance}" if deeds else ""


def _standing(finished: Round) -> str:
    """How far it is, and how much further; what is mastered says so itself."""
    if finished.is_mastered:
        return ""
    left, weakest = to_go(finished.to_go, threshold=finished.threshold), finished.mastery.weakest
    if weakest and not finished.mastery.per_concept[weakest].evidence_count:
        return f"**{weakest}** was not answered yet: {left} ({goal(finished.threshold)})."
    return f"Mastery of {finished.topic}: {in_words(finished.mastery.score, threshold=finished.threshold)}; {left}."


def _slip(finished: Round) -> str:
    if not finished.patterns:
        return ""
    return f"One thing to keep an eye on: {_lowered(finished.patterns[0].description)}"


def _next_topic(finished: Round) -> str:
    done = f"**{finished.topic}** is mastered ({in_words(finished.mastery.score, threshold=finished.threshold)})."
    if not finished.next_topic:
        return f"{done} Nothing else is open on your path: tell me what you would like next."
    if finished.left:
        return f"{done} You left **{finished.next_topic}** in {finished.left}. Shall we go on there?"
    return _say(
        finished,
        f"{done} Next comes **{finished.next_topic}**. Shall we?",
        f"{done} Ready for **{finished.next_topic}**?",
    )


def _confusions(finished: Round, *, most: int) -> str:
    return in_a_row(pattern.description for pattern in finished.patterns[:most])


def _read_again(finished: Round, *, most: int) -> str:
    """The passages behind the mistakes, in the order of need."""
    found = dict.fromkeys(finished.places.get(question.chunk_id, "") for question in finished.to_study)
    places = [f"*{place}*" for place in found if place][:most]
    if not places:
        return ""
    return _say(
        finished,
        f"Worth reading again: {joined(places)}.",
        f"Have another look at {joined(places)}.",
    )


def _next_round(finished: Round) -> str:
    deep = {question.concept_name for question in finished.to_study}
    studied = [name for name in finished.areas if name in deep][:2]
    if not studied:
        unsure = f"**{(*finished.areas, finished.mastery.weakest, finished.topic)[0]}**"
        return f"I'd like to be surer about {unsure}, so a few more questions on that."
    return _say(
        finished,
        f"I'll now explain {joined(bold(studied))} another way, and then ask again.",
        f"Next I come at {joined(bold(studied))} from another side, with new questions.",
    )


def _remediation_offer(finished: Round) -> str:
    weak = bold(list(finished.areas[:1]) or [finished.mastery.weakest or finished.topic])
    if len(finished.right) == len(finished.questions):
        return (
            f"Over {_number(finished.cycle)} rounds I am not sure of {weak[0]} yet, but this one is a good sign. Say "
            f"**teach me {finished.topic}** for another go, or shall I lay out a short path through what it builds on?"
        )
    return (
        f"We have been at **{finished.topic}** for {_number(finished.cycle)} rounds, and {weak[0]} does not hold yet. "
        "More of the same won't help, and it is not for lack of effort: usually something below it is missing. "
        "Shall I lay out a short path through what it builds on?"
    )


def _say(finished: Round, *choices: str) -> str:
    return pick(choices, key=f"{finished.topic}/{finished.cycle}/{len(finished.right)}")


def _number(count: int) -> str:
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def _lowered(sentence: str) -> str:
    return (
        sentence[:1].lower() + sentence[1:]
        if sentence.startswith(("You ", "Your ", "A ", "Part "))
        else sentence
    )
