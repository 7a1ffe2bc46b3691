"""What is asked about code, and what is not: notes, output, and the words around them."""

import pytest

from agents.quiz.marking import code_grade
from agents.teaching.questions.hints import hint
from agents.teaching.questions.writing import candidates, write_items
from agents.teaching.values import Concept, QuizQuestion
from tests.support.passages import passage

TUTORIAL = """So far every program of ours has used one file. When a project grows, code should be split over several files.

You can keep the details of an implementation away from other code, so that nobody depends on them by accident.

Next, we create a new package with two files in it:

```bash
cargo new restaurant --lib
```

```rust
let mut count = 0; // starts the count at zero
count += 1; // adds one guest to the count
println!("{count}");
let table = Table::new();
```

The compiler reads the root of the crate first, because that is where all paths begin."""
SECTION = Concept(
    name="Packages and Crates",
    definition="",
    kind="section",
    chapter_id="module/chapter",
    chunk_id="chunk-1",
    position=0,
)


def quiz(text: str = TUTORIAL, *, count: int = 4, told: str = "") -> list[QuizQuestion]:
    return write_items(
        [passage(text)],
        concepts=[SECTION],
        count=count,
        topic=[SECTION.name],
        focus=[SECTION.name],
        told=told,
    )


def test_nobody_is_asked_what_the_course_says() -> None:
    assert not [item for item in quiz(count=10) if "course say" in item.question_text]


def test_what_a_notebook_prints_is_asked_with_its_code() -> None:
    text = "Strings have a length.\n\n```python\nlen('four')\n```\n\n```\n4\n```"
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    [question] = [each.item for each in found if each.item.written_as == "output"]
    assert question.question_text.startswith("What does this code print?")
    assert question.expected_answer == "4"
    assert code_grade(question, "4").is_correct
    assert not code_grade(question, "5").is_correct
    assert code_grade(question, "5").confident


def printed(text: str) -> list[QuizQuestion]:
    found = candidates([passage(text)], concepts=[SECTION], topic=[SECTION.name])
    return [each.item for each in found if each.item.written_as == "output"]


def test_code_that_needs_an_earlier_block_is_asked_about_with_it() -> None:
    [question] = printed("```python\nL = [2, 3]\n```\n\nIts length:\n\n```python\nlen(L)\n```\n\n```\n2\n```")
    assert "L = [2, 3]" in question.question_text


@pytest.mark.parametrize(
    "code",
    [
        "python\nprint(next(I))",  # what is I?
        "python\nL = [n for n in L if n > 1]\nprint(len(L))",  # and what was L?
        "python\nimport random\nprint(random.random())",
        "text\nstart | middle | end",
        "rust\nlet x = 5;",  # a piece of a program
    ],
)
def test_what_code_prints_is_not_asked_where_the_code_alone_does_not_decide_it(code: str) -> None:
    assert printed(f"```{code}\n```\n\n```\n2\n```") == []


def test_hints_to_what_is_printed_give_more_and_more_but_never_all() -> None:
    [question] = printed("```python\nprint(1, 11, 13)\n```\n\n```\n1 11 13\n```")
    hints = [hint(question, number=number) for number in (1, 2, 3, 4)]
    assert len(set(hints)) == 3
    assert not any("1 11 13" in each for each in hints)


def section(name: str, *, kind: str = "section", chunk: str = "chunk-1") -> Concept:
    return Concept(
        name=name, definition="", kind=kind, chapter_id="module/chapter", chunk_id=chunk, position=0
    )


def of(
    text: str, concept: Concept, name: str, *, headings: tuple[str, ...] = ("Chapter",)
) -> list[QuizQuestion]:
    found = candidates([passage(text, headings=headings)], concepts=[concept], topic=[concept.name])
    return [each.item for each in found if each.item.written_as == name]


def test_a_stressed_small_word_is_no_gap() -> None:
    text = "Das Verb steht im Nebensatz **nach** dem Subjekt und allen anderen Gliedern des Satzes."
    assert of(text, section("Nebensatz"), "cloze") == []


def test_a_warning_in_bold_is_no_term() -> None:
    text = "**Important warning:** The default value is evaluated once only, when the function is defined, and shared by all calls."
    assert not [item for item in quiz(text, count=10) if "warning" in item.question_text.split("”")[0]]
