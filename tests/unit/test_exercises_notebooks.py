"""Exercises of notebooks: what asks and what answers it come out of the lesson together."""

import json
from pathlib import Path
from typing import Any

import pytest

from rag.loaders import LoadedDocument, load_document

Cells = list[dict[str, Any]]


def text(source: str, **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source, "metadata": metadata}


def code(source: str, *, prints: str = "", **metadata: Any) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": prints}] if prints else []
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": outputs}


def notebook(folder: Path, *cells: dict[str, Any]) -> LoadedDocument:
    whole = [text("# Sets\n\nA set holds each thing once."), *cells, text("## After\n\nSets can be joined.")]
    file = folder / "sets.ipynb"
    file.write_text(json.dumps({"cells": whole, "metadata": {}, "nbformat": 4}))
    return load_document(file)


def said(document: LoadedDocument) -> str:
    return "\n\n".join("\n".join([*section.headings, section.text]) for section in document.sections)


ASKED = text("### Exercise 1\n\nHow many things does `{1, 2, 2}` hold?")
STUB = code("# your code here")
ANSWER = "len({1, 2, 2})"


@pytest.mark.parametrize(
    "cells",
    [
        [ASKED, STUB, code(ANSWER, tags=["solution"])],
        [ASKED, STUB, code(ANSWER, tags=["hide-cell"])],
        [ASKED, code(ANSWER, jupyter={"source_hidden": True})],
        [ASKED, code(f"# Solution\n{ANSWER}")],
        [ASKED, text("#### Solution"), code(ANSWER)],
        [text("**Aufgabe 1:** How many things does `{1, 2, 2}` hold?"), STUB, text("**Lösung:**"), code(ANSWER)],
        [text("How many things does `{1, 2, 2}` hold?"), code(ANSWER, tags=["hide-input"])],
        [text("How many things does `{1, 2, 2}` hold?", tags=["exercise"]), code(ANSWER, tags=["answer"])],
        [text("#### Exercise\n\nHow many things does `{1, 2, 2}` hold?"), code("n = ", tags=["exercise"]), code(ANSWER, tags=["solution"])],
        [text("How many things does `{1, 2, 2}` hold?", solution2="hidden", solution2_first=True), code(ANSWER, solution2="hidden")],
        [ASKED, code(f"#@title Solution {{display-mode: 'form'}}\n{ANSWER}")],
        [ASKED, code(f"count = ...\n### BEGIN SOLUTION\n{ANSWER}\n### END SOLUTION\n")],
        [text("How many things does `{1, 2, 2}` hold?"), code(f"### BEGIN SOLUTION\n{ANSWER}\n### END SOLUTION\n")],
    ],
)  # fmt: skip
def test_an_exercise_and_the_cell_that_answers_it(tmp_path: Path, cells: Cells):
    document = notebook(tmp_path, *cells)
    (found,) = document.exercises
    assert found.text.startswith("How many things does `{1, 2, 2}` hold?")
    assert ANSWER in found.solution
    assert ANSWER not in found.text
    assert found.form == "notebook"
    assert "How many" not in said(document)
    assert ANSWER not in said(document)
    assert "Sets can be joined." in said(document)


def test_what_the_author_gives_to_begin_with_stays_in_the_question(tmp_path: Path):
    begun = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION\n"
    document = notebook(
        tmp_path,
        text("### Exercise 2: Twice\n\nWrite `double`."),
        code(begun, nbgrader={"solution": True}),
        code("assert double(2) == 4", nbgrader={"grade": True}),
    )
    (found,) = document.exercises
    assert (found.title, found.solution) == ("Exercise 2: Twice", "```python\nreturn 2 * x\n```")
    assert found.text == "Write `double`.\n\n```python\ndef double(x):\n    # your code here\n```"
    assert "assert" not in said(document)


def test_the_solution_of_an_exercise_may_print_and_be_told(tmp_path: Path):
    document = notebook(
        tmp_path, ASKED, text("#### Solution\n\nCount:"), code(ANSWER, prints="2\n"), text("so it is two.")
    )
    assert (
        document.exercises[0].solution
        == f"Count:\n\n```python\n{ANSWER}\n```\n\n```text\n2\n```\n\nso it is two."
    )


@pytest.mark.parametrize(
    "cells",
    [
        [text("## Assignment operators\n\nThey bind."), code("a = 1")],
        [text("## Solution of equations\n\nSets solve some."), code("a = 1")],
        [text("## Exercises\n\nSome follow.")],
        [text("Sets are drawn."), code("plot()", tags=["hide-input"])],
    ],
)
def test_cells_that_teach_stay_in_the_lesson(tmp_path: Path, cells: Cells):
    document = notebook(tmp_path, *cells)
    assert [each for each in document.exercises if each.title != "Exercises"] == []


def test_an_answer_to_nothing_says_so_and_is_in_no_lesson(tmp_path: Path):
    document = notebook(tmp_path, code("a = 1"), code("secret = 42", tags=["solution"]))
    assert document.exercises[0].trouble == "it is an answer to no question"
    assert "secret" not in said(document)


def test_an_exercise_stands_under_the_heading_before_it(tmp_path: Path):
    document = notebook(
        tmp_path, text("## Counting\n\nSets are counted."), ASKED, code(ANSWER, tags=["solution"])
    )
    assert document.exercises[0].headings == ("Sets", "Counting")


def test_marks_that_a_notebook_brings_along_are_none_of_ours(tmp_path: Path):
    document = notebook(tmp_path, text("A \ue0000\ue001 mark."), ASKED, code(ANSWER, tags=["solution"]))
    assert "A 0 mark." in said(document)
    assert len(document.exercises) == 1
