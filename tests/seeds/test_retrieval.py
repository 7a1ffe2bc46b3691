"""The search of the documents: what its scores mean, how it fails, and what it leaves alone."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

import agents.coordinator.search as coordinator_search
from agents.coordinator.search import search
from rag.embedders import CohereEmbedder, WordLlamaEmbedder
from rag.index import Scope
from rag.library import Library, LibraryOptions
from rag.retriever import Retriever
from storage.database import Database
from storage.errors import QdrantConnectionError, TutorError
from tests.support.cohere_server import cohere_server
from tests.support.qdrant_server import qdrant_server
from tests.support.talk import Learner

QUESTIONS = (
    "What is a node?",
    "What is URDF?",
    "How does loop closure work?",
    "What is quality of service?",
    "how do I simulate sensors?",
)


@pytest.fixture
async def library(ada: Learner) -> Library:
    await ada.services.ready()
    return ada.services.library


async def test_a_similarity_is_the_cosine(library: Library) -> None:
    """Computed here from the vectors that are stored."""
    embedder = WordLlamaEmbedder()
    for question in QUESTIONS:
        asked = await embedder.embed_query(question)
        results = await library.retrieve(question, top_k=10)
        stored = await library.corpus.chunks_by_id([result.chunk_id for result in results])
        cosines = {each.chunk_id: float(np.frombuffer(each.vector, np.float32) @ asked) for each in stored}
        for result in results:
            assert result.similarity_score == pytest.approx(max(0.0, cosines[result.chunk_id]), abs=0.002)


async def test_a_search_and_the_chat_rank_alike(ada: Learner, library: Library) -> None:
    for question in QUESTIONS:
        await ada.say(question)
        shown = (await ada.services.sessions.turns("ada"))[-1].retrieval_results
        names = (await ada.services.syllabus("physical-ai")).names
        found = await search(library, question, top_k=5, scope=Scope(course="physical-ai"), terms=names)
        assert {each["chunk_id"] for each in shown} == {each.chunk_id for each in found.ranked}


async def test_the_same_question_is_searched_for_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    real = Retriever._search

    async def noted(self: Retriever, query: str, *rest: Any) -> Any:
        searched.append(query)
        return await real(self, query, *rest)

    monkeypatch.setattr(Retriever, "_search", noted)
    first = await library.retrieve("what is a wheel?")
    assert await library.retrieve("what is a wheel?") == first
    assert searched == ["what is a wheel?"]
    await library.retrieve("what is a wheel?", top_k=3)
    assert len(searched) == 2


async def test_calls_are_recorded_in_the_order_they_were_made(
    ada: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look-up is the last to come back."""
    await ada.say("hello")
    real, others = coordinator_search.look_up, asyncio.Event()
    asked: list[str] = []

    async def slow_at_first(library: Library, query: str, **options: Any) -> Any:
        asked.append(query)
        is_first = len(asked) == 1
        if is_first:
            await others.wait()
        found = await real(library, query, **options)
        if len(asked) == 3 and not is_first:
            others.set()
        return found

    monkeypatch.setattr(coordinator_search, "look_up", slow_at_first)
    async with asyncio.timeout(20):
        await ada.say("What is the difference between a topic and a service?")
    made = [call.parameters["query"] for call in (await ada.response()).tool_calls]
    assert made[0] == "What is the difference between a topic and a service?"
    assert len(made) == 3


@pytest.mark.parametrize("answers", [0, 1])
async def test_an_outage_of_the_index_is_logged(
    ada: Learner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answers: int
) -> None:
    """Whether it comes before the first look-up or between two of one turn."""
    await ada.say("hello")
    real, left = Library.retrieve, answers

    async def fail_later(self: Library, query: str, **options: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise QdrantConnectionError("The Qdrant server does not answer.")
        return await real(self, query, **options)

    monkeypatch.setattr(Library, "retrieve", fail_later)
    with caplog.at_level(logging.WARNING):
        heard = await ada.say("what is a node?")
    assert "Unable to retrieve content" in heard.text
    assert "QDRANT_ERROR" in caplog.text
    assert "what is a node" not in caplog.text


async def test_a_conversation_that_outgrew_the_view_is_told_so(ada: Learner) -> None:
    """Whole pages of text are pasted into the chat, again and again."""
    page = "really, and why does it matter to robots, " * 220
    heard = ""
    for number in range(6):
        heard = (await ada.say(f"what is a node, number {number}, {page}")).text
    assert "had to leave its oldest part out of view" in heard


async def test_pauses_between_attempts_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    real = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await real(0)

    with cohere_server() as service:
        service.failures = [503, 429]
        embedder = CohereEmbedder(api_key="key", base_url=service.url)
        monkeypatch.setattr(asyncio, "sleep", noted)
        await embedder.embed_query("q")
        monkeypatch.undo()
        await embedder.close()
    first, second = (pause for pause in pauses if pause)
    assert second == 2 * first


@pytest.fixture
async def database(migrated_sqlite: Path, tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'tutor.db')}")
    yield opened
    await opened.close()


async def test_a_collection_that_is_not_ours_is_left_alone(database: Database, tmp_path: Path) -> None:
    """Somebody keeps their own vectors under the name that the setting has."""
    notes = tmp_path / "nodes.md"
    notes.write_text("# Nodes\n\nA **node** is a program that does one job.\n")
    theirs = {"vectors": {"size": 3, "distance": "Cosine"}}
    point = {"points": [{"id": 7, "vector": [1.0, 0.0, 0.0], "payload": {"theirs": True}}]}
    with qdrant_server() as url:
        collection = f"{url}/collections/mastery_loop"
        async with httpx.AsyncClient() as client:
            (await client.put(collection, json=theirs)).raise_for_status()
            (await client.put(f"{collection}/points", json=point)).raise_for_status()
            library = Library(
                database,
                LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama", qdrant_url=url),
            )
            said = ""
            try:
                await library.ingest([notes])
                answer = await library.retrieve_context("node")
                said = answer.message or ""
            except TutorError as err:
                said = str(err)
            finally:
                await library.close()
            kept = await client.post(f"{collection}/points", json={"ids": [7], "with_payload": True})
    assert kept.json()["result"][0]["payload"] == {"theirs": True}
    assert "TUTOR_QDRANT_COLLECTION" in said
