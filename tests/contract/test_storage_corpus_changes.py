"""What the index hears of every change to a course, on both databases."""

import asyncio
from dataclasses import replace

import pytest

from storage.corpus import Corpus, IndexEntry
from tests.support.corpus import NOW, changed_ids, changes, chunk, document


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
    assert [course.chunks for course in await corpus.list_courses()] == [4]


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
    first, second = (
        replace(document(name).document, position=place) for name, place in (("ch1", 1), ("ch2", 0))
    )
    await corpus.apply(replace(changes(), places=(first, second)), now=NOW)

    assert [moved.id for moved in await corpus.documents("ros")] == ["ros/ch2", "ros/ch1"]
    assert await changed_ids(corpus, before) == []


async def test_a_renamed_document_is_read_again_by_the_index(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1", chunks=1), document("ch2", chunks=1)), now=NOW)
    renamed = replace(document("ch2").document, title="Frames", kind="exercises")
    await corpus.apply(replace(changes(), places=(renamed,)), now=NOW)

    assert [(each.title, each.kind) for each in await corpus.documents("ros")] == [
        ("Ch1", "content"),
        ("Frames", "exercises"),
    ]
    assert await changed_ids(corpus, before) == ["ros/ch2/0"]


async def test_the_outline_is_kept_until_there_is_a_new_one(corpus: Corpus) -> None:
    tree = {"title": "Robots", "chapter_id": None, "kind": "part", "children": []}
    await corpus.apply(replace(changes(document("ch1")), outline=tree), now=NOW)
    await corpus.apply(changes(document("ch2")), now=NOW)

    assert await corpus.outline("ros") == tree
    assert await corpus.outline("bio") is None
    assert list((await corpus.headings("ros")).values()) == [[("Basics", "Nodes")]] * 2


async def test_a_deleted_course_is_gone_and_the_index_hears_of_it(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1", chunks=1)), now=NOW)
    await corpus.apply(changes(document("ch1", course="bio", chunks=1), course="bio"), now=NOW)

    assert await corpus.delete_course("ros") is True
    assert await corpus.delete_course("ros") is False
    assert [(course.name, course.chunks) for course in await corpus.list_courses()] == [("bio", 1)]
    assert sorted(await corpus.removed_since(before)) == ["ros/ch1", "ros/ch1/0"]


async def test_vectors_of_another_embedder_replace_the_old_ones(corpus: Corpus) -> None:
    before = await corpus.apply(changes(document("ch1")), now=NOW)
    await corpus.replace_vectors("cohere", vectors={"ros/ch1/1": b"new"})

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
