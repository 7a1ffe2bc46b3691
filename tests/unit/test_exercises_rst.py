"""Directives of reStructuredText that ask and answer."""

from pathlib import Path

import pytest

from rag.loaders import LoadedDocument, load_document


def page(folder: Path, source: str) -> LoadedDocument:
    file = folder / "lists.rst"
    file.write_text(
        f"Lists\n=====\n\nA list keeps things.\n\n{source}\n\nAfter\n-----\n\nLists can be sorted.\n"
    )
    return load_document(file)


def said(document: LoadedDocument) -> str:
    return "\n\n".join("\n".join([*section.headings, section.text]) for section in document.sections)


@pytest.mark.parametrize(
    "source",
    [
        ".. exercise:: Length\n   :label: long\n\n   How long is ``[]``?\n\nThink.\n\n.. solution:: long\n\n   Its length is 0.",
        ".. challenge::\n\n   How long is ``[]``?\n\n   .. solution::\n\n      Its length is 0.",
        ".. admonition:: Exercise 2\n\n   How long is ``[]``?\n\n.. admonition:: Solution to exercise 2\n   :class: dropdown\n\n   Its length is 0.",
        "How long is ``[]``?\n\n.. dropdown:: Show the answer\n\n   Its length is 0.",
        ".. question::\n\n   How long is ``[]``?\n\n   .. hint::\n\n      Secret.\n\n   .. answer::\n\n      Its length is 0.",
    ],
)
def test_an_exercise_and_its_answer(tmp_path: Path, source: str):
    document = page(tmp_path, source)
    (found,) = document.exercises
    assert (found.text, found.solution) == ("How long is `[]`?", "Its length is 0.")
    text = said(document)
    for hidden in ("How long", "Its length", "Secret"):
        assert hidden not in text
    assert "Lists can be sorted." in text


@pytest.mark.parametrize(
    "choices",
    [
        ":answer_a: a list\n   :answer_b: a ``dict``\n   :correct: b\n   :feedback_a: No.\n   :feedback_b: Yes: keys.\n\n   What holds keys?",
        ":random:\n\n   What holds keys?\n\n   - a list\n\n     - No.\n\n   - a ``dict``\n\n     + Yes: keys.",
    ],
)
def test_choices_of_a_directive_say_which_is_right_and_why(tmp_path: Path, choices: str):
    document = page(tmp_path, f".. mchoice:: q1\n   {choices}")
    (found,) = document.exercises
    assert found.text == "What holds keys?"
    assert [(each.text, each.is_right, each.why) for each in found.choices] == [
        ("a list", False, "No."),
        ("a `dict`", True, "Yes: keys."),
    ]
    assert "dict" not in said(document)


def test_a_puzzle_whose_key_is_in_its_text_is_in_no_lesson(tmp_path: Path):
    document = page(tmp_path, ".. fillintheblank:: q2\n\n   1 + 1 is |blank|.\n\n   - :2: Correct.")
    assert "Correct" not in said(document)
