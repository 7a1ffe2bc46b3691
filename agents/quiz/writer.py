"""A lesson's questions by a large model: read strictly, and what is not usable goes back once, named."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field, ValidationError

from agents.briefing import CHARS_A_TOKEN, clip, fenced
from agents.language.words import content_set, likeness, same_text
from agents.models.jsontext import read_json
from agents.repair import SpokenSentence, numbers_of, share
from agents.teaching.questions.bank import Wanted, compose
from agents.teaching.questions.base import item_id
from agents.teaching.questions.writing import MOST_PER_CONCEPT, gives_itself_away, write_items
from agents.teaching.values import Concept, Difficulty, Item, QuestionKind, QuizQuestion, RetrievalResult
from agents.turn import Repair


class WriteBrief(BaseModel):
    """Which questions to write, from which passages."""

    concepts: tuple[Concept, ...]
    count: int
    difficulties: tuple[Difficulty, ...]
    topic: tuple[str, ...]
    focus: tuple[str, ...]
    missed: tuple[str, ...]
    unproven: tuple[str, ...]
    avoid: tuple[str, ...]
    never: tuple[str, ...] = ()  # taken out by a teacher
    told: str
    elsewhere: tuple[str, ...] = ()
    guides: tuple[str, ...] = ()
    seed: int
    passages: tuple[RetrievalResult, ...]
    bank: tuple[Item, ...] = ()  # what the course keeps of questions about it
    examples: tuple[QuizQuestion, ...] = ()  # of the author's: how they ask, and how deep
    near: tuple[RetrievalResult, ...] = ()  # the passages whose questions these are

    @property
    def wanted(self) -> Wanted:
        return Wanted(
            count=self.count,
            topic=self.topic,
            focus=self.focus,
            missed=self.missed,
            unproven=self.unproven,
            difficulties=self.difficulties,
            avoid=self.avoid,
            never=self.never,
        )


_NOT_FOR_CODE = ("bank", "near", "examples")


def own_items(brief: WriteBrief) -> list[QuizQuestion]:
    """The questions of the bank, its author's first, and beside them those that code writes."""
    writing = {name: value for name, value in brief if name not in _NOT_FOR_CODE}
    return compose(
        brief.bank,
        brief.near,
        wanted=brief.wanted,
        fill=lambda taken: write_items(**writing, taken=taken),
    )


_GAP = re.compile(r"_{2,}|…{2,}|\[\s*\]|\[\.\.\.\]")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*")
_MOST_OPTIONS = 6
_LONGER, _MORE_WORDS = 1.6, 4  # than the longest wrong option: then its length tells
_ALIKE = 0.85  # of the words of two questions, that they share
_SWEEPING = re.compile(
    r"(?:all|none|both|neither) of (?:the (?:above|other|options|following)|these|them)\b|(?:both )?[A-F] and [A-F]$",
    re.IGNORECASE,
)
_FEWEST_POINTS, _MOST_POINTS = 2, 4


class WrittenItem(BaseModel):
    """One question as a model writes it."""

    question_text: str = Field(min_length=8)
    concept_name: str
    kind: QuestionKind
    expected_answer: str = Field(min_length=1)
    difficulty: Difficulty = "medium"
    options: list[str] = []
    whys: list[str] = []  # one to each option: why it is right, or wrong
    points: list[str] = []  # of the answer
    passage: int = 0
    source_context: str = ""


class LooseQuiz(BaseModel):
    """Questions of which each is read by itself, so that a broken one costs only itself."""

    items: list[dict[str, object]]


def read_items(reply: LooseQuiz) -> list[WrittenItem]:
    """The items that can be read."""
    return [item for each in reply.items if isinstance(item := read_item(each), WrittenItem)]


def read_item(proposed: Mapping[str, object]) -> WrittenItem | str:
    """One item, or what is wrong with it."""
    try:
        return WrittenItem.model_validate(proposed)
    except ValidationError as err:
        return f"{'.'.join(map(str, err.errors()[0]['loc']))} is missing or not what it should be"


def question_of(
    item: WrittenItem,
    passages: Sequence[RetrievalResult],
    *,
    concepts: Sequence[str],
    earlier: Sequence[str] = (),
    seed: int = 0,
) -> QuizQuestion | str:
    """The question as it is asked, or what is wrong with it."""
    wrong = _structure(item) or _repeats(item, earlier)
    if wrong:
        return wrong
    passage = _passage(item, passages)
    if passage is None:
        return "no passage holds its answer"
    concept = _concept(item, concepts)
    if concept is None:
        return "concept_name is none of the listed concepts"
    told = numbers_of(f"{passage.chunk_text} {item.question_text} {' '.join(concepts)}")
    if any(number.replace(",", ".") not in told for number in _NUMBER.findall(item.expected_answer)):
        return "its answer has a number that its passage does not have"
    options = [option.strip() for option in item.options] if item.kind == "multiple_choice" else []
    whys = [why.strip() for why in item.whys] if len(item.whys) == len(options) else [""] * len(options)
    choices = list(zip(options, whys, strict=True))
    random.Random(f"{seed} {item.question_text}").shuffle(choices)
    made = QuizQuestion(
        question_id=item_id(
            chunk_id=passage.chunk_id, concept=concept, kind=item.kind, text=item.question_text
        ),
        question_text=item.question_text.strip(),
        concept_name=concept,
        difficulty=item.difficulty,
        kind=item.kind,
        options=tuple(option for option, _ in choices),
        whys=tuple(why for _, why in choices) if any(whys) else (),
        points=_points(item),
        expected_answer=_expected(item),
        source_context=item.source_context.strip() or passage.chunk_text,
        chunk_id=passage.chunk_id,
        origin="model",
    )
    return "its words lead to the answer" if _leads_to_it(made) else made


def _leads_to_it(question: QuizQuestion) -> bool:
    """Whether all that only the right answer says stands in the question already."""
    if question.kind != "multiple_choice":
        return gives_itself_away(question)
    wrong = (content_set(each) for each in question.options if each != question.expected_answer)
    own = content_set(question.expected_answer).difference(*wrong)
    return bool(own) and own <= content_set(question.question_text)


def _structure(item: WrittenItem) -> str:
    if item.kind == "multiple_choice":
        return _choices([option.strip() for option in item.options], item.expected_answer.strip())
    if item.kind == "true_false" and item.expected_answer.strip().lower() not in ("true", "false"):
        return "expected_answer must be true or false"
    if item.kind == "cloze" and not _GAP.search(item.question_text):
        return "a cloze needs ____ in the place of its term"
    if item.kind not in ("short_answer", "true_false", "cloze"):
        return "questions of this kind are not wanted"
    return "it gives its answer away" if item.kind != "true_false" and _gives_away(item) else ""


def _choices(options: Sequence[str], right: str) -> str:
    """Different options, one of them right, which neither its length nor its sweep tells from the others."""
    if not 3 <= len(options) <= _MOST_OPTIONS or len(set(map(same_text, options))) != len(options):
        return "multiple_choice needs four different options"
    if options.count(right) != 1:
        return "expected_answer is none of the options"
    if any(_SWEEPING.match(option) for option in options):
        return "an option speaks of the other options"
    longest = max(len(option.split()) for option in options if option != right)
    if len(right.split()) > max(_LONGER * longest, longest + _MORE_WORDS):
        return "the right option is much longer than the others"
    return ""


def _gives_away(item: WrittenItem) -> bool:
    answer = item.expected_answer.strip().lower().rstrip(".")
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", item.question_text.lower()))


def _repeats(item: WrittenItem, earlier: Sequence[str]) -> str:
    """Whether it was asked in these words, or in nearly these."""
    said = same_text(item.question_text)
    is_same = any(said == same_text(text) or likeness(item.question_text, text) >= _ALIKE for text in earlier)
    return "it was asked before" if is_same else ""


def _passage(item: WrittenItem, passages: Sequence[RetrievalResult]) -> RetrievalResult | None:
    """The one that it names, unless another clearly holds what it quotes."""
    quoted = SpokenSentence(item.source_context or item.expected_answer)
    shares = [share(quoted, passage) for passage in passages]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    named = item.passage - 1
    if 0 <= named < len(passages) and (best is None or shares[named] >= 0.5 * shares[best]):
        return passages[named]
    return passages[best] if best is not None and shares[best] > 0 else None


def _concept(item: WrittenItem, concepts: Sequence[str]) -> str | None:
    by_name = {name.lower(): name for name in concepts}
    said = item.concept_name.strip().lower()
    if said in by_name or not concepts:
        return by_name.get(said, item.concept_name)
    words = f"{item.question_text} {item.expected_answer}".lower()
    return next((name for lower, name in by_name.items() if lower in said or lower in words), None)


def _expected(item: WrittenItem) -> str:
    answer = item.expected_answer.strip()
    return answer.lower() if item.kind == "true_false" else answer


def _points(item: WrittenItem) -> tuple[str, ...]:
    """What the learner ticks where they compare; one alone is the answer itself."""
    points = tuple(dict.fromkeys(point.strip() for point in item.points if point.strip()))[:_MOST_POINTS]
    return points if len(points) >= _FEWEST_POINTS and item.kind == "short_answer" else ()


PASSAGE_TOKENS = 1600  # of the 3,000 of a quiz's brief
_TOLD_TOKENS = 500
_MOST_EARLIER = 12
_MOST_EXAMPLES = 4
_EXAMPLE_TOKENS = 400
_MOST_TRIES = 2
TOOL = "propose_questions"


@dataclass(slots=True, kw_only=True)
class Writing:
    """Questions that are being written, over the tries that it takes."""

    brief: WriteBrief
    earlier: Sequence[str] = ()  # questions that were asked before
    questions: list[QuizQuestion] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    tries: int = 0

    @property
    def missing(self) -> int:
        return self.brief.count - len(self.questions)

    @property
    def is_over(self) -> bool:
        return self.missing <= 0 or self.tries >= _MOST_TRIES

    def order(self) -> list[str]:
        """What to write."""
        brief = self.brief
        told = fenced(clip(brief.told, most=_TOLD_TOKENS * CHARS_A_TOKEN))
        parts = [
            f"The lesson that the learner has just read:\n{told}",
            f"Write {self.missing} questions, difficulty {', '.join(brief.difficulties[: brief.count])}. "
            f"Concepts: {', '.join(brief.topic or brief.focus)}. First: {', '.join(brief.focus[: brief.count])}."
            + (f" Two about each of: {', '.join(brief.missed)}." if brief.missed else ""),
        ]
        if brief.examples:
            shown = clip(
                "\n\n".join(map(_example, brief.examples[:_MOST_EXAMPLES])),
                most=_EXAMPLE_TOKENS * CHARS_A_TOKEN,
            )
            parts.append(
                f"Questions by the course's author, for their tone and depth; ask something else:\n{fenced(shown)}"
            )
        asked = [*self.earlier, *(each.question_text for each in self.questions)]
        if asked:
            parts.append(f"Asked before:\n{fenced(chr(10).join(asked[-_MOST_EARLIER:]))}")
        return parts

    def take(
        self, proposals: Sequence[Mapping[str, object]], passages: Sequence[RetrievalResult]
    ) -> list[str]:
        """Keep the sound ones; what is wrong with the others."""
        self.tries += 1
        remarks: list[str] = []
        asked = [
            *self.earlier,
            *(each.question_text for each in (*self.brief.examples, *self.questions)),
        ]
        for number, proposed in enumerate(proposals, 1):
            if self.missing <= 0:
                break
            item = read_item(proposed)
            made = item if isinstance(item, str) else self._question(item, passages, asked)
            if isinstance(made, QuizQuestion):
                self.questions.append(made)
                asked.append(made.question_text)
            else:
                name = item.question_text if isinstance(item, WrittenItem) else f"Question {number}"
                remarks.append(f"{name}: {made}")
                self.repairs.append(Repair(action="dropped", kind=made, sentence=name))
        return remarks

    def _question(
        self, item: WrittenItem, passages: Sequence[RetrievalResult], asked: Sequence[str]
    ) -> QuizQuestion | str:
        return question_of(item, passages, concepts=self.brief.topic, earlier=asked, seed=self.brief.seed)


def _example(question: QuizQuestion) -> str:
    """A question as its author set it, with the answer."""
    options = "".join(f"\n- {option}" for option in question.options)
    return f"{question.question_text}{options}\n→ {question.expected_answer}"


def proposals_in(text: str) -> list[dict[str, object]]:
    """The questions that a model wrote as words."""
    reply = read_json(text, LooseQuiz)
    return reply.items if reply else []


def with_coverage(
    asked: Sequence[QuizQuestion], left: Sequence[QuizQuestion], *, count: int
) -> list[QuizQuestion]:
    """The quiz with the best of what is left: a question about every concept first, never many about one."""
    chosen, later = list(asked), list[QuizQuestion]()
    for each in left:
        if each.question_id not in {one.question_id for one in (*chosen, *later)}:
            is_new = each.concept_name not in {one.concept_name for one in chosen}
            (chosen if is_new and len(chosen) < count else later).append(each)
    for each in later:
        told = sum(one.concept_name == each.concept_name for one in chosen)
        if len(chosen) < count and told < MOST_PER_CONCEPT:
            chosen.append(each)
    return chosen[:count]
