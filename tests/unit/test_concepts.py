"""Concepts and prerequisites are read off the text, with evidence and without cycles."""

from hypothesis import given
from hypothesis import strategies as st

from agents.language.words import TermFinder, singular, term_key
from rag.concepts import CoursePassage, ExtractedConcepts, extract_concepts


def passage(chapter: str, text: str, heading: str = "Section", number: int = 0) -> CoursePassage:
    return CoursePassage(
        chunk_id=f"{chapter}/{heading}/{number}", chapter_id=chapter, headings=("Title", heading), text=text
    )


def names(graph: ExtractedConcepts) -> set[str]:
    return {concept.name for concept in graph.concepts}


def edges(graph: ExtractedConcepts) -> set[tuple[str, str]]:
    return {(edge.prerequisite, edge.concept) for edge in graph.relationships}


def test_a_bold_term_that_its_sentence_defines_is_a_concept() -> None:
    graph = extract_concepts(
        [passage("a", "A **topic** is a named channel. **Note:** do this. It is **very** important.")]
    )
    assert names(graph) == {"topic"}
    assert graph.concepts[0].definition == "A topic is a named channel."


def test_a_glossary_entry_gives_the_definition_and_the_text_gives_the_place() -> None:
    graph = extract_concepts(
        [
            passage("a", "Robots use **joints** everywhere.", heading="Parts"),
            passage("glossary", "**joint**: A connection between two links.", heading="Glossary"),
        ]
    )
    [joint] = graph.concepts
    assert (joint.name, joint.chapter_id, joint.kind) == ("joint", "a", "glossary")
    assert joint.definition == "A connection between two links."


def test_a_section_without_terms_is_a_concept_by_its_heading() -> None:
    graph = extract_concepts(
        [
            passage("a", "Water flows.", heading="3.2 Passive Transport"),
            passage("a", "It ends.", heading="Summary"),
            passage("a", "A **pump** is a protein.", heading="Active Transport"),
        ]
    )
    assert names(graph) == {"Passive Transport", "pump"}


def test_a_section_leans_on_a_term_that_an_earlier_chapter_introduced() -> None:
    graph = extract_concepts(
        [
            passage("a", "A **node** is a program.", heading="Nodes"),
            passage("b", "A **topic** is a channel between nodes. Names look like paths.", heading="Topics"),
        ]
    )
    assert edges(graph) == {("node", "topic")}
    [edge] = graph.relationships
    assert edge.chunk_id == "b/Topics/0"
    assert edge.evidence == "A topic is a channel between nodes."


def test_a_word_that_gets_a_meaning_of_its_own_in_a_section_is_no_prerequisite() -> None:
    graph = extract_concepts(
        [
            passage("a", "A **node** is a unit of a program. A **pose** is a position and orientation."),
            passage(
                "b", "A **pose graph** is a network whose nodes are poses. Each node has an edge.", number=1
            ),
        ]
    )
    assert edges(graph) == {("pose", "pose graph")}


def test_a_passing_mention_is_no_prerequisite() -> None:
    graph = extract_concepts(
        [
            passage("a", "A **node** is a program.", heading="Nodes"),
            passage("b", "A **topic** is a channel. One node is enough.", heading="Topics"),
        ]
    )
    assert edges(graph) == set()


def test_the_subject_of_the_course_is_no_prerequisite_and_code_is_no_mention() -> None:
    passages = [
        passage("a", "**Pumping** is moving water. A **seal** is a ring.", heading="Start"),
        passage("b", "A **gland** is a part in pumping.\n\n```\ngland(seal, seal)\n```", heading="Glands"),
    ]
    assert edges(extract_concepts(passages)) == {("Pumping", "gland")}
    assert edges(extract_concepts(passages, subject="Pumping: a course")) == set()


def test_edges_never_point_backwards_so_there_is_no_cycle() -> None:
    graph = extract_concepts(
        [
            passage("a", "A **node** is a program that uses a topic. A topic matters.", heading="Nodes"),
            passage("b", "A **topic** is a channel between nodes.", heading="Topics"),
        ]
    )
    assert edges(graph) == {("node", "topic")}


def test_in_a_course_of_one_document_sections_are_the_steps() -> None:
    graph = extract_concepts(
        [
            passage("a", "A **node** is a program.", heading="Nodes"),
            passage("a", "A **topic** is a channel between nodes.", heading="Topics"),
        ]
    )
    assert edges(graph) == {("node", "topic")}


def test_the_longest_term_is_found_and_plurals_match() -> None:
    finder = TermFinder([term_key("action"), term_key("action server")])
    assert list(finder.find("Two Action Servers and an action.")) == [("action", "server"), ("action",)]


def test_singulars_are_plain() -> None:
    assert [singular(word) for word in ("topics", "bodies", "classes", "axis", "bus", "glass", "links")] == [
        "topic", "body", "class", "axis", "bus", "glass", "link",
    ]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=200)), max_size=6))
def test_any_text_gives_a_graph_whose_edges_have_evidence(texts: list[tuple[str, str]]) -> None:
    passages = [passage(chapter, text, number=number) for number, (chapter, text) in enumerate(texts)]
    graph = extract_concepts(passages)
    known = {each.chunk_id for each in passages}
    assert all(edge.chunk_id in known and edge.evidence for edge in graph.relationships)
    assert len({term_key(concept.name) for concept in graph.concepts}) == len(graph.concepts)
