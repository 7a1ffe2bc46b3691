"""Is everything in order, and does the model do its work? Each part is ok, or the line says what is wrong and what mends it."""

import asyncio
import math
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from rich.console import Console

from agents.bookkeeping import Bookkeeper, difference
from agents.briefing import (
    CHARS_A_TOKEN,
    exact_config,
    fenced,
    fitting,
    passages_text,
    prompt,
    words_config,
)
from agents.commands.setup import open_database, open_library
from agents.coordinator.tools import verbs
from agents.models.choice import SLOW_FROM, MeasuredModel, build_model, choose_model, remember
from agents.models.jsontext import objects_in
from agents.models.nearby import find_models
from agents.models.voice import ModelFailureError, calls_of, is_waiting, text_of
from agents.quiz.tools import quiz_tools
from agents.repair import Draft
from agents.services import Services, library_options
from agents.settings import SAMPLE_COURSE, Settings, load_settings
from agents.task_manager.toolset import task_connection
from agents.teaching.values import RetrievalResult
from rag.embedders import make_embedder
from rag.index import Scope
from rag.library import Library
from storage.engines import is_postgresql, sqlite_file
from storage.errors import ConfigurationError, StorageError, TutorError
from storage.files import damage, how_to_mend, private_folder
from storage.ledger import Ledger

_LEAST_FREE = 200_000_000  # bytes
_NO_MODEL = "'tutor model' or GOOGLE_API_KEY sets a large one"
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
@click.option(
    "--replay", "replays", is_flag=True, help="Replay everybody's answers and compare what is kept of them."
)
def doctor(asks_model: bool, replays: bool) -> None:
    """Check the model, embedder, index, database and task server."""
    settings = load_settings()
    console = Console(highlight=False, soft_wrap=True)
    examined = examine(settings)
    if asks_model:
        examined = try_model(settings)
    elif replays:
        examined = examine(settings, {"records": _records})

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
    elif not replays:
        console.print(next_step(findings), markup=False)
    if not all(finding.is_ok for finding in findings):
        sys.exit(1)


def next_step(findings: Sequence[Finding]) -> str:
    """What to do now: mend the first thing that is wrong, or begin."""
    wrong = [finding.part for finding in findings if not finding.is_ok]
    if wrong:
        return f"Next: mend the {wrong[0]} as said above, then run 'tutor doctor' again."
    return "Everything is in order. Next: 'tutor start' opens the page; drop your own material there."


Check = Callable[[Settings], Awaitable[str]]


async def examine(settings: Settings, checks: Mapping[str, Check] | None = None) -> AsyncIterator[Finding]:
    """Check each part by itself, so that one that fails hides no other."""
    usual: dict[str, Check] = {
        "folder": _data_folder,
        "model": _model,
        "embedder": _embedder,
        "database": _database,
        "index": _index,
        "task server": _task_server,
    }
    for part, check in (checks or usual).items():
        try:
            yield Finding(part=part, is_ok=True, detail=await check(settings))
        except TutorError as err:
            yield Finding(part=part, is_ok=False, detail=str(err))


async def _records(settings: Settings) -> str:
    """What is kept of answers against a replay of them; what differs is made anew."""
    differing = []
    async with open_database(settings) as database:
        ledger = Ledger(database, books=Bookkeeper())
        everybodys = await ledger.shelves()
        for user_id, course in everybodys:
            shelf = (await ledger.shelves_of(user_id, course=course)).get(course)
            if found := difference(shelf, await ledger.of(user_id, course=course)):
                differing.append(f"{user_id} in {course} ({', '.join(found)})")
                await ledger.make_anew(user_id, course=course)
    if differing:
        raise StorageError(
            f"What is kept differs from a replay of the answers, and was made anew: {'; '.join(differing)}."
        )
    return f"{len(everybodys)} as a replay of the answers makes them"


async def _data_folder(settings: Settings) -> str:
    """Where everything is kept: it can be written, and there is room."""
    folder = settings.data_dir.absolute()
    try:
        private_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as err:
        raise StorageError(
            "The data folder cannot be written. Check whose it is, or choose another one with TUTOR_DATA_DIR."
        ) from err
    if free < _LEAST_FREE:
        raise StorageError(
            f"The disk of the data folder is nearly full ({free / 1e6:.0f} MB). Make room, or choose another "
            "disk with TUTOR_DATA_DIR."
        )
    return f"{folder.name}, {free / 1e9:.0f} GB free"


async def _model(settings: Settings) -> str:
    choice = choose_model(settings)
    if choice.family == "embedded":
        found = await find_models() if settings.looks_for_models else ()
        here = f"{found[0].name} is running here: 'tutor model {found[0].setting}' uses it" if found else ""
        return f"none, works offline; {here or _NO_MODEL}"
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
    services = Services(settings)
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
    for kind, asked, tool in _with_tools(services, passages):
        yield await _try(model, asked, kind=kind, reads=partial(_calls, tool=tool))


def advice(tried: list[Finding]) -> str:
    """The time-out to set, from the longest silence."""
    longest = max((each.first_word for each in tried if each.is_ok), default=0.0)
    if not longest:
        return "No call came back: check TUTOR_MODEL, TUTOR_MODEL_URL and the key. Without a model the tutor works offline."
    wanted = max(_SHORTEST, _STEP * math.ceil(_MARGIN * longest / _STEP))
    slow = " It is slow, so its briefs will have half the passages." if longest >= SLOW_FROM else ""
    return f"Set TUTOR_MODEL_TIMEOUT={wanted}.{slow}"


async def _try(
    model: BaseLlm, asked: LlmRequest, *, kind: str, reads: Callable[[LlmResponse], str]
) -> Finding:
    began, first, said, tokens = time.perf_counter(), 0.0, LlmResponse(), 0
    length = len(str(asked.config.system_instruction)) // CHARS_A_TOKEN
    try:
        async for response in model.generate_content_async(asked, stream=True):
            if is_waiting(response):
                continue
            first = first or time.perf_counter() - began
            if not response.partial:
                said = response
                usage = response.usage_metadata
                tokens = (usage.candidates_token_count or 0) if usage else 0
    except ModelFailureError as failure:
        return Finding(part=kind, is_ok=False, detail=f"failed ({failure})")
    words = len(text_of(said)) // CHARS_A_TOKEN
    speed = (tokens or words) / max(time.perf_counter() - began - first, 1e-3)
    problem = reads(said)
    detail = f"first word after {first:.1f} s, {speed:.0f} tokens a second, brief of about {length} tokens"
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


def _request(
    *parts: str, message: str, config: types.GenerateContentConfig, tools: Sequence[Callable[..., Any]] = ()
) -> LlmRequest:
    """A request as the agent that it stands for would make it."""
    request = LlmRequest(contents=[types.UserContent(message)], config=config)
    request.append_instructions(["\n\n".join(parts)])
    request.append_tools([FunctionTool(each) for each in tools])
    return request


def _lesson(settings: Settings, passages: tuple[RetrievalResult, ...]) -> LlmRequest:
    shown = passages_text(fitting(passages, tokens=1500))
    return _request(
        prompt("tutor/prompt.md"),
        shown,
        f"Teach: {_TOPIC}. Language: English.",
        message=f"teach me {_TOPIC}",
        config=words_config(settings),
    )


def _with_tools(
    services: Services, passages: tuple[RetrievalResult, ...]
) -> list[tuple[str, LlmRequest, str]]:
    shown = passages_text(fitting(passages, tokens=800))
    quiz = _request(
        prompt("quiz/prompt.md"),
        shown,
        f"Write 2 questions, difficulty easy, medium. Concepts: {_TOPIC}. First: {_TOPIC}.",
        message="Write the questions.",
        config=exact_config(),
        tools=quiz_tools(services),
    )
    judge = _request(
        prompt("quiz/judge.md"),
        f"The course says:\n{fenced(passages[0].chunk_text)}",
        f"The question: What is a {_TOPIC}?\nExpected: {passages[0].chunk_text.partition(chr(10))[0]}",
        f"The learner's answer:\n{fenced('a channel with a name')}",
        message="Judge the learner's answer.",
        config=exact_config(),
        tools=quiz_tools(services),
    )
    desk = _request(
        prompt("coordinator/prompt.md"),
        f"The course covers: {_TOPIC}.",
        f"They say:\n{fenced('could we maybe do the thing with the channels next?')}",
        message="Answer the learner's message, or use the tools to do what it asks for.",
        config=words_config(services.settings),
        tools=verbs(services),
    )
    return [
        ("judge", judge, "give_verdict"),
        ("quiz", quiz, "propose_questions"),
        ("tools", desk, "start_topic"),
    ]


def _is_grounded(said: LlmResponse, *, passages: tuple[RetrievalResult, ...]) -> str:
    draft = Draft(passages, known=_TOPIC)
    draft.feed(text_of(said))
    draft.finish()
    return "" if draft.is_grounded else "its text rests on no passage"


def _calls(said: LlmResponse, *, tool: str) -> str:
    is_read = bool(calls_of(said)) or bool(objects_in(text_of(said)))
    return "" if is_read else f"it neither calls {tool} nor answers in JSON"
