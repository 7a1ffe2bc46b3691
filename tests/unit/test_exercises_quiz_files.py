"""Quiz files: mdbook-quiz TOML that a page leads in, and JSON as quiz apps have it."""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.teaching.values import Exercise
from rag.exercises.quiz_json import is_quiz, read
from rag.exercises.quiz_links import pages_of_quizzes, quizzes_of
from rag.exercises.shapes import questions_in
from rag.files import find_files
from rag.loaders import LoadedDocument, load_document
from storage.errors import DocumentError

TOML = '''
[[questions]]
type = "MultipleChoice"
prompt.prompt = """
Given

```ide
let x = `[1]`;
```

what is `x`?
"""
prompt.distractors = ["A *float*", "A string"]
answer.answer = "An integer"
context = "It has no point."

[[questions]]
type = "MultipleChoice"
prompt.prompt = "Which are loops?"
prompt.distractors = ["`if`"]
answer.answer = ["`for`", "`while`"]

[[questions]]
type = "ShortAnswer"
prompt.prompt = "Which keyword binds a name?"
answer.answer = "let"
answer.alternatives = ["const"]

[[questions]]
type = "Tracing"
prompt.program = """
fn main() { println!("{}", 1 + 1); }
"""
answer.doesCompile = true
answer.stdout = "2"

[[questions]]
type = "Tracing"
prompt.program = "fn main() { let x = 1; x = 2; }"
answer.doesCompile = false
answer.lineNumber = 1
context = "A name is bound once."
'''


def book(
    folder: Path, toml: str, *, page: str = "# Names\n\nNames are bound.\n\n{{#quiz ../quizzes/a.toml}}\n"
) -> LoadedDocument:
    for name, text in (("quizzes/a.toml", toml), ("src/names.md", page)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return load_document(folder / "src" / "names.md", root=folder)


def test_a_toml_quiz_stands_where_its_page_leads_it_in(tmp_path: Path):
    document = book(tmp_path, TOML)
    single, several, short, prints, refused = document.exercises
    assert single.text == "Given\n\n```rust\nlet x = 1;\n```\n\nwhat is `x`?"
    assert {each.text: each.is_right for each in single.choices} == {
        "An integer": True,
        "A float": False,
        "A string": False,
    }
    assert single.solution == "It has no point."
    assert (several.kind, [each.text for each in several.choices if each.is_right]) == (
        "several",
        ["`for`", "`while`"],
    )
    assert (short.kind, short.key) == ("short_answer", "let\nconst")
    assert (prints.kind, prints.key) == ("output", "2")
    assert "println!" in prints.text
    assert [each.is_right for each in refused.choices] == [False, True]
    assert refused.solution == "The compiler stops at line 1.\n\nA name is bound once."
    assert [section.text for section in document.sections] == ["Names are bound."]
    assert {each.headings for each in document.exercises} == {("Names",)}


def test_the_toml_file_is_no_page_of_the_course(tmp_path: Path):
    book(tmp_path, TOML)
    assert [file.name for file in find_files(tmp_path).files] == ["src/names.md"]


@pytest.mark.parametrize(
    ("toml", "trouble"),
    [
        ("[[questions", "its quiz file is broken TOML"),
        ("questions = 3", "its quiz file has no list of questions"),
        ('[[questions]]\ntype = "MultipleChoice"\nprompt.prompt = "Which?"\nprompt.distractors = ["a", "b"]', "it has no right answer"),
        (
            '[[questions]]\ntype = "MultipleChoice"\nprompt.prompt = "Which?"\nprompt.distractors = ["a", "b"]\nanswer.answer = "a"',
            "one of its answers is both right and wrong",
        ),
        ('[[questions]]\ntype = "Tracing"\nanswer.doesCompile = true', "it has no program"),
        ('[[questions]]\ntype = "ShortAnswer"\nanswer.answer = "x"', "its prompt has no words"),
    ],
)  # fmt: skip
def test_what_is_broken_in_toml_has_a_line(tmp_path: Path, toml: str, trouble: str):
    (found,) = book(tmp_path, toml).exercises
    assert found.trouble == trouble


def test_nothing_outside_of_the_course_is_led_in(tmp_path: Path):
    (tmp_path / "secret.toml").write_text(TOML)
    document = book(tmp_path / "course", TOML, page="# Names\n\nBound.\n\n{{#quiz ../../secret.toml}}\n")
    (found,) = document.exercises
    assert found.trouble == "its quiz file is not in the course, or cannot be read"


def of(data: Any) -> list[Exercise]:
    text = json.dumps(data)
    assert is_quiz(text)
    return list(read(text.encode(), name="quiz"))


APP = [
    {
        "title": "Trees",
        "error": "Sorry!",
        "quizzes": [
            {
                "id": number,
                "title": f"{name} - Pre-Quiz",
                "quiz": [
                    {
                        "questionText": f"What is a {name}?",
                        "answerOptions": [
                            {"answerText": "A stone", "isCorrect": "false"},
                            {"answerText": f"A _tree_ called {name}", "isCorrect": "true"},
                        ],
                    }
                ],
            }
            for number, name in enumerate(["fir", "oak"])
        ],
    }
]


def test_the_quizzes_of_an_app_have_their_titles_ids_and_keys():
    fir, oak = of(APP)
    assert (oak.text, oak.title, oak.linked) == ("What is a oak?", "oak - Pre-Quiz", "1")
    assert oak.headings == ("quiz", "Trees", "oak - Pre-Quiz")
    assert [(each.text, each.is_right) for each in fir.choices] == [
        ("A stone", False),
        ("A tree called fir", True),
    ]


@pytest.mark.parametrize(
    "question",
    [
        {"question": "Which?", "options": ["a fir", "an oak"], "correctAnswer": 1},
        {"question": "Which?", "options": ["a fir", "an oak"], "answer": "an oak"},
        {"question": "Which?", "options": ["a fir", "an oak"], "answer": "B"},
        {"prompt": "Which?", "choices": {"A": "a fir", "B": "an oak"}, "solution": "B"},
        {"stem": "Which?", "choices": [{"id": "x1", "text": "a fir"}, {"id": "x2", "text": "an oak"}], "correct_choice": "x2"},
        {"type": "multiple_choice", "question": "Which?", "answers": [{"answer": "a fir", "correct": False}, {"answer": "an oak", "correct": True}]},
        {"q": "Which?", "distractors": ["a fir"], "answer": "an oak"},
    ],
)  # fmt: skip
def test_shapes_of_other_names_say_the_same(question: dict[str, Any]):
    (found,) = of({"name": "Trees", "items": [question]})
    assert found.text == "Which?"
    assert {each.text: each.is_right for each in found.choices} == {"a fir": False, "an oak": True}
    assert not found.trouble


def test_cards_and_verdicts_have_a_key_and_no_choices():
    card, verdict = of(
        [{"front": "Oak?", "back": "A tree"}, {"question": "An oak is a tree.", "answer": True}]
    )
    assert (card.text, card.key) == ("Oak?", "A tree")
    assert (verdict.kind, verdict.key) == ("true_false", "True")


@pytest.mark.parametrize(
    "data",
    [
        {"name": "app", "version": "1.0", "scripts": {"question": "run"}, "options": ["a", "b"]},
        [{"title": "Oak", "answers": [1, 2, 3]}],
        {"questions": "none", "prompt": "Name?", "options": ["x", "y"]},
        [],
        "question",
    ],
)
def test_data_that_asks_nothing_is_no_quiz(data: Any):
    assert not is_quiz(json.dumps(data))


def test_a_quiz_beside_a_course_is_read_and_other_data_is_left(tmp_path: Path):
    (tmp_path / "quiz.json").write_text(json.dumps(APP))
    (tmp_path / "package.json").write_text(json.dumps({"name": "site", "prompt": "?"}))
    (tmp_path / "trees.md").write_text("# Trees\n\nTrees grow.")
    assert [file.name for file in find_files(tmp_path).files] == ["quiz.json", "trees.md"]
    document = load_document(tmp_path / "quiz.json")
    assert (document.sections, len(document.exercises)) == ((), 2)


def test_a_broken_quiz_is_told_as_broken(tmp_path: Path):
    (tmp_path / "quiz.json").write_text(json.dumps(APP)[:-5])
    assert [file.name for file in find_files(tmp_path).files] == ["quiz.json"]
    with pytest.raises(DocumentError, match="broken JSON"):
        load_document(tmp_path / "quiz.json")


def test_deeply_nested_data_is_read_as_far_as_it_goes():
    deep = json.dumps(APP)
    assert is_quiz("[" * 30 + deep + "]" * 30)
    assert not is_quiz("[" * 100_000 + '"question":' + "]" * 100_000)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "a", "B", "1", "true"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "question text options choices answer correct solution type id title why".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(_VALUES)
def test_data_of_any_shape_is_read_or_left(data: Any):
    for question in questions_in(data):
        found = question.exercise(form="any", plain=str)
        assert found.trouble or found.key or any(each.is_right for each in found.choices)


def test_a_quiz_belongs_to_the_first_page_that_sends_its_readers_to_it():
    pages = {
        "1-fir": quizzes_of(
            "# Fir\n\n[Pre-lecture quiz](https://quiz.example.org/en/quiz/0) and [more](../fir.md)"
        ),
        "2-oak": quizzes_of(
            '[Quiz](https://q.example.org/?quiz=1) <a href="https://x.example/quizzes/7/">7</a>'
        ),
        "3-ash": quizzes_of("[again](https://quiz.example.org/en/quiz/1), [on this page](#post-quiz)"),
    }
    assert pages_of_quizzes(pages) == {"0": "1-fir", "1": "2-oak", "7": "2-oak"}


def test_five_thousand_questions_of_a_file_take_seconds():
    questions = [
        {"question": f"Which is {n}?", "options": ["a", "b", "c"], "answer": n % 3} for n in range(5000)
    ]
    started = process_time()
    assert len(of(questions)) == 5000
    assert process_time() - started < 20
