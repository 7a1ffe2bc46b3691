"""Which concepts are taught together."""

from agents.syllabus import Syllabus
from storage.course import Concept

SECTIONS = {
    "node": "Basics",
    "graph": "Basics",
    "package": "Building",
    "workspace": "Building",
    "launch": "Running",
}


def syllabus() -> Syllabus:
    concepts = tuple(
        Concept(name=name, definition="", kind="term", chapter_id="ch1", chunk_id=name, position=place)
        for place, name in enumerate(SECTIONS)
    )
    return Syllabus(
        course="ros",
        title="ROS",
        revision=1,
        documents=(),
        concepts=concepts,
        relationships=(),
        sections={name: (section,) for name, section in SECTIONS.items()},
    )


def taught_with(name: str) -> tuple[str, ...]:
    topic = syllabus().topic(name)
    return topic.concepts if topic else ()


def test_a_concept_is_taught_with_its_section_and_what_comes_next() -> None:
    assert taught_with("node") == ("node", "graph", "package")
    assert taught_with("package") == ("package", "workspace", "launch")


def test_the_last_concept_of_a_chapter_is_taught_with_those_before_it() -> None:
    """A single concept gives too few questions to show that it is mastered."""
    assert taught_with("launch") == ("package", "workspace", "launch")
