"""What every index does, embedded or on a server."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient, QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException

from agents.language.vectors import Vector
from rag.index import ChunkIndex, IndexState, Point, Scope, open_index, server
from rag.index.server import ServerIndex
from rag.library import Library, LibraryOptions
from storage.database import Database
from storage.errors import ForeignIndexError, QdrantConnectionError
from tests.support.qdrant_server import qdrant_server

DIMENSION = 4
EAST, NORTH = np.array([1, 0, 0, 0], np.float32), np.array([0, 1, 0, 0], np.float32)
STATE = IndexState(database_id="db", revision=3, embedder="test", points=0)


@pytest.fixture(params=["embedded", "server"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChunkIndex]:
    if request.param == "embedded":
        opened = await _open(tmp_path)
        yield opened
        await opened.close()
        return
    with _server() as url:
        opened = await _open(tmp_path, qdrant_url=url)
        await opened.clear()  # a real one may have what an earlier run left
        yield opened
        await opened.close()


@contextmanager
def _server() -> Iterator[str]:
    """The double, or a real server where QDRANT_URL names one."""
    if url := os.environ.get("QDRANT_URL"):
        yield url
    else:
        with qdrant_server() as url:
            yield url


async def _open(folder: Path, *, qdrant_url: str = "") -> ChunkIndex:
    return await open_index(
        folder=folder, dimension=DIMENSION, qdrant_url=qdrant_url, qdrant_api_key=None, collection="test"
    )


def point_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def passage(
    name: str, text: str, vector: Vector = EAST, *, course: str = "c", chapter: str = "m1/ch1"
) -> Point:
    return Point(point_id=point_id(name), course=course, chapter_id=chapter, text=text, vector=vector)


async def found(index: ChunkIndex, text: str, vector: Vector = EAST, *, scope: Scope = Scope()) -> set[str]:  # noqa: B008
    candidates = await index.search(text, vector, scope=scope, limit=10)
    return set(candidates.home)


async def test_a_new_index_has_no_state_and_nothing_in_it(index: ChunkIndex) -> None:
    assert await index.state() is None
    assert await index.count() == 0
    assert await found(index, "anything") == set()


async def test_words_and_meaning_each_find_their_passage(index: ChunkIndex) -> None:
    await index.upsert([passage("words", "quaternion", NORTH), passage("meaning", "something else", EAST)])

    candidates = await index.search("quaternions", EAST, scope=Scope(), limit=10)

    assert list(candidates.by_words) == [point_id("words")]
    assert max(candidates.by_meaning, key=lambda chunk: candidates.by_meaning[chunk]) == point_id("meaning")
    assert candidates.by_meaning[point_id("meaning")] == pytest.approx(1, abs=0.01)


async def test_a_rare_word_counts_more_than_a_common_one(index: ChunkIndex) -> None:
    common = [passage(f"common {number}", "robot arm") for number in range(20)]
    await index.upsert([*common, passage("rare", "quaternion arm")])

    candidates = await index.search("robot quaternion", NORTH, scope=Scope(), limit=10)

    assert max(candidates.by_words, key=lambda chunk: candidates.by_words[chunk]) == point_id("rare")


async def test_a_chapter_is_found_by_its_words_and_is_no_passage(index: ChunkIndex) -> None:
    chapter = Point(point_id=point_id("doc"), course="c", chapter_id="m1/ch1", text="loop closure drift")
    await index.upsert([passage("one", "nothing of note"), chapter])

    candidates = await index.search("loop closure", EAST, scope=Scope(), limit=10)

    assert list(candidates.chapters) == [("c", "m1/ch1")]
    assert point_id("doc") not in candidates.home


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(), {"a", "b", "c"}),
        (Scope(course="one"), {"a", "b"}),
        (Scope(course="one", within="m1"), {"a"}),
        (Scope(within="m1/ch1"), {"a", "c"}),
        (Scope(within="m"), set()),
        (Scope(course="none"), set()),
    ],
)
async def test_a_scope_is_a_course_or_a_folder_of_it(
    index: ChunkIndex, scope: Scope, expected: set[str]
) -> None:
    await index.upsert(
        [
            passage("a", "robot", course="one", chapter="m1/ch1"),
            passage("b", "robot", course="one", chapter="m2/ch1"),
            passage("c", "robot", course="two", chapter="m1/ch1"),
        ]
    )
    assert await found(index, "robot", scope=scope) == {point_id(name) for name in expected}


async def test_writing_a_passage_again_replaces_it(index: ChunkIndex) -> None:
    await index.upsert([passage("one", "old words")])
    await index.upsert([passage("one", "new words")])

    candidates = await index.search("old", NORTH, scope=Scope(), limit=10)

    assert await index.count() == 1
    assert candidates.by_words == {}


async def test_removed_points_are_gone_and_unknown_ids_do_no_harm(index: ChunkIndex) -> None:
    await index.upsert([passage("one", "robot"), passage("two", "robot")])
    await index.remove([point_id("one"), point_id("never there")])
    assert await found(index, "robot") == {point_id("two")}


async def test_the_state_is_remembered_until_the_index_is_cleared(index: ChunkIndex) -> None:
    await index.set_state(STATE)
    assert await index.state() == STATE
    assert await index.count() == 0
    await index.clear()
    assert await index.state() is None


async def test_a_query_without_words_still_finds_by_meaning(index: ChunkIndex) -> None:
    await index.upsert([passage("one", "robot")])
    assert await found(index, "the of ???") == {point_id("one")}


async def test_a_collection_that_is_not_ours_is_never_deleted(tmp_path: Path) -> None:
    """It may be all that somebody has of their data: of other vectors, of none, or of points of another kind."""
    ours = {"dense": models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)}
    words = dict.fromkeys(("passage_words", "chapter_words"), models.SparseVectorParams())
    with qdrant_server() as url:
        client = QdrantClient(url=url, check_compatibility=False)
        for vectors, sparse, vector in (
            (models.VectorParams(size=3, distance=models.Distance.DOT), None, [1.0, 2.0, 3.0]),
            (ours, words, {"dense": [1.0, 0.0, 0.0, 0.0]}),
        ):
            client.create_collection("test", vectors_config=vectors, sparse_vectors_config=sparse)
            point = models.PointStruct(id=7, vector=vector, payload={"customer": "Ada"})
            client.upsert("test", [point])
            for _ in range(2):
                with pytest.raises(ForeignIndexError, match="TUTOR_QDRANT_COLLECTION"):
                    await _open(tmp_path, qdrant_url=url)
            assert client.retrieve("test", [7])[0].payload == {"customer": "Ada"}
            client.delete_collection("test")
        opened = await _open(tmp_path, qdrant_url=url)
        client.delete_collection("test")
        client.create_collection(
            "test", vectors_config=models.VectorParams(size=3, distance=models.Distance.DOT)
        )
        with pytest.raises(ForeignIndexError):  # it came while we were running
            await opened.clear()
        assert client.collection_exists("test")
        await opened.close()
        client.close()


@pytest.mark.parametrize("was_interrupted", [False, True])
async def test_a_collection_that_an_earlier_version_made_is_still_ours(
    tmp_path: Path, was_interrupted: bool
) -> None:
    with qdrant_server() as url:
        before = await _open(tmp_path, qdrant_url=url)
        await before.upsert([passage("one", "robot")])
        await before.close()
        client = QdrantClient(url=url, check_compatibility=False)
        mark = str(uuid.UUID(int=0))
        client.delete("test", [mark])
        if not was_interrupted:
            stored = {
                "index_state": {
                    "database_id": "db",
                    "revision": 3,
                    "embedder": "test",
                    "points": 0,
                    "format": 1,
                }
            }
            client.upsert("test", [models.PointStruct(id=mark, vector={}, payload=stored)])
        opened = await _open(tmp_path, qdrant_url=url)
        assert await opened.state() == (None if was_interrupted else STATE)
        assert await found(opened, "robot") == {point_id("one")}
        await opened.clear()
        assert await opened.count() == 0
        await opened.close()
        client.close()


async def test_a_folder_that_is_not_ours_is_never_emptied(tmp_path: Path) -> None:
    folder = tmp_path / "shared" / "shard"
    folder.mkdir(parents=True)
    (folder / "thesis.md").write_text("four years of work")
    for _ in range(2):
        with pytest.raises(ForeignIndexError, match="TUTOR_DATA_DIR"):
            await _open(tmp_path)
    assert (folder / "thesis.md").read_text() == "four years of work"
    folder.rename(tmp_path / "elsewhere")
    opened = await _open(tmp_path)
    (tmp_path / "shared" / "note.txt").write_text("beside it")
    await opened.clear()
    assert (tmp_path / "shared" / "note.txt").exists()
    await opened.close()


@pytest.mark.parametrize("lost", ["state.json", "shard/edge_config.json", ""])
async def test_a_folder_that_an_earlier_version_left_without_a_mark_is_still_ours(
    tmp_path: Path, lost: str
) -> None:
    before = await _open(tmp_path)
    await before.upsert([passage("one", "robot")])
    await before.set_state(replace(STATE, points=1))
    await before.close()
    (tmp_path / "shared" / "mastery-loop-index.txt").unlink()
    if lost:
        (tmp_path / "shared" / lost).unlink()
    opened = await _open(tmp_path)
    assert await opened.count() == (0 if lost else 1)
    await opened.close()


async def test_a_batch_is_sent_again_while_the_server_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_RESTS", (0.0, 0.0))
    with qdrant_server() as url:
        opened = await _open(tmp_path, qdrant_url=url)
        upsert, tries = AsyncQdrantClient.upsert, list[int]()

        async def flaky(self: AsyncQdrantClient, *of: Any, **more: Any) -> Any:
            tries.append(1)
            if len(tries) <= 2:
                raise ResponseHandlingException(OSError("the node is away"))
            return await upsert(self, *of, **more)

        monkeypatch.setattr(AsyncQdrantClient, "upsert", flaky)
        await opened.upsert([passage("one", "robot")])
        assert await found(opened, "robot") == {point_id("one")}
        tries.clear()
        monkeypatch.setattr(server, "_RESTS", (0.0,))
        with pytest.raises(QdrantConnectionError):
            await opened.upsert([passage("two", "robot")])
        assert len(tries) == 2, "not for ever"
        await opened.close()


async def test_a_course_is_a_tenant_of_a_collection_with_as_many_copies_as_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Any] = {}
    create, index = AsyncQdrantClient.create_collection, AsyncQdrantClient.create_payload_index

    async def creating(self: AsyncQdrantClient, *of: Any, **more: Any) -> Any:
        made["copies"] = more.get("replication_factor")
        return await create(self, *of, **more)

    async def indexing(self: AsyncQdrantClient, name: str, field: str, kind: Any, **more: Any) -> Any:
        made[field] = kind.is_tenant
        return await index(self, name, field, kind, **more)

    monkeypatch.setattr(AsyncQdrantClient, "create_collection", creating)
    monkeypatch.setattr(AsyncQdrantClient, "create_payload_index", indexing)
    with qdrant_server() as url:
        opened = await open_index(
            folder=tmp_path, dimension=4, qdrant_url=url, qdrant_api_key=None, collection="test", replicas=3
        )
        await opened.close()
    assert made == {"copies": 3, "course": True, "within": False}


async def test_two_workers_that_find_the_index_missing_build_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path / "pumps"
    course.mkdir()
    (course / "ch1.md").write_text("# Pumps\n\nA pump moves water from one place to another.\n")
    database = await Database.open(f"sqlite:///{tmp_path / 'tutor.db'}")
    first = Library(database, LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama"))
    await first.ingest([course])
    await first.close()
    cleared: list[ServerIndex] = []
    clear = ServerIndex.clear

    async def counted(self: ServerIndex) -> None:
        cleared.append(self)
        await clear(self)

    monkeypatch.setattr(ServerIndex, "clear", counted)
    with qdrant_server() as url:
        options = LibraryOptions(index_folder=tmp_path / "none", embedder="wordllama", qdrant_url=url)
        one, two = Library(database, options), Library(database, options)
        await one.open_index()
        await two.open_index()
        await asyncio.gather(one.follow(), two.follow())
        assert len(cleared) == 1
        assert await one.index_size() == await two.index_size() == 2
        await one.close()
        await two.close()
    await database.close()
