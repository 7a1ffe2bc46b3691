"""Exercises of web pages: found by what their elements say they are, whatever tool made the page."""

from pathlib import Path
from time import process_time

import pytest

from agents.teaching.values import Exercise
from rag.loaders import LoadedDocument, load_document
from rag.loaders.html import parse

OPENSTAX = """
<div data-type="exercise" id="e1" class="os-hasSolution"><div data-type="problem"><a class="os-number" href="#e1-solution">7</a>
<span class="os-divider">. </span><div class="os-problem-container"><p>Which metal is liquid?</p>
<ol type="a"><li>iron</li><li>mercury</li></ol></div></div>{solution}</div>
"""
KEY = """<div data-type="solution" id="e1-solution"><a class="os-number" href="#e1">7</a><span class="os-divider">. </span>
<div class="os-solution-container"><p>B</p></div></div>"""


def page(body: str) -> LoadedDocument:
    source = (
        f"<html><head><title>Metals</title></head><body><main><h1>Metals</h1><p>Metals conduct.</p>{body}"
        "<h2>After</h2><p>The lesson goes on.</p></main></body></html>"
    )
    return parse(source, path=Path("/course/metals.html"))


def only(body: str) -> Exercise:
    (found,) = page(body).exercises
    return found


def said(document: LoadedDocument) -> str:
    return "\n\n".join(section.text for section in document.sections)


def right(found: Exercise) -> list[str]:
    return [choice.text for choice in found.choices if choice.is_right]


def test_an_openstax_page_loses_its_exercises_and_they_keep_their_keys():
    document = page(f"<section><h2>Review Questions</h2>{OPENSTAX.format(solution=KEY)}</section>")
    (found,) = document.exercises
    assert (found.text, right(found), found.solution) == ("Which metal is liquid?", ["mercury"], "")
    assert found.headings == ("Metals", "Review Questions")
    assert [section.headings for section in document.sections] == [("Metals",), ("Metals", "After")]


def test_an_answer_key_at_the_back_of_the_page_links_to_its_exercises():
    document = page(f"{OPENSTAX.format(solution='')}<p>More is told.</p><h2>Answer Key</h2>{KEY}")
    assert right(document.exercises[0]) == ["mercury"]
    assert said(document) == "Metals conduct.\n\nMore is told.\n\nThe lesson goes on."


def test_choices_that_the_page_marks_keep_the_word_on_each():
    found = only(
        '<div data-type="injected-exercise"><div data-type="exercise-question"><div data-type="question-stem">Which?</div>'
        '<ol data-type="question-answers" type="a"><li data-type="question-answer" data-correctness="0.0">'
        '<div data-type="answer-content">iron</div><div data-type="answer-feedback">It melts later.</div></li>'
        '<li data-type="question-answer" data-correctness="1.0"><div data-type="answer-content">mercury</div></li></ol>'
        '<div data-type="question-solution">It melts at −39 °C.</div></div></div>'
    )
    assert [(each.text, each.is_right, each.why) for each in found.choices] == [
        ("iron", False, "It melts later."),
        ("mercury", True, ""),
    ]
    assert (found.text, found.solution) == ("Which?", "It melts at −39 °C.")


def test_a_form_with_its_right_answer_marked_is_a_question():
    choices = '<label><input type="radio" name="q">iron</label><label><input type="radio" name="q" data-correct="true">mercury</label>'
    found = only(f'<form class="quiz"><p>Which metal is liquid?</p>{choices}<button>Check</button></form>')
    assert (found.text, right(found)) == ("Which metal is liquid?", ["mercury"])


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (  # PreTeXt
            '<article class="exercise exercise-like"><h4 class="heading"><span class="codenumber">1</span>.</h4>'
            '<div class="para">Find <i>x</i>.</div><div class="solutions"><details class="hint hint-like"><summary>Hint</summary>'
            '<div class="hint hint-like">Try.</div></details><details class="solution solution-like"><summary>Solution</summary>'
            '<div class="solution solution-like"><p>It is 2.</p></div></details></div></article>',
            "",
        ),
        (  # Sphinx: the solution names its exercise
            '<div class="exercise admonition" id="ex"><p class="admonition-title"><span>Exercise 1</span> (Roots)</p>'
            '<section><p>Find x.</p></section></div><p>Between.</p><div class="solution dropdown admonition">'
            '<p class="admonition-title">Solution to <a href="#ex">Exercise 1</a></p><section><p>It is 2.</p></section></div>',
            "Exercise 1 (Roots)",
        ),
        (  # Quarto: the solution follows
            '<div class="theorem exercise"><p><span class="theorem-title"><strong>Exercise 1</strong></span> Find x.</p></div>'
            '<div class="proof solution"><p><span class="proof-title"><em>Solution</em>. </span>It is 2.</p></div>',
            "Exercise 1",
        ),
        (  # Carpentries
            '<div class="callout challenge"><div class="callout-inner"><h3 class="callout-title">Roots</h3><p>Find x.</p></div></div>'
            '<div class="accordion challenge-accordion"><button><h4>Show me the solution</h4></button><div><p>It is 2.</p></div></div>',
            "Roots",
        ),
    ],
)
def test_the_classes_of_many_tools_are_known(body: str, title: str):
    document = page(body)
    (found,) = document.exercises
    assert (found.title, found.text, found.solution) == (title, "Find x.", "It is 2.")
    assert "It is 2." not in said(document)
    assert "Hint" not in said(document)


def test_what_is_folded_behind_a_question_answers_it():
    document = page(
        "<p>Listen.</p><p>What is gold?</p><pre>Au</pre><details><summary>Antwort</summary><p>A metal.</p></details>"
        "<p>Run it.</p><details><summary>Output</summary><p>1 2 3</p></details>"
    )
    (found,) = document.exercises
    assert (found.text, found.solution) == ("What is gold?\n\n```\nAu\n```", "A metal.")
    assert said(document).startswith("Metals conduct.\n\nListen.\n\nRun it.")


def test_items_of_a_list_are_questions_of_their_own():
    items = "".join(
        f"<li>{asked} <details><summary>Answer</summary>{told}</details></li>"
        for asked, told in (("Why?", "So."), ("Where?", "Here."))
    )
    document = page(f"<h2>Exercises</h2><ol>{items}</ol>")
    assert [(each.text, each.solution) for each in document.exercises] == [
        ("Why?", "So."),
        ("Where?", "Here."),
    ]
    assert [section.headings[-1] for section in document.sections] == ["Metals", "After"]


def test_a_heading_may_ask():
    found = only("<h2>What is gold?</h2><details><summary>Answer</summary>A metal.</details>")
    assert (found.text, found.solution) == ("What is gold?", "A metal.")


def test_worked_examples_stay_with_their_solutions():
    document = page(
        '<div class="example"><p>Find x.</p><div class="solution">It is 2.</div></div>'
        '<div class="example"><p>Find y.</p></div><div class="solution">It is 3.</div>'
        '<div data-type="example"><div data-type="exercise"><div data-type="solution">It is 4.</div></div></div>'
    )
    assert document.exercises == ()
    assert all(f"It is {number}." in said(document) for number in (2, 3, 4))


def test_a_page_of_nothing_but_exercises_is_read(tmp_path: Path):
    path = tmp_path / "quiz.html"
    path.write_text(f"<title>Quiz</title>{OPENSTAX.format(solution=KEY)}", encoding="utf-8")
    document = load_document(path)
    assert document.sections == ()
    assert [each.headings for each in document.exercises] == [("Quiz",)]


@pytest.mark.parametrize(
    ("broken", "trouble"),
    [
        (OPENSTAX.format(solution=KEY.replace(">B<", ">D<")), "choices end at B"),
        ('<div class="exercise"><div class="solution">It is 2.</div></div>', "no question"),
        ('<h2>Key</h2><div data-type="solution">It is 2.</div>', "no question"),
        ('<div class="exercise"></div>', "empty"),
        (f"<h2>Quiz</h2>{OPENSTAX.format(solution=KEY).strip().removesuffix('</div>')}", "end is missing"),
        (
            '<h2>Quiz</h2><div class="exercise"><div class="problem"><p>Why?</p><div class="solution"><p>It is 2.</p>',
            "end",
        ),
    ],
)
def test_what_is_broken_has_a_line_and_the_rest_is_read(broken: str, trouble: str):
    document = page(
        f'{broken}<h2>More</h2><p>Of the lesson.</p><div class="exercise"><p>Is it a metal?</p></div>'
    )
    assert trouble in " ".join(each.trouble for each in document.exercises)
    assert (document.exercises[-1].text, document.exercises[-1].trouble) == ("Is it a metal?", "")
    assert "Of the lesson." in said(document)
    assert "It is 2." not in said(document)


def test_an_exercise_in_what_is_not_closed_is_found_and_leaves_no_mark():
    document = page(
        '<div class="solution"><p>It is 2.</p><ul><li><div class="exercise"><p>Why?</p></div></li></ul>'
    )
    lost, found = document.exercises
    assert ("end is missing" in lost.trouble, found.text, found.trouble) == (True, "Why?", "")
    everything = said(document) + "".join(each.text + each.solution for each in document.exercises)
    assert not {"\ue000", "\ue001"} & set(everything)


@pytest.mark.parametrize(
    "one",
    [
        OPENSTAX.format(solution=KEY),
        "<p>Why?</p><details><summary>Answer</summary>So.</details>",
        '<div class="question"><p>So?</p></div>',
    ],
)
def test_thousands_of_exercises_take_time_in_proportion(one: str):
    def seconds(many: int) -> float:
        began = process_time()
        page(one * many)
        return process_time() - began

    seconds(10)
    few, many = seconds(200), seconds(2000)
    assert many < 30 * few + 0.5
