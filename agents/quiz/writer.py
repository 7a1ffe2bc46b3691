"""A lesson's questions by a large model: read strictly, and what is not usable goes back once, named."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field, ValidationError

from agents.briefing import CHARS_A_TOKEN, clip, fenced
from agents.models.jsontext import read_json
from agents.repair import SpokenSentence, numbers_of, share
from agents.teaching.questions.bank import Wanted, compose
from agents.teaching.questions.base import item_id
from agents.teaching.questions.writing import MOST_PER_CONCEPT, write_items
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
    seed: int
    passages: tuple[RetrievalResult, ...]
    bank: tuple[Item, ...] = ()  # what the course keeps of questions about it
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


def own_items(brief: WriteBrief) -> list[QuizQuestion]:
    """The questions of the bank, its author's first, and beside them those that code writes."""
    writing = {name: value for name, value in brief if name not in ("bank", "near")}
    return compose(
        brief.bank,
        brief.near,
        wanted=brief.wanted,
        fill=lambda taken: write_items(**writing, taken=taken),
    )


_GAP = re.compile(r"_{2,}|…{2,}|\[\s*\]|\[\.\.\.\]")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*")
_MOST_OPTIONS = 6


class WrittenItem(BaseModel):
    """One question as a model writes it."""

    question_text: str = Field(min_length=8)
    concept_name: str
    kind: QuestionKind
    expected_answer: str = Field(min_length=1)
    difficulty: Difficulty = "medium"
    options: list[str] = []
    passage: int = 0
    source_context: str = ""


class LooseQuiz(BaseModel):
    """Questions of which each is read by itself, so that a broken one costs only itself."""

    items: list[dict[str, object]]


def read_items(reply: LooseQuiz) -> list[WrittenItem]:
    """The items that can be read."""
    found: list[WrittenItem] = []
    for item in reply.items:
        try:
            found.append(WrittenItem.model_validate(item))
        except ValidationError:
            continue
    return found


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
    options = list(dict.fromkeys(option.strip() for option in item.options))
    random.Random(f"{seed} {item.question_text}").shuffle(options)
    return QuizQuestion(
        question_id=item_id(
            chunk_id=passage.chunk_id, concept=concept, kind=item.kind, text=item.question_text
        ),
        question_text=item.question_text.strip(),
        concept_name=concept,
        difficulty=item.difficulty,
        kind=item.kind,
        options=tuple(options) if item.kind == "multiple_choice" else (),
        expected_answer=_expected(item),
        source_context=item.source_context.strip() or passage.chunk_text,
        chunk_id=passage.chunk_id,
    )


def _structure(item: WrittenItem) -> str:
    options = [option.strip() for option in item.options if option.strip()]
    if item.kind == "multiple_choice":
        if len(set(map(str.lower, options))) != len(options) or not 3 <= len(options) <= _MOST_OPTIONS:
            return "multiple_choice needs four different options"
        if item.expected_answer.strip() not in options:
            return "expected_answer is none of the options"
    elif item.kind == "true_false":
        if item.expected_answer.strip().lower() not in ("true", "false"):
            return "expected_answer must be true or false"
    elif item.kind == "cloze":
        if not _GAP.search(item.question_text):
            return "a cloze needs ____ in the place of its term"
    elif item.kind in ("ordering", "recall", "output"):
        return "questions of this kind are not wanted"
    if item.kind in ("short_answer", "cloze") and _gives_away(item):
        return "it gives its answer away"
    return ""


def _gives_away(item: WrittenItem) -> bool:
    answer = item.expected_answer.strip().lower().rstrip(".")
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", item.question_text.lower()))


def _repeats(item: WrittenItem, earlier: Sequence[str]) -> str:
    said = " ".join(item.question_text.lower().split())
    return "it was asked before" if said in {" ".join(text.lower().split()) for text in earlier} else ""


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


PASSAGE_TOKENS = 1600  # of the 3,000 of a quiz's brief
_TOLD_TOKENS = 500
_MOST_EARLIER = 12
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
        asked = [*self.earlier, *(each.question_text for each in self.questions)]
        for item in read_items(LooseQuiz(items=[dict(each) for each in proposals]))[: self.brief.count]:
            if self.missing <= 0:
                break
            made = question_of(item, passages, concepts=self.brief.topic, earlier=asked, seed=self.brief.seed)
            if isinstance(made, str):
                remarks.append(f"{item.question_text}: {made}")
                self.repairs.append(Repair(action="dropped", kind=made, sentence=item.question_text))
            elif made.question_id not in {each.question_id for each in self.questions}:
                self.questions.append(made)
                asked.append(made.question_text)
        return remarks


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
