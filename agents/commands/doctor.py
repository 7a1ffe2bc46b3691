"""Is everything in order, and does the model do its work? Each part is ok, or the line says what is wrong and what mends it."""

import asyncio
import math
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import click
from google.adk.models.base_llm import BaseLlm
from pydantic import BaseModel
from rich.console import Console

from agents.briefing import fitting, passages_text, prompt
from agents.commands.setup import open_database, open_library
from agents.coordinator.large_model import ModelIntent
from agents.models.choice import SLOW_FROM, MeasuredModel, build_model, choose_model, remember
from agents.models.voice import Consultation, ModelFailureError, read_json, text_of
from agents.quiz.marking import Judgement, judge_request
from agents.quiz.writer import WrittenQuiz
from agents.repair import Draft
from agents.services import library_options
from agents.settings import SAMPLE_COURSE, Settings, load_settings
from agents.task_manager.toolset import task_connection
from agents.teaching.values import QuizQuestion, RetrievalResult
from rag.embedders import make_embedder
from rag.index import Scope
from rag.library import Library
from storage.engines import is_postgresql, sqlite_file
from storage.errors import ConfigurationError, StorageError, TutorError
from storage.files import damage, how_to_mend

_MEND_OWN = "The task server does not start. Run 'tutor mcp' to see why, or 'make web' to install again."
_MEND_SHARED = (
    "The task server at TUTOR_TASKS_URL does not answer, or refuses TUTOR_TASKS_TOKEN. Start it with "
    "'tutor mcp --http PORT' and use the address and the token that it prints, or unset TUTOR_TASKS_URL to use one of our own."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found."""

    part: str
    is_ok: bool
    detail: str
    first_word: float = 0.0  # of a model: the seconds until it came
    speed: float = 0.0  # and the tokens a second from then on


@click.command()
@click.option("--model", "asks_model", is_flag=True, help="Make one call of each kind to the large model.")
def doctor(asks_model: bool) -> None:
    """Check the model, embedder, index, database and task server."""
    settings = load_settings()
    console = Console(highlight=False, soft_wrap=True)
    examined = examine(settings)
    if asks_model:
        examined = try_model(settings)

    async def work() -> list[Finding]:
        findings = []
        # Each is shown as it comes: a slow model takes minutes.
        async for finding in examined:
            mark = "[green]ok[/green]   " if finding.is_ok else "[red]wrong[/red]"
            console.print(f"{mark} [bold]{finding.part:<12}[/bold] ", end="")
            console.print(finding.detail, markup=False)
            findings.append(finding)
        return findings

    findings = asyncio.run(work())
    if asks_model:
        console.print(advice(findings), markup=False)
    if not all(finding.is_ok for finding in findings):
        sys.exit(1)


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Check each part by itself, so that one that fails hides no other."""
    checks: dict[str, Callable[[Settings], Awaitable[str]]] = {
        "model": _model,
        "embedder": _embedder,
        "database": _database,
        "index": _index,
        "task server": _task_server,
    }
    for part, check in checks.items():
        try:
            yield Finding(part=part, is_ok=True, detail=await check(settings))
        except TutorError as err:
            yield Finding(part=part, is_ok=False, detail=str(err))


async def _model(settings: Settings) -> str:
    choice = choose_model(settings)
    if choice.family == "embedded":
        return "embedded (offline; set GOOGLE_API_KEY or TUTOR_MODEL for a large model)"
    return f"{choice.name} ({choice.family})"


async def _embedder(settings: Settings) -> str:
    key = settings.cohere_api_key.get_secret_value() if settings.cohere_api_key else None
    embedder = make_embedder(settings.embedder, cohere_api_key=key)
    try:
        await embedder.embed_query("Is anybody there?")
        return f"{embedder.name}, {embedder.dimension} dimensions"
    finally:
        await embedder.close()


async def _database(settings: Settings) -> str:
    async with open_database(settings) as database:
        if not is_postgresql(database.url):
            file = sqlite_file(database.url)
            if problem := await asyncio.to_thread(damage, file):
                raise StorageError(
                    f"The database file {file.name} is damaged: {problem}. {how_to_mend(file)}"
                )
        courses = await Library(database, library_options(settings)).courses()
    chunks = sum(course.chunks for course in courses)
    return f"{database.place}: {len(courses)} courses, {chunks:,} chunks"


async def _index(settings: Settings) -> str:
    async with open_library(settings) as library:
        await library.follow()
        points = await library.index_size()
    where = "Qdrant server" if settings.qdrant_url else "embedded"
    return f"{where}, {points:,} entries, up to date"


async def _task_server(settings: Settings) -> str:
    import httpx2
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    connection = task_connection(settings)
    command, *arguments = connection.command or ("",)
    try:
        async with (
            asyncio.timeout(connection.seconds),
            httpx2.AsyncClient(headers=connection.headers) as http,
            Client(
                streamable_http_client(connection.url, http_client=http)
                if connection.url
                else StdioServerParameters(command=command, args=arguments, env=dict(connection.environment))
            ) as client,
        ):
            tools = (await client.list_tools()).tools
    # Which exceptions a failing transport raises is the SDK's own affair, and groups of them are among it.
    except Exception as err:
        raise StorageError(_MEND_SHARED if connection.url else _MEND_OWN) from err
    return f"{len(tools)} tools {f'at {connection.url}' if connection.url else 'over stdio'}"


_TOPIC = "topic"
_MARGIN = 2.0  # times the longest silence seen
_SHORTEST, _STEP = 30, 10  # seconds


async def try_model(settings: Settings) -> AsyncIterator[Finding]:
    """Each kind of call once, the slowest first: it tells whether the model has to be spared."""
    if choose_model(settings).family == "embedded":
        raise ConfigurationError(
            "No large model is set up. Set TUTOR_MODEL, or GOOGLE_API_KEY, and run this again."
        )
    model = build_model(settings.model_copy(update={"model_timeout": max(600.0, settings.model_timeout)}))
    passages = await _passages(settings)
    lesson = await _try(
        model, _lesson(settings, passages), kind="lesson", reads=partial(_is_grounded, passages=passages)
    )
    yield lesson
    if lesson.is_ok:
        measured = MeasuredModel(
            model=model.model,
            first_word_seconds=round(lesson.first_word, 2),
            tokens_a_second=round(lesson.speed, 1),
        )
        remember(settings, measured)
    for kind, asked, schema in _json_calls(passages):
        yield await _try(model, asked, kind=kind, reads=partial(_reads, schema=schema))


def advice(tried: list[Finding]) -> str:
    """The time-out to set, from the longest silence."""
    longest = max((each.first_word for each in tried if each.is_ok), default=0.0)
    if not longest:
        return "No call came back: check TUTOR_MODEL, TUTOR_MODEL_URL and the key. Without a model the tutor works offline."
    wanted = max(_SHORTEST, _STEP * math.ceil(_MARGIN * longest / _STEP))
    slow = " It is slow, so its briefs will have half the passages." if longest >= SLOW_FROM else ""
    return f"Set TUTOR_MODEL_TIMEOUT={wanted}.{slow}"


async def _try(model: BaseLlm, asked: Consultation, *, kind: str, reads: Callable[[str], str]) -> Finding:
    began, first, text, tokens = time.perf_counter(), 0.0, "", 0
    try:
        async for response in model.generate_content_async(asked.request(model=model.model), stream=True):
            first = first or time.perf_counter() - began
            if not response.partial:
                text = text_of(response)
                usage = response.usage_metadata
                tokens = (usage.candidates_token_count or 0) if usage else 0
    except ModelFailureError as failure:
        return Finding(part=kind, is_ok=False, detail=f"failed ({failure})")
    speed = (tokens or len(text) // 4) / max(time.perf_counter() - began - first, 1e-3)
    problem = reads(text)
    detail = (
        f"first word after {first:.1f} s, {speed:.0f} tokens a second, brief of about {asked.tokens} tokens"
    )
    return Finding(
        part=kind,
        is_ok=not problem,
        detail=f"{problem}; {detail}" if problem else detail,
        first_word=first,
        speed=speed,
    )


async def _passages(settings: Settings) -> tuple[RetrievalResult, ...]:
    async with open_library(settings) as library:
        await library.ensure_course(SAMPLE_COURSE)
        courses = await library.courses()
        found = await library.retrieve(_TOPIC, top_k=5, scope=Scope(course=courses[0].name))
        return tuple(found)


def _lesson(settings: Settings, passages: tuple[RetrievalResult, ...]) -> Consultation:
    shown = passages_text(fitting(passages, tokens=1500))
    return Consultation(
        task="lesson",
        system=prompt("tutor/prompt.md"),
        brief=f"{shown}\n\nTeach: {_TOPIC}. Language: English.",
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
    )


def _json_calls(
    passages: tuple[RetrievalResult, ...],
) -> list[tuple[str, Consultation, type[BaseModel]]]:
    shown = passages_text(fitting(passages, tokens=800))
    question = QuizQuestion(
        question_id="1", question_text=f"What is a {_TOPIC}?", concept_name=_TOPIC, difficulty="easy",
        expected_answer=passages[0].chunk_text.partition("\n")[0], source_context=passages[0].chunk_text,
    )  # fmt: skip
    quiz = Consultation(
        task="quiz",
        system=prompt("quiz/prompt.md"),
        brief=f"{shown}\n\nWrite 2 questions, difficulty easy, medium. Concepts: {_TOPIC}. First: {_TOPIC}.",
        schema=WrittenQuiz,
    )
    intent = Consultation(
        task="intent",
        system=prompt("coordinator/intent.md"),
        brief="No question is open.\n\nThe message: could we maybe do the thing with the channels next?",
        schema=ModelIntent,
        max_tokens=400,
    )
    judge = judge_request(question, "a channel with a name", passage=passages[0].chunk_text, learner="")
    return [("judge", judge, Judgement), ("quiz", quiz, WrittenQuiz), ("intent", intent, ModelIntent)]


def _is_grounded(text: str, *, passages: tuple[RetrievalResult, ...]) -> str:
    draft = Draft(passages, known=_TOPIC)
    draft.feed(text)
    draft.finish()
    return "" if draft.is_grounded else "its text rests on no passage"


def _reads(text: str, *, schema: type[BaseModel]) -> str:
    return "" if read_json(text, schema) else "its reply is not the JSON that was asked for"
