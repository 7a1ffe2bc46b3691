"""OpenStax exercises in Markdown: found, keyed, in no lesson; what is broken has a line."""

from pathlib import Path
from time import process_time

import pytest

from agents.teaching.values import Exercise
from rag.loaders import LoadedDocument, load_document
from rag.loaders.markdown import parse


def page(source: str) -> LoadedDocument:
    return parse(f"# Metals\n\nMetals conduct heat.\n\n{source}", path=Path("/course/metals.md"))


def exercise(problem: str, *, solution: str | None = None, attributes: str = "") -> str:
    answer = "" if solution is None else f'<div data-type="solution" markdown="1">\n{solution}\n\n</div>\n'
    return (
        f'<div data-type="exercise"{attributes}>\n<div data-type="problem" markdown="1">\n{problem}\n\n</div>\n'
        f"{answer}</div>\n\n"
    )


def only(source: str) -> Exercise:
    (found,) = page(source).exercises
    return found


def said(document: LoadedDocument) -> str:
    return "\n\n".join(section.text for section in document.sections)


CHOICES = 'Which metal is liquid?\n\n1.  iron\n2.  mercury\n3.  lead\n{: type="a"}'


def test_a_letter_is_the_key_to_a_list_that_the_page_letters():
    found = only(exercise(CHOICES, solution="B"))
    assert found.text == "Which metal is liquid?"
    assert [(each.text, each.is_right) for each in found.choices] == [
        ("iron", False),
        ("mercury", True),
        ("lead", False),
    ]
    assert not found.trouble


@pytest.mark.parametrize("style", ['data-number-style="lower-alpha"', 'type="A"', '#list type="a" .big'])
def test_the_letters_are_told_by_attributes_of_several_kinds(style: str):
    assert only(exercise(f"Which?\n\n1.  iron\n2.  lead\n{{: {style}}}", solution="A")).choices[0].is_right


def test_letters_are_also_written_out_or_those_of_an_html_list():
    written = only(exercise("Which?\n\n(a) iron\n\n(b) lead", solution="(b)"))
    listed = only(exercise('Which?\n\n<ol type="a"><li>iron</li><li>lead</li></ol>', solution="b"))
    assert [each.is_right for each in written.choices] == [each.is_right for each in listed.choices]
    assert listed.choices[1].text == "lead"


def test_an_open_question_keeps_its_solution_without_the_title_over_it():
    title = '<div data-type="title">\nAnswers\n</div>\n'
    found = only(exercise("Why do metals shine?", solution=f"{title}Free electrons reflect light."))
    assert (found.text, found.solution) == ("Why do metals shine?", "Free electrons reflect light.")


def test_an_exercise_may_have_a_title_and_no_solution():
    found = only(exercise('<div data-type="title">Gold</div>\nWhy is gold soft?'))
    assert (found.title, found.text, found.solution) == ("Gold", "Why is gold soft?", "")


def test_parts_stay_in_the_text_with_their_letters():
    found = only(exercise("Find the mass of\n\n(a) one mole\n\n(b) two", solution="(a) 5 g; (b) 10 g"))
    assert found.text == "Find the mass of\n\n(a) one mole\n\n(b) two"
    assert (found.choices, found.solution) == ((), "(a) 5 g; (b) 10 g")


def test_nothing_of_a_question_or_its_key_stays_in_the_lesson():
    document = page(f"### Review Questions\n\n{exercise(CHOICES, solution='B')}### After\n\nText goes on.")
    assert [section.headings for section in document.sections] == [("Metals",), ("Metals", "After")]
    assert "mercury" not in said(document)
    assert document.exercises[0].headings == ("Metals", "Review Questions")


def test_formulas_code_and_pictures_are_read_as_on_the_page():
    picture = '<span data-type="media" data-alt="x"> ![A bar of iron](../iron.png){: width="3"}\n </span>'
    found = only(
        exercise(
            f"What is m<sub>2</sub> of $x_1$?\n\n{picture}\n\n```python\nprint(1)\n```",
            solution="It is 10<sup>3</sup> g.",
        )
    )
    assert found.text == "What is m2 of $x_1$?\n\n![A bar of iron](../iron.png)\n\n```python\nprint(1)\n```"
    assert found.solution == "It is 10^3 g."


def test_a_figure_of_the_page_that_a_question_refers_to_comes_with_it():
    figure = '![A melting bar](../melt.png "Melting"){: #melt-1}\n\n'
    found = only(figure + exercise("What happens in [\\[link\\]](#melt-1)?", solution="It melts."))
    assert found.text.startswith("![A melting bar](../melt.png)\n\n")
    assert found.text.endswith("What happens in the figure?")


def test_a_link_that_the_page_defines_at_its_end_is_only_words():
    found = only(exercise("Open the [simulation][1]. Why?") + "The end.\n\n[1]: http://example.org/melting")
    assert found.text == "Open the simulation. Why?"


def test_an_exercise_of_a_worked_example_stays_with_it():
    document = page(f'<div data-type="example">\n{exercise("Find x.", solution="x is 2.")}</div>')
    assert document.exercises == ()
    assert "x is 2." in said(document)


def test_code_that_shows_an_exercise_is_none():
    document = page(f"```html\n{exercise('Why?', solution='So.')}```\n\n<!-- {exercise('Why?')} -->")
    assert document.exercises == ()


def test_a_solution_behind_its_exercise_belongs_to_it():
    assert (
        only(exercise("Why?") + '<div data-type="solution">Because of it.</div>').solution == "Because of it."
    )


def test_two_solutions_are_one_answer_when_they_name_the_same_choice():
    short = '<div data-type="solution">B</div>\n'
    agreed = exercise(CHOICES, solution="B. It melts at −39 °C.").replace(
        "</div>\n</div>", f"</div>{short}</div>"
    )
    found = only(agreed)
    assert (found.choices[1].is_right, found.solution, found.trouble) == (True, "It melts at −39 °C.", "")
    assert "different" in only(agreed.replace(short, short.replace("B", "C"))).trouble


def test_the_last_solution_of_a_section_may_be_the_key_to_all():
    source = (
        exercise(CHOICES)
        + exercise(CHOICES)
        + exercise(CHOICES, solution="(1:B, 2:C, 3:A)")
        + "### Short Answer\n\n"
        + exercise("Why?")
    )
    found = page(f"### Quiz\n\n{source}").exercises
    assert [[each.is_right for each in one.choices].index(True) for one in found[:3]] == [1, 2, 0]
    assert [each.solution for each in found] == [""] * 4


def test_a_page_of_nothing_but_exercises_is_read(tmp_path: Path):
    path = tmp_path / "quiz.md"
    path.write_text(f"---\ntitle: Quiz\n---\n\n{exercise(CHOICES, solution='B')}", encoding="utf-8")
    document = load_document(path)
    assert document.sections == ()
    assert [each.headings for each in document.exercises] == [("Quiz",)]


@pytest.mark.parametrize(
    ("broken", "trouble"),
    [
        (exercise(CHOICES, solution="E"), "choices end at C"),
        (exercise("", solution="It is 5."), "no question"),
        (exercise("", solution=""), "empty"),
        ('<div data-type="solution">B</div>', "no question"),
        (exercise("Why?", solution="So.").removesuffix("</div>\n\n"), "end is missing"),
        (exercise("Why?", solution="So.").replace("</div>\n</div>", ""), "end is missing"),
        (exercise(f"Why?\n\n{exercise('And?', solution='So.')}", solution="So."), "another exercise"),
    ],
)
def test_what_is_broken_has_a_line_and_the_rest_is_read(broken: str, trouble: str):
    after = exercise("Is it a metal?", solution="It is, as it conducts.")
    document = page(f"{broken}\n\n### More\n\nThe lesson goes on.\n\n{after}")
    assert trouble in document.exercises[0].trouble
    assert (document.exercises[-1].text, document.exercises[-1].trouble) == ("Is it a metal?", "")
    assert "The lesson goes on." in said(document)
    assert "So." not in said(document)
    assert "It is" not in said(document)


def test_an_example_without_an_end_hides_no_later_exercise():
    document = page(
        f'<div data-type="example">\nA bar melts.\n\n### Quiz\n\n{exercise(CHOICES, solution="B")}'
    )
    assert len(document.exercises) == 1
    assert "A bar melts." in said(document)


@pytest.mark.parametrize(
    "one",
    [
        exercise(CHOICES, solution="B"),
        exercise("Why?", solution="So.").removesuffix("</div>\n\n"),
        '<div data-type="exercise">',
        '<div data-type="example"><div data-type="solution">',
    ],
)
def test_thousands_of_exercises_take_time_in_proportion(one: str):
    def seconds(many: int) -> float:
        began = process_time()
        parse("# Quiz\n\nText.\n\n" + one * many, path=Path("/course/quiz.md"))
        return process_time() - began

    seconds(10)
    few, many = (min(seconds(count) for _ in range(2)) for count in (500, 5000))
    assert many < 30 * few + 0.5
