"""What a page sets apart: objectives are promised and not taught, an example is read with its solution."""

from pathlib import Path

import pytest

from agents.coordinator.offline import answer_question
from agents.language.headings import is_aims, is_worked_example, teaches
from rag.exercises import Exercise
from rag.loaders import load_document
from rag.loaders.document import LoadedDocument
from tests.support.pumps import passage

AIMS, BODY = "Name the parts of a pump.", "A pump has a housing and a wheel."


def loaded(folder: Path, text: str, *, name: str = "page.md") -> LoadedDocument:
    (folder / name).write_text(text, encoding="utf-8")
    return load_document(folder / name)


def under(document: LoadedDocument, said: str) -> tuple[str, ...]:
    """The headings that a text stands under."""
    return next(section.headings for section in document.sections if said in section.text)


OBJECTIVES = {
    "cnx.md": f'# Pumps\n\n<div data-type="abstract" markdown="1">\n* {AIMS}\n</div>\n\n{BODY}\n',
    "fence.md": f"# Pumps\n\n::::::: objectives\n\n- {AIMS}\n\n:::::::\n\n{BODY}\n",
    "titled.md": f"# Pumps\n\n:::{{admonition}} Learning Objectives\n{AIMS}\n:::\n\n{BODY}\n",
    "myst.md": f"# Pumps\n\n```{{objectives}}\n- {AIMS}\n```\n\n{BODY}\n",
    "mkdocs.md": f'# Pumps\n\n!!! abstract "What you will learn"\n    {AIMS}\n\n{BODY}\n',
    "heading.md": f"# Pumps\n\n{BODY}\n\n## Learning Objectives\n\n{AIMS}\n",
    "page.html": f'<h1>Pumps</h1><section class="learning-objectives"><h2>Objectives</h2><p>{AIMS}</p></section><p>{BODY}</p>',
    "page.rst": f"Pumps\n=====\n\n.. objectives::\n\n   {AIMS}\n\n{BODY}\n",
    "topic.rst": f"Pumps\n=====\n\n.. topic:: Learning objectives\n\n   {AIMS}\n\n{BODY}\n",
}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_objectives_are_kept_under_a_heading_of_their_own_and_the_text_goes_on_where_it_was(
    tmp_path: Path, name: str
) -> None:
    document = loaded(tmp_path, OBJECTIVES[name], name=name)
    assert is_aims(under(document, AIMS)[-1])
    assert not teaches(under(document, AIMS))
    assert under(document, BODY) == ("Pumps",)


def test_what_the_lesson_answers_is_promised_beside_its_objectives(tmp_path: Path) -> None:
    source = f"# Pumps\n\n::: objectives\n{AIMS}\n:::\n\n::: questions\n- How does it turn?\n:::\n\n{BODY}\n"
    assert is_aims(under(loaded(tmp_path, source), "How does it turn?")[-1])


def test_a_box_that_is_never_closed_takes_no_lesson_with_it(tmp_path: Path) -> None:
    for opening in ("::: objectives", '<div data-type="abstract">'):
        document = loaded(tmp_path, f"# Pumps\n\n{opening}\n\n- {AIMS}\n\n## More\n\n{BODY}\n")
        assert under(document, BODY) == ("Pumps", "More")


def test_a_heading_in_a_box_does_not_take_what_follows_the_box(tmp_path: Path) -> None:
    document = loaded(
        tmp_path, f"# Pumps\n\n## Wheels\n\n::: callout\n## Mind this\nIt is wet.\n:::\n\n{BODY}\n"
    )
    assert under(document, "It is wet.")[-1] == "Mind this"
    assert under(document, BODY) == ("Pumps", "Wheels")


EXAMPLES = {
    "cnx.md": """# Pumps

## Flow

<div data-type="example" markdown="1">
<span data-type="title">A garden pump</span> It moves 20 L in 4 s. How fast is that?

<span data-type="title">Solution</span> We divide: 20 L by 4 s is 5 L/s.
</div>

A pump has a housing.
""",
    "headed.md": """# Pumps

## Flow

::: example A garden pump
It moves 20 L in 4 s. How fast is that?

### Solution

We divide: 20 L by 4 s is 5 L/s.
:::

A pump has a housing.
""",
    "page.html": """<h1>Pumps</h1><h2>Flow</h2><div data-type="example"><h3>A garden pump</h3><p>It moves 20 L in 4 s. How fast is
that?</p><h4>Solution</h4><p>We divide: 20 L by 4 s is 5 L/s.</p></div><p>A pump has a housing.</p>""",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_one_section_with_its_solution(tmp_path: Path, name: str) -> None:
    document = loaded(tmp_path, EXAMPLES[name], name=name)
    headings = under(document, "How fast is")
    assert headings == ("Pumps", "Flow", "Example: A garden pump")
    assert under(document, "5 L/s") == headings
    assert under(document, "A pump has") == ("Pumps", "Flow")


def test_a_solution_below_an_example_is_taught_and_one_of_an_exercise_is_not() -> None:
    assert teaches(("Flow", "Example 4.2", "Solution"))
    assert not teaches(("Flow", "Exercise 4", "Solution"))
    assert is_worked_example("Example: A garden pump")


CHECK = """# Pumps

<div data-type="example" markdown="1">
<span data-type="title">A garden pump</span> It moves 20 L in 4 s. How fast is that?

<span data-type="title">Solution</span> It is 5 L/s.

<span data-type="title">Check Your Learning</span> Another moves 30 L in 5 s. How fast is that?

<div data-type="note" markdown="1">
<div data-type="title">
Answer:
</div>
6 L/s

</div>
</div>

A pump has a housing.
"""


def test_what_an_example_asks_the_reader_to_try_comes_out_with_its_answer(tmp_path: Path) -> None:
    document = loaded(tmp_path, CHECK)
    assert document.exercises == (
        Exercise(
            text="Another moves 30 L in 5 s. How fast is that?",
            form="check",
            headings=("Pumps", "Example: A garden pump"),
            key="6 L/s",
            solution="6 L/s",
            title="Check Your Learning",
        ),
    )
    shown = "\n".join(section.text for section in document.sections)
    assert "6 L/s" not in shown
    assert "5 L/s" in shown


def test_a_check_without_an_answer_says_so(tmp_path: Path) -> None:
    [exercise] = loaded(tmp_path, CHECK.replace("6 L/s", "")).exercises
    assert exercise.trouble


def test_objectives_are_never_the_answer() -> None:
    aims = passage("A gasket is what you will be able to describe.", number=1).model_copy(
        update={"heading_hierarchy": ("Pumps", "Learning objectives")}
    )
    told = passage("A gasket is a ring of rubber that seals the housing of a pump.", number=2)
    answer = answer_question("What is a gasket?", [aims, told], course="Robots", course_topics=["Pumps"])
    assert [each.chunk_id for each in answer.sources] == [told.chunk_id]
