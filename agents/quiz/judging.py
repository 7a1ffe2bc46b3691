"""A large model's judgement of one answer: a verdict and a sentence, or none at all."""

from typing import Literal

from google.adk.agents.invocation_context import InvocationContext
from pydantic import BaseModel, Field

from agents.briefing import CHARS_A_TOKEN, fenced, learner_block
from agents.models.asking import Consultation
from agents.prompts import prompt
from agents.quiz.grading import Grade
from agents.services import Services
from agents.state import QuizQuestion, SessionState
from storage.ledger import Evidence

_PASSAGE_TOKENS = 300  # of the 800 of a judge's brief
_ANSWER_CHARS = 1200
_PARTLY = 0.5


class Judgement(BaseModel):
    """What a model makes of an answer."""

    verdict: Literal["right", "partly", "wrong", "not_an_answer"]
    missing: str = ""
    misconception: str = ""
    to_learner: str = Field(min_length=1)


async def judges_block(services: Services, state: SessionState, ctx: InvocationContext) -> str:
    """The learner without what they said before: an answer stands in its fence, and nowhere else."""
    return await learner_block(
        services, state, ctx.session, user_id=ctx.user_id, with_talk=False, with_mistakes=False
    )


def judge_request(
    question: QuizQuestion | Evidence,
    answer: str,
    *,
    passage: str,
    learner: str,
    argument: str = "",
    decided: str = "",
) -> Consultation:
    """Ask for a verdict; what the learner wrote is in the fence, and nowhere else."""
    options = f"\nOptions: {' | '.join(question.options)}" if question.options else ""
    source = (passage or question.source_context)[: _PASSAGE_TOKENS * CHARS_A_TOKEN]
    parts = [
        f"The course says:\n{fenced(source)}",
        f"The question: {question.question_text}{options}\nExpected: {question.expected_answer}",
        learner,
        f"The learner's answer:\n{fenced(answer[:_ANSWER_CHARS])}",
    ]
    if argument:
        parts.append(f"They dispute an earlier verdict, and say:\n{fenced(argument[:_ANSWER_CHARS])}")
    if decided:
        parts.append(f"The verdict is decided: {decided}. Explain it.")
    return Consultation(
        task="judge",
        system=prompt("quiz/judge.md"),
        brief="\n\n".join(parts),
        schema=Judgement,
        max_tokens=1000,
    )


def grade_of(judgement: Judgement) -> Grade:
    score = {"right": 1.0, "partly": _PARTLY}.get(judgement.verdict, 0.0)
    return Grade(
        is_correct=judgement.verdict == "right",
        score=score,
        reason=judgement.to_learner.strip(),
        confident=True,
    )
