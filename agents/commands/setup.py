"""What commands need: options that several have, what they work on, and a bar for what takes long."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from agents.services import Services, library_options
from agents.settings import Settings, load_settings
from rag.ingest import IngestProgress, Stage
from rag.library import Library
from storage import ID_CHARACTERS, is_learner_id
from storage.database import Database
from storage.errors import InvalidInputError
from storage.files import private_folder

T = TypeVar("T")


def _learner(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if not is_learner_id(value):
        raise click.BadParameter(f"A user id has 1 to {ID_CHARACTERS} characters that can be seen.")
    return value


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
as_user = click.option("--user", default="user", show_default=True, callback=_learner, help="Whose record.")
in_course = click.option("--course", help="Only this course; 'tutor courses' lists them.")


def on_database(work: Callable[[Database], Awaitable[T]]) -> T:
    """Open the database, do the work, and close it."""

    async def opened() -> T:
        async with open_database(load_settings()) as database:
            return await work(database)

    return asyncio.run(opened())


def on_library(work: Callable[[Settings, Library], Awaitable[T]]) -> T:
    """Open the library, do the work, and close everything."""

    async def opened() -> T:
        settings = load_settings()
        async with open_library(settings) as library:
            return await work(settings, library)

    return asyncio.run(opened())


def on_course(course: str | None, work: Callable[[Settings, Library, list[str]], Awaitable[T]]) -> T:
    """The same on a course that must be there, or on the names of all; the first run reads the sample."""

    async def opened(settings: Settings, library: Library) -> T:
        if await library.ensure_course(settings.course):
            click.echo(f"First run: read the course in '{settings.course.name}'.", err=True)
        names = await course_names(library, course)
        return await work(settings, library, [course] if course else names)

    return on_library(opened)


def on_services(work: Callable[[Services], Awaitable[T]]) -> T:
    """Open everything that a turn needs, do the work, and close it."""

    async def opened() -> T:
        services = Services(load_settings())
        try:
            await services.ready()
            return await work(services)
        finally:
            await services.close()

    return asyncio.run(opened())


async def course_names(library: Library, wanted: str | None) -> list[str]:
    """The courses there are; the one that is wanted must be among them."""
    names = [found.name for found in await library.courses()]
    if wanted and wanted not in names:
        raise InvalidInputError(f"There is no course '{wanted}'. There is: {', '.join(names) or 'none yet'}.")
    return names


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[Database]:
    database = await Database.open(settings.database)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_library(settings: Settings) -> AsyncIterator[Library]:
    private_folder(settings.data_dir)
    async with open_database(settings) as database:
        library = Library(database, library_options(settings))
        try:
            yield library
        finally:
            await library.close()


@contextmanager
def at_work(words: str) -> Iterator[None]:
    """Something moves while something takes long; where there is no terminal, a plain line says what."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(words):
            yield
    else:
        click.echo(words, err=True)
        yield


@contextmanager
def ingest_bar() -> Iterator[Callable[[IngestProgress], None]]:
    """Appears with the first progress, so an ingest with nothing to do shows nothing."""
    words = TextColumn("{task.fields[detail]}")
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        words,
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console)

    told: set[Stage] = set()

    def show(progress: IngestProgress) -> None:
        if not console.is_terminal:
            if progress.stage not in told:
                told.add(progress.stage)
                files = f"{progress.files_total} file{'s' if progress.files_total != 1 else ''}"
                click.echo(f"{progress.stage.capitalize()}: {files}", err=True)
            return
        detail = f"{progress.files_done}/{progress.files_total} files"
        if not bar.tasks:
            bar.start()
            bar.add_task("", total=1.0, detail=detail)
        stage = progress.stage.capitalize()
        bar.update(bar.task_ids[0], completed=progress.share, description=stage, detail=detail)

    try:
        yield show
    finally:
        if bar.tasks:
            bar.stop()
