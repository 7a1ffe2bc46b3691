"""Commands about a learner: ask, grade, progress, dispute."""

import json
import sys
from dataclasses import asdict
from typing import Annotated, Any

import click
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from agents.commands.setup import as_json, as_user, course_names, on_services
from agents.quiz.marking import WORD_VECTORS
from agents.record import LearnerRecord, load_record
from agents.screen import MOST_MESSAGE, readable
from agents.services import Services
from agents.state import SessionState
from agents.teaching.grading import grade_answer
from agents.teaching.values import QuestionKind
from storage.errors import InvalidInputError


@click.command()
@click.argument("question")
@as_user
@click.option(
    "--course", default="", help="Where to look first; otherwise in the course that the user used last."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole AgentResponse.")
def ask(question: str, user: str, course: str, as_json: bool) -> None:
    """Answer one QUESTION from the course, with its sources."""
    from agents.chat import ask as ask_app

    async def work(services: Services) -> dict[str, Any]:
        await course_names(services.library, course)
        return await ask_app(services, question, user_id=user, course=course)

    response = on_services(work)
    click.echo(json.dumps(response, indent=2, ensure_ascii=False) if as_json else response["answer"])
    if response["status"] == "error":
        sys.exit(1)


def _words(value: Any) -> Any:
    return readable(value)[:MOST_MESSAGE] if isinstance(value, str) else value


Words = Annotated[str, BeforeValidator(_words)]


class Answered(BaseModel):
    """One line to grade."""

    question: Words
    answer: Words
    references: Annotated[list[Words], Field(min_length=1)]
    kind: QuestionKind = "short_answer"
    options: list[Words] = []


@click.command()
@click.option("--jsonl", "is_jsonl", is_flag=True, required=True, help="Read JSON lines from standard input.")
def grade(is_jsonl: bool) -> None:
    """Grade answers: lines of {question, references, answer} become {is_correct, score, reason, confident}."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        row = _answered(line.decode("utf-8", "replace"), number)
        graded = grade_answer(
            row.answer,
            question=row.question,
            references=row.references,
            kind=row.kind,
            options=row.options,
            similarity=WORD_VECTORS,
        )
        told = {
            "is_correct": graded.is_correct,
            "score": round(graded.score, 4),
            "reason": graded.reason,
            "confident": graded.confident,
        }
        click.echo(json.dumps(told, ensure_ascii=False))


def _answered(line: str, number: int) -> Answered:
    try:
        return Answered.model_validate(json.loads(line), strict=True)
    except ValidationError as err:
        first = err.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise InvalidInputError(f"Line {number}, {place}: {first['msg']}.") from None
    except (ValueError, RecursionError):
        raise InvalidInputError(f"Line {number} is not JSON.") from None


@click.command()
@as_user
@click.option("--course", help="Which course; the first one if there is only one.")
@as_json
def progress(user: str, course: str | None, as_json: bool) -> None:
    """Show how far a learner is."""
    from agents.progress import progress_text

    async def work(services: Services) -> LearnerRecord:
        names = await course_names(services.library, course)
        return await load_record(services, user, SessionState(course=course or names[0]))

    record = on_services(work)
    if as_json:
        click.echo(json.dumps(asdict(record), default=str, indent=2, ensure_ascii=False))
        return
    click.echo(progress_text(record).replace("**", "").replace("```\n", "").replace("\n```", ""))


@click.command()
@as_user
@click.option(
    "--answer", "answer_id", type=int, required=True, help="The answer's number; 'why' in the chat shows it."
)
@click.option("--right", is_flag=True, help="Count it as right; otherwise it counts for nothing.")
@click.option("--reason", default="corrected by hand", show_default=True, help="Why, for the record.")
def dispute(user: str, answer_id: int, right: bool, reason: str) -> None:
    """Void or re-key one answer; mastery, gaps and reviews follow from the ledger."""
    from agents.quiz.judging import Ruling, apply_ruling

    async def work(services: Services) -> str:
        rows = await services.ledger.of(user)
        found = next((row for row in rows if row.id == answer_id and row.action == "answer"), None)
        if found is None:
            raise InvalidInputError(f"{user} has no answer {answer_id}.")
        ruling = Ruling(outcome="corrected" if right else "voided", reason=reason)
        await apply_ruling(services, found, ruling, threshold=services.settings.mastery_threshold)
        mastery = await services.learners.mastery(user, course=found.course)
        score = next((row.mastery_score for row in mastery if row.concept_name == found.concept_name), 0.0)
        return f"Answer {answer_id} is {ruling.outcome}. {found.concept_name} is now at {score:.0%}."

    click.echo(on_services(work))
