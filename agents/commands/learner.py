"""Commands about a learner: ask, grade, progress, plan, dispute, history; and calibrate, which learns from all of them."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import click
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from agents.briefing import prompt
from agents.commands.setup import as_json, as_user, at_work, course_names, on_database, on_services
from agents.conversation import agent_session_of, conversation_of
from agents.feedback import calibrating
from agents.language.deadline import Terms, terms_of
from agents.language.formulas import readable_formulas
from agents.learner_record import LearnerRecord, load_record
from agents.screen import MOST_MESSAGE, readable
from agents.services import Services
from agents.settings import load_settings
from agents.state import MOST_GOALS, SessionState
from agents.teaching.calibration import Bin
from agents.teaching.grading import grade_answer
from agents.teaching.values import QuestionKind
from storage.errors import InvalidInputError
from storage.learners import Sessions


@click.command()
@click.argument("question")
@as_user
@click.option(
    "--course", default="", help="Where to look first; otherwise in the course that the user used last."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole AgentResponse.")
def ask(question: str, user: str, course: str, as_json: bool) -> None:
    """Answer one QUESTION from the course, with its sources."""

    async def work(services: Services) -> dict[str, Any]:
        await course_names(services.library, course)
        return await _asked_alone(services, question, user_id=user, course=course)

    response = on_services(work)
    answer = readable_formulas(response["answer"])
    click.echo(json.dumps(response, indent=2, ensure_ascii=False) if as_json else answer)
    if response["status"] == "error":
        sys.exit(1)


async def _asked_alone(services: Services, question: str, *, user_id: str, course: str) -> dict[str, Any]:
    """The AgentResponse to one question in a session of its own, in the course that is named or the usual one."""
    from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
    from google.adk.runners import Runner
    from google.adk.sessions.in_memory_session_service import InMemorySessionService
    from google.genai import types

    from agents.adk_sessions import APP_NAME
    from agents.agent import build_app

    sessions = InMemorySessionService()
    runner = Runner(
        app=build_app(services), session_service=sessions, artifact_service=InMemoryArtifactService()
    )
    state = {"is_interactive": False, **({"course": course} if course else {})}
    session = await sessions.create_session(app_name=APP_NAME, user_id=user_id, state=state)
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async for _ in runner.run_async(user_id=user_id, session_id=session.id, new_message=message):
        pass
    after = await sessions.get_session(app_name=APP_NAME, user_id=user_id, session_id=session.id)
    return dict(after.state["last_response"]) if after else {}


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
@click.option(
    "--html",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write one page with charts to FILE.",
)
def progress(user: str, course: str | None, as_json: bool, file: Path | None) -> None:
    """Show how far a learner is."""
    from agents.learner_record import progress_text

    if file:
        from web.board import progress_file

        file.write_text(on_services(lambda services: progress_file(services, user)), encoding="utf-8")
        click.echo(f"Wrote {file}. It needs nothing else: open it, print it, send it.")
        return

    async def work(services: Services) -> LearnerRecord:
        names = await course_names(services.library, course)
        return await load_record(services, user, SessionState(course=course or names[0]))

    record = on_services(work)
    if as_json:
        # A lesson that was left holds the keys of its questions.
        told = asdict(replace(record, left=None))
        click.echo(json.dumps(told, default=datetime.isoformat, indent=2, ensure_ascii=False))
        return
    click.echo(progress_text(record).replace("**", "").replace("```\n", "").replace("\n```", ""))


@click.command()
@as_user
@click.option("--course", help="Which course; the first one if there is only one.")
@click.option("--goal", "goals", multiple=True, help="What to learn; otherwise the goals that are known.")
@click.option("--by", "until", default="", help="Until when: 2026-12-03, 'next Friday', 'in two weeks'.")
@click.option("--minutes", type=click.IntRange(1, 960), help="How many minutes a day.")
@click.option("--ics", "file", type=click.Path(path_type=Path, dir_okay=False), help="Write a calendar file.")
@as_json
def plan(
    user: str,
    course: str | None,
    goals: tuple[str, ...],
    until: str,
    minutes: int | None,
    file: Path | None,
    as_json: bool,
) -> None:
    """Plan what is left to learn: sections, foundations first, with the time they take and their days."""
    from agents.pathplanner.ics import calendar
    from agents.pathplanner.offline import plan_text
    from agents.study_plan import as_json as plan_json
    from agents.study_plan import keep, study_plan

    async def work(services: Services) -> tuple[str, dict[str, object], str]:
        names = await course_names(services.library, course)
        name = course or names[0]
        wanted = list(goals)[:MOST_GOALS]
        state = SessionState(course=name, goals=wanted)
        for goal in wanted:
            await services.learners.add_goal(user, course=name, goal=goal, now=services.now())
        terms = _terms(until, minutes, now=services.now().astimezone(services.zone))
        found = await study_plan(services, state, user_id=user, terms=terms)
        await keep(services, found, user_id=user)
        shown = plan_text(found, may_begin=False, most=len(found.plan.steps), in_chat=False)
        return shown, plan_json(found), calendar(found, user_id=user, now=services.now())

    shown, told, days = on_services(work)
    if file is not None:
        file.write_text(days, encoding="utf-8", newline="")
    click.echo(json.dumps(told, indent=2, ensure_ascii=False) if as_json else shown.replace("**", ""))


def _terms(until: str, minutes: int | None, *, now: datetime) -> Terms:
    """What the options say of time; a date that nobody can read is refused."""
    by = None
    if until:
        said = (terms_of(each, now=now).by for each in (f"by {until}", until))
        by = next((each for each in said if each), None)
        if by is None:
            raise InvalidInputError(
                f"'{until}' is no date to come. Say 2026-12-03, 'next Friday' or 'in two weeks'."
            )
    return Terms(rest="", by=by, minutes_a_day=minutes)


@click.command()
@as_user
@click.option(
    "--answer", "answer_id", type=int, required=True, help="The answer's number; 'why' in the chat shows it."
)
@click.option("--right", is_flag=True, help="Count it as right; otherwise it counts for nothing.")
@click.option("--reason", default="corrected by hand", show_default=True, help="Why, for the record.")
def dispute(user: str, answer_id: int, right: bool, reason: str) -> None:
    """Void or re-key one answer; mastery, gaps and reviews follow from the ledger."""
    from agents.quiz.marking import Ruling, apply_ruling

    async def work(services: Services) -> str:
        rows = await services.ledger.of(user)
        found = next((row for row in rows if row.id == answer_id and row.action == "answer"), None)
        if found is None:
            raise InvalidInputError(f"{user} has no answer {answer_id}.")
        ruling = Ruling(outcome="corrected" if right else "voided", reason=reason)
        await apply_ruling(services, found, ruling)
        mastery = await services.learners.mastery(user, course=found.course)
        score = next((row.mastery_score for row in mastery if row.concept_name == found.concept_name), 0.0)
        return f"Answer {answer_id} is {ruling.outcome}. {found.concept_name} is now at {score:.0%}."

    click.echo(on_services(work))


@click.command()
@click.option("--session", help="Which one; otherwise the newest.")
@as_user
@click.option("--json", "as_json", is_flag=True, help="Print the AgentSession and the Conversation.")
def history(session: str | None, user: str, as_json: bool) -> None:
    """Show a conversation: what was said, and how much was looked up for it."""
    settings = load_settings()
    turns = on_database(lambda database: Sessions(database).turns(user, session_id=session))
    if not turns:
        which = f"session '{session}'" if session else "conversation"
        raise InvalidInputError(f"There is no {which} of {user}; old ones are deleted after a while.")
    turns = [turn for turn in turns if turn.session_id == turns[-1].session_id]
    system = "\n\n".join(filter(None, (prompt("coordinator/prompt.md"), settings.system_prompt)))
    view = agent_session_of(turns, system=system, max_history=settings.max_history)
    whole = conversation_of(turns, system=system)
    if as_json:
        both = {"session": view.model_dump(mode="json"), "conversation": whole.model_dump(mode="json")}
        click.echo(json.dumps(both, indent=2, ensure_ascii=False))
        return
    kind = "a conversation" if view.is_interactive else "a single question"
    click.echo(
        f"Session {view.session_id}, {kind} from {view.started_at:%Y-%m-%d %H:%M} UTC with {view.model}: "
        f"turns {view.turn_count}, look-ups {view.retrieval_count}, tokens {view.total_tokens_used:,}"
    )
    for message in whole.messages:
        if message.content and message.role in ("user", "assistant"):
            speaker = user if message.role == "user" else "tutor"
            click.echo(f"\n{message.timestamp:%H:%M} {speaker}: {readable_formulas(message.content)}")
    if whole.note:
        click.echo(f"\n{whole.note}")


_BAR = 20


@click.command()
@click.option("--undo", "is_undo", is_flag=True, help="Bring back the parameters before the last fit.")
@as_json
def calibrate(is_undo: bool, as_json: bool) -> None:
    """Compare what was said of the learners here with what came, and refit where that forecasts better."""

    async def work(services: Services) -> dict[str, Any] | str:
        if not is_undo:
            report = await calibrating.calibrate(services)
            return asdict(report) if as_json else "\n".join(_lines(report))
        parameters = await calibrating.undo(services)
        if as_json:
            return {
                "undone": parameters is not None,
                "parameters": asdict(parameters) if parameters else None,
            }
        if parameters is None:
            return "There is no fit to undo: the parameters are those that the tutor comes with."
        return "Undone: mastery is again what the parameters before the last fit say."

    with at_work("Looking at everybody's answers …"):
        said = on_services(work)
    click.echo(json.dumps(said, indent=2) if as_json else said)


def _lines(report: calibrating.CalibrationReport) -> Iterator[str]:
    if not report.quality.answers:
        yield "No concept has been asked about twice yet, so there is no forecast to compare with what came."
        return
    yield (
        f"{report.quality.answers:,} forecasts, from {report.answers:,} answers of {report.learners} learners: "
        "what was said before an answer, and how often it was right."
    )
    yield ""
    yield "   said  answers   came"
    yield from map(_row, report.bins)
    yield ""
    yield (
        f"Off by {report.quality.calibration_error:.1%} on average; right answers had the higher forecast "
        f"in {report.quality.auc:.0%} of all pairs (50% is chance)."
    )
    if report.refit is None:
        yield f"The parameters are fitted anew from {calibrating.FEWEST_ANSWERS} answers on."
    else:
        yield from _refit_lines(report.refit)


def _row(each: Bin) -> str:
    """A bar for what came, and a mark where what was said would end."""
    bar = ["█" if place < round(each.came * _BAR) else "░" for place in range(_BAR)]
    bar[min(_BAR - 1, round(each.said * _BAR))] = "│"
    return f"{each.said:>7.0%} {each.count:>8,} {each.came:>6.0%}  {''.join(bar)}"


def _count(fewest: int | None) -> str:
    return "-" if fewest is None else str(fewest)


def _refit_lines(refit: calibrating.Refit) -> Iterator[str]:
    before, after = refit.before, refit.after
    yield ""
    yield (
        f"Fitted anew on {refit.fitted_on:,} forecasts; on the {before.answers:,} of the other learners, "
        "as it was and with the fit:"
    )
    yield f"  off by           {before.calibration_error:>6.1%} {after.calibration_error:>6.1%}"
    yield f"  pairs in order   {before.auc:>6.1%} {after.auc:>6.1%}"
    yield f"  log loss         {before.log_loss:>6.3f} {after.log_loss:>6.3f}"
    yield f"  right answers    {_count(refit.fewest_before):>6} {_count(refit.fewest_after):>6}  master the largest topic"
    if refit.is_taken:
        yield "The fit counts from now on; 'tutor calibrate --undo' brings the old parameters back."
    else:
        yield f"The parameters stay as they are: {refit.reason}."
