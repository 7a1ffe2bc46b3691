"""Choices and their keys: which answer a solution names, in whatever way it names it."""

import pytest

from agents.teaching.values import AnswerChoice, Exercise
from rag.exercises.choices import Offered, boxed, named, numbered_keys, offered, with_solution

METALS = "Which of these floats on water?\n\n(a) iron\n\n(b) lithium\n\n(c) gold\n\n(d) lead"


def exercise(text: str = METALS, *, solution: str) -> Exercise:
    return with_solution(Exercise(text=text, form="a form"), solution=solution)


def right(found: Exercise) -> list[str]:
    return [choice.text for choice in found.choices if choice.is_right]


@pytest.mark.parametrize(
    "text",
    [
        "Which?\n\n(a) iron\n\n(b) gold",
        "Which?\n\na) iron\nb) gold",
        "Which?\nA. iron\nB. gold",
        "Which?\n\n- **A.** iron\n- **B.** gold",
        "Which?\n\n1. iron\n2. gold",
        "Which?\n\nа) iron\nб) gold",
        "Which?\n\nα) iron\nβ) gold",
    ],
)
def test_a_list_at_the_end_of_a_question_is_what_it_offers(text: str):
    found = offered(text)
    assert found
    assert (found.stem, found.choices) == ("Which?", ("iron", "gold"))


def test_a_choice_may_have_lines_and_code_of_its_own():
    found = offered(
        "Which prints 1?\n\n(a)\u0020```python\nprint(1)\nb) x\n```\n\n(b) `print(2)`\n\n(c) neither"
    )
    assert found
    assert found.choices == ("```python\nprint(1)\nb) x\n```", "`print(2)`", "neither")


def test_a_line_behind_the_choices_belongs_to_the_question():
    found = offered("Which?\n\n(a) iron\n\n(b) gold\n\nGive a reason.")
    assert found
    assert (found.stem, found.choices[-1]) == ("Which?\n\nGive a reason.", "gold")


@pytest.mark.parametrize(
    "text",
    [
        "No list at all.",
        "One?\n\n(a) iron\n(b) gold\n\nTwo?\n\n(a) iron\n(b) gold",
        "Sentences with (a) one thing and (b) another.",
        "Only\n\n(a) one",
        "I. saw\n\nX. too",
    ],
)
def test_what_is_no_list_or_more_than_one_offers_nothing(text: str):
    assert offered(text) is None


@pytest.mark.parametrize(
    ("solution", "which"),
    [
        ("B", (1,)),
        ("b.", (1,)),
        ("**B**", (1,)),
        ("(d)", (3,)),
        ("(b) lithium", (1,)),
        ("lithium.", (1,)),
        ("B: lithium", (1,)),
        ("C – because it is heavy", (2,)),
        ("(a) is the correct statement.", (0,)),
        ("Answer: B", (1,)),
        ("Die richtige Antwort ist C", (2,)),
        ("A, C", (0, 2)),
        ("A and B. The lighter ones.", (0, 1)),
        ("A y C", (0, 2)),
        ("A, B, and D", (0, 1, 3)),
        ("ACD", (0, 2, 3)),
    ],
)
def test_a_solution_names_choices_in_many_ways(solution: str, which: tuple[int, ...]):
    of = offered(METALS)
    assert of
    found = named(solution, of=of)
    assert found
    assert found.which == which


@pytest.mark.parametrize(
    "solution",
    [
        "(a) 81 g; (b) 17 g",
        "a. 81 g\nb. 17 g",
        "1: C; 2: F",
        "First: a; Second: c.",
        "A cell is small.",
        "I. The first law.",
        "DNA",
        "2",
        "A-level",
        "It depends on the density, which decides alone.",
    ],
)
def test_an_answer_in_words_or_part_by_part_names_none(solution: str):
    of = offered(METALS)
    assert of
    assert named(solution, of=of) is None


def test_questions_in_a_list_are_parts_and_no_choices():
    text = "A ball falls for 2 s.\n\n(a) How fast is it?\n\n(b) How far did it fall?"
    assert exercise(text, solution="(a) 20 m/s").choices == ()


def test_letters_name_the_choices_of_a_numbered_list_and_numbers_do_too():
    of = Offered(stem="", choices=("iron", "gold"), labels=("1", "2"))
    found = [named(solution, of=of) for solution in ("B", "2", "2) gold")]
    assert [each.which for each in found if each] == [(1,)] * 3


def test_the_key_makes_one_choice_right_and_the_rest_of_the_solution_is_shown():
    found = exercise(solution="B. It is lighter than water.")
    assert found.text == "Which of these floats on water?"
    assert right(found) == ["lithium"]
    assert found.solution == "It is lighter than water."
    assert not found.trouble


def test_a_solution_that_only_repeats_the_choice_leaves_nothing_to_show():
    assert exercise(solution="B. Lithium").solution == ""


def test_without_a_solution_the_list_stays_in_the_text():
    found = exercise(solution="")
    assert (found.text, found.choices) == (METALS, ())


def test_a_choice_that_is_not_there_is_said():
    found = exercise(solution="E")
    assert found.trouble == "its answer is E, and the choices end at D"


def test_choices_without_a_question_are_said():
    assert "no question" in exercise("(a) iron\n(b) gold", solution="A").trouble


def test_two_answers_where_the_form_asks_for_one_are_said():
    asked = Exercise(text=METALS, form="a form", kind="multiple_choice")
    assert "several" in with_solution(asked, solution="A and B").trouble
    assert not with_solution(asked, solution="A").trouble


def test_choices_that_came_apart_keep_what_the_author_says_of_each():
    apart = (
        AnswerChoice(text="iron", is_right=False, why="It sinks."),
        AnswerChoice(text="wood", is_right=False),
    )
    found = with_solution(Exercise(text="Which floats?", form="a form", choices=apart), solution="B")
    assert [(each.is_right, each.why) for each in found.choices] == [(False, "It sinks."), (True, "")]


def test_ticked_boxes_are_right_choices():
    assert boxed("Which floats?\n\n- [ ] iron\n- [x] wood") == (
        "Which floats?",
        (AnswerChoice(text="iron", is_right=False), AnswerChoice(text="wood", is_right=True)),
    )
    assert boxed("To do:\n\n- [ ] this\n- [ ] that") is None
    assert right(exercise("Which?\n\n- [ ] iron\n- [x] wood", solution="")) == ["wood"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("(1:C, 2:D, 3:A)", {1: "C", 2: "D", 3: "A"}),
        ("1. b  2. d  3. a", {1: "b", 2: "d", 3: "a"}),
        ("1) C\n2) D", {1: "C", 2: "D"}),
        ("1: see above", {}),
        ("1: C", {}),
        ("C", {}),
    ],
)
def test_one_line_may_be_the_key_to_several_questions(text: str, keys: dict[int, str]):
    assert numbered_keys(text) == keys
