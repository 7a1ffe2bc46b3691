"""Records what the tutor says to the eval cases, as the words that are expected from then on.

    python -m evals.record [FILE…]

Only messages, tools and what a case does not say yet (its route, its grounding) are taken from the run; what
it does say stays. Where a learner's answer is no longer graded as the case wants, because the question is
another one now, the learner says that question's own answer; where a quiz has another length, answers are added
or left out. Read the difference before you keep it.
"""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from google.adk.evaluation.eval_case import (
    EvalCase,
    IntermediateData,
    Invocation,
    get_all_tool_calls,
)
from google.adk.evaluation.eval_rubrics import Rubric, RubricContent
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
from google.adk.events.event import Event
from google.genai import types

from agents.quiz.marking import code_grade
from agents.services import Services
from agents.settings import load_settings
from agents.teaching.values import QuizQuestion
from evals.metrics.heard import SOURCES, expectations, heard, text_of
from evals.runner import load_set, offline_sets
from evals.stage import Seat, Stage

_CHANGING = {"task_id", "due_at"}  # differ from run to run


async def record(stage: Stage, eval_set: EvalSet) -> str:
    """Play a set; returns it as JSON with what was said."""
    for case in eval_set.eval_cases:
        await _record_case(stage, case)
        for each in case.conversation or []:
            if (
                each.final_response
            ):  # ADK's ModelContent has its role by default, and a file that leaves it out has none
                each.final_response = types.Content(role="model", parts=each.final_response.parts)
    dumped = eval_set.model_dump_json(indent=2, exclude_unset=True, exclude_defaults=True, exclude_none=True)
    return dumped + "\n"


async def _record_case(stage: Stage, case: EvalCase) -> None:
    seat = await stage.seat(case)
    events: list[Event] = []
    played: list[Invocation] = []
    for turn in case.conversation or []:
        for each in await _in_step(stage, seat, turn):
            await _fit_answer(stage, seat, each)
            events += await stage.say(seat, each.user_content)
            played.append(each)
    case.conversation = played
    went = EvaluationGenerator.convert_events_to_eval_invocations(events)
    for turn, actual in zip(case.conversation or [], went, strict=True):
        turn.final_response = actual.final_response
        turn.intermediate_data = IntermediateData(tool_uses=list(_tool_uses(actual)))
        turn.rubrics = [*(turn.rubrics or []), *_not_said_yet(turn, actual)]


async def _in_step(stage: Stage, seat: Seat, turn: Invocation) -> list[Invocation]:
    """The turn, after more answers like it where the quiz has become longer; none where it has become shorter."""
    said = expectations(turn)
    state = await stage.state(seat)
    if "GRADED" not in said or state.learning_phase != "quiz":
        return [turn]
    left = len(state.quiz_questions) - state.quiz_question_index
    ends = "feedback" in said.get("SPEAKERS", [""])[0]
    if not ends:
        return [turn] if left > 1 else []
    before = [
        expectation("GRADED", said["GRADED"][0]),
        expectation("ROUTE", "learning_loop"),
        expectation("SPEAKERS", "quiz"),
        expectation("GROUNDED", "no"),
    ]
    more = [
        turn.model_copy(
            deep=True, update={"rubrics": before, "invocation_id": f"{turn.invocation_id}-{number}"}
        )
        for number in range(1, left)
    ]
    return [*more, turn]


async def _fit_answer(stage: Stage, seat: Seat, turn: Invocation) -> None:
    wanted = expectations(turn).get("GRADED", [""])[0]
    state = await stage.state(seat)
    question = state.pending_question
    if wanted not in ("right", "wrong") or question is None or state.self_check_answer:
        return
    said = text_of(turn.user_content)
    grade = code_grade(question, said, concept_names=await stage.concept_names(state.course))
    if not said or not grade.confident or grade.is_correct != (wanted == "right"):
        turn.user_content = types.Content(
            role="user", parts=[types.Part(text=answer_to(question, right=wanted == "right"))]
        )


def answer_to(question: QuizQuestion, *, right: bool) -> str:
    """An answer that is as right or as wrong as can be."""
    if right:
        return question.expected_answer
    if question.kind == "true_false":
        return "false" if question.expected_answer.lower() == "true" else "true"
    if question.kind == "ordering":
        return " → ".join(reversed(question.expected_answer.split(" → ")))
    if question.options:
        return next(option for option in question.options if option != question.expected_answer)
    if question.kind == "recall":
        return "no idea"
    return "something to do with the battery, I think"


def _tool_uses(actual: Invocation) -> Iterator[types.FunctionCall]:
    for call in get_all_tool_calls(actual.intermediate_data):
        args = {name: value for name, value in (call.args or {}).items() if name not in _CHANGING}
        yield types.FunctionCall(name=call.name, args=args)


def _not_said_yet(turn: Invocation, actual: Invocation) -> Iterator[Rubric]:
    went, said = heard(actual), expectations(turn)
    found = {
        "ROUTE": went.route,
        "SPEAKERS": ", ".join(went.speakers),
        "GROUNDED": "yes" if SOURCES in went.text else "no",
    }
    for what, value in found.items():
        if what not in said:
            yield expectation(what, value)


def expectation(what: str, value: str, *, number: int = 1) -> Rubric:
    name = what.lower() if number == 1 else f"{what.lower()}_{number}"
    return Rubric(rubric_id=name, type=what, rubric_content=RubricContent(text_property=value))


async def record_all(eval_sets: Sequence[EvalSet]) -> list[str]:
    stage = Stage(Services(load_settings()))
    try:
        return [await record(stage, eval_set) for eval_set in eval_sets]
    finally:
        await stage.close()


def main(files: Sequence[Path]) -> None:
    recorded = asyncio.run(record_all([load_set(file) for file in files]))
    for file, text in zip(files, recorded, strict=True):
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or offline_sets())
