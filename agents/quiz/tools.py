"""What the quiz's model may do: propose questions, and give a verdict on an answer."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, cast

from google.adk.tools.tool_context import ToolContext
from typing_extensions import TypedDict  # ADK reads it by pydantic, which takes no other before 3.12

from agents.services import Services

if TYPE_CHECKING:
    from agents.quiz.brief import QuizBrief

Tool = Callable[..., Awaitable[dict[str, Any]]]


class Proposal(TypedDict, total=False):
    """One question as a model proposes it."""

    question_text: str
    kind: str
    expected_answer: str
    options: list[str]
    whys: list[str]
    points: list[str]
    concept_name: str
    difficulty: str
    passage: int
    source_context: str


def quiz_tools(services: Services) -> list[Tool]:
    async def propose_questions(questions: list[Proposal], tool_context: ToolContext) -> dict[str, Any]:
        """Proposes questions for the quiz; you are told which are not usable, and how many are still missing.

        Args:
            questions: Each with question_text, kind, expected_answer, options and whys (multiple_choice only: why each
                option is right or wrong), points (short_answer only: two to four ideas of the answer), concept_name,
                difficulty, passage (its number) and source_context (the sentence of it that holds the answer).
        """
        brief = cast("QuizBrief", services.turns.of(tool_context.invocation_id).briefs["quiz"])
        return brief.propose(questions)

    return [propose_questions, give_verdict_tool(services)]


def give_verdict_tool(services: Services) -> Tool:
    async def give_verdict(
        verdict: Literal["right", "partly", "wrong", "not_an_answer"],
        to_learner: str,
        tool_context: ToolContext,
        missing: str = "",
        misconception: str = "",
    ) -> dict[str, Any]:
        """Gives your verdict on the learner's answer.

        Args:
            verdict: right, partly, wrong, or not_an_answer.
            to_learner: One whole friendly sentence to the learner, in their language, that says what is right or what
                is missing and why.
            missing: What is missing, in a few words.
            misconception: What the learner seems to believe that is not so, in a few words.
        """
        from pydantic import ValidationError

        from agents.quiz.judging import JudgingBrief
        from agents.quiz.marking import Judgement

        brief = services.turns.of(tool_context.invocation_id).briefs.get(tool_context.agent_name)
        try:
            judgement = Judgement(
                verdict=verdict, to_learner=to_learner, missing=missing, misconception=misconception
            )
        except ValidationError:
            return {"error": "verdict is right, partly, wrong or not_an_answer; to_learner is a sentence."}
        if not isinstance(brief, JudgingBrief) or brief.case is None:
            return {"error": "There is no answer to judge."}
        brief.take(judgement)
        return {"noted": True}

    return give_verdict
