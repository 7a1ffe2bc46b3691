"""The examiner's language skill behind the embedded model, and the briefs that every model gets."""

from typing import Literal

from pydantic import BaseModel

from agents.models.embedded import Reply, Request
from agents.quiz.grading import grade_answer
from agents.quiz.word_vectors import WORD_VECTORS
from agents.state import Difficulty, QuestionKind, QuizQuestion
from agents.teaching.questions.base import item_id
from agents.teaching.questions.writing import write_items
from rag.results import RetrievalResult
from storage.course import Concept


class WriteBrief(BaseModel):
    """Which questions to write, from which passages."""

    task: Literal["write"] = "write"
    concepts: tuple[Concept, ...]
    count: int
    difficulties: tuple[Difficulty, ...]
    topic_concepts: tuple[str, ...]
    focus: tuple[str, ...]
    missed: tuple[str, ...]
    avoid: tuple[str, ...]
    told: str
    seed: int
    passages: tuple[RetrievalResult, ...]


class JudgeBrief(BaseModel):
    """One answer to judge, with the passage in view."""

    task: Literal["judge"] = "judge"
    question: str
    kind: QuestionKind
    options: tuple[str, ...]
    expected_answer: str
    passage: str
    answer: str
    argument: str = ""


class WrittenItem(BaseModel):
    """One question as a model writes it."""

    question_text: str
    concept_name: str
    difficulty: Difficulty
    kind: QuestionKind
    options: list[str]
    expected_answer: str
    source_context: str
    chunk_id: str
    written_as: str = ""

    @property
    def question_id(self) -> str:
        """The same question is the same, whoever wrote it, so that it is known when it comes again."""
        return item_id(
            chunk_id=self.chunk_id, concept=self.concept_name, kind=self.kind, text=self.question_text
        )


class WrittenQuiz(BaseModel):
    """What a model answers to a WriteBrief."""

    items: list[WrittenItem]


class Verdict(BaseModel):
    """What a model answers to a JudgeBrief."""

    is_correct: bool
    score: float
    reason: str


def own_items(brief: WriteBrief) -> list[QuizQuestion]:
    """The questions that the embedded model writes."""
    return write_items(
        brief.passages,
        concepts=brief.concepts,
        count=brief.count,
        difficulties=brief.difficulties,
        avoid=brief.avoid,
        focus=brief.focus,
        topic=brief.topic_concepts,
        missed=brief.missed,
        told=brief.told,
        seed=brief.seed,
    )


def speak(request: Request) -> Reply:
    if request.brief.get("task") == "judge":
        brief = JudgeBrief.model_validate(request.brief)
        grade = grade_answer(
            f"{brief.answer}. {brief.argument}" if brief.argument else brief.answer,
            question=brief.question,
            references=[brief.expected_answer],
            kind=brief.kind,
            options=brief.options,
            similarity=WORD_VECTORS,
        )
        return Reply(
            data=Verdict(is_correct=grade.is_correct, score=grade.score, reason=grade.reason).model_dump()
        )
    items = own_items(WriteBrief.model_validate(request.brief))
    return Reply(data={"items": [item.model_dump(mode="json", exclude={"question_id"}) for item in items]})
