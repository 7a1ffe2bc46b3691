"""Boxes that ask and answer in Markdown: fenced divs, directives and admonitions; no answer stays in the lesson."""

from pathlib import Path
from time import process_time

import pytest

from agents.teaching.values import Exercise
from rag.loaders import LoadedDocument
from rag.loaders.markdown import parse


def page(source: str) -> LoadedDocument:
    return parse(f"# Lists\n\nA list keeps things in order.\n\n{source}", path=Path("/course/lists.md"))


def only(source: str) -> Exercise:
    (found,) = page(source).exercises
    return found


def said(document: LoadedDocument) -> str:
    return "\n\n".join("\n".join([*section.headings, section.text]) for section in document.sections)


CHALLENGE = """
::::::::::::::::::::::: challenge

## Turn it round

How is a list reversed?

```python
a = [1, 2]
```

:::::::: spoiler

### Hint

Secret hint.

:::::::::::

::: instructor
Let them try for five minutes.
:::

::::::: solution

## Solution

```python
a[::-1]
```

:::::::::::::::::::::::

::::::: solution

## Another way

`reversed(a)`
::::::::

::::::::::::::::::::::::::::::::::::::::::

The lesson goes on.

::: callout

## Mind the copy

Slices copy.

:::
"""


def test_a_challenge_with_several_solutions_hints_and_notes_for_teachers():
    document = page(CHALLENGE)
    (found,) = document.exercises
    assert (found.title, found.form) == ("Turn it round", "fenced_div")
    assert found.text == "How is a list reversed?\n\n```python\na = [1, 2]\n```"
    assert found.solution == "```python\na[::-1]\n```\n\n**Another way**\n\n`reversed(a)`"
    text = said(document)
    assert "The lesson goes on." in text
    assert "Slices copy." in text
    for hidden in ("a[::-1]", "reversed(a)", "Secret hint", "five minutes", "Turn it round"):
        assert hidden not in text


@pytest.mark.parametrize(
    "source",
    [
        "::: exercise\nHow long is `[]`?\n:::\n\n::: solution\nIts length is 0.\n:::",
        "::: {.exercise #ex-long}\nHow long is `[]`?\n\n:::: {.solution}\nIts length is 0.\n::::\n:::",
        "::: {#exr-long}\nHow long is `[]`?\n:::\n\n## Later\n\nText between.\n\n::: {#sol-long}\nIts length is 0.\n:::",
        ":::{exercise}\n:label: long\nHow long is `[]`?\n:::\n\nThink first.\n\n:::{solution} long\n:class: dropdown\n\nIts length is 0.\n:::",
        "```{exercise}\n---\nlabel: long\n---\nHow long is `[]`?\n```\n\n```{solution} long\nIts length is 0.\n```",
        "::::{exercise}\nHow long is `[]`?\n:::{solution}\nIts length is 0.\n:::\n::::",
        "```{exercise-start}\n:label: long\n```\n\nHow long is `[]`?\n\n```{exercise-end}\n```\n\n"
        "```{solution-start} long\n```\n\nIts length is 0.\n\n```{solution-end}\n```",
        "```{admonition} Exercise 3\nHow long is `[]`?\n```\n\n```{admonition} Solution to exercise 3\n:class: tip dropdown\nIts length is 0.\n```",
        "How long is `[]`?\n\n```{dropdown} Show the answer\nIts length is 0.\n```",
        '### Aufgabe 2\n\nHow long is `[]`?\n\n::: {.callout-tip collapse="true"}\n## Lösung\nIts length is 0.\n:::',
        '??? question "How long is `[]`?"\n    Its length is 0.\n',
        '!!! question "Exercise"\n\n    How long is `[]`?\n\n    ??? success "Solution"\n\n        Its length is 0.\n',
        "How long is `[]`?\n\n:::tip[Solution]\nIts length is 0.\n:::",
        '```admonish exercise title="Length"\nHow long is `[]`?\n```\n\n```admonish tip title="Solution" collapsible=true\nIts length is 0.\n```',
        "> ## Length\n> How long is `[]`?\n>\n> > ## Solution\n> > Its length is 0.\n> {: .solution}\n{: .challenge}",
    ],
)
def test_an_exercise_and_its_answer_in_every_dialect(source: str):
    document = page(f"{source}\n\n## After\n\nLists can be sorted.")
    (found,) = document.exercises
    assert found.text == "How long is `[]`?"
    assert found.solution == "Its length is 0."
    assert not found.trouble
    text = said(document)
    assert "How long" not in text
    assert "Its length" not in text
    assert "Lists can be sorted." in text


def test_a_cell_of_a_text_notebook_that_is_tagged_as_a_solution_is_one():
    found = only(
        "How long is `[]`?\n\n```{code-cell} python\n:tags: [hide-cell, solution]\nlen([])\n```\n\n```{code-cell} python\n:tags: [hide-input]\nplot()\n```"
    )
    assert (found.text, found.solution) == ("How long is `[]`?", "```python\nlen([])\n```")


def test_choices_in_a_box_take_their_key_from_its_answer():
    found = only("::: challenge\nWhat is last?\n\n1. `a[0]`\n2. `a[-1]`\n\n::: solution\n2\n:::\n:::")
    assert [(each.text, each.is_right) for each in found.choices] == [("`a[0]`", False), ("`a[-1]`", True)]


def test_an_exercise_stands_under_the_heading_of_its_place():
    document = page(
        "## Slices\n\nA slice is a part.\n\n::: exercise\nTake a part.\n:::\n\n## Sorting\n\nText."
    )
    assert document.exercises[0].headings == ("Lists", "Slices")


def test_the_heading_of_another_box_is_no_section_for_what_follows_it():
    document = page(
        "## Slices\n\nA slice is a part.\n\n::: challenge\nFirst?\n:::\n\n::: callout\n## Copies\nSlices copy.\n:::\n\n"
        "More of slices.\n\n::: challenge\nSecond?\n:::\n\n## Sorting\n\n::: challenge\nThird?\n:::"
    )
    assert [(each.text, each.headings[-1]) for each in document.exercises] == [
        ("First?", "Slices"),
        ("Second?", "Slices"),
        ("Third?", "Sorting"),
    ]


def test_an_exercise_without_an_answer_is_one_too():
    found = only("::: discussion\nWhich lists do you keep?\n:::")
    assert (found.text, found.solution, found.trouble) == ("Which lists do you keep?", "", "")


def test_a_box_that_only_groups_exercises_is_none():
    found = page("::::: exercises\n## Exercises\n\n::: exercise\nOne?\n:::\n\n::: exercise\nTwo?\n:::\n:::::")
    assert [each.text for each in found.exercises] == ["One?", "Two?"]


@pytest.mark.parametrize(
    "source",
    [
        "::: questions\n- How is a list made?\n:::",
        "```{admonition} Solution of equations\nLists solve them.\n```",
        '??? question "The list is empty"\n    Fill it.\n',
        ":::{note}\n:class: dropdown\nSlices copy.\n:::",
        "````markdown\n::: challenge\nWhat?\n:::\n````",
        "<!--\n::: challenge\nWhat?\n:::\n-->\n\nText.",
    ],
)
def test_other_boxes_stay_what_they_are(source: str):
    assert not page(source).exercises


def test_links_that_the_page_names_elsewhere_are_words():
    found = only("::: challenge\nSee [the manual][m]. What is `len`?\n:::\n\n[m]: https://example.org\n")
    assert found.text == "See the manual. What is `len`?"


def test_a_box_that_nothing_closes_ends_at_the_next_heading_and_says_so():
    document = page(
        "::: challenge\n## One\n\nWhat is first?\n\n::: solution\nThe key of it all.\n:::\n\n## Slices\n\nA slice is a part.\n\n"
        "::: challenge\nWhat is second?\n\n::: solution\n`a[1]`\n:::\n:::\n\nThe end."
    )
    first, second = document.exercises
    assert first.text == "What is first?"
    assert "not closed" in first.trouble
    assert (second.text, second.solution, second.trouble) == ("What is second?", "`a[1]`", "")
    text = said(document)
    assert "A slice is a part." in text
    assert "The end." in text
    assert "key of it all" not in text


def test_an_answer_to_nothing_says_so_and_is_in_no_lesson():
    document = parse("::: solution\nThe key of it all.\n:::\n\n# Lists\n\nA list.", path=Path("lists.md"))
    assert document.exercises[0].trouble == "it is an answer to no question"
    assert "key" not in said(document)


@pytest.mark.parametrize(
    "source",
    [
        "::: challenge\n## T\n\nWhat?\n\n::: solution\nThat.\n:::\n:::\n\nText.\n\n",
        "::: challenge\nWhat?\n\n",
        "::: solution\n\nThat.\n\n",
        "::: a\n",
        ":::{exercise} What\n",
        '??? question "Why?"\n    Because.\n\n',
        "What?\n\n```{admonition} Answer\n:class: dropdown\nThat.\n```\n\n",
        "```{exercise-start}\n```\n\nWhat?\n\n",
    ],
)
def test_five_thousand_boxes_take_seconds_closed_or_not(source: str):
    started = process_time()
    page(source * 5000)
    assert process_time() - started < 20
