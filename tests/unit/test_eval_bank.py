"""Where questions are attached, held against where a judge says that they belong."""

from agents.teaching.values import Item, QuizQuestion
from evals.bank import LABELS, Placed, SectionLabel, placed
from rag.concepts import CoursePassage

PASSAGES = {
    name: CoursePassage(chunk_id=name, chapter_id=chapter, headings=("Tides", *headings), text="…")
    for name, chapter, headings in (
        ("opening", "tides", ()),
        ("sun", "tides", ("The sun",)),
        ("noon", "tides", ("The sun", "At noon")),
        ("bore", "rivers", ()),
    )
}


def item(name: str, chunk: str) -> Item:
    question = QuizQuestion(
        question_id=name,
        question_text="Why?",
        concept_name="tide",
        difficulty="easy",
        expected_answer="",
        source_context="",
        chunk_id=chunk,
    )
    return Item(question=question, exercise_id=name, chapter_id="tides")


def counted(*sections: str, chunk: str) -> Placed:
    label = SectionLabel(question_id="q", course="sea", page="tides", sections=sections)
    return placed([label], [item("q", chunk)], PASSAGES)


def test_what_stands_below_a_named_section_is_in_it_and_the_top_of_a_page_is_only_its_top() -> None:
    assert counted("The sun", chunk="noon") == Placed(there=1, on_page=1, in_section=1)
    assert counted("At noon", chunk="sun") == Placed(there=1, on_page=1, in_section=0)
    assert counted("*", chunk="opening") == Placed(there=1, on_page=1, in_section=1)
    assert counted("*", chunk="sun") == Placed(there=1, on_page=1, in_section=0)
    assert counted("*", chunk="bore") == Placed(there=1, on_page=0, in_section=0)


def test_a_question_that_is_not_there_any_more_is_nowhere() -> None:
    label = SectionLabel(question_id="gone", course="sea", page="tides", sections=("*",))
    assert placed([label], [item("q", "opening")], PASSAGES) == Placed(there=1, on_page=0, in_section=0)


def test_a_hundred_questions_of_five_courses_were_judged() -> None:
    labels = [SectionLabel.model_validate_json(line) for line in LABELS.read_text().splitlines()]
    assert len({each.question_id for each in labels}) == 100
    assert len({each.course for each in labels}) == 5
