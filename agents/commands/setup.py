"""What commands need: settings, a database and the library over it, and a bar for what takes long."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from agents.services import library_options
from agents.settings import Settings, load_settings
from rag.ingest import Progress as IngestProgress
from rag.library import Library
from storage.database import Database
from storage.private import private_folder

T = TypeVar("T")


def run(work: Callable[[Settings, Library], Awaitable[T]]) -> T:
    """Load the settings, open the library, do the work, and close everything."""

    async def with_library() -> T:
        settings = load_settings()
        async with open_library(settings) as library:
            return await work(settings, library)

    return asyncio.run(with_library())


@asynccontextmanager
async def open_library(settings: Settings) -> AsyncIterator[Library]:
    private_folder(settings.data_dir)
    database = await Database.open(settings.database)
    library = Library(database, library_options(settings))
    try:
        yield library
    finally:
        await library.close()
        await database.close()


class IngestBar:
    """Appears with the first progress, so an ingest with nothing to do shows nothing."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("Reading"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[detail]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self._started = time.perf_counter()
        self._task: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, progress: IngestProgress) -> None:
        rate = progress.chunks_done / max(time.perf_counter() - self._started, 1e-6)
        detail = f"{progress.files_done}/{progress.files_total} files · {progress.chunks_done} chunks · {rate:,.0f}/s"
        if self._task is None:
            self._bar.start()
            self._task = self._bar.add_task("", total=progress.bytes_total, detail=detail)
        self._bar.update(self._task, completed=progress.bytes_done, detail=detail)  # type: ignore[arg-type]
