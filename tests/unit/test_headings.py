"""One place knows which headings name something to learn."""

import pytest

from agents.language.headings import heading_name, is_apart, is_worked_example, names_a_concept, teaches
from agents.teaching.questions.sentences import is_example
from agents.teaching.values import RetrievalResult
from rag.concepts import CoursePassage, extract_concepts

TEXT = "Water moves through the wall of a cell. It needs no energy."


def concepts(*passages: tuple[str, str], chapter: str = "ch1/readme") -> list[str]:
    found = extract_concepts(
        [
            CoursePassage(
                chunk_id=f"{chapter}/{n}", chapter_id=chapter, headings=("Cells", heading), text=text
            )
            for n, (heading, text) in enumerate(passages)
        ]
    )
    return [concept.name for concept in found.concepts]


@pytest.mark.parametrize(
    "heading",
    [
        "Review Questions",
        "Free Response",
        "Critical Thinking",
        "Visual Connection",
        "Art Connections",
        "Link to Learning",
        "🚀 Challenge",
        "🚀 Challenge 1: Analyzing the Spread",
        "Assignment: Four Scenarios",
        "Assignment for Part Two",
        "Pre-Lecture Quiz",
        "Post-lecture quiz",
        "Rubric",
        "Instructions",
        "Review & Self Study",
        "3. Exercises",
        "Exercise 4",
        "Project: Build a chart",
        "End-of-chapter problems",
        "Check your understanding",
    ],
)
def test_work_is_known_with_or_without_numbers_and_pictures(heading: str) -> None:
    assert is_apart(heading)
    assert concepts((heading, TEXT)) == []


@pytest.mark.parametrize(
    "heading",
    [
        "Transformers are big models",
        "The unsafe keyword has two roles",
        "Running the binaries",
        "Styling your charts",
        "Putting it all together",
        "Practical Exercise: Pumps",
        "fn main()",
        "Big data? Tables to the rescue!",
        "More to Explore",
        "Definition",
        "Key takeaways",
    ],
)
def test_a_heading_that_says_or_does_something_names_nothing(heading: str) -> None:
    assert concepts((heading, TEXT)) == []


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("What is a Pump?", "Pump"),
        ("Flow Control: Setting Boundaries", "Flow Control"),
        ("2.1 Seals", "Seals"),
    ],
)
def test_a_heading_names_what_it_is_about(heading: str, name: str) -> None:
    assert concepts((heading, TEXT)) == [name]


def test_a_heading_that_every_page_has_is_no_concept() -> None:
    passages = [
        CoursePassage(chunk_id=f"{page}{part}", chapter_id=page, headings=(page, part), text=TEXT)
        for page in ("Pumps", "Seals", "Pipes")
        for part in ("At a Glance", f"{page} in Use")
    ]
    names = {concept.name for concept in extract_concepts(passages).concepts}
    assert names == {"Pumps in Use", "Seals in Use", "Pipes in Use"}


def test_a_person_is_no_concept() -> None:
    person = "**Ada von Low** is a research engineer at a company. A **pump** is a machine."
    assert concepts(("Makers", person)) == ["pump"]


@pytest.mark.parametrize(
    "heading",
    [
        "Ethics Challenges",
        "Challenges of a Warm Climate",
        "Exercise and the Heart",
        "Compute Resources",
        "Problems of Scale",
        "Quality of Sources",
        "Open Systems",
        "Set Theory",
        "Start Codons",
        "Clone Libraries",
        "Run-length Encoding",
        "Bacteria in your gut",
        "Review of Literature",
        "Avoid deception",
    ],
)
def test_a_heading_that_only_has_such_a_word_in_it_is_still_a_concept(heading: str) -> None:
    assert concepts((heading, TEXT)) == [heading]


@pytest.mark.parametrize(
    "heading",
    [
        "Recommended Resources for Self Study",
        "Further reading",
        "Further Research",
        "SOURCE",
        "License",
        "Credits",
        "Summary of main points",
        "Where to get Data",
        "Setup your system",
        "Filter your data",
        "Get to know your mushrooms 🍄",
        "Download and open the database",
        "Create an online workspace",
        "Explore bar charts",
    ],
)
def test_sources_frames_and_orders_are_no_concepts(heading: str) -> None:
    assert concepts((heading, TEXT)) == []


def test_a_name_keeps_its_words_and_loses_numbers_pictures_and_cries() -> None:
    assert heading_name("2.1 Data Ownership") == "Data Ownership"
    assert heading_name("All About Honey 🍯") == "All About Honey"
    assert heading_name("Pie!") == "Pie"
    assert heading_name("Heat in °C & more") == "Heat in °C & more"
    assert concepts(("Waffles!", TEXT)) == ["Waffles"]


def test_a_section_below_work_or_in_a_file_that_sets_it_gives_no_concept() -> None:
    work = CoursePassage(
        chunk_id="1", chapter_id="ch1", headings=("Cells", "Instructions", "Database schema"), text=TEXT
    )
    told = CoursePassage(chunk_id="2", chapter_id="ch1", headings=("Cells", "Osmosis"), text=TEXT)
    assert [concept.name for concept in extract_concepts([work, told]).concepts] == ["Osmosis"]
    for chapter in ("ch1/assignment", "ch1/02-quiz", "ch1/solution/README", "LICENSE"):
        assert not teaches(("Cells", "Osmosis"), chapter_id=chapter)
    assert teaches(("Cells", "Osmosis"), chapter_id="ch1/README")


def test_a_course_that_is_one_assignment_is_still_a_course() -> None:
    assert concepts(("Osmosis", TEXT), chapter="assignment") == ["Osmosis"]


def test_the_name_of_a_table_or_of_code_is_no_concept() -> None:
    table = "| id | city |\n| --- | --- |\n| 1 | Oslo |\n\nThe id is the key of the city."
    assert concepts(("cities", table)) == []
    assert concepts(("Production", "```\nnpm run build\n```")) == []
    assert concepts(("Topics", TEXT)) == ["Topics"]


def test_a_word_that_is_only_stressed_is_no_term() -> None:
    assert concepts(("Summary", "We need some **understanding** or **insights** about this data.")) == []
    assert concepts(("Summary", "A **score**, or counting words, is a start.")) == []
    assert concepts(("Summary", "There are **two** kinds of walls, and these are **important**.")) == []


def test_another_name_or_a_meaning_after_the_word_makes_it_a_term() -> None:
    assert concepts(("Summary", "It has **cells**, or small rooms, in it.")) == ["cells"]
    assert concepts(("Summary", "It holds **personal data** or data of a person.")) == ["personal data"]
    assert concepts(("Summary", "These are **joints**, which bend.")) == ["joints"]
    assert concepts(("Summary", "They have **molars**, meaning flat teeth.")) == ["molars"]


def test_a_worked_example_is_taught_but_not_asked() -> None:
    assert is_worked_example("Worked example: a falling ball")
    assert teaches(("Time", "Worked example: a falling ball"))
    assert not names_a_concept("Worked example: a falling ball")
    for heading, is_left_out in (("Worked example: a ball", True), ("🚀 Challenge", True), ("Time", False)):
        passage = RetrievalResult(
            rank=1,
            similarity_score=1,
            chunk_id="1",
            chunk_text=TEXT,
            source_url="file:///ch1.md",
            title="Time",
            course="c",
            chapter_id="ch1",
            module_name="c",
            heading_hierarchy=("Time", heading),
            token_count=9,
            chunk_index=0,
        )
        assert is_example(passage) is is_left_out
