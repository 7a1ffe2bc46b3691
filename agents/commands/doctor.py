"""Is everything in order? Each part is ok, or the line says what is wrong and what mends it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import click
from rich.console import Console

from agents.commands.setup import open_database, open_library
from agents.models.choice import choose_model
from agents.services import library_options
from agents.settings import Settings, load_settings
from agents.task_manager.toolset import task_connection
from rag.embedders import make_embedder
from rag.library import Library
from storage.engines import is_postgresql, sqlite_file
from storage.errors import StorageError, TutorError
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
        from agents.commands.model_check import advice, try_model

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
