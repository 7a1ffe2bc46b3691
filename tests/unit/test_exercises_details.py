"""Answers that a page folds away: told from what else is folded, and taken out with their questions."""

from pathlib import Path
from time import process_time

import pytest

from agents.teaching.values import Exercise
from rag.loaders import LoadedDocument
from rag.loaders.markdown import parse


def page(source: str) -> LoadedDocument:
    return parse(f"# Metals\n\nMetals conduct.\n\n{source}\n\nThe lesson goes on.", path=Path("/course/m.md"))


def only(source: str) -> Exercise:
    (found,) = page(source).exercises
    return found


def said(document: LoadedDocument) -> str:
    return "\n\n".join(section.text for section in document.sections)


def folded(body: str, *, summary: str = "Solution") -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def test_an_answer_is_taken_out_with_the_question_before_it():
    document = page(f"Why do metals shine?\n\n{folded('Their electrons are free.')}")
    (found,) = document.exercises
    assert (found.text, found.solution) == ("Why do metals shine?", "Their electrons are free.")
    assert said(document) == "Metals conduct.\n\nThe lesson goes on."


@pytest.mark.parametrize("summary", ["Show answer", "Lösung", "Réponse", "解答", "Click me"])
def test_what_is_folded_behind_a_question_answers_it_whatever_its_summary_says(summary: str):
    assert only(f"Why do metals shine?\n\n{folded('Free electrons.', summary=summary)}").solution


def test_a_task_that_is_no_question_is_one_where_the_summary_says_so():
    task = "## Exercise 2\n\nWrite a loop over `metals`.\n\n```python\nmetals = []\n```\n\n"
    found = only(task + folded("```python\nfor each in metals: pass\n```"))
    assert found.text == "Write a loop over `metals`.\n\n```python\nmetals = []\n```"
    assert found.headings == ("Metals", "Exercise 2")
    assert page(task + folded("A long list.", summary="Output")).exercises == ()


def test_disclosures_that_answer_nothing_stay():
    source = (
        f"<details>\n\nNotes for the speaker.\n\n</details>\n\nRun it:\n\n{folded('iron', summary='Output')}"
    )
    document = page(source)
    assert document.exercises == ()
    assert "Notes for the speaker." in said(document)
    assert "iron" in said(document)


def test_hints_before_the_answer_are_shown_to_nobody():
    document = page(f"Why?\n\n{folded('Think of electrons.', summary='Hint')}\n\n{folded('They are free.')}")
    assert document.exercises[0].solution == "They are free."
    assert "Think" not in said(document)


def test_choices_have_their_key_behind_them():
    lettered = only(f"Which one is liquid?\n\na) iron\nb) mercury\n\n{folded('b')}")
    ticked = only(
        f"Which one is liquid?\n\n- [ ] iron\n- [x] mercury\n\n{folded('Mercury melts at −39 °C.', summary='Why')}"
    )
    assert [each.is_right for each in lettered.choices] == [False, True]
    assert [each.is_right for each in ticked.choices] == [False, True]
    assert ticked.solution == "Mercury melts at −39 °C."


def test_each_item_of_a_list_has_its_own_answer():
    items = "1. Why?\n   <details><summary>Answer</summary>So.</details>\n2. Where?\n   <details><summary>Answer</summary>Here.</details>"
    assert [(each.text, each.solution) for each in page(items).exercises] == [
        ("Why?", "So."),
        ("Where?", "Here."),
    ]


def test_questions_that_are_folded_with_their_answers_are_asked_where_the_section_is_for_work():
    cards = f"{folded('A metal.', summary='What is iron?')}\n{folded('A gas.', summary='What is air?')}"
    assert [each.text for each in page(f"## Quiz\n\n{cards}").exercises] == ["What is iron?", "What is air?"]
    assert page(f"## Common troubles\n\n{cards}").exercises == ()


def test_an_exercise_that_is_folded_may_have_its_solution_in_it():
    inner = folded("Free electrons.")
    found = only(folded(f"Say why metals shine.\n\n{inner}", summary="Exercise 3"))
    assert (found.title, found.text, found.solution) == (
        "Exercise 3",
        "Say why metals shine.",
        "Free electrons.",
    )


def test_code_that_shows_a_disclosure_is_none():
    assert page(f"Why?\n\n```html\n{folded('So.')}\n```").exercises == ()


def test_an_answer_without_a_question_is_said():
    document = parse(folded("So it is."), path=Path("/course/m.md"))
    assert "no question" in document.exercises[0].trouble
    assert document.sections == ()


def test_a_disclosure_without_an_end_takes_no_later_section_with_it():
    document = page(f"Why?\n\n{folded('So.').removesuffix('</details>')}\n\n## More\n\nOf the lesson.")
    assert "not closed" in document.exercises[0].trouble
    assert "Of the lesson." in said(document)
    assert "So." not in said(document)


@pytest.mark.parametrize(
    "one",
    [
        "Why?\n\n<details><summary>Answer</summary>So.</details>\n\n",
        "<details><summary>More</summary>",
        "<details>",
    ],
)
def test_thousands_of_disclosures_take_time_in_proportion(one: str):
    def seconds(many: int) -> float:
        began = process_time()
        parse("# Quiz\n\nText.\n\n" + one * many, path=Path("/course/quiz.md"))
        return process_time() - began

    seconds(10)
    few, many = (min(seconds(count) for _ in range(2)) for count in (500, 5000))
    assert many < 30 * few + 0.5
