"""Courses, documents, chunks and concepts, on both databases."""

from dataclasses import replace
from datetime import timedelta

from agents.teaching.values import Concept, Passage, Relationship
from storage.corpus import Corpus, CourseChanges, CourseSummary
from tests.support.corpus import NOW, changed_ids, changes, chunk, document


async def test_a_new_database_has_a_clock_and_no_course(corpus: Corpus) -> None:
    clock = await corpus.clock()

    assert clock.revision == 0
    assert len(clock.database_id) == 36
    assert await corpus.list_courses() == []
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
        vector=bytes([1, 1, 0, 255]),
    )


async def test_many_passages_can_be_asked_for_at_once(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=1200)), now=NOW)
    ids = [f"ros/ch1/{index}" for index in reversed(range(1200))]

    assert [passage.chunk_id for passage in await corpus.chunks_by_id(ids)] == ids


async def test_a_chapter_is_read_in_its_order(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", chunks=11), document("ch2")), now=NOW)

    chapter = await corpus.chapter("ros/ch1")

    assert [passage.chunk_index for passage in chapter] == list(range(11))
    assert {passage.chapter_id for passage in chapter} == {"module-1/ch1"}
    assert await corpus.chapter("gone") == []


async def test_a_document_of_another_course_cannot_be_removed(corpus: Corpus) -> None:
    await corpus.apply(changes(document("ch1", course="bio"), course="bio"), now=NOW)
    stranger = replace(document("ch1", course="bio").document, position=9, title="Other")
    await corpus.apply(replace(changes(), removed=("bio/ch1",), places=(stranger,)), now=NOW)

    assert await corpus.documents("bio") == [document("ch1", course="bio").document]


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


async def test_text_from_any_pdf_is_stored(corpus: Corpus) -> None:
    """PDFs contain NUL characters, which PostgreSQL refuses in text and in JSON."""
    odd = replace(chunk("k"), chunk_text="a\x00b", heading_hierarchy=("\x00", "\\u0000", "\ud83d"))
    await corpus.apply(changes(replace(document("ch1"), chunks=(odd,))), now=NOW)

    [passage] = await corpus.chunks_by_id(["k"])
    assert passage.chunk_text == "a\ufffdb"
    assert passage.heading_hierarchy == ("\ufffd", "\\u0000", "\ufffd")
