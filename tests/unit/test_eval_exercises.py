"""The count of exercises is independent of what it counts, and sees what went wrong."""

from pathlib import Path

import pytest

from agents.teaching.values import AnswerChoice, Exercise
from evals import exercises
from evals.exercises import COURSES, Expected, Page, Tally, compare, openstax_markdown, tallied
from evals.exercises_components import FormCount
from rag.loaders.document import LoadedDocument, Section
from storage.errors import ConfigurationError

SOLUTION = "Free electrons reflect nearly all light that falls on it."


def tally(page: Page, *exercises: Exercise, told: str = "Metals conduct.") -> Tally:
    section = Section(headings=("Metals",), text=told)
    found = Tally()
    compare(page, LoadedDocument(title="Metals", sections=(section,), exercises=exercises), tally=found)
    return found


def page(*expected: Expected, told: str = "Metals conduct.") -> Page:
    return Page(expected=expected, told=told)


def test_a_question_is_found_when_its_words_are_and_its_key_when_the_answer_is():
    asked = Expected(text="Why do metals *shine*?", solution=SOLUTION)
    right = Exercise(text="Why do metals shine?", form="x", solution=SOLUTION)
    found = tally(page(asked), right)
    assert (found.share_found, found.share_of_keys, found.more, found.leaks) == (1, 1, 0, 0)
    assert tally(page(asked), Exercise(text="Why do metals shine?", form="x")).share_of_keys == 0
    other = tally(page(asked), Exercise(text="What is gold made of?", form="x"))
    assert (other.share_found, other.more) == (0, 1)


def test_a_choice_is_the_key_only_when_no_other_is_right_too():
    asked = Expected(text="Which? iron mercury", right=("mercury",))

    def share(*right: bool) -> float:
        choices = tuple(
            AnswerChoice(text=text, is_right=is_right)
            for text, is_right in zip(("iron", "mercury"), right, strict=True)
        )
        return tally(page(asked), Exercise(text="Which?", form="x", choices=choices)).share_of_keys

    assert [share(False, True), share(True, True), share(True, False)] == [1, 0, 0]


def test_a_solution_in_the_lesson_is_seen_unless_the_lesson_says_it_itself():
    asked = Expected(text="Why do metals shine?", solution=SOLUTION)
    assert tally(page(asked), told=SOLUTION).leaks == 1
    assert tally(page(asked, told=SOLUTION), told=SOLUTION).leaks == 0


def test_the_second_reader_counts_elements_and_reads_keys_by_their_letters(tmp_path: Path):
    def exercise(problem: str, solution: str) -> str:
        return (
            f'<div data-type="exercise">\n<div data-type="problem" markdown="1">\n{problem}\n</div>\n'
            f'<div data-type="solution">\n{solution}\n</div>\n</div>\n'
        )

    choices = 'Which?\n\n1.  iron\n2.  mercury\n{: type="a"}\n'
    path = tmp_path / "m1.md"
    path.write_text(
        f"Metals.\n\n{exercise(choices, 'B')}{exercise(choices, 'A and B. Both.')}{exercise('Why?', 'So.')}\n\nMore.",
        encoding="utf-8",
    )
    read = openstax_markdown(path)
    assert [[each.strip() for each in one.right] for one in read.expected] == [
        ["mercury"],
        ["iron", "mercury"],
        [],
    ]
    assert read.expected[2].solution == "So."
    assert read.told.split() == ["Metals.", "More."]


async def test_the_table_shows_every_course_that_is_counted_by_either_reader(monkeypatch: pytest.MonkeyPatch):
    """A course of components counts in the same table as one of elements, and a leak in it shows."""
    count = FormCount(
        form="mdx", course="courses/kilns/en", questions=4, found=3, keys=3, keys_right=2, leaks=1
    )
    monkeypatch.setattr(exercises, "COURSES", ())
    monkeypatch.setattr(exercises, "counts", lambda: [count])
    report = await exercises.run()
    assert [(row.measure, row.value, row.reached) for row in report.rows] == [
        ("kilns_en (mdx): found, of 4", "0.750", False),
        ("kilns_en (mdx): right key, of 3 with one", "0.667", False),
        ("kilns_en (mdx): solutions in a lesson", "1", False),
    ]


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.data)
def test_the_questions_of_public_courses_are_found_with_their_keys(course):
    try:
        found = tallied(course)
    except ConfigurationError:
        pytest.skip("the public data is not there")
    assert found.share_found >= 0.98
    assert found.share_of_keys >= 0.99
    assert found.leaks == 0
