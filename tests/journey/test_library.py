"""A learner's material goes in, stays up to date, and is found, whatever happens to the index."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from agents.coordinator.search import search
from agents.teaching.parts import blocks_of
from rag.embedders import CohereEmbedder
from rag.index import Scope
from rag.ingest import document_id
from rag.library import Library, LibraryOptions
from storage.database import Database
from storage.errors import StorageError
from tests.support.cohere_server import cohere_server
from tests.support.qdrant_server import qdrant_server

Open = Callable[..., Library]
PROJECT = Path(__file__).parents[2]


@pytest.fixture
def database_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    """The library's own behaviour is the same on both databases; storage has a suite for each."""
    return f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'tutor.db')}"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "robots"
    (folder / "m1").mkdir(parents=True)
    (folder / "m1" / "nodes.md").write_text("# Nodes\n\nA **node** is a program that does one job.\n")
    (folder / "m1" / "topics.md").write_text("# Topics\n\nA **topic** is a named channel between nodes.\n")
    (folder / "m2").mkdir()
    (folder / "m2" / "joints.md").write_text("# Joints\n\nA **joint** connects two links of a robot.\n")
    return folder


@pytest.fixture
def options(tmp_path: Path) -> LibraryOptions:
    return LibraryOptions(index_folder=tmp_path / "index", embedder="wordllama")


@pytest.fixture
async def open_library(database: Database, options: LibraryOptions) -> AsyncIterator[Open]:
    opened: list[Library] = []

    def open_another(**changes: object) -> Library:
        library = Library(database, replace(options, **changes))
        opened.append(library)
        return library

    yield open_another
    for library in opened:
        await library.close()


async def chapters(library: Library, query: str, **scope: str) -> list[str]:
    return [result.chapter_id for result in await library.retrieve(query, scope=Scope(**scope))]


async def ids_by_text(library: Library, query: str) -> dict[str, str]:
    return {result.chunk_text: result.chunk_id for result in await library.retrieve(query)}


async def test_what_was_read_is_found_with_its_place(open_library: Open, course: Path) -> None:
    library = open_library()
    [report] = await library.ingest([course])
    best = (await library.retrieve("What is a topic?"))[0]
    assert (report.added, report.failures) == (3, ())
    assert (best.chapter_id, best.module_name, best.course) == ("m1/topics", "M1", "robots")
    assert best.heading_hierarchy == ("Topics",)
    assert best.source_url == (course / "m1" / "topics.md").as_uri()
    assert 0 < best.similarity_score <= 1
    assert best.token_count > 0


async def test_reading_again_reads_only_what_changed(open_library: Open, course: Path) -> None:
    library = open_library()
    await library.ingest([course])
    (course / "m1" / "topics.md").write_text("# Topics\n\nA **topic** is a mailbox for pigeons.\n")
    (course / "m2" / "joints.md").unlink()
    (course / "m2" / "links.md").write_text("# Links\n\nA **link** is a rigid part.\n")

    [report] = await library.ingest([course])

    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 1)
    assert (await library.retrieve("pigeons"))[0].chapter_id == "m1/topics"
    assert "m2/joints" not in await chapters(library, "joint connects two links of a robot")
    [again] = await library.ingest([course])
    assert (again.added, again.changed, again.removed, again.chunks) == (0, 0, 0, 0)


async def test_a_passage_that_stayed_keeps_its_id(open_library: Open, course: Path) -> None:
    library = open_library()
    page = course / "m1" / "topics.md"
    page.write_text("# Topics\n\n## Kept\n\nThe same words.\n\n## Other\n\nOld words.\n")
    await library.ingest([course])
    before = await ids_by_text(library, "words")
    page.write_text(
        "# Topics\n\n## New\n\nA start.\n\n## Kept\n\nThe same words.\n\n## Other\n\nNew words.\n"
    )
    await library.ingest([course])
    after = await ids_by_text(library, "words")
    assert before["The same words."] == after["The same words."]


async def test_a_broken_file_is_named_and_the_rest_goes_in(open_library: Open, course: Path) -> None:
    (course / "empty.md").write_text("")
    (course / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    library = open_library()
    [report] = await library.ingest([course])
    assert report.added == 3
    assert sorted(name for name, _ in report.failures) == ["empty.md", "picture.md"]


async def test_a_file_that_broke_keeps_what_was_read_before(open_library: Open, course: Path) -> None:
    library = open_library()
    await library.ingest([course])
    (course / "m1" / "topics.md").write_bytes(bytes(100))
    [report] = await library.ingest([course])
    assert [name for name, _ in report.failures] == ["m1/topics.md"]
    assert (await chapters(library, "What is a topic?"))[0] == "m1/topics"


async def test_courses_stand_side_by_side(open_library: Open, course: Path, tmp_path: Path) -> None:
    other = tmp_path / "biology.txt"
    other.write_text("A joint is where two bones meet.")
    library = open_library()
    await library.ingest([course, other])
    assert [found.name for found in await library.courses()] == ["biology", "robots"]
    assert set(await chapters(library, "joint", course="biology")) == {"biology"}
    assert set(await chapters(library, "joint", within="m2")) == {"m2/joints"}


async def test_several_paths_go_into_one_named_course(
    open_library: Open, course: Path, tmp_path: Path
) -> None:
    extra = tmp_path / "extra.md"
    extra.write_text("# Extra\n\nMore about nodes.")
    library = open_library()
    await library.ingest([course], course="mine")
    [report] = await library.ingest([extra], course="mine")
    [found] = await library.courses()
    assert (report.added, report.removed, found.documents) == (1, 0, 4)


async def test_another_process_sees_what_was_read_meanwhile(
    open_library: Open, course: Path, database_url: str, options: LibraryOptions
) -> None:
    """`tutor ingest` while `adk web` runs: it works, and the running tutor knows it at once."""
    running = open_library()
    await running.ingest([course])
    assert "m2/wheels" not in await chapters(running, "wheels")
    (course / "m2" / "wheels.md").write_text("# Wheels\n\nA **wheel** turns about its axle.\n")

    found = await asyncio.to_thread(_ingest_elsewhere, course, database_url, options.index_folder)

    assert found == "m2/wheels"
    assert (await chapters(running, "wheels"))[0] == "m2/wheels"
    assert [path.name for path in options.index_folder.glob("private-*")] == []


def _ingest_elsewhere(course: Path, url: str, index: Path) -> str:
    program = f"""
import asyncio, json
from pathlib import Path
from rag.library import Library, LibraryOptions
from storage.database import Database

async def main():
    database = await Database.open({url!r})
    library = Library(database, LibraryOptions(index_folder=Path({str(index)!r}), embedder="wordllama"))
    await library.ingest([Path({str(course)!r})])
    print(json.dumps((await library.retrieve("wheels"))[0].chapter_id))
    await library.close()
    await database.close()

asyncio.run(main())
"""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == ""
    found: str = json.loads(done.stdout)
    return found


def _damage_nothing(folder: Path) -> None:
    pass


def _delete(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def _truncate_largest(folder: Path) -> None:
    largest = max(
        (path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size
    )
    os.truncate(largest, 10)


def _truncate_everything(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            os.truncate(path, path.stat().st_size // 2)


def _scribble_state(folder: Path) -> None:
    (folder / "state.json").write_text("{")


@pytest.mark.parametrize(
    "damage", [_damage_nothing, _delete, _truncate_largest, _truncate_everything, _scribble_state]
)
async def test_a_lost_or_broken_index_heals_itself(
    open_library: Open, course: Path, options: LibraryOptions, damage: Callable[[Path], None]
) -> None:
    library = open_library()
    await library.ingest([course])
    await library.close()
    damage(options.index_folder / "shared")

    assert (await chapters(open_library(), "What is a topic?"))[0] == "m1/topics"


def _empty_everything(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            os.truncate(path, 0)


@pytest.mark.parametrize("damage", [_truncate_largest, _truncate_everything, _empty_everything, _delete])
async def test_an_index_that_is_cut_short_while_it_is_open_heals_itself(
    open_library: Open, course: Path, options: LibraryOptions, damage: Callable[[Path], None]
) -> None:
    """The engine maps its files, and reading past the end of one killed the process by SIGBUS."""
    library = open_library()
    await library.ingest([course])
    for question in ("What is a topic?", "joint"):
        damage(options.index_folder / "shared" / "shard")
        assert await chapters(library, question)
    damage(options.index_folder / "shared" / "shard")
    (course / "m2" / "more.md").write_text("# More\n\nA gasket is a flat seal.\n")
    await library.ingest([course])
    assert (await chapters(library, "What is a gasket?"))[0] == "m2/more"


async def test_a_disk_that_fills_up_during_an_ingest_is_told_and_what_was_there_stays(
    open_library: Open, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = open_library()
    await library.ingest([course])
    (course / "m2" / "more.md").write_text("# More\n\nA gasket is a flat seal.\n")
    with monkeypatch.context() as full:
        full.setattr("rag.index.embedded.shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 20))
        with pytest.raises(StorageError, match="disk is full"):
            await library.ingest([course])
    assert (await chapters(library, "What is a gasket?"))[0] == "m2/more"


async def test_reindex_builds_the_index_again(open_library: Open, course: Path) -> None:
    library = open_library()
    await library.ingest([course])
    assert await library.reindex() == 3 + 3  # passages and chapters
    assert (await chapters(library, "joint"))[0] == "m2/joints"


async def test_switching_the_embedder_embeds_everything_again(open_library: Open, course: Path) -> None:
    library = open_library()
    await library.ingest([course])
    await library.close()
    with cohere_server() as service:
        switched = open_library()
        switched._embedder = CohereEmbedder(api_key="key", base_url=service.url, first_wait_seconds=0)
        found = await chapters(switched, "topic is a named channel")
        await switched.close()
    assert "m1/topics" in found
    assert await switched.corpus.not_embedded_by("cohere-embed-v4.0", limit=1) == []


async def test_a_qdrant_server_serves_the_same_passages(open_library: Open, course: Path) -> None:
    embedded = open_library()
    await embedded.ingest([course])
    expected = await chapters(embedded, "What is a topic?")
    with qdrant_server() as url:
        served = open_library(qdrant_url=url)
        assert (await chapters(served, "What is a topic?"))[0] == expected[0]
        await served.close()


async def test_a_server_that_is_down_is_said_and_nothing_is_lost(open_library: Open, course: Path) -> None:
    await open_library().ingest([course])
    with qdrant_server() as url:
        pass
    response = (await search(open_library(qdrant_url=url), "topic", top_k=5)).response
    assert (response.error, response.results) == ("QDRANT_ERROR", ())
    assert "QDRANT_URL" in (response.message or "")


async def test_a_server_that_refuses_the_key_is_said(open_library: Open) -> None:
    with qdrant_server(api_key="right") as url:
        library = open_library(qdrant_url=url, qdrant_api_key="wrong")
        response = (await search(library, "topic", top_k=5)).response
    assert response.error == "QDRANT_ERROR"
    assert "QDRANT_API_KEY" in (response.message or "")
    assert "wrong" not in (response.message or "")


@pytest.mark.parametrize(
    ("query", "limits", "said"),
    [
        ("", {}, "empty"),
        ("  \n", {}, "empty"),
        ("word " * 200_000, {}, "characters"),
        ("topic", {"top_k": 0}, "from 1 to 10"),
        ("topic", {"top_k": 11}, "from 1 to 10"),
        ("topic", {"threshold": 2.0}, "from 0 to 1"),
    ],
)
async def test_a_bad_request_is_answered_with_its_limits(
    open_library: Open, query: str, limits: dict[str, float], said: str
) -> None:
    response = (await search(open_library(), query, **{"top_k": 5, **limits})).response  # type: ignore[arg-type]
    assert (response.error, response.total) == ("INVALID_INPUT", 0)
    assert said in (response.message or "")


@pytest.fixture(params=["embedded", "server", "cohere"])
def any_library(request: pytest.FixtureRequest, open_library: Open) -> Iterator[Library]:
    """The embedded index, a server's, and another embedder that also ranks anew."""
    if request.param == "embedded":
        yield open_library()
    elif request.param == "server":
        with qdrant_server() as url:
            yield open_library(qdrant_url=url)
    else:
        with cohere_server() as service:
            library = open_library()
            library._embedder = CohereEmbedder(api_key="key", base_url=service.url, first_wait_seconds=0)
            yield library


async def test_a_score_is_the_cosine_and_a_threshold_counts_in_it(any_library: Library, course: Path) -> None:
    """Also of a passage that only its words brought up, whatever the ranking made of it."""
    (course / "m2" / "more.md").write_text(
        "# Zebras\n\nThe zebra, the zebra and the zebra: what is a zebra topic?\n"
    )
    await any_library.ingest([course])
    query = "What is a topic, zebra?"
    vector = await any_library.embedder().embed_query(query)
    ranked = await any_library.retrieve(query)
    stored = await any_library.corpus.chunks_by_id([result.chunk_id for result in ranked])
    cosines = [float(np.frombuffer(each.vector, np.float32) @ vector) for each in stored]
    assert [result.rank for result in ranked] == [1, 2, 3, 4]
    assert [result.similarity_score for result in ranked] == [
        pytest.approx(max(0.0, cosine), abs=1e-4) for cosine in cosines
    ]
    told = (await search(any_library, query, top_k=4)).response
    assert [row.score for row in told.results] == sorted((row.score for row in told.results), reverse=True)
    best_first = (await search(any_library, query, top_k=4, sorted_by="rank")).response
    assert [row.rank for row in best_first.results] == [1, 2, 3, 4]
    bar = sorted(cosines)[2] - 0.001
    kept = (await search(any_library, query, top_k=4, threshold=bar)).response
    assert {row.chunk_id for row in kept.results} == {
        row.chunk_id for row in told.results if row.score >= bar
    }
    assert len(kept.results) == 2
    await any_library.close()


async def test_the_first_run_reads_the_given_course_once(open_library: Open, course: Path) -> None:
    library = open_library()
    assert await library.ensure_course(course)
    assert not await library.ensure_course(course)


async def test_a_new_table_of_contents_reorders_what_was_read_without_reading_it_again(
    open_library: Open, course: Path
) -> None:
    library = open_library()
    await library.ingest([course])
    (course / "SUMMARY.md").write_text("- [Joints and links](m2/joints.md)\n- [Topics](m1/topics.md)\n")
    [report] = await library.ingest([course])
    assert (report.added, report.changed, report.unchanged) == (0, 0, 3)
    documents = await library.corpus.documents("robots")
    assert [(each.chapter_id, each.title, each.module_name) for each in documents] == [
        ("m2/joints", "Joints and links", "Robots"),
        ("m1/topics", "Topics", "Robots"),
        ("m1/nodes", "Nodes", "M1"),
    ]
    [again] = await library.ingest([course])
    assert (again.added, again.changed, again.chunks) == (0, 0, 0)


async def test_the_outline_has_units_pages_and_their_sections(open_library: Open, course: Path) -> None:
    (course / "m1" / "nodes.md").write_text("# Nodes\n\nText.\n\n## Making one\n\nMore text.\n")
    library = open_library()
    await library.ingest([course])
    root = await library.outline("robots")
    assert [(unit.title, unit.kind, unit.chapter_id) for unit in root.walk()] == [
        ("Robots", "part", None),
        ("M1", "part", None),
        ("Nodes", "content", "m1/nodes"),
        ("Making one", "section", "m1/nodes"),
        ("Topics", "content", "m1/topics"),
        ("M2", "part", None),
        ("Joints", "content", "m2/joints"),
    ]


async def test_a_file_added_to_a_course_goes_to_the_end_of_its_tree(
    open_library: Open, course: Path, tmp_path: Path
) -> None:
    library = open_library()
    await library.ingest([course])
    extra = tmp_path / "a-extra.md"
    extra.write_text("# Extra\n\nOne more thing.\n")
    for _ in range(2):  # the second time it keeps its place
        await library.ingest([extra], course="robots")
        extra.write_text("# Extra\n\nOne more thing, changed.\n")
    root = await library.outline("robots")
    assert [unit.title for unit in root.children] == ["M1", "M2", "Extra"]


async def test_a_page_comes_back_whole_and_in_order(open_library: Open, course: Path) -> None:
    code = (
        "```python\n"
        + "\n\n".join(f"value_{number} = {number} * {number}" for number in range(400))
        + "\n```"
    )
    paragraphs = [f"Paragraph {number}. " + "It has words. " * 40 for number in range(4)]
    text = "\n\n".join([*paragraphs[:2], code, *paragraphs[2:], "- one\n- two", "$$\na = b\n$$"])
    (course / "m1" / "nodes.md").write_text(
        f"# Nodes\n\nBefore.\n\n## Long\n\n{text}\n\n### Deep\n\nBelow.\n"
    )
    library = open_library()
    await library.ingest([course])

    before, *blocks, below = blocks_of(await library.corpus.chapter(document_id("robots", "m1/nodes")))

    assert [block.text for block in blocks] == [part.strip() for part in [*paragraphs[:2], code]] + [
        *(part.strip() for part in paragraphs[2:]),
        "- one\n- two",
        "$$a = b$$",
    ]
    assert [block.kind for block in blocks] == [
        "paragraph", "paragraph", "code", "paragraph", "paragraph", "list", "formula",
    ]  # fmt: skip
    assert len({block.passage.chunk_id for block in blocks}) > 1
    assert (before.text, below.text) == ("Before.", "Below.")
