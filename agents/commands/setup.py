"""What every command needs: settings, a database and the library over it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from agents.settings import Settings, load_settings
from rag.library import Library, LibraryOptions
from storage.database import Database

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
    database = await Database.open(settings.database)
    library = Library(database, library_options(settings))
    try:
        yield library
    finally:
        await library.close()
        await database.close()


def library_options(settings: Settings) -> LibraryOptions:
    return LibraryOptions(
        index_folder=settings.data_dir / "index",
        embedder=settings.embedder,
        cohere_api_key=settings.cohere_api_key.get_secret_value() if settings.cohere_api_key else None,
        qdrant_url=settings.qdrant_url,
        qdrant_api_key=settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None,
        qdrant_collection=settings.qdrant_collection,
    )
