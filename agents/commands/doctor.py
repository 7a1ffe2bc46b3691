"""Is everything in order? Each part is ok, or the line says what is wrong and what mends it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from agents.models.choice import choose_model
from agents.services import library_options
from agents.settings import Settings, load_settings
from agents.task_manager.connection import task_connection
from rag.embedders import make_embedder
from rag.library import Library
from storage.backups import damage, how_to_mend
from storage.database import Database
from storage.errors import StorageError, TutorError
from storage.url import is_postgresql, sqlite_file

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


@click.command()
@click.option("--model", "asks_model", is_flag=True, help="Make one call of each kind to the large model.")
def doctor(asks_model: bool) -> None:
    """Check the model, embedder, index, database and task server."""
    settings = load_settings()
    console = Console(highlight=False, soft_wrap=True)
    findings = asyncio.run(_call_model(settings, console) if asks_model else examine(settings))
    if not asks_model:
        for finding in findings:
            _show(console, finding)
    if not all(finding.is_ok for finding in findings):
        sys.exit(1)


def _show(console: Console, finding: Finding) -> None:
    mark = "[green]ok[/green]   " if finding.is_ok else "[red]wrong[/red]"
    console.print(f"{mark} [bold]{finding.part:<12}[/bold] ", end="")
    console.print(finding.detail, markup=False)


async def _call_model(settings: Settings, console: Console) -> list[Finding]:
    """Show each call as it comes back: a slow model takes minutes."""
    from agents.commands.model_check import advice, try_model

    tried, findings = [], []
    async for each in try_model(settings):
        tried.append(each)
        findings.append(Finding(part=each.kind, is_ok=each.is_ok, detail=each.detail))
        _show(console, findings[-1])
    console.print(advice(tried), markup=False)
    return findings


async def examine(settings: Settings) -> list[Finding]:
    """Check each part by itself, so that one that fails hides no other."""
    checks: dict[str, Callable[[Settings], Awaitable[str]]] = {
        "model": _model,
        "embedder": _embedder,
        "database": _database,
        "index": _index,
        "task server": _task_server,
    }
    return [await _finding(part, check, settings) for part, check in checks.items()]


async def _finding(part: str, check: Callable[[Settings], Awaitable[str]], settings: Settings) -> Finding:
    try:
        return Finding(part=part, is_ok=True, detail=await check(settings))
    except TutorError as err:
        return Finding(part=part, is_ok=False, detail=str(err))


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
    database = await Database.open(settings.database)
    try:
        if not is_postgresql(database.url):
            await asyncio.to_thread(_refuse_damage, sqlite_file(database.url))
        courses = await Library(database, library_options(settings)).courses()
    finally:
        await database.close()
    chunks = sum(course.chunks for course in courses)
    return f"{database.place}: {len(courses)} courses, {chunks:,} chunks"


def _refuse_damage(file: Path) -> None:
    if problem := damage(file):
        raise StorageError(f"The database file {file.name} is damaged: {problem}. {how_to_mend(file)}")


async def _index(settings: Settings) -> str:
    database = await Database.open(settings.database)
    library = Library(database, library_options(settings))
    try:
        await library.follow()
        points = await library.index_size()
    finally:
        await library.close()
        await database.close()
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
