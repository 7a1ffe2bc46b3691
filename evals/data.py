"""The public data that benchmarks read in place, and courses read in for them."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agents.settings import load_settings
from rag.library import Library, LibraryOptions
from storage.database import Database
from storage.errors import ConfigurationError

SAMPLE_COURSE = Path(__file__).parent.parent / "rag" / "courses" / "physical-ai"

_LABELS = Path(__file__).parent / "labels"


def hash_of_labels() -> str:
    """Of all that messages are read by: the weights that are stored belong to labels as they are."""
    names = ("messages_fit", "topic_sentences_fit", "course_topics_fit")
    return hashlib.sha256(b"".join((_LABELS / f"{name}.jsonl").read_bytes() for name in names)).hexdigest()


def bench_data(name: str) -> Path:
    """The folder of one data set, or a clear word on what is missing."""
    folder = load_settings().bench_data / name
    if not folder.exists():
        raise ConfigurationError(
            f"The benchmark data '{name}' is not there. Set TUTOR_BENCH_DATA to the folder that holds it."
        )
    return folder.resolve()


@asynccontextmanager
async def fresh_library(folder: Path, source: Path, *, course: str) -> AsyncIterator[Library]:
    """One course, freshly ingested into a database and an index of its own in the folder."""
    database = await Database.open(f"sqlite:///{folder}/{course}.db")
    library = Library(database, LibraryOptions(index_folder=folder / f"index-{course}", embedder="wordllama"))
    try:
        await library.ingest([source], course=course)
        yield library
    finally:
        await library.close()
        await database.close()


@asynccontextmanager
async def sample_library(folder: Path) -> AsyncIterator[Library]:
    """The sample course, freshly ingested into the folder."""
    async with fresh_library(folder, SAMPLE_COURSE, course=SAMPLE_COURSE.name) as library:
        yield library
