"""Components that ask: their questions come out of the page with choices, keys and the word on each, and nothing runs."""

import json
from pathlib import Path
from time import process_time

import pytest

from agents.teaching.values import Exercise
from rag.loaders import LoadedDocument, load_document
from rag.loaders.markdown import parse


def page(source: str) -> LoadedDocument:
    return parse(f"# Bees\n\nBees make honey.\n\n{source}", path=Path("/course/bees.mdx"))


def only(source: str) -> Exercise:
    (found,) = page(source).exercises
    return found


def said(document: LoadedDocument) -> str:
    return "\n\n".join("\n".join([*section.headings, section.text]) for section in document.sections)


def right(exercise: Exercise) -> list[str]:
    return [each.text for each in exercise.choices if each.is_right]


HEADED = """
### 1. What do bees make?

<Question
	choices={[
		{
			text: "Wax",
			explain: "They do, but it is not <b>all</b>.",
		},
		{ text: "Honey and `wax`", explain: 'Both {yes}, it\\'s so.', correct: true },
	]}
/>

### 2. Who lays the eggs, and who gathers?

```python
# a comment is no heading
queen = "lays"
```

<Question choices={[{text: "The queen lays.", correct: true}, {text: "Workers gather.", correct: true}, {text: "Drones gather."}]} />

Bees also dance.
"""


def test_a_heading_above_a_component_is_its_question_and_no_section_of_the_lesson():
    document = page(HEADED)
    first, second = document.exercises
    assert first.text == "What do bees make?"
    assert [(each.text, each.is_right, each.why) for each in first.choices] == [
        ("Wax", False, "They do, but it is not **all**."),
        ("Honey and `wax`", True, "Both {yes}, it's so."),
    ]
    assert second.text.startswith("Who lays the eggs, and who gathers?\n\n```python\n# a comment")
    assert (second.kind, right(second)) == ("several", ["The queen lays.", "Workers gather."])
    assert said(document) == "Bees\nBees make honey.\n\nBees also dance."
    assert first.headings == ("Bees",)


def test_a_heading_with_a_lesson_below_it_stays_and_the_last_paragraph_asks():
    lesson = "Bees dance to tell the way. " * 40
    document = page(
        f"## What is a dance?\n\n{lesson}\n\nWhat does it tell?\n\n<Question choices={{[{{text: 'The way', correct: true}}, {{text: 'Time'}}]}} />"
    )
    assert document.exercises[0].text == "What does it tell?"
    assert document.exercises[0].headings == ("Bees", "What is a dance?")
    assert "tell the way" in said(document)
    assert "What does it tell?" not in said(document)


@pytest.mark.parametrize(
    "component",
    [
        '<Quiz question="Who dances?" options={["Ants", "Bees"]} answer="Bees" />',
        '<Quiz question="Who dances?" options={["Ants", "Bees"]} answer={1} />',
        '<Quiz question="Who dances?" options={["Ants", "Bees"]} correctAnswer="b" />',
        "<Quiz question='Who dances?' answers={[{id: 'x', label: 'Ants'}, {id: 'y', label: 'Bees'}]} correctId='y' />",
        '<MCQ stem="Who dances?" options={[{content: <>Ants</>}, {content: <b>Bees</b>, isCorrect: true, size: big()}]} />',
        "<Quiz>\n<Question>Who dances?</Question>\n<Options>\n<Option>Ants</Option>\n<Option correct>Bees</Option>\n</Options>\n</Quiz>",
        '<QuizMC>\n<Question text="Who dances?">\n<Option text="Ants" />\n<Option correct text="Bees" />\n</Question>\n</QuizMC>',
        "<MCQ>\nWho dances?\n\n<Choice>Ants</Choice>\n<Choice isCorrect={true}>Bees</Choice>\n</MCQ>",
        "<Deck cards={[{statement: 'Who dances?', responses: {a: 'Ants', b: 'Bees'}, key: 'b', question: 'Who dances?'}]} />",
        "Who dances?\n\n<Mcq :options=\"['Ants', 'Bees']\" answer=\"b\">\n\nAnts dig.\n\n</Mcq>",
        "export const cards = [\n  {question: `Who dances?`, options: ['Ants', 'Bees'], correct_index: 1},\n];\n\n<Quiz questions={cards} />",
    ],
)
def test_components_of_other_names_and_shapes_say_the_same(component: str):
    document = page(f"{component}\n\nBees sleep.")
    (found,) = document.exercises
    assert found.text == "Who dances?"
    assert [each.text.strip("*") for each in found.choices] == ["Ants", "Bees"]
    assert [each.strip("*") for each in right(found)] == ["Bees"]
    assert "Ants" not in said(document)
    assert "Bees sleep." in said(document)


def test_a_quiz_of_several_questions_counts_its_keys_from_where_they_all_fit():
    questions = ", ".join(
        f"{{question: 'Question {n}?', options: ['one', 'two', 'three'], answer: {n}, explanation: 'It is {n}.'}}"
        for n in (1, 2, 3)
    )
    exercises = page(f'<Quiz title="Numbers" questions={{[{questions}]}} />').exercises
    assert [right(each) for each in exercises] == [["one"], ["two"], ["three"]]
    assert [each.title for each in exercises] == ["Numbers"] * 3
    assert exercises[2].solution == "It is 3."


def test_an_imported_quiz_is_read_below_the_root_only(tmp_path: Path):
    course = tmp_path / "course"
    (course / "quizzes").mkdir(parents=True)
    cards = [{"question": "Who dances?", "options": ["Ants", "Bees"], "answer": "Bees"}]
    for folder in (course / "quizzes", tmp_path):
        (folder / "cards.json").write_text(json.dumps(cards))
    for target, found in (("./quizzes/cards.json", 1), ("../cards.json", 0), ("@site/quizzes/cards.json", 1)):
        (course / "bees.mdx").write_text(
            f"import cards from '{target}';\n\n# Bees\n\nThey dance.\n\n<Quiz questions={{cards}} />\n"
        )
        assert len(load_document(course / "bees.mdx", root=course).exercises) == found, target


def test_code_that_shows_a_component_asks_nothing():
    document = page("```mdx\n<Question choices={[{text: 'A', correct: true}, {text: 'B'}]} />\n```")
    assert not document.exercises
    assert "correct: true" in said(document)


def test_what_is_broken_has_a_line_and_its_key_is_nowhere():
    broken = (
        "### 1. Who dances?\n\n<Question choices={[{text: 'Ants', {text: \"Bees\", correct: true}]} />\n\n"
    )
    whole = "### 2. Who sings?\n\n<Question choices={[{text: 'Birds', correct: true}, {text: 'Bees'}]} />\n"
    document = page(broken + whole)
    first, second = document.exercises
    assert (first.text, first.choices) == ("Who dances?", ())
    assert "cannot be read" in first.trouble
    assert right(second) == ["Birds"]
    assert "correct" not in said(document)


@pytest.mark.parametrize(
    ("choices", "trouble"),
    [
        ("[{text: 'A'}, {text: 'B', correct: false}]", "none of its choices is marked as the right one"),
        ("[{text: 'A', correct: true}]", "it offers only one choice"),
        ("['A', 'B']} answer={'C'", "its key names a choice that is not there"),
        ("['A', 'B']} answer={7", "its key names a choice that is not there"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(choices: str, trouble: str):
    assert only(f"### 1. Which?\n\n<Question choices={{{choices}}} />").trouble == trouble


def test_choices_without_a_question_say_so():
    document = parse(
        "<Question choices={[{text: 'A', correct: true}, {text: 'B'}]} />\n\n# Bees\n\nText.",
        path=Path("b.mdx"),
    )
    assert document.exercises[0].trouble == "it has choices but no question"


def test_a_tag_that_a_question_speaks_of_stays_in_it():
    assert (
        only('<Quiz question="What does <a> make?" options={["A link", "<br>"]} answer={0} />').text
        == "What does `<a>` make?"
    )


@pytest.mark.parametrize(
    "component",
    [
        "### 1. Who?\n\n<Question choices={[{text: 'A', correct: true}, {text: 'B'}]} />\n\n",
        '### 1. Who?\n\n<Question choices={[{text: \'A, correct: true}, {text: "B"}]} />\n\n',
        "<Quiz>\n",
        "<Question choices={[[[[[[\n",
        '<Quiz question="\n',
    ],
)
def test_five_thousand_components_take_seconds_broken_or_not(component: str):
    started = process_time()
    page(component * 5000)
    assert process_time() - started < 20
