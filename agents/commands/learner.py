"""Commands about a learner: ask, grade, progress, dispute."""

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any, get_args

import click

from agents.screen import MOST_MESSAGE, readable
from agents.settings import load_settings
from agents.teaching.values import QuestionKind
from storage.errors import InvalidInputError
from storage.learner_ids import MOST_CHARACTERS, is_learner_id

if TYPE_CHECKING:
    from agents.services import Services


def _learner(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if not is_learner_id(value):
        raise click.BadParameter(f"A user id has 1 to {MOST_CHARACTERS} characters that can be seen.")
    return value


as_user = click.option("--user", default="user", show_default=True, callback=_learner, help="Whose record.")


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
    from agents.services import Services

    async def work() -> dict[str, Any]:
        services = Services(load_settings())
        try:
            await _course_names(services, course)
            return await ask_app(services, question, user_id=user, course=course)
        finally:
            await services.close()

    response = asyncio.run(work())
    click.echo(json.dumps(response, indent=2, ensure_ascii=False) if as_json else response["answer"])
    if response["status"] == "error":
        sys.exit(1)


async def _course_names(services: "Services", wanted: str | None) -> list[str]:
    """The courses there are; the one that is wanted must be among them."""
    await services.ready()
    names = [found.name for found in await services.library.courses()]
    if wanted and wanted not in names:
        raise InvalidInputError(f"There is no course '{wanted}'. There is: {', '.join(names)}.")
    return names


@click.command()
@click.option("--jsonl", "is_jsonl", is_flag=True, required=True, help="Read JSON lines from standard input.")
def grade(is_jsonl: bool) -> None:
    """Grade answers: lines of {question, references, answer} become {is_correct, score, reason, confident}."""
    from agents.quiz.marking import WORD_VECTORS
    from agents.teaching.grading import grade_answer

    for number, read in enumerate(sys.stdin.buffer, 1):
        line = read.decode("utf-8", "replace")
        if line.strip():
            row = _row(line, number)
            graded = grade_answer(
                row["answer"],
                question=row["question"],
                references=row["references"],
                kind=row["kind"],
                options=row["options"],
                similarity=WORD_VECTORS,
            )
            click.echo(
                json.dumps(
                    {
                        "is_correct": graded.is_correct,
                        "score": round(graded.score, 4),
                        "reason": graded.reason,
                        "confident": graded.confident,
                    },
                    ensure_ascii=False,
                )
            )


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidInputError(f"Line {number} is not JSON.") from None
    if not isinstance(row, dict) or not isinstance(row.get("references"), list):
        raise InvalidInputError(
            f"Line {number} must be an object with question, references (a list) and answer."
        )
    missing = [name for name in ("question", "answer") if not isinstance(row.get(name), str)]
    if missing or not row["references"] or not all(isinstance(text, str) for text in row["references"]):
        raise InvalidInputError(f"Line {number} lacks {', '.join(missing) or 'references'}.")
    kind, options = row.get("kind", "short_answer"), row.get("options", [])
    if kind not in get_args(QuestionKind):
        raise InvalidInputError(f"Line {number}: kind must be one of {', '.join(get_args(QuestionKind))}.")
    if not isinstance(options, list) or not all(isinstance(text, str) for text in options):
        raise InvalidInputError(f"Line {number}: options must be a list of texts.")
    return {
        "question": readable(row["question"]),
        "answer": readable(row["answer"])[:MOST_MESSAGE],
        "references": [readable(text)[:MOST_MESSAGE] for text in row["references"]],
        "kind": kind,
        "options": [readable(text) for text in options],
    }


@click.command()
@as_user
@click.option("--course", help="Which course; the first one if there is only one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def progress(user: str, course: str | None, as_json: bool) -> None:
    """Show how far a learner is."""
    from dataclasses import asdict

    from agents.progress import progress_text
    from agents.record import LearnerRecord, load_record
    from agents.services import Services
    from agents.state import SessionState

    async def work() -> LearnerRecord:
        services = Services(load_settings())
        try:
            names = await _course_names(services, course)
            return await load_record(services, user, SessionState(course=course or names[0]))
        finally:
            await services.close()

    record = asyncio.run(work())
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
    from agents.services import Services

    async def work() -> str:
        settings = load_settings()
        services = Services(settings)
        try:
            await services.ready()
            rows = [
                row
                for row in await services.ledger.of(user)
                if row.id == answer_id and row.action == "answer"
            ]
            if not rows:
                raise InvalidInputError(f"{user} has no answer {answer_id}.")
            ruling = Ruling(outcome="corrected" if right else "voided", reason=reason)
            await apply_ruling(services, rows[0], ruling, threshold=settings.mastery_threshold)
            mastery = await services.learners.mastery(user, course=rows[0].course)
            score = next(
                (row.mastery_score for row in mastery if row.concept_name == rows[0].concept_name), 0.0
            )
            return f"Answer {answer_id} is {ruling.outcome}. {rows[0].concept_name} is now at {score:.0%}."
        finally:
            await services.close()

    click.echo(asyncio.run(work()))
