"""A course is read by several hands, none of which is the one that serves people meanwhile."""

import asyncio
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag import ingest as ingesting
from rag.embedders import make_embedder
from rag.ingest import IngestReport, ingest
from rag.loaders.apart import ReadingProcess
from rag.loaders.document import LoadedDocument
from storage.corpus import Corpus
from storage.database import Database


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Chapters of some length, one that cannot be read and one without words."""
    folder = tmp_path / "pumps"
    folder.mkdir()
    for number in range(12):
        text = f"A pump of kind {number} moves water from one place to another. " * 40
        (folder / f"ch{number:02}.md").write_text(f"# Pump {number}\n\n{text}\n")
    (folder / "ch90.md").write_text("# Only a title\n")
    (folder / "ch91.ipynb").write_text("{ no notebook")
    return folder


async def read(course: Path, database: str) -> tuple[IngestReport, list[tuple[str, str]]]:
    opened = await Database.open(database)
    corpus = Corpus(opened)
    report = await ingest(
        [course],
        course="pumps",
        corpus=corpus,
        embedder=lambda: make_embedder("wordllama", cohere_api_key=None),
        now=datetime.now(UTC),
    )
    texts = [(each.chapter_id, each.content_hash) for each in await corpus.documents("pumps")]
    await opened.close()
    return report, texts


async def test_several_hands_read_what_one_would(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, texts = await read(course, f"sqlite:///{tmp_path / 'alone.db'}")
    by_others: list[Path] = []
    load = ReadingProcess.load

    def counted(self: ReadingProcess, path: Path, *, root: Path | None = None) -> LoadedDocument:
        by_others.append(path)
        return load(self, path, root=root)

    monkeypatch.setattr(ReadingProcess, "load", counted)
    monkeypatch.setattr(ingesting, "_WORTH_ANOTHER", 1)
    monkeypatch.setattr(ingesting.os, "cpu_count", lambda: 3)
    # Ours waits until the others have read something, or they would find nothing left to do.
    mine = ingesting.load_document

    def late(path: Path, *, root: Path | None = None) -> LoadedDocument:
        while not by_others:
            threading.Event().wait(0.01)
        return mine(path, root=root)

    monkeypatch.setattr(ingesting, "load_document", late)
    together, same = await read(course, f"sqlite:///{tmp_path / 'together.db'}")
    assert by_others
    assert same == texts
    assert (together.failures, together.chunks, together.added) == (alone.failures, alone.chunks, 12)


async def test_the_loop_goes_on_while_a_file_is_read(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server's loop renews the locks of its turns, whatever else it does."""
    begun, served = asyncio.Event(), threading.Event()
    loop, mine = asyncio.get_running_loop(), ingesting.load_document

    def slow(path: Path, *, root: Path | None = None) -> LoadedDocument:
        loop.call_soon_threadsafe(begun.set)
        assert served.wait(60), "nobody was served meanwhile"
        return mine(path, root=root)

    monkeypatch.setattr(ingesting, "load_document", slow)
    reading = asyncio.create_task(read(course, f"sqlite:///{tmp_path / 'tutor.db'}"))
    await begun.wait()
    served.set()
    report, _ = await reading
    assert report.added == 12
