"""Is everything in order? Each part is ok, or the line says what is wrong and what mends it."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import click
from rich.console import Console

from agents.commands.setup import library_options
from agents.models.choice import choose_model
from agents.settings import Settings, load_settings
from rag.embedders import make_embedder
from rag.library import Library
from storage.database import Database
from storage.errors import StorageError, TutorError

_PROBE_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found."""

    part: str
    is_ok: bool
    detail: str


@click.command()
def doctor() -> None:
    """Check the model, embedder, index, database and task server."""
    findings = asyncio.run(examine(load_settings()))
    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        mark = "[green]ok[/green]   " if finding.is_ok else "[red]wrong[/red]"
        console.print(f"{mark} [bold]{finding.part:<12}[/bold] ", end="")
        console.print(finding.detail, markup=False)
    if not all(finding.is_ok for finding in findings):
        sys.exit(1)


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
        courses = await Library(database, library_options(settings)).courses()
    finally:
        await database.close()
    chunks = sum(course.chunks for course in courses)
    return f"{database.place}: {len(courses)} courses, {chunks:,} chunks"


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
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tasks_tools", "--database", settings.database],
        env=dict(os.environ),
    )
    try:
        async with (
            asyncio.timeout(_PROBE_SECONDS),
            stdio_client(server) as (reading, writing),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            tools = (await session.list_tools()).tools
    except (OSError, TimeoutError, ExceptionGroup) as err:
        raise StorageError(
            "The task server does not start. Run 'tutor mcp' to see why, or 'make web' to install again."
        ) from err
    return f"{len(tools)} tools over stdio"
