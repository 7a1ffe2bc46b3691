"""A model's judgement on an answer in the learner's own words: asked for by a tool, and checked by a control question."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.adk.agents.invocation_context import InvocationContext

from agents.briefing import CHARS_A_TOKEN, fenced, learner_block
from agents.models.jsontext import read_json
from agents.models.voice import ModelFailureError
from agents.quiz.marking import Judgement
from agents.services import Services
from agents.speaking import Brief, Calls
from agents.teaching.evidence import LedgerRow
from agents.teaching.grading import Grade
from agents.teaching.values import QuizQuestion

TOOL = "give_verdict"
_PASSAGE_TOKENS = 300  # of the 800 of a judge's brief
_ANSWER_CHARS = 1200
# Nine in ten right answers have a higher score by code; an order to the judge has hardly ever.
_FAR_FROM_IT = 0.2
_CONTROL = QuizQuestion(
    question_id="control",
    question_text="Which bird is named in this sentence: 'A grey heron stood in the water'?",
    concept_name="heron",
    difficulty="easy",
    expected_answer="a grey heron",
    source_context="A grey heron stood in the water.",
)


@dataclass(slots=True, kw_only=True)
class Case:
    """What is to be judged, and what has come of it so far."""

    question: QuizQuestion | LedgerRow
    answer: str
    grade: Grade  # code's own, which was not sure
    argument: str = ""  # of a learner who disputes an earlier verdict
    decided: str = ""  # the verdict, where it is only to be explained
    judgement: Judgement | None = None
    control: Judgement | None = None
    is_control: bool = False

    @property
    def needs_control(self) -> bool:
        """An answer may hold an order to the judge: one that is right for anything is right for nothing."""
        passed = self.judgement is not None and self.judgement.passes
        return passed and self.grade.score < _FAR_FROM_IT and not (self.argument or self.is_control)

    @property
    def is_obeyed(self) -> bool:
        return self.control is not None and self.control.passes


class JudgingBrief(Brief):
    """A turn that may need a judgement."""

    def __init__(self, services: Services, ctx: InvocationContext) -> None:
        super().__init__(services, ctx)
        self.case: Case | None = None

    def open_case(self, case: Case) -> None:
        self.case, self.task, self.temperature = case, "judge", 0.0
        self.prompt = "quiz/judge.md"

    async def told(self) -> Sequence[str]:
        case = self.case
        if case is None:
            return ()
        asked = _CONTROL if case.is_control else case.question
        chunks = await self.services.library.corpus.chunks_by_id([asked.chunk_id] if asked.chunk_id else [])
        # The learner without what they said before: an answer stands in its fence, and nowhere else.
        learner = await learner_block(
            self.services,
            self.state,
            self.ctx.session,
            user_id=self.ctx.user_id,
            with_talk=False,
            with_mistakes=False,
        )
        source = (chunks[0].chunk_text if chunks else asked.source_context)[: _PASSAGE_TOKENS * CHARS_A_TOKEN]
        options = f"\nOptions: {' | '.join(asked.options)}" if asked.options else ""
        parts = [
            f"The course says:\n{fenced(source)}",
            f"The question: {asked.question_text}{options}\nExpected: {asked.expected_answer}",
            learner,
            f"The learner's answer:\n{fenced(case.answer[:_ANSWER_CHARS])}",
        ]
        if case.argument:
            parts.append(
                f"They dispute an earlier verdict, and say:\n{fenced(case.argument[:_ANSWER_CHARS])}"
            )
        if case.decided:
            parts.append(f"The verdict is decided: {case.decided}. Explain it.")
        return parts

    @property
    def message(self) -> str:
        """The answer stands in its fence, and nowhere else."""
        return "Judge the learner's answer."

    def feed(self, piece: str) -> str:
        return ""

    async def meanwhile(self) -> str:
        """Where to compare the answer, and not with what: it is not marked yet."""
        case = self.case
        if case is None:
            return ""
        if case.argument:
            return "I am looking at it once more; that takes me a moment."
        chunk_id = case.question.chunk_id
        found = await self.services.library.corpus.chunks_by_id([chunk_id] if chunk_id else [])
        where = (
            f" It is about what *{found[0].place}* says: have a look there in the meantime." if found else ""
        )
        return f"Your answer is in, and I am still thinking about it.{where}"

    def read(self, text: str) -> Calls:
        judgement = read_json(text, Judgement) if self.case else None
        return [(TOOL, judgement.model_dump())] if judgement else ()

    def take(self, judgement: Judgement) -> None:
        if self.case is None:
            raise ModelFailureError("invalid")
        if self.case.is_control:
            self.case.control = judgement
        else:
            self.case.judgement = judgement

    def turns_to_control(self) -> bool:
        """Whether the same answer is now put to a question that it cannot answer."""
        if self.case is None or not self.case.needs_control:
            return False
        self.case.is_control = self.forgets = True
        self._told = None
        return True
