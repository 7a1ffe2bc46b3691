"""From a place in a course to the parts that are taught there."""

from dataclasses import replace

from agents.syllabus import PageGroup, Syllabus
from agents.teaching.parts import Piece
from agents.teaching.values import Concept, Passage, Place
from storage.corpus import Document

SENTENCE = "Every value of the language has an owner that drops it at the end of its scope. "
PAGES = {
    "welcome": ("Welcome to Rust", 20),
    "memory": ("Memory", 30),
    "memory/ownership": ("Ownership", 160),
    "memory/moves": ("Moves", 70),
    "memory/copies": ("Copies", 100),
    "errors": ("Errors", 900),
}


def words(count: int, *, about: str) -> str:
    return " ".join(f"{about} is explained. {SENTENCE * (count // 16 + 1)}".split()[:count]).rstrip(".") + "."


def page(chapter_id: str, position: int) -> list[Passage]:
    name, count = PAGES[chapter_id]
    sizes = [150] * (count // 150) + ([count % 150] if count % 150 else [])
    return [
        Passage(
            chunk_id=f"{chapter_id}/{number}",
            chunk_text=words(size, about=name),
            source_url=f"file:///course/{chapter_id}.md",
            chapter_id=chapter_id,
            module_name="Rust",
            heading_hierarchy=(name,),
            token_count=size,
            chunk_index=number,
            title=name,
            page=None,
            course="rust",
        )
        for number, size in enumerate(sizes)
    ]


def syllabus(*, concepts: tuple[Concept, ...] = ()) -> Syllabus:
    documents = tuple(
        Document(
            id=chapter_id,
            chapter_id=chapter_id,
            module_name="Rust",
            title=name,
            source_url=f"file:///course/{chapter_id}.md",
            position=position,
            content_hash="",
        )
        for position, (chapter_id, (name, _)) in enumerate(PAGES.items())
    )
    return Syllabus(
        course="rust",
        title="Comprehensive Rust",
        revision=1,
        documents=documents,
        concepts=concepts,
        relationships=(),
        passages=tuple(each for number, chapter in enumerate(PAGES) for each in page(chapter, number)),
        units=(
            PageGroup(
                title="Memory", chapter_ids=("memory", "memory/ownership", "memory/moves", "memory/copies")
            ),
        ),
        apart=frozenset({"welcome"}),
    )


def taught(wanted: str) -> list[str]:
    topic = syllabus().topic(wanted)
    assert topic is not None
    return list(dict.fromkeys(piece.passage.chapter_id for part in topic.parts for piece in part.pieces))


def test_a_page_is_taught_from_its_own_text() -> None:
    assert taught("ownership") == ["memory/ownership"]


def test_a_page_that_only_introduces_a_unit_leads_on_to_its_pages() -> None:
    assert taught("memory") == ["memory", "memory/ownership", "memory/moves", "memory/copies"]


def test_a_short_page_goes_on_with_the_next_of_its_unit() -> None:
    assert taught("moves") == ["memory/moves", "memory/copies"]


def test_the_courses_own_name_begins_at_its_first_page_and_not_at_its_title_page() -> None:
    assert taught("Rust")[0] == "memory/ownership"


def test_a_long_page_is_taught_in_parts_and_goes_on_where_the_learner_is() -> None:
    topic = syllabus().topic("errors")
    assert topic is not None
    assert len(topic.parts) >= 3
    assert topic.first_open([]) == 1
    assert topic.first_open(topic.parts[0].names) == 2
    assert topic.first_open(topic.concepts) == 1


def test_a_term_is_taught_in_the_part_that_holds_it() -> None:
    concept = Concept(
        name="panic", definition="", kind="term", chapter_id="errors", chunk_id="errors/4", position=0
    )
    topic = syllabus(concepts=(concept,)).topic("panic")
    assert topic is not None
    assert [part.names for part in topic.parts] == [("panic",)]


def test_a_place_that_is_gone_is_no_topic() -> None:
    assert syllabus().topic_at(Place(name="Gone", kind="title", chapter_id="gone")) is None


def test_what_the_whole_course_is_about_is_no_part_of_a_topics_name() -> None:
    course = syllabus()
    assert course.named_alone("language Ownership") == "Ownership"
    assert course.named_alone("language owners") == "language owners"
    assert course.named_alone("Errors Ownership") == "Errors Ownership"


def test_a_topic_begins_with_the_part_that_is_about_what_was_asked_for() -> None:
    course = syllabus()
    topic = course.topic("Errors")
    assert topic is not None
    last = replace(
        topic.parts[-1], pieces=(*topic.parts[-1].pieces[:-1], replace_text(topic.parts[-1].pieces[-1]))
    )
    topic = replace(topic, parts=(*topic.parts[:-1], last))
    assert topic.part_about("catching a panic") == len(topic.parts)
    assert topic.part_about("errors") == 1
    assert topic.part_about("something else") == 1


def replace_text(piece: Piece) -> Piece:
    return replace(piece, text=f"{piece.text} A panic is caught at the border of a thread.")


def of_texts(*sections: tuple[str, str], concepts: tuple[Concept, ...] = ()) -> Syllabus:
    """A course of one page, by its sections' headings and texts."""
    base = page("errors", 0)[0]
    passages = tuple(
        replace(base, chunk_id=f"errors/{number}", chunk_text=text, heading_hierarchy=("Errors", heading))
        for number, (heading, text) in enumerate(sections)
    )
    return replace(syllabus(concepts=concepts), passages=passages)


TOLD = ("Panics", f"{words(160, about='A panic')} An unwinding is what follows.")
RECAP = ("Summary", "A panic ends the thread.")
GLOSSARY = ("Glossary", "**unwinding**: going back up the stack\n\n**abort**: to end at once")
AIMS = ("Learning objectives", "- Explain what a panic is")
UNWINDING = Concept(
    name="unwinding",
    definition="going back up the stack",
    kind="glossary",
    chapter_id="errors",
    chunk_id="errors/2",
    position=0,
)


def test_objectives_summary_and_glossary_are_no_part_of_the_lesson() -> None:
    course = of_texts(TOLD, RECAP, GLOSSARY, AIMS)
    topic = course.topic_named("Errors")
    assert topic is not None
    shown = {piece.passage.heading_hierarchy[-1] for part in topic.parts for piece in part.pieces}
    assert shown == {"Panics"}
    assert "what a panic is" in course.aims("errors")
    assert [each.chunk_text for each in course.recap("errors")] == [RECAP[1]]


def test_a_page_that_only_sums_up_is_taught_all_the_same() -> None:
    topic = of_texts(RECAP, GLOSSARY).topic_named("Errors")
    assert topic is not None
    assert "ends the thread" in topic.parts[0].pieces[0].text


def test_an_entry_of_the_glossary_is_taught_where_the_page_speaks_of_it() -> None:
    topic = of_texts(TOLD, RECAP, GLOSSARY, concepts=(UNWINDING,)).topic("unwinding")
    assert topic is not None
    [part] = topic.parts
    assert part.names == ("unwinding",)
    assert part.pieces[0].passage.heading_hierarchy[-1] == "Panics"
