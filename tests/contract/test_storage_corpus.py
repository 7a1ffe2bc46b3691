"""Courses, documents, chunks and concepts, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from storage.corpus import Corpus
from storage.course import (
    Chunk,
    Concept,
    CourseChanges,
    CourseSummary,
    Document,
    DocumentContent,
    IndexEntry,
    Passage,
    Relationship,
)
from storage.database import Database

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def corpus(database: Database) -> Corpus:
    return Corpus(database)


def document(name: str, *, course: str = "ros", position: int = 0, chunks: int = 2) -> DocumentContent:
    """A chapter whose ids say where they belong."""
    return DocumentContent(
        document=Document(
            id=f"{course}/{name}",
            chapter_id=f"module-1/{name}",
            module_name="Module 1",
            title=name.title(),
            source_url=f"file:///{name}.md",
            position=position,
            content_hash=f"hash of {name}",
        ),
        chunks=tuple(chunk(f"{course}/{name}/{index}", index=index) for index in range(chunks)),
    )


def chunk(chunk_id: str, *, index: int = 0) -> Chunk:
    return Chunk(
        chunk_id=chunk_id,
        chunk_index=index,
        chunk_text=f"text of {chunk_id}",
        heading_hierarchy=("Basics", "Nodes"),
        token_count=4,
        vector=bytes([index % 256, 1, 0, 255]),
        embedder="wordllama",
    )


def changes(*documents: DocumentContent, course: str = "ros") -> CourseChanges:
    return CourseChanges(course=course, title=course.upper(), documents=documents)


async def changed_ids(corpus: Corpus, revision: int, *, batch_size: int = 1000) -> list[str]:
    return [
        entry.chunk_id
        async for batch in corpus.changed_since(revision, batch_size=batch_size)
        for entry in batch
    ]


async def test_a_new_database_has_a_clock_and_no_course(corpus: Corpus) -> None:
    clock = await corpus.clock()

    assert clock.revision == 0
    assert len(clock.database_id) == 36
    assert await corpus.list_courses() == []
    assert await corpus.chunk_count() == 0
    assert await corpus.embedders() == []
    assert await changed_ids(corpus, 0) == []


async def test_an_ingested_course_is_listed_with_its_counts(corpus: Corpus) -> None:
    concept = Concept(
        name="node", definition="a process", kind="glossary", chapter_id="c", chunk_id="k", position=0
    )
    await corpus.apply(replace(changes(document("ch1"), document("ch2")), concepts=(concept,)), now=NOW)
    await corpus.apply(changes(document("ch1", course="bio"), course="bio"), now=NOW)

    assert await corpus.list_courses() == [
        CourseSummary(name="bio", title="BIO", updated_at=NOW, documents=1, chunks=2, concepts=0),
        CourseSummary(name="ros", title="ROS", updated_at=NOW, documents=2, chunks=4, concepts=1),
    ]
    assert (await corpus.chunk_count(), await corpus.chunk_count("bio")) == (6, 2)


async def test_documents_come_in_their_order(corpus: Corpus) -> None:
    second, first = document("a", position=2), document("b", position=1)
    await corpus.apply(changes(second, first), now=NOW)

    assert await corpus.documents("ros") == [first.document, second.document]
    assert await corpus.documents("no such course") == []


async def test_passages_come_in_the_order_asked_with_their_document(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", position=7)), now=NOW)

    found = await corpus.chunks_by_id(["ros/ch1/1", "gone", "ros/ch1/0"])

    assert [passage.chunk_id for passage in found] == ["ros/ch1/1", "ros/ch1/0"]
    assert found[0] == Passage(
        chunk_id="ros/ch1/1",
        chunk_text="text of ros/ch1/1",
        source_url="file:///ch1.md",
        chapter_id="module-1/ch1",
        module_name="Module 1",
        heading_hierarchy=("Basics", "Nodes"),
        token_count=4,
        chunk_index=1,
        title="Ch1",
        page=None,
        course="ros",
        document_position=7,
        vector=bytes([1, 1, 0, 255]),
    )


async def test_many_passages_can_be_asked_for_at_once(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=1200)), now=NOW)
    ids = [f"ros/ch1/{index}" for index in reversed(range(1200))]

    assert [passage.chunk_id for passage in await corpus.chunks_by_id(ids)] == ids


async def test_the_index_gets_what_changed_since_it_last_looked(corpus: Corpus) -> None:
    first = await corpus.apply(changes(document("ch1", chunks=1)), now=NOW)
    second = await corpus.apply(changes(document("ch2", chunks=1)), now=NOW)

    [[entry]] = [batch async for batch in corpus.changed_since(first)]

    assert (first, second, (await corpus.clock()).revision) == (1, 2, 2)
    assert entry == IndexEntry(
        chunk_id="ros/ch2/0",
        document_id="ros/ch2",
        course="ros",
        chapter_id="module-1/ch2",
        module_name="Module 1",
        title="Ch2",
        heading_hierarchy=("Basics", "Nodes"),
        chunk_text="text of ros/ch2/0",
        vector=bytes([0, 1, 0, 255]),
        embedder="wordllama",
    )
    assert await changed_ids(corpus, second) == []


@pytest.mark.parametrize("batch_size", [1, 3, 7, 8])
async def test_batches_lose_and_repeat_nothing(corpus: Corpus, batch_size: int) -> None:
    await corpus.apply(changes(document("ch1", chunks=4)), now=NOW)
    await corpus.apply(changes(document("ch2", chunks=3)), now=NOW)

    found = await changed_ids(corpus, 0, batch_size=batch_size)

    assert found == [f"ros/ch1/{index}" for index in range(4)] + [f"ros/ch2/{index}" for index in range(3)]


async def test_changes_come_document_by_document_in_reading_order(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch2", chunks=11)), now=NOW)
    await corpus.apply(changes(document("ch1", chunks=1)), now=NOW)

    assert await changed_ids(corpus, 0) == ["ros/ch1/0", *(f"ros/ch2/{index}" for index in range(11))]


async def test_a_chapter_is_read_in_its_order(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=11), document("ch2")), now=NOW)

    chapter = await corpus.chapter("ros/ch1")

    assert [passage.chunk_index for passage in chapter] == list(range(11))
    assert {passage.chapter_id for passage in chapter} == {"module-1/ch1"}
    assert await corpus.chapter("gone") == []


async def test_a_reader_that_stops_early_leaves_nothing_open(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=4)), now=NOW)

    async for _ in corpus.changed_since(0, batch_size=1):
        break

    assert await corpus.delete_course("ros")


async def test_a_replaced_document_reports_the_chunks_it_lost(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1", chunks=3), document("ch2")), now=NOW)
    await corpus.apply(changes(document("ch1", chunks=2)), now=NOW)

    assert await corpus.removed_since(before) == ["ros/ch1/2"]
    assert await changed_ids(corpus, before) == ["ros/ch1/0", "ros/ch1/1"]
    assert await corpus.chunk_count() == 4


async def test_a_chapter_with_a_new_document_id_replaces_the_old_one(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1")), now=NOW)
    renamed = document("ch1")
    renamed = replace(renamed, document=replace(renamed.document, id="another id"))
    await corpus.apply(changes(renamed), now=NOW)

    assert await corpus.documents("ros") == [renamed.document]
    assert await corpus.removed_since(0) == ["ros/ch1"]


async def test_a_removed_document_takes_its_chunks_with_it_and_the_index_hears_of_both(
    corpus: Corpus,
) -> None:
    before = await corpus.apply(changes(document("ch1"), document("ch2")), now=NOW)
    after = await corpus.apply(replace(changes(), removed=("ros/ch1",)), now=NOW)

    assert sorted(await corpus.removed_since(before)) == ["ros/ch1", "ros/ch1/0", "ros/ch1/1"]
    assert await corpus.removed_since(after) == []
    assert await corpus.chunks_by_id(["ros/ch1/0"]) == []
    assert [kept.id for kept in await corpus.documents("ros")] == ["ros/ch2"]


async def test_a_document_of_another_course_cannot_be_removed(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", course="bio"), course="bio"), now=NOW)
    await corpus.apply(replace(changes(), removed=("bio/ch1",), positions={"bio/ch1": 9}), now=NOW)

    assert await corpus.documents("bio") == [document("ch1", course="bio").document]


async def test_a_chunk_that_comes_back_is_no_longer_removed(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1")), now=NOW)
    await corpus.apply(replace(changes(), removed=("ros/ch1",)), now=NOW)
    removed = (await corpus.clock()).revision
    await corpus.apply(changes(document("ch1")), now=NOW)

    assert await corpus.removed_since(0) == []
    assert await changed_ids(corpus, removed) == ["ros/ch1/0", "ros/ch1/1"]


async def test_a_chunk_can_move_to_another_document(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=1)), now=NOW)
    moved = replace(document("ch2", chunks=0), chunks=(chunk("ros/ch1/0"),))
    await corpus.apply(replace(changes(moved), removed=("ros/ch1",)), now=NOW)

    [passage] = await corpus.chunks_by_id(["ros/ch1/0"])
    assert passage.chapter_id == "module-1/ch2"
    assert await corpus.removed_since(0) == ["ros/ch1"]


async def test_unchanged_documents_only_move(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1", position=0), document("ch2", position=1)), now=NOW)
    await corpus.apply(replace(changes(), positions={"ros/ch1": 1, "ros/ch2": 0}), now=NOW)

    assert [moved.id for moved in await corpus.documents("ros")] == ["ros/ch2", "ros/ch1"]
    assert await changed_ids(corpus, before) == []


async def test_a_course_takes_its_new_title_and_time(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1")), now=NOW)
    later = NOW + timedelta(days=1)
    await corpus.apply(CourseChanges(course="ros", title="Robots"), now=later)

    [course] = await corpus.list_courses()
    assert (course.title, course.updated_at, course.documents) == ("Robots", later, 1)


async def test_concepts_are_replaced_when_given_and_kept_when_not(corpus: Corpus) -> None:
    nodes = Concept(
        name="node", definition="a process", kind="term", chapter_id="c", chunk_id="k", position=1
    )
    graphs = replace(nodes, name="graph", position=0)
    edge = Relationship(prerequisite="node", concept="graph", chunk_id="k", evidence="nodes form", weight=0.5)
    await corpus.apply(replace(changes(), concepts=(nodes, graphs), relationships=(edge,)), now=NOW)
    await corpus.apply(changes(document("ch1")), now=NOW)

    assert await corpus.concepts("ros") == [graphs, nodes]
    assert await corpus.relationships("ros") == [edge]

    await corpus.apply(replace(changes(), concepts=(nodes,), relationships=()), now=NOW)

    assert await corpus.concepts("ros") == [nodes]
    assert await corpus.relationships("ros") == []


async def test_a_deleted_course_is_gone_and_the_index_hears_of_it(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1", chunks=1)), now=NOW)
    await corpus.apply(changes(document("ch1", course="bio", chunks=1), course="bio"), now=NOW)

    assert await corpus.delete_course("ros") is True
    assert await corpus.delete_course("ros") is False
    assert [course.name for course in await corpus.list_courses()] == ["bio"]
    assert sorted(await corpus.removed_since(before)) == ["ros/ch1", "ros/ch1/0"]
    assert await corpus.chunk_count() == 1


async def test_vectors_of_another_embedder_replace_the_old_ones(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1")), now=NOW)
    await corpus.replace_vectors("cohere", vectors={"ros/ch1/1": b"new"})

    assert await corpus.embedders() == ["cohere", "wordllama"]
    assert [entry.chunk_id for entry in await corpus.not_embedded_by("cohere", limit=5)] == ["ros/ch1/0"]
    assert len(await corpus.not_embedded_by("another", limit=1)) == 1
    assert await changed_ids(corpus, before) == ["ros/ch1/1"]
    assert await corpus.vectors(["ros/ch1/0", "ros/ch1/1", "gone"], embedder="cohere") == {
        "ros/ch1/1": b"new"
    }


async def test_an_ingest_that_fails_changes_nothing(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1")), now=NOW)
    broken = replace(document("ch2"), chunks=(replace(chunk("ros/ch2/0"), token_count=0),))

    with pytest.raises(Exception, match="has_tokens"):
        await corpus.apply(replace(changes(broken), removed=("ros/ch1",)), now=NOW)

    assert [kept.id for kept in await corpus.documents("ros")] == ["ros/ch1"]
    assert (await corpus.clock()).revision == 1
    assert await corpus.removed_since(0) == []


async def test_ingests_at_the_same_time_each_get_their_own_revision(corpus: Corpus) -> None:
    revisions = await asyncio.gather(
        *(corpus.apply(changes(document(f"ch{number}", chunks=1)), now=NOW) for number in range(10))
    )

    assert sorted(revisions) == list(range(1, 11))
    assert len(await changed_ids(corpus, 0)) == 10


async def test_text_from_any_pdf_is_stored(corpus: Corpus) -> None:
    """PDFs contain NUL characters, which PostgreSQL refuses in text and in JSON."""
    odd = replace(chunk("k"), chunk_text="a\x00b", heading_hierarchy=("\x00", "\\u0000", "\ud83d"))
    await corpus.apply(changes(replace(document("ch1"), chunks=(odd,))), now=NOW)

    [passage] = await corpus.chunks_by_id(["k"])
    assert passage.chunk_text == "a\ufffdb"
    assert passage.heading_hierarchy == ("\ufffd", "\\u0000", "\ufffd")
