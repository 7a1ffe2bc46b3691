"""Lessons from courses as they are found: what is asked, pointed at or said about the book is not taught."""

import pytest
from agents.tutor.explain import explain
from agents.tutor.lesson_words import with_article
from agents.tutor.telling import tellable

from agents.tutor.quoting import with_marker
from agents.tutor.reading import read
from rag.concepts import extract_concepts
from rag.results import RetrievalResult
from rag.sentences import CoursePassage
from storage.course import Concept


def passage(text: str, *headings: str, number: int = 1, chapter: str = "pumps") -> RetrievalResult:
    return RetrievalResult(
        rank=number,
        similarity_score=0.9 - number / 10,
        chunk_id=f"chunk-{number}",
        chunk_text=text,
        source_url="file:///pumps.md",
        title="Pumps",
        course="pumps",
        chapter_id=chapter,
        module_name="Pumps",
        heading_hierarchy=("Pumps", *headings),
        token_count=50,
        chunk_index=number,
    )


def concept(name: str, kind: str = "term") -> Concept:
    return Concept(name=name, definition="", kind=kind, chapter_id="pumps", chunk_id="chunk-1", position=0)


def lesson(*passages: RetrievalResult, name: str = "pump", kind: str = "term") -> str:
    text = explain(name, passages, concepts=[concept(name, kind)]).text
    return text.split("\n---\n")[0].replace("**", "")


def told(text: str) -> list[str]:
    return [unit.text for unit in tellable([passage(text, "How pumps work")])]


PUMP = passage("A **pump** is a machine that moves water.", "How pumps work")


@pytest.mark.parametrize(
    "heading",
    ["Review Questions", "Free Response", "Art Connections", "🚀 Challenge", "Assignment", "Rubric"],
)
def test_what_stands_under_work_is_not_taught(heading: str) -> None:
    work = passage("A pump is a thing that is always red. A pump costs ten crowns.", heading, number=2)
    text = lesson(work, PUMP)
    assert "moves water" in text
    assert "red" not in text
    assert "crowns" not in text


def test_neither_are_its_code_and_tables_worked_examples() -> None:
    work = passage("Fill this in:\n\n```python\npump.answer = None\n```", "Exercise 1", number=2)
    task = passage("Start:\n\n```python\npump.run()\n```", "Pump", number=3, chapter="ch1/assignment")
    assert "```" not in lesson(PUMP, work, task)


def test_a_course_that_only_sets_work_is_taught_from_what_it_states() -> None:
    work = passage("A pump is a machine. What does a pump move?", "Assignment")
    text = lesson(work)
    assert "A pump is a machine [1]." in text
    assert "What does" not in text


@pytest.mark.parametrize(
    "aside",
    [
        "A pump is slower than a fan because ___________",
        "What is the difference between a pump and a fan?",
        "Who owns the pump? (you or the town)",
        "Answer: Not really.",
        "Evolution Connection",
        "Pumps and Fans of the World (Ten Great Ones)",
        "Watch this video to learn more about pumps.",
        "Visit this website to see a pump.",
        "Explore their site to see if they define a pump.",
        "Click through the steps of a pump.",
        "See the pump in the hall.",
        "Explain how a pump moves water uphill.",
        "Try visualizing the pump in another way.",
        "For more information about pumps, consult the documentation.",
        "In these lessons, you'll explore pumps and fans.",
        "We've talked about pumps and about fans.",
        "We are going to build a pump of our own.",
        "In the previous lesson, a pump was built.",
        "The figure illustrates the parts of a pump.",
        "Photo by Jane Roe on Pumpsplash",
        "Pumps & Fans - Sketchnote by @roe",
        '"Give me a pump that is long enough and I will move the whole of the sea" -- Jane Roe',
        "To see how a pump is made, visit Jane’s blog.",
        "2.1 Create a pump for the whole village",
        "| Pump | 1972 - the first one that was built of steel",
        "Go, pumps, go!",
        "in the well of the village, where the pump is.",
        "Source.",
    ],
)
def test_asides_are_left_out(aside: str) -> None:
    assert told(f"A pump moves water.\n\n{aside}\n\nIt is loud.") == ["A pump moves water.", "It is loud."]


@pytest.mark.parametrize(
    "statement",
    [
        "Living cells have evolved to meet this challenge very well.",
        "Each edge has properties that give additional information about it.",
        "Cells explore the space around them.",
        "Check valves stop the water on its way back.",
        "Search engines read many pages.",
        "List comprehension is a short way to build a list.",
        "The image by which we know it is old.",
        "tadpole: larval stage of a frog",
        "Stolons are stems that run just below the surface.",
    ],
)
def test_statements_with_such_words_in_them_stay(statement: str) -> None:
    assert told(statement) == [statement]


def test_the_box_below_a_label_and_the_answers_below_a_question_are_left_out() -> None:
    text = "Art Connection\n\nCyanide stops a pump.\n\nWhich of these is false?\n\n- A pump never stops.\n- A pump is wet."
    assert told(f"{text}\n\nA pump moves water.") == ["A pump moves water."]


def test_the_aims_of_a_chapter_are_left_out_as_a_whole() -> None:
    text = "By the end of this section, you will be able to:\n\n- Distinguish between pumps, fans, and wheels in use"
    assert told(f"{text}\n\nA pump moves water.") == ["A pump moves water."]


def test_a_lead_to_code_may_be_an_order() -> None:
    text = "Try the pump with another speed:\n\n```python\npump.run(2)\n```"
    assert "Try the pump with another speed [2]:\n\n```python" in lesson(PUMP, passage(text, "Use", number=2))


def test_brackets_around_a_whole_sentence_pictures_and_numbers_in_front_go() -> None:
    text = (
        "(In the body, the heart is one.) It beats.\n\n✅ A pump moves water (eg. Water, oil, etc.). Fans move air."
        "\n\n2) Wheels move both."
    )
    assert [unit.text for unit in read(passage(text))] == [
        "In the body, the heart is one.",
        "It beats.",
        "A pump moves water (eg. Water, oil, etc.).",
        "Fans move air.",
        "Wheels move both.",
    ]


def test_italics_inside_of_bold_go_too() -> None:
    assert read(passage("The ***lac* operon** and **the *trp* operon** work."))[0].text == (
        "The lac operon and the trp operon work."
    )


def test_below_the_surface_is_no_pointer_to_another_place_in_the_text() -> None:
    assert "just below the surface" in lesson(
        passage("A pump is a machine that stands just below the surface.", "How pumps work")
    )


@pytest.mark.parametrize("sentence", ["Most importantly, it saves work.", "Each way has its own price."])
def test_a_sentence_that_speaks_of_something_said_before_is_not_taken_without_it(sentence: str) -> None:
    assert read(passage(sentence))[0].leans_back


def test_a_marker_stands_inside_of_the_full_stop_whatever_is_around_it() -> None:
    assert with_marker("We call it “light.”", "[1]") == "We call it “light” [1]."
    assert with_marker("It moves water, oil, etc.", "[1]") == "It moves water, oil, etc. [1]."
    assert with_marker("stoma: opening in a leaf", "[1]") == "Stoma: opening in a leaf [1]."
    assert with_marker("mRNA: a messenger", "[1]") == "mRNA: a messenger [1]."


def test_an_entry_of_the_glossary_speaks_only_for_its_own_name() -> None:
    glossary = passage(
        "**rotor**: part of a pump that turns\n\n**pump**: the first of all machines", "Glossary"
    )
    text = lesson(glossary, passage("People have used a pump for ages.", "Use", number=2))
    assert "Pump: the first of all machines [1]." in text
    assert "otor" not in text


def test_a_section_without_a_definition_leads_with_its_own_sentences() -> None:
    other = passage("Fans relate to informed consent and to noise.", "Fans")
    own = passage("Everybody agrees with full knowledge of the facts.", "2.2 Informed Consent", number=2)
    text = lesson(other, own, name="Informed Consent", kind="heading")
    assert text.index("Everybody agrees") < text.index("Fans relate")


def test_several_of_a_thing_are_in_bold_where_one_is_never_named() -> None:
    text = explain("cation", [passage("Cations are positive ions.")], concepts=[concept("cation")]).text
    assert "**Cations** are positive ions [1]." in text


def test_an_article_comes_from_the_name_itself() -> None:
    assert with_article("glucocorticoid", "The glucocorticoids affect sugar.") == "glucocorticoid"
    assert with_article("pump", "A pump is a machine.") == "a pump"


def test_where_nothing_can_be_told_it_says_so() -> None:
    text = lesson(
        passage("In these lessons, you will learn about pumps.", "Pumps"), name="Pumps", kind="heading"
    )
    assert text == "I don't have information about Pumps in this course to teach from."
    leaning = lesson(passage("They are loud. These are wet.", "Use"), name="Pumps", kind="heading")
    assert leaning == text


def test_a_heading_above_nothing_but_announcements_is_no_concept() -> None:
    def names(text: str) -> list[str]:
        read_from = CoursePassage(chunk_id="1", chapter_id="ch1", headings=("Working with Data",), text=text)
        return [each.name for each in extract_concepts([read_from]).concepts]

    assert names("Photo by Jane Roe on Splash\n\nIn these lessons, you will learn about tables.") == []
    assert names("In these lessons, you will learn about tables. A table has rows.") == ["Working with Data"]
    assert names("- rows and columns\n- keys") == ["Working with Data"]
